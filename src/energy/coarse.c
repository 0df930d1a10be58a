/* SPDX-License-Identifier: MIT */
#include "coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "colors.h"
#include "nearness.h"
#include "parallel.h"
#include "simd.h"
#include "status.h"

/* ---- The copy --------------------------------------------------------------------------------- */

/* A cell may lie in two parts of an image, so its sums are added over all parts before they are divided. The sums are
 * small, so several are packed into one word. Afterwards each part has the whole copy, and all parts do the same search
 * in it. */

enum { LABELS = 3 }; /* background, foreground, outside */

typedef struct sums {
    const tilecut_image *image;
    const uint8_t *seeds;
    tc_cell cell;              /* its slice_rows is set even for an image, which is one slice                  */
    int slices;                /* number of slices of the whole volume; 1: an image                            */
    int width, height;         /* in cells                                                                     */
    int above, first, end;     /* above: the row of the whole image at which `image` begins; own rows: first .. end -
                                  1 */
    bool parts;                /* true: the image is in parts: the sums below are added over all parts         */
    int64_t *samples, *labels; /* sums: [cells][channels] of samples, and [cells][LABELS] the numbers of parts with that
                                  label. Without parts there are only samples, of one row of cells for each thread */
    uint8_t *marks;            /* [threads][2][columns] the labels that occur in a row of cells: bit l - 1 for label l;
                                  of each column, and of each cell */
    tc_coarse *to;
    int any;                   /* a bit for each label that occurs                                             */
} sums;

/* Loops go over cells, because a division for each pixel would take longer than all the rest here. */

/* Sums `count` pixels with CHANNELS channels. */
#define SUM_PIXELS(name, type, CHANNELS)                                                                       \
    static void name(const type *restrict from, int count, int64_t *restrict sum)                              \
    {                                                                                                          \
        int64_t own[CHANNELS] = {0};                                                                           \
        for (int i = 0; i < count; i++)                                                                        \
            for (int c = 0; c < CHANNELS; c++) own[c] += from[i * CHANNELS + c];                               \
        for (int c = 0; c < CHANNELS; c++) sum[c] += own[c];                                                   \
    }
SUM_PIXELS(sum_grey8, uint8_t, 1)
SUM_PIXELS(sum_color8, uint8_t, 3)
SUM_PIXELS(sum_grey16, uint16_t, 1)
SUM_PIXELS(sum_color16, uint16_t, 3)

static void add_samples(const sums *s, int y, int64_t *sum)
{
    const int width = s->image->width, factor = s->cell.x, channels = s->image->channels;
    const void *const row = tc_image_row(s->image, y);
    const uint8_t *const bytes = row;
    const uint16_t *const words = row;
    for (int x = 0; x < width; x += factor, sum += channels) {
        const int n = width - x < factor ? width - x : factor;
        if (s->image->depth == 8 && channels == 3) sum_color8(bytes + 3 * (ptrdiff_t)x, n, sum);
        else if (s->image->depth == 8) sum_grey8(bytes + x, n, sum);
        else if (channels == 3) sum_color16(words + 3 * (ptrdiff_t)x, n, sum);
        else sum_grey16(words + x, n, sum);
    }
}

/* Adds to `marks` the labels of a row of pixels. */
TC_VECTOR_LOOP static void mark_row(const uint8_t *restrict row, int width, uint8_t *restrict marks)
{
    for (int x = 0; x < width; x++)
        marks[x] = (uint8_t)(marks[x] | (row[x] == TILECUT_BACKGROUND) | (row[x] == TILECUT_FOREGROUND) << 1 |
                             (row[x] == TILECUT_OUTSIDE) << 2);
}

/* Writes to `cells` the labels of each cell of a row, from those of its columns. Most columns have none. */
static void join_columns(const sums *s, const uint8_t *marks, uint8_t *cells)
{
    const int width = s->image->width;
    int cell = 0, end = s->cell.x;
    uint64_t word;
    memset(cells, 0, (size_t)s->width);
    for (int x = 0; x < width; x++) {
        for (; x + 8 <= width; x += 8) {
            memcpy(&word, marks + x, sizeof word);
            if (word) break;
        }
        if (x >= width || !marks[x]) continue;
        for (; x >= end; cell++) end += s->cell.x;
        cells[cell] |= marks[x];
    }
}

static uint8_t label_of(int marks)
{
    uint8_t label = TILECUT_UNKNOWN;
    for (int l = TILECUT_BACKGROUND; l <= TILECUT_OUTSIDE; l++)
        if (marks >> (l - 1) & 1) label = tc_coarse_join(label, (uint8_t)l);
    return label == TC_COARSE_BOTH ? (uint8_t)TILECUT_UNKNOWN : label;
}

/* The pixels of a cell along one axis: first .. end - 1. */
typedef struct span {
    int first, end;
} span;

static span span_of(int cell, int pixels, int size)
{
    return (span){cell * pixels, size - cell * pixels < pixels ? size : (cell + 1) * pixels};
}

static int cells_of(int size, int pixels) { return (size + pixels - 1) / pixels; }

/* The row of cells that row `y` of the whole lies in. */
static int row_of_cells(const sums *s, int y)
{
    const int slice = s->cell.slice_rows;
    return y / slice / s->cell.z * cells_of(slice, s->cell.y) + y % slice / s->cell.y;
}

/* Divides the sums of a row of cells: writes samples and seeds of the copy. */
static void divide(sums *s, int row, const int64_t *samples, const uint8_t *marks)
{
    const tilecut_image *const small = &s->to->image;
    uint8_t *const bytes = (uint8_t *)tc_image_row(small, row);
    uint16_t *const words = (uint16_t *)tc_image_row(small, row);
    const int rows = cells_of(s->cell.slice_rows, s->cell.y);
    const span y = span_of(row % rows, s->cell.y, s->cell.slice_rows), z = span_of(row / rows, s->cell.z, s->slices);
    const uint64_t down = (uint64_t)(y.end - y.first) * (uint64_t)(z.end - z.first);
    int any = 0;
    for (int x = 0; s->image->pixels && x < s->width; x++) {
        const span columns = span_of(x, s->cell.x, s->image->width);
        const uint64_t pixels = (uint64_t)(columns.end - columns.first) * down;
        for (int c = 0; c < small->channels; c++) {
            const size_t i = (size_t)x * (size_t)small->channels + (size_t)c;
            const uint64_t mean = tc_coarse_mean((uint64_t)samples[i], pixels);
            if (small->depth == 8) bytes[i] = (uint8_t)mean;
            else words[i] = (uint16_t)mean;
        }
    }
    for (int x = 0; x < s->width; x++) {
        any |= marks[x];
        s->to->seeds[(size_t)row * (size_t)s->width + (size_t)x] = marks[x] ? label_of(marks[x]) : TILECUT_UNKNOWN;
    }
    __atomic_fetch_or(&s->any, any, __ATOMIC_RELAXED);
}

/* Adds up the own rows that lie in the i-th row of cells of this part. Divides the sums if there is no other part. */
static void add_cells(void *context, int i, int worker)
{
    sums *const s = context;
    const int row = row_of_cells(s, s->above + s->first) + i, rows = cells_of(s->cell.slice_rows, s->cell.y);
    const span y = span_of(row % rows, s->cell.y, s->cell.slice_rows), z = span_of(row / rows, s->cell.z, s->slices);
    const size_t columns = (size_t)s->image->width, numbers = (size_t)s->width * (size_t)s->image->channels;
    int64_t *const samples = s->samples + numbers * (size_t)(s->parts ? row : worker);
    uint8_t *const marks = s->marks + 2 * columns * (size_t)worker, *const cells = marks + columns;
    if (!s->parts) memset(samples, 0, numbers * sizeof *samples);
    memset(marks, 0, columns);
    for (int k = z.first; k < z.end; k++)
        for (int at = k * s->cell.slice_rows + y.first - s->above, n = y.end - y.first; n > 0; at++, n--) {
            if (at < s->first || at >= s->end) continue;
            if (s->image->pixels) add_samples(s, at, samples);
            mark_row(s->seeds + (size_t)at * columns, s->image->width, marks);
        }
    join_columns(s, marks, cells);
    if (!s->parts) divide(s, row, samples, cells);
    for (size_t n = 0; s->parts && n < LABELS * (size_t)s->width; n++)
        s->labels[(size_t)row * (size_t)s->width * LABELS + n] = cells[n / LABELS] >> n % LABELS & 1;
}

/* Returns a number of bits in which every sum over all parts fits. */
static int bits_of_sums(const sums *s, int parts)
{
    const uint64_t pixels = (uint64_t)s->cell.x * (uint64_t)s->cell.y * (uint64_t)s->cell.z;
    const uint64_t most = pixels * (s->image->depth == 8 ? UINT8_MAX : UINT16_MAX);
    return 64 - __builtin_clzll(most > (uint64_t)parts ? most : (uint64_t)parts);
}

/* Adds numbers over all parts. The totals have at most `bits` bits, so several are packed into each word. */
static tilecut_status sum_packed(tc_comm *comm, int64_t *numbers, size_t count, int bits)
{
    const size_t each = 63 / (size_t)bits, words = (count + each - 1) / each;
    const int64_t mask = ((int64_t)1 << bits) - 1;
    for (size_t i = 0; i < words; i++) {
        const size_t from = i * each, end = from + each < count ? from + each : count;
        int64_t word = 0;
        for (size_t k = end; k-- > from;) word = word << bits | numbers[k];
        numbers[i] = word;
    }
    NEED(tc_comm_allreduce(comm, numbers, words));
    for (size_t i = words; i-- > 0;) {
        const size_t from = i * each, end = from + each < count ? from + each : count;
        int64_t word = numbers[i];
        for (size_t k = from; k < end; k++, word >>= bits) numbers[k] = word & mask;
    }
    return TILECUT_OK;
}

/* True if the copy has unknown cells, and cells of each label that the image has. */
static bool has_all_classes(const sums *s)
{
    const size_t cells = (size_t)s->width * (size_t)s->height;
    for (int label = TILECUT_BACKGROUND; label <= TILECUT_OUTSIDE; label++)
        if (s->any >> (label - 1) & 1 && !memchr(s->to->seeds, label, cells)) return false;
    return memchr(s->to->seeds, TILECUT_UNKNOWN, cells) != NULL;
}

tilecut_status tc_coarse_init(tc_coarse *coarse, tc_comm *comm, const tilecut_image *image, const uint8_t *seeds,
                              int factor, int threads, bool *done)
{
    const tc_cell cell = {factor, factor, 1, 0};
    return tc_coarse_in_space(coarse, comm, image, seeds, &cell, threads, done);
}

tilecut_status tc_coarse_in_space(tc_coarse *coarse, tc_comm *comm, const tilecut_image *image, const uint8_t *seeds,
                                  const tc_cell *cell, int threads, bool *done)
{
    enum { SEEDS_ALONE = 16 }; /* a thread joins the labels of so many pixels in the time for one with samples */
    const int height = tc_comm_height(comm, image->height), above = tc_comm_above(comm);
    const tc_own_rows own = tc_own_rows_of(comm, image->height);
    const int slice = cell->slice_rows ? cell->slice_rows : height, slices = height / slice;
    const int width = cells_of(image->width, cell->x), rows = cells_of(slice, cell->y) * cells_of(slices, cell->z);
    const size_t cells = (size_t)width * (size_t)rows, samples = cells * (size_t)image->channels;
    const int64_t pixels = (int64_t)image->width * image->height;
    const int useful = tc_threads_that_pay(threads, image->pixels ? pixels : pixels / SEEDS_ALONE);
    const size_t marks = 2 * (size_t)image->width * (size_t)useful;
    const size_t numbers = comm ? samples + cells * LABELS : (size_t)width * (size_t)(image->channels * useful);
    int64_t *const all = calloc(numbers + (marks + 7) / 8, sizeof *all);
    tilecut_status status = TILECUT_OK;

    *coarse = (tc_coarse){.factor = cell->x, .seeds = malloc(cells),
                          .image = {.size = sizeof *image, .width = width, .height = rows,
                                    .channels = image->channels, .depth = image->depth,
                                    .pixels = malloc(samples * (size_t)(image->depth / 8))}};
    if (!all || !coarse->seeds || !coarse->image.pixels)
        TRY(tc_fail(TILECUT_ENOMEM, "no memory for an image of %zu pixels", cells));
    sums s = {.image = image, .seeds = seeds, .cell = {cell->x, cell->y, cell->z, slice}, .slices = slices,
              .width = width, .height = rows, .above = above, .first = own.first, .end = own.end,
              .parts = comm != NULL, .samples = all, .labels = comm ? all + samples : NULL,
              .marks = (uint8_t *)(all + numbers), .to = coarse};
    tc_parallel_workers(useful, row_of_cells(&s, above + own.end - 1) - row_of_cells(&s, above + own.first) + 1,
                        add_cells, &s);
    if (comm) TRY(sum_packed(comm, all, numbers, bits_of_sums(&s, comm->with->parts)));
    for (int row = 0; comm && row < rows; row++) {
        const size_t at = (size_t)row * (size_t)width;
        memset(s.marks, 0, (size_t)width);
        for (size_t i = 0; i < LABELS * (size_t)width; i++)
            s.marks[i / LABELS] |= (uint8_t)((s.labels[at * LABELS + i] > 0) << i % LABELS);
        divide(&s, row, s.samples + at * (size_t)image->channels, s.marks);
    }
    *done = has_all_classes(&s);
done:
    free(all);
    if (status != TILECUT_OK) tc_coarse_free(coarse);
    return status;
}

tilecut_status tc_coarse_mask(uint8_t **small, tc_comm *comm, const tilecut_image *image, const uint8_t *mask,
                              const uint8_t *seeds, const tc_cell *cell, int threads)
{
    const tilecut_image grey = {.width = image->width, .height = image->height, .channels = 1, .depth = 8,
                                .pixels = mask};
    tilecut_status status = TILECUT_OK;
    tc_coarse copy = {0};
    bool unused;
    TRY(tc_coarse_in_space(&copy, comm, &grey, seeds, cell, threads, &unused));
    const size_t cells = (size_t)copy.image.width * (size_t)copy.image.height;
    const uint8_t *const mean = copy.image.pixels;
    *small = malloc(cells);
    if (!*small) TRY(tc_fail(TILECUT_ENOMEM, "no memory for a mask of %zu cells", cells));
    for (size_t at = 0; at < cells; at++) (*small)[at] = mean[at] >= 128 ? 255 : 0;
done:
    tc_coarse_free(&copy);
    return status;
}

void tc_coarse_free(tc_coarse *coarse)
{
    free((void *)coarse->image.pixels);
    free(coarse->seeds);
    memset(coarse, 0, sizeof *coarse);
}

typedef struct spreading {
    const tc_coarse *coarse;
    const uint8_t *small;
    int width, above;
    uint8_t *mask;
} spreading;

static void spread_row(void *context, int y)
{
    const spreading *const s = context;
    const int factor = s->coarse->factor, width = s->width;
    const uint8_t *cell = s->small + (size_t)((s->above + y) / factor) * (size_t)s->coarse->image.width;
    uint8_t *const row = s->mask + (size_t)y * (size_t)width;
    for (int from = 0; from < width; from += factor)
        memset(row + from, *cell++, (size_t)(from + factor < width ? factor : width - from));
}

void tc_coarse_spread(const tc_coarse *coarse, const uint8_t *small, int threads, int width, int height, int above,
                      uint8_t *mask)
{
    spreading s = {coarse, small, width, above, mask};
    tc_parallel(tc_threads_that_pay(threads, (int64_t)width * height / 4), height, spread_row, &s);
}

/* ---- What a box needs ------------------------------------------------------------------------- */

/* The bounding box of pixels of no label, and if `marked` also of the foreground. Returns false if there is none. */
static bool rectangle_around(const uint8_t *seeds, int width, int height, tc_comm *comm, bool marked, tc_window *box)
{
    const tc_own_rows own = tc_own_rows_of(comm, height);
    const uint8_t *const first = seeds + (size_t)own.first * (size_t)width;
    tc_extent around = tc_extent_of(first, width, own.end - own.first, TILECUT_UNKNOWN);
    if (marked) {
        const tc_extent object = tc_extent_of(first, width, own.end - own.first, TILECUT_FOREGROUND);
        tc_extent_join(&around, &object);
    }
    *box = (tc_window){0, 0, 0, 0};
    if (tc_extent_across(&around, comm) != TILECUT_OK || around.x1 < around.x0) return false;
    *box = (tc_window){around.x0, around.y0, around.x1 - around.x0 + 1, around.y1 - around.y0 + 1};
    return true;
}

bool tc_box_rectangle(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box)
{
    return rectangle_around(seeds, width, height, comm, true, box);
}

bool tc_box_drawn(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box)
{
    tc_window open;
    if (!tc_box_rectangle(seeds, width, height, comm, box)) return false;
    if (!tc_box_has(seeds, width, height, comm, box, TILECUT_OUTSIDE)) return true;
    if (rectangle_around(seeds, width, height, comm, false, &open)) *box = open;
    return true;
}

bool tc_box_has(const uint8_t *seeds, int width, int height, tc_comm *comm, const tc_window *window, uint8_t label)
{
    const tc_own_rows own = tc_own_rows_of(comm, height);
    const int above = tc_comm_above(comm);
    bool has = false;
    for (int y = own.first; y < own.end && !has; y++)
        if (above + y >= window->y && above + y < window->y + window->height)
            has = memchr(seeds + (size_t)y * (size_t)width + (size_t)window->x, label, (size_t)window->width) != NULL;
    return tc_comm_any(comm, &has) == TILECUT_OK && has;
}

bool tc_box_window(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *window)
{
    const int all = tc_comm_height(comm, height);
    tc_window box;
    if (!tc_box_rectangle(seeds, width, height, comm, &box)) return false;
    const int margin = (int)(TC_BOX_MARGIN * sqrt((double)box.width * box.height));
    const int by = margin > TC_BOX_LEAST ? margin : TC_BOX_LEAST;
    tc_widen(&box.x, &box.width, by, width);
    tc_widen(&box.y, &box.height, by, all);
    *window = box;
    if (window->width == width && window->height == all) return false;
    /* painted background may lie inside the rectangle */
    return tc_box_has(seeds, width, height, comm, window, TILECUT_OUTSIDE);
}

/* ---- A box at the border ---------------------------------------------------------------------- */

/* If a smaller share of the image than this is background, no colours are learnt from it, unless strokes show the
 * object. */
#define SLIVER 0.04

/* Moves each end of the box on one axis, *from and *to, to the border (0 or `pixels`) if it is nearer to it than a
 * hundredth of `pixels`, rounded up. With `strip`, moves it to a hundredth from the border instead, so that a strip
 * stays outside. If there are less than 50 pixels, one is far more than a hundredth, and the ends stay. */
static void to_border(bool strip, int *from, int *to, int pixels)
{
    const int near = (pixels + 99) / 100, stays = strip && pixels > 2 * near ? near : 0;
    if (pixels < 50) return;
    if (*from <= near) *from = stays;
    if (pixels - *to <= near) *to = pixels - stays;
}

/* Returns the box after to_border() on both axes. *outside is the share of the image that lies outside of it. */
static tc_window move_to_border(const tc_window *box, int width, int height, bool strip, double *outside)
{
    int x0 = box->x, x1 = box->x + box->width, y0 = box->y, y1 = box->y + box->height;
    to_border(strip, &x0, &x1, width);
    to_border(strip, &y0, &y1, height);
    *outside = 1 - (double)(x1 - x0) * (y1 - y0) / ((double)width * height);
    return (tc_window){x0, y0, x1 - x0, y1 - y0};
}

/* Writes to *to the box with the sides near the border moved. Returns false if the box should stay as it is. */
static bool reaches_border(const tc_window *box, int width, int height, bool object, tc_window *to)
{
    double outside;
    *to = move_to_border(box, width, height, false, &outside);
    if (object && outside <= 0) return false;
    if (!object && outside < SLIVER) *to = move_to_border(box, width, height, true, &outside);
    return !tc_same_window(to, box);
}

static tilecut_status box_to_border(tc_bytes *seeds, const tc_setup *setup)
{
    tc_comm *const comm = setup->comm;
    const int width = seeds->width, height = seeds->height;
    const int all = tc_comm_height(comm, height), above = tc_comm_above(comm);
    const tc_window everything = {0, 0, width, all};
    tc_window box, to;
    const bool drawn = tc_box_drawn(seeds->from, width, height, comm, &box) &&
                       !tc_box_has(seeds->from, width, height, comm, &box, TILECUT_OUTSIDE);
    const bool object = tc_box_has(seeds->from, width, height, comm, &everything, TILECUT_FOREGROUND);
    NEED(tc_comm_check(comm));
    if (!drawn || !reaches_border(&box, width, all, object, &to)) return TILECUT_OK;
    NEED(tc_bytes_own(seeds, "seeds"));
    for (int y = 0; y < height; y++) {
        uint8_t *const row = seeds->own + (size_t)y * (size_t)width;
        const bool inside = above + y >= to.y && above + y < to.y + to.height;
        for (int x = 0; x < width; x++)
            if (row[x] == TILECUT_OUTSIDE || row[x] == TILECUT_UNKNOWN)
                row[x] = inside && x >= to.x && x < to.x + to.width ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
    }
    return TILECUT_OK;
}

/* ---- The weight of the spatial term ------------------------------------------------------------ */

/* If less than SMALL_PART of the image is nearer to the foreground's strokes, the object is probably small, and the
 * weight of the spatial term is multiplied by MORE_NEARNESS (docs/lab/quality.md). */
#define SMALL_PART 0.3
#define MORE_NEARNESS 1.5

/* Measures the distances of all cells to those with that label. */
static void measure_cells(const tc_coarse *c, uint8_t label, uint16_t *map)
{
    const size_t cells = (size_t)c->image.width * (size_t)c->image.height;
    for (size_t i = 0; i < cells; i++) map[i] = c->seeds[i] == label ? 0 : TC_CHAMFER_NOWHERE;
    tc_chamfer(map, c->image.width, c->image.height);
}

/* Computes *part, the share of the cells that are nearer to the foreground's strokes than to the background's. */
static tilecut_status part_nearer(const tc_coarse *c, double *part)
{
    const size_t cells = (size_t)c->image.width * (size_t)c->image.height;
    uint16_t *const map = malloc(2 * cells * sizeof *map);
    size_t nearer = 0;
    if (!map) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu cells", cells);
    measure_cells(c, TILECUT_FOREGROUND, map);
    measure_cells(c, TILECUT_BACKGROUND, map + cells);
    for (size_t i = 0; i < cells; i++) nearer += map[i] < map[cells + i];
    *part = (double)nearer / (double)cells;
    free(map);
    return TILECUT_OK;
}

/* Chooses setup->spatial from a small copy of the seeds, which have no box. Needs no image. */
static tilecut_status choose_spatial(const uint8_t *seeds, int width, int height, tc_setup *setup)
{
    const double enough = 40000 /* cells */, pixels = (double)width * tc_comm_height(setup->comm, height);
    const tc_window all = {0, 0, width, tc_comm_height(setup->comm, height)};
    const tilecut_image labels = {.width = width, .height = height, .channels = 1, .depth = 8};
    tilecut_status status = TILECUT_OK;
    tc_coarse cells = {0};
    double part = 1;
    bool has_all_classes;
    const bool strokes = tc_box_has(seeds, width, height, setup->comm, &all, TILECUT_FOREGROUND) &&
                         tc_box_has(seeds, width, height, setup->comm, &all, TILECUT_BACKGROUND);
    NEED(tc_comm_check(setup->comm));
    if (!strokes) return TILECUT_OK;
    TRY(tc_coarse_init(&cells, setup->comm, &labels, seeds, (int)ceil(sqrt(pixels / enough)), setup->threads,
                       &has_all_classes));
    if (has_all_classes) TRY(part_nearer(&cells, &part));
    if (part < SMALL_PART) setup->spatial *= MORE_NEARNESS;
done:
    tc_coarse_free(&cells);
    return status;
}

static bool has_box(const tc_bytes *seeds, tc_comm *comm)
{
    const tc_window all = {0, 0, seeds->width, tc_comm_height(comm, seeds->height)};
    return tc_box_has(seeds->from, seeds->width, seeds->height, comm, &all, TILECUT_OUTSIDE);
}

tilecut_status tc_seeds_settle(tc_bytes *seeds, tc_setup *setup, bool *boxless)
{
    const tc_colors *const model = tc_colors_find(setup->colors);
    if (setup->prior || setup->soft_seeds || !model || !tc_colors_learn(model)) return TILECUT_OK;
    bool box = has_box(seeds, setup->comm);
    if (box) {
        NEED(box_to_border(seeds, setup));
        box = has_box(seeds, setup->comm);
    }
    NEED(tc_comm_check(setup->comm));
    if (boxless) *boxless = !box;
    return setup->spatial_by_strokes && !box ? choose_spatial(seeds->from, seeds->width, seeds->height, setup)
                                             : TILECUT_OK;
}
