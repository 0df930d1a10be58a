/* SPDX-License-Identifier: MIT
 *
 * assign_near.c - see assign_full.h. Each row keeps a list of its cheapest columns, and a lower bound for the costs of
 * all others. Column prices only fall, so the reduced cost of a column only rises, and the lists stay valid; they only
 * become less and less useful, until they are made anew. A bid or search that needs only the lists reads a few hundred
 * bytes of a row instead of all its costs, and finds the same columns and paths. Where the lists are not enough, for
 * instance where many costs are equal, whole rows are read (assign_full.c).
 *
 * Several threads make all lists before the first bid; a single thread makes each list when it is first needed.
 */
#include <stdlib.h>

#include "assign_full.h"
#include "parallel.h"
#include "simd.h"

enum { WANTED = 16, LISTED = 24, BLOCKS = 64, FEW_COLUMNS = 512, NO_LIST = -1 };

struct tc_near_column {
    int64_t cost;
    int32_t column;
};

struct tc_near_entry {
    int64_t distance;
    int32_t column;
};

bool tc_assign_near_init(tc_assign_full *f)
{
    tc_assign_near *const n = &f->near;
    const size_t rows = (size_t)f->graph->rows, columns = (size_t)f->graph->columns;
    *n = (tc_assign_near){.on = f->graph->columns >= FEW_COLUMNS};
    if (!n->on) return true;
    n->column = tc_own(&n->held, malloc(rows * LISTED * sizeof *n->column));
    n->count = tc_own(&n->held, malloc(rows * sizeof *n->count));
    n->beyond = tc_own(&n->held, malloc(rows * sizeof *n->beyond));
    n->own_row = tc_own(&n->held, malloc(columns * sizeof *n->own_row));
    n->own = tc_own(&n->held, malloc(columns * sizeof *n->own));
    n->distance = tc_own(&n->held, malloc(columns * sizeof *n->distance));
    n->through = tc_own(&n->held, malloc(columns * sizeof *n->through));
    n->heap = tc_own(&n->held, malloc(columns * sizeof *n->heap));
    n->place = tc_own(&n->held, malloc(columns * sizeof *n->place));
    n->touched = tc_own(&n->held, malloc(columns * sizeof *n->touched));
    if (n->held.lacks) return false;
    for (size_t r = 0; r < rows; r++) n->count[r] = NO_LIST;
    for (size_t c = 0; c < columns; c++) {
        n->own_row[c] = -1;
        n->distance[c] = INT64_MAX;
    }
    return true;
}

/* ---- lists ------------------------------------------------------------------------------------ */

/* Returns how many columns are compared together: a few vectors full. */
static int32_t block_of(int32_t columns)
{
    enum { VECTOR = 8 };
    return ((columns - 1) / BLOCKS / VECTOR + 1) * VECTOR;
}

/* Finds the least price of each block of columns. */
TC_VECTOR_LOOP static void look_at_blocks(int64_t *restrict least, const int64_t *restrict cost,
                                          const int64_t *restrict v, int32_t columns, int32_t block)
{
    for (int32_t begin = 0; begin < columns; begin += block) {
        const int32_t end = columns - begin < block ? columns : begin + block;
        int64_t one = INT64_MAX;
        for (int32_t c = begin; c < end; c++) {
            const int64_t price = cost[c] - v[c];
            one = price < one ? price : one;
        }
        *least++ = one;
    }
}

/* Returns the WANTED-th smallest of `count` numbers. */
TC_VECTOR_LOOP static int64_t wanted_least(const int64_t *restrict number, int32_t count)
{
    int64_t wanted = INT64_MIN;
    for (int32_t i = 0; i < count; i++) {
        int64_t below = 0;
        for (int32_t j = 0; j < count; j++) below += number[j] < number[i];
        if (below < WANTED && number[i] > wanted) wanted = number[i];
    }
    return wanted;
}

/* Lists, in order, the columns below a price: the smallest price below which enough blocks have columns. */
static void list_row(const tc_assign_full *f, int32_t row)
{
    const tc_assign_near *const n = &f->near;
    const int32_t columns = f->graph->columns, block = block_of(columns);
    const int64_t *const cost = tc_assign_costs(f, row);
    struct tc_near_column *const list = n->column + (size_t)row * LISTED;
    int64_t least[BLOCKS];
    int32_t count = 0;
    look_at_blocks(least, cost, f->v, columns, block);
    const int64_t most = wanted_least(least, (columns + block - 1) / block);
    int64_t beyond = most;
    for (int32_t begin = 0; begin < columns; begin += block) {
        if (least[begin / block] >= most) continue;
        const int32_t end = columns - begin < block ? columns : begin + block;
        for (int32_t c = begin; c < end; c++) {
            const int64_t price = cost[c] - f->v[c];
            if (price >= most) continue;
            if (count < LISTED) list[count++] = (struct tc_near_column){cost[c], c};
            else if (price < beyond) beyond = price;
        }
    }
    n->count[row] = count;
    n->beyond[row] = beyond;
}

enum { ROWS_A_TURN = 16 };

static void list_rows(void *context, int turn)
{
    const tc_assign_full *const f = context;
    const int32_t begin = turn * ROWS_A_TURN, rest = f->graph->rows - begin;
    for (int32_t r = begin; r < begin + (rest < ROWS_A_TURN ? rest : ROWS_A_TURN); r++) list_row(f, r);
}

void tc_assign_near_list(tc_assign_full *f, int threads)
{
    enum { EDGES_A_THREAD = 1 << 16 };
    const int useful = tc_threads_for(threads, f->graph->first[f->graph->rows], EDGES_A_THREAD);
    if (f->near.on && useful > 1) tc_parallel(useful, (f->graph->rows - 1) / ROWS_A_TURN + 1, list_rows, f);
}

/* ---- whether lists help ----------------------------------------------------------------------- */

/* True if the lists should be skipped. When they do not help, they are skipped for a while, each time for longer. */
static bool is_skipped(tc_near_trust *t)
{
    return t->rest && t->rest--;
}

static bool judge(tc_near_trust *t, bool helped)
{
    enum { LONGEST = 1 << 20 };
    t->pause = helped ? t->pause / 2 : t->pause < LONGEST ? 2 * t->pause + 1 : LONGEST;
    if (!helped) t->rest = t->pause;
    return helped;
}

/* ---- bids ------------------------------------------------------------------------------------- */

/* True if the list of a row is enough to find its two best columns. */
static bool recall(const tc_assign_full *f, int32_t row, tc_offers *o)
{
    const struct tc_near_column *const list = f->near.column + (size_t)row * LISTED;
    *o = (tc_offers){0, 0, -1, -1};
    for (int32_t k = 0; k < f->near.count[row]; k++) tc_offer(o, list[k].column, list[k].cost - f->v[list[k].column]);
    return o->other >= 0 && o->second < f->near.beyond[row];
}

bool tc_assign_near_look(tc_assign_full *f, int32_t row, tc_offers *o)
{
    if (!f->near.on || is_skipped(&f->near.bids)) return false;
    if (recall(f, row, o)) return judge(&f->near.bids, true);
    list_row(f, row);
    return judge(&f->near.bids, recall(f, row, o));
}

/* ---- a search: columns by distance ------------------------------------------------------------ */

static bool is_before(struct tc_near_entry a, struct tc_near_entry b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.column < b.column);
}

/* Puts a column that has become nearer into the heap, or moves it up in the heap. */
static void put_column(tc_assign_near *n, int32_t column, bool is_new)
{
    const struct tc_near_entry entry = {n->distance[column], column};
    int32_t at = is_new ? n->heaped++ : n->place[column];
    for (; at && is_before(entry, n->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        n->heap[at] = n->heap[(at - 1) / 2];
        n->place[n->heap[at].column] = at;
    }
    n->heap[at] = entry;
    n->place[column] = at;
}

static int32_t take_least(tc_assign_near *n)
{
    const struct tc_near_entry least = n->heap[0], last = n->heap[--n->heaped];
    int32_t at = 0;
    for (int32_t child; (child = 2 * at + 1) < n->heaped; at = child) {
        if (child + 1 < n->heaped && is_before(n->heap[child + 1], n->heap[child])) child++;
        if (!is_before(n->heap[child], last)) break;
        n->heap[at] = n->heap[child];
        n->place[n->heap[at].column] = at;
    }
    n->heap[at] = last;
    n->place[last.column] = at;
    return least.column;
}

/* ---- a search: rows --------------------------------------------------------------------------- */

/* Returns the k-th row that was searched: first the row at which the search began, then the rows of the listed
 * columns. */
static int32_t searched(const tc_assign_full *f, int32_t k)
{
    return k ? f->matching->row_of[f->listed[k - 1]] : f->near.row;
}

/* Returns the cost of a column to the row that has it. Costs lie far apart in memory, so the result is stored. */
static int64_t own_cost(tc_assign_full *f, int32_t row, int32_t column)
{
    tc_assign_near *const n = &f->near;
    if (n->own_row[column] != row) {
        n->own_row[column] = row;
        n->own[column] = tc_assign_costs(f, row)[column];
    }
    return n->own[column];
}

/* Continues the search over the columns that the k-th row lists. Ties are broken as in a search of whole rows: among
 * paths of the same length to a column, the one through the row searched first counts, and among free columns at the
 * same distance, the first. Columns no nearer than a free one are not needed. */
static void relax(tc_assign_full *f, int32_t k)
{
    tc_assign_near *const n = &f->near;
    const int32_t row = searched(f, k);
    if (n->count[row] == NO_LIST) list_row(f, row);
    const struct tc_near_column *const list = n->column + (size_t)row * LISTED;
    for (int32_t i = 0; i < n->count[row]; i++) {
        const int32_t c = list[i].column;
        const int64_t distance = f->base[k] + list[i].cost - f->v[c], before = n->distance[c];
        if (distance > n->found || distance > before || (distance == before && k > n->through[c])) continue;
        const bool is_free = f->matching->row_of[c] < 0;
        if (distance == n->found && (!is_free || c > n->free)) continue;
        if (before == INT64_MAX) n->touched[n->touches++] = c;
        n->distance[c] = distance;
        n->through[c] = k;
        if (is_free) {
            n->found = distance;
            n->free = c;
        } else if (distance < before) {
            put_column(n, c, before == INT64_MAX);
        }
    }
    const int64_t covered = f->base[k] + n->beyond[row];
    if (covered < n->covered) n->covered = covered;
}

/* Renews the lists that do not reach up to `distance`. Returns false if some do not even after that. */
static bool renew(tc_assign_full *f, int32_t k, int64_t distance)
{
    tc_assign_near *const n = &f->near;
    n->covered = INT64_MAX;
    for (int32_t j = 0; j <= k; j++) {
        const int32_t row = searched(f, j);
        const int64_t covered = f->base[j] + n->beyond[row];
        if (covered > distance) {
            if (covered < n->covered) n->covered = covered;
            continue;
        }
        list_row(f, row);
        relax(f, j);
        if (n->covered <= distance) return false;
    }
    return true;
}

static int64_t nearest(const tc_assign_near *n)
{
    return n->heaped && n->heap[0].distance < n->found ? n->heap[0].distance : n->found;
}

/* Lists the columns at `distance`, none of which is free. */
static void list_columns(tc_assign_full *f, int64_t distance)
{
    tc_assign_near *const n = &f->near;
    while (n->heaped && n->heap[0].distance == distance) {
        const int32_t column = take_least(n);
        n->distance[column] = INT64_MIN;
        f->listed[f->count] = column;
        f->reached[f->count++] = distance;
    }
}

/* True if all columns that matter at this point are known; renews lists if necessary. Columns at `level` matter while
 * there are rows at that level to be searched, and after that the nearest columns. */
static bool is_covered(tc_assign_full *f, int32_t k, int64_t level)
{
    for (;;) {
        const int64_t needed = k < f->count ? level : nearest(&f->near);
        if (f->near.covered > needed) return true;
        if (!renew(f, k, needed)) return false;
    }
}

/* Searches until a free column is the nearest. Returns false if the lists do not reach that far. */
static bool search_nearest(tc_assign_full *f)
{
    tc_assign_near *const n = &f->near;
    int64_t level = INT64_MIN;
    f->base[0] = 0;
    for (int32_t k = 0;; k++) {
        const int32_t column = k ? f->listed[k - 1] : -1;
        if (k) f->base[k] = f->reached[k - 1] - (own_cost(f, searched(f, k), column) - f->v[column]);
        relax(f, k);
        if (!is_covered(f, k, level)) return false;
        const int64_t next = nearest(n);
        if (k < f->count && next > level) continue;
        level = next;
        if (level == n->found) return true;
        list_columns(f, level);
    }
}

/* Stores, for each column on the path to the free column, the row before it. */
static void trace(const tc_assign_full *f)
{
    int32_t column = f->near.free;
    for (;;) {
        const int32_t k = f->near.through[column];
        f->from[column] = searched(f, k);
        if (!k) return;
        column = f->listed[k - 1];
    }
}

bool tc_assign_near_nearest(tc_assign_full *f, int32_t row, int32_t *column)
{
    tc_assign_near *const n = &f->near;
    if (!n->on || is_skipped(&n->paths)) return false;
    n->row = row;
    n->found = n->covered = INT64_MAX;
    n->free = -1;
    n->heaped = n->touches = f->count = 0;
    const bool helped = search_nearest(f);
    if (helped) trace(f);
    for (int32_t k = 0; k < f->count && helped; k++) f->v[f->listed[k]] += f->reached[k] - n->found;
    for (int32_t i = 0; i < n->touches; i++) n->distance[n->touched[i]] = INT64_MAX;
    *column = n->free;
    return judge(&n->paths, helped);
}
