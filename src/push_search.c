/* SPDX-License-Identifier: MIT
 *
 * push_search.c - the search of solver_push.c: back from the sinks, level by level.
 *
 * A team goes in step, and has the graph in parts: rows of tiles, one part below the other. Where the front is differs
 * from level to level, so parts are placed anew when those who had less to do have waited for as long as that takes.
 */
#include <stdlib.h>
#include <string.h>

#include "push_strips.h"

typedef tc_push push;
typedef tc_push_part part;

struct tc_push_part {
    const push *s;
    int first, end;           /* tiles                                                 */
    tc_push_names queue[2];   /* tiles that the search comes to, by parity of level    */
    tc_push_names told[2][2]; /* those that the parts above and below named, by parity */
    tc_push_found found[2];   /* here, by parity of level                              */
    int32_t *names;           /* memory for all of these                               */
    int64_t *waiting;         /* by row of tiles: of all parts, while they are placed  */
    int *first_row;           /* of each part; and the end                             */
    char apart[64];           /* from the next part, which is another thread's         */
};

/* ---- Memory ----------------------------------------------------------------------------------- */

/* Names: two queues for any part of the graph, and a row's width for each list of `told`. */
static size_t names_of_part(const push *s)
{
    return (size_t)s->tiles_x * (2 * (size_t)s->tiles_y + 4);
}

static bool take_part(const push *s, part *t)
{
    const int tiles = s->tiles_x * s->tiles_y;
    int32_t *name = t->names = malloc(names_of_part(s) * sizeof *name);
    t->s = s;
    t->waiting = malloc((size_t)s->tiles_y * sizeof *t->waiting);
    t->first_row = malloc((size_t)(s->parts + 1) * sizeof *t->first_row);
    if (!name || !t->waiting || !t->first_row) return false;
    for (int k = 0; k < 2; k++, name += tiles) t->queue[k].name = name;
    for (int k = 0; k < 4; k++, name += s->tiles_x) t->told[k / 2][k % 2].name = name;
    return true;
}

bool tc_push_parts_take(push *s)
{
    s->part = calloc((size_t)s->parts, sizeof *s->part);
    s->levels = malloc((size_t)(s->tiles_x * s->tiles_y) * sizeof *s->levels);
    s->weight = malloc((size_t)s->tiles_y * sizeof *s->weight);
    if (!s->part || !s->levels || !s->weight) return false;
    for (int i = 0; i < s->parts; i++)
        if (!take_part(s, &s->part[i])) return false;
    return true;
}

void tc_push_parts_release(push *s)
{
    for (int i = 0; s->part && i < s->parts; i++) {
        free(s->part[i].names);
        free(s->part[i].waiting);
        free(s->part[i].first_row);
    }
    free(s->part);
    free(s->levels);
    free(s->weight);
}

size_t tc_push_parts_bytes(const push *s)
{
    const size_t a_part = names_of_part(s) * sizeof(int32_t) + (size_t)s->tiles_y * sizeof(int64_t);
    return (size_t)s->parts * a_part + (size_t)(s->tiles_x * s->tiles_y) * sizeof *s->levels;
}

/* ---- Levels ----------------------------------------------------------------------------------- */

static inline void queue_tile(part *t, int tile, int level)
{
    tc_board *const board = &t->s->board[tile];
    tc_push_names *const queue = &t->queue[level & 1];
    if (board->queued[level & 1] == level) return;
    board->queued[level & 1] = level;
    queue->name[queue->count++] = tile;
}

/* Tells the tiles around which of its pixels `level` reached, where that opens something new to them. Returns how many
 * of them are in other parts. */
static int tell_neighbours(part *t, int tile, int level, uint32_t left, uint32_t right)
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
        /* What another part has seen is just being written. */
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
static void note_level(const push *s, int tile, int level)
{
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
        tc_push_unpack(s, tile, before, s->base);
    }
    if (board->snapshot == TC_NONE) {
        write_heights(s, tile, board->front, s->base + (uint32_t)level);
    } else {
        s->kernel->count_on(s->levels[tile].plane, board, (uint32_t)board->snapshot, (uint32_t)above);
        board->snapshot = above;
    }
}

/* Keeps note of what `level` reached in a tile and hands it on, to so many tiles in other parts. */
static int settle(part *t, int tile, int level, uint32_t left, uint32_t right)
{
    note_level(t->s, tile, level);
    queue_tile(t, tile, level + 1);
    return tell_neighbours(t, tile, level, left, right);
}

static void restart(part *t)
{
    const push *const s = t->s;
    for (int y = t->first / s->tiles_x; y < t->end / s->tiles_x; y++) {
        s->weight[y] = s->tiles_x;
        for (tc_board *board = s->board + y * s->tiles_x; board < s->board + (y + 1) * s->tiles_x; board++) {
            s->weight[y] += board->visits;
            board->visits = 0;
            board->level = board->snapshot = TC_NONE;
            s->kernel->restart(board, false);
        }
    }
    for (int parity = 0; parity < 2; parity++)
        t->queue[parity].count = t->told[0][parity].count = t->told[1][parity].count = 0;
}

/* The sinks are level 0. */
static int start(part *t)
{
    static const uint32_t nothing[TC_TILE];
    int told = 0;
    for (int tile = t->first; tile < t->end; tile++) {
        const tc_board *board = &t->s->board[tile];
        if (t->s->kernel->count(board->sink) == 0) continue;
        told += settle(t, tile, 0, t->s->kernel->column(board->front, nothing, 0),
                       t->s->kernel->column(board->front, nothing, TC_TILE - 1));
    }
    return told;
}

/* Adds to `found`, and returns, as settle() does, how many tiles of other parts were told. */
static int advance(part *t, int level, tc_push_found *found)
{
    const int parity = level & 1;
    int told = 0;
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
        if (!t->s->kernel->advance(board, &halo, true, &left, &right, &sources)) continue;
        if (sources) found->highest = (uint32_t)level;
        found->active += sources;
        told += settle(t, queue->name[i], level, left, right);
    }
    found->steps += (uint64_t)queue->count;
    queue->count = 0;
    return told;
}

/* ---- Together --------------------------------------------------------------------------------- */

static void own_rows(part *t, int first, int end)
{
    t->first = first * t->s->tiles_x;
    t->end = end * t->s->tiles_x;
}

/* Those of `names` that are in rows of `t` now, to its queue for the level after `level`, which is empty. */
static void fetch(part *t, const tc_push_names *names, int level, bool queued)
{
    tc_push_names *const to = &t->queue[(level + 1) & 1];
    for (int i = 0; i < names->count; i++) {
        const int tile = names->name[i];
        tc_board *const board = &t->s->board[tile];
        if (tile < t->first || tile >= t->end || (!queued && board->queued[level & 1] == level)) continue;
        board->queued[level & 1] = level;
        to->name[to->count++] = tile;
    }
}

/* Places the parts anew, so that each has as many tiles waiting for `level` as another. All of the team call it. */
static void share_out(part *t, tc_team *team, int number, int level)
{
    const push *const s = t->s;
    const int parity = level & 1;
    const part *const end = s->part + tc_team_size(team);
    memset(t->waiting, 0, (size_t)s->tiles_y * sizeof *t->waiting);
    for (const part *from = s->part; from < end; from++) {
        const tc_push_names *const names[3] = {&from->queue[parity], &from->told[0][parity], &from->told[1][parity]};
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < names[k]->count; i++) t->waiting[names[k]->name[i] / s->tiles_x]++;
    }
    tc_share_rows(t->waiting, s->tiles_y, tc_team_size(team), 1, t->first_row);
    own_rows(t, t->first_row[number], t->first_row[number + 1]);
    for (const part *from = s->part; from < end; from++) fetch(t, &from->queue[parity], level, true);
    for (const part *from = s->part; from < end; from++)
        for (int side = 0; side < 2; side++) fetch(t, &from->told[side][parity], level, false);
    tc_team_meet(team);
    const tc_push_names fetched = t->queue[1 - parity];
    t->queue[1 - parity] = t->queue[parity];
    t->queue[parity] = fetched;
    t->queue[1 - parity].count = t->told[0][parity].count = t->told[1][parity].count = 0;
}

/* How far the search is before `level`, given what was found here. *most: the tiles that wait for one of the team. */
static tc_push_found meet(part *t, tc_team *team, int level, const tc_push_found *here, int *most)
{
    tc_push_found all = {0};
    t->found[level & 1] = *here;
    *most = 0;
    tc_team_meet(team);
    for (int i = 0; i < tc_team_size(team); i++) {
        const tc_push_found *const one = &t->s->part[i].found[level & 1];
        all.waiting += one->waiting;
        all.active += one->active;
        all.steps += one->steps;
        if (one->highest > all.highest) all.highest = one->highest;
        if (one->waiting > *most) *most = one->waiting;
    }
    return all;
}

tc_push_found tc_push_search(push *s, tc_team *team, int number, uint32_t base, int64_t wanted)
{
    enum { FURTHER = 4, PRICE = 128 /* of placing parts anew, in tiles */ };
    const int size = tc_team_size(team);
    part *const t = &s->part[number];
    tc_push_found here = {0};
    int most, waited = 0;

    if (number == 0) s->base = base;
    own_rows(t, s->tiles_y * number / size, s->tiles_y * (number + 1) / size);
    restart(t);
    tc_team_meet(team);
    int told = start(t);
    for (int level = 1;; level++) {
        here.waiting = t->queue[level & 1].count + told;
        tc_push_found all = meet(t, team, level, &here, &most);
        const bool enough = all.active == wanted && (uint32_t)level > all.highest + FURTHER;
        if (!all.waiting || enough) {
            all.levels = (uint32_t)level;
            all.complete = !enough;
            if (number == 0) s->used = all.levels;
            return all;
        }
        waited += most - all.waiting / size;
        if (size > 1 && waited > PRICE) {
            share_out(t, team, number, level);
            waited = 0;
        }
        told = advance(t, level, &here);
    }
}
