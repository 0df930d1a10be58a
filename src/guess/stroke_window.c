/* SPDX-License-Identifier: MIT
 *
 * stroke_window.c - see stroke_window.h. A link between a free pixel p and a fixed one is cut if p takes the other
 * label, so it becomes a terminal link of p. Links between fixed pixels cost the same for every choice and are left
 * out. So a node's links and terminal links add up to no more than in the graph, plus the cost of a change far from the
 * stroke (stroke_reach.h), which is at most the largest terminal capacity. That is 2^23 + 2^21 in all, so the cut is
 * exact.
 */
#include "stroke_window.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "status.h"
#include "view.h"

enum { STRIP = 32 }; /* rows that one thread handles at a time, counted through all slices */

/* The rows that a thread reads: the row that it fills in, the row before it in the slice, and one row of the slice
 * before. */
enum { HERE, BEFORE, BEHIND, ROWS };

typedef struct building {
    tc_stroke_window *in;
    const tc_stroke_task *task; /* in->task */
    int32_t *source, *sink, *to[TC_LINKS], *from[TC_LINKS]; /* the arrays of in->graph */
    /* [threads] rows with columns window.x - 1 to window.x + width, clipped to the image */
    tc_row_arrays (*part)[ROWS];
    int16_t *labels; /* [threads][2][width of such a row]: the labels to which the pixels of two rows are fixed */
} building;

/* ---- Roles ------------------------------------------------------------------------------------ */

/* Finds the roles of `width` pixels from (x, row) on; rows are counted through all slices. */
static void find_row_roles(const tc_stroke_task *task, int x, int row, int width, uint8_t *role)
{
    const tilecut_stroke *const s = task->stroke;
    const size_t first = (size_t)row * (size_t)task->graph->width + (size_t)x;
    const uint8_t *const mask = task->mask + first, *const seeds = task->seeds ? task->seeds + first : NULL;
    const bool foreground = s->label == TILECUT_FOREGROUND;
    for (int i = 0; i < width; i++) role[i] = (mask[i] != 0) == foreground ? TC_ROLE_SAME : TC_ROLE_FREE;
    for (int i = 0; seeds && i < width; i++) {
        const bool held = seeds[i] != TILECUT_UNKNOWN && (seeds[i] == TILECUT_FOREGROUND) != foreground;
        if (held && role[i] == TC_ROLE_FREE) role[i] = TC_ROLE_OTHER;
    }
    if (row < s->y || row >= s->y + s->height) return;
    const uint8_t *const painted = tc_stroke_row(s, row - s->y);
    for (int i = tc_most(s->x - x, 0); i < tc_least(s->x + s->width - x, width); i++)
        if (painted[x + i - s->x]) role[i] = role[i] == TC_ROLE_SAME ? TC_ROLE_STROKE_SAME : TC_ROLE_STROKE;
}

/* A row of the lattice. */
typedef struct place {
    int y, z;
} place;

static place plus(place at, tc_link_steps step)
{
    return (place){at.y + step.y, at.z + step.z};
}

static bool is_same(place a, place b)
{
    return a.y == b.y && a.z == b.z;
}

static bool is_row(const tilecut_graph *graph, place at)
{
    return at.y >= 0 && at.y < graph->height && at.z >= 0 && at.z < graph->depth;
}

/* The number of a row, counted through all slices. */
static int row_of(const tilecut_graph *graph, place at)
{
    return at.z * graph->height + at.y;
}

/* Finds the columns of the window and one on either side, clipped to the graph. */
static int columns(const building *b, int *x0)
{
    const tc_block *const w = &b->in->window;
    *x0 = w->x > 0 ? w->x - 1 : 0;
    return w->x + w->width < b->task->graph->width ? w->x + w->width + 1 : b->task->graph->width;
}

/* Reads the labels to which the pixels of a row are fixed; -1 for free pixels. Outside the window all pixels are fixed
 * to their label in the mask. Painted pixels, which are inside, are fixed to the stroke's label. */
static void read_labels(const building *b, place at, int16_t *label)
{
    const tc_block *const w = &b->in->window;
    const tilecut_graph *const graph = b->task->graph;
    const uint8_t *const mask = b->task->mask + (size_t)row_of(graph, at) * (size_t)graph->width;
    const bool foreground = b->in->foreground, inside = tc_block_has(w, w->x, at.y, at.z);
    const int16_t of_role[] = {[TC_ROLE_FREE] = -1, [TC_ROLE_SAME] = foreground, [TC_ROLE_OTHER] = !foreground,
                              [TC_ROLE_STROKE] = foreground, [TC_ROLE_STROKE_SAME] = foreground};
    int x0;
    const int x1 = columns(b, &x0);
    for (int x = x0; x < x1; x++) label[x - x0] = mask[x] != 0;
    if (!inside) return;
    const uint8_t *const role = b->in->role + tc_block_at(w, w->x, at.y, at.z);
    for (int x = 0; x < w->width; x++) label[w->x - x0 + x] = of_role[role[x]];
}

/* ---- Capacities ------------------------------------------------------------------------------- */

/* Adds each link of kind k that begins in row `at` to the link or terminal of its ends in row `dirty`. `label` holds
 * the labels to which the pixels of row `at` are fixed; after them there is memory for another row. */
static void add_kind(const building *b, place at, const tc_row_arrays *row, place dirty, int k, int16_t *label)
{
    const tc_block *const w = &b->in->window;
    const tc_link_steps step = tc_link_step(b->in->connectivity, k);
    const place other = plus(at, step);
    const bool here = is_same(at, dirty), there = is_same(other, dirty);
    int x0;
    const int x1 = columns(b, &x0);
    int16_t *const beyond = label + (w->width + 2);
    const tc_span linked = tc_linked(0, x1 - x0, step.x, x1 - x0);
    read_labels(b, other, beyond);
    for (int x = linked.first; x < linked.end; x++) {
        const int fixed = label[x], far = beyond[x + step.x];
        const int32_t to = row->to[k][x], from = row->from[k][x];
        if (fixed >= 0 && far >= 0) continue;
        if (fixed < 0 && here) {
            const size_t p = tc_block_at(w, x0 + x, at.y, at.z);
            if (far < 0) b->to[k][p] = to, b->from[k][p] = from;
            else if (far) b->source[p] += from;
            else b->sink[p] += to;
        } else if (fixed >= 0 && there) {
            const size_t q = tc_block_at(w, x0 + x + step.x, other.y, other.z);
            if (fixed) b->source[q] += to;
            else b->sink[q] += from;
        }
    }
}

/* Adds all links of row `at` that have an end in row `dirty` of the window. */
static void add_links(const building *b, place at, const tc_row_arrays *row, place dirty, int16_t *label)
{
    const tilecut_graph *const graph = b->task->graph;
    read_labels(b, at, label);
    for (int k = 0; k < graph->connectivity / 2; k++) {
        const place other = plus(at, tc_link_step(graph->connectivity, k));
        if (is_row(graph, other) && (is_same(at, dirty) || is_same(other, dirty)))
            add_kind(b, at, row, dirty, k, label);
    }
}

static void read_part(const building *b, place at, const tc_row_arrays *part)
{
    int x0;
    const int x1 = columns(b, &x0);
    tc_graph_row_part(b->task->graph, x0, row_of(b->task->graph, at), x1 - x0, part);
}

/* Adds the terminals of the free pixels of a row: those of the graph, and the cost of a change far from the stroke. A
 * free pixel does not have the stroke's label, so the cost of a foreground stroke's change is added to the link to the
 * sink. */
static void add_terminals(const building *b, place at, const tc_row_arrays *row)
{
    const tc_block *const w = &b->in->window;
    int32_t *const stay = b->in->foreground ? b->sink : b->source;
    const int skip = w->x > 0;
    for (int x = 0; x < w->width; x++) {
        const size_t p = tc_block_at(w, w->x + x, at.y, at.z);
        const bool open = b->in->role[p] == TC_ROLE_FREE;
        b->source[p] = open ? row->source[x + skip] : 0;
        b->sink[p] = open ? row->sink[x + skip] : 0;
        stay[p] += open ? tc_stroke_reach_cost(&b->in->reach, p) : 0;
    }
}

/* Adds the links from the slice before that lead to row `at`. */
static void add_slice_before(const building *b, place at, const tc_row_arrays *part, int16_t *label)
{
    const int aside = b->in->connectivity == 26;
    for (int y = at.y - aside; y <= at.y + aside; y++) {
        const place before = {y, at.z - 1};
        if (!is_row(b->task->graph, before)) continue;
        read_part(b, before, part);
        add_links(b, before, part, at, label);
    }
}

static void build_strip(void *context, int strip, int worker)
{
    const building *b = context;
    const tc_block *const w = &b->in->window;
    const int first = strip * STRIP, rows = w->height * w->depth, end = rows - first < STRIP ? rows : first + STRIP;
    tc_row_arrays *const part = b->part[worker];
    int16_t *const label = b->labels + 2 * (size_t)worker * (size_t)(w->width + 2);

    for (int i = first; i < end; i++) {
        const place at = {w->y + i % w->height, w->z + i / w->height}, before = {at.y - 1, at.z};
        const bool kept = i > first && at.y > w->y; /* the row before is still in memory from the last step */
        if (kept) {
            const tc_row_arrays row = part[HERE];
            part[HERE] = part[BEFORE], part[BEFORE] = row;
        } else if (is_row(b->task->graph, before)) {
            read_part(b, before, &part[BEFORE]);
        }
        read_part(b, at, &part[HERE]);
        add_terminals(b, at, &part[HERE]);
        if (is_row(b->task->graph, before)) add_links(b, before, &part[BEFORE], at, label);
        add_links(b, at, &part[HERE], at, label);
        if (at.z > 0) add_slice_before(b, at, &part[BEHIND], label);
    }
}

/* ---- The whole -------------------------------------------------------------------------------- */

void tc_stroke_window_free(tc_stroke_window *in)
{
    tc_stroke_reach_free(&in->reach);
    free(in->role);
    free(in->memory);
    memset(in, 0, sizeof *in);
}

/* The links of an image have the same capacity in both directions, so one array serves for both. */
static tilecut_status alloc_graph(tc_stroke_window *in, building *b)
{
    const size_t pixels = tc_block_pixels(&in->window);
    const int links = in->connectivity / 2, back = b->task->graph->from_image ? 0 : links;
    free(in->memory);
    in->memory = calloc((size_t)(2 + links + back) * pixels, sizeof *in->memory);
    if (!in->memory)
        return tc_fail(TILECUT_ENOMEM, "no memory for a graph of %dx%dx%d", in->window.width, in->window.height,
                       in->window.depth);
    tc_capacities *const arrays = &in->graph.arrays;
    in->graph.width = in->window.width, in->graph.height = in->window.height, in->graph.depth = in->window.depth;
    in->graph.connectivity = in->connectivity;
    arrays->source = b->source = in->memory;
    arrays->sink = b->sink = in->memory + pixels;
    for (int k = 0; k < links; k++) {
        arrays->to[k] = b->to[k] = in->memory + (size_t)(2 + k) * pixels;
        arrays->from[k] = b->from[k] = in->memory + (size_t)(2 + back + k) * pixels;
    }
    return TILECUT_OK;
}

static void find_roles(tc_stroke_window *in, const tc_stroke_task *task)
{
    const tc_block *const w = &in->window;
    uint8_t *role = in->role;
    for (int z = w->z; z < w->z + w->depth; z++)
        for (int y = w->y; y < w->y + w->height; y++, role += w->width)
            find_row_roles(task, w->x, row_of(task->graph, (place){y, z}), w->width, role);
}

void tc_stroke_window_shrink(tc_stroke_window *in)
{
    const tc_block from = in->window;
    const uint8_t *role = in->role;
    int low[3] = {from.width, from.height, from.depth}, high[3] = {-1, -1, -1};
    for (int row = 0; row < from.height * from.depth; row++)
        for (int x = 0; x < from.width; x++) {
            const int at[3] = {x, row % from.height, row / from.height};
            if (*role++ < TC_ROLE_FREE) continue;
            for (int k = 0; k < 3; k++) low[k] = tc_least(low[k], at[k]), high[k] = tc_most(high[k], at[k]);
        }
    in->open = (tc_block){from.x + low[0], from.y + low[1], from.z + low[2], high[0] + 1 - low[0],
                          high[1] + 1 - low[1], high[2] + 1 - low[2]};
    if (high[0] < 0) return;
    in->window = tc_block_around(&in->open, 1, &from);
    tc_block_crop(in->role, 1, &from, &in->window);
    if (in->reach.distance) tc_block_crop(in->reach.distance, sizeof *in->reach.distance, &from, &in->window);
}

tilecut_status tc_stroke_window_init(tc_stroke_window *in, const tc_stroke_task *task, const tc_block *within)
{
    *in = (tc_stroke_window){.task = task, .window = *within, .connectivity = task->graph->connectivity,
                             .foreground = task->stroke->label == TILECUT_FOREGROUND};
    in->role = malloc(tc_block_pixels(within));
    if (!in->role)
        return tc_fail(TILECUT_ENOMEM, "no memory for a window of %dx%dx%d", within->width, within->height,
                       within->depth);
    find_roles(in, task);
    NEED(tc_stroke_reach_init(&in->reach, in, task->graph, task->limited));
    tc_stroke_window_shrink(in);
    return TILECUT_OK;
}

tilecut_status tc_stroke_window_build(tc_stroke_window *in, int threads)
{
    const int width = in->window.width, strips = (in->window.height * in->window.depth + STRIP - 1) / STRIP;
    tilecut_status status = TILECUT_OK;
    building b = {.in = in, .task = in->task};

    if (threads > strips) threads = strips;
    b.part = calloc((size_t)threads, sizeof *b.part);
    b.labels = malloc(2 * (size_t)threads * (size_t)(width + 2) * sizeof *b.labels);
    if (!b.part || !b.labels) {
        free(b.labels), free(b.part);
        return tc_fail(TILECUT_ENOMEM, "no memory for rows of %d pixels", width);
    }
    TRY(alloc_graph(in, &b));
    for (int i = 0; i < ROWS * threads; i++)
        TRY(tc_row_arrays_init(&b.part[i / ROWS][i % ROWS], width + 2, in->connectivity));
    tc_parallel_workers(threads, strips, build_strip, &b);
done:
    for (int i = 0; i < ROWS * threads; i++) tc_row_arrays_free(&b.part[i / ROWS][i % ROWS]);
    free(b.part);
    free(b.labels);
    return status;
}
