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

tilecut_status tc_bytes_own(tc_bytes *bytes, const char *name)
{
    const size_t line = (size_t)bytes->width, rows = (size_t)bytes->height;
    if (bytes->own) return TILECUT_OK;
    bytes->own = malloc(line * rows);
    if (!bytes->own) return tc_fail(TILECUT_ENOMEM, "no memory for the %s of %zux%zu pixels", name, line, rows);
    if (bytes->from) tc_copy_rows(bytes->own, 0, bytes->from, bytes->stride, line, rows);
    bytes->from = bytes->to = bytes->own;
    return TILECUT_OK;
}

static tilecut_status open_bytes(tc_bytes *bytes, const char *name, const void *lent)
{
    NEED(tc_rows_check(lent, bytes->stride, (size_t)bytes->width, bytes->height, name));
    return !bytes->stride || bytes->stride == (size_t)bytes->width ? TILECUT_OK : tc_bytes_own(bytes, name);
}

tilecut_status tc_bytes_open(tc_bytes *bytes, const char *name, const uint8_t *from, size_t stride, int width,
                             int height)
{
    *bytes = (tc_bytes){.from = from, .stride = stride, .width = width, .height = height};
    return open_bytes(bytes, name, from);
}

tilecut_status tc_mask_open(tc_bytes *mask, uint8_t *to, size_t stride, int width, int height)
{
    *mask = (tc_bytes){.to = to, .lent = to, .stride = stride, .width = width, .height = height};
    return open_bytes(mask, "mask", to);
}

void tc_bytes_close(tc_bytes *bytes, bool complete)
{
    if (bytes->own && bytes->lent && complete)
        tc_copy_rows(bytes->lent, bytes->stride, bytes->own, 0, (size_t)bytes->width, (size_t)bytes->height);
    free(bytes->own);
    *bytes = (tc_bytes){0};
}
