/* SPDX-License-Identifier: MIT
 *
 * counts.c - see counts.h, and tc_color_bins() in colors.h. Each thread counts into tables of its own, which are added
 * together at the end.
 */
#include "counts.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "simd.h"
#include "status.h"

/* ---- Pixels ------------------------------------------------------------------------------------ */

const void *tc_image_row(const tilecut_image *image, int y)
{
    return (const char *)image->pixels + (size_t)y * tc_image_stride(image);
}

TC_VECTOR_LOOP void tc_color_bins(const tilecut_image *image, int bits, int y, uint32_t *bin)
{
    const int drop = image->depth - bits, width = image->width;
    const void *row = tc_image_row(image, y);
    if (image->depth == 8) {
        const uint8_t *s = row;
        if (image->channels == 1)
            for (int x = 0; x < width; x++) bin[x] = (uint32_t)s[x] >> drop;
        else
            for (int x = 0; x < width; x++)
                bin[x] = (uint32_t)s[3 * x] >> drop << (2 * bits) | (uint32_t)s[3 * x + 1] >> drop << bits |
                         (uint32_t)s[3 * x + 2] >> drop;
    } else {
        const uint16_t *s = row;
        if (image->channels == 1)
            for (int x = 0; x < width; x++) bin[x] = (uint32_t)s[x] >> drop;
        else
            for (int x = 0; x < width; x++)
                bin[x] = (uint32_t)s[3 * x] >> drop << (2 * bits) | (uint32_t)s[3 * x + 1] >> drop << bits |
                         (uint32_t)s[3 * x + 2] >> drop;
    }
}

/* ---- Contrast --------------------------------------------------------------------------------- */

/* Returns the sum of squared differences of `n` samples of a and b. */
TC_VECTOR_LOOP static int64_t sum_squares8(const uint8_t *a, const uint8_t *b, int n)
{
    enum { CHUNK = 16384 }; /* 16384 * 255^2 < 2^31 */
    int64_t sum = 0;
    for (int start = 0; start < n; start += CHUNK) {
        const int end = n - start < CHUNK ? n : start + CHUNK;
        int32_t part = 0;
        for (int i = start; i < end; i++) {
            const int d = a[i] - b[i];
            part += d * d;
        }
        sum += part;
    }
    return sum;
}

TC_VECTOR_LOOP static int64_t sum_squares16(const uint16_t *a, const uint16_t *b, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        const int64_t d = a[i] - b[i];
        sum += d * d;
    }
    return sum;
}

static int64_t sum_squares(const tilecut_image *image, const void *a, int from_a, const void *b, int from_b, int pixels)
{
    const int c = image->channels;
    if (image->depth == 8)
        return sum_squares8((const uint8_t *)a + from_a * c, (const uint8_t *)b + from_b * c, pixels * c);
    return sum_squares16((const uint16_t *)a + from_a * c, (const uint16_t *)b + from_b * c, pixels * c);
}

typedef struct contrast_sum {
    const tc_energy *energy;
    tc_own_rows own;
    int rows;      /* rows per block                          */
    int above;     /* how many rows of the whole image lie above this part */
    int first;     /* the block with the first own row        */
    int64_t *block;
} contrast_sum;

static void sum_block(void *context, int turn)
{
    const contrast_sum *c = context;
    const tilecut_image *image = &c->energy->image;
    const int block = c->first + turn, from = block * c->rows - c->above, links = c->energy->connectivity / 2;
    int64_t sum = 0;
    for (int y = from < c->own.first ? c->own.first : from; y < c->own.end && y < from + c->rows; y++)
        for (int k = 0; k < links; k++) {
            const tc_link_steps step = tc_link_step(c->energy->connectivity, k);
            const int far_row = tc_energy_far_row(c->energy, k, y);
            if (far_row < 0) continue;
            sum += sum_squares(image, tc_image_row(image, y), step.x < 0, tc_image_row(image, far_row), step.x > 0,
                               image->width - (step.x != 0));
        }
    c->block[block] = sum;
}

void tc_count_contrast(const tc_energy *energy, int rows, int threads, int64_t *block)
{
    const int above = tc_comm_above(energy->comm);
    const tc_own_rows own = tc_own_rows_of(energy->comm, energy->image.height);
    const int first = (above + own.first) / rows, last = (above + own.end - 1) / rows;
    contrast_sum c = {energy, own, rows, above, first, block};
    tc_parallel(threads, last - first + 1, sum_block, &c);
}

/* ---- Colours ---------------------------------------------------------------------------------- */

/* ROWS is the number of rows that a thread counts at a time. With fewer pixels per thread than PIXELS_AN_ENTRY times
 * the entries of its own tables, these would cost too much; with fewer than LEAST_PIXELS, waking the thread would. */
enum { ROWS = 32, PIXELS_AN_ENTRY = 8, LEAST_PIXELS = 1 << 16 };

typedef struct counting {
    const tc_count *what;
    tc_own_rows own;
    size_t bins, tables, row; /* bins: entries of a table; tables: number of tables; row: words of a thread's row,
                                 including padding */
    uint32_t *table;          /* [workers - 1][tables][bins] the tables of all workers but the caller            */
    uint32_t *bin;            /* [workers][row] the bins of a row of pixels                                      */
    int workers;
} counting;

TC_VECTOR_LOOP static bool any_label(const uint8_t *label, int width)
{
    uint8_t any = 0;
    for (int x = 0; x < width; x++) any |= label[x];
    return any != 0;
}

/* Counts the pixels of a row by colour. of[l] is the table for label l, or NULL; of[0] is NULL. `entry`, if not NULL,
 * has the number of each bin in the palette. */
static void count_labels(const uint8_t *label, const uint32_t *bin, const uint32_t *entry, int width,
                         uint32_t *const of[4])
{
    for (int x0 = 0; x0 < width; x0 += 8) {
        const int end = width - x0 < 8 ? width : x0 + 8;
        uint64_t any = 1;
        if (end == x0 + 8) memcpy(&any, label + x0, sizeof any);
        for (int x = x0; any && x < end; x++) {
            uint32_t *const table = of[label[x] & 3];
            if (table) table[entry ? entry[bin[x]] : bin[x]]++;
        }
    }
}

static void count_row(const counting *c, int y, uint32_t *own, uint32_t *const of[TC_COUNTS])
{
    const tilecut_image *const image = c->what->image;
    const tc_palette *const palette = c->what->palette;
    const size_t width = (size_t)image->width;
    const uint32_t *const bin = palette && palette->pixel ? palette->pixel + (size_t)y * width : own;
    uint32_t *const by_label[4] = {NULL, of[TC_LABELLED_BG], of[TC_LABELLED_FG],
                                   c->what->far ? NULL : of[TC_LABELLED_BG]};
    uint32_t *const by_seed[4] = {NULL, of[TC_SEEDED_BG], of[TC_SEEDED_FG], of[TC_SEEDED_OUTSIDE]};
    const bool labels = of[TC_LABELLED_FG] && any_label(c->what->labels + (size_t)y * width, image->width);
    const bool seeds = of[TC_SEEDED_FG] && any_label(c->what->seeds + (size_t)y * width, image->width);
    if (!of[TC_SEEN] && !labels && !seeds) return;
    const uint32_t *const entry = palette && bin == own ? palette->entry : NULL;
    if (bin == own) tc_color_bins(image, c->what->bits, y, own);
    if (c->what->marks)
        for (size_t x = 0; x < width; x++) of[TC_SEEN][bin[x]] = 1; /* faster: does not wait for the last write */
    else
        for (size_t x = 0; of[TC_SEEN] && x < width; x++) of[TC_SEEN][entry ? entry[bin[x]] : bin[x]]++;
    if (labels) count_labels(c->what->labels + (size_t)y * width, bin, entry, image->width, by_label);
    if (seeds) count_labels(c->what->seeds + (size_t)y * width, bin, entry, image->width, by_seed);
}

static void count_rows(void *context, int turn, int worker)
{
    const counting *const c = context;
    uint32_t *of[TC_COUNTS];
    size_t next = ((size_t)worker - 1) * c->tables;
    for (int k = 0; k < TC_COUNTS; k++) {
        of[k] = c->what->of[k];
        if (worker && of[k]) of[k] = c->table + next++ * c->bins;
    }
    const int first = c->own.first + turn * ROWS, end = c->own.end - first < ROWS ? c->own.end : first + ROWS;
    for (int y = first; y < end; y++) count_row(c, y, c->bin + (size_t)worker * c->row, of);
}

/* Adds table k of all other workers to the caller's. */
static void add_table(void *context, int k)
{
    const counting *const c = context;
    size_t number = 0;
    if (!c->what->of[k]) return;
    for (int before = 0; before < k; before++) number += c->what->of[before] != NULL;
    for (int w = 0; w + 1 < c->workers; w++) {
        const uint32_t *const table = c->table + ((size_t)w * c->tables + number) * c->bins;
        for (size_t b = 0; b < c->bins; b++) c->what->of[k][b] += table[b];
    }
}

/* Returns the number of threads to use: as many as have enough pixels each. */
static int workers_of(const counting *c)
{
    const int64_t pixels = (int64_t)c->what->image->width * (c->own.end - c->own.first);
    const int64_t least = PIXELS_AN_ENTRY * (int64_t)(c->tables * c->bins);
    const int64_t most = pixels / (least > LEAST_PIXELS ? least : LEAST_PIXELS);
    return most < 2 || c->what->threads < 2 ? 1 : most < c->what->threads ? (int)most : c->what->threads;
}

tilecut_status tc_count_colors(const tc_count *count)
{
    const tc_own_rows own = tc_own_rows_of(count->comm, count->image->height);
    const size_t bins = (size_t)1 << (count->image->channels * count->bits);
    counting c = {.what = count, .own = own, .bins = count->palette ? count->palette->count : bins,
                  .row = (size_t)count->image->width + 16};
    for (int k = 0; k < TC_COUNTS; k++) c.tables += count->of[k] != NULL;
    c.workers = workers_of(&c);
    if (c.workers > 1) c.table = calloc((size_t)(c.workers - 1) * c.tables * c.bins, sizeof *c.table);
    if (!c.table) c.workers = 1; /* with too little memory a single thread counts; the results are the same */
    c.bin = malloc((size_t)c.workers * c.row * sizeof *c.bin);
    if (!c.bin) {
        free(c.table);
        return tc_fail(TILECUT_ENOMEM, "no memory to count colours in rows of %d pixels", count->image->width);
    }
    tc_parallel_workers(c.workers, (own.end - own.first + ROWS - 1) / ROWS, count_rows, &c);
    if (c.workers > 1) tc_parallel(c.workers, TC_COUNTS, add_table, &c);
    free(c.table);
    free(c.bin);
    return TILECUT_OK;
}
