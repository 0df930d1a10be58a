/* SPDX-License-Identifier: MIT
 *
 * push_search.c - the search of solver_push.c: back from the sinks, level by level, in all strips at the same time.
 */
#include <string.h>

#include "push_strips.h"

typedef tc_push push;
typedef tc_push_strip strip;

/* ---- Placing strips --------------------------------------------------------------------------- */

/* So that each has as much to do as another. */
static void place_strips(push *s)
{
    tc_share_rows(s->weight, s->tiles_y, s->strips, s->strips > 1 ? TC_ROWS_A_STRIP : 1, s->first_row);
    for (int i = 0; i < s->strips; i++) {
        strip *const t = &s->strip[i];
        t->first = s->first_row[i] * s->tiles_x;
        t->end = s->first_row[i + 1] * s->tiles_x;
        for (int parity = 0; parity < 2; parity++) {
            t->queue[parity] = (tc_push_names){s->queue[parity] + t->first, 0};
            t->told[0][parity].count = t->told[1][parity].count = t->crossed[parity].count = 0;
        }
    }
}

/* ---- Levels ----------------------------------------------------------------------------------- */

static inline void queue_tile(strip *t, int tile, int level)
{
    tc_board *const board = &t->s->board[tile];
    tc_push_names *const queue = &t->queue[level & 1];
    if (board->queued[level & 1] == level) return;
    board->queued[level & 1] = level;
    queue->name[queue->count++] = tile;
}

/* Tells the tiles around which of its pixels `level` reached, where that opens something new to them. Returns how many
 * of them are in other strips. */
static int tell_neighbours(strip *t, int tile, int level, uint32_t left, uint32_t right)
{
    const push *const s = t->s;
    tc_board *const board = &s->board[tile];
    const int next = level + 1;
    const uint32_t rim[4] = {[TC_RIGHT] = right, [TC_LEFT] = left, [TC_DOWN] = board->front[TC_TILE - 1],
                             [TC_UP] = board->front[0]};
    const int step[4] = {1, -1, s->tiles_x, -s->tiles_x};
    int told = 0;

    for (int d = 0; d < 4; d++) {
        if (!rim[d] || !(board->inside >> d & 1)) continue;
        tc_board *other = board + step[d];
        const int there = tile + step[d], far = d == TC_RIGHT || d == TC_DOWN ? 0 : TC_TILE - 1;
        const bool ours = there >= t->first && there < t->end;
        /* What another strip has seen is just being written. */
        const uint32_t news = rim[d] & (d < TC_DOWN ? s->kernel->column(other->open[d ^ 1], other->seen, far)
                                                    : other->open[d ^ 1][far] & ~(ours ? other->seen[far] : 0));
        if (!news) continue;
        tc_halo *halo = &other->halo[next & 1];
        *(d == TC_RIGHT ? &halo->left : d == TC_LEFT ? &halo->right : d == TC_DOWN ? &halo->top : &halo->bottom) =
            news;
        if (ours) {
            queue_tile(t, there, next);
        } else {
            tc_push_names *const names = d == TC_DOWN ? &t[1].told[0][next & 1] : &t[-1].told[1][next & 1];
            names->name[names->count++] = there;
            told++;
        }
    }
    return told;
}

void tc_push_unpack(const push *s, int tile, const uint32_t rows[TC_TILE], uint32_t base)
{
    tc_board *const board = &s->board[tile];
    tc_push_node *node = s->node + (size_t)tile * TC_TILE_NODES;
    uint32_t height[TC_TILE][TC_TILE];
    int planes = 0;
    while (board->snapshot >> planes) planes++;
    s->kernel->read_numbers(s->levels[tile].plane, planes, rows, base + (uint32_t)board->level, base - 2, height);
    for (int y = 0; y < TC_TILE; y++, node += TC_TILE) {
        if (!rows[y]) continue;
        for (int x = 0; x < TC_TILE; x++) node[x].height = (int32_t)height[y][x];
    }
    board->snapshot = TC_NONE;
}

static void write_heights(const push *s, int tile, const uint32_t front[TC_TILE], uint32_t height)
{
    tc_push_node *node = s->node + (size_t)tile * TC_TILE_NODES;
    for (int y = 0; y < TC_TILE; y++, node += TC_TILE)
        for (uint32_t bits = front[y]; bits; bits &= bits - 1) node[__builtin_ctz(bits)].height = (int32_t)height;
}

/* The front of the tile was reached at `level`. */
static void note_level(strip *t, int tile, int level)
{
    const push *const s = t->s;
    tc_board *const board = &s->board[tile];
    const int above = level - board->level;
    if (board->level == TC_NONE) {
        board->level = level;
        board->snapshot = 0;
        return;
    }
    if (board->snapshot != TC_NONE && above >> TC_LEVEL_PLANES) { /* more than they can count */
        uint32_t before[TC_TILE];
        for (int y = 0; y < TC_TILE; y++) before[y] = board->seen[y] & ~board->front[y];
        tc_push_unpack(s, tile, before, t->base);
    }
    if (board->snapshot == TC_NONE) {
        write_heights(s, tile, board->front, t->base + (uint32_t)level);
    } else {
        s->kernel->count_on(s->levels[tile].plane, board, (uint32_t)board->snapshot, (uint32_t)above);
        board->snapshot = above;
    }
}

/* Keeps note of what `level` reached in a tile, `sources` of it active, and hands it on, to so many tiles in other
 * strips. */
static int settle(strip *t, int tile, int level, int sources, uint32_t left, uint32_t right)
{
    const push *const s = t->s;
    tc_board *const board = &s->board[tile];
    note_level(t, tile, level);
    if (sources) {
        t->active += sources;
        t->highest = (uint32_t)level;
        for (int y = 0; y < TC_TILE; y++)
            for (uint32_t bits = board->front[y] & board->source[y]; bits; bits &= bits - 1)
                tc_push_enlist(t, tile * TC_TILE_NODES + y * TC_TILE + __builtin_ctz(bits), (uint32_t)level);
    }
    queue_tile(t, tile, level + 1);
    return tell_neighbours(t, tile, level, left, right);
}

static void restart(strip *t)
{
    const push *const s = t->s;
    for (uint32_t i = 0; i < t->used; i++) t->list[i] = TC_NONE;
    t->ceiling = UINT32_MAX;
    t->highest = 0;
    t->active = 0;
    t->steps = 0;
    for (int y = t->first / s->tiles_x; y < t->end / s->tiles_x; y++) {
        s->weight[y] = s->tiles_x;
        for (tc_board *board = s->board + y * s->tiles_x; board < s->board + (y + 1) * s->tiles_x; board++) {
            s->weight[y] += board->visits;
            board->visits = 0;
            board->level = board->snapshot = TC_NONE;
            s->kernel->restart(board, false);
        }
    }
}

/* The sinks are level 0. */
static int start(strip *t)
{
    static const uint32_t nothing[TC_TILE];
    int told = 0;
    for (int tile = t->first; tile < t->end; tile++) {
        const tc_board *board = &t->s->board[tile];
        if (t->s->kernel->count(board->sink) == 0) continue;
        told += settle(t, tile, 0, 0, t->s->kernel->column(board->front, nothing, 0),
                       t->s->kernel->column(board->front, nothing, TC_TILE - 1));
    }
    return told;
}

static int advance(strip *t, int level)
{
    enum { WEIGHT = 4 }; /* of a step, in pixels that are discharged */
    const int parity = level & 1;
    int told = 0;
    if (!tc_push_reserve(t, (uint32_t)level)) return 0;
    for (int side = 0; side < 2; side++) {
        tc_push_names *const names = &t->told[side][parity];
        for (int i = 0; i < names->count; i++) queue_tile(t, names->name[i], level);
        names->count = 0;
    }
    tc_push_names *const queue = &t->queue[parity];
    for (int i = 0; i < queue->count; i++) {
        tc_board *const board = &t->s->board[queue->name[i]];
        const tc_halo halo = board->halo[parity];
        uint32_t left, right;
        int sources;
        memset(&board->halo[parity], 0, sizeof halo);
        board->visits += WEIGHT;
        if (t->s->kernel->advance(board, &halo, true, &left, &right, &sources))
            told += settle(t, queue->name[i], level, sources, left, right);
    }
    t->steps += (uint64_t)queue->count;
    queue->count = 0;
    return told;
}

/* ---- Together --------------------------------------------------------------------------------- */

/* The height of level 0 that leaves all heights in use behind. base - 1 must be nobody's: it is one below level 0. */
static uint32_t next_base(push *s, tc_team *team, int number)
{
    uint32_t used = 0;
    for (int i = 0; i < s->strips; i++)
        if (s->strip[i].used > used) used = s->strip[i].used;
    if (s->strip[0].base <= INT32_MAX - used - 2) return s->strip[0].base + used + 2;
    TC_EACH_STRIP(t, s, team, number)
    {
        const size_t end = (size_t)t->end * TC_TILE_NODES;
        for (size_t p = (size_t)t->first * TC_TILE_NODES; p < end; p++) s->node[p].height = 0;
    }
    return used + 2;
}

/* How far the search is before `level`, of which this worker's strips have told others of so many tiles. */
static tc_push_found meet(push *s, tc_team *team, int number, int level, int told)
{
    tc_push_found own = {.waiting = told}, all = {0};
    TC_EACH_STRIP(t, s, team, number)
    {
        own.waiting += t->queue[level & 1].count;
        own.active += t->active;
        own.steps += t->steps;
        own.stop = own.stop || t->stop;
        if (t->highest > own.highest) own.highest = t->highest;
    }
    s->progress[number][level & 1] = own;
    tc_team_meet(team);
    for (int i = 0; i < tc_team_size(team); i++) {
        const tc_push_found *const one = &s->progress[i][level & 1];
        all.waiting += one->waiting;
        all.active += one->active;
        all.steps += one->steps;
        all.stop = all.stop || one->stop;
        if (one->highest > all.highest) all.highest = one->highest;
    }
    return all;
}

tc_push_found tc_push_search(push *s, tc_team *team, int number, int64_t wanted)
{
    enum { FURTHER = 4 };
    const uint32_t base = next_base(s, team, number);
    tc_team_meet(team);
    if (number == 0) place_strips(s);
    tc_team_meet(team);
    TC_EACH_STRIP(t, s, team, number) t->base = base, restart(t);
    tc_team_meet(team);
    int told = 0;
    TC_EACH_STRIP(t, s, team, number) told += start(t);
    for (int level = 1;; level++) {
        const tc_push_found all = meet(s, team, number, level, told);
        const bool enough = all.active == wanted && (uint32_t)level > all.highest + FURTHER;
        if (!all.waiting || all.stop || enough) {
            TC_EACH_STRIP(t, s, team, number)
            {
                t->used = (uint32_t)level;
                t->ceiling = enough ? (uint32_t)level : UINT32_MAX;
            }
            tc_team_meet(team);
            return all;
        }
        told = 0;
        TC_EACH_STRIP(t, s, team, number) told += advance(t, level);
    }
}
