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
    bool object, ground, taken;
} square;

typedef struct squares {
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

/* Finds the mean colour of square (i, j), how much it scatters, and which strokes touch it. */
static void look_at(const tilecut_image *image, const uint8_t *seeds, const squares *s, int i, int j, square *out)
{
    const int x0 = i * s->side, y0 = j * s->side;
    const int x1 = x0 + s->side < image->width ? x0 + s->side : image->width;
    const int y1 = y0 + s->side < image->height ? y0 + s->side : image->height;
    const int64_t n = (int64_t)(x1 - x0) * (y1 - y0);
    int64_t sum[CHANNELS] = {0}, squared = 0, spread = 0;
    *out = (square){.taken = false};
    for (int y = y0; y < y1; y++) {
        const void *const row = tc_image_row(image, y);
        for (int x = x0; x < x1; x++) {
            const uint8_t seed = seeds[(size_t)y * (size_t)image->width + (size_t)x];
            out->object |= seed == TILECUT_FOREGROUND;
            out->ground |= seed == TILECUT_BACKGROUND;
            for (int c = 0; c < s->channels; c++) {
                const int level = tc_level_at(image, row, (size_t)x * (size_t)s->channels + (size_t)c);
                sum[c] += level;
                squared += level * level;
            }
        }
    }
    spread = n * squared;
    for (int c = 0; c < s->channels; c++) {
        out->color[c] = (int32_t)((LEVEL * sum[c] + n / 2) / n);
        spread -= sum[c] * sum[c];
    }
    out->scatter = (int32_t)(LEVEL * sqrt((double)spread / (double)(n * n * s->channels)));
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
            if (!to || to->taken == take || (take && !goes_on(s, &s->of[s->queue[head]], to))) continue;
            to->taken = take;
            s->queue[tail++] = beside[k];
        }
    }
}

static void find_ground(const tilecut_image *image, const uint8_t *seeds, squares *s)
{
    for (int j = 0; j < s->down; j++)
        for (int i = 0; i < s->across; i++) {
            const int32_t at = j * s->across + i;
            look_at(image, seeds, s, i, j, &s->of[at]);
            if (s->of[at].ground && s->of[at].scatter <= SMOOTH) s->pattern[s->patterns++] = at;
        }
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
    squares s = {.side = tc_even_side(image), .channels = image->channels};
    s.across = (image->width + s.side - 1) / s.side;
    s.down = (image->height + s.side - 1) / s.side;
    const size_t count = (size_t)s.across * (size_t)s.down;

    memset(even, 0, width * height);
    if (!memchr(seeds, TILECUT_BACKGROUND, width * height)) return TILECUT_OK;
    s.of = malloc(count * (sizeof *s.of + 2 * sizeof *s.queue));
    if (!s.of) return tc_fail(TILECUT_ENOMEM, "no memory to look for even ground in %zu squares", count);
    s.queue = (int32_t *)(s.of + count);
    s.pattern = s.queue + count;
    find_ground(image, seeds, &s);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            even[y * width + x] = s.of[y / (size_t)s.side * (size_t)s.across + x / (size_t)s.side].taken;
    free(s.of);
    return TILECUT_OK;
}
