/* SPDX-License-Identifier: MIT
 *
 * sized.h - structs that are exchanged with the caller and begin with their size. A program and the library that it
 * runs with may have been compiled years apart, so the caller's struct may be shorter or longer than the one known
 * here. Inside the library all code works on a complete copy.
 *
 * To add a field:
 *   1. Append it, so that nothing in the struct moves. Leave no padding behind it: the struct's size would then not
 *      change when the next field is added (test_interface.c checks that).
 *   2. Zero must mean the behaviour from before the field existed.
 *   3. Set the struct's TC_FIRST_ number below to the offset of the first field that is newer than the first release
 *      with this soname.
 */
#pragma once

#include <stddef.h>

#include "tilecut.h"

/* The size that a struct with `size` 0 is taken to have. */
#define TC_FIRST_image sizeof(tilecut_image)
#define TC_FIRST_params offsetof(tilecut_params, prior_reach)
#define TC_FIRST_report offsetof(tilecut_report, doubted)
#define TC_FIRST_arrays sizeof(tilecut_arrays)
#define TC_FIRST_row sizeof(tilecut_row)
#define TC_FIRST_flow sizeof(tilecut_flow)
#define TC_FIRST_volume offsetof(tilecut_volume, channels)
#define TC_FIRST_stroke sizeof(tilecut_stroke)
#define TC_FIRST_change sizeof(tilecut_change)
#define TC_FIRST_doubt sizeof(tilecut_doubt)
#define TC_FIRST_corrected sizeof(tilecut_corrected)
#define TC_FIRST_moved sizeof(tilecut_moved)
#define TC_FIRST_cleaning sizeof(tilecut_cleaning)
#define TC_FIRST_cleaned sizeof(tilecut_cleaned)

/* Reads the caller's struct `given` into `copy`, which has `known` bytes. A size of 0 means `first` bytes; error
 * messages call the type `name`. Fields that the caller's struct lacks become zero, and the copy's own size becomes
 * `known`. Returns EINVAL for an impossible size, and if a field that this library does not know is not zero. */
tilecut_status tc_sized_read(void *copy, size_t known, size_t first, const void *given, const char *name);

/* Checks that tc_sized_write() can write to `given`, which may be NULL. Called before any work is done. */
tilecut_status tc_sized_check(const void *given, const char *name);

/* Copies `report`, of `known` bytes, to the caller's struct as far as it fits; the struct's own size stays. Does
 * nothing if `given` is NULL. */
void tc_sized_write(void *given, size_t first, const void *report, size_t known);

/* These call tc_sized_read() and tc_sized_write() with the sizes of a type filled in: TC_READ(&copy, given, image),
 * TC_WRITE(given, &result, report). */
#define TC_READ(copy, given, type) \
    tc_sized_read((copy), sizeof(tilecut_##type), TC_FIRST_##type, (given), "tilecut_" #type)
#define TC_WRITE(given, report, type) tc_sized_write((given), TC_FIRST_##type, (report), sizeof(tilecut_##type))
