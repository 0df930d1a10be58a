/* SPDX-License-Identifier: MIT
 *
 * push_sweep.c - the sweeps of push.c: pushes and lifts, strip by strip, between one search and the next.
 */
#include <math.h>
#include <sched.h>

#include "push_strips.h"
#include "simd.h"
#include "tuning.h"

typedef tc_push push;
typedef tc_push_strip strip;

/* True if a height is that of an older search. As a level of this search it is negative, and so wraps to a huge
 * number. */
static inline bool unreached(uint32_t level)
{
    return level > INT32_MAX;
}

static inline void enlist(strip *t, int32_t p, uint32_t level)
{
    t->s->node[p].link = t->list[level];
    t->list[level] = p;
}

static inline void unpack(const strip *t, const tc_board *board)
{
    if (board->counted != TC_NONE) tc_push_unpack(t->s, (int)(board - t->s->board), board->seen, t->base);
}

/* ---- Sweep ------------------------------------------------------------------------------------ */

static inline void set_bit(uint32_t row[TC_TILE], int32_t p)
{
    row[p / TC_TILE % TC_TILE] |= 1u << p % TC_TILE;
}

static inline void clear_bit(uint32_t row[TC_TILE], int32_t p)
{
    row[p / TC_TILE % TC_TILE] &= ~(1u << p % TC_TILE);
}

/* Returns the array of four links of p that contains direction d. */
static inline float *links_of(const push *s, int32_t p, int d)
{
    return (TC_LINK_ARRAYS > 1 && d >= 4 ? s->diagonal : s->residual)[p].to;
}

/* Pushes `flow` from p to q, its neighbour in direction d. */
static inline void move(strip *t, tc_board *from, int32_t p, tc_board *to, int32_t q, int d, float flow)
{
    const push *const s = t->s;
    float *const link = &links_of(s, p, d)[d & 3];
    const float before = s->excess[q], after = before + flow;
    s->excess[q] = after;
    if (before <= 0) {
        if (after >= 0) clear_bit(to->sink, q);
        if (after > 0) {
            const int tile = q / TC_TILE_NODES;
            set_bit(to->source, q);
            if (tile >= t->first && tile < t->end) {
                enlist(t, q, (uint32_t)s->node[q].height - t->base);
                t->active++;
            } else {
                tc_push_names *const crossed = &t->crossed[TC_SLICES ? d == TC_BEHIND : tc_across[d] == TC_DOWN];
                crossed->name[crossed->count++] = q;
            }
        }
    }
    links_of(s, q, d)[(d ^ 1) & 3] += flow;
    set_bit(to->open[d ^ 1], q);
    *link -= flow;
    if (*link <= 0) clear_bit(from->open[d], p);
}

/* Pushes excess of p to the neighbours one level lower. Returns true if any excess is left. If so, *lowest is the
 * lowest level among the other neighbours to which p has a residual link. */
static inline __attribute__((always_inline)) bool push_down(strip *t, tc_board *board, int32_t p, uint32_t level,
                                                           uint32_t *lowest)
{
    const push *const s = t->s;
    const float *link = s->residual[p].to;
    float excess = s->excess[p];
    *lowest = UINT32_MAX;
    for (int d = 0; d < TC_NEIGHBOURS; d++) {
        if (TC_LINK_ARRAYS > 1 && d == 4) link = s->diagonal[p].to;
        if (link[d & 3] <= 0) continue;
        int32_t q = tc_step_within(&s->steps, p, d);
        tc_board *other = board;
        const int over = tc_crossing(&s->steps, p, d);
        if (over != TC_NOWHERE) {
            if (!(board->inside >> over & 1)) continue; /* the link leads out of the grid, which may be a part of a
                                                           larger one */
            q = tc_step_over(&s->steps, p, d);
            other = &s->board[q / TC_TILE_NODES];
            unpack(t, other);
        }
        const uint32_t level_of_q = (uint32_t)s->node[q].height - t->base;
        if (level_of_q == level - 1) {
            const float flow = excess < link[d & 3] ? excess : link[d & 3];
            t->work++;
            move(t, board, p, other, q, d, flow);
            excess -= flow;
            if (excess <= 0) break;
        } else if (level_of_q < *lowest) {
            *lowest = level_of_q;
        }
    }
    s->excess[p] = excess;
    return excess > 0;
}

/* Pushes the excess of p downhill. Lifts p while it has excess left, until it is above the window of the running
 * sweep. */
static inline __attribute__((always_inline)) void discharge(strip *t, int32_t p)
{
    tc_push_node *const node = &t->s->node[p];
    tc_board *const board = &t->s->board[p / TC_TILE_NODES];
    uint32_t lowest;
    board->visits++;
    unpack(t, board);
    for (uint32_t level = (uint32_t)node->height - t->base; push_down(t, board, p, level, &lowest);) {
        t->work++;
        if (unreached(lowest) || lowest >= t->ceiling || !tc_push_reserve(t, lowest + 1)) {
            /* the pixel is stuck: for good, or until a search goes further */
            node->height = (int32_t)(t->base - 2);
            if (t->ceiling == UINT32_MAX) t->active--;
            return;
        }
        level = lowest + 1;
        node->height = (int32_t)(t->base + level);
        if (level >= t->used) t->used = level + 1;
        if (level > t->highest) {
            enlist(t, p, level);
            if (level > t->waiting) t->waiting = level;
            if (level <= t->floor + t->window) t->highest = level;
            return;
        }
    }
    clear_bit(board->source, p);
    t->active--;
}

/* Sweeps a strip, from the highest active pixel down to the sinks. It is also compiled for newer processors, with all
 * that it calls: the results are the same, and it takes 0.95 times as long. */
TC_VECTOR_LOOP static void sweep(strip *t)
{
    const push *const s = t->s;
    t->highest = t->waiting;
    t->waiting = 0;
    for (t->floor = t->highest; !t->stop; t->highest--) {
        /* skips empty levels first: where few pixels climb, there are thousands of them, and the steps below read a
         * clock */
        while (t->highest > 0 && t->list[t->highest] == TC_NONE) t->highest--;
        if (t->highest < t->floor) t->floor = t->highest;
        while (t->list[t->highest] != TC_NONE) {
            const int32_t p = t->list[t->highest], next = s->node[p].link;
            t->list[t->highest] = next;
            if (next != TC_NONE) {
                __builtin_prefetch(&s->node[next]);
                __builtin_prefetch(&s->residual[next]);
            }
            discharge(t, p);
        }
        if (t->highest == 0) break;
        if (tc_cancelled(s->params)) t->stop = true;
        if (s->alone && tc_push_can_grow(s, s->alone)) break;
    }
}

/* Lists the pixels of this strip that the neighbouring strip has made active. */
static void adopt(strip *t, tc_push_names *crossed)
{
    const tc_push_node *const node = t->s->node;
    for (int i = 0; i < crossed->count; i++) {
        const int32_t p = crossed->name[i];
        const uint32_t level = (uint32_t)node[p].height - t->base;
        if (!tc_push_reserve(t, level)) break;
        if (level >= t->used) t->used = level + 1;
        if (level > t->waiting) t->waiting = level;
        enlist(t, p, level);
        t->active++;
    }
    crossed->count = 0;
}

static void take_turn(strip *t)
{
    const push *const s = t->s;
    if (t > s->strip) adopt(t, &t[-1].crossed[1]);
    if (t + 1 < s->strip + s->strips) adopt(t, &t[1].crossed[0]);
    if (t->active && t->waiting) sweep(t);
}

/* ---- Strips ----------------------------------------------------------------------------------- */

/* Places the strips so that all have about the same work. */
static void place_strips(push *s)
{
    tc_share_rows(s->weight, s->rows, s->strips, s->strips > 1 ? TC_ROWS_A_STRIP : 1, s->first_row);
    for (int i = 0; i < s->strips; i++) {
        strip *const t = &s->strip[i];
        t->first = s->first_row[i] * s->row_tiles;
        t->end = s->first_row[i + 1] * s->row_tiles;
        t->crossed[0].count = t->crossed[1].count = 0;
    }
}

/* Lists the active pixels of a tile that the search has reached. */
static void enlist_tile(strip *t, int tile)
{
    const push *const s = t->s;
    const tc_board *const board = &s->board[tile];
    uint32_t rows[TC_TILE], any = 0;
    for (int y = 0; y < TC_TILE; y++) any |= rows[y] = board->seen[y] & board->source[y];
    if (!any) return;
    unpack(t, board);
    for (int y = 0; y < TC_TILE; y++)
        for (uint32_t bits = rows[y]; bits; bits &= bits - 1) {
            const int32_t p = tile * TC_TILE_NODES + y * TC_TILE + __builtin_ctz(bits);
            const uint32_t level = (uint32_t)s->node[p].height - t->base;
            enlist(t, p, level);
            t->active++;
            if (level > t->highest) t->highest = level;
        }
}

/* Returns the window, in levels. Where paths are long, obstacles are far apart and detours are long, so the window
 * grows with them. */
static uint32_t window_for(uint32_t highest)
{
    const uint32_t window = (uint32_t)(TC_PUSH_WINDOW * cbrt((double)highest * highest));
    return window > TC_PUSH_WINDOW_LEAST ? window : TC_PUSH_WINDOW_LEAST;
}

/* Prepares a strip for sweeping after a search. */
static void fill_strip(strip *t, const tc_push_found *found)
{
    for (uint32_t i = 0; i < t->used; i++) t->list[i] = TC_NONE;
    t->base = t->s->base;
    t->used = found->levels;
    t->ceiling = found->complete ? UINT32_MAX : found->levels;
    t->window = window_for(found->highest);
    t->highest = 0;
    t->active = 0;
    t->work = 0;
    if (!tc_push_reserve(t, found->levels)) return;
    for (int row = t->first; row < t->end; row += t->s->row_tiles)
        for (int tile = row; tile < row + t->s->across; tile++) enlist_tile(t, tile);
    t->waiting = t->highest;
}

/* Returns the first strip that belongs to worker `number`; its strips end where those of the next worker begin. */
static int first_own(const push *s, const tc_team *team, int number)
{
    return s->strips * number / tc_team_size(team);
}

void tc_push_fill(push *s, tc_team *team, int number, const tc_push_found *found)
{
    if (number == 0) place_strips(s);
    tc_team_barrier(team);
    for (int i = first_own(s, team, number); i < first_own(s, team, number + 1); i++) fill_strip(&s->strip[i], found);
    tc_team_barrier(team);
}

/* ---- Rounds ----------------------------------------------------------------------------------- */

static inline bool is_raised(const bool *flag)
{
    return __atomic_load_n(flag, __ATOMIC_SEQ_CST);
}

/* Raises a flag. Returns true if it was raised already. */
static inline bool raise_flag(bool *flag)
{
    return __atomic_exchange_n(flag, true, __ATOMIC_SEQ_CST);
}

static inline void lower_flag(bool *flag)
{
    __atomic_store_n(flag, false, __ATOMIC_SEQ_CST);
}

/* Starts to sweep a strip in this round, unless another thread has done so or is sweeping an adjacent strip. */
static bool try_turn(push *s, int i)
{
    tc_push_seam *const above = &s->seam[i], *const below = above + 1;
    bool mine = false;
    if (is_raised(&above->begun) || raise_flag(&above->taken)) return false;
    if (!raise_flag(&below->taken)) {
        mine = !raise_flag(&above->begun);
        if (mine) take_turn(&s->strip[i]);
        lower_flag(&below->taken);
    }
    lower_flag(&above->taken);
    return mine;
}

/* Returns the strip that a worker tries k-th. It first tries every second one of its own strips, of which there are
 * `own` from `first` on, then its strips in between, then other workers' strips. Every second one comes first, because
 * an attempt fails next to a strip being swept. */
static int choice(const push *s, int first, int own, int k)
{
    const int every_other = (own + 1) / 2;
    if (k < every_other) return first + 2 * k;
    if (k < own) return first + 2 * (k - every_other) + 1;
    return (first + k) % s->strips;
}

/* Takes part in one round. Returns when the sweep of the last strip has begun. */
static void sweep_once(push *s, const tc_team *team, int number)
{
    const int first = first_own(s, team, number), own = first_own(s, team, number + 1) - first;
    for (bool left = true; left;) {
        left = false;
        for (int k = 0; k < s->strips; k++) {
            const int i = choice(s, first, own, k);
            if (try_turn(s, i)) k = -1;
            else left = left || !is_raised(&s->seam[i].begun);
        }
        if (left) sched_yield();
    }
}

/* True if `rounds` rounds had too little work to be shared. With several strips, excess needs one round for each strip
 * that it crosses. */
static bool rounds_are_thin(const push *s, const tc_team *team, int rounds, uint64_t work)
{
    if (s->strips == 1 || rounds < TC_PUSH_ROUNDS) return false;
    return work < (uint64_t)rounds * TC_PUSH_WORK_A_ROUND * (uint64_t)tc_team_size(team);
}

/* Adds up what a round has left. *done is true if it was the last round. */
static tc_push_swept add_up(const push *s, const tc_team *team, int rounds, uint64_t enough, bool *done)
{
    tc_push_swept now = {.left = s->may_grow};
    int64_t crossed = 0;
    uint64_t work = 0;
    bool waiting = false;
    for (const strip *t = s->strip; t < s->strip + s->strips; t++) {
        now.active += t->active;
        crossed += t->crossed[0].count + t->crossed[1].count;
        work += t->work;
        waiting = waiting || (t->active && t->waiting);
        now.stop = now.stop || t->stop;
    }
    now.active += crossed;
    now.thin = rounds_are_thin(s, team, rounds, work);
    *done = now.stop || now.left || now.thin || (!waiting && !crossed) || work > enough;
    return now;
}

/* One worker sweeps the only strip; the others wait until it has finished. */
static tc_push_swept sweep_alone(push *s, tc_team *team, int number, uint64_t enough)
{
    for (bool done = number != 0; !done;) {
        take_turn(s->strip);
        s->may_grow = tc_push_can_grow(s, team);
        s->swept = add_up(s, team, 1, enough, &done);
    }
    tc_team_barrier(team);
    return s->swept;
}

tc_push_swept tc_push_sweep(push *s, tc_team *team, int number, uint64_t enough)
{
    bool done;
    if (s->strips == 1) return sweep_alone(s, team, number, enough);
    for (int rounds = 1;; rounds++) {
        sweep_once(s, team, number);
        if (number == 0) s->may_grow = tc_push_can_grow(s, team);
        tc_team_barrier(team);
        const tc_push_swept now = add_up(s, team, rounds, enough, &done);
        for (int i = first_own(s, team, number); i < first_own(s, team, number + 1); i++) lower_flag(&s->seam[i].begun);
        tc_team_barrier(team);
        if (done) return now;
    }
}
