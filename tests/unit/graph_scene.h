/* SPDX-License-Identifier: MIT
 *
 * graph_scene.h - reads saved graphs from memory and solves them, for the tests of graph files.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "graph_file.h"

#include <check.h> /* must come last: check.h defines a macro named fail */

static inline int64_t flow_of(const tilecut_arrays *arrays)
{
    tilecut_graph *graph;
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    uint8_t *mask = malloc((size_t)arrays->width * (size_t)arrays->height);
    params.solver = "bk";
    ck_assert_int_eq(tilecut_graph_create(&graph, arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, mask, &report), TILECUT_OK);
    tilecut_graph_destroy(graph);
    free(mask);
    return report.flow;
}

static inline int decode(const char *text, size_t size, saved_graph *out, failure *why)
{
    /* A copy of exactly this size lets the address sanitizer see a read past the end. */
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    const int status = graph_decode("file", copy, size, 0, NULL, out, why);
    free(copy);
    return status;
}
