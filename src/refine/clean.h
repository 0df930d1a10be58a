/* SPDX-License-Identifier: MIT
 *
 * clean.h - drops specks of a finished mask and fills its holes: tilecut_clean(), and the code that it shares with
 * tilecut_part_clean().
 */
#pragma once

#include "comm.h"
#include "tilecut_correct.h"

/* Reads and checks the caller's options. In the result, the connectivity is set even if the caller left it 0. Errors:
 * EINVAL. */
tilecut_status tc_clean_read(tilecut_cleaning *how, const tilecut_cleaning *given, const uint8_t *mask,
                             const tilecut_cleaned *cleaned);

/* Cleans a mask of own layers; their number is how->depth, or how->height for an image. `seeds` has as many layers, or
 * is NULL. `comm` is NULL for a mask in one part, which is then unchanged on failure. *done counts the changes by this
 * part. Errors: EINVAL, ENOMEM; ECANCELLED if a part has left. */
tilecut_status tc_clean(const tilecut_cleaning *how, tc_comm *comm, const uint8_t *seeds, uint8_t *mask,
                        tilecut_cleaned *done);
