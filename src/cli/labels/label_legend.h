/* SPDX-License-Identifier: MIT
 *
 * label_legend.h - names and colours of labels: a text with a line "NUMBER NAME COLOUR" for each label, as 3D Slicer
 * and BIDS write it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "scan.h"

typedef struct label_legend {
    scan_names of;      /* names and colours by number; by default no names, and the colours of PASCAL VOC */
    bool listed[256];   /* the file lists the label, so that its colour also identifies it in coloured pictures */
} label_legend;

/* Sets no names, and the colours of PASCAL VOC: the bits of the number, spread over the highest bits of
 * each channel. */
void label_legend_init(label_legend *legend);

/* Reads a legend. Fields are separated by tabs, or else by blanks: "2 cup #c02010" or "2 cup 192 32 16"; further fields
 * are ignored. Skips lines that begin with "# ", and a first line "index name color". Returns EXIT_INPUT or
 * EXIT_RESOURCES on failure. */
int label_legend_read(const char *path, label_legend *legend, failure *why);

/* Returns the smallest number from `first` on whose label has this colour, or -1. */
int label_legend_find(const label_legend *legend, const uint8_t color[3], int first);
