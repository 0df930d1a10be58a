/* SPDX-License-Identifier: MIT
 *
 * ribbon.c - see ribbon.h. Two passes over the rows use the same code: the first counts, the second writes.
 */
#include "ribbon.h"

#include <stdlib.h>
#include <string.h>

/* PIECE: the fewest unknown pixels of a piece, so many that waking a thread for it pays. */
enum { PIECE = 8192, MOST_PLACES = 1 << 30 };

/* Pixels x0 .. x1 - 1 of a row have the places at, at + 1, ... */
typedef struct span {
    int x0, x1;
    int32_t at;
} span;

typedef struct layout {
    const uint8_t *unknown;
    int width, height;
    uint8_t *near;      /* [width + 2 REACH] for the current row: nonzero if the pixel has a place */
    span *spans;        /* the spans of rows -REACH .. height + REACH - 1; NULL in the pass that counts */
    size_t *first;      /* [height + 2 REACH + 1] the index of each row's first span             */
    size_t count;
    int64_t places;
} layout;

/* Marks in l->near the pixels of row y that have places; returns false if none has. */
static bool mark_row(const layout *l, int y)
{
    bool any = false;
    memset(l->near, 0, (size_t)l->width + 2 * RIBBON_REACH);
    for (int row = y - RIBBON_REACH; row <= y + RIBBON_REACH; row++) {
        if (row < 0 || row >= l->height) continue;
        const uint8_t *const from = l->unknown + (size_t)row * (size_t)l->width;
        for (int x = 0; x < l->width; x++)
            if (from[x]) {
                memset(l->near + x, 1, 2 * RIBBON_REACH + 1);
                any = true;
            }
    }
    return any;
}

static void find_spans(layout *l)
{
    const int end = l->width + 2 * RIBBON_REACH;
    l->count = 0;
    l->places = 0;
    for (int y = -RIBBON_REACH; y < l->height + RIBBON_REACH; y++) {
        l->first[y + RIBBON_REACH] = l->count;
        if (!mark_row(l, y)) continue;
        for (int x = 0; x < end; x++) {
            const int from = x;
            while (x < end && l->near[x]) x++;
            if (x == from) continue;
            if (l->spans) l->spans[l->count] = (span){from - RIBBON_REACH, x - RIBBON_REACH, (int32_t)l->places};
            l->count++;
            l->places += x - from;
        }
    }
    l->first[l->height + 2 * RIBBON_REACH] = l->count;
}

/* Returns the place of pixel x. `next` is a cursor into the spans of the row; calls for one row go from left to
 * right. */
static int32_t ribbon_place(const layout *l, size_t *next, int x)
{
    while (l->spans[*next].x1 <= x) ++*next;
    return l->spans[*next].at + (x - l->spans[*next].x0);
}

static void add_run(const layout *l, ribbon *r, size_t next[RIBBON_ROWS], int x, int end, int y)
{
    if (r->run) {
        ribbon_run *const run = &r->run[r->runs];
        *run = (ribbon_run){.x = x, .y = y, .length = end - x};
        for (int k = 0; k < RIBBON_ROWS; k++) run->at[k] = ribbon_place(l, &next[k], x);
    }
    r->runs++;
    r->unknown += end - x;
}

static void find_runs(const layout *l, ribbon *r)
{
    r->runs = 0;
    r->unknown = 0;
    for (int y = 0; y < l->height; y++) {
        const uint8_t *const row = l->unknown + (size_t)y * (size_t)l->width;
        size_t next[RIBBON_ROWS];
        for (int k = 0; k < RIBBON_ROWS; k++) next[k] = l->first[y + k];
        for (int x = 0; x < l->width; x++) {
            const int from = x;
            while (x < l->width && row[x]) x++;
            if (x > from) add_run(l, r, next, from, x, y);
        }
    }
}

/* Divides the runs into pieces: whole rows, until a piece has PIECE unknown pixels. */
static bool find_pieces(ribbon *r)
{
    int64_t pixels = 0;
    r->piece = malloc(((size_t)(r->unknown / PIECE) + 2) * sizeof *r->piece);
    if (!r->piece) return false;
    r->pieces = 0;
    r->piece[0] = 0;
    for (int i = 0; i < r->runs; i++) {
        pixels += r->run[i].length;
        const bool last = i + 1 == r->runs;
        if (!last && (pixels < PIECE || r->run[i + 1].y == r->run[i].y)) continue;
        r->piece[++r->pieces] = i + 1;
        pixels = 0;
    }
    return true;
}

static bool lay_out_spans(layout *l, ribbon *r)
{
    find_spans(l);
    if (l->places > MOST_PLACES) return false;
    l->spans = malloc((l->count + 1) * sizeof *l->spans);
    if (!l->spans) return false;
    find_spans(l);
    find_runs(l, r);
    r->run = malloc(((size_t)r->runs + 1) * sizeof *r->run);
    if (!r->run) return false;
    find_runs(l, r);
    r->places = (int32_t)l->places;
    return find_pieces(r);
}

bool tc_ribbon_init(ribbon *r, const uint8_t *unknown, int width, int height)
{
    layout l = {.unknown = unknown, .width = width, .height = height};
    *r = (ribbon){.width = width, .height = height};
    l.near = malloc((size_t)width + 2 * RIBBON_REACH);
    l.first = malloc(((size_t)height + 2 * RIBBON_REACH + 1) * sizeof *l.first);
    const bool room = l.near && l.first && lay_out_spans(&l, r);
    free(l.near);
    free(l.first);
    free(l.spans);
    if (!room) tc_ribbon_free(r);
    return room;
}

void tc_ribbon_free(ribbon *r)
{
    free(r->run);
    free(r->piece);
    *r = (ribbon){0};
}
