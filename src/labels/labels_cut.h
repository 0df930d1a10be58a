/* SPDX-License-Identifier: MIT
 *
 * labels_cut.h - computes several labels of an image or a volume, or of a part of one. For callers inside the library:
 * all structs have their full size.
 */
#pragma once

#include "params.h"
#include "tilecut_labels.h"

typedef struct tc_labels_source {
    const tilecut_image *image;   /* NULL: the source is a volume */
    const tilecut_volume *volume;
    const uint8_t *seeds;         /* as for tilecut_labels() */
} tc_labels_source;

/* The caller's parameters, with the settings of the lower bound. */
typedef struct tc_labels_how {
    tilecut_labels_params given;
    int rounds;
    double enough; /* largest gap between bound and energy, as a share of the energy */
} tc_labels_how;

/* Reads and checks the parameters. `how` NULL: all defaults. Errors: EINVAL. */
tilecut_status tc_labels_how_read(tc_labels_how *out, const tilecut_labels_params *how);

/* Does the work of tilecut_labels() or tilecut_volume_labels(). With setup->comm, this is one of several parts:
 * `labels` has the part's own rows and its halo, and the report is about the whole image. `labels` is packed. */
tilecut_status tc_labels_cut(const tc_labels_source *from, const tc_setup *setup, const tilecut_labels_params *how,
                             uint8_t *labels, tilecut_labels_report *report);
