/* SPDX-License-Identifier: MIT
 *
 * scan_segments.h - 3D Slicer's segmentations in NRRD (.seg.nrrd): segments that overlap lie in layers of their own,
 * and keys of the header say which value in which layer is which segment.
 * Source: https://slicer.readthedocs.io/en/latest/user_guide/modules/segmentations.html
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
    } of[SEGMENTS_MOST];
} scan_segments;

/* Keeps "Segment3_Layer:=1", "Segment3_LabelValue:=2", "Segment3_Name:=cup" and "Segment3_Color:=1 0.5 0"; other lines
 * are passed over. */
void scan_take_key(scan_segments *segments, const char *line);

/* What is needed to read the layers and join them into one volume. */
typedef struct scan_layers {
    scan_input *in;
    const scan_reading *request;
    const int64_t *size;
    scan_numbers numbers;
    const scan_segments *segments;
} scan_layers;

/* Reads one layer and adds it to `out`. Its voxels get the numbers of segments: their values in the file if all of
 * these differ, otherwise 1, 2, ... in the order of the segments. EXIT_INPUT if two segments claim the same voxel. */
int scan_take_layer(const scan_layers *layers, int layer, scan *out, failure *why);

/* Makes out->names. False: no memory. */
bool scan_name_segments(const scan_segments *segments, scan *out);

/* Appends "Segment..." lines for the numbers 1 .. 254 that have a name and occur in `what`, a volume of
 * TILECUT_VOXEL_U8. False: no memory. */
bool scan_put_segments(const scan *what, bytes *to);
