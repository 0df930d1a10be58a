/* SPDX-License-Identifier: MIT
 *
 * test_annotations.c - checks outlines with an independent point-in-polygon test, writes and reads back every format,
 * and compares run lengths with values computed by hand. Reading is tested in test_annotation_files.c.
 */
#include "annotation.h" /* must precede check.h, which defines a macro fail() */
#include "coco_runs.h"
#include "keyhole.h"
#include "outline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"

enum { MOST = 17, ROOM = MOST * MOST, ROUNDS = 400 };

typedef struct scene {
    int w, h;
    uint8_t mask[ROOM]; /* values 0 and 255 */
    uint16_t alpha[ROOM]; /* any values */
} scene;

/* Draws noise of any density, in which pixels touch in every possible way, or blocks with holes. */
static scene random_scene(uint64_t seed)
{
    scene s = {.w = 1 + random_below(&seed, MOST), .h = 1 + random_below(&seed, MOST)};
    const int density = random_below(&seed, 257), coarse = 1 + random_below(&seed, 3);
    uint8_t cell[ROOM];
    for (int p = 0; p < ROOM; p++) cell[p] = random_below(&seed, 256) < density ? 255 : 0;
    for (int y = 0; y < s.h; y++)
        for (int x = 0; x < s.w; x++) s.mask[y * s.w + x] = cell[y / coarse * MOST + x / coarse];
    for (int p = 0; p < ROOM; p++) {
        static const uint16_t rare[] = {0, 65535, 32767, 32768};
        const int kind = random_below(&seed, 8);
        s.alpha[p] = kind < 4 ? rare[kind] : (uint16_t)random_below(&seed, 65536);
    }
    return s;
}

/* ---- Outlines ------------------------------------------------------------------------------------ */

/* True if the centre of a pixel lies within a ring: if a ray to the right crosses the ring an odd number of times. */
static bool within(const outline *o, const outline_ring *ring, int x, int y)
{
    int crossed = 0;
    for (size_t i = 0; i < ring->count; i++) {
        const int32_t *const a = outline_corner_at(o, ring->first + i);
        const int32_t *const b = outline_corner_at(o, ring->first + (i + 1) % ring->count);
        const double low = fmin(a[1], b[1]), high = fmax(a[1], b[1]);
        crossed += a[0] > x && y + 0.5 > low && y + 0.5 < high;
    }
    return crossed % 2;
}

static void check_ring(const outline *o, const outline_ring *ring)
{
    int64_t area = 0;
    ck_assert(ring->count >= 4 && ring->count % 2 == 0);
    for (size_t i = 0; i < ring->count; i++) {
        const int32_t *const a = outline_corner_at(o, ring->first + i);
        const int32_t *const b = outline_corner_at(o, ring->first + (i + 1) % ring->count);
        const int32_t *const c = outline_corner_at(o, ring->first + (i + 2) % ring->count);
        ck_assert((a[0] == b[0]) != (a[1] == b[1]));            /* each line must run along an edge of pixels */
        ck_assert((a[0] == b[0]) != (b[0] == c[0]));            /* the next line must turn a corner */
        area += (int64_t)a[0] * b[1] - (int64_t)b[0] * a[1];
        for (size_t k = i + 1; k < ring->count; k++) {
            const int32_t *const other = outline_corner_at(o, ring->first + k);
            ck_assert(a[0] != other[0] || a[1] != other[1]);
        }
    }
    ck_assert(ring->hole ? area < 0 : area > 0);
}

TEST(outlines_are_simple_and_enclose_the_mask)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        const scene s = random_scene(seed);
        outline o;
        ck_assert(outline_trace(s.mask, NULL, s.w, s.h, &o));
        for (size_t i = 0; i < outline_rings(&o); i++) {
            const outline_ring *const ring = outline_ring_at(&o, i), *const before = i ? ring - 1 : NULL;
            check_ring(&o, ring);
            ck_assert_int_eq(ring->hole ? ring->object : ring->object - 1, before ? before->object : -1);
        }
        for (int p = 0; p < s.w * s.h; p++) {
            int object = -1, inside = 0;
            for (size_t i = 0; i < outline_rings(&o); i++) {
                if (!within(&o, outline_ring_at(&o, i), p % s.w, p / s.w)) continue;
                inside++;
                object = outline_ring_at(&o, i)->object;
            }
            ck_assert_msg(inside % 2 == (s.mask[p] != 0), "seed %u: pixel %d,%d", seed, p % s.w, p / s.w);
            ck_assert(!s.mask[p] || object >= 0);
        }
        outline_free(&o);
    }
}

typedef struct line {
    const int32_t *a, *b;
} line;

static int64_t side_of(const line *l, const int32_t *p)
{
    return (int64_t)(l->b[0] - l->a[0]) * (p[1] - l->a[1]) - (int64_t)(l->b[1] - l->a[1]) * (p[0] - l->a[0]);
}

static bool meet(const line *one, const line *other)
{
    const int64_t a = side_of(one, other->a), b = side_of(one, other->b);
    const int64_t c = side_of(other, one->a), d = side_of(other, one->b);
    if (!a && !b) /* the lines are collinear, so test whether they overlap */
        return fmin(one->a[0], one->b[0]) <= fmax(other->a[0], other->b[0]) &&
               fmin(other->a[0], other->b[0]) <= fmax(one->a[0], one->b[0]) &&
               fmin(one->a[1], one->b[1]) <= fmax(other->a[1], other->b[1]) &&
               fmin(other->a[1], other->b[1]) <= fmax(one->a[1], one->b[1]);
    return (a < 0 ? b >= 0 : a > 0 ? b <= 0 : true) && (c < 0 ? d >= 0 : c > 0 ? d <= 0 : true);
}

/* Lists the lines of all rings. The lines of one ring are consecutive. */
static size_t lines_of(const outline *o, line *to, size_t *ring_of)
{
    size_t count = 0;
    for (size_t r = 0; r < outline_rings(o); r++) {
        const outline_ring *const ring = outline_ring_at(o, r);
        for (size_t i = 0; i < ring->count; i++, count++) {
            ring_of[count] = r;
            to[count] = (line){outline_corner_at(o, ring->first + i),
                               outline_corner_at(o, ring->first + (i + 1) % ring->count)};
        }
    }
    return count;
}

static void check_apart(const outline *o, unsigned seed)
{
    static line all[8 * ROOM];
    static size_t ring_of[8 * ROOM];
    const size_t count = lines_of(o, all, ring_of);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            const bool next = all[i].b == all[k].a || all[k].b == all[i].a;
            ck_assert_msg(next || !meet(&all[i], &all[k]), "seed %u: two lines of rings %zu and %zu meet", seed,
                          ring_of[i], ring_of[k]);
        }
}

/* True if the centre of a pixel is inside an odd number of rings. Ring coordinates are in hundredths of a pixel. */
static bool middle_within(const outline *o, int px, int py)
{
    const double x = 100 * px + 50, y = 100 * py + 50.0001;
    static line all[8 * ROOM];
    static size_t ring_of[8 * ROOM];
    bool inside = false;
    for (size_t i = lines_of(o, all, ring_of); i-- > 0;) {
        const int32_t *const a = all[i].a, *const b = all[i].b;
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) inside = !inside;
    }
    return inside;
}

TEST(smooth_outlines_never_meet_and_enclose_the_mask)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS) / 4; seed++) {
        const scene s = random_scene(seed);
        outline o;
        ck_assert(outline_trace(s.mask, s.alpha, s.w, s.h, &o));
        check_apart(&o, seed);
        for (int p = 0; p < s.w * s.h; p++)
            ck_assert_msg(middle_within(&o, p % s.w, p / s.w) == (s.mask[p] != 0), "seed %u: pixel %d,%d", seed,
                          p % s.w, p / s.w);
        outline_free(&o);
    }
}

/* The alpha of a disc gives the fraction of each pixel that the disc covers. No point of the outline is more than a
 * tenth of a pixel from the true circle. */
TEST(a_smooth_outline_of_a_disc_is_round)
{
    static uint8_t mask[ROOM];
    static uint16_t alpha[ROOM];
    outline o;
    for (int p = 0; p < ROOM; p++) {
        int covered = 0;
        for (int k = 0; k < 64 * 64; k++)
            covered += hypot(p % MOST + (k % 64 + 0.5) / 64 - 8.3, p / MOST + (k / 64 + 0.5) / 64 - 8.6) < 6.2;
        alpha[p] = (uint16_t)(covered * 65535 / 4096);
        mask[p] = alpha[p] > 32767 ? 255 : 0;
    }
    ck_assert(outline_trace(mask, alpha, MOST, MOST, &o));
    ck_assert_uint_eq(outline_rings(&o), 1);
    for (size_t i = 0; i < outline_ring_at(&o, 0)->count; i++) {
        const int32_t *const c = outline_corner_at(&o, i);
        ck_assert_double_eq_tol(hypot(c[0] / 100.0 - 8.3, c[1] / 100.0 - 8.6), 6.2, 0.1);
    }
    outline_free(&o);
}

/* ---- There and back ------------------------------------------------------------------------------ */

static void there_and_back(const scene *s, const annotation_format *format, unsigned seed)
{
    const annotation_about about = {.photo = "cat.jpg", .label = "cat", .width = s->w, .height = s->h,
                                    .alpha = seed % 2 ? s->alpha : NULL};
    annotation_request request = {.name = "cat.json", .photo = "some/cat.jpg", .label = "cat",
                                  .rules = {.strict = true}};
    if (format == &annotation_svg) request.label = NULL; /* the SVG format has no label */
    if (format == &annotation_yolo) request.label = "0", request.width = s->w, request.height = s->h;
    bytes file = {0};
    failure why = {0};
    shapes all;
    uint8_t back[ROOM] = {0};
    const bool empty = !memchr(s->mask, 255, (size_t)(s->w * s->h));
    ck_assert_int_eq(annotation_encode(format, &about, s->mask, &file, &why), EXIT_DONE);
    const int status = annotation_read(&request, file.data, file.size, &all, NULL, &why);
    if (empty) {
        ck_assert_int_eq(status, EXIT_SEEDS);
    } else {
        ck_assert_msg(status == EXIT_DONE, "%s, seed %u: %s", format->name, seed, why.text);
        if (format != &annotation_yolo) ck_assert_int_eq(all.width, s->w);
        if (format != &annotation_yolo) ck_assert_int_eq(all.height, s->h);
        ck_assert_int_eq(annotation_paint(&request, &all, s->w, s->h, back, NULL, &why), EXIT_DONE);
        for (int p = 0; p < s->w * s->h; p++)
            ck_assert_msg((back[p] != 0) == (s->mask[p] != 0), "%s, seed %u: pixel %d,%d", format->name, seed, p % s->w,
                          p / s->w);
    }
    shapes_free(&all);
    bytes_free(&file);
}

TEST(every_format_comes_back_to_the_pixel)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        const scene s = random_scene(seed);
        there_and_back(&s, &annotation_labelme, seed);
        there_and_back(&s, &annotation_coco, seed);
        there_and_back(&s, &annotation_coco_rle, seed);
        if (memchr(s.mask, 255, (size_t)(s.w * s.h))) there_and_back(&s, &annotation_geojson, seed);
        if (memchr(s.mask, 255, (size_t)(s.w * s.h))) there_and_back(&s, &annotation_svg, seed);
        if (memchr(s.mask, 255, (size_t)(s.w * s.h))) there_and_back(&s, &annotation_studio, seed);
        if (memchr(s.mask, 255, (size_t)(s.w * s.h))) there_and_back(&s, &annotation_yolo, seed);
    }
}

/* Parses an SVG path with its commands M, H, V and Z. */
TEST(svg_paths_enclose_the_mask)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        const scene s = random_scene(seed);
        const annotation_about about = {.photo = "cat.jpg", .label = "cat", .width = s.w, .height = s.h};
        bytes file = {0};
        failure why = {0};
        uint8_t parity[ROOM] = {0};
        ck_assert_int_eq(annotation_encode(&annotation_svg, &about, s.mask, &file, &why), EXIT_DONE);
        ck_assert(bytes_append(&file, "", 1));
        const char *at = strstr((const char *)file.data, " d=\"");
        ck_assert_ptr_nonnull(at);
        int x = 0, y = 0, from_y = 0;
        for (at += 4; *at != '"';) {
            int to = 0, used = 0, start_x = 0;
            if (sscanf(at, "M%d %d%n", &start_x, &to, &used) == 2) {
                x = start_x;
                y = from_y = to;
            } else if (sscanf(at, "H%d%n", &to, &used) == 1) {
                x = to;
            } else {
                if (sscanf(at, "V%d%n", &to, &used) != 1) {
                    ck_assert(at[0] == 'Z' && at[1] == '\n');
                    to = from_y;
                    used = 2;
                }
                for (int row = to < y ? to : y; row < (to < y ? y : to); row++)
                    for (int column = x; column < s.w; column++) parity[row * s.w + column] ^= 1;
                y = to;
            }
            at += used;
        }
        for (int p = 0; p < s.w * s.h; p++) ck_assert_int_eq(parity[p], s.mask[p] != 0);
        bytes_free(&file);
    }
}

/* ---- Run lengths --------------------------------------------------------------------------------- */

TEST(runs_as_text)
{
    /* The groups of five bits, worked out by hand: 6 = '6', 1 = '1', 40 = 8 + 32 -> "X1", 5 - 1 = 4 = '4', 20 - 40 =
     * -20 -> 12 + 32, then all ones without a continuation bit = "\\O". */
    static const uint32_t runs[] = {6, 1, 40, 5, 20};
    bytes text = {0};
    ck_assert(coco_runs_write(runs, 5, &text) && bytes_append(&text, "", 1));
    ck_assert_str_eq((const char *)text.data, "61X14\\O");
    bytes_free(&text);
}

TEST(runs_come_back)
{
    for (unsigned seed = 1; seed <= RANDOM_CASES(ROUNDS); seed++) {
        uint64_t state = seed;
        uint32_t runs[64], before[2] = {0, 0};
        const size_t count = 1 + random_next(&state) % 64;
        bytes text = {0};
        for (size_t i = 0; i < count; i++) runs[i] = (uint32_t)random_next(&state) >> random_below(&state, 32);
        ck_assert(coco_runs_write(runs, count, &text) && bytes_append(&text, "", 1));
        const char *at = (const char *)text.data;
        for (size_t i = 0; i < count; i++) {
            uint32_t run = 0;
            ck_assert(coco_runs_read(&at, i > 2 ? (int64_t)before[i % 2] : 0, &run));
            ck_assert_uint_eq(run, runs[i]);
            before[i % 2] = run;
        }
        ck_assert(!*at);
        bytes_free(&text);
    }
    const char *const none[] = {"/", "p", "PPPPPPPPPP1", "O"};
    for (int i = 0; i < 4; i++) {
        const char *at = none[i];
        uint32_t run;
        ck_assert(!coco_runs_read(&at, 0, &run));
    }
}

int main(void) { return run_suite((test_suite){.name = "annotations"}); }
