/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_film.c - films cut in windows: tiny windows against all labellings, the same answer from all solvers and
 * threads, and frames without an object.
 */
#include <stdbool.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_volume.h"

enum { W = 34, H = 24, FRAMES = 6 };

static const char *const solvers[] = {NULL, "cascade", "push", "bk"};

/* Draws a bright noisy square on a dark noisy background. It moves by one pixel in each frame. */
static void draw(uint8_t *rgb, uint8_t *truth, int width, int height, int frame, uint64_t *state)
{
    const int side = height / 2, x0 = 2 + frame, y0 = height / 4;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const bool object = x >= x0 && x < x0 + side && y >= y0 && y < y0 + side;
            uint8_t *const at = rgb + 3 * (y * width + x);
            for (int c = 0; c < 3; c++)
                at[c] = (uint8_t)((object ? 150 + 20 * c : 60 + 10 * c) + (int)random_below(state, 40));
            truth[y * width + x] = object ? 255 : 0;
        }
}

/* Paints strokes: the middle of the true mask as foreground, and the border of the frame as background. */
static void stroke(const uint8_t *truth, uint8_t *seeds, int width, int height)
{
    memset(seeds, TILECUT_UNKNOWN, (size_t)(width * height));
    for (int x = 0; x < width; x++) seeds[x] = seeds[(height - 1) * width + x] = TILECUT_BACKGROUND;
    for (int x = 2; x + 2 < width; x++) {
        const int p = height / 2 * width + x;
        if (truth[p - 2] && truth[p + 2]) seeds[p] = TILECUT_FOREGROUND;
    }
}

/* Checks the confidence of the next mask. Seeds have full confidence, and before the object is known no pixel has any.
 * A second call gives the same, even if it asks for a place for a stroke. */
static void check_sure(tilecut_film *film, const uint8_t *truth, bool painted, bool known)
{
    static uint8_t sure[W * H], again[W * H], seeds[W * H];
    tilecut_doubt doubt = {.size = sizeof doubt, .x = -2};
    ck_assert_int_eq(tilecut_film_confidence(film, sure, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_film_confidence(film, again, &doubt), TILECUT_OK);
    ck_assert_int_ge(doubt.x, -1);
    ck_assert(!memcmp(sure, again, sizeof sure));
    stroke(truth, seeds, W, H);
    for (int p = 0; p < W * H; p++) {
        if (!known) ck_assert_int_eq(sure[p], 128);
        if (painted && seeds[p]) ck_assert_int_eq(sure[p], 255);
    }
    ck_assert(known || (doubt.x == -1 && !(doubt.unsure > 0)));
    ck_assert(doubt.unsure >= 0 && doubt.unsure <= 1 && doubt.x < W && doubt.y < H);
}

/* Cuts a film with strokes on frame `begin` and on frame `again` (none if negative), and writes FRAMES masks. */
static void cut_film(const tilecut_film_shape *shape, const tilecut_params *params, int begin, int again,
                     uint8_t *masks, uint8_t *truths)
{
    static uint8_t rgb[3 * W * H], seeds[W * H];
    tilecut_film *film;
    uint64_t state = 7;
    int ready, taken = 0;
    ck_assert_msg(tilecut_film_create(&film, shape, params) == TILECUT_OK, "%s", tilecut_error_detail());
    for (int i = 0; i <= FRAMES; i++) {
        if (i < FRAMES) {
            const tilecut_image image = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = rgb};
            draw(rgb, truths + i * W * H, W, H, i, &state);
            stroke(truths + i * W * H, seeds, W, H);
            const bool painted = i == begin || i == again;
            ck_assert_msg(tilecut_film_add(film, &image, painted ? seeds : NULL, NULL, &ready) == TILECUT_OK, "%s",
                          tilecut_error_detail());
        } else
            ck_assert_int_eq(tilecut_film_end(film, &ready), TILECUT_OK);
        for (; ready > 0; ready--, taken++) {
            tilecut_report report = {.size = sizeof report};
            check_sure(film, truths + taken * W * H, taken == begin || taken == again, taken >= begin - shape->ahead);
            ck_assert_int_eq(tilecut_film_take(film, masks + taken * W * H, &report), TILECUT_OK);
            ck_assert_int_eq(report.certified, taken >= begin - shape->ahead);
            ck_assert(report.flow == report.cut);
        }
    }
    ck_assert_int_eq(taken, FRAMES);
    ck_assert_int_eq(tilecut_film_take(film, masks, NULL), TILECUT_EINVAL);
    tilecut_film_destroy(film);
}

LOOP_TEST(a_moving_object_is_found_in_every_frame, 0, RANDOM_LOOPS(5))
{
    static const int windows[][2] = {{1, TILECUT_NONE}, {2, 0}, {4, 3}, {5, TILECUT_NONE}, {12, 6}};
    static uint8_t masks[FRAMES * W * H], truths[FRAMES * W * H];
    const tilecut_film_shape shape = {.size = sizeof shape, .width = W, .height = H, .channels = 3,
                                      .window = windows[_i][0], .overlap = windows[_i][1]};
    cut_film(&shape, NULL, 0, -1, masks, truths);
    for (int i = 0; i < FRAMES; i++) {
        int wrong = 0;
        for (int p = i * W * H; p < (i + 1) * W * H; p++) wrong += masks[p] != truths[p];
        ck_assert_msg(wrong <= 20, "window %d, frame %d: %d pixels are wrong", shape.window, i, wrong);
    }
}

TEST(every_solver_and_thread_gives_the_same_masks)
{
    static uint8_t first[FRAMES * W * H], masks[FRAMES * W * H], truths[FRAMES * W * H];
    const tilecut_film_shape shape = {.size = sizeof shape, .width = W, .height = H, .channels = 3, .window = 4};
    cut_film(&shape, NULL, 0, 5, first, truths);
    for (int i = 1; i < 8; i += RANDOM_SHARE > 1 ? 2 : 1) { /* sanitizers need only the cases with several threads */
        const tilecut_params params = {.size = sizeof params, .solver = solvers[i / 2], .threads = i % 2 ? 3 : 1};
        cut_film(&shape, &params, 0, 5, masks, truths);
        ck_assert_mem_eq(masks, first, sizeof masks);
    }
}

TEST(frames_before_the_first_strokes_are_background)
{
    static uint8_t masks[FRAMES * W * H], truths[FRAMES * W * H];
    const tilecut_film_shape shape = {.size = sizeof shape, .width = W, .height = H, .channels = 3, .window = 3};
    cut_film(&shape, NULL, 4, -1, masks, truths);
    for (int i = 0; i < FRAMES; i++)
        ck_assert_int_eq(memchr(masks + i * W * H, 255, W * H) != NULL, i >= 4);
}

/* ---- Frames ahead ------------------------------------------------------------------------------ */

static int wrong_in(const uint8_t *masks, const uint8_t *truths, int i)
{
    int wrong = 0;
    for (int p = i * W * H; p < (i + 1) * W * H; p++) wrong += masks[p] != truths[p];
    return wrong;
}

LOOP_TEST(strokes_on_the_last_frame_find_the_object_in_all, 0, RANDOM_LOOPS(4))
{
    static const int windows[] = {1, 2, 4, 12};
    static uint8_t masks[FRAMES * W * H], truths[FRAMES * W * H];
    const tilecut_film_shape shape = {.size = sizeof shape, .width = W, .height = H, .channels = 3,
                                      .window = windows[_i], .ahead = FRAMES - 1};
    cut_film(&shape, NULL, FRAMES - 1, -1, masks, truths);
    for (int i = 0; i < FRAMES; i++)
        ck_assert_msg(wrong_in(masks, truths, i) <= 20, "window %d, frame %d: %d pixels are wrong", shape.window, i,
                      wrong_in(masks, truths, i));
}

/* Strokes on a later frame also affect the frames before it that are still held. */
TEST(strokes_ahead_reach_back_as_far_as_frames_are_held)
{
    static uint8_t masks[FRAMES * W * H], truths[FRAMES * W * H];
    for (int ahead = 0; ahead < FRAMES; ahead++) {
        const tilecut_film_shape shape = {.size = sizeof shape, .width = W, .height = H, .channels = 3, .window = 2,
                                          .ahead = ahead};
        cut_film(&shape, NULL, 4, -1, masks, truths);
        for (int i = 0; i < FRAMES; i++)
            ck_assert_int_eq(memchr(masks + i * W * H, 255, W * H) != NULL, i >= 4 - ahead);
    }
}

TEST(frames_ahead_change_no_answer_of_solvers_and_threads)
{
    static uint8_t first[FRAMES * W * H], masks[FRAMES * W * H], truths[FRAMES * W * H];
    const tilecut_film_shape shape = {.size = sizeof shape, .width = W, .height = H, .channels = 3, .window = 2,
                                      .ahead = 3};
    cut_film(&shape, NULL, 1, 4, first, truths);
    for (int i = 0; i < FRAMES; i++) ck_assert_int_le(wrong_in(first, truths, i), 20);
    for (int i = 1; i < 8; i += RANDOM_SHARE > 1 ? 2 : 1) { /* sanitizers need only the cases with several threads */
        const tilecut_params params = {.size = sizeof params, .solver = solvers[i / 2], .threads = i % 2 ? 3 : 1};
        cut_film(&shape, &params, 1, 4, masks, truths);
        ck_assert_mem_eq(masks, first, sizeof masks);
    }
}

/* A prior mask for a later frame that is still held is used backwards and then forwards. The result equals that of a
 * film with this prior mask alone. */
TEST(a_prior_ahead_teaches_both_ways)
{
    static uint8_t rgb[FRAMES][3 * W * H], truth[FRAMES][W * H], mask[W * H], alone[W * H];
    uint64_t state = 7;
    for (int i = 0; i < FRAMES; i++) draw(rgb[i], truth[i], W, H, i, &state);
    for (int ahead = 0; ahead <= 3; ahead += 3) {
        const tilecut_film_shape shape = {.size = sizeof shape, .width = W, .height = H, .channels = 3, .window = 1,
                                          .ahead = ahead};
        tilecut_film *film;
        int ready = 0, taken = 0;
        ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_OK);
        for (int i = 0; i <= 4; i++) {
            const tilecut_image image = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = rgb[i]};
            if (i == 4) ck_assert_int_eq(tilecut_film_end(film, &ready), TILECUT_OK);
            else ck_assert_int_eq(tilecut_film_add(film, &image, NULL, i == 3 ? truth[3] : NULL, &ready), TILECUT_OK);
            for (; ready > 0; ready--, taken++) {
                ck_assert_int_eq(tilecut_film_take(film, mask, NULL), TILECUT_OK);
                ck_assert_int_eq(memchr(mask, 255, sizeof mask) != NULL, taken >= 3 - ahead);
            }
        }
        if (ahead) ck_assert_mem_eq(mask, alone, sizeof mask);
        memcpy(alone, mask, sizeof mask);
        tilecut_film_destroy(film);
    }
}

/* ---- Behind a pole ------------------------------------------------------------------------------ */

enum { WIDE = 120, HIGH = 72, LONG = 10 };

/* Returns a random number for a point of an object, the same in each frame. */
static int grain(int thing, int x, int y, int below)
{
    uint64_t state = (uint64_t)thing * 1000003 + (uint64_t)(y * 1009 + x + 500);
    random_below(&state, 256);
    return random_below(&state, below);
}

/* Draws an object in the middle. The background moves, and a pole in the background's colours passes across. */
static void draw_pole(uint8_t *rgb, uint8_t *truth, int frame)
{
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            const int place = x + 7 * frame;
            const bool pole = place >= 84 && place < 100;
            const bool object = !pole && x >= 40 && x < 80 && y >= 22 && y < 50;
            for (int c = 0; c < 3; c++)
                rgb[3 * (y * WIDE + x) + c] = (uint8_t)(object ? 110 + grain(c, x, y, 70)
                                                               : 60 + grain(pole ? 5 + c : 10 + c, place, y, 80));
            truth[y * WIDE + x] = object ? 255 : 0;
        }
}

TEST(what_comes_out_behind_a_pole_is_the_object_again)
{
    static uint8_t rgb[3 * WIDE * HIGH], truth[LONG][WIDE * HIGH], mask[WIDE * HIGH], seeds[WIDE * HIGH];
    const tilecut_film_shape shape = {.size = sizeof shape, .width = WIDE, .height = HIGH, .channels = 3, .window = 1,
                                      .ahead = 1};
    tilecut_film *film;
    int ready = 0, taken = 0;
    ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_OK);
    for (int i = 0; i <= LONG; i++) {
        const tilecut_image image = {.width = WIDE, .height = HIGH, .channels = 3, .depth = 8, .pixels = rgb};
        if (i < LONG) draw_pole(rgb, truth[i], i);
        if (!i) stroke(truth[0], seeds, WIDE, HIGH);
        if (i == LONG) ck_assert_int_eq(tilecut_film_end(film, &ready), TILECUT_OK);
        else ck_assert_int_eq(tilecut_film_add(film, &image, i ? NULL : seeds, NULL, &ready), TILECUT_OK);
        for (; ready > 0; ready--, taken++) {
            int wrong = 0;
            ck_assert_int_eq(tilecut_film_take(film, mask, NULL), TILECUT_OK);
            for (int p = 0; p < WIDE * HIGH; p++) wrong += mask[p] != truth[taken][p];
            ck_assert_msg(wrong <= 120, "frame %d: %d pixels are wrong", taken, wrong);
        }
    }
    ck_assert_int_eq(taken, LONG);
    tilecut_film_destroy(film);
}

/* ---- Against all labellings -------------------------------------------------------------------- */

/* Returns the cost of a labelling, where bit p is set for foreground. */
static int64_t cost_of(const tilecut_volume_arrays *a, uint32_t labels)
{
    const int size[3] = {a->width, a->height, a->depth}, step[3] = {1, a->width, a->width * a->height};
    int64_t cost = 0;
    for (int p = 0; p < size[0] * size[1] * size[2]; p++) {
        const int at[3] = {p % size[0], p / size[0] % size[1], p / step[2]};
        const uint32_t here = labels >> p & 1;
        cost += here ? a->sink[p] : a->source[p];
        for (int k = 0; k < 3; k++)
            if (at[k] + 1 < size[k] && here != (labels >> (p + step[k]) & 1)) cost += a->to[k][p];
    }
    return cost;
}

/* Compares the graph of the frame taken last with slice i of the window. They are equal except for seeds, which are
 * stronger in the graph. */
static void check_alone(tilecut_film *film, const tilecut_volume_arrays *cut, int i, const uint8_t *seeds)
{
    const tilecut_graph *graph = NULL;
    ck_assert_msg(tilecut_film_graph(film, &graph) == TILECUT_OK, "%s", tilecut_error_detail());
    for (int y = 0; y < cut->height; y++) {
        int32_t value[4][15];
        const tilecut_row row = {.source = value[0], .sink = value[1], .to = {value[2], value[3]}};
        const int at = (i * cut->height + y) * cut->width;
        ck_assert_int_eq(tilecut_graph_row(graph, y, &row), TILECUT_OK);
        for (int x = 0; x < cut->width; x++) {
            for (int k = 0; k < 2; k++) ck_assert_int_eq(row.to[k][x], cut->to[k][at + x]);
            if (i == 0 && seeds[y * cut->width + x] != TILECUT_UNKNOWN) continue;
            ck_assert_int_eq(row.source[x], cut->source[at + x]);
            ck_assert_int_eq(row.sink[x], cut->sink[at + x]);
        }
    }
}

LOOP_TEST(tiny_windows_are_minima_over_all_labellings, 0, RANDOM_LOOPS(5))
{
    static const int sizes[][3] = {{4, 2, 2}, {3, 2, 2}, {2, 2, 3}, {3, 5, 1}, {5, 1, 3}};
    const int w = sizes[_i][0], h = sizes[_i][1], n = sizes[_i][2];
    uint64_t state = 100 + (uint64_t)_i;
    for (int round = 0; round < 4; round++) {
        const tilecut_film_shape shape = {.size = sizeof shape, .width = w, .height = h, .channels = 1, .window = n,
                                          .time = 0.5 + round, .carry = 1 + round};
        const tilecut_params params = {.size = sizeof params, .lambda = 1 + 10 * round, .islands = 1};
        tilecut_volume_arrays cut = {.size = sizeof cut};
        tilecut_film *film;
        uint8_t mask[15], seeds[15] = {TILECUT_FOREGROUND, TILECUT_BACKGROUND};
        uint32_t labels = 0;
        int ready = 0;
        ck_assert_int_eq(tilecut_film_create(&film, &shape, &params), TILECUT_OK);
        for (int i = 0; i < n; i++) {
            uint8_t grey[15];
            for (int p = 0; p < w * h; p++) grey[p] = (uint8_t)random_below(&state, 256);
            const tilecut_image image = {.width = w, .height = h, .channels = 1, .depth = 8, .pixels = grey};
            ck_assert_msg(tilecut_film_add(film, &image, i ? NULL : seeds, NULL, &ready) == TILECUT_OK, "%s",
                          tilecut_error_detail());
        }
        ck_assert_int_eq(tilecut_film_window(film, &cut), TILECUT_OK);
        ck_assert_int_eq(tilecut_film_end(film, &ready), TILECUT_OK);
        int64_t least = INT64_MAX;
        for (uint32_t l = 0; l < 1u << (w * h * n); l++) least = cost_of(&cut, l) < least ? cost_of(&cut, l) : least;
        tilecut_report report = {.size = sizeof report};
        for (int i = 0; i < n; i++) {
            ck_assert_int_eq(tilecut_film_take(film, mask, &report), TILECUT_OK);
            check_alone(film, &cut, i, seeds);
            for (int p = 0; p < w * h; p++) labels |= (uint32_t)(mask[p] != 0) << (i * w * h + p);
        }
        ck_assert(report.cut == least);
        ck_assert(cost_of(&cut, labels) == least);
        tilecut_film_destroy(film);
    }
}

TEST(what_cannot_be_is_refused)
{
    tilecut_film_shape shape = {.size = sizeof shape, .width = W, .height = H, .channels = 3, .window = 3,
                                .overlap = 3};
    tilecut_film *film;
    static uint8_t rgb[3 * W * H], mask[W * H];
    tilecut_image image = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = rgb};
    ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_EINVAL);
    shape.overlap = 0, shape.window = TILECUT_MAX_WINDOW + 1;
    ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_EINVAL);
    shape.window = 2, shape.time = 5;
    ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_EINVAL);
    shape.time = 0, shape.ahead = -1;
    ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_EINVAL);
    shape.ahead = TILECUT_MAX_AHEAD + 1;
    ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_EINVAL);
    shape.ahead = 0, shape.channels = 2;
    ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_EINVAL);
    shape.channels = 3;
    const tilecut_params eight = {.size = sizeof eight, .connectivity = 8};
    ck_assert_int_eq(tilecut_film_create(&film, &shape, &eight), TILECUT_EINVAL);
    ck_assert_ptr_null(film);
    ck_assert_int_eq(tilecut_film_create(&film, &shape, NULL), TILECUT_OK);
    image.width--;
    ck_assert_int_eq(tilecut_film_add(film, &image, NULL, NULL, NULL), TILECUT_EINVAL);
    image.width++;
    int ready = 0;
    ck_assert_int_eq(tilecut_film_add(film, &image, NULL, NULL, &ready), TILECUT_OK);
    ck_assert_int_eq(ready, 1); /* the frame is ready, because no object is known yet */
    ck_assert_int_eq(tilecut_film_add(film, &image, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_film_take(film, mask, NULL), TILECUT_OK);
    memset(mask, TILECUT_FOREGROUND, sizeof mask);
    ck_assert_int_eq(tilecut_film_add(film, &image, mask, NULL, NULL), TILECUT_ESEEDS);
    mask[0] = 9;
    ck_assert_int_eq(tilecut_film_add(film, &image, mask, NULL, NULL), TILECUT_EINVAL);
    tilecut_film_destroy(film);
    tilecut_film_destroy(NULL);
}

int main(void) { return run_suite((test_suite){.name = "films in windows", .seconds = 300}); }
