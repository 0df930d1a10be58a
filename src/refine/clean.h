/* SPDX-License-Identifier: MIT
 *
 * clean.h - drops specks of a finished mask and fills its holes: tilecut_clean(), and what tilecut_part_clean() shares.
 */
#pragma once

#include "comm.h"
#include "tilecut_correct.h"

/* Reads and checks what the caller asks for: its connectivity is then one that is named. EINVAL. */
tilecut_status tc_clean_read(tilecut_cleaning *how, const tilecut_cleaning *given, const uint8_t *mask,
                             const tilecut_cleaned *cleaned);

/* Cleans a mask of own layers, of which there are how->depth, or in an image how->height. seeds: as many, or NULL.
 * comm: NULL for a whole mask, which is unchanged on failure. *done: by this part. EINVAL, ENOMEM; ECANCELLED if a part
 * has left. */
tilecut_status tc_clean(const tilecut_cleaning *how, tc_comm *comm, const uint8_t *seeds, uint8_t *mask,
                        tilecut_cleaned *done);
