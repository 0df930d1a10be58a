/* SPDX-License-Identifier: MIT */
#include "box_evidence.h"

#include <stdlib.h>

#include "colors.h"
#include "parallel.h"
#include "reach.h"

/* A mask is better than another if its `ring` is smaller by OTHER_COLORS, or its `edge` BETTER_EDGES times as large. */
#define OTHER_COLORS 0.15
#define BETTER_EDGES 1.3

/* The smallest and the largest share of its box that an object fills. */
#define FEW 0.05
#define MOST 0.98

/* If the sides of a box have at most this many pixels, an object that reaches from side to side fills more than FEW. */
enum { TINY = 20 };

static int sample_at(const tilecut_image *image, const void *row, int x, int c)
{
    return tc_level_at(image, row, (size_t)(x * image->channels + (c < image->channels ? c : 0)));
}

static int bin_of(const tilecut_image *image, const void *row, int x)
{
    return tc_tally_bin(sample_at(image, row, x, 0), sample_at(image, row, x, 1), sample_at(image, row, x, 2));
}

static int64_t difference(const tilecut_image *image, const void *row, int x, const void *other, int u)
{
    int64_t sum = 0;
    for (int c = 0; c < image->channels; c++)
        sum += abs(sample_at(image, row, x, c) - sample_at(image, other, u, c));
    return sum;
}

static void count_row(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask, int y,
                      tc_box_tally *t)
{
    const int width = image->width;
    const void *const row = tc_image_row(image, y), *const next = y + 1 < image->height ? tc_image_row(image, y + 1)
                                                                                        : NULL;
    for (int x = 0; x < width; x++) {
        const bool in = mask[x] != 0, out = seeds[x] == TILECUT_OUTSIDE;
        if (in || out) (in ? t->mask : t->outside)[bin_of(image, row, x)]++;
        t->in_mask += in, t->in_ring += out, t->open += !out;
        if (out) continue;
        if (x + 1 < width && seeds[x + 1] != TILECUT_OUTSIDE && (mask[x + 1] != 0) != in)
            t->links++, t->across += difference(image, row, x, row, x + 1);
        if (next && seeds[x + width] != TILECUT_OUTSIDE && (mask[x + width] != 0) != in)
            t->links++, t->across += difference(image, row, x, next, x);
    }
}

enum { BAND = 16 }; /* rows that are counted at a time */

typedef struct counting {
    const tilecut_image *image;
    const uint8_t *seeds, *mask;
    tc_box_tally *of; /* [threads] */
} counting;

static void count_band(void *context, int i, int worker)
{
    const counting *const c = context;
    const int end = (i + 1) * BAND < c->image->height ? (i + 1) * BAND : c->image->height;
    for (int y = i * BAND; y < end; y++) {
        const size_t at = (size_t)y * (size_t)c->image->width;
        count_row(c->image, c->seeds + at, c->mask + at, y, &c->of[worker]);
    }
}

bool tc_box_count(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask, int threads,
                  tc_box_tally *sum)
{
    const int bands = (image->height + BAND - 1) / BAND, workers = tc_threads_for(threads, bands, 4);
    tc_box_tally *const t = calloc((size_t)workers, sizeof *t);
    if (!t) return false;
    tc_parallel_workers(workers, bands, count_band, &(counting){image, seeds, mask, t});
    for (int i = 1; i < workers; i++)
        for (size_t k = 0; k < sizeof *t / sizeof(int64_t); k++) ((int64_t *)t)[k] += ((const int64_t *)&t[i])[k];
    *sum = *t;
    free(t);
    return true;
}

tc_box_evidence tc_box_evidence_of(const tc_box_tally *t)
{
    tc_box_evidence seen = {.filled = (double)t->in_mask / (double)(t->open ? t->open : 1),
                            .edge = (double)t->across / (double)(t->links ? t->links : 1)};
    for (int i = 0; i < TC_TALLY_BINS && t->in_mask && t->in_ring; i++) {
        const double a = (double)t->mask[i] / (double)t->in_mask, b = (double)t->outside[i] / (double)t->in_ring;
        seen.ring += a < b ? a : b;
    }
    return seen;
}

bool tc_box_look(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask, int threads,
                 tc_box_evidence *seen)
{
    tc_box_tally sum;
    if (!tc_box_count(image, seeds, mask, threads, &sum)) return false;
    *seen = tc_box_evidence_of(&sum);
    return true;
}

bool tc_box_mask_is_trivial(double filled)
{
    return filled < FEW || filled > MOST;
}

bool tc_box_lacks_object(int64_t foreground, int width, int height)
{
    const int longest = width > height ? width : height;
    return (double)foreground < FEW * width * height || (foreground < longest && longest <= TINY);
}

bool tc_box_is_better(const tc_box_evidence *other, const tc_box_evidence *before)
{
    if (tc_box_mask_is_trivial(other->filled)) return false;
    return tc_box_mask_is_trivial(before->filled) || before->ring - other->ring >= OTHER_COLORS ||
           other->edge >= BETTER_EDGES * before->edge;
}
