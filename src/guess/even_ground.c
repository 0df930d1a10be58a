/* SPDX-License-Identifier: MIT
 *
 * even_ground.c - see even_ground.h. Colours are in sixteenths of one of 256 levels. The difference of two colours is
 * the root mean square over the channels (docs/lab/quality.md says how the limits were chosen).
 */
#include "even_ground.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "reach.h"
#include "status.h"

/* SMOOTH is the most by which the pixels of the pattern may scatter. A square beside the ground joins it in two cases:
 * its colour is within ALIKE of a colour of the pattern, or it is within FADES of one and within STEP of the ground
 * beside it. For SCATTER see goes_on(). */
enum { LEVEL = 16, SMOOTH = 8 * LEVEL, ALIKE = 3 * LEVEL, STEP = 2 * LEVEL, FADES = 16 * LEVEL, SCATTER = 2 * LEVEL };

enum { CHANNELS = 3 };

typedef struct square {
    int32_t color[CHANNELS];
    int32_t scatter; /* the standard deviation of its pixels */
    bool known;      /* true: the members above, and `object`, have been found */
    bool object, ground, taken;
} square;

typedef struct squares {
    const tilecut_image *image;
    const uint8_t *seeds;
    int side, across, down, channels;
    square *of;       /* [across * down] all squares */
    int32_t *pattern; /* [patterns] numbers of the squares in the pattern */
    int32_t *queue;   /* [across * down] */
    int patterns;
} squares;

int tc_even_side(const tilecut_image *image)
{
    const int shorter = image->width < image->height ? image->width : image->height;
    return shorter / 100 > 4 ? shorter / 100 : 4;
}

/* Returns square `at` with its mean colour, how much it scatters, and whether strokes of the object touch it. Most
 * squares are never asked for. */
static square *look_at(const squares *s, int32_t at)
{
    const tilecut_image *const image = s->image;
    const int x0 = at % s->across * s->side, y0 = at / s->across * s->side;
    const int x1 = x0 + s->side < image->width ? x0 + s->side : image->width;
    const int y1 = y0 + s->side < image->height ? y0 + s->side : image->height;
    const int64_t n = (int64_t)(x1 - x0) * (y1 - y0);
    int64_t sum[CHANNELS] = {0}, squared = 0, spread = 0;
    square *const out = &s->of[at];
    if (out->known) return out;
    out->known = true;
    for (int y = y0; y < y1; y++) {
        const void *const row = tc_image_row(image, y);
        const uint8_t *const seed = s->seeds + (size_t)y * (size_t)image->width;
        out->object |= memchr(seed + x0, TILECUT_FOREGROUND, (size_t)(x1 - x0)) != NULL;
        for (int x = x0; x < x1; x++)
            for (int c = 0; c < s->channels; c++) {
                const int level = tc_level_at(image, row, (size_t)x * (size_t)s->channels + (size_t)c);
                sum[c] += level;
                squared += level * level;
            }
    }
    spread = n * squared;
    for (int c = 0; c < s->channels; c++) {
        out->color[c] = (int32_t)((LEVEL * sum[c] + n / 2) / n);
        spread -= sum[c] * sum[c];
    }
    out->scatter = (int32_t)(LEVEL * sqrt((double)spread / (double)(n * n * s->channels)));
    return out;
}

/* True if the colours of two squares differ by at most `most`. */
static bool within(const squares *s, const square *a, const square *b, int most)
{
    int64_t sum = 0;
    for (int c = 0; c < s->channels; c++) sum += (int64_t)(a->color[c] - b->color[c]) * (a->color[c] - b->color[c]);
    return sum <= (int64_t)most * most * s->channels;
}

/* True if the even ground, which includes `from`, also includes the adjacent square `to`. */
static bool goes_on(const squares *s, const square *from, const square *to)
{
    const bool steps = within(s, from, to, STEP);
    for (int k = 0; k < s->patterns; k++) {
        const square *const p = &s->of[s->pattern[k]];
        if (2 * to->scatter <= 3 * p->scatter + 2 * SCATTER && within(s, to, p, steps ? FADES : ALIKE)) return true;
    }
    return false;
}

/* Finds the numbers of the four squares next to square `at`; -1 where the image ends. */
static void find_beside(const squares *s, int32_t at, int32_t beside[4])
{
    const int i = at % s->across, j = at / s->across;
    beside[0] = i ? at - 1 : -1;
    beside[1] = i + 1 < s->across ? at + 1 : -1;
    beside[2] = j ? at - s->across : -1;
    beside[3] = j + 1 < s->down ? at + s->across : -1;
}

/* Adds to the ground all squares that are connected to the `tail` squares in the queue or, with `take` false, removes
 * them. */
static void spread(const squares *s, int tail, bool take)
{
    for (int head = 0; head < tail; head++) {
        int32_t beside[4];
        find_beside(s, s->queue[head], beside);
        for (int k = 0; k < 4; k++) {
            square *const to = beside[k] < 0 ? NULL : &s->of[beside[k]];
            if (!to || to->taken == take) continue;
            if (take && !goes_on(s, &s->of[s->queue[head]], look_at(s, beside[k]))) continue;
            to->taken = take;
            s->queue[tail++] = beside[k];
        }
    }
}

/* Marks the squares that background strokes touch. */
static void find_strokes(const squares *s)
{
    const int width = s->image->width;
    for (int y = 0; y < s->image->height; y++) {
        const uint8_t *const row = s->seeds + (size_t)y * (size_t)width, *seed;
        for (int x = 0; x < width && (seed = memchr(row + x, TILECUT_BACKGROUND, (size_t)(width - x))) != NULL;) {
            const int i = (int)(seed - row) / s->side;
            s->of[y / s->side * s->across + i].ground = true;
            x = (i + 1) * s->side;
        }
    }
}

static void find_ground(squares *s)
{
    find_strokes(s);
    for (int32_t at = 0; at < s->across * s->down; at++)
        if (s->of[at].ground && look_at(s, at)->scatter <= SMOOTH) s->pattern[s->patterns++] = at;
    for (int k = 0; k < s->patterns; k++) s->of[s->queue[k] = s->pattern[k]].taken = true;
    spread(s, s->patterns, true);
    int shared = 0;
    for (int32_t at = 0; at < s->across * s->down; at++) {
        if (!s->of[at].taken || !s->of[at].object) continue;
        s->of[at].taken = false;
        s->queue[shared++] = at;
    }
    spread(s, shared, false);
}

tilecut_status tc_even_ground(const tilecut_image *image, const uint8_t *seeds, uint8_t *even)
{
    const size_t width = (size_t)image->width, height = (size_t)image->height;
    squares s = {.image = image, .seeds = seeds, .side = tc_even_side(image), .channels = image->channels};
    s.across = (image->width + s.side - 1) / s.side;
    s.down = (image->height + s.side - 1) / s.side;
    const size_t count = (size_t)s.across * (size_t)s.down, side = (size_t)s.side;

    memset(even, 0, width * height);
    if (!memchr(seeds, TILECUT_BACKGROUND, width * height)) return TILECUT_OK;
    s.of = calloc(count, sizeof *s.of + 2 * sizeof *s.queue);
    if (!s.of) return tc_fail(TILECUT_ENOMEM, "no memory to look for even ground in %zu squares", count);
    s.queue = (int32_t *)(s.of + count);
    s.pattern = s.queue + count;
    find_ground(&s);
    for (size_t at = 0; at < count; at++) {
        const size_t x = at % (size_t)s.across * side, y = at / (size_t)s.across * side;
        for (size_t row = y; s.of[at].taken && row < y + side && row < height; row++)
            memset(even + row * width + x, 1, x + side < width ? side : width - x);
    }
    free(s.of);
    return TILECUT_OK;
}
