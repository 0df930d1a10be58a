/* SPDX-License-Identifier: MIT
 *
 * test_mask_keep.c - masks kept for undo are restored exactly, and take at most a bit or a byte a voxel.
 */
#include <stdlib.h>
#include <string.h>

#include "mask_keep.h"
#include "run_suite.h"

enum { COUNT = 10007 };

static void comes_back(const uint8_t *mask, size_t count, int as, size_t most)
{
    mask_kept kept;
    uint8_t *const back = malloc(count + 1);
    ck_assert(mask_keep(mask, count, &kept));
    ck_assert_int_eq(kept.as, as);
    ck_assert_uint_le(kept.data.size, most);
    back[count] = 77;
    mask_restore(&kept, back, count);
    ck_assert(!memcmp(mask, back, count));
    ck_assert_int_eq(back[count], 77);
    bytes_free(&kept.data);
    free(back);
}

TEST(a_body_is_kept_as_runs)
{
    uint8_t mask[COUNT] = {0};
    comes_back(mask, COUNT, MASK_RUNS, 5);
    memset(mask + 500, 255, 4000);
    comes_back(mask, COUNT, MASK_RUNS, 15);
    comes_back(mask, 1, MASK_BITS, 3);
}

TEST(noise_is_kept_as_bits_or_bytes)
{
    uint8_t mask[COUNT];
    srand(1);
    for (int n = COUNT - 9; n <= COUNT; n++) {
        for (int i = 0; i < COUNT; i++) mask[i] = rand() & 1 ? 255 : 0;
        comes_back(mask, (size_t)n, MASK_BITS, COUNT / 8 + 3);
        for (int i = 0; i < COUNT; i++) mask[i] = (uint8_t)(1 + rand() % 5);
        comes_back(mask, (size_t)n, MASK_BYTES, COUNT);
    }
}

int main(void) { return run_suite((test_suite){.name = "mask_keep"}); }
