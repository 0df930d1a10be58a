/* SPDX-License-Identifier: MIT
 *
 * volume_check.c - checks capacities of a volume once, so that everything after may rely on exact float32 arithmetic.
 */
#include <stdlib.h>

#include "parallel.h"
#include "status.h"
#include "volume.h"

tilecut_status tc_volume_check_size(int width, int height, int depth)
{
    const int64_t most = INT64_C(1) << 30;
    if (width < 1 || height < 1 || depth < 1 || width > TILECUT_MAX_SIDE || height > TILECUT_MAX_SIDE ||
        depth > TILECUT_MAX_SIDE)
        return tc_fail(TILECUT_EINVAL, "a volume of %dx%dx%d; each side must be 1 to %d", width, height, depth,
                       TILECUT_MAX_SIDE);
    const int64_t across = (width + TC_TILE - 1) / TC_TILE, down = (height + TC_TILE - 1) / TC_TILE;
    if (across * down * TC_TILE_NODES * depth >= most || (int64_t)height * depth > TILECUT_MAX_SIDE * INT64_C(4096))
        return tc_fail(TILECUT_EINVAL, "a volume of %dx%dx%d; in whole tiles of 32x32 it has 2^30 voxels or more",
                       width, height, depth);
    return TILECUT_OK;
}

/* The sum of magnitudes that bounds every value at voxel i, at `at`; -1 if one is negative. */
static int64_t load_of(const tilecut_volume_arrays *a, size_t i, const int at[3])
{
    const size_t step[3] = {1, (size_t)a->width, (size_t)a->width * (size_t)a->height};
    const int size[3] = {a->width, a->height, a->depth};
    int64_t load = llabs((int64_t)a->source[i] - a->sink[i]);
    bool negative = a->source[i] < 0 || a->sink[i] < 0;
    for (int k = 0; k < 3; k++) {
        if (at[k] + 1 < size[k]) {
            negative = negative || a->to[k][i] < 0 || a->from[k][i] < 0;
            load += (int64_t)a->to[k][i] + a->from[k][i];
        }
        if (at[k] > 0) load += (int64_t)a->to[k][i - step[k]] + a->from[k][i - step[k]];
    }
    return negative ? -1 : load;
}

tilecut_status tc_volume_check_arrays(tilecut_volume_arrays *a)
{
    if (!a->source || !a->sink || !a->to[0] || !a->to[1] || !a->to[2])
        return tc_fail(TILECUT_EINVAL, "source, sink, to[0], to[1] and to[2] must be given");
    NEED(tc_volume_check_size(a->width, a->height, a->depth));
    for (int k = 0; k < 3; k++)
        if (!a->from[k]) a->from[k] = a->to[k];
    return TILECUT_OK;
}

tilecut_status tc_volume_check_load(const tilecut_volume_arrays *a, size_t i, const int at[3], int64_t load)
{
    if (load < TC_EXACT_LIMIT && a->source[i] < TC_EXACT_LIMIT && a->sink[i] < TC_EXACT_LIMIT) return TILECUT_OK;
    return tc_fail(TILECUT_ERANGE, "capacities at voxel %d,%d,%d add up to %lld; below %d they are exact", at[0], at[1],
                   at[2], (long long)load, TC_EXACT_LIMIT);
}

static tilecut_status check_slice(const tilecut_volume_arrays *a, int z, int before)
{
    size_t i = (size_t)a->width * (size_t)a->height * (size_t)z;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++, i++) {
            const int64_t load = load_of(a, i, (int[3]){x, y, z});
            const int at[3] = {x, y, before + z};
            if (load < 0) return tc_fail(TILECUT_ERANGE, "a capacity at voxel %d,%d,%d is negative", x, y, before + z);
            NEED(tc_volume_check_load(a, i, at, load));
        }
    return TILECUT_OK;
}

typedef struct checking {
    const tilecut_volume_arrays *arrays;
    int first;
    int bad; /* the first slice, from `first` on, that is not exact */
} checking;

static void look_at_slice(void *context, int i)
{
    checking *const c = context;
    int bad = __atomic_load_n(&c->bad, __ATOMIC_RELAXED);
    if (i >= bad || check_slice(c->arrays, c->first + i, 0) == TILECUT_OK) return;
    while (i < bad && !__atomic_compare_exchange_n(&c->bad, &bad, i, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

tilecut_status tc_volume_check_slices(const tilecut_volume_arrays *a, int first, int end, int before, int threads)
{
    const int slices = end - first;
    checking c = {a, first, slices};
    tc_parallel(tc_threads_that_pay(threads, (int64_t)tc_volume_voxels(a)), slices, look_at_slice, &c);
    return c.bad < slices ? check_slice(a, first + c.bad, before) : TILECUT_OK; /* again, to say what is wrong */
}

tilecut_status tc_volume_check(tilecut_volume_arrays *a, int threads)
{
    NEED(tc_volume_check_arrays(a));
    return tc_volume_check_slices(a, 0, a->depth, 0, threads);
}
