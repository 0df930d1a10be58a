/* SPDX-License-Identifier: MIT
 *
 * scale.c - see scale.h. A new pixel is a weighted mean of the old pixels around it. The weights fall linearly with the
 * distance, over one old pixel to each side when a picture grows, and over one new pixel when it shrinks. Colours are
 * weighted by their alpha, so that nothing hidden shines through.
 */
#include "scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "pixel.h"
#include "tilecut.h"

const char *scale_size_parse(const char *text, void *field)
{
    static const char *const wanted = "a size such as 800, 800x600 or 50%";
    scale_size *const size = field;
    char word[32];
    int64_t width, height;
    const size_t length = strlen(text);
    if (!length || length >= sizeof word) return wanted;
    strcpy(word, text);
    *size = (scale_size){0};
    if (word[length - 1] == '%') {
        word[length - 1] = '\0';
        return parse_real(word, &size->percent) && size->percent > 0 ? NULL : wanted;
    }
    char *const cross = strchr(word, 'x');
    if (cross) *cross = '\0';
    if (!parse_integer(word, 1, TILECUT_MAX_SIDE, &width)) return wanted;
    height = width;
    if (cross && !parse_integer(cross + 1, 1, TILECUT_MAX_SIDE, &height)) return wanted;
    size->width = (int)width;
    size->height = (int)height;
    return NULL;
}

bool scale_wanted(const scale_size *size) { return size->width > 0 || size->percent > 0; }

/* ---- one direction ---------------------------------------------------------------------------- */

/* Along one direction: the old pixels that each new pixel is a mean of, and their weights. */
typedef struct taps {
    int *first;
    int most;      /* weights per new pixel; some at the end may be 0 */
    float *weight; /* [new pixel][most] */
} taps;

static void free_taps(taps *t)
{
    free(t->first);
    free(t->weight);
}

/* Computes the weights of the old pixels for each of `to` new ones. There are `length` old pixels; each new pixel
 * covers `step` of them, and the first one begins at `begin`. Returns false if memory runs out. */
static bool make_taps(double begin, double step, int length, int to, taps *out)
{
    const double radius = step > 1 ? step : 1;
    const int reach = 2 * (int)ceil(radius) + 1;
    *out = (taps){.first = malloc((size_t)to * sizeof(int)), .most = reach < length ? reach : length};
    out->weight = calloc((size_t)to * (size_t)out->most, sizeof(float));
    for (int i = 0; out->first && out->weight && i < to; i++) {
        float *const weight = out->weight + (size_t)i * (size_t)out->most;
        const double center = begin + (i + 0.5) * step;
        int first = (int)floor(center - radius + 0.5);
        if (first > length - out->most) first = length - out->most;
        if (first < 0) first = 0;
        double sum = 0;
        for (int k = 0; k < out->most; k++) sum += fmax(0, 1 - fabs(first + k + 0.5 - center) / radius);
        for (int k = 0; k < out->most; k++)
            weight[k] = (float)(fmax(0, 1 - fabs(first + k + 0.5 - center) / radius) / sum);
        out->first[i] = first;
    }
    return out->first && out->weight;
}

/* ---- both ------------------------------------------------------------------------------------- */

typedef struct scaling {
    const image *from;
    image *to;
    taps across, down;
    float *rows; /* the latest down.most old rows in the new width; row y is at y % down.most */
    int *held;   /* number of the row at each place; -1: none */
} scaling;

/* Returns old row y in the new width, with colours multiplied by alpha. */
static const float *row_across(scaling *s, int y)
{
    const size_t n = (size_t)s->from->channels, width = (size_t)s->to->width, at = (size_t)(y % s->down.most);
    float *const row = s->rows + at * width * n;
    if (s->held[at] == y) return row;
    s->held[at] = y;
    for (size_t x = 0; x < width; x++) {
        const float *const weight = s->across.weight + x * (size_t)s->across.most;
        float sum[4] = {0};
        for (int k = 0; k < s->across.most; k++) {
            const size_t p = (size_t)y * (size_t)s->from->width + (size_t)(s->across.first[x] + k);
            const float alpha = n % 2 ? 1 : (float)sample_at(s->from, p * n + n - 1);
            for (size_t c = 0; c < n; c++)
                sum[c] += weight[k] * (n % 2 || c + 1 == n ? 1 : alpha) * (float)sample_at(s->from, p * n + c);
        }
        memcpy(row + x * n, sum, n * sizeof *sum);
    }
    return row;
}

static void put_pixel(image *to, size_t p, const float *sum)
{
    const size_t n = (size_t)to->channels;
    const float alpha = n % 2 ? 1 : sum[n - 1], most = (float)sample_max(to);
    for (size_t c = 0; c < n; c++) {
        const float v = n % 2 || c + 1 == n ? sum[c] : alpha > 0 ? sum[c] / alpha : 0;
        sample_set(to, p * n + c, (uint32_t)(fminf(v, most) + 0.5f));
    }
}

static void scale_rows(scaling *s, float *sum)
{
    const size_t row = (size_t)s->to->width * (size_t)s->to->channels;
    for (int y = 0; y < s->to->height; y++) {
        memset(sum, 0, row * sizeof *sum);
        for (int k = 0; k < s->down.most; k++) {
            const float weight = s->down.weight[(size_t)y * (size_t)s->down.most + (size_t)k];
            const float *const across = weight > 0 ? row_across(s, s->down.first[y] + k) : NULL;
            for (size_t i = 0; across && i < row; i++) sum[i] += weight * across[i];
        }
        for (size_t x = 0; x < (size_t)s->to->width; x++)
            put_pixel(s->to, (size_t)y * (size_t)s->to->width + x, sum + x * (size_t)s->to->channels);
    }
}

/* Scales the part of the picture that begins at (x, y), with `step` old pixels per new pixel, to the size of `to`. */
static int scale(image *picture, double x, double y, double step, image *to, failure *why)
{
    const size_t row = (size_t)to->width * (size_t)picture->channels;
    scaling s = {.from = picture, .to = to};
    to->channels = picture->channels;
    to->depth = picture->depth;
    to->pixels = malloc((size_t)to->height * row * (size_t)(to->depth / 8));
    bool room = to->pixels && make_taps(x, step, picture->width, to->width, &s.across);
    room = room && make_taps(y, step, picture->height, to->height, &s.down);
    float *const sum = malloc(row * sizeof *sum);
    if (room) s.rows = malloc((size_t)s.down.most * row * sizeof *s.rows);
    if (room) s.held = malloc((size_t)s.down.most * sizeof *s.held);
    room = room && sum && s.rows && s.held;
    for (int k = 0; room && k < s.down.most; k++) s.held[k] = -1;
    if (room) scale_rows(&s, sum);
    free_taps(&s.across);
    free_taps(&s.down);
    free(sum);
    free(s.rows);
    free(s.held);
    uint8_t *const gone = room ? picture->pixels : to->pixels;
    if (room) picture->width = to->width, picture->height = to->height, picture->pixels = to->pixels;
    free(gone);
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory for a picture of %dx%d", to->width,
                                   to->height);
}

int scale_to_size(const scale_size *size, uint64_t memory, image *picture, failure *why)
{
    const double w = picture->width, h = picture->height;
    const double by = size->percent > 0 ? size->percent / 100 : fmin(size->width / w, size->height / h);
    const double width = fmax(1, round(w * by)), height = fmax(1, round(h * by));
    if (width > TILECUT_MAX_SIDE || height > TILECUT_MAX_SIDE)
        return fail(why, EXIT_USAGE, "--resize: %.0fx%.0f; at most %d pixels a side are possible", width, height,
                    TILECUT_MAX_SIDE);
    const double need = width * height * picture->channels * (picture->depth / 8);
    if (need > (double)memory)
        return fail(why, EXIT_RESOURCES, "--resize: %.0fx%.0f pixels take about %.0f MB of memory but %.0f MB are "
                    "there; choose a smaller size", width, height, need / 1e6, (double)memory / 1e6);
    image to = {.width = (int)width, .height = (int)height};
    const int status = scale(picture, 0, 0, 1 / by, &to, why);
    if (!status) georeference_scale(&picture->place, by, by);
    return status;
}

int scale_to_cover(int width, int height, image *picture, failure *why)
{
    const double step = fmin((double)picture->width / width, (double)picture->height / height);
    image to = {.width = width, .height = height};
    return scale(picture, (picture->width - width * step) / 2, (picture->height - height * step) / 2, step, &to, why);
}
