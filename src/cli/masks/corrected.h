/* SPDX-License-Identifier: MIT
 *
 * corrected.h - a mask, corrected by the seeds that contradict it.
 */
#ifndef CLI_CORRECTED_H
#define CLI_CORRECTED_H

#include <stdint.h>

#include "tilecut.h"

typedef struct corrected {
    tilecut_report cut;     /* of the strokes together; certified and empty without any */
    int64_t added, removed; /* pixels of foreground                                     */
} corrected;

/* Corrects `mask`, a byte for each pixel of `photo`, 0 or 255, by the seeds that contradict it. All foreground seeds
 * that lie on its background are one stroke of a session (tilecut_session_stroke()); then all background seeds that
 * lie on its foreground are another. What lies outside a box is no such seed. Without seeds that contradict it the mask
 * stays as it is. Of `how`, wish is the mask, as probabilities, from which colours are learnt, and wish_weight is not
 * used. Errors: those of the session, and ENOMEM. */
tilecut_status corrected_mask(const tilecut_image *photo, const uint8_t *seeds, const tilecut_params *how,
                              uint8_t *mask, corrected *out);

#endif
