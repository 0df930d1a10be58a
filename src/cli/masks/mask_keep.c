/* SPDX-License-Identifier: MIT
 *
 * mask_keep.c - see mask_keep.h: chooses between run lengths, bits and bytes.
 */
#include "mask_keep.h"

#include <string.h>

#include "numbers.h"

enum { RUN = 5 }; /* bytes of a run: its value and its length */

static size_t run_at(const uint8_t *mask, size_t count, size_t i)
{
    size_t end = i + 1;
    while (end < count && mask[end] == mask[i] && end - i < UINT32_MAX) end++;
    return end - i;
}

static size_t count_runs(const uint8_t *mask, size_t count)
{
    size_t runs = 0;
    for (size_t i = 0; i < count; i += run_at(mask, count, i)) runs++;
    return runs;
}

/* Returns the second value of a mask that has two values, or the first if there is only one; -1: there are more. */
static int second_value(const uint8_t *mask, size_t count)
{
    int second = count ? mask[0] : 0;
    for (size_t i = 0; i < count; i++) {
        if (mask[i] == mask[0] || mask[i] == second) continue;
        if (second != mask[0]) return -1;
        second = mask[i];
    }
    return second;
}

static void put_runs(const uint8_t *mask, size_t count, uint8_t *to)
{
    for (size_t i = 0, size; i < count; i += size, to += RUN) {
        size = run_at(mask, count, i);
        to[0] = mask[i];
        put_little_endian(to + 1, size, 4);
    }
}

bool mask_keep(const uint8_t *mask, size_t count, mask_kept *out)
{
    const int second = second_value(mask, count);
    const size_t runs = RUN * count_runs(mask, count), other = second < 0 ? count : 2 + (count + 7) / 8;
    *out = (mask_kept){.as = runs <= other ? MASK_RUNS : second < 0 ? MASK_BYTES : MASK_BITS};
    out->data.size = runs <= other ? runs : other;
    if (!bytes_reserve(&out->data, out->data.size + 1)) return out->data.size = 0, false;
    uint8_t *const to = out->data.data;
    if (out->as == MASK_RUNS) put_runs(mask, count, to);
    else if (out->as == MASK_BYTES) memcpy(to, mask, count);
    else {
        memset(to, 0, other);
        to[0] = mask[0], to[1] = (uint8_t)second;
        for (size_t i = 0; i < count; i++) to[2 + i / 8] |= (uint8_t)((mask[i] != mask[0]) << i % 8);
    }
    return true;
}

void mask_restore(const mask_kept *kept, uint8_t *mask, size_t count)
{
    const uint8_t *const from = kept->data.data;
    if (kept->as == MASK_BYTES) memcpy(mask, from, count);
    for (size_t i = 0; kept->as == MASK_BITS && i < count; i++) mask[i] = from[from[2 + i / 8] >> i % 8 & 1];
    for (size_t at = 0; kept->as == MASK_RUNS && at < kept->data.size; at += RUN) {
        const size_t size = (size_t)little_endian(from + at + 1, 4);
        memset(mask, from[at], size);
        mask += size;
    }
}
