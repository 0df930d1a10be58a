/* SPDX-License-Identifier: MIT
 *
 * rows.h - seeds and masks as callers have them: rows of bytes, some stride apart. Behind the door they follow each
 * other.
 */
#ifndef TC_ROWS_H
#define TC_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether `height` rows of `bytes` bytes, `stride` apart from `first` on, can lie in memory; messages call them `name`.
 * A stride of 0 is that of rows that follow each other. */
tilecut_status tc_rows_check(const void *first, size_t stride, size_t bytes, int height, const char *name);

/* The seeds of the caller, or a copy of them. */
typedef struct tc_seeds {
    const uint8_t *label; /* [width * height]                                */
    uint8_t *own;         /* the copy; NULL: there is none. Owned            */
} tc_seeds;

tilecut_status tc_seeds_open(tc_seeds *seeds, const uint8_t *label, size_t stride, int width, int height);
void tc_seeds_close(tc_seeds *seeds);

/* Where a mask is written: in place, or beside it until it is complete. */
typedef struct tc_mask {
    uint8_t *pixel; /* [width * height]                 */
    uint8_t *own;   /* the same; NULL: in place. Owned  */
    uint8_t *to;    /* the caller's                     */
    size_t stride;
    int width, height;
} tc_mask;

tilecut_status tc_mask_open(tc_mask *mask, uint8_t *to, size_t stride, int width, int height);
void tc_mask_close(tc_mask *mask, bool complete); /* writes the caller's if it is complete */

#ifdef __cplusplus
}
#endif
#endif
