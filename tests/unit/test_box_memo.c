/* SPDX-License-Identifier: MIT
 *
 * test_box_memo.c - strokes in a box with a memo give the same bits as calls without one. A memo is used, and discards
 * entries for other pixels, boxes or options.
 * Threads: run under the thread sanitizer, too.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "box_memo.h"
#include "box_scene.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_correct.h"

static scene s;
static uint8_t mask[N], other[N];

static tc_memo_key key_of(const tilecut_params *params)
{
    tc_setup setup;
    ck_assert_int_eq(tc_setup_resolve(&setup, params), TILECUT_OK);
    return tc_memo_key_of(&s.image, &setup, &s.box);
}

static bool known(tilecut_memo *memo, const tilecut_params *params)
{
    tilecut_report report;
    const tc_memo_key key = key_of(params);
    return tc_memo_recall(memo, &key, other, &report);
}

static tilecut_memo *new_memo(void)
{
    tilecut_memo *memo = NULL;
    ck_assert_int_eq(tilecut_memo_create(&memo), TILECUT_OK);
    return memo;
}

/* The box fits, cuts through its object, or leaks. */
enum { FITS, CUTS, LEAKS, KINDS };

static void draw_kind(int kind, int number)
{
    static const uint64_t seed[KINDS][2] = {{1, 3}, {9, 12}, {2, 4}};
    uint64_t state = seed[kind][number];
    if (kind == LEAKS) draw_leak(&s, &state);
    else draw(&s, &state, number ? 16 : 8);
    if (kind == CUTS) set_box(&s, shifted(&s, &state), TILECUT_OUTSIDE);
}

/* Paints a disc with the correct label, sometimes across a side of the box. */
static void paint(uint64_t *state)
{
    const int x = random_below(state, W), y = random_below(state, H);
    for (int p = 0; p < N; p++) {
        const int dx = p % W - x, dy = p / W - y;
        if (dx * dx + dy * dy <= 9) s.seeds[p] = s.truth[p] ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
}

/* ---- Sessions ---------------------------------------------------------------------------------- */

/* Cuts, or corrects `mask`, with and without a memo, and checks that the results are equal. */
static void both(tilecut_memo *memo, bool corrects)
{
    tilecut_params params = tilecut_params_default();
    tilecut_report report[2] = {{0}, {0}};
    memcpy(other, mask, N);
    for (int with = 0; with < 2; with++) {
        uint8_t *const to = with ? mask : other;
        const int how = corrects ? TILECUT_BY_LEARNING : TILECUT_ANEW;
        const tilecut_status status =
            with       ? tilecut_memo_cut(memo, &s.image, s.seeds, &params, how, to, &report[with])
            : corrects ? tilecut_correct(&s.image, s.seeds, &params, how, to, NULL, &report[with])
                       : tilecut_segment(&s.image, s.seeds, &params, to, &report[with]);
        ck_assert_msg(status == TILECUT_OK, "%s", tilecut_error_detail());
    }
    ck_assert_mem_eq(mask, other, N);
    ck_assert_int_eq(report[0].flow, report[1].flow);
    ck_assert_int_eq(report[0].foreground, report[1].foreground);
    ck_assert_int_eq(report[0].iterations, report[1].iterations);
    ck_assert(report[0].energy == report[1].energy && report[0].beta == report[1].beta);
    ck_assert_str_eq(report[0].solver, report[1].solver);
}

/* The loop index selects the kind of box. */
LOOP_TEST(strokes_one_by_one_are_those_without_a_memo, 0, RANDOM_BY_NIGHT(RANDOM_LOOPS(2 * KINDS)))
{
    enum { STROKES = 4 };
    static uint8_t before[N], seeds[N], first[N];
    tilecut_memo *const memo = new_memo();
    uint64_t state = (uint64_t)_i + 1;
    draw_kind(_i / 2, _i % 2);
    both(memo, false);
    ck_assert(known(memo, NULL));
    for (int i = 0; i < STROKES; i++) {
        memcpy(before, mask, N), memcpy(seeds, s.seeds, N);
        paint(&state);
        both(memo, true);
        memcpy(first, mask, N);
        if (i != 1) continue;
        memcpy(mask, before, N), memcpy(s.seeds, seeds, N); /* undoes the stroke, and paints it again */
        both(memo, true);
        ck_assert_mem_eq(mask, before, N);
        state = (uint64_t)_i + 77;
        paint(&state);
        both(memo, true);
        both(memo, false);
        memcpy(mask, first, N);
    }
    tilecut_memo_destroy(memo);
}

LOOP_TEST(a_box_that_was_mended_is_known_as_such, 0, RANDOM_BY_NIGHT(RANDOM_LOOPS(KINDS)))
{
    static const tc_fit expected[KINDS] = {TC_FIT_UNKNOWN, TC_FIT_AS_IT_IS, TC_FIT_BEYOND};
    tilecut_memo *const memo = new_memo();
    draw_kind(_i, 0);
    ck_assert_int_eq(tilecut_memo_cut(memo, &s.image, s.seeds, NULL, TILECUT_ANEW, mask, NULL), TILECUT_OK);
    const tc_memo_key key = key_of(NULL);
    const tc_fit fit = tc_memo_recall_fit(memo, &key, other);
    ck_assert_int_eq(fit, expected[_i]);
    if (fit == TC_FIT_BEYOND) ck_assert_mem_eq(other, mask, N);
    tilecut_memo_destroy(memo);
}

/* A foreground stroke across a side of the box does not change the result for the box: the box is still cut without
 * strokes, and the result corrected. */
LOOP_TEST(a_stroke_across_the_side_is_one_in_a_box, 0, RANDOM_BY_NIGHT(2))
{
    tilecut_memo *const memo = new_memo();
    const tc_window *const box = &s.box;
    draw_kind(CUTS, _i);
    int across = 0;
    for (int p = 0; p < N; p++) {
        const int x = p % W, y = p / W, beside = x == box->x - 1 || x == box->x + box->width;
        const bool within = y >= box->y && y < box->y + box->height && (in_window(box, x, y) || beside);
        if (!within || !s.truth[p]) continue;
        if (x == box->x - 1 || x == box->x || x >= box->x + box->width - 1) s.seeds[p] = TILECUT_FOREGROUND;
        across += beside;
    }
    ck_assert_int_ge(across, 1);
    ck_assert_int_eq(tilecut_memo_cut(memo, &s.image, s.seeds, NULL, TILECUT_ANEW, mask, NULL), TILECUT_OK);
    ck_assert(known(memo, NULL));
    int wrong = 0;
    for (int p = 0; p < N; p++) wrong += mask[p] != s.truth[p];
    ck_assert_msg(wrong <= N / 100, "%d wrong", wrong);
    tilecut_memo_destroy(memo);
}

/* If an entry of the memo is made wrong, the answer is wrong, which shows that memos are used. */
LOOP_TEST(a_memo_is_asked, 0, RANDOM_BY_NIGHT(1))
{
    tilecut_memo *const memo = new_memo();
    tilecut_report report = {0};
    draw_kind(FITS, 0);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, &report), TILECUT_OK);
    for (int p = 0; p < N; p++) other[p] = in_window(&s.box, p % W, p / W) && !mask[p] ? 255 : 0;
    const tc_memo_key key = key_of(NULL);
    tc_memo_keep(memo, &key, other, &report);
    for (int p = 0; p < N; p++) s.seeds[p] = p == H / 2 * W + W / 2 ? TILECUT_FOREGROUND : s.seeds[p];
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, other, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_memo_cut(memo, &s.image, s.seeds, NULL, TILECUT_ANEW, mask, NULL), TILECUT_OK);
    ck_assert_mem_ne(mask, other, N);
    tilecut_memo_destroy(memo);
}

/* ---- Forgetting -------------------------------------------------------------------------------- */

/* After a change of the box, of a pixel or of an option, the mask is cut anew, and the memo then holds the new case
 * instead. */
LOOP_TEST(what_has_changed_is_forgotten, 0, RANDOM_BY_NIGHT(RANDOM_LOOPS(3)))
{
    tilecut_memo *const memo = new_memo();
    tilecut_params params = {.size = sizeof params};
    uint64_t state = 5;
    draw_kind(FITS, 0);
    both(memo, false);
    const tc_memo_key before = key_of(NULL);
    tilecut_report report;
    if (_i == 0) set_box(&s, (tc_window){s.box.x - 3, s.box.y, s.box.width + 5, s.box.height + 1}, TILECUT_OUTSIDE);
    if (_i == 1) s.pixels[3 * (N / 2)] ^= 1;
    if (_i == 2) params.lambda = 20;
    ck_assert(!known(memo, &params));
    paint(&state);
    if (_i < 2) both(memo, true);
    ck_assert_int_eq(tilecut_memo_cut(memo, &s.image, s.seeds, &params, TILECUT_ANEW, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, other, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, other, N);
    ck_assert(known(memo, &params));
    ck_assert(!tc_memo_recall(memo, &before, other, &report));
    tilecut_memo_destroy(memo);
}

LOOP_TEST(every_option_of_the_search_is_told_apart, 0, RANDOM_BY_NIGHT(1))
{
    const tilecut_params changed[] = {
        {.lambda = 51}, {.sigma = 9}, {.data_weight = 2}, {.spatial = 1}, {.connectivity = 8}, {.iterations = 3},
        {.effort = 2}, {.colors = "hist"}, {.islands = 1}};
    const tilecut_params same[] = {{.lambda = 50}, {.threads = 3}, {.solver = "bk"}, {.effort = 3}};
    tilecut_memo *const memo = new_memo();
    const tilecut_report report = {0};
    draw_kind(FITS, 0);
    const tc_memo_key key = key_of(NULL);
    memset(mask, 0, N);
    tc_memo_keep(memo, &key, mask, &report);
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) ck_assert_msg(!known(memo, &changed[i]), "%zu", i);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) ck_assert_msg(known(memo, &same[i]), "%zu", i);
    s.image.width--;
    ck_assert(!known(memo, NULL));
    s.image.width++;
    tilecut_memo_destroy(memo);
}

/* Two equal changes at any distance, which would cancel in a plain sum, still change the hash. */
TEST(pixels_are_told_apart)
{
    uint64_t state = 3;
    draw_kind(FITS, 0);
    const tc_memo_key key = key_of(NULL);
    for (int i = 0; i < 2000; i++) {
        const int apart = (1 + random_below(&state, 40)) * (i % 2 ? 32 : 1);
        const int a = random_below(&state, 3 * N - apart), flip = i % 3 ? 128 : 1 << random_below(&state, 8);
        s.pixels[a] = (uint8_t)(s.pixels[a] ^ flip), s.pixels[a + apart] = (uint8_t)(s.pixels[a + apart] ^ flip);
        const tc_memo_key changed = key_of(NULL);
        ck_assert_mem_ne(key.pixels, changed.pixels, sizeof key.pixels);
        s.pixels[a] = (uint8_t)(s.pixels[a] ^ flip), s.pixels[a + apart] = (uint8_t)(s.pixels[a + apart] ^ flip);
    }
    const tc_memo_key again = key_of(NULL);
    ck_assert_mem_eq(key.pixels, again.pixels, sizeof key.pixels);
}

/* ---- Threads ----------------------------------------------------------------------------------- */

enum { THREADS = 2 };

static struct share {
    tilecut_memo *memo;
    uint8_t seeds[N], mask[N];
    bool done;
} share[THREADS];

static void *cut_again_and_again(void *argument)
{
    struct share *const mine = argument;
    static const int times = 3;
    uint8_t *const first = malloc(N);
    mine->done = first != NULL;
    for (int i = 0; mine->done && i < times; i++) {
        mine->done = tilecut_memo_cut(mine->memo, &s.image, mine->seeds, NULL, TILECUT_ANEW, mine->mask, NULL) ==
                         TILECUT_OK &&
                     (i == 0 || memcmp(first, mine->mask, N) == 0);
        memcpy(first, mine->mask, N);
    }
    free(first);
    return NULL;
}

/* Each thread has its own box, so the threads replace each other's entries. */
TEST(threads_may_share_a_memo)
{
    tilecut_memo *const memo = new_memo();
    pthread_t thread[THREADS];
    draw_kind(FITS, 0);
    const tc_window tight = s.box;
    for (int i = 0; i < THREADS; i++) {
        set_box(&s, (tc_window){tight.x - i, tight.y, tight.width + 2 * i, tight.height}, TILECUT_OUTSIDE);
        s.seeds[H / 2 * W + W / 2] = TILECUT_FOREGROUND;
        share[i].memo = memo;
        memcpy(share[i].seeds, s.seeds, N);
    }
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, cut_again_and_again, &share[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        ck_assert(share[i].done);
        ck_assert_int_eq(tilecut_segment(&s.image, share[i].seeds, NULL, mask, NULL), TILECUT_OK);
        ck_assert_mem_eq(mask, share[i].mask, N);
    }
    tilecut_memo_destroy(memo);
}

TEST(nothing_is_a_memo_too)
{
    uint8_t pixel = 0, label = TILECUT_BACKGROUND;
    const tilecut_image image = {.width = 1, .height = 1, .channels = 1, .depth = 8, .pixels = &pixel};
    ck_assert_int_eq(tilecut_memo_cut(NULL, &image, &label, NULL, TILECUT_ANEW + 1, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_correct(&image, &label, NULL, TILECUT_ANEW, mask, NULL, NULL), TILECUT_EINVAL);
    tilecut_memo_destroy(NULL);
    ck_assert_int_eq(tilecut_memo_create(NULL), TILECUT_EINVAL);
}

int main(void) { return run_suite((test_suite){.name = "box memo", .seconds = 300}); }
