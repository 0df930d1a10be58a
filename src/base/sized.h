/* SPDX-License-Identifier: MIT
 *
 * sized.h - structs that cross the door of the library with their size in front. A program and the library that it runs
 * with may have been compiled years apart, so the struct may be shorter or longer than the one known here. Behind the
 * door everybody works on a copy that is complete.
 *
 * To add a field: append it, so that nothing in the struct moves, and leave no padding behind it, which would hide the
 * next one from its size (test_sized.c looks). Zero has to mean what happened before there was that field. Then its
 * struct's TC_FIRST_ number below becomes the offset of the first field that is newer than the first release with this
 * soname.
 */
#ifndef TC_SIZED_H
#define TC_SIZED_H

#include <stddef.h>

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a `size` of 0 stands for. */
#define TC_FIRST_IMAGE sizeof(tilecut_image)
#define TC_FIRST_PARAMS sizeof(tilecut_params)
#define TC_FIRST_REPORT sizeof(tilecut_report)
#define TC_FIRST_ARRAYS sizeof(tilecut_arrays)
#define TC_FIRST_ROW sizeof(tilecut_row)
#define TC_FIRST_FLOW sizeof(tilecut_flow)
#define TC_FIRST_STROKE sizeof(tilecut_stroke)
#define TC_FIRST_CHANGE sizeof(tilecut_change)

/* Reads the struct `given` of the type that messages call `name`, in which `first` bytes are meant by a size of 0, into
 * `copy`, of `known` bytes. What the caller's struct lacks becomes zero; copy's own size is `known`. EINVAL for a size
 * that cannot be, and for something other than zero in fields that are not known. */
tilecut_status tc_sized_read(void *copy, size_t known, size_t first, const void *given, const char *name);

/* Whether tc_sized_write() can write to `given`, which may be NULL: asked before any work is done. */
tilecut_status tc_sized_check(const void *given, const char *name);

/* Writes as much of `told`, of `known` bytes, as the caller's struct has room for; its size stays. NULL: nothing. */
void tc_sized_write(void *given, size_t first, const void *told, size_t known);

/* These with the numbers of a type: TC_READ(&image, given, image). */
#define TC_SIZED_FIRST_image TC_FIRST_IMAGE
#define TC_SIZED_FIRST_params TC_FIRST_PARAMS
#define TC_SIZED_FIRST_arrays TC_FIRST_ARRAYS
#define TC_SIZED_FIRST_row TC_FIRST_ROW
#define TC_SIZED_FIRST_flow TC_FIRST_FLOW
#define TC_SIZED_FIRST_stroke TC_FIRST_STROKE
#define TC_READ(copy, given, type)                                                                          \
    tc_sized_read((copy), sizeof(tilecut_##type), TC_SIZED_FIRST_##type, (given), "tilecut_" #type)

#ifdef __cplusplus
}
#endif
#endif
