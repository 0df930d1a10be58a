/* SPDX-License-Identifier: MIT
 *
 * test_correct.c - games of clicks on scenes with a known true mask (click_game.h). After each click the mask must keep
 * the promises of tilecut_correct.h. Regions are found, measured and compared here by other methods than in the
 * library.
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

/* Returns the depth in region i at the middle of the painted pixels. */
static double middle_depth(const game *g, const int *number, int i)
{
    static int border[N];
    const int count = rim_of(number, i, border);
    double x = 0, y = 0, n = 0, best = INFINITY, most = 0;
    for (int p = 0; p < N; p++)
        if (g->painted[p] && number[p] == i) x += p % W, y += p / W, n++;
    for (int p = 0; p < N; p++) {
        if (!g->painted[p] || number[p] != i) continue;
        const double away = hypot(p % W - x / n, p / W - y / n);
        if (away < best) best = away, most = depth(border, count, p);
    }
    return most;
}

/* The regions in which two masks differ. */
typedef struct regions {
    int number[N], size[N + 1], count;
    bool asked[N + 1]; /* true if the region has pixels of the last click */
    int all;           /* number of pixels in all such regions */
    double part;       /* least depth of the click in these regions, as a fraction of the region's depth */
    /* largest ratio of a region's area to the disc around the click; only for regions over 3/4 of the object, or larger
     * than is likely */
    double discs;
} regions;

/* Returns the likely size of the error that the last click corrects: 8 / n^2 of the object's size, where the object is
 * the mask before. n counts this click and all painted places that the mask already agrees with. */
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

static void find_regions(const game *g, const uint8_t *mask, regions *r)
{
    static uint8_t changed[N];
    int middle = 0, object = 0;
    memset(r, 0, sizeof *r);
    for (int p = 0; p < N; p++) object += g->before[p] != 0;
    const double likely = likely_fault(g);
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
        if (r->size[i] > fmin(0.75 * object, likely)) r->discs = fmax(r->discs, r->size[i] / (3.1416 * known * known));
    }
}

/* Returns the gain that the regions of the click promise. Depths here are Euclidean, and may differ from the library's
 * by `off`. */
static double promise(const game *g, const regions *r, double off)
{
    const double likely = likely_fault(g), gain = r->part + off - 0.65;
    double counted = 0;
    if (g->foreground && r->discs > 6.5 * (1 + 2 * off)) return -r->all;
    for (int i = 1; i <= r->count; i++)
        if (r->asked[i]) counted += r->size[i] <= likely ? r->size[i] : pow(likely, 3) / pow(r->size[i], 2);
    return gain * (gain > 0 ? counted : r->all);
}

/* Checks what has changed. Regions that contain the click may change. If the click is in the middle of its region,
 * other regions may change as well: each is at most as large as the click's regions and as the median error, and all
 * together are at most as large as the larger of the two. The change promises at least as much as a stroke of a session
 * would. */
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
        for (int tries = 0; i % 3 == 2 && tries < 1000; tries++) { /* not every user clicks on the largest error */
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
    double overlap; /* mean overlap with the truth at the end of a game */
} tally;

/* Plays games of clicks in the middle of the largest error. With `anew`, each mask is learnt from all clicks, without
 * the previous mask. */
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

/* Clicks rarely lower the overlap. Learning anew without the previous mask lowers it often. */
TEST(clicks_help)
{
    const tally kept = play(RANDOM_CASES(60), false), anew = play(RANDOM_CASES(60), true);
    ck_assert_int_gt(kept.clicks, RANDOM_CASES(60));
    /* checked only in runs of many games, because in few games a single click that hurts exceeds 3 % */
    if (RANDOM_CASES(60) == 60) ck_assert_int_le(100 * kept.hurt, 3 * kept.clicks);
    ck_assert_int_le(2 * kept.hurt, anew.hurt);
    ck_assert_double_gt(kept.overlap, 0.97);
}

/* A game in which the third click removes what colours alone would leave, because sizes are compared. Every solver
 * gives this. */
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

/* A game in which the second click, on the background, is in colours of the object. What is learnt from the two clicks
 * is a block around the first one, and the object would be lost. */
TEST(two_clicks_do_not_leave_a_block)
{
    static game g;
    uint64_t state = 673;
    tilecut_corrected out = {0};
    game_init(&g, &state);
    begin(&g);
    click(&g, largest_fault(&g));
    correct(&g, &out);
    check_nesting(&g, &out);
    ck_assert(!g.foreground);
    ck_assert_double_gt(overlap(&g, g.mask), overlap(&g, g.before));
}

/* If no click contradicts the mask, the mask stays and nothing is learnt. */
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

/* Begins with an image of one grey level, no seeds and an empty mask. */
static void begin_plain(game *g, uint8_t level)
{
    memset(g, 0, sizeof *g);
    g->image = (tilecut_image){.width = W, .height = H, .channels = 1, .depth = 8, .pixels = g->pixels};
    paint_square(g->pixels, 0, 0, W, H, level);
}

/* Two pieces of a plain object are missing, and one of them is clicked on. After one click, or four, the colours learnt
 * from it restore the other piece as well. After twelve clicks that agree with the mask the other piece stays missing,
 * because the user would have clicked on so large an error before. With three pieces missing, the other two are
 * together larger than the clicked one, and larger than is likely after four clicks, so they stay missing. */
LOOP_TEST(faults_elsewhere_shrink, 0, 4)
{
    static game g;
    const int clicks = (int[]){1, 4, 12, 4}[_i];
    const bool mended = _i < 2;
    tilecut_corrected out = {0};
    begin_plain(&g, 200);
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

/* Four clicks on an object, and a last one beside it in the middle of a field. By colour the whole field would belong
 * to the object. But the field is eleven times as large as the object so far, and a user corrects the largest error
 * first. So only the region around the click is added. */
TEST(a_late_click_does_not_add_many_times_the_object)
{
    static game g;
    tilecut_corrected out = {0};
    begin_plain(&g, 40);
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

/* Six clicks; the last is on a long strip beside the object. By colour it belongs to the object, but it is far larger
 * than the disc around the click, and than an error is likely to be after six clicks. The same click as the second adds
 * the whole strip. */
LOOP_TEST(a_late_click_adds_less_of_a_strip, 1, 3)
{
    static game g;
    tilecut_corrected out = {0};
    begin_plain(&g, 40);
    paint_square(g.pixels, 10, 4, 40, 30, 220);
    paint_square(g.pixels, 2, 44, W - 4, 6, 90);
    paint_square(g.mask, 10, 4, 40, 30, 255);
    paint_square(g.seeds, 0, 0, W, 1, TILECUT_BACKGROUND);
    for (int i = 0; i < (_i == 1 ? 5 : 1); i++) paint_square(g.seeds, 14 + 7 * i, 17, 3, 3, TILECUT_FOREGROUND);
    paint_square(g.seeds, W / 2, 45, 3, 3, TILECUT_FOREGROUND);
    g.foreground = true;
    correct(&g, &out);
    if (_i == 1) ck_assert_int_lt(out.added, 3 * (W - 4));
    else ck_assert_int_ge(out.added, 6 * (W - 4));
}

/* A bar of the object is missing, and a line is painted along it. If the bar has its own colour, it is added as a
 * whole. If the line lies in the middle of a field of the same colour, the colours would add the whole field. But for a
 * whole field the user would have painted a longer line, so only what is near the line is added. */
LOOP_TEST(a_line_adds_what_it_fills, 0, 2)
{
    static game g;
    tilecut_corrected out = {0};
    begin_plain(&g, 40);
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

/* A mask of the whole photo has no outline that could lie on edges, so it does not speak against what is learnt. With
 * so many strokes no sizes are compared. */
TEST(a_click_shrinks_a_mask_of_the_whole_photo)
{
    static game g;
    uint64_t state = 3;
    tilecut_corrected out = {0};
    begin_plain(&g, 0);
    for (int y = 0; y < H; y += 6)
        for (int x = 0; x < W; x += 8) paint_square(g.pixels, x, y, 8, 6, (uint8_t)(60 + random_below(&state, 60)));
    paint_square(g.pixels, 52, 18, 21, 25, 140);
    paint_square(g.truth, 52, 18, 21, 25, 255);
    for (int p = 0; p < N; p++) g.pixels[p] = (uint8_t)(g.pixels[p] + random_below(&state, 30));
    memset(g.mask, 255, N);
    for (int i = 0; i < 8; i++) g.seeds[(20 + 6 * (i / 2)) * W + 57 + 10 * (i % 2)] = TILECUT_FOREGROUND;
    g.seeds[30 * W + 25] = TILECUT_BACKGROUND;
    correct(&g, &out);
    check_nesting(&g, &out);
    ck_assert_double_gt(overlap(&g, g.mask), 0.9);
}

/* Returns memory for the depths of regions; the caller frees it. */
static uint16_t *regions_room(void)
{
    uint16_t *const room = malloc(tc_regions_room(W, H));
    ck_assert_ptr_nonnull(room);
    return room;
}

/* A region with the click in its middle promises about a third of its pixels, and less if an error of that size is
 * unlikely. A region with the click at its edge promises nothing. */
TEST(regions_promise_less_beyond_what_is_likely)
{
    static int32_t number[N];
    static uint8_t before[N], after[N], seeds[N];
    tc_regions r = {.width = W, .height = H, .connectivity = 4, .number = number, .depth = regions_room()};
    memset(before, 0, N), memset(after, 0, N), memset(seeds, 0, N);
    paint_square(after, 20, 20, 21, 21, 255);
    paint_square(after, 60, 20, 9, 9, 255); /* this region contains no click */
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
    free(r.depth);
}

/* Discs around a line along a bar cover nearly all of the bar. If the bar continues beyond the ends of the line, they
 * cover less, though the middle of the line is as deep. */
TEST(regions_promise_by_what_a_line_fills)
{
    static int32_t number[N];
    static uint8_t before[N], after[N], seeds[N];
    tc_regions r = {.width = W, .height = H, .connectivity = 4, .number = number, .depth = regions_room()};
    r.reach = r.depth + tc_regions_framed(W, H);
    memset(before, 0, N), memset(after, 0, N), memset(seeds, 0, N);
    paint_square(after, 10, 25, 60, 9, 255);
    paint_square(after, 10, 40, 60, 9, 255); /* this region contains no click */
    paint_square(seeds, 10, 29, 60, 1, TILECUT_FOREGROUND);
    for (int i = 0; i < 2; i++) {
        r.line = i == 1;
        ck_assert_int_eq(tc_regions_find(&r, before, after, seeds), TILECUT_OK);
        /* the bar is longer than a single click can show */
        if (i == 0) ck_assert_double_eq_tol(tc_regions_promise(&r, N), -540, 1e-9);
    }
    /* discs do not cover the corners, so the sum is smaller */
    ck_assert_double_gt(tc_regions_promise(&r, N), 540 * 0.47);
    ck_assert_double_le(tc_regions_promise(&r, N), 540 * 0.5);
    ck_assert_double_eq_tol(tc_regions_promise(&r, 180), tc_regions_promise(&r, N) / 27, 1e-9);
    memset(seeds, 0, N);
    paint_square(seeds, 30, 29, 21, 1, TILECUT_FOREGROUND);
    ck_assert_int_eq(tc_regions_find(&r, before, after, seeds), TILECUT_OK);
    const int filled = 21 * 9; /* the line's discs cover a rectangle, and a half disc at each end */
    ck_assert_double_ge(tc_regions_promise(&r, N), filled - 270);
    ck_assert_double_lt(tc_regions_promise(&r, N), 0);
    tc_regions_free(&r);
    free(r.depth);
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
