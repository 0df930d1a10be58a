/* SPDX-License-Identifier: MIT
 *
 * label_legend.h - names and colours of labels: a text with a line "NUMBER NAME COLOUR" for each, as 3D Slicer and BIDS
 * have them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "scan.h"

typedef struct label_legend {
    scan_names of;      /* by number; without a name of its own a label has none, and the colour of PASCAL VOC */
    bool listed[256];   /* whether the file lists the label; then its colour is that of pictures in colour, too */
} label_legend;

/* No names, and the colours of PASCAL VOC: bits of the number, spread over the highest bits of each channel. */
void label_legend_init(label_legend *legend);

/* Fields are separated by tabs, or else by blanks: "2 cup #c02010" or "2 cup 192 32 16", with anything behind. Lines
 * that begin with "# ", and a first one "index name color", are passed over. EXIT_INPUT, EXIT_RESOURCES. */
int label_legend_read(const char *path, label_legend *legend, failure *why);

/* The least number from `first` on that has the colour, or -1. */
int label_legend_find(const label_legend *legend, const uint8_t color[3], int first);
