/* SPDX-License-Identifier: MIT */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

tilecut_status tc_address_check(const void *first, size_t stride, size_t unit, const char *name)
{
    const bool odd = stride % unit != 0;
    if (!odd && (uintptr_t)first % unit == 0) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "%s has %s; its rows have to begin at multiples of %zu bytes", name,
                   odd ? "a stride that does not fit" : "an address that does not fit", unit);
}

tilecut_status tc_samples_check(const void *first, size_t stride, size_t unit, size_t bytes, int height,
                                const char *name)
{
    NEED(tc_address_check(first, stride, unit, name));
    return tc_rows_check(first, stride, bytes, height, name);
}

tilecut_status tc_rows_check(const void *first, size_t stride, size_t bytes, int height, const char *name)
{
    const size_t step = stride ? stride : bytes, most = SIZE_MAX / 2;
    if (!first) return tc_fail(TILECUT_EINVAL, "%s is NULL", name);
    if (step < bytes)
        return tc_fail(TILECUT_EINVAL, "%s has a stride of %zu bytes, shorter than the %zu of what lies in it", name,
                       stride, bytes);
    /* the address of the last byte, first + step * height - 1, must not overflow */
    if (step > most / (size_t)height || step * (size_t)height > UINTPTR_MAX - (uintptr_t)first)
        return tc_fail(TILECUT_EINVAL, "%s takes %d times %zu bytes, more than any memory", name, height, step);
    return TILECUT_OK;
}

void tc_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes, size_t rows)
{
    const size_t step = to_stride ? to_stride : bytes, stride = from_stride ? from_stride : bytes;
    for (size_t y = 0; y < rows; y++) memcpy((char *)to + y * step, (const char *)from + y * stride, bytes);
}

tilecut_status tc_seeds_open(tc_seeds *seeds, const uint8_t *label, size_t stride, int width, int height)
{
    const size_t line = (size_t)width;
    const tilecut_status status = tc_rows_check(label, stride, line, height, "seeds");
    *seeds = (tc_seeds){.label = label};
    if (status != TILECUT_OK || stride == 0 || stride == line) return status;
    seeds->label = seeds->own = malloc(line * (size_t)height);
    if (!seeds->own) return tc_fail(TILECUT_ENOMEM, "no memory for the seeds of %dx%d pixels", width, height);
    tc_copy_rows(seeds->own, 0, label, stride, line, (size_t)height);
    return TILECUT_OK;
}

void tc_seeds_close(tc_seeds *seeds)
{
    free(seeds->own);
    *seeds = (tc_seeds){0};
}

tilecut_status tc_mask_open(tc_mask *mask, uint8_t *to, size_t stride, int width, int height)
{
    const size_t line = (size_t)width;
    const tilecut_status status = tc_rows_check(to, stride, line, height, "mask");
    *mask = (tc_mask){.pixel = to, .to = to, .stride = stride, .width = width, .height = height};
    if (status != TILECUT_OK || stride == 0 || stride == line) return status;
    mask->pixel = mask->own = malloc(line * (size_t)height);
    if (!mask->own) return tc_fail(TILECUT_ENOMEM, "no memory for a mask of %dx%d pixels", width, height);
    return TILECUT_OK;
}

void tc_mask_close(tc_mask *mask, bool complete)
{
    if (mask->own && complete)
        tc_copy_rows(mask->to, mask->stride, mask->own, 0, (size_t)mask->width, (size_t)mask->height);
    free(mask->own);
    *mask = (tc_mask){0};
}
