/* SPDX-License-Identifier: MIT
 *
 * push_search.c - the search of push.c: backwards from the sinks, level by level.
 *
 * A team divides the graph into parts, some rows of tiles each. A front that comes from outside a part needs as many
 * levels as a tile is wide to cross one row of tiles. So each part also searches copies of the rows of tiles just above
 * and below it, the ghosts. It can then work alone for that many levels, before the ghosts are copied again and the
 * team checks whether it is done. As the front of the search moves, some parts have more work than others. When workers
 * have waited for each other about as long as it takes to place the parts anew, the parts are placed anew.
 *
 * In a volume a slice is crossed in one level, so ghosts would be of no use. Instead, a part writes the pixels that it
 * has reached in the next part's first slice into a halo of that slice, and lists the tiles concerned (`noted`). Before
 * a level it waits until the two adjacent parts have done the level before. So those are at most one level ahead or
 * behind, and lists and halos for even and for odd levels are enough. The team meets after as many levels as for an
 * image.
 */
#include <limits.h>
#include <string.h>

#include "push_strips.h"
#include "tuning.h"

typedef tc_push push;
typedef tc_push_part part;

/* ---- Levels ----------------------------------------------------------------------------------- */

static inline bool is_own(const part *t, int tile)
{
    return tile >= t->first && tile < t->end;
}

/* Returns the board of a tile of the part, or the ghost of an adjacent tile. */
static inline tc_board *board_at(const part *t, int tile)
{
    if (tile < t->first) return t->ghost + (tile - t->first + t->s->row_tiles);
    if (tile >= t->end) return t->ghost + (tile - t->end + t->s->row_tiles);
    return t->s->board + tile;
}

/* Queues the tile if something is `new` to it. It has no branches, because the processor could not predict them. */
static inline void queue_tile(part *t, tc_board *board, int tile, int level, bool new)
{
    tc_push_names *const queue = &t->queue[level & 1];
    const int32_t before = board->queued[level & 1];
    queue->name[queue->count] = tile;
    queue->count += new & (before != level);
    board->queued[level & 1] = new ? level : before;
}

#if TC_NEIGHBOURS == 6
/* Writes the pixels reached to the halos of the tiles in the next and the previous slice, and queues these tiles. If
 * such a tile belongs to another part, lists it for that part. */
static void spread_to_slices(part *t, const tc_board *board, int tile, int next)
{
    const push *const s = t->s;
    for (int d = TC_BEHIND; d <= TC_BEFORE; d++) {
        if (!(board->inside >> d & 1)) continue;
        const int neighbour = tile + tc_step_down[d] * s->row_tiles;
        const bool own = is_own(t, neighbour),
                   news = s->kernel->spread_to_slice(s->board + neighbour, d, board->front, own, next);
        if (own) {
            queue_tile(t, s->board + neighbour, neighbour, next, news);
        } else if (news) {
            tc_push_names *const noted = &t[tc_step_down[d]].noted[d == TC_BEFORE][next & 1];
            noted->name[noted->count++] = neighbour;
            t->slice_list_count++;
        }
    }
}

/* Queues the tiles that the previous and the next part have listed for `level`. Both parts have done the level
 * before. */
static void queue_listed(part *t, int level)
{
    for (int side = 0; side < 2; side++) {
        tc_push_names *const noted = &t->noted[side][level & 1];
        for (int i = 0; i < noted->count; i++) queue_tile(t, &t->s->board[noted->name[i]], noted->name[i], level, true);
        noted->count = 0;
    }
}
#endif

/* Writes the pixels along the edges that `level` has reached to the halos of the surrounding tiles, and queues those
 * tiles for which this is new. */
static void spread_to_neighbours(part *t, const tc_board *board, int tile, int level, const tc_halo *border)
{
    const int step[TC_NEIGHBOURS] = TC_TILE_STEPS(t->s->tiles_x, t->s->row_tiles), next = level + 1;
    for (int d = 0; d < TC_TILE_SIDES; d++) {
        if (!(board->inside >> d & 1)) continue;
        tc_board *const other = board_at(t, tile + step[d]);
        const uint32_t news = border->side[d] & other->wanted.side[d ^ 1];
        other->halo[next & 1].side[d ^ 1] = news;
        queue_tile(t, other, tile + step[d], next, news);
    }
#if TC_NEIGHBOURS == 6
    spread_to_slices(t, board, tile, next);
#endif
}

void tc_push_unpack(const push *s, int tile, const uint32_t rows[TC_TILE], uint32_t base)
{
    tc_board *const board = &s->board[tile];
    tc_push_node *node = s->node + (size_t)tile * TC_TILE_NODES;
    uint32_t height[TC_TILE][TC_TILE];
    int planes = 0;
    while (board->counted >> planes) planes++;
    s->kernel->read_numbers(s->levels + tile, s->step, planes, rows, base + (uint32_t)board->level, base - 2, height);
    for (int y = 0; y < TC_TILE; y++, node += TC_TILE) {
        if (!rows[y]) continue;
        for (int x = 0; x < TC_TILE; x++) node[x].height = (int32_t)height[y][x];
    }
    board->counted = TC_NONE;
}

static void write_heights(const push *s, int tile, const uint32_t front[TC_TILE], uint32_t height)
{
    tc_push_node *node = s->node + (size_t)tile * TC_TILE_NODES;
    for (int y = 0; y < TC_TILE; y++, node += TC_TILE)
        for (uint32_t bits = front[y]; bits; bits &= bits - 1) node[__builtin_ctz(bits)].height = (int32_t)height;
}

/* Records that the front of the tile was reached at `level`. */
static void note_level(const push *s, int tile, int level)
{
    tc_board *const board = &s->board[tile];
    const int above = level - board->level;
    if (board->level == TC_NONE) {
        board->level = level;
        board->counted = 0;
        return;
    }
    if (board->counted != TC_NONE && above >> TC_LEVEL_PLANES) { /* the number is larger than the planes can hold */
        uint32_t before[TC_TILE];
        for (int y = 0; y < TC_TILE; y++) before[y] = board->seen[y] & ~board->front[y];
        tc_push_unpack(s, tile, before, s->base);
    }
    if (board->counted == TC_NONE) {
        write_heights(s, tile, board->front, s->base + (uint32_t)level);
    } else {
        s->kernel->count_on(s->levels + tile, s->step, board, (uint32_t)board->counted, (uint32_t)above);
        board->counted = above;
    }
}

/* Records what `level` has reached in a tile, and passes it on to the surrounding tiles. */
static void settle_tile(part *t, tc_board *board, int tile, int level, const tc_halo *border)
{
    if (is_own(t, tile)) note_level(t->s, tile, level);
    queue_tile(t, board, tile, level + 1, true);
    spread_to_neighbours(t, board, tile, level, border);
}

static void restart(part *t)
{
    const push *const s = t->s;
    tc_team_publish(&t->searched, TC_NONE);
    for (int y = t->first / s->row_tiles; y < t->end / s->row_tiles; y++) {
        tc_board *const row = s->board + y * s->row_tiles;
        s->weight[y] = s->across;
        for (tc_board *board = row; board < row + s->across; board++) {
            s->weight[y] += board->visits;
            board->visits = 0;
            board->level = board->counted = TC_NONE;
            s->kernel->restart(board, false);
        }
    }
    t->queue[0].count = t->queue[1].count = 0;
    for (int i = 0; i < 4; i++) t->noted[i / 2][i % 2].count = 0;
    t->slice_list_count = 0;
}

/* Starts the search: the sinks are level 0. */
static void start_search(part *t)
{
    const push *const s = t->s;
    const int ghosts = t->ghost ? s->row_tiles : 0, tiles = s->row_tiles * s->rows;
    const int first = t->first > 0 ? t->first - ghosts : 0, end = t->end < tiles ? t->end + ghosts : tiles;
    for (int row = first; row < end; row += s->row_tiles)
        for (int tile = row; tile < row + s->across; tile++) {
            tc_board *const board = board_at(t, tile);
            if (s->kernel->count(board->front) == 0) continue;
            const tc_halo border = s->kernel->border(board->front);
            settle_tile(t, board, tile, 0, &border);
        }
}

/* Searches one level of the part and adds to `found`. */
static void advance(part *t, int level, tc_push_found *found)
{
    tc_push_names *const queue = &t->queue[level & 1];
    for (int i = 0; i < queue->count; i++) {
        const int tile = queue->name[i];
        tc_board *const board = board_at(t, tile);
        tc_halo border;
        int sources;
        found->steps += is_own(t, tile);
        if (!t->s->kernel->advance(board, level, &border, &sources)) continue;
        if (sources && is_own(t, tile)) {
            found->highest = (uint32_t)level;
            found->active += sources;
        }
        settle_tile(t, board, tile, level, &border);
    }
    found->turn_steps += queue->count;
    queue->count = 0;
}

/* ---- Together --------------------------------------------------------------------------------- */

static void own_rows(part *t, int first, int end)
{
    t->first = first * t->s->row_tiles;
    t->end = end * t->s->row_tiles;
}

/* Moves those tiles of `names` that now belong to `t` to its queue for the level after `level`, which is empty
 * before. */
static void fetch(part *t, const tc_push_names *names, int level)
{
    tc_push_names *const to = &t->queue[(level + 1) & 1];
    for (int i = 0; i < names->count; i++)
        if (is_own(t, names->name[i])) to->name[to->count++] = names->name[i];
}

/* Places the parts anew, so that each has about the same number of tiles queued for `level`. All workers call it. */
static void share_out(part *t, tc_team *team, int number, int level)
{
    const push *const s = t->s;
    const part *const end = s->part + tc_team_size(team);
    memset(t->waiting, 0, (size_t)s->rows * sizeof *t->waiting);
    for (const part *from = s->part; from < end; from++) {
        const tc_push_names *const names = &from->queue[level & 1];
        for (int i = 0; i < names->count; i++) t->waiting[names->name[i] / s->row_tiles]++;
    }
    tc_share_rows(t->waiting, s->rows, tc_team_size(team), 1, t->first_row);
    own_rows(t, t->first_row[number], t->first_row[number + 1]);
    for (const part *from = s->part; from < end; from++) fetch(t, &from->queue[level & 1], level);
    tc_team_barrier(team);
    const tc_push_names fetched = t->queue[(level + 1) & 1];
    t->queue[(level + 1) & 1] = t->queue[level & 1];
    t->queue[level & 1] = fetched;
    t->queue[(level + 1) & 1].count = 0;
}

/* Copies a tile, in its state before `level`, to its ghost, if it has changed since level `since`, or if the ghost was
 * that of another tile (`other`). */
static void copy_ghost(part *t, int tile, int level, int since, bool other)
{
    const tc_board *const from = &t->s->board[tile];
    tc_board *const ghost = board_at(t, tile);
    const bool above = tile < t->first;
    const uint32_t beyond = above ? 1u << TC_UP | 1u << TC_UP_LEFT | 1u << TC_UP_RIGHT
                                  : 1u << TC_DOWN | 1u << TC_DOWN_RIGHT | 1u << TC_DOWN_LEFT;
    if (other) memcpy(ghost->open, from->open, sizeof from->open);
    if (other || from->queued[0] >= since || from->queued[1] >= since) {
        memcpy(ghost->seen, from->seen, sizeof from->seen);
        memcpy(ghost->front, from->front, sizeof from->front);
        memcpy(ghost->halo, from->halo, sizeof from->halo);
        memcpy(ghost->queued, from->queued, sizeof from->queued);
        ghost->wanted = from->wanted;
#if TC_NEIGHBOURS == 8
        ghost->outward = from->outward;
#endif
        ghost->inside = from->inside & ~beyond;
    }
    if (from->queued[level & 1] == level) {
        tc_push_names *const queue = &t->queue[level & 1];
        queue->name[queue->count++] = tile;
    }
}

/* Copies all ghosts. All workers call it, and none of them searches meanwhile. */
static void copy_ghosts(part *t, tc_team *team, int level, int since, bool others)
{
    const int across = t->s->row_tiles, tiles = across * t->s->rows;
    if (!t->ghost) return;
    for (int x = 0; x < across; x++) {
        if (t->first > 0) copy_ghost(t, t->first - across + x, level, since, others);
        if (t->end < tiles) copy_ghost(t, t->end + x, level, since, others);
    }
    tc_team_barrier(team);
}

static void forget_ghosts(part *t, int level)
{
    tc_push_names *const queue = &t->queue[level & 1];
    int own = 0;
    if (!t->ghost) return;
    for (int i = 0; i < queue->count; i++)
        if (is_own(t, queue->name[i])) queue->name[own++] = queue->name[i];
    queue->count = own;
}

/* Adds up what all parts have found. *waited is the difference, in tiles, between the work of the busiest worker in
 * this turn and the average. */
static tc_push_found meet(part *t, tc_team *team, int turn, const tc_push_found *found, int *waited)
{
    tc_push_found all = {0};
    int most = 0;
    t->found[turn & 1] = *found;
    tc_team_barrier(team);
    for (int i = 0; i < tc_team_size(team); i++) {
        const tc_push_found *const one = &t->s->part[i].found[turn & 1];
        all.waiting += one->waiting;
        all.active += one->active;
        all.steps += one->steps;
        all.turn_steps += one->turn_steps;
        if (one->highest > all.highest) all.highest = one->highest;
        all.left = all.left || one->left;
        if (one->turn_steps > most) most = one->turn_steps;
    }
    *waited = most - all.turn_steps / tc_team_size(team);
    return all;
}

/* In a volume: waits until the adjacent parts have done the level before `level`, and queues the tiles that they have
 * listed. */
static void wait_for_slices(part *t, const tc_team *team, int number, int level)
{
#if TC_NEIGHBOURS == 6
    if (tc_team_size(team) == 1) return;
    if (number > 0) tc_team_await(&t[-1].searched, level - 1);
    if (number + 1 < tc_team_size(team)) tc_team_await(&t[1].searched, level - 1);
    queue_listed(t, level);
#else
    (void)t, (void)team, (void)number, (void)level;
#endif
}

/* Returns how many levels a part searches until the next barrier of the team. The number grows with the levels already
 * searched. It is at most TC_TILE, because after TC_TILE levels the search could have crossed a ghost from the far
 * side. */
static int levels_at_once(const tc_team *team, int level, int reach)
{
    if (tc_team_size(team) == 1) return 1;
    const int levels = 1 + level / 8, most = reach - level < TC_TILE ? reach - level + 1 : TC_TILE;
    return levels < most ? levels : most;
}

tc_push_found tc_push_search(push *s, tc_team *team, int number, uint32_t base, int64_t wanted, int reach)
{
    const int size = tc_team_size(team);
    part *const t = &s->part[number];
    tc_push_found found = {0};
    int waited = 0, waits;

    if (number == 0) s->base = base;
    own_rows(t, s->rows * number / size, s->rows * (number + 1) / size);
    restart(t);
    tc_team_barrier(team);
    copy_ghosts(t, team, 0, 0, true);
    start_search(t);
    tc_team_publish(&t->searched, 0);
    for (int turn = 0, level = 1;; turn++) {
        const int since = level, end = level + levels_at_once(team, level, reach);
        found.turn_steps = 0;
        for (; level < end; level++) {
            wait_for_slices(t, team, number, level);
            t->slice_list_count = 0;
            advance(t, level, &found);
            tc_team_publish(&t->searched, level);
        }
        forget_ghosts(t, level);
        found.waiting = t->queue[level & 1].count + t->slice_list_count;
        found.left = number == 0 && tc_push_can_grow(t->s, team);
        tc_push_found all = meet(t, team, turn, &found, &waits);
        while (level > reach && reach <= INT_MAX / 2 && TC_PUSH_FEW * all.active < (int64_t)all.steps) reach *= 2;
        const bool enough = all.active == wanted && (uint32_t)level > all.highest + TC_PUSH_FURTHER;
        if (!all.waiting || enough || level > reach || all.left) {
            all.levels = (uint32_t)level;
            all.reach = reach;
            all.complete = !all.waiting;
            all.left = all.left && !all.complete && !enough && level <= reach;
            if (number == 0) s->used = all.levels;
            tc_team_barrier(team);
            return all;
        }
        waited += waits;
        const bool anew = waited > TC_PUSH_PRICE;
        if (anew && TC_SLICES) {
            wait_for_slices(t, team, number, level);
            tc_team_barrier(team);
        }
        if (anew) share_out(t, team, number, level);
        copy_ghosts(t, team, level, since, anew);
        if (anew) waited = 0;
    }
}
