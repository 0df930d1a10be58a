/* SPDX-License-Identifier: MIT
 *
 * film_motion.c - see film_motion.h. The frame is divided into blocks. Each block of background is searched for as a
 * whole in the other frame; the place where it is found shows how the background moves there. The patch around a pixel
 * is then compared with two kinds of patches of the other frame: with those to which the moves of the surrounding
 * blocks lead, and with those to which the object's move leads. All numbers are whole.
 */
#include "film_motion.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lattice.h"
#include "parallel.h"
#include "status.h"

/* BLOCK: side of a block in pixels. AROUND: moves of blocks up to this many blocks away are used. APART: moves of the
 * background no farther than this from the object's cannot be distinguished from it. NEAR: parts of the object may move
 * by this much differently from the whole. ROBUST: the most that a squared difference of a pixel counts. FOUND: a block
 * that fits worse than this, per pixel, is not found. */
enum { BLOCK = 16, AROUND = 3, APART = 3, NEAR = 5, ROBUST = 3000, FOUND = ROBUST / 4, MARGIN = 2 * BLOCK,
      COLUMNS = 2 * TC_MOTION_ACROSS + 1, MOVES = COLUMNS * (2 * TC_MOTION_DOWN + 1), NONE = -1 };

typedef struct motion {
    const tc_small *frame, *other;
    const tc_moving *as;
    tc_box box;         /* the pixels to compare */
    int across, down;   /* blocks                        */
    int *move;          /* [blocks] the move of a block of background, or NONE */
    uint8_t *allowed;   /* [blocks][MOVES]               */
    tc_patches patches; /* scratch memory of all workers */
    int32_t *along, *apart;
} motion;

static int column(int move) { return move % COLUMNS - TC_MOTION_ACROSS; }
static int row(int move) { return move / COLUMNS - TC_MOTION_DOWN; }

static bool is_ground(const motion *m, int x, int y)
{
    const tc_small *const before = m->as->before;
    const int fx = x - m->as->came_x, fy = y - m->as->came_y;
    return fx < 0 || fy < 0 || fx >= before->width || fy >= before->height ||
           before->no_object[tc_small_at(before, fx, fy)] != 0;
}

/* ---- How the ground moves ----------------------------------------------------------------------- */

/* Returns how badly a block fits the place (dx, dy) away in the other frame, from every second column. Stops as soon as
 * the result is `best` or more. */
static int64_t misfit(const motion *m, const tc_box *of, int dx, int dy, int64_t best)
{
    int64_t sum = 0;
    for (int y = of->y0; y < of->y1 && sum < best; y++)
        for (int x = of->x0; x < of->x1; x += 2) {
            const size_t a = tc_small_at(m->frame, x, y), b = tc_small_at(m->other, x + dx, y + dy);
            int d = 0;
            for (int c = 0; c < 3; c++) {
                const int e = m->frame->plane[c][a] - m->other->plane[c][b];
                d += e * e;
            }
            sum += tc_least(d, ROBUST);
        }
    return sum;
}

static bool inside(const tc_small *s, const tc_box *b, int dx, int dy)
{
    return b->x0 + dx >= 0 && b->y0 + dy >= 0 && b->x1 + dx <= s->width && b->y1 + dy <= s->height;
}

static void move_block(void *context, int i)
{
    const motion *const m = context;
    const int left = m->box.x0 + i % m->across * BLOCK, top = m->box.y0 + i / m->across * BLOCK;
    const tc_box of = {left, top, tc_least(left + BLOCK, m->frame->width), tc_least(top + BLOCK, m->frame->height)};
    int ground = 0;
    int64_t best = INT64_MAX;
    m->move[i] = NONE;
    for (int y = of.y0; y < of.y1; y++)
        for (int x = of.x0; x < of.x1; x++) ground += is_ground(m, x, y);
    if (4 * ground < 3 * BLOCK * BLOCK) return;
    for (int k = 0; k < MOVES; k++) {
        if (!inside(m->frame, &of, column(k), row(k))) continue;
        const int64_t one = misfit(m, &of, column(k), row(k), best);
        if (one < best) best = one, m->move[i] = k;
    }
    const int compared = (of.x1 - of.x0 + 1) / 2 * (of.y1 - of.y0);
    if (best > (int64_t)compared * FOUND) m->move[i] = NONE;
}

/* Allows a move, and the moves that differ from it by one pixel. */
static void allow_around(uint8_t *allowed, int move)
{
    const int x1 = tc_least(column(move) + 1, TC_MOTION_ACROSS), y1 = tc_least(row(move) + 1, TC_MOTION_DOWN);
    for (int y = tc_most(row(move) - 1, -TC_MOTION_DOWN); y <= y1; y++)
        for (int x = tc_most(column(move) - 1, -TC_MOTION_ACROSS); x <= x1; x++)
            allowed[(y + TC_MOTION_DOWN) * COLUMNS + x + TC_MOTION_ACROSS] = 1;
}

/* Allows for block i the moves of the surrounding blocks that differ from the object's own. */
static void allow(void *context, int i)
{
    const motion *const m = context;
    const int bx = i % m->across, by = i / m->across;
    for (int y = tc_most(by - AROUND, 0); y <= tc_least(by + AROUND, m->down - 1); y++)
        for (int x = tc_most(bx - AROUND, 0); x <= tc_least(bx + AROUND, m->across - 1); x++) {
            const int move = m->move[y * m->across + x];
            if (move == NONE) continue;
            if (abs(column(move) - m->as->to_x) <= APART && abs(row(move) - m->as->to_y) <= APART) continue;
            allow_around(m->allowed + (size_t)i * MOVES, move);
        }
}

/* ---- Comparing ---------------------------------------------------------------------------------- */

/* Lowers each entry of a map to a row's sum if that is smaller, from column `left` to right - 1. */
static void lower(const motion *m, int32_t *map, int left, int right, const int32_t *sum)
{
    for (int x = left; x < right; x++) {
        int32_t all = 0;
        for (int k = 0; k < TC_SMALL_PATCH; k++) all += sum[x - m->box.x0 + k];
        map[x] = all < map[x] ? all : map[x];
    }
}

static void take_along(const void *context, int y, int dx, int dy, const int32_t *sum)
{
    const motion *const m = context;
    const int width = m->frame->width;
    if (y + dy < 0 || y + dy >= m->frame->height) return;
    lower(m, m->along + (size_t)y * (size_t)width, tc_most(m->box.x0, -dx), tc_least(m->box.x1, width - dx), sum);
}

/* Lowers the distances to the background in the blocks that allow the move. */
static void take_apart(const void *context, int y, int dx, int dy, const int32_t *sum)
{
    const motion *const m = context;
    const int width = m->frame->width, by = (y - m->box.y0) / BLOCK;
    const size_t move = (size_t)((dy + TC_MOTION_DOWN) * COLUMNS + dx + TC_MOTION_ACROSS);
    if (y + dy < 0 || y + dy >= m->frame->height) return;
    for (int bx = 0; bx < m->across; bx++) {
        const int left = m->box.x0 + bx * BLOCK, right = tc_least(left + BLOCK, m->box.x1);
        if (m->allowed[(size_t)(by * m->across + bx) * MOVES + move])
            lower(m, m->apart + (size_t)y * (size_t)width, tc_most(left, -dx), tc_least(right, width - dx), sum);
    }
}

static bool allowed_in_row(const motion *m, int by, int move)
{
    for (int bx = 0; bx < m->across; bx++)
        if (m->allowed[(size_t)(by * m->across + bx) * MOVES + (size_t)move]) return true;
    return false;
}

static void compare_row(void *context, int i, int worker)
{
    const motion *const m = context;
    const int top = m->box.y0 + i * BLOCK, bottom = tc_least(top + BLOCK, m->box.y1);
    const int x = m->as->to_x, y = m->as->to_y;
    tc_patches p = m->patches;
    p.rows += (size_t)worker * (TC_SMALL_PATCH + 1) * p.room;
    for (int k = 0; k < MOVES; k++)
        if (allowed_in_row(m, i, k)) tc_patches_compare(&p, top, bottom, column(k), row(k), take_apart, m);
    for (int v = tc_most(y - NEAR, -TC_MOTION_DOWN); v <= tc_least(y + NEAR, TC_MOTION_DOWN); v++)
        for (int u = tc_most(x - NEAR, -TC_MOTION_ACROSS); u <= tc_least(x + NEAR, TC_MOTION_ACROSS); u++)
            tc_patches_compare(&p, top, bottom, u, v, take_along, m);
}

/* Finds the pixels around the object; returns false if there is none. */
static bool find_place(motion *m)
{
    const tc_small *const s = m->as->before;
    const tc_box of = tc_small_box(s);
    const int x = m->as->came_x, y = m->as->came_y;
    m->box = (tc_box){tc_most(of.x0 + x - MARGIN, 0), tc_most(of.y0 + y - MARGIN, 0),
                      tc_least(of.x1 + x + MARGIN, s->width), tc_least(of.y1 + y + MARGIN, s->height)};
    return of.x1 && m->box.x0 < m->box.x1 && m->box.y0 < m->box.y1;
}

tilecut_status tc_motion(const tc_small *frame, const tc_small *other, const tc_moving *as, int threads,
                         int32_t *along, int32_t *apart)
{
    motion m = {.frame = frame, .other = other, .as = as, .along = along, .apart = apart};
    tilecut_status status = TILECUT_OK;
    if (!find_place(&m)) return TILECUT_OK;
    m.across = (m.box.x1 - m.box.x0 + BLOCK - 1) / BLOCK, m.down = (m.box.y1 - m.box.y0 + BLOCK - 1) / BLOCK;
    m.patches = (tc_patches){.frame = frame, .other = other, .box = m.box, .room = tc_patches_room(&m.box)};
    const size_t blocks = (size_t)m.across * (size_t)m.down;
    m.move = malloc(blocks * sizeof *m.move);
    m.allowed = calloc(blocks, MOVES);
    m.patches.rows = malloc((size_t)threads * (TC_SMALL_PATCH + 1) * m.patches.room * sizeof *m.patches.rows);
    if (m.move && m.allowed && m.patches.rows) {
        tc_parallel(threads, (int)blocks, move_block, &m);
        tc_parallel(threads, (int)blocks, allow, &m);
        tc_parallel_workers(threads, m.down, compare_row, &m);
    } else {
        status = tc_fail(TILECUT_ENOMEM, "no memory for the motion of %zu blocks", blocks);
    }
    free(m.move), free(m.allowed), free(m.patches.rows);
    return status;
}
