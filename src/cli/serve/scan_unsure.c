/* SPDX-License-Identifier: MIT
 *
 * scan_unsure.c - see scan_desk.h. It finds where the mask of a scan is unsure; with several labels, where one of them
 * is unsure against all others. It uses the sketch, because that takes some tenths of a second and the scan would take
 * minutes.
 */
#include <stdio.h>

#include "scan_desk.h"

void scan_desk_one(const scan_desk *d, int code, uint8_t *labels, uint8_t *mask)
{
    const size_t cells = scan_desk_cells(d);
    const bool many = d->legend.many;
    scan_desk_small_labels(d, labels);
    for (size_t i = 0; i < cells; i++) {
        const bool here = many ? d->small_mask[i] == code : d->small_mask[i];
        mask[i] = here ? 255 : 0;
        if (many && labels[i]) labels[i] = labels[i] == code ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
}

int scan_desk_unsure(const scan_desk *d, const uint8_t *labels, const uint8_t *mask, const edit_options *options,
                     const tilecut_params *own_params, char text[EDIT_ANSWER_BYTES], failure *why)
{
    const int side[3] = {d->whole.width, d->whole.height, d->whole.depth}, *const f = d->factor;
    tilecut_params params = *own_params;
    tilecut_doubt doubt = {0};
    int at[3];
    model_apply(&options->model, &params);
    if (options->corrects) params.prior = mask, params.prior_weight = TILECUT_NONE;
    const tilecut_status status = tilecut_volume_confidence(&d->small, labels, mask, &params, NULL, &doubt);
    if (status != TILECUT_OK) return edit_failure(status, why);
    const int cell[] = {doubt.x, doubt.y, doubt.z};
    for (int k = 0; k < 3; k++) {
        const int middle = cell[k] * f[k] + f[k] / 2;
        at[k] = cell[k] < 0 ? -1 : middle < side[k] ? middle : side[k] - 1;
    }
    snprintf(text, EDIT_ANSWER_BYTES, "unsure\t%.0f\nx\t%d\ny\t%d\nz\t%d\nlabel\t%d\npixels\t%.0f\n",
             100 * doubt.unsure, at[0], at[1], at[2], doubt.label, doubt.gain * f[0] * f[1] * f[2]);
    return EXIT_DONE;
}
