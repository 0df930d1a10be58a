/* SPDX-License-Identifier: MIT */
#include "samples.h"

#include "exact_math.h"
#include "lattice.h"
#include "parallel.h"

/* A ray ends after LONGEST_RAY pixels, or BEYOND pixels after the first known pixel that it reaches. */
enum { RAYS = 8, LONGEST_RAY = 256, BEYOND = 40 };

/* Squared distances of colours 0 .. 1. If a mixture leaves UNEXPLAINED or more, or if the two colours of a pair are
 * only APART apart, trust is clearly lower. */
static const double UNEXPLAINED = 0.002, APART = 0.1;
/* The cost of distance, as a squared colour distance: a sample twice as far as the nearest costs this much more. */
static const double FARNESS = 0.001;
/* The weight of a prior alpha with full trust; the nine windows of a pixel together weigh about 9. */
static const double TRUST = 0.001;

typedef struct sampling {
    const ribbon *shape;
    const matte_photo *photo;
    const uint8_t *trimap;
    float *prior, *trust;
} sampling;

typedef struct sample {
    double color[3], distance;
} sample;

/* The samples that the rays from a pixel have found. */
typedef struct met {
    sample object[RAYS], background[RAYS];
    int objects, backgrounds;
} met;

static sample sample_of(const matte_photo *photo, size_t p, double distance)
{
    const float *const color = photo->color + 3 * p;
    return (sample){{(double)color[0], (double)color[1], (double)color[2]}, distance};
}

/* How many steps of a ray lie in the image. */
static int steps_inside(const matte_photo *photo, int x, int y, int dx, int dy)
{
    int steps = LONGEST_RAY;
    if (dx) steps = tc_least(steps, dx > 0 ? photo->width - 1 - x : x);
    if (dy) steps = tc_least(steps, dy > 0 ? photo->height - 1 - y : y);
    return steps;
}

static void take(const matte_photo *photo, size_t p, double distance, bool object, met *m)
{
    if (object) m->object[m->objects++] = sample_of(photo, p, distance);
    else m->background[m->backgrounds++] = sample_of(photo, p, distance);
}

/* Takes the first known pixel on the ray, and the first one of the other class behind it. */
static void follow(const sampling *s, int x, int y, const int way[2], met *m)
{
    const matte_photo *const photo = s->photo;
    const int dx = way[0], dy = way[1];
    const double length = dx && dy ? 1.4142135623730951 : 1;
    const size_t from = (size_t)y * (size_t)photo->width + (size_t)x;
    const ptrdiff_t step = (ptrdiff_t)dy * photo->width + dx;
    const uint8_t *const at = s->trimap + from;
    int end = steps_inside(photo, x, y, dx, dy), n = 1;
    while (n <= end && at[n * step] == MATTE_UNKNOWN) n++;
    if (n > end) return;
    const uint8_t first = at[n * step], other = first == MATTE_OBJECT ? MATTE_BACKGROUND : MATTE_OBJECT;
    take(photo, from + (size_t)(n * step), n * length, first == MATTE_OBJECT, m);
    end = tc_least(end, n + BEYOND);
    for (n++; n <= end && at[n * step] != other; n++) continue;
    if (n <= end) take(photo, from + (size_t)(n * step), n * length, other == MATTE_OBJECT, m);
}

static double nearest(const sample *s, int count)
{
    double least = s[0].distance;
    for (int i = 1; i < count; i++) least = s[i].distance < least ? s[i].distance : least;
    return least;
}

/* Finds the pair that explains the colour best. Writes its alpha to *prior, and the weight of this prior to *trust. */
static void best_pair(const met *m, const float *color, float *prior, float *trust)
{
    const double near_object = nearest(m->object, m->objects), near_background = nearest(m->background, m->backgrounds);
    double least = 1e30, alpha = 0.5, unexplained = 1, apart = 0;
    for (int f = 0; f < m->objects; f++)
        for (int b = 0; b < m->backgrounds; b++) {
            double along = 0, square = 1e-4, left = 0;
            for (int c = 0; c < 3; c++) {
                const double d = m->object[f].color[c] - m->background[b].color[c];
                along += ((double)color[c] - m->background[b].color[c]) * d;
                square += d * d;
            }
            double a = along / square;
            a = a < 0 ? 0 : a > 1 ? 1 : a;
            for (int c = 0; c < 3; c++) {
                const double off = (double)color[c] - a * m->object[f].color[c] - (1 - a) * m->background[b].color[c];
                left += off * off;
            }
            const double cost = left + FARNESS * (m->object[f].distance / near_object +
                                                  m->background[b].distance / near_background);
            if (!(cost < least)) continue;
            least = cost;
            alpha = a;
            unexplained = left;
            apart = square;
        }
    *prior = (float)alpha;
    *trust = (float)(TRUST * tc_exp(-unexplained / UNEXPLAINED) * (1 - tc_exp(-apart / APART)));
}

static void sample_piece(void *context, int piece)
{
    static const int way[RAYS][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const sampling *const s = context;
    for (int n = s->shape->piece[piece]; n < s->shape->piece[piece + 1]; n++) {
        const ribbon_run *const r = &s->shape->run[n];
        for (int x = r->x; x < r->x + r->length; x++) {
            const size_t p = (size_t)r->y * (size_t)s->photo->width + (size_t)x;
            met m = {.objects = 0};
            for (int i = 0; i < RAYS; i++) follow(s, x, r->y, way[i], &m);
            s->prior[p] = 0.5F;
            s->trust[p] = 0;
            if (m.objects && m.backgrounds) best_pair(&m, s->photo->color + 3 * p, &s->prior[p], &s->trust[p]);
        }
    }
}

void tc_samples_take(const ribbon *shape, const matte_photo *photo, const uint8_t *trimap, int threads, float *prior,
                     float *trust)
{
    sampling s = {shape, photo, trimap, prior, trust};
    tc_parallel(threads, shape->pieces, sample_piece, &s);
}
