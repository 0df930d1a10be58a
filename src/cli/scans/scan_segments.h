/* SPDX-License-Identifier: MIT
 *
 * scan_segments.h - 3D Slicer's segmentations in NRRD (.seg.nrrd): overlapping segments lie in different layers, and
 * keys of the header give the layer and the value of each segment. Source:
 * https://slicer.readthedocs.io/en/latest/user_guide/modules/segmentations.html
 */
#pragma once

#include "scan.h"

enum { SEGMENTS_MOST = 255 };

typedef struct scan_segments {
    int count;
    struct segment {
        int layer, value;
        char name[64];
        uint8_t color[3];
        bool colored;
    } of[SEGMENTS_MOST];
} scan_segments;

/* Keeps "Segment3_Layer:=1", "Segment3_LabelValue:=2", "Segment3_Name:=cup" and "Segment3_Color:=1 0.5 0"; ignores
 * other lines. */
void scan_take_key(scan_segments *segments, const char *line);

/* The input for reading the layers and joining them into one volume. */
typedef struct scan_layers {
    scan_input *in;
    const scan_reading *request;
    const int64_t *size;
    scan_numbers numbers;
    const scan_segments *segments;
} scan_layers;

/* Reads one layer and adds it to `out`. Its voxels get the numbers of their segments: the values in the file if these
 * are all different, otherwise 1, 2, ... in the order of the segments. EXIT_INPUT if two segments claim the same
 * voxel. */
int scan_take_layer(const scan_layers *layers, int layer, scan *out, failure *why);

/* Makes out->names. If `joined`, the voxels have the numbers that scan_take_layer() gives. Otherwise they have the
 * values of the segments, and a segment whose value is no label gets no name. Returns false if memory ran out. */
bool scan_name_segments(const scan_segments *segments, bool joined, scan *out);

/* Appends "Segment..." lines for the numbers 1 .. 254 that have a name and occur in `what`, a volume of
 * TILECUT_VOXEL_U8. Returns false if memory ran out. */
bool scan_put_segments(const scan *what, bytes *to);
