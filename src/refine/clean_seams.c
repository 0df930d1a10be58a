/* SPDX-License-Identifier: MIT
 *
 * clean_seams.c - see clean_seams.h. The open regions of all parts are numbered from part to part. Each part sends
 * the numbers of its last layer to the part below, which finds the pairs that touch. All parts get all pairs, and join
 * them (Tarjan 1975), each for itself.
 */
#include "clean_seams.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

static size_t layer_of(const tc_seams *s) { return (size_t)s->width * (size_t)s->rows; }

static tilecut_status no_memory(void) { return tc_fail(TILECUT_ENOMEM, "no memory to clean a mask in parts"); }

tilecut_status tc_seams_begin(tc_seams *s, tc_comm *comm, int width, int rows)
{
    *s = (tc_seams){.comm = comm, .width = width, .rows = rows};
    if (!comm) return TILECUT_OK;
    int32_t *const memory = calloc(4 * layer_of(s), sizeof *memory);
    for (size_t i = 0; memory && i < 4; i++) s->layer[i] = memory + i * layer_of(s);
    return memory ? TILECUT_OK : no_memory();
}

tilecut_status tc_seams_add(tc_seams *s, const tc_seam_region *region)
{
    if (s->count == s->room) {
        const int32_t room = 2 * s->room + 64;
        tc_seam_region *const more = realloc(s->region, (size_t)room * sizeof *more);
        if (!more) return no_memory();
        s->region = more;
        s->room = room;
    }
    s->region[s->count++] = *region;
    return TILECUT_OK;
}

void tc_seams_end(tc_seams *s)
{
    free(s->region);
    free(s->layer[0]);
    *s = (tc_seams){.comm = NULL};
}

/* Adds up `own` over all parts, and over the parts before this one. */
static tilecut_status share(const tc_seams *s, int64_t own, int64_t *before, int64_t *all)
{
    const tilecut_exchange *const with = s->comm->with;
    int64_t *const count = calloc((size_t)with->parts, sizeof *count);
    if (!count) return no_memory();
    const tilecut_status status = tc_comm_allgather(s->comm, &own, 1, count);
    *before = *all = 0;
    for (int i = 0; i < with->parts; i++) {
        if (i < with->part) *before += count[i];
        *all += count[i];
    }
    free(count);
    return status;
}

/* ---- Pairs that touch -------------------------------------------------------------------------- */

typedef struct pairs {
    int64_t *at; /* [2 * count] */
    size_t count, room;
} pairs;

static bool add_pair(pairs *p, int64_t a, int64_t b)
{
    if (p->count && p->at[2 * p->count - 2] == a && p->at[2 * p->count - 1] == b) return true;
    if (p->count == p->room) {
        const size_t room = 2 * p->room + 64;
        int64_t *const more = realloc(p->at, 2 * room * sizeof *more);
        if (!more) return false;
        p->at = more;
        p->room = room;
    }
    p->at[2 * p->count] = a;
    p->at[2 * p->count++ + 1] = b;
    return true;
}

/* Finds the regions of the layer above that touch pixel (x, y) of the first layer. */
static tilecut_status find_pairs_at(const tc_seams *s, int x, int y, int reach, pairs *p)
{
    const int32_t here = s->layer[0][(ptrdiff_t)y * s->width + x];
    for (int v = y > 0 ? y - reach : y; here && v <= y + reach && v < s->rows; v++)
        for (int u = x > 0 ? x - reach : x; u <= x + reach && u < s->width; u++) {
            const int32_t above = s->layer[2][(ptrdiff_t)v * s->width + u];
            if (above && !add_pair(p, here - 1, above - 1)) return no_memory();
        }
    return TILECUT_OK;
}

/* Finds all pairs of a region of the first layer and a region of the layer above that touch. */
static tilecut_status find_pairs(const tc_seams *s, bool diagonal, pairs *p)
{
    tilecut_status status = TILECUT_OK;
    for (int y = 0; y < s->rows; y++)
        for (int x = 0; x < s->width && !status; x++) status = find_pairs_at(s, x, y, diagonal, p);
    return status;
}

/* Replaces the pairs of this part by those of all parts. */
static tilecut_status gather_pairs(const tc_seams *s, pairs *p)
{
    int64_t before, all;
    NEED(share(s, (int64_t)p->count, &before, &all));
    int64_t *const every = calloc(2 * (size_t)all + 1, sizeof *every);
    if (!every) return no_memory();
    if (p->count) memcpy(every + 2 * before, p->at, 2 * p->count * sizeof *every);
    free(p->at);
    *p = (pairs){every, (size_t)all, (size_t)all};
    return tc_comm_allreduce(s->comm, every, 2 * (size_t)all);
}

/* ---- Joining ----------------------------------------------------------------------------------- */

/* The facts about each region of all parts. `up` is a region to which it is joined, or itself. */
typedef struct fact {
    int64_t first, area, seeded, at_border;
} fact;
enum { WORDS = sizeof(fact) / sizeof(int64_t) };

static int64_t root_of(int64_t *up, int64_t i)
{
    for (; up[i] != i; i = up[i]) up[i] = up[up[i]];
    return i;
}

static void join_roots(fact *facts, int64_t *up, int64_t a, int64_t b)
{
    a = root_of(up, a), b = root_of(up, b);
    if (a == b) return;
    const int64_t low = a < b ? a : b, high = a < b ? b : a;
    up[high] = low;
    if (facts[high].first < facts[low].first) facts[low].first = facts[high].first;
    facts[low].area += facts[high].area;
    facts[low].seeded += facts[high].seeded;
    facts[low].at_border += facts[high].at_border;
}

/* Copies the facts about whole regions to the regions of this part that belong to them. A whole region is counted by
 * the part that has its lowest number. */
static void read_back(tc_seams *s, const fact *facts, int64_t *up, int64_t before)
{
    for (int32_t i = 0; i < s->count; i++) {
        tc_seam_region *const r = &s->region[i];
        const int64_t root = root_of(up, before + i);
        r->first = facts[root].first;
        r->area = facts[root].area;
        r->seeded = facts[root].seeded > 0;
        r->at_border = facts[root].at_border > 0;
        r->mine = root == before + i;
    }
}

/* Exchanges region numbers along the seams. The numbers of this part begin after `before`. */
static tilecut_status swap_layers(const tc_seams *s, int64_t before)
{
    for (size_t i = 0; i < 2 * layer_of(s); i++)
        if (s->layer[0][i]) s->layer[0][i] += (int32_t)before;
    return tc_comm_exchange_halo(s->comm, s->layer[0], s->layer[1], s->layer[2], s->layer[3],
                                 layer_of(s) * sizeof **s->layer);
}

static tilecut_status join_all(tc_seams *s, const pairs *p, int64_t before, int64_t all)
{
    fact *const facts = calloc((size_t)all + 1, sizeof *facts);
    int64_t *const up = malloc(((size_t)all + 1) * sizeof *up);
    tilecut_status status = facts && up ? TILECUT_OK : no_memory();
    for (int32_t i = 0; !status && i < s->count; i++)
        facts[before + i] = (fact){s->region[i].first, s->region[i].area, s->region[i].seeded, s->region[i].at_border};
    if (!status) status = tc_comm_allreduce(s->comm, &facts->first, WORDS * (size_t)all);
    for (int64_t i = 0; !status && i < all; i++) up[i] = i;
    for (size_t i = 0; !status && i < p->count; i++) join_roots(facts, up, p->at[2 * i], p->at[2 * i + 1]);
    if (!status) read_back(s, facts, up, before);
    free(facts);
    free(up);
    return status;
}

tilecut_status tc_seams_join(tc_seams *s, bool diagonal)
{
    int64_t before, all;
    pairs p = {NULL, 0, 0};
    tilecut_status status = share(s, s->count, &before, &all);
    if (!status) status = swap_layers(s, before);
    if (!status && tc_has_above(s->comm)) status = find_pairs(s, diagonal, &p);
    if (!status) status = gather_pairs(s, &p);
    if (!status) status = join_all(s, &p, before, all);
    free(p.at);
    return status;
}

tilecut_status tc_seams_largest(const tc_seams *s, tc_seam_region *best)
{
    const size_t parts = (size_t)s->comm->with->parts;
    const int64_t own[2] = {best->area, best->first};
    int64_t *const all = calloc(2 * parts, sizeof *all);
    if (!all) return no_memory();
    const tilecut_status status = tc_comm_allgather(s->comm, own, 2, all);
    *best = (tc_seam_region){.first = -1};
    for (size_t i = 0; status == TILECUT_OK && i < parts; i++) {
        const int64_t area = all[2 * i], first = all[2 * i + 1];
        if (area > best->area || (area && area == best->area && first < best->first))
            best->area = area, best->first = first;
    }
    free(all);
    return status;
}
