/* SPDX-License-Identifier: MIT
 *
 * label_peers.c - see label_peers.h. Four methods: alpha-expansion in its textbook form and alpha-beta swap (Boykov,
 * Veksler & Zabih, PAMI 2001), in which each move cuts the whole lattice from scratch; iterated conditional modes
 * (Besag 1986); sequential tree-reweighted message passing (Kolmogorov, PAMI 2006).
 */
#include "label_peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const label_peer label_peers[] = {
    {"expansion", label_expansion, true},
    {"swap", label_swap, true},
    {"icm", label_icm, false},
    {"trws", label_trws, false},
    {NULL, NULL, false},
};

const label_peer *label_peer_find(const char *name)
{
    for (const label_peer *p = label_peers; p->name; p++)
        if (!strcmp(p->name, name)) return p;
    return NULL;
}

/* Gives each pixel its cheapest label; all methods begin there. */
static void begin(const label_energy *e, uint8_t *label)
{
    for (size_t p = 0; p < e->pixels; p++) {
        label[p] = 0;
        for (int k = 1; k < e->labels; k++)
            if (label_cost(e, p, k) < label_cost(e, p, label[p])) label[p] = (uint8_t)k;
    }
}

/* ---- Moves by minimum cuts --------------------------------------------------------------------- */

typedef struct mover {
    const label_energy *e;
    const tilecut_flag *stop;
    uint8_t *label, *side, *moved; /* one entry per pixel; `side` is 255 on the source's side */
    int32_t *source, *sink, *to[2], *from[2];
    int64_t least;                 /* the energy of `label` */
} mover;

static tilecut_status open_mover(mover *m)
{
    const size_t n = m->e->pixels;
    m->source = malloc(n * (6 * sizeof *m->source + 2));
    if (!m->source) return TILECUT_ENOMEM;
    m->sink = m->source + n, m->to[0] = m->sink + n, m->to[1] = m->to[0] + n;
    m->from[0] = m->to[1] + n, m->from[1] = m->from[0] + n;
    m->side = (uint8_t *)(m->from[1] + n), m->moved = m->side + n;
    begin(m->e, m->label);
    m->least = label_energy_of(m->e, m->label);
    return TILECUT_OK;
}

/* Solves the graph of the move. Pixels on the sink's side get the label `sink`. The others get the label `source`; if
 * it is negative, they keep theirs. In a swap, only pixels with one of these two labels change. *better becomes true if
 * the energy has fallen. */
static tilecut_status make_move(mover *m, int sink, int source, bool *better)
{
    const size_t n = m->e->pixels;
    const tilecut_arrays arrays = {.width = m->e->width, .height = m->e->height, .source = m->source, .sink = m->sink,
                                   .to = {m->to[0], m->to[1]}, .from = {m->from[0], m->from[1]}};
    tilecut_params params = tilecut_params_default();
    tilecut_graph *graph = NULL;
    params.threads = 1, params.cancel = m->stop;
    tilecut_status status = tilecut_graph_create(&graph, &arrays);
    if (status == TILECUT_OK) status = tilecut_graph_solve(graph, &params, m->side, NULL);
    tilecut_graph_destroy(graph);
    if (status != TILECUT_OK) return status;
    for (size_t p = 0; p < n; p++) {
        const int now = m->label[p];
        const bool stays = source >= 0 && now != sink && now != source;
        m->moved[p] = (uint8_t)(stays ? now : !m->side[p] ? sink : source < 0 ? now : source);
    }
    const int64_t energy = label_energy_of(m->e, m->moved);
    *better = energy < m->least;
    if (*better) memcpy(m->label, m->moved, n), m->least = energy;
    return TILECUT_OK;
}

static void set_terminals(const mover *m, size_t p, int32_t gain)
{
    m->source[p] = gain < 0 ? -gain : 0;
    m->sink[p] += gain > 0 ? gain : 0;
}

/* Lets each pixel take the label `alpha` (the sink's side) or keep its label. */
static tilecut_status expand(mover *m, int alpha, bool *better)
{
    const label_energy *const e = m->e;
    memset(m->source, 0, 6 * e->pixels * sizeof *m->source);
    for (size_t p = 0; p < e->pixels; p++) {
        set_terminals(m, p, label_cost(e, p, m->label[p]) - label_cost(e, p, alpha));
        for (int k = 0; k < 2; k++) {
            const int32_t w = e->link[k][p];
            if (!w) continue;
            const size_t q = label_next(e, p, k);
            const int one = m->label[p], two = m->label[q];
            if (one == two) m->to[k][p] = m->from[k][p] = one == alpha ? 0 : w;
            else if (one == alpha) m->sink[q] += w; /* the link costs w if the other pixel keeps its label */
            else if (two == alpha) m->sink[p] += w;
            else m->sink[p] += w, m->from[k][p] = w;
        }
    }
    return make_move(m, alpha, -1, better);
}

/* Lets all pixels with the label `alpha` or `beta` choose between the two. */
static tilecut_status swap(mover *m, int alpha, int beta, bool *better)
{
    const label_energy *const e = m->e;
    memset(m->source, 0, 6 * e->pixels * sizeof *m->source);
    for (size_t p = 0; p < e->pixels; p++) {
        if (m->label[p] != alpha && m->label[p] != beta) continue;
        set_terminals(m, p, label_cost(e, p, beta) - label_cost(e, p, alpha));
        for (int k = 0; k < 2; k++) {
            if (!e->link[k][p]) continue;
            const int two = m->label[label_next(e, p, k)];
            if (two == alpha || two == beta) m->to[k][p] = m->from[k][p] = e->link[k][p];
        }
    }
    return make_move(m, alpha, beta, better);
}

tilecut_status label_expansion(const label_energy *e, const tilecut_flag *stop, uint8_t *label, double *bound)
{
    mover m = {.e = e, .stop = stop, .label = label};
    tilecut_status status = open_mover(&m);
    *bound = NAN;
    for (int alpha = 0, in_vain = 0; status == TILECUT_OK && in_vain < e->labels; alpha = (alpha + 1) % e->labels) {
        bool better = false;
        status = expand(&m, alpha, &better);
        in_vain = better ? 1 : in_vain + 1;
    }
    free(m.source);
    return status;
}

tilecut_status label_swap(const label_energy *e, const tilecut_flag *stop, uint8_t *label, double *bound)
{
    mover m = {.e = e, .stop = stop, .label = label};
    tilecut_status status = open_mover(&m);
    bool changed = true;
    *bound = NAN;
    while (changed && status == TILECUT_OK) {
        changed = false;
        for (int a = 0; a < e->labels; a++)
            for (int b = a + 1; b < e->labels && status == TILECUT_OK; b++) {
                bool better = false;
                status = swap(&m, a, b, &better);
                changed |= better;
            }
    }
    free(m.source);
    return status;
}

/* ---- One pixel at a time ----------------------------------------------------------------------- */

/* Gives each pixel in turn its best label, given its neighbours' labels, until no label changes. */
tilecut_status label_icm(const label_energy *e, const tilecut_flag *stop, uint8_t *label, double *bound)
{
    const size_t w = (size_t)e->width;
    *bound = NAN;
    begin(e, label);
    for (bool changed = true; changed;) {
        changed = false;
        if (tilecut_flag_raised(stop)) return TILECUT_ECANCELLED;
        for (size_t p = 0; p < e->pixels; p++) {
            /* for each label, the sum of the links to neighbours that have it */
            int64_t gain[TILECUT_MAX_LABELS] = {0};
            int best = label[p];
            if (p % w) gain[label[p - 1]] += e->link[0][p - 1];
            if (p >= w) gain[label[p - w]] += e->link[1][p - w];
            if (e->link[0][p]) gain[label[p + 1]] += e->link[0][p];
            if (e->link[1][p]) gain[label[p + w]] += e->link[1][p];
            for (int k = 0; k < e->labels; k++)
                if (label_cost(e, p, k) - gain[k] < label_cost(e, p, best) - gain[best]) best = k;
            changed |= best != label[p];
            label[p] = (uint8_t)best;
        }
    }
    return TILECUT_OK;
}

/* ---- Messages along rows and columns ----------------------------------------------------------- */

enum { FROM_LEFT, FROM_ABOVE, FROM_RIGHT, FROM_BELOW, WAYS, PASSES = 50 };

typedef struct messages {
    const label_energy *e;
    double *into[WAYS]; /* [pixels][labels] */
} messages;

static double *message(const messages *m, int from, size_t p)
{
    return m->into[from] + p * (size_t)m->e->labels;
}

/* Sums up for each label the cost at pixel p and the messages from its four neighbours. */
static void sum_up(const messages *m, size_t p, double *sum)
{
    for (int j = 0; j < m->e->labels; j++)
        sum[j] = label_cost(m->e, p, j) + message(m, FROM_LEFT, p)[j] + message(m, FROM_ABOVE, p)[j] +
                 message(m, FROM_RIGHT, p)[j] + message(m, FROM_BELOW, p)[j];
}

/* Sends a message to the neighbour along link k (0 right, 1 down), or against it if `back`. A pixel is in two chains,
 * its row and its column, and gives half of its sums to each. */
static void send(const messages *m, size_t p, int k, bool back, const double *sum)
{
    const size_t step = k ? (size_t)m->e->width : 1, to = back ? p - step : p + step;
    const double link = m->e->link[k][back ? to : p];
    double *const out = message(m, back ? k + 2 : k, to), *const in = message(m, back ? k : k + 2, p);
    double least = INFINITY;
    for (int j = 0; j < m->e->labels; j++) {
        out[j] = sum[j] / 2 - in[j];
        if (out[j] < least) least = out[j];
    }
    for (int j = 0; j < m->e->labels; j++) out[j] = (out[j] < least + link ? out[j] : least + link) - least;
}

static void pass(const messages *m)
{
    const label_energy *const e = m->e;
    const size_t w = (size_t)e->width;
    double sum[TILECUT_MAX_LABELS];
    for (size_t p = 0; p < e->pixels; p++) {
        sum_up(m, p, sum);
        for (int k = 0; k < 2; k++)
            if (e->link[k][p]) send(m, p, k, false, sum);
    }
    for (size_t p = e->pixels; p-- > 0;) {
        sum_up(m, p, sum);
        if (p % w && e->link[0][p - 1]) send(m, p, 0, true, sum);
        if (p >= w && e->link[1][p - w]) send(m, p, 1, true, sum);
    }
}

/* Returns the part of a pixel's cost of a label that belongs to the chain along its row, as an integer, or with
 * `column` the rest, which belongs to its column. The two parts add up exactly, so rounding leaves the lower
 * bound valid. */
static int64_t share(const messages *m, size_t p, int label, bool column, double sum)
{
    const double row = sum / 2 - message(m, FROM_LEFT, p)[label] - message(m, FROM_RIGHT, p)[label];
    return column ? label_cost(m->e, p, label) - (int64_t)row : (int64_t)row;
}

/* Returns the least cost of the chain of `length` pixels along link k that begins at pixel `p`. */
static int64_t chain(const messages *m, size_t p, int length, int k)
{
    const label_energy *const e = m->e;
    int64_t best[TILECUT_MAX_LABELS], least = 0;
    double sum[TILECUT_MAX_LABELS];
    for (int i = 0; i < length; i++, p = label_next(e, p, k)) {
        const int64_t most = i ? least + e->link[k][k ? p - (size_t)e->width : p - 1] : 0;
        int64_t now = INT64_MAX;
        sum_up(m, p, sum);
        for (int j = 0; j < e->labels; j++) {
            best[j] = (!i ? 0 : best[j] < most ? best[j] : most) + share(m, p, j, k, sum[j]);
            if (best[j] < now) now = best[j];
        }
        least = now;
    }
    return least;
}

/* Gives each pixel the best label, given the labels of the pixels before it and the messages from those after it. */
static void decide(const messages *m, uint8_t *label)
{
    const label_energy *const e = m->e;
    const size_t w = (size_t)e->width;
    for (size_t p = 0; p < e->pixels; p++) {
        double least = INFINITY;
        for (int k = 0; k < e->labels; k++) {
            double cost = label_cost(e, p, k) + message(m, FROM_RIGHT, p)[k] + message(m, FROM_BELOW, p)[k];
            if (p % w && label[p - 1] != k) cost += e->link[0][p - 1];
            if (p >= w && label[p - w] != k) cost += e->link[1][p - w];
            if (cost < least) least = cost, label[p] = (uint8_t)k;
        }
    }
}

tilecut_status label_trws(const label_energy *e, const tilecut_flag *stop, uint8_t *label, double *bound)
{
    const size_t size = e->pixels * (size_t)e->labels;
    messages m = {.e = e};
    int64_t all = 0;
    int done = 0;
    m.into[0] = calloc(WAYS * size, sizeof *m.into[0]);
    if (!m.into[0]) return TILECUT_ENOMEM;
    for (int from = 1; from < WAYS; from++) m.into[from] = m.into[from - 1] + size;
    while (done < PASSES && !tilecut_flag_raised(stop)) pass(&m), done++;
    for (int y = 0; y < e->height; y++) all += chain(&m, (size_t)y * (size_t)e->width, e->width, 0);
    for (int x = 0; x < e->width; x++) all += chain(&m, (size_t)x, e->height, 1);
    decide(&m, label);
    free(m.into[0]);
    *bound = (double)all;
    return done < PASSES ? TILECUT_ECANCELLED : TILECUT_OK;
}
