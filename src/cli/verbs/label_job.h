/* SPDX-License-Identifier: MIT
 *
 * label_job.h - one photo or volume of the verb `labels`: reads it and its seeds, divides it, corrects or refines a
 * label map, and writes the outputs.
 */
#pragma once

#include "matting.h"
#include "model.h"
#include "options.h"
#include "scan_options.h"

typedef struct label_wanted {
    common common;
    model model;
    scan_options scan;
    const char *folder, *map, *previous, *refine, *legend, *output, *format, *cutouts, *table; /* NULL: not given */
    edge_style edge; /* of the cutouts */
    double brush;
    int background, rounds, parts;
    bool instances, recursive, resume, refines, maps_only;
    shape_rules rules;
    const char *key; /* key of this job in the state of a folder of results; NULL: none */
    uint64_t max_memory;
    option_log given;
} label_wanted;

/* Returns the label map that is corrected or refined, or NULL. */
const char *label_map_before(const label_wanted *my);

/* Does all the work on one photo or volume, and writes the outputs and the report. After a failure only the report is
 * written. */
int label_one(label_wanted *my, const char *path, failure *why);
