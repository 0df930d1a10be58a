/* SPDX-License-Identifier: MIT
 *
 * labels_cut.h - several labels of an image or a volume, or of a part of one. Inside the library: structs are complete.
 */
#pragma once

#include "params.h"
#include "tilecut_labels.h"

typedef struct tc_labels_source {
    const tilecut_image *image;   /* NULL: a volume */
    const tilecut_volume *volume;
    const uint8_t *seeds;         /* as of tilecut_labels() */
} tc_labels_source;

/* What a caller wants of the bound. */
typedef struct tc_labels_how {
    tilecut_labels_params given;
    int rounds;
    double enough; /* how far the bound may be below the energy, as a share of it */
} tc_labels_how;

/* EINVAL. `how`: NULL for all defaults. */
tilecut_status tc_labels_how_read(tc_labels_how *out, const tilecut_labels_params *how);

/* Does tilecut_labels() or tilecut_volume_labels(). setup->comm: the parts of which this is one; then `labels` has own
 * rows and halo, and the report is that of the whole. labels: packed. */
tilecut_status tc_labels_cut(const tc_labels_source *from, const tc_setup *setup, const tilecut_labels_params *how,
                             uint8_t *labels, tilecut_labels_report *report);
