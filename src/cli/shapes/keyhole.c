/* SPDX-License-Identifier: MIT */
#include "keyhole.h"

#include <stdlib.h>

/* If finding the nearest corners takes more comparisons than this, the first corner is used instead. */
static const uint64_t COMPARISONS = 50000000;

typedef struct bridge {
    size_t from; /* index of a corner of the outside */
    size_t hole; /* ring */
} bridge;

static size_t nearest(const outline *o, const outline_ring *ring, const int32_t *to)
{
    size_t best = 0;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < ring->count; i++) {
        const int32_t *const c = outline_corner_at(o, ring->first + i);
        const int64_t x = c[0] - to[0], y = c[1] - to[1];
        if (x * x + y * y < least) {
            least = x * x + y * y;
            best = i;
        }
    }
    return best;
}

static int by_corner(const void *a, const void *b)
{
    const bridge *const one = a, *const other = b;
    if (one->from != other->from) return one->from < other->from ? -1 : 1;
    return one->hole < other->hole ? -1 : one->hole > other->hole;
}

/* Appends all corners of a ring, and then its first corner again. */
static bool put_closed(const outline *o, const outline_ring *ring, bytes *out)
{
    const size_t size = 2 * sizeof(int32_t);
    return bytes_append(out, outline_corner_at(o, ring->first), ring->count * size) &&
           bytes_append(out, outline_corner_at(o, ring->first), size);
}

/* Appends to `ring` the corners of the object whose rings are `first` .. `ends` - 1. */
static bool put_object(const outline *o, size_t first, size_t ends, bytes *ring)
{
    const outline_ring *const outside = outline_ring_at(o, first);
    const size_t holes = ends - first - 1, size = 2 * sizeof(int32_t);
    if (!holes) return bytes_append(ring, outline_corner_at(o, outside->first), outside->count * size);
    bridge *const way = malloc(holes * sizeof *way);
    if (!way) return false;
    const bool near = (uint64_t)outside->count * holes <= COMPARISONS;
    for (size_t i = 0; i < holes; i++) {
        const outline_ring *const hole = outline_ring_at(o, first + 1 + i);
        way[i] = (bridge){near ? nearest(o, outside, outline_corner_at(o, hole->first)) : 0, first + 1 + i};
    }
    qsort(way, holes, sizeof *way, by_corner);
    bool room = true;
    for (size_t i = 0, k = 0; room && i < outside->count; i++) {
        const int32_t *const corner = outline_corner_at(o, outside->first + i);
        room = bytes_append(ring, corner, size);
        for (; room && k < holes && way[k].from == i; k++)
            room = put_closed(o, outline_ring_at(o, way[k].hole), ring) && bytes_append(ring, corner, size);
    }
    free(way);
    return room;
}

bool keyholes(const uint8_t *mask, const uint16_t *alpha, int width, int height, keyhole_put *put, void *to)
{
    outline o;
    bytes ring = {0};
    bool room = outline_trace(mask, alpha, width, height, &o);
    for (size_t i = 0, ends; room && i < outline_rings(&o); i = ends) {
        for (ends = i + 1; ends < outline_rings(&o) && outline_ring_at(&o, ends)->hole;) ends++;
        ring.size = 0;
        room = put_object(&o, i, ends, &ring);
        if (room) put(to, (const int32_t *)(const void *)ring.data, ring.size / sizeof(int32_t), o.unit);
    }
    bytes_free(&ring);
    outline_free(&o);
    return room;
}
