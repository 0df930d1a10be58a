/* SPDX-License-Identifier: MIT
 *
 * push_memory.c - the memory of push.c: parts for searching, strips for sweeping, and lists of a strip.
 */
#include <stdlib.h>
#include <string.h>

#include "push_strips.h"

typedef tc_push push;
typedef tc_push_part part;
typedef tc_push_strip strip;

/* ---- Parts ------------------------------------------------------------------------------------ */

/* The number of entries for all tiles of the graph, and one more because queue_tile() also writes after the last
 * one. */
static size_t places(const push *s)
{
    return (size_t)s->row_tiles * (size_t)s->rows + 1;
}

/* Allocates the lists of tiles noted across slices. Each has room for one slice, because a tile is noted only by the
 * tile of one other slice. */
static bool alloc_slice_lists(const push *s, part *t)
{
    int32_t *name = malloc(4 * (size_t)s->row_tiles * sizeof *name);
    for (int i = 0; name && i < 4; i++) t->noted[i / 2][i % 2].name = name + (size_t)i * (size_t)s->row_tiles;
    return name;
}

static bool take_part(const push *s, part *t)
{
    t->s = s;
    t->waiting = malloc((size_t)s->rows * sizeof *t->waiting);
    t->first_row = malloc((size_t)(s->parts + 1) * sizeof *t->first_row);
    t->names = malloc(2 * places(s) * sizeof *t->names);
    if (!t->waiting || !t->first_row || !t->names) return false;
    t->queue[0].name = t->names;
    t->queue[1].name = t->names + places(s);
    if (s->parts == 1) return true;
    if (TC_SLICES) return alloc_slice_lists(s, t);
    t->ghost = tc_boards_take(2 * s->row_tiles);
    if (t->ghost) memset(t->ghost, 0, 2 * (size_t)s->row_tiles * sizeof *t->ghost);
    return t->ghost;
}

bool tc_push_parts_take(push *s)
{
    s->part = calloc((size_t)s->parts, sizeof *s->part);
    s->weight = malloc((size_t)s->rows * sizeof *s->weight);
    if (!s->part || !s->weight) return false;
    for (int i = 0; i < s->parts; i++)
        if (!take_part(s, &s->part[i])) return false;
    return true;
}

void tc_push_parts_release(push *s)
{
    for (int i = 0; s->part && i < s->parts; i++) {
        free(s->part[i].names);
        free(s->part[i].ghost);
        free(s->part[i].noted[0][0].name);
        free(s->part[i].waiting);
        free(s->part[i].first_row);
    }
    free(s->part);
    free(s->weight);
}

size_t tc_push_parts_bytes(const push *s)
{
    const size_t beside = TC_SLICES ? 4 * sizeof(int32_t) : 2 * sizeof(tc_board);
    const size_t ghosts = s->parts > 1 ? (size_t)s->row_tiles * beside : 0;
    const size_t a_part = 2 * places(s) * sizeof(int32_t) + (size_t)s->rows * sizeof(int64_t) + ghosts;
    return (size_t)s->parts * a_part;
}

/* ---- Strips ----------------------------------------------------------------------------------- */

bool tc_push_grow(strip *t, uint32_t level)
{
    const uint32_t levels = level + level / 4 + 1024;
    int32_t *list = realloc(t->list, levels * sizeof *list);
    if (!list) {
        t->stop = true;
        return false;
    }
    for (uint32_t i = t->levels; i < levels; i++) list[i] = TC_NONE;
    t->list = list;
    t->levels = levels;
    return true;
}

/* The most pixels that can become active across one side of a strip: the width of a row of tiles or, in a volume, all
 * of a slice. */
static size_t names_across(const push *s)
{
    return (size_t)s->row_tiles * (TC_SLICES ? TC_TILE_NODES : TC_TILE);
}

static bool take_strip(const push *s, strip *t)
{
    t->s = s;
    t->crossed[0].name = malloc(2 * names_across(s) * sizeof *t->crossed[0].name);
    if (!t->crossed[0].name || !tc_push_reserve(t, 0)) return false;
    t->crossed[1].name = t->crossed[0].name + names_across(s);
    return true;
}

bool tc_push_strips_take(push *s)
{
    s->strip = calloc((size_t)s->most_strips, sizeof *s->strip);
    s->seam = calloc((size_t)s->most_strips + 1, sizeof *s->seam);
    s->first_row = malloc((size_t)(s->most_strips + 1) * sizeof *s->first_row);
    if (!s->strip || !s->seam || !s->first_row) return false;
    for (int i = 0; i < s->most_strips; i++)
        if (!take_strip(s, &s->strip[i])) return false;
    return true;
}

void tc_push_strips_release(push *s)
{
    for (int i = 0; s->strip && i < s->most_strips; i++) {
        free(s->strip[i].list);
        free(s->strip[i].crossed[0].name);
    }
    free(s->strip);
    free(s->seam);
    free(s->first_row);
}

size_t tc_push_strips_bytes(const push *s)
{
    size_t bytes = 0;
    for (int i = 0; i < s->most_strips; i++) bytes += (s->strip[i].levels + 2 * names_across(s)) * sizeof(int32_t);
    return bytes;
}
