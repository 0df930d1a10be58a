/* SPDX-License-Identifier: MIT
 *
 * test_graph_space.c - files of three-dimensional grids: every format reads back what it wrote, with or without its
 * shape, and damaged files are refused. The flow is compared with that of the same arcs as a network.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "graph_file.h"
#include "network_file.h"
#include "tilecut_network.h"


#include "run_suite.h"

static const char *const extensions[] = {"tcg", "max", "bbk"};
enum { EXTENSIONS = 3, ROUNDS = 40 };

/* Random capacities. If `seed` is odd, links are one-way. */
typedef struct drawn {
    tilecut_volume_arrays arrays;
    int32_t *cells;
} drawn;

static drawn draw(uint64_t seed, int width, int height, int depth)
{
    const size_t voxels = (size_t)width * (size_t)height * (size_t)depth;
    chance dice = chance_of(seed, 5);
    drawn d = {.cells = malloc(8 * voxels * sizeof *d.cells),
               .arrays = {.width = width, .height = height, .depth = depth}};
    for (size_t i = 0; i < 8 * voxels; i++) d.cells[i] = chance_below(&dice, 4) ? chance_below(&dice, 90) : 0;
    d.arrays.source = d.cells, d.arrays.sink = d.cells + voxels;
    for (size_t k = 0; k < 3; k++) {
        d.arrays.to[k] = d.cells + (2 + k) * voxels;
        d.arrays.from[k] = seed % 2 ? d.cells + (5 + k) * voxels : NULL;
    }
    return d;
}

static bytes encode(const drawn *d, const char *extension)
{
    char path[20];
    bytes file = {0};
    failure why = {0};
    snprintf(path, sizeof path, "x.%s", extension);
    ck_assert_msg(graph_encode_volume(path, &d->arrays, 0.125, &file, &why) == EXIT_DONE, "%s", why.text);
    return file;
}

static bool links_alike(const tilecut_volume_arrays *a, const tilecut_volume_arrays *b)
{
    const int size[3] = {a->width, a->height, a->depth};
    size_t i = 0;
    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++)
            for (int x = 0; x < size[0]; x++, i++)
                for (int k = 0; k < 3; k++) {
                    const int at[3] = {x, y, z};
                    const int32_t *const one = a->from[k] ? a->from[k] : a->to[k];
                    const int32_t *const other = b->from[k] ? b->from[k] : b->to[k];
                    if (at[k] + 1 < size[k] && (a->to[k][i] != b->to[k][i] || one[i] != other[i])) return false;
                }
    return true;
}

LOOP_TEST(comes_back_as_written, 0, EXTENSIONS)
{
    const char *const extension = extensions[_i];
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        /* A .bbk file shows its shape only by its links. With sides of one or two it could be read as a flatter
         * grid. */
        const int least = strcmp(extension, "bbk") ? 1 : 3;
        const drawn d = draw(seed, least + (int)(seed % 5), least + (int)(seed % 3), least + 1 + (int)(seed % 4));
        const size_t bytes_each = (size_t)d.arrays.width * (size_t)d.arrays.height * (size_t)d.arrays.depth * 4;
        bytes file = encode(&d, extension);
        saved_graph saved;
        failure why = {0};
        ck_assert_msg(graph_decode("file", file.data, file.size, 0, NULL, &saved, &why) == EXIT_DONE, "seed %d: %s",
                      (int)seed, why.text);
        ck_assert_int_eq(saved.connectivity, 6);
        ck_assert_int_eq(saved.width, d.arrays.width);
        ck_assert_int_eq(saved.height, d.arrays.height);
        ck_assert_int_eq(saved.depth, d.arrays.depth);
        ck_assert_double_eq(saved.quantum, strcmp(extension, "bbk") ? 0.125 : 1);
        const tilecut_volume_arrays again = saved_graph_volume(&saved);
        ck_assert_mem_eq(again.source, d.arrays.source, bytes_each);
        ck_assert_mem_eq(again.sink, d.arrays.sink, bytes_each);
        ck_assert_msg(links_alike(&d.arrays, &again), "%s: seed %d", extension, (int)seed);
        saved_graph_free(&saved);
        bytes_free(&file);
        free(d.cells);
    }
}

/* Returns the flow of the same arcs, read as a network. */
static int64_t network_flow(const bytes *file)
{
    const network_reading options = {.always = true, .most_bytes = 1 << 28};
    saved_network net = {0};
    failure why = {0};
    tilecut_network *network = NULL;
    tilecut_network_report report = {0};
    ck_assert_msg(network_decode("file", file->data, file->size, &options, &net, NULL, &why) == EXIT_DONE, "%s",
                  why.text);
    const tilecut_network_arcs arcs = arcs_network(&net.list);
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_solve(network, NULL, NULL, NULL, &report), TILECUT_OK);
    tilecut_network_destroy(network);
    saved_network_free(&net);
    return report.flow;
}

/* Without its comment, a DIMACS file shows its shape only by its arcs. Arcs of capacity 0 are not written, so here
 * every link has some capacity. */
TEST(shape_is_found_from_arcs)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        const drawn d = draw(seed, 2 + (int)(seed % 5), 2 + (int)(seed % 3), 2 + (int)(seed % 7));
        const size_t voxels = (size_t)d.arrays.width * (size_t)d.arrays.height * (size_t)d.arrays.depth;
        uint8_t *const mask = malloc(voxels);
        saved_graph saved;
        failure why = {0};
        tilecut_report report = {0};
        for (size_t i = 2 * voxels; i < 8 * voxels; i++) d.cells[i]++;
        bytes file = encode(&d, "max");
        char *const comment = strstr((char *)file.data, "c tilecut volume");
        ck_assert_ptr_nonnull(comment);
        comment[2] = 'T';
        ck_assert_msg(graph_decode("file", file.data, file.size, 0, NULL, &saved, &why) == EXIT_DONE, "%s", why.text);
        ck_assert_int_eq(saved.depth, d.arrays.depth);
        ck_assert_int_eq(saved.width, d.arrays.width);
        const tilecut_volume_arrays again = saved_graph_volume(&saved);
        ck_assert_int_eq(tilecut_volume_solve(&again, NULL, mask, &report), TILECUT_OK);
        ck_assert_int_eq(report.flow, network_flow(&file));
        saved_graph_free(&saved);
        bytes_free(&file);
        free(mask);
        free(d.cells);
    }
}

/* Terminals of 2^40 exceed what a grid holds, and are treated as infinite. */
TEST(infinite_terminals_are_settled)
{
    static const char text[] = "c tilecut volume 2 2 2\np max 10 15\nn 1 s\nn 2 t\n"
                               "a 1 3 1099511627776\na 3 2 7\na 10 2 1099511627776\n"
                               "a 3 4 3\na 3 5 4\na 3 7 5\na 4 6 1\na 4 8 9\na 5 6 2\na 5 9 9\na 7 8 2\na 7 9 1\n"
                               "a 6 10 9\na 8 10 9\na 9 10 9\n";
    const bytes file = {.data = (uint8_t *)(uintptr_t)text, .size = sizeof text - 1};
    saved_graph saved;
    failure why = {0};
    uint8_t mask[8];
    tilecut_report report = {0};
    ck_assert_msg(graph_decode("file", file.data, file.size, 0, NULL, &saved, &why) == EXIT_DONE, "%s", why.text);
    const tilecut_volume_arrays a = saved_graph_volume(&saved);
    ck_assert_int_eq(tilecut_volume_solve(&a, NULL, mask, &report), TILECUT_OK);
    ck_assert_int_eq(report.flow + saved.settled, network_flow(&file));
    saved_graph_free(&saved);
}

LOOP_TEST(header_is_checked, 0, 2)
{
    const drawn d = draw((uint64_t)_i, 3, 4, 5);
    bytes file = encode(&d, "tcg");
    saved_graph saved;
    failure why = {0};
    /* these files have their own version number, so that older programs report the right error */
    ck_assert_int_eq(file.data[8], 2);
    for (size_t i = 0; i < 72; i++) {
        file.data[i] ^= 0x11;
        ck_assert_msg(graph_decode("file", file.data, file.size, 0, NULL, &saved, &why) == EXIT_INPUT, "byte %zu", i);
        file.data[i] ^= 0x11;
    }
    for (size_t size = 0; size < file.size; size++) {
        uint8_t *const copy = malloc(size ? size : 1);
        memcpy(copy, file.data, size);
        ck_assert_msg(graph_decode("file", copy, size, 0, NULL, &saved, &why) == EXIT_INPUT, "size %zu", size);
        free(copy);
    }
    bytes_free(&file);
    free(d.cells);
}

LOOP_TEST(what_is_no_grid_is_refused, 0, 4)
{
    static const struct row {
        const char *text, *sentence;
    } rows[] = {
        {"c tilecut volume 3 3 2\np max 9 0\nn 1 s\nn 2 t\n", "a grid of 3x3x2 by its comment, but 7 nodes"},
        /* Arcs that wrap around: from the end of a row to the start of the next, and from the end of a slice. */
        {"c tilecut volume 2 2 2\np max 10 1\nn 1 s\nn 2 t\na 4 5 1\n", "joins two pixels that are not neighbours"},
        {"c tilecut volume 2 2 2\np max 10 1\nn 1 s\nn 2 t\na 5 7 1\n", "joins two pixels that are not neighbours"},
        {"c tilecut volume 60000 60000 1\np max 3600000002 0\nn 1 s\nn 2 t\n", "nearly all nodes would stand alone"},
    };
    saved_graph saved;
    failure why = {0};
    const struct row *const row = &rows[_i];
    ck_assert_int_eq(graph_decode("file", (const uint8_t *)row->text, strlen(row->text), 0, NULL, &saved, &why),
                     EXIT_INPUT);
    ck_assert_msg(strstr(why.text, row->sentence) != NULL, "%s", why.text);
}

int main(void) { return run_suite((test_suite){.name = "graphs in space"}); }
