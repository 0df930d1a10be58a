/* SPDX-License-Identifier: MIT
 *
 * test_correct.c - games of clicks on scenes whose truth is known (click_game.h). The mask after each click is held
 * against what tilecut_correct.h promises of it: regions are found, measured and compared here in other ways than in
 * the library.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "click_game.h"
#include "correction_regions.h"
#include "random_graph.h"
#include "run_suite.h"

static void correct(game *g, tilecut_corrected *out)
{
    int64_t foreground = 0;
    g->report = (tilecut_report){0};
    memcpy(g->before, g->mask, N);
    ck_assert_int_eq(tilecut_correct(&g->image, g->seeds, &g->params, TILECUT_BY_LEARNING, g->mask, out, &g->report),
                     TILECUT_OK);
    for (int p = 0; p < N; p++) foreground += g->mask[p] != 0;
    ck_assert_int_eq(g->report.certified, 1);
    ck_assert_int_eq(g->report.foreground, foreground);
}

/* ---- Promises ----------------------------------------------------------------------------------- */

static void check_nesting(const game *g, const tilecut_corrected *out)
{
    int64_t added = 0, removed = 0;
    for (int p = 0; p < N; p++) {
        added += g->mask[p] && !g->before[p];
        removed += !g->mask[p] && g->before[p];
        if (g->seeds[p] == TILECUT_FOREGROUND) ck_assert_int_eq(g->mask[p], 255);
        if (g->seeds[p] == TILECUT_BACKGROUND) ck_assert_int_eq(g->mask[p], 0);
    }
    ck_assert_int_eq(out->added, added);
    ck_assert_int_eq(out->removed, removed);
    ck_assert_int_eq(g->foreground ? removed : added, 0);
}

/* How deep the middle of the painted pixels in region i lies. */
static double middle_depth(const game *g, const int *number, int i)
{
    static int rim[N];
    const int count = rim_of(number, i, rim);
    double x = 0, y = 0, n = 0, best = INFINITY, most = 0;
    for (int p = 0; p < N; p++)
        if (g->painted[p] && number[p] == i) x += p % W, y += p / W, n++;
    for (int p = 0; p < N; p++) {
        if (!g->painted[p] || number[p] != i) continue;
        const double away = hypot(p % W - x / n, p / W - y / n);
        if (away < best) best = away, most = depth(rim, count, p);
    }
    return most;
}

/* Regions in which two masks differ. */
typedef struct regions {
    int number[N], size[N + 1], count;
    bool asked[N + 1]; /* holds pixels of the last click */
    int all;           /* pixels of those                */
    double part;       /* how deep the click lies in them at least, in parts of their depth */
    double discs;      /* how many discs around it that fit in those have that are as large as 3/4 of the object */
} regions;

static void find_regions(const game *g, const uint8_t *mask, regions *r)
{
    static uint8_t changed[N];
    int middle = 0, object = 0;
    memset(r, 0, sizeof *r);
    for (int p = 0; p < N; p++) object += g->before[p] != 0;
    r->part = 1;
    for (int p = 0; p < N; p++) changed[p] = mask[p] != g->before[p];
    for (int p = 0; p < N; p++) {
        if (!changed[p] || r->number[p]) continue;
        r->count++;
        r->size[r->count] = flood(changed, r->number, p, r->count);
    }
    for (int p = 0; p < N; p++)
        if (changed[p] && g->painted[p]) r->asked[r->number[p]] = true;
    for (int i = 1; i <= r->count; i++) {
        if (!r->asked[i]) continue;
        r->all += r->size[i];
        const double known = middle_depth(g, r->number, i);
        r->part = fmin(r->part, known / deepest(r->number, i, &middle));
        if (4 * r->size[i] > 3 * object) r->discs = fmax(r->discs, r->size[i] / (3.1416 * known * known));
    }
}

/* How large the error may be that the last click corrects: 8 / n^2 of the object, where n counts this click and all
 * painted places that the mask already agrees with. The object is the mask before. */
static double likely_fault(const game *g)
{
    static uint8_t painted[N];
    static int number[N];
    bool corrects[N + 1] = {0};
    double n = 1, object = 0;
    int places = 0;
    memset(number, 0, sizeof number);
    for (int p = 0; p < N; p++) painted[p] = g->seeds[p] == TILECUT_FOREGROUND || g->seeds[p] == TILECUT_BACKGROUND;
    for (int p = 0; p < N; p++)
        if (painted[p] && !number[p]) (void)flood(painted, number, p, ++places);
    for (int p = 0; p < N; p++)
        if (g->painted[p]) corrects[number[p]] = true;
    for (int i = 1; i <= places; i++) n += !corrects[i];
    for (int p = 0; p < N; p++) object += g->before[p] != 0;
    return 8 * object / (n * n);
}

/* What the regions of the click promise. Depths are Euclidean here, and may be off by that much. */
static double promise(const game *g, const regions *r, double off)
{
    const double likely = likely_fault(g), gain = r->part + off - 0.65;
    double counted = 0;
    if (g->foreground && r->discs > 6.5 * (1 + 2 * off)) return -r->all;
    for (int i = 1; i <= r->count; i++)
        if (r->asked[i]) counted += r->size[i] <= likely ? r->size[i] : pow(likely, 3) / pow(r->size[i], 2);
    return gain * (gain > 0 ? counted : r->all);
}

/* What has changed: regions around the click, and elsewhere only regions that are not larger than these or than a
 * median error, and in all not larger than both; none if the click is not in the middle of its own region. The change
 * promises no less than a stroke of a session. */
static void check_regions(const game *g)
{
    static regions got, of_stroke;
    static uint8_t stroke[N];
    const double about = 0.12;
    int elsewhere = 0;
    find_regions(g, g->mask, &got);
    const double most = got.part < 0.65 - about ? 0 : fmin(got.all, likely_fault(g) / 4);
    for (int i = 1; i <= got.count; i++) {
        if (got.asked[i]) continue;
        ck_assert_double_le(got.size[i], most);
        elsewhere += got.size[i];
    }
    ck_assert_double_le(elsewhere, fmax(got.all, likely_fault(g) / 4));
    memcpy(stroke, g->before, N);
    ck_assert_int_eq(tilecut_correct(&g->image, g->seeds, &g->params, TILECUT_BY_STROKES, stroke, NULL, NULL),
                     TILECUT_OK);
    find_regions(g, stroke, &of_stroke);
    ck_assert_double_ge(promise(g, &got, about), promise(g, &of_stroke, -about));
}

static double overlap(const game *g, const uint8_t *mask)
{
    double both = 0, either = 0;
    for (int p = 0; p < N; p++) both += mask[p] && g->truth[p], either += mask[p] || g->truth[p];
    return either > 0 ? both / either : 1;
}

/* ---- Tests -------------------------------------------------------------------------------------- */

LOOP_TEST(clicks_keep_what_was_right, 0, RANDOM_CASES(20))
{
    static game g;
    uint64_t state = 100 + (uint64_t)_i;
    tilecut_corrected out = {0};
    game_init(&g, &state);
    begin(&g);
    for (int i = 0; i < CLICKS; i++) {
        int at = largest_fault(&g);
        for (int tries = 0; i % 3 == 2 && tries < 1000; tries++) { /* not all users look for the largest fault */
            const int p = random_below(&state, N);
            if (g.mask[p] == g.truth[p] || g.seeds[p]) continue;
            at = p;
            break;
        }
        if (at < 0) break;
        click(&g, at);
        correct(&g, &out);
        check_nesting(&g, &out);
        check_regions(&g);
    }
}

typedef struct tally {
    int clicks, hurt;
    double overlap; /* at the end, mean */
} tally;

/* Plays games of clicks in the middle of the largest error. `anew`: each mask is learnt from all clicks, whatever the
 * mask before was. */
static tally play(int games, bool anew)
{
    static game g;
    uint64_t state = 7;
    tally sum = {0};
    tilecut_corrected out = {0};
    for (int i = 0; i < games; i++) {
        game_init(&g, &state);
        begin(&g);
        for (int j = 0, at; j < CLICKS && (at = largest_fault(&g)) >= 0; j++) {
            click(&g, at);
            memcpy(g.before, g.mask, N);
            if (anew) ck_assert_int_eq(tilecut_segment(&g.image, g.seeds, &g.params, g.mask, NULL), TILECUT_OK);
            else correct(&g, &out);
            sum.clicks++;
            sum.hurt += overlap(&g, g.mask) < overlap(&g, g.before) - 0.02;
        }
        sum.overlap += overlap(&g, g.mask) / games;
    }
    return sum;
}

/* Clicks hardly ever lower the overlap; learning anew without the mask before does it often. */
TEST(clicks_help)
{
    const tally kept = play(RANDOM_CASES(60), false), anew = play(RANDOM_CASES(60), true);
    ck_assert_int_gt(kept.clicks, RANDOM_CASES(60));
    if (RANDOM_CASES(60) == 60) ck_assert_int_le(100 * kept.hurt, 3 * kept.clicks); /* of a few games one is too many */
    ck_assert_int_le(2 * kept.hurt, anew.hurt);
    ck_assert_double_gt(kept.overlap, 0.97);
}

/* A game in which the third click takes away what colours alone would leave, because sizes are compared; by whatever
 * solver. */
LOOP_TEST(sizes_help_a_click_that_takes_away, 0, 3)
{
    static const struct { const char *solver; int threads; } ways[] = {{NULL, 1}, {"bk", 1}, {"push", 4}};
    static game g;
    uint64_t state = 1079;
    tilecut_corrected out = {0};
    game_init(&g, &state);
    begin(&g);
    for (int i = 0; i < 3; i++) {
        g.params = (tilecut_params){.solver = ways[_i].solver, .threads = ways[_i].threads};
        click(&g, largest_fault(&g));
        correct(&g, &out);
        check_nesting(&g, &out);
    }
    ck_assert(!g.foreground);
    ck_assert_double_gt(overlap(&g, g.mask), 0.9);
}

/* Where no click contradicts the mask it stays, and nothing is learnt. */
TEST(clicks_that_agree_change_nothing)
{
    static game g;
    uint64_t state = 3;
    tilecut_corrected out = {0};
    game_init(&g, &state);
    begin(&g);
    memcpy(g.mask, g.truth, N);
    correct(&g, &out);
    ck_assert_mem_eq(g.mask, g.truth, N);
    ck_assert_int_eq(out.added + out.removed, 0);
    ck_assert_str_eq(g.report.solver, "none");
}

static void paint_square(uint8_t *to, int x, int y, int width, int height, uint8_t value)
{
    for (int p = 0; p < N; p++)
        if (p % W >= x && p % W < x + width && p / W >= y && p / W < y + height) to[p] = value;
}

/* Two pieces of a plain object are missing, one of which is clicked on. After one click what is learnt from it mends
 * the other, too, and so it does after four; after twelve that the mask agrees with, so large a fault would have been
 * clicked on before. If there are three pieces, two of them are more in all than is asked for, and than is likely after
 * four clicks. */
LOOP_TEST(faults_elsewhere_shrink, 0, 4)
{
    static game g;
    const int clicks = (int[]){1, 4, 12, 4}[_i];
    const bool mended = _i < 2;
    tilecut_corrected out = {0};
    memset(&g, 0, sizeof g);
    g.image = (tilecut_image){.width = W, .height = H, .channels = 1, .depth = 8, .pixels = g.pixels};
    paint_square(g.pixels, 0, 0, W, H, 200);
    paint_square(g.pixels, 20, 15, 40, 30, 60);
    paint_square(g.mask, 20, 15, 40, 30, 255);
    paint_square(g.mask, 25, 20, 8, 8, 0);
    paint_square(g.mask, 45, 20, 8, 8, 0);
    if (_i == 3) paint_square(g.mask, 35, 20, 8, 8, 0);
    paint_square(g.seeds, 0, 0, W, 1, TILECUT_OUTSIDE);
    for (int i = 0; i < clicks; i++)
        paint_square(g.seeds, 22 + i % 6 * 6, 33 + i / 6 * 6, 2, 2, TILECUT_FOREGROUND);
    g.foreground = true;
    paint_square(g.seeds, 28, 23, 2, 2, TILECUT_FOREGROUND);
    correct(&g, &out);
    ck_assert_int_eq(out.added, mended ? 128 : 64);
    ck_assert_int_eq(g.mask[24 * W + 49], mended ? 255 : 0);
}

/* Four clicks on an object, the last of which lies beside it in the middle of a field. Colours say that all of the
 * field belongs to the object; but that is eleven times as large as the object is so far, and a user begins with what
 * is most wrong. So only what the click touches is added. */
TEST(a_late_click_does_not_add_many_times_the_object)
{
    static game g;
    tilecut_corrected out = {0};
    memset(&g, 0, sizeof g);
    g.image = (tilecut_image){.width = W, .height = H, .channels = 1, .depth = 8, .pixels = g.pixels};
    paint_square(g.pixels, 0, 0, W, H, 40);
    paint_square(g.pixels, 12, 8, 56, 44, 90);
    paint_square(g.pixels, 30, 16, 20, 10, 220);
    paint_square(g.mask, 30, 16, 20, 10, 255);
    paint_square(g.seeds, 0, 0, W, 1, TILECUT_BACKGROUND);
    for (int i = 0; i < 3; i++) paint_square(g.seeds, 32 + 6 * i, 20, 3, 3, TILECUT_FOREGROUND);
    paint_square(g.seeds, 39, 38, 3, 3, TILECUT_FOREGROUND);
    g.foreground = true;
    correct(&g, &out);
    check_nesting(&g, &out);
    ck_assert_int_ge(out.added, 9);
    ck_assert_int_le(out.added, 200);
}

/* A bar of the object is missing, and a line is painted along it. If it has a colour of its own, it is added as a
 * whole. If a field has the same colour, in whose middle it lies, colours say that all of the field belongs to the
 * object; but the line would have been longer then. So only what is near to it is added. */
LOOP_TEST(a_line_adds_what_it_fills, 0, 2)
{
    static game g;
    tilecut_corrected out = {0};
    memset(&g, 0, sizeof g);
    g.image = (tilecut_image){.width = W, .height = H, .channels = 1, .depth = 8, .pixels = g.pixels};
    paint_square(g.pixels, 0, 0, W, H, 40);
    paint_square(g.pixels, 12, 8, 56, 44, _i ? 120 : 40);
    paint_square(g.pixels, 26, 27, 28, 6, 120);
    paint_square(g.pixels, 30, 20, 20, 4, 220);
    paint_square(g.mask, 30, 20, 20, 4, 255);
    paint_square(g.seeds, 0, 0, W, 1, TILECUT_OUTSIDE);
    paint_square(g.seeds, 32, 21, 16, 2, TILECUT_FOREGROUND);
    paint_square(g.seeds, 27, 29, 26, 2, TILECUT_FOREGROUND);
    g.foreground = true;
    correct(&g, &out);
    check_nesting(&g, &out);
    if (_i) ck_assert_int_le(out.added, 28 * 6);
    else ck_assert_int_eq(out.added, 28 * 6);
    for (int p = 0; p < N; p++)
        if (g.mask[p] && !g.before[p]) ck_assert_int_le(abs(2 * (p / W) + 1 - 60), 14);
}

/* A region with its seed in the middle promises about a third of its pixels, less if an error of that size is unlikely;
 * one with its seed at the edge promises nothing. */
TEST(regions_promise_less_beyond_what_is_likely)
{
    static int32_t number[N];
    static uint16_t depth_room[(W + 2) * (H + 2)];
    static size_t queue[N];
    static uint8_t before[N], after[N], seeds[N];
    tc_regions r = {.width = W, .height = H, .connectivity = 4, .number = number, .depth = depth_room, .queue = queue};
    memset(before, 0, N), memset(after, 0, N), memset(seeds, 0, N);
    paint_square(after, 20, 20, 21, 21, 255);
    paint_square(after, 60, 20, 9, 9, 255); /* nobody asks for it */
    paint_square(seeds, 0, 0, W, H, TILECUT_UNKNOWN);
    seeds[30 * W + 30] = TILECUT_FOREGROUND;
    ck_assert_int_eq(tc_regions_find(&r, before, after, seeds), TILECUT_OK);
    ck_assert_int_eq(tc_regions_asked(&r), 441);
    ck_assert_double_eq_tol(tc_regions_promise(&r, 441), 441 * 0.35, 1e-9);
    ck_assert_double_eq_tol(tc_regions_promise(&r, 1000), 441 * 0.35, 1e-9);
    ck_assert_double_eq_tol(tc_regions_promise(&r, 147), 147.0 / 9 * 0.35, 1e-9);
    seeds[30 * W + 30] = TILECUT_UNKNOWN, seeds[20 * W + 20] = TILECUT_FOREGROUND;
    ck_assert_int_eq(tc_regions_find(&r, before, after, seeds), TILECUT_OK);
    ck_assert_double_lt(tc_regions_promise(&r, 147), -0.5 * 441);
    tc_regions_free(&r);
}

/* Nearly all of a bar lies in discs around a line along it that fit into the bar. If the bar goes on beyond the ends of
 * the line, less of it does, though the middle of the line is as deep. */
TEST(regions_promise_by_what_a_line_fills)
{
    static int32_t number[N];
    static uint16_t depth_room[(W + 2) * (H + 2)], reach[N];
    static size_t queue[N];
    static uint8_t before[N], after[N], seeds[N];
    tc_regions r = {.width = W, .height = H, .connectivity = 4, .number = number, .depth = depth_room, .queue = queue,
                    .reach = reach};
    memset(before, 0, N), memset(after, 0, N), memset(seeds, 0, N);
    paint_square(after, 10, 25, 60, 9, 255);
    paint_square(after, 10, 40, 60, 9, 255); /* nobody asks for it */
    paint_square(seeds, 10, 29, 60, 1, TILECUT_FOREGROUND);
    for (int i = 0; i < 2; i++) {
        r.line = i == 1;
        ck_assert_int_eq(tc_regions_find(&r, before, after, seeds), TILECUT_OK);
        if (i == 0) ck_assert_double_eq_tol(tc_regions_promise(&r, N), -540, 1e-9); /* longer than a click knows */
    }
    ck_assert_double_gt(tc_regions_promise(&r, N), 540 * 0.47); /* corners are not filled */
    ck_assert_double_le(tc_regions_promise(&r, N), 540 * 0.5);
    ck_assert_double_eq_tol(tc_regions_promise(&r, 180), tc_regions_promise(&r, N) / 27, 1e-9);
    memset(seeds, 0, N);
    paint_square(seeds, 30, 29, 21, 1, TILECUT_FOREGROUND);
    ck_assert_int_eq(tc_regions_find(&r, before, after, seeds), TILECUT_OK);
    const int filled = 21 * 9; /* and two half discs */
    ck_assert_double_ge(tc_regions_promise(&r, N), filled - 270);
    ck_assert_double_lt(tc_regions_promise(&r, N), 0);
    tc_regions_free(&r);
}

LOOP_TEST(every_solver_and_thread_count_agrees, 0, RANDOM_LOOPS(6))
{
    static const struct { const char *solver; int threads; } ways[] = {{"bk", 1}, {"push", 2}, {"push", 4}};
    static uint8_t before[N], wanted[N];
    static game g;
    uint64_t state = 40 + (uint64_t)_i;
    tilecut_corrected out = {0};
    game_init(&g, &state);
    begin(&g);
    const int at = largest_fault(&g);
    if (at < 0) return;
    click(&g, at);
    memcpy(before, g.mask, N);
    correct(&g, &out);
    memcpy(wanted, g.mask, N);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        g.params = (tilecut_params){.solver = ways[i].solver, .threads = ways[i].threads};
        memcpy(g.mask, before, N);
        correct(&g, &out);
        ck_assert_mem_eq(g.mask, wanted, N);
    }
}

int main(void) { return run_suite((test_suite){.name = "correct", .seconds = 600}); }
