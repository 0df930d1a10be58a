/* SPDX-License-Identifier: MIT
 *
 * energy.c - makes tables of capacities, and reads rows of capacities from them.
 *
 * Links: w = lambda exp(-beta d^2) / dist (Boykov & Jolly 2001, eq. 3 with B_pq). Seeds: K = 1 + an upper bound of the
 * sum of a pixel's links. Boykov & Jolly use the maximum over the image; with the bound the minimum cuts are the same,
 * and it needs no pass over the image.
 */
#include "energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "energy_math.h"
#include "shared_array.h"
#include "simd.h"
#include "status.h"
#include "prior.h"

/* ---- Tables ----------------------------------------------------------------------------------- */

TC_VECTOR_LOOP static void fill_links(int depth, double scale, double beta, int32_t keys, int32_t *capacity)
{
    for (int32_t key = 0; key < keys; key++)
        capacity[key] = (int32_t)tc_round(tc_link_weight(scale, beta, tc_contrast_of(depth, key)));
}

/* The capacity of a link of kind k between equal pixels, in quanta: lambda divided by the distance of its ends. */
static double link_scale(const tc_energy *energy, int k)
{
    const tc_link_steps step = tc_link_step(energy->connectivity, k);
    const double scale = energy->lambda / energy->quantum, *const axis = energy->spacing;
    const double x = step.x * axis[0], y = step.y * axis[1], z = step.z * axis[2];
    if (!energy->slice_rows) return k < 2 ? scale : scale * sqrt(0.5);
    return scale / (k < 3 ? axis[k] : sqrt(x * x + y * y + z * z));
}

/* Tabulates the links of kind k, or shares the table of another kind with the same scale. */
static tilecut_status tabulate_link(tc_energy *energy, int k)
{
    const double scale = link_scale(energy, k);
    for (int other = 0; other < k; other++)
        if (link_scale(energy, other) == scale) {
            energy->link[k] = energy->link[other];
            return TILECUT_OK;
        }
    energy->link[k] = malloc((size_t)energy->keys * sizeof *energy->link[k]);
    if (!energy->link[k]) return tc_fail(TILECUT_ENOMEM, "no memory for %d link capacities", energy->keys);
    fill_links(energy->image.depth, scale, energy->beta, energy->keys, energy->link[k]);
    return TILECUT_OK;
}

/* Tabulates link capacities by contrast key. The table ends with the first key from which on all capacities are
 * zero. */
static tilecut_status tabulate_links(tc_energy *energy)
{
    const int depth = energy->image.depth;
    const int64_t levels = depth == 8 ? 255 : 65535;
    const int64_t most = levels * levels * energy->image.channels;
    const int32_t last = depth == 8 ? (int32_t)most : tc_contrast_key((uint64_t)most);
    const double scale = energy->lambda / energy->quantum;
    /* above this squared difference, scale * exp(-beta d^2) < 1/2, which rounds to 0 */
    const double zero = energy->beta > 0 && scale > 0 ? (log(2 * scale) + 1e-9) / energy->beta : INFINITY;
    int32_t keys = 0;

    while (keys < last && tc_contrast_of(depth, keys) <= zero) keys++;
    energy->keys = keys + 1;
    for (int k = 0; k < energy->connectivity / 2; k++) NEED(tabulate_link(energy, k));
    return TILECUT_OK;
}

static void free_links(tc_energy *energy)
{
    for (int k = 0; k < TC_LINKS; k++) {
        bool shared = false;
        for (int other = 0; other < k; other++) shared = shared || energy->link[other] == energy->link[k];
        if (!shared) free(energy->link[k]);
    }
}

static double highest_cost(const tc_color_costs *costs)
{
    float highest = 0;
    for (size_t b = 0; costs->foreground && b < costs->count; b++) {
        const float either = costs->foreground[b] > costs->background[b] ? costs->foreground[b] : costs->background[b];
        if (either > highest) highest = either;
    }
    return (double)highest;
}

static tilecut_status tabulate_colors(tc_energy *energy, const tc_color_costs *costs)
{
    const double scale = energy->data_weight / energy->quantum;
    const size_t bins = (size_t)1 << (costs->channels * costs->bits);
    if (!costs->foreground) return TILECUT_OK;
    energy->color_bits = costs->bits;
    energy->all_colors = !costs->palette;
    tc_palette *const palette = energy->shares && costs->palette ? energy->training.palette : NULL;
    energy->source_cost = palette ? tc_palette_take(palette) : calloc(bins, sizeof *energy->source_cost);
    energy->sink_cost = palette ? tc_palette_take(palette) : calloc(bins, sizeof *energy->sink_cost);
    if (!energy->source_cost || !energy->sink_cost) return tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", bins);
    for (size_t i = 0; i < costs->count; i++) {
        const size_t b = tc_color_bin(costs, i);
        energy->source_cost[b] = tc_capacity((double)costs->background[i], scale);
        energy->sink_cost[b] = tc_capacity((double)costs->foreground[i], scale);
    }
    return TILECUT_OK;
}

/* Tabulates a prior mask, which replaces the spatial term. Its weight is greatest far from its outline. */
static tilecut_status tabulate_prior(tc_energy *energy)
{
    const tilecut_image *image = &energy->image;
    const int middle = TC_PRIOR_LEVELS / 2;
    const double step = energy->prior_weight / energy->quantum / middle;
    if (!(energy->prior_weight > 0)) return TILECUT_OK;
    for (int i = 0; i < TC_PRIOR_LEVELS; i++) {
        energy->near_cost[i][0] = tc_capacity(i < middle ? middle - i : 0, step);
        energy->near_cost[i][1] = tc_capacity(i > middle ? i - middle : 0, step);
    }
    if (energy->nearness) return TILECUT_OK; /* shared with another energy */
    energy->nearness = tc_shared_new((size_t)image->width * (size_t)image->height);
    if (!energy->nearness) return tc_fail(TILECUT_ENOMEM, "no memory for a prior");
    tc_prior_levels(energy->prior, image->width, image->height, energy->nearness);
    return tc_prior_confidence(energy->prior, energy->seeds, image->width, image->height,
                         energy->nearness);
}

/* Tabulates the costs of all levels of evidence from strokes (tc_evidence_favour()), which replaces the spatial term.
 * The first guess has found one level per cell; each pixel gets the level of its cell. Most rows are copies of the one
 * above. */
static tilecut_status tabulate_evidence(tc_energy *energy)
{
    const int width = energy->image.width, height = energy->image.height, above = tc_comm_above(energy->comm);
    const int all = tc_comm_height(energy->comm, height);
    for (int i = 0; i < TC_EVIDENCE_LEVELS; i++) {
        const double favour = tc_evidence_favour(i);
        energy->near_cost[i][0] = tc_capacity(favour > 0 ? favour : 0, 1 / energy->quantum);
        energy->near_cost[i][1] = tc_capacity(favour < 0 ? -favour : 0, 1 / energy->quantum);
    }
    if (energy->nearness) return TILECUT_OK; /* shared with another energy */
    energy->nearness = tc_shared_new((size_t)width * (size_t)height);
    if (!energy->nearness) return tc_fail(TILECUT_ENOMEM, "no memory for what strokes say");
    size_t last = SIZE_MAX;
    for (int y = 0; y < height; y++) {
        const size_t from = tc_guess_row_at(above + y, all, energy->slice_rows, energy->evidence_height,
                                            energy->evidence_slice_rows);
        const uint8_t *const row = energy->evidence + from * (size_t)energy->evidence_width;
        uint8_t *const level = energy->nearness + (size_t)y * (size_t)width;
        if (from == last) memcpy(level, level - width, (size_t)width);
        for (int x = 0; x < (from == last ? 0 : width); x++)
            level[x] = row[tc_guess_column_at(x, width, energy->evidence_width)] >> 1;
        last = from;
    }
    return TILECUT_OK;
}

/* Computes the levels of nearness and, if `strokes` is not NULL, further facts about the strokes. */
static tilecut_status find_nearness(tc_energy *energy, int threads, tc_nearness_strokes *strokes)
{
    const tilecut_image *const image = &energy->image;
    energy->nearness = tc_shared_new((size_t)image->width * (size_t)image->height);
    if (!energy->nearness) return tc_fail(TILECUT_ENOMEM, "no memory for the spatial term");
    if (energy->comm && energy->comm->nearness && !energy->slice_rows)
        return energy->comm->nearness(energy->comm, energy->seeds, image->width, image->height, energy->nearness);
    const tc_nearness_lattice lattice = tc_energy_lattice(energy);
    return tc_nearness(energy->seeds, &lattice, threads, energy->comm, energy->nearness, strokes);
}

/* Tabulates the spatial term: for each level of nearness, the cost of labelling a pixel background, or of labelling
 * it foreground. The pixels' levels are computed only if they are not shared with another energy. */
static tilecut_status tabulate_nearness(tc_energy *energy, double weight)
{
    const double scale = weight / energy->quantum;
    if (energy->prior) return tabulate_prior(energy);
    if (energy->evidence) return tabulate_evidence(energy);
    if (!(weight > 0)) return TILECUT_OK;
    const bool space = energy->slice_rows && energy->slice_rows < tc_comm_height(energy->comm, energy->image.height);
    for (int i = 0; i < TC_NEARNESS_LEVELS; i++) {
        const double favour = tc_nearness_favour(i) + (space ? TC_NEARNESS_SPACE : 0);
        energy->near_cost[i][0] = tc_capacity(favour > 0 ? favour : 0, scale);
        energy->near_cost[i][1] = tc_capacity(favour < 0 ? -favour : 0, scale);
    }
    return energy->nearness ? TILECUT_OK : find_nearness(energy, energy->training.threads, NULL);
}

tilecut_status tc_energy_prepare(tc_energy *energy)
{
    const bool near = energy->spatial > 0 && !energy->training.guessed && !energy->prior && !energy->evidence;
    if (!energy->shares || energy->comm) return TILECUT_OK; /* seeds may still change; in parts, all have to make the
                                                               same calls */
    if (energy->model->prepare) NEED(energy->model->prepare(&energy->training, &energy->image, 1));
    return near && !energy->nearness && tc_colors_learn(energy->model) ? find_nearness(energy, 1, NULL) : TILECUT_OK;
}

tilecut_status tc_energy_look_at_strokes(tc_energy *energy, const tc_setup *params)
{
    tc_nearness_strokes strokes = {.seeds = params->own_seeds};
    NEED(find_nearness(energy, params->threads, &strokes));
    if (params->lambda_by_strokes) energy->lambda = tc_lambda_of_gap(strokes.gap);
    return TILECUT_OK;
}

tilecut_status tc_energy_tabulate(tc_energy *energy, const tc_color_costs *costs, double spatial)
{
    const double strokes = energy->evidence ? TC_EVIDENCE_NATS : spatial * TC_NEARNESS_MOST;
    const double place = energy->prior ? energy->prior_weight : strokes;
    const double highest = highest_cost(costs) * energy->data_weight + place;
    energy->quantum = tc_choose_quantum(energy->lambda, energy->connectivity, highest);
    NEED(tabulate_links(energy));
    NEED(tabulate_colors(energy, costs));
    NEED(tabulate_nearness(energy, spatial));
    int32_t links = 0;
    for (int k = 0; k < energy->connectivity / 2; k++) links += energy->link[k][0];
    energy->seed_capacity = tc_seed_capacity(links, energy->quantum);
    return TILECUT_OK;
}

void tc_energy_free(tc_energy *energy)
{
    tc_palette *const palette = energy->shares && !energy->all_colors ? energy->training.palette : NULL;
    free_links(energy);
    if (palette) {
        tc_palette_give(palette, energy->source_cost);
        tc_palette_give(palette, energy->sink_cost);
    } else {
        free(energy->source_cost);
        free(energy->sink_cost);
    }
    tc_shared_drop(energy->nearness);
    tc_palette_drop(energy->training.palette);
    memset(energy, 0, sizeof *energy);
}

void tc_energy_take(tc_energy *energy, tc_energy *part)
{
    const tc_energy before = *energy;
    *energy = *part;
    energy->image = before.image;
    energy->seeds = before.seeds;
    energy->shares = false;
    energy->evidence = NULL; /* `evidence` is freed with the guess; `nearness` holds its levels */
    energy->training.palette = before.training.palette; /* this palette has the colours of the whole image */
    *part = (tc_energy){.source_cost = before.source_cost, .sink_cost = before.sink_cost, .nearness = before.nearness,
                        .training = part->training};
    memcpy(part->link, before.link, sizeof before.link);
    tc_energy_free(part);
}

/* ---- Rows of capacities ----------------------------------------------------------------------- */

/* Computes the contrast keys of `n` links between the pixels at `a` and those at `b`, limited to `last`. */
TC_VECTOR_LOOP static void keys8(const uint8_t *restrict a, const uint8_t *restrict b, int channels, int n,
                                 int32_t last, int32_t *restrict key)
{
    if (channels == 1) {
        for (int x = 0; x < n; x++) {
            const int32_t d = a[x] - b[x], s = d * d;
            key[x] = s < last ? s : last;
        }
    } else {
        for (int x = 0; x < n; x++) {
            const int32_t r = a[3 * x] - b[3 * x], g = a[3 * x + 1] - b[3 * x + 1];
            const int32_t u = a[3 * x + 2] - b[3 * x + 2], s = r * r + g * g + u * u;
            key[x] = s < last ? s : last;
        }
    }
}

TC_VECTOR_LOOP static void keys16(const uint16_t *restrict a, const uint16_t *restrict b, int channels, int n,
                                  int32_t last, int32_t *restrict key)
{
    for (int x = 0; x < n; x++) {
        uint64_t squared = 0;
        for (int c = 0; c < channels; c++) {
            const int64_t d = a[channels * x + c] - b[channels * x + c];
            squared += (uint64_t)(d * d);
        }
        const int32_t s = tc_contrast_key(squared);
        key[x] = s < last ? s : last;
    }
}

/* Computes the capacities of `n` links between the pixels that begin at `a` and those that begin at `b`. */
static void link_row(const tc_energy *energy, const int32_t *table, const void *a, const void *b, int n,
                     int32_t *restrict capacity)
{
    const int channels = energy->image.channels;
    if (energy->image.depth == 8) keys8(a, b, channels, n, energy->keys - 1, capacity);
    else keys16(a, b, channels, n, energy->keys - 1, capacity);
    for (int x = 0; x < n; x++) capacity[x] = table[capacity[x]];
}

void tc_energy_terminals(const tc_energy *energy, int y, const uint8_t *seeds, int32_t *restrict source,
                         int32_t *restrict sink)
{
    const int width = energy->image.width;

    if (energy->color_bits) {
        uint32_t *bin = (uint32_t *)source;
        tc_color_bins(&energy->image, energy->color_bits, y, bin);
        for (int x = 0; x < width; x++) {
            const uint32_t b = bin[x];
            sink[x] = energy->sink_cost[b];
            source[x] = energy->source_cost[b];
        }
    } else {
        memset(source, 0, (size_t)width * sizeof *source);
        memset(sink, 0, (size_t)width * sizeof *sink);
    }
    if (energy->nearness) {
        const uint8_t *near = energy->nearness + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) {
            source[x] += energy->near_cost[near[x]][0];
            sink[x] += energy->near_cost[near[x]][1];
        }
    }
    if (energy->soft_seeds) return;
    for (int x = 0; x < width; x++) {
        if (seeds[x] == TILECUT_UNKNOWN) continue;
        const bool foreground = seeds[x] == TILECUT_FOREGROUND;
        source[x] = foreground ? energy->seed_capacity : 0;
        sink[x] = foreground ? 0 : energy->seed_capacity;
    }
}

bool tc_energy_links(const tc_energy *energy, int k, int y, int32_t *to)
{
    const int far_row = tc_energy_far_row(energy, k, y), x = tc_link_step(energy->connectivity, k).x;
    const size_t pixel = (size_t)energy->image.channels * (size_t)(energy->image.depth / 8);
    if (far_row < 0) return false;
    link_row(energy, energy->link[k], (const char *)tc_image_row(&energy->image, y) + (x < 0 ? pixel : 0),
             (const char *)tc_image_row(&energy->image, far_row) + (x > 0 ? pixel : 0),
             energy->image.width - (x != 0), to + (x < 0));
    return true;
}

void tc_energy_row(const tc_energy *energy, int y, tilecut_row *row)
{
    tc_energy_terminals(energy, y, energy->seeds + (size_t)y * (size_t)energy->image.width, row->source, row->sink);
    for (int k = 0; k < energy->connectivity / 2; k++) (void)tc_energy_links(energy, k, y, row->to[k]);
}

/* Uses a copy of the energy whose image begins at column x. For an image, its first row is row y. For a volume it is
 * the first row of y's slice, because links depend on the place in the slice; the pointers to seeds and nearness are
 * moved back accordingly, by rows of n pixels. */
void tc_energy_row_part(const tc_energy *energy, int x, int y, int n, int32_t *source, int32_t *sink,
                        int32_t *const to[TC_LINKS])
{
    const tilecut_image *const image = &energy->image;
    const int in_slice = energy->slice_rows ? y % energy->slice_rows : 0, first = y - in_slice;
    const size_t at = (size_t)y * (size_t)image->width + (size_t)x - (size_t)in_slice * (size_t)n;
    tc_energy part = *energy;
    part.image.stride = tc_image_stride(image);
    const size_t pixel = (size_t)(image->channels * image->depth / 8);
    part.image.pixels = (const uint8_t *)tc_image_row(image, first) + (size_t)x * pixel;
    part.image.width = n;
    part.image.height = image->height - first;
    part.seeds += at;
    if (part.nearness) part.nearness += at;
    tc_energy_terminals(&part, in_slice, part.seeds + (size_t)in_slice * (size_t)n, source, sink);
    for (int k = 0; k < energy->connectivity / 2; k++) (void)tc_energy_links(&part, k, in_slice, to[k]);
}
