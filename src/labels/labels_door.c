/* SPDX-License-Identifier: MIT
 *
 * labels_door.c - the functions of tilecut_labels.h. They read costs and links of K labels from two-label problems, one
 * for each label but the background, and then label the lattice.
 */
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "door.h"
#include "iterate.h"
#include "label_strokes.h"
#include "labelling.h"
#include "labels_cut.h"
#include "large.h"
#include "parallel.h"
#include "segment.h"
#include "status.h"
#include "volume.h"

/* The input of one call, an image or a volume and its seeds, and its results. */
typedef struct job {
    const tilecut_image *image;     /* NULL: a volume */
    const tilecut_volume *volume;
    tc_labels_how how;
    const tc_setup *setup;
    uint8_t *labels;                /* [pixels] the label values of the answer */
    int width, height, depth, layers; /* layers: the number of rows, or of slices of a volume */
    size_t pixels;
    tc_bytes seeds;                 /* the values of the seeds, packed         */
    int value[TILECUT_MAX_LABELS];  /* the value of label 0, 1, ...            */
    uint8_t index[256];             /* the number of the label with a given value */
    int count, background;          /* number of labels; the index of the background */
    tc_label_range own;             /* the own pixels of a part; without parts, all pixels */
    uint8_t *two, *mask;            /* [pixels] seeds and mask of a two-label problem */
    double links_quantum, links_lambda, quantum[TILECUT_MAX_LABELS];
    tc_labelling l;
    tilecut_labels_report report;
} job;

/* ---- Seeds ------------------------------------------------------------------------------------- */

static tilecut_status find_labels(job *j)
{
    int64_t found[256] = {0};
    for (size_t i = j->own.first; i < j->own.end; i++) found[j->seeds.from[i]] = 1;
    NEED(tc_comm_allreduce(j->setup->comm, found, 256));
    for (int value = 1; value < 256; value++)
        if (found[value]) j->index[value] = (uint8_t)j->count, j->value[j->count++] = value;
    if (j->count < 2)
        return tc_fail(TILECUT_ESEEDS, "the seeds hold %s; give a stroke of at least two, the background among them",
                       j->count ? "one label alone" : "no label");
    const int background = j->how.given.background ? j->how.given.background : j->value[0];
    if (background < 1 || background > TILECUT_MAX_LABELS || !found[background])
        return tc_fail(TILECUT_EINVAL, "background is %d, which is no label of the seeds", background);
    j->background = j->index[background];
    return TILECUT_OK;
}

/* Makes the seeds of the problem "`label` against all others". */
static void make_two(const job *j, int label, uint8_t *two)
{
    for (size_t i = 0; i < j->pixels; i++) {
        const int value = j->seeds.from[i];
        two[i] = !value ? TILECUT_UNKNOWN : j->index[value] == label ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
}

/* ---- Models ------------------------------------------------------------------------------------ */

typedef struct reading {
    tc_labelling *l;
    int32_t *data; /* the costs of one label */
    bool links;
} reading;

static void read_row(void *context, const tc_row_view *row, int tile_row)
{
    const reading *const r = context;
    const tc_labelling *const l = r->l;
    const size_t at = ((size_t)row->z * (size_t)l->height + (size_t)row->y) * (size_t)l->width;
    (void)tile_row;
    for (size_t x = 0; x < (size_t)l->width; x++) r->data[at + x] = row->sink[x] - row->source[x];
    for (int k = 0; r->links && k < l->connectivity / 2; k++) {
        const tc_span linked = tc_linked(0, l->width, tc_link_step(l->connectivity, k).x, l->width);
        if (!row->to[k]) continue;
        memcpy(l->link[k] + at + linked.first, row->to[k] + linked.first,
               (size_t)(linked.end - linked.first) * sizeof *row->to[k]);
    }
}

/* The labels while they are learnt, several at a time. */
typedef struct learning {
    job *j;
    int threads;               /* threads that learn one label */
    uint8_t *more;             /* [turns - 1][2][pixels] seeds and masks of all turns but the first, which uses those of
                                  the job */
    int next;                  /* number of labels whose learning has begun */
    pthread_mutex_t writing;   /* guards the job's report and links, links_of and last */
    int links_of;              /* the label whose links are in the labelling, or INT_MAX */
    int last;                  /* the highest label learnt so far, whose beta is in the report; -1: none */
    tc_failures failures;      /* labels that could not be learnt; has a lock of its own */
} learning;

/* Adds a learnt label to the report. Returns whether its links are to be read: those of the label with the coarsest
 * quantum are used, and of several such labels those of the first. */
static bool note_model(learning *g, int label, const tc_energy *energy)
{
    job *const j = g->j;
    j->quantum[label] = energy->quantum;
    if (label > g->last) g->last = label, j->report.beta = energy->beta, j->report.colors = energy->model->name;
    if (!(j->report.lambda > 0) || energy->lambda < j->report.lambda) j->report.lambda = energy->lambda;
    const double coarsest = j->links_quantum;
    if (energy->quantum < coarsest || (energy->quantum == coarsest && label > g->links_of)) return false;
    j->links_quantum = energy->quantum, j->links_lambda = energy->lambda, g->links_of = label;
    return true;
}

/* Reads the costs of a label. Also reads its links if the labelling is to have those. */
static tilecut_status read_model(learning *g, int label, const tilecut_graph *graph)
{
    tc_labelling *const l = &g->j->l;
    reading r = {l, l->data + (size_t)label * l->pixels, false};
    pthread_mutex_lock(&g->writing);
    r.links = note_model(g, label, &graph->energy);
    if (!r.links) pthread_mutex_unlock(&g->writing);
    const tilecut_status status = tc_graph_stream(graph, g->threads, read_row, &r);
    if (r.links) pthread_mutex_unlock(&g->writing);
    return status;
}

/* Learns one label of an image as tilecut_segment() does, with all its iterations. `seeds` are those of the label;
 * `mask` has room for a mask. */
static tilecut_status learn_in_image(learning *g, int label, const uint8_t *seeds, uint8_t *mask)
{
    const job *const j = g->j;
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;
    tc_bytes two = {.from = seeds, .width = j->width, .height = j->height};
    tc_setup setup = *j->setup;
    setup.threads = g->threads;
    if (!setup.comm) setup.solver = j->l.group_solver; /* a device would cut small copies only */
    TRY(tc_seeds_settle(&two, &setup, NULL));
    TRY(tc_segment_learn(&(tc_source){.image = j->image, .seeds = two.from}, &setup, mask, &graph));
    TRY(read_model(g, label, graph));
done:
    tc_graph_free(graph);
    tc_bytes_close(&two, false);
    return status;
}

static tilecut_status learn_in_volume(learning *g, int label, const uint8_t *seeds, uint8_t *mask)
{
    const job *const j = g->j;
    tilecut_status status = TILECUT_OK;
    tc_volume made = {0};
    tilecut_report report = {0};
    tc_setup setup = *j->setup;
    setup.threads = g->threads;
    TRY(tc_volume_open(&made, j->volume, seeds, &setup));
    if (made.setup.iterations >= 0) TRY(tc_volume_cut(&made, NULL, mask, &report));
    TRY(read_model(g, label, made.graph));
done:
    tc_volume_close(&made);
    return status;
}

static tilecut_status learn_one(learning *g, int label, uint8_t *two)
{
    make_two(g->j, label, two);
    return (g->j->image ? learn_in_image : learn_in_volume)(g, label, two, two + g->j->pixels);
}

/* Learns labels until none is left. Several such turns run side by side. */
static void learn_on(void *context, int turn, int worker)
{
    learning *const g = context;
    const job *const j = g->j;
    uint8_t *const two = turn ? g->more + 2 * (size_t)(turn - 1) * j->pixels : j->two;
    (void)worker;
    while (!tc_failures_any(&g->failures)) {
        const int i = __atomic_fetch_add(&g->next, 1, __ATOMIC_RELAXED);
        const int label = i < j->background ? i : i + 1;
        if (i >= j->count - 1) return;
        tc_failures_add(&g->failures, label, learn_one(g, label, two));
    }
}

/* The number of labels to learn at a time. Each takes as much memory as a cut, so in large images labels are learnt one
 * by one, each by all threads. The same is done if the image is in parts, because the parts learn each label together,
 * and on a device, because a device does one thing at a time. */
static int labels_at_a_time(const job *j)
{
    enum { PIXELS = 1 << 23 };
    const bool on_device = j->volume && j->setup->solver && !j->l.group_solver;
    const size_t fit = PIXELS / j->pixels;
    int most = j->setup->threads < j->count - 1 ? j->setup->threads : j->count - 1;
    if (fit < (size_t)most) most = (int)fit;
    return j->setup->comm || on_device || most < 1 ? 1 : most;
}

static tilecut_status learn_all(job *j)
{
    learning g = {.j = j, .writing = PTHREAD_MUTEX_INITIALIZER, .links_of = INT_MAX, .last = -1,
                  .failures = TC_NO_FAILURE};
    const int turns = labels_at_a_time(j);
    g.threads = j->setup->threads / turns;
    g.more = malloc(2 * (size_t)(turns - 1) * j->pixels + 1);
    if (!g.more) return tc_fail(TILECUT_ENOMEM, "no memory to learn %d labels at a time", turns);
    if (turns > 1) tc_parallel_apart(j->setup->threads, turns, learn_on, &g);
    else learn_on(&g, 0, 0);
    free(g.more);
    return tc_failures_raise(&g.failures);
}

/* ---- One scale for all labels ------------------------------------------------------------------ */

/* Halves and rounds away from zero, as lround() does; quanta are powers of two, so the sum is exact. */
static inline int32_t to_whole(double cost)
{
    return (int32_t)(cost + (cost < 0 ? -0.5 : 0.5));
}

/* Sets links and costs of a row. For links, lambda is the smallest that the strokes of any label ask for, so that a
 * small object does not vanish beside a large one. Costs are shifted so that the cheapest label of a pixel costs
 * nothing, and a seed's label costs nothing. The quantum is twice the coarsest one of the models, because at a pixel a
 * cost and the links of an expansion add up. */
static void settle_row(void *context, int row)
{
    const job *const j = context;
    const tc_labelling *const l = &j->l;
    const size_t first = (size_t)row * (size_t)l->width;
    const double less = j->links_lambda > 0 ? j->report.lambda / j->links_lambda : 1;
    for (size_t i = first; i < first + (size_t)l->width; i++) {
        int32_t least = 0;
        for (int k = 0; k < l->labels; k++) {
            int32_t *const cost = l->data + (size_t)k * l->pixels + i;
            *cost = k == j->background || l->fixed[i] ? 0
                                                      : to_whole(*cost * j->quantum[k] / j->report.quantum);
            if (*cost < least) least = *cost;
        }
        for (int k = 0; k < l->labels; k++) l->data[(size_t)k * l->pixels + i] -= least;
        for (int k = 0; k < l->connectivity / 2; k++) {
            const double weight = less < 1 ? floor(l->link[k][i] * less + 0.5) : l->link[k][i];
            l->link[k][i] = ((int32_t)weight + 1) / 2;
        }
    }
}

static void settle(job *j)
{
    tc_labelling *const l = &j->l;
    int32_t most = 0;
    j->report.quantum = 2 * j->links_quantum;
    for (size_t i = 0; i < l->pixels; i++) {
        const int value = j->seeds.from[i];
        if (value) l->label[i] = j->index[value], l->fixed[i] = 1;
    }
    tc_parallel(j->setup->threads, l->height * l->depth, settle_row, j);
    for (int k = 0; k < l->connectivity / 2; k++)
        for (size_t i = 0; i < l->pixels; i++)
            if (l->link[k][i] > most) most = l->link[k][i];
    l->tie = 1 + l->connectivity * most;
}

/* ---- The call ---------------------------------------------------------------------------------- */

/* Floods from the pixels that wait on the stack: marks own pixels that are connected to them with the same label.
 * Returns the number of pixels marked. */
static int64_t reach_on(job *j, size_t *stack, size_t waiting)
{
    const tc_labelling *const l = &j->l;
    const tc_block all = {0, 0, 0, l->width, l->height, l->depth};
    int64_t news = 0;
    while (waiting) {
        const size_t i = stack[--waiting];
        for (int d = 0; d < l->connectivity; d++) {
            const size_t at = tc_block_neighbour(&all, i, l->connectivity, d);
            if (at < j->own.first || at >= j->own.end || j->mask[at] || l->label[at] != l->label[i]) continue;
            j->mask[at] = 1, stack[waiting++] = at, news++;
        }
    }
    return news;
}

/* Marks in j->mask all pixels that are connected to a seed of their label. `stack` has room for all pixels. */
static tilecut_status reach_from_seeds(job *j, size_t *stack)
{
    const tc_labelling *const l = &j->l;
    size_t waiting = 0;
    bool news = j->setup->comm != NULL;
    for (size_t i = 0; i < l->pixels; i++) {
        const bool own = i >= j->own.first && i < j->own.end;
        j->mask[i] = own && (l->label[i] == j->background || j->seeds.from[i]);
        if (own && j->seeds.from[i] && l->label[i] != j->background) stack[waiting++] = i;
    }
    (void)reach_on(j, stack, waiting);
    while (news) { /* continues from pixels that the neighbours have reached */
        NEED(tc_labelling_meet(l, j->mask, 1));
        waiting = 0;
        for (size_t i = 0; i < l->pixels; i++)
            if (i == j->own.first) i = j->own.end - 1;
            else if (j->mask[i] && l->label[i] != j->background) stack[waiting++] = i;
        news = reach_on(j, stack, waiting) > 0;
        NEED(tc_comm_any(j->setup->comm, &news));
    }
    return TILECUT_OK;
}

/* Finds islands: pixels of a label that are connected to no seed of it. As in tilecut_segment(), they do not belong to
 * the label: they are barred from it and labelled anew. Sets *any to true if there were any. */
static tilecut_status close_islands(job *j, bool *any)
{
    tc_labelling *const l = &j->l;
    const int32_t closed = 1 << 20;
    size_t *const stack = tc_large_alloc(l->pixels * sizeof *stack);
    if (!stack) return tc_fail(TILECUT_ENOMEM, "no memory to look for islands among %zu pixels", l->pixels);
    const tilecut_status status = reach_from_seeds(j, stack);
    free(stack);
    NEED(status);
    *any = false;
    for (size_t i = 0; i < l->pixels; i++) {
        int32_t *const cost = l->data + (size_t)l->label[i] * l->pixels + i;
        if (j->mask[i] || *cost >= closed) continue;
        *cost += closed;
        l->fixed[i] = 0, *any = true;
    }
    return tc_comm_any(j->setup->comm, any);
}

static tilecut_status label_many(job *j)
{
    tc_labelling *const l = &j->l;
    double clock = tc_now_ms();
    int64_t bound, energy;
    bool islands = !j->setup->islands;

    NEED(tc_labelling_init(l, j->width, j->height, j->depth, j->setup->connectivity, j->count, j->setup));
    NEED(learn_all(j));
    settle(j);
    j->report.model_ms = tc_lap_ms(&clock);
    NEED(tc_labelling_fix(l));
    NEED(tc_labelling_expand(l, NULL));
    for (int round = 0; islands && round < 4; round++) {
        NEED(close_islands(j, &islands));
        if (islands) NEED(tc_labelling_expand(l, j->mask));
    }
    j->report.solve_ms = tc_lap_ms(&clock);
    NEED(tc_labelling_bound(l, j->how.rounds, j->how.enough, &bound));
    j->report.bound_ms = tc_lap_ms(&clock);
    NEED(tc_labelling_energy(l, &energy));
    j->report.energy = (double)energy * j->report.quantum;
    j->report.bound = (double)bound * j->report.quantum / 2;
    int64_t sums[3] = {l->cuts, l->moves, 0};
    for (size_t i = 0; i < l->pixels; i++) {
        sums[2] += l->fixed[i] && i >= j->own.first && i < j->own.end;
        j->labels[i] = (uint8_t)j->value[l->label[i]];
    }
    NEED(tc_comm_allreduce(j->setup->comm, sums, 3));
    j->report.cuts = sums[0], j->report.moves = sums[1], j->report.certain = sums[2], j->report.solver = l->solver;
    return TILECUT_OK;
}

/* With two labels, a single cut gives the minimum. */
static tilecut_status label_two(job *j)
{
    tilecut_status status = TILECUT_OK;
    tc_setup setup = *j->setup;
    tc_bytes two = {.from = j->two, .width = j->width, .height = j->height};
    tilecut_report report = {0};
    tc_volume made = {0};

    make_two(j, !j->background, j->two);
    if (j->image) {
        TRY(tc_seeds_settle(&two, &setup, NULL));
        TRY(tc_segment(&(tc_source){.image = j->image, .seeds = two.from}, &setup, j->mask, &report));
    } else {
        setup.learns_there = tc_learns_on_device;
        TRY(tc_volume_open(&made, j->volume, j->two, &setup));
        TRY(tc_volume_cut(&made, NULL, j->mask, &report));
    }
    for (size_t i = 0; i < j->pixels; i++)
        j->labels[i] = (uint8_t)j->value[j->mask[i] ? !j->background : j->background];
    tilecut_labels_report *const r = &j->report;
    r->energy = r->bound = report.energy;
    r->quantum = report.quantum, r->lambda = report.lambda, r->beta = report.beta;
    r->solver = report.solver, r->colors = report.colors;
    r->cuts = 1, r->certain = (int64_t)(j->pixels / (size_t)j->layers) * tc_comm_height(j->setup->comm, j->layers);
    r->model_ms = report.model_ms;
    r->solve_ms = report.graph_ms + report.copy_ms + report.solve_ms + report.certify_ms;
done:
    tc_volume_close(&made);
    tc_bytes_close(&two, false);
    return status;
}

static tilecut_status label(job *j, const uint8_t *seeds)
{
    const size_t layer = (size_t)j->width * (j->image ? 1 : (size_t)j->height);
    j->layers = j->image ? j->height : j->depth;
    j->pixels = layer * (size_t)j->layers;
    const tc_own_rows own = tc_own_rows_of(j->setup->comm, j->layers);
    j->own = (tc_label_range){(size_t)own.first * layer, (size_t)own.end * layer};
    NEED(tc_labels_check(j->setup, j->width, j->height * j->depth));
    NEED(tc_bytes_open(&j->seeds, "seeds", seeds, j->setup->seeds_stride, j->width, j->height * j->depth));
    NEED(find_labels(j));
    j->two = malloc(2 * j->pixels);
    if (!j->two) return tc_fail(TILECUT_ENOMEM, "no memory for seeds of %zu pixels", j->pixels);
    j->mask = j->two + j->pixels;
    NEED(j->count == 2 ? label_two(j) : label_many(j));
    j->report.certified = 1;
    j->report.labels = j->count;
    j->report.gap = j->report.energy > 0 ? 100 * (j->report.energy - j->report.bound) / j->report.energy : 0;
    j->report.connectivity = j->setup->connectivity;
    j->report.threads = j->setup->threads;
    for (size_t i = j->own.first; i < j->own.end; i++) j->report.pixels[j->labels[i]]++;
    return tc_comm_allreduce(j->setup->comm, j->report.pixels, TILECUT_MAX_LABELS + 1);
}

tilecut_status tc_labels_cut(const tc_labels_source *from, const tc_setup *setup, const tilecut_labels_params *how,
                             uint8_t *labels, tilecut_labels_report *report)
{
    job j = {.image = from->image, .volume = from->volume, .setup = setup, .labels = labels, .depth = 1};
    tilecut_status status = TILECUT_OK;
    if (j.image) j.width = j.image->width, j.height = j.image->height;
    else j.width = j.volume->width, j.height = j.volume->height, j.depth = j.volume->depth;
    TRY(tc_sized_check(report, "tilecut_labels_report"));
    TRY(tc_labels_how_read(&j.how, how));
    TRY(label(&j, from->seeds));
    tc_sized_write(report, sizeof *report, &j.report, sizeof j.report);
done:
    tc_labelling_free(&j.l);
    tc_bytes_close(&j.seeds, false);
    free(j.two);
    return status;
}

tilecut_status tilecut_labels(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                              const tilecut_labels_params *how, uint8_t *labels, tilecut_labels_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};

    TRY(tc_enter_image(&v, image, params, labels, true, NULL));
    TRY(tc_labels_cut(&(tc_labels_source){.image = &v.image, .seeds = seeds}, &v.setup, how, v.mask.to, report));
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_volume_labels(const tilecut_volume *volume, const uint8_t *seeds, const tilecut_params *params,
                                     const tilecut_labels_params *how, uint8_t *labels, tilecut_labels_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};

    TRY(tc_enter_volume(&v, volume, params, labels, true, NULL));
    TRY(tc_labels_cut(&(tc_labels_source){.volume = &v.voxels, .seeds = seeds}, &v.setup, how, v.mask.to, report));
done:
    return tc_leave(&v, status);
}
