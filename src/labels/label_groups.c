/* SPDX-License-Identifier: MIT
 *
 * label_groups.c - divides the pixels that are not fixed into groups that do not depend on each other, see labelling.h.
 *
 * The lattice is divided into blocks. All connected components whose first pixel lies in the same block form one group,
 * because many small cuts take longer than one larger cut. So groups depend only on the lattice, not on its division
 * into parts. Each part finds the components of its own pixels. If a component crosses a border, neighbours exchange
 * the number of its first pixel until no part receives a smaller one.
 */
#include <stdlib.h>
#include <string.h>

#include "alloc_list.h"
#include "labelling.h"
#include "large.h"
#include "status.h"

/* The number of pixels in a layer. */
static size_t layer_of(const tc_labelling *l)
{
    return l->pixels / (size_t)(tc_labelling_flat(l) ? l->height : l->depth);
}

tc_label_range tc_labelling_own_pixels(const tc_labelling *l)
{
    const tc_own_rows own = tc_own_rows_of(l->setup.comm, tc_labelling_flat(l) ? l->height : l->depth);
    const size_t layer = layer_of(l);
    return (tc_label_range){(size_t)own.first * layer, (size_t)own.end * layer};
}

/* Sends the first own layer of `array` to the part above and the last one to the part below. */
static tilecut_status swap_layers(const tc_labelling *l, const void *array, void *above, void *below, size_t bytes)
{
    const tc_label_range own = tc_labelling_own_pixels(l);
    const size_t layer = layer_of(l);
    const char *const from = array;
    return tc_comm_exchange_halo(l->setup.comm, from + own.first * bytes, from + (own.end - layer) * bytes, above,
                                 below, layer * bytes);
}

tilecut_status tc_labelling_meet(const tc_labelling *l, void *array, size_t bytes)
{
    const tc_label_range own = tc_labelling_own_pixels(l);
    char *const to = array;
    if (!l->setup.comm) return TILECUT_OK;
    return swap_layers(l, array, own.first ? to + (own.first - layer_of(l)) * bytes : NULL,
                       own.end < l->pixels ? to + own.end * bytes : NULL, bytes);
}

/* ---- Components -------------------------------------------------------------------------------- */

typedef struct component {
    int64_t first; /* the number of the component's first pixel in the whole lattice */
    tc_block box;  /* the bounding box of its pixels in this part */
    int32_t group;
} component;

typedef struct dividing {
    tc_labelling *l;
    component *list;
    size_t count, room;
    size_t *stack, waiting;
    tc_label_range own;    /* the pixels of this part */
    tc_block whole;        /* the size of the whole lattice; x, y, z: where this part begins in it */
    int across, down;      /* the number of blocks in a row and in a column of a slice */
    size_t blocks;
    int32_t *group;        /* [blocks] the group of the components that begin in the block, or -1 */
    int64_t *parts;        /* [blocks] the number of parts that have components which begin in the block */
} dividing;

static void reach(dividing *d, size_t i)
{
    tc_labelling *const l = d->l;
    const size_t width = (size_t)l->width, height = (size_t)l->height;
    if (i < d->own.first || i >= d->own.end || l->fixed[i] || l->group[i] >= 0) return;
    l->group[i] = (int32_t)(d->count - 1);
    tc_block_join(&d->list[d->count - 1].box,
                  &(tc_block){(int)(i % width), (int)(i / width % height), (int)(i / width / height), 1, 1, 1});
    d->stack[d->waiting++] = i;
}

static tilecut_status add_component(dividing *d, size_t first)
{
    tc_labelling *const l = d->l;
    const tc_block all = {0, 0, 0, l->width, l->height, l->depth};
    const size_t before = layer_of(l) * (size_t)tc_comm_above(l->setup.comm);
    component *const list = tc_list_grow(d->list, d->count, &d->room, sizeof *list);
    if (!list) return tc_fail(TILECUT_ENOMEM, "no memory for %zu components of a labelling", d->count);
    d->list = list;
    list[d->count++] = (component){.first = (int64_t)(before + first), .group = -1};
    reach(d, first);
    while (d->waiting) {
        const size_t i = d->stack[--d->waiting];
        for (int k = 0; k < l->connectivity; k++) reach(d, tc_block_neighbour(&all, i, l->connectivity, k));
    }
    return TILECUT_OK;
}

static tilecut_status find_components(dividing *d)
{
    tc_labelling *const l = d->l;
    const tc_label_range own = tc_labelling_own_pixels(l);
    size_t open = 0;
    for (size_t i = own.first; i < own.end; i++) open += !l->fixed[i];
    d->stack = malloc((open + 1) * sizeof *d->stack);
    d->list = malloc(sizeof *d->list);
    d->room = 1;
    l->group = tc_large_alloc(l->pixels * sizeof *l->group);
    if (!l->group || !d->stack || !d->list) return tc_fail(TILECUT_ENOMEM, "no memory to divide %zu pixels", l->pixels);
    memset(l->group, -1, l->pixels * sizeof *l->group);
    for (size_t i = own.first; i < own.end; i++)
        if (!l->fixed[i] && l->group[i] < 0) NEED(add_component(d, i));
    return TILECUT_OK;
}

/* ---- Across parts ------------------------------------------------------------------------------ */

static const int64_t nowhere = INT64_MAX;

/* Compares the own layer that begins at pixel `at` with the adjacent layer of another part. `theirs` holds, for each
 * pixel of that layer, the first pixel of its component. Where that is smaller, the own component connected to it takes
 * it over. Returns true if any component has changed. */
static bool learn_first(dividing *d, size_t at, const int64_t *theirs, int sign)
{
    const tc_labelling *const l = d->l;
    const int lines = tc_labelling_flat(l) ? 1 : l->height;
    bool news = false;
    for (int k = 0; k < l->connectivity / 2; k++) {
        const tc_link_steps s = tc_link_step(l->connectivity, k);
        const int right = sign * s.x, down = lines > 1 ? sign * s.y : 0;
        if (!(tc_labelling_flat(l) ? s.y : s.z)) continue;
        for (int y = 0; y < lines; y++)
            for (int x = 0; x < l->width; x++) {
                const int32_t own = l->group[at + (size_t)y * (size_t)l->width + (size_t)x];
                if (own < 0 || x + right < 0 || x + right >= l->width || y + down < 0 || y + down >= lines) continue;
                const int64_t first = theirs[(y + down) * l->width + x + right];
                if (first < d->list[own].first) d->list[own].first = first, news = true;
            }
    }
    return news;
}

static void list_first_pixels(const dividing *d, size_t at, int64_t *to)
{
    for (size_t i = 0; i < layer_of(d->l); i++) {
        const int32_t own = d->l->group[at + i];
        to[i] = own < 0 ? nowhere : d->list[own].first;
    }
}

/* Finds the true first pixel of components that cross borders between parts. */
static tilecut_status find_first(dividing *d)
{
    const tc_labelling *const l = d->l;
    tc_comm *const comm = l->setup.comm;
    const tc_label_range own = tc_labelling_own_pixels(l);
    const size_t layer = layer_of(l);
    tilecut_status status = TILECUT_OK;
    if (!comm) return TILECUT_OK;
    int64_t *const rim = malloc(4 * layer * sizeof *rim);
    bool news = true;
    if (!rim) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the borders of a part of %zu pixels", l->pixels));
    while (news) {
        list_first_pixels(d, own.first, rim);
        list_first_pixels(d, own.end - layer, rim + layer);
        TRY(tc_comm_exchange_halo(comm, rim, rim + layer, rim + 2 * layer, rim + 3 * layer, layer * sizeof *rim));
        news = tc_has_above(comm) && learn_first(d, own.first, rim + 2 * layer, -1);
        if (tc_has_below(comm) && learn_first(d, own.end - layer, rim + 3 * layer, 1)) news = true;
        TRY(tc_comm_any(comm, &news));
    }
done:
    free(rim);
    return status;
}

/* ---- Groups ------------------------------------------------------------------------------------ */

static size_t block_of(const dividing *d, int64_t first)
{
    const size_t width = (size_t)d->whole.width, height = (size_t)d->whole.height, at = (size_t)first;
    const size_t x = at % width, y = at / width % height, z = at / width / height, unit = (size_t)d->l->block;
    return ((z / unit) * (size_t)d->down + y / unit) * (size_t)d->across + x / unit;
}

/* Grows the box by one pixel on each side, but not beyond the lattice. */
static void pad_box(int width, int height, int depth, tc_block *b)
{
    tc_widen(&b->x, &b->width, 1, width);
    tc_widen(&b->y, &b->height, 1, height);
    tc_widen(&b->z, &b->depth, 1, depth);
}

/* Numbers the groups that lie in several parts. */
static tilecut_status find_shared(dividing *d)
{
    tc_labelling *const l = d->l;
    if (!l->setup.comm) return TILECUT_OK;
    for (size_t i = 0; i < d->count; i++) d->parts[block_of(d, d->list[i].first)] = 1;
    NEED(tc_comm_allreduce(l->setup.comm, d->parts, d->blocks));
    for (size_t b = 0; b < d->blocks; b++)
        if (d->parts[b] > 1) d->group[b] = l->groups++;
    l->shared = l->groups;
    return TILECUT_OK;
}

/* Joins the boxes of shared groups over all parts, and counts their layers in the whole lattice. */
static tilecut_status join_shared(dividing *d)
{
    tc_labelling *const l = d->l;
    const size_t words = 6 * (size_t)l->shared;
    tilecut_status status = TILECUT_OK;
    if (!l->shared) return TILECUT_OK;
    const size_t parts = (size_t)l->setup.comm->with->parts;
    int64_t *const own = calloc((parts + 1) * words, sizeof *own);
    if (!own) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %d groups of %zu parts", l->shared, parts));
    for (int g = 0; g < l->shared; g++) {
        const tc_block *const b = &l->box[g];
        const int64_t sides[6] = {b->x, b->y + d->whole.y, b->z + d->whole.z, b->width, b->height, b->depth};
        memcpy(own + 6 * g, sides, sizeof sides);
    }
    TRY(tc_comm_allgather(l->setup.comm, own, words, own + words));
    memset(l->box, 0, (size_t)l->shared * sizeof *l->box);
    for (size_t i = 0; i < parts * (size_t)l->shared; i++) {
        const int64_t *const s = own + words + 6 * i;
        const tc_block other = {(int)s[0], (int)s[1], (int)s[2], (int)s[3], (int)s[4], (int)s[5]};
        tc_block_join(&l->box[i % (size_t)l->shared], &other);
    }
done:
    free(own);
    return status;
}

/* Replaces the number of the component in l->group[] by the number of its group. */
static tilecut_status name_groups(dividing *d)
{
    tc_labelling *const l = d->l;
    const tc_label_range own = tc_labelling_own_pixels(l);
    for (size_t i = own.first; i < own.end; i++)
        if (l->group[i] >= 0) l->group[i] = d->list[l->group[i]].group;
    if (!l->setup.comm) return TILECUT_OK;
    NEED(tc_labelling_meet(l, l->group, sizeof *l->group));
    for (size_t i = 0; i < l->pixels; i++)
        if ((i < own.first || i >= own.end) && l->group[i] >= l->shared) l->group[i] = -1;
    return TILECUT_OK;
}

static tilecut_status make_groups(dividing *d)
{
    tc_labelling *const l = d->l;
    l->groups = l->shared = 0;
    NEED(find_shared(d));
    for (size_t i = 0; i < d->count; i++) {
        int32_t *const group = &d->group[block_of(d, d->list[i].first)];
        if (*group < 0) *group = l->groups++;
        d->list[i].group = *group;
    }
    l->box = calloc((size_t)l->groups + 1, sizeof *l->box);
    if (!l->box) return tc_fail(TILECUT_ENOMEM, "no memory for %d groups", l->groups);
    for (size_t i = 0; i < d->count; i++) tc_block_join(&l->box[d->list[i].group], &d->list[i].box);
    NEED(join_shared(d));
    for (int g = 0; g < l->groups; g++) {
        if (g < l->shared) pad_box(d->whole.width, d->whole.height, d->whole.depth, &l->box[g]);
        else pad_box(l->width, l->height, l->depth, &l->box[g]);
    }
    return name_groups(d);
}

tilecut_status tc_labelling_divide(tc_labelling *l)
{
    tilecut_status status = TILECUT_OK;
    const bool flat = tc_labelling_flat(l);
    const int above = tc_comm_above(l->setup.comm);
    dividing d = {.l = l, .own = tc_labelling_own_pixels(l),
                  .whole = {0, flat ? above : 0, flat ? 0 : above, l->width, l->height, l->depth}};
    *(flat ? &d.whole.height : &d.whole.depth) = tc_comm_height(l->setup.comm, flat ? l->height : l->depth);
    d.across = (d.whole.width - 1) / l->block + 1, d.down = (d.whole.height - 1) / l->block + 1;
    d.blocks = (size_t)d.across * (size_t)d.down * (size_t)((d.whole.depth - 1) / l->block + 1);
    free(l->group);
    free(l->box);
    l->group = NULL, l->box = NULL;
    TRY(tc_labelling_meet(l, l->label, 1));
    TRY(tc_labelling_meet(l, l->fixed, 1));
    d.group = malloc(d.blocks * sizeof *d.group);
    d.parts = calloc(d.blocks, sizeof *d.parts);
    if (!d.group || !d.parts) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu blocks of a labelling", d.blocks));
    memset(d.group, -1, d.blocks * sizeof *d.group);
    TRY(find_components(&d));
    TRY(find_first(&d));
    TRY(make_groups(&d));
done:
    free(d.list);
    free(d.group);
    free(d.parts);
    free(d.stack);
    return status;
}
