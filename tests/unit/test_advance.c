/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_advance.c - the next frame of a film in a session. Links, prior mask and answer equal those of a new graph of
 * that frame; the learnt model stays; the solver continues from the flow of the previous frame.
 */
#include <stdlib.h>
#include <string.h>

#include "random_solver.h"
#include "run_suite.h"

enum { WIDTH = 75, HEIGHT = 52, N = WIDTH * HEIGHT, FRAMES = 6, FILMS = RANDOM_CASES(60) };

typedef struct frame {
    int channels, depth;
    uint16_t pixels[3 * N]; /* with a depth of 8 bits, only the first 3 * N bytes are used */
} frame;

static tilecut_image view(const frame *f)
{
    return (tilecut_image){.width = WIDTH, .height = HEIGHT, .channels = f->channels, .depth = f->depth,
                           .pixels = f->pixels};
}

/* Draws a disc of one colour that moves over a background of another, with noise in both. */
static void draw(frame *f, int number, int noise, uint64_t *state)
{
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH - 25 - 3 * number, y = p / WIDTH - 26;
        for (int c = 0; c < f->channels; c++) {
            const int object = c == 0 ? 190 : 90, ground = c == 0 ? 80 : 120;
            const int value = (x * x + y * y < 150 ? object : ground) + (noise ? random_below(state, noise) : 0);
            const size_t i = (size_t)(f->channels * p + c);
            if (f->depth == 16) f->pixels[i] = (uint16_t)(value * 257);
            else ((uint8_t *)f->pixels)[i] = (uint8_t)value;
        }
    }
}

static void draw_seeds(uint8_t *seeds)
{
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH - 25, y = p / WIDTH - 26, far = x * x + y * y;
        seeds[p] = far < 20 ? TILECUT_FOREGROUND : far > 400 && far < 500 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
}

static int wrong(const uint8_t *mask, int number)
{
    int count = 0;
    for (int p = 0; p < N; p++) {
        const int x = p % WIDTH - 25 - 3 * number, y = p / WIDTH - 26;
        count += (mask[p] != 0) != (x * x + y * y < 150);
    }
    return count;
}

TEST(every_frame_is_solved_as_if_from_nothing)
{
    int warm = 0;
    for (uint64_t seed = 1; seed <= FILMS; seed++) {
        uint64_t state = seed;
        static frame f;
        static uint8_t seeds[N], mask[N], cold_mask[N];
        /* most frames are grey, because learning colours is slow */
        f.channels = seed % 6 ? 1 : 3, f.depth = seed % 5 ? 8 : 16;
        tilecut_params params = {.connectivity = seed % 4 ? 4 : 8, .colors = seed % 7 ? NULL : "hist", .threads = 2};
        tilecut_graph *graph;
        tilecut_session *session;
        draw(&f, 0, 30, &state);
        draw_seeds(seeds);
        const tilecut_image image = view(&f);
        ck_assert_int_eq(tilecut_graph_from_image(&graph, &image, seeds, &params), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_solve(session, &params, mask, NULL), TILECUT_OK);
        for (int i = 1; i < FRAMES; i++) {
            tilecut_report report = {0}, cold = {0};
            draw(&f, i, (int)(seed % 2) * 30, &state);
            ck_assert_int_eq(tilecut_session_advance(session, &image, NULL, &params), TILECUT_OK);
            params.solver = random_solver(&state, params.connectivity);
            ck_assert_int_eq(tilecut_session_solve(session, &params, mask, &report), TILECUT_OK);
            ck_assert_int_eq(tilecut_graph_solve(graph, NULL, cold_mask, &cold), TILECUT_OK);
            ck_assert_msg(memcmp(mask, cold_mask, N) == 0, "seed %d, frame %d, %s", (int)seed, i, params.solver);
            ck_assert(report.certified && report.flow == cold.flow && report.cut == cold.cut);
            ck_assert_msg(wrong(mask, i) < N / 100, "seed %d, frame %d: %d wrong", (int)seed, i, wrong(mask, i));
            warm += report.warm;
        }
        tilecut_session_destroy(session);
        tilecut_graph_destroy(graph);
    }
    ck_assert_int_eq(warm, FILMS * (FRAMES - 1));
}

typedef struct row_memory {
    int32_t source[WIDTH], sink[WIDTH], to[TILECUT_LINKS][WIDTH], from[TILECUT_LINKS][WIDTH];
} row_memory;

static void read_row(const tilecut_graph *graph, int y, row_memory *m)
{
    tilecut_row row = {.source = m->source, .sink = m->sink};
    for (int k = 0; k < TILECUT_LINKS; k++) row.to[k] = m->to[k], row.from[k] = m->from[k];
    ck_assert_int_eq(tilecut_graph_row(graph, y, &row), TILECUT_OK);
}

/* Without colours only the contrast scale is learnt. If it is given, the graph equals that of the frame. */
TEST(links_and_prior_are_those_of_the_frame)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t state = seed;
        static frame f;
        static uint8_t seeds[N], prior[N], stroke[N];
        static row_memory one, other;
        f.channels = seed % 3 ? 3 : 1, f.depth = seed % 5 ? 8 : 16;
        tilecut_params params = {.connectivity = seed % 2 ? 4 : 8, .colors = "none", .sigma = 12};
        tilecut_graph *graph, *fresh;
        tilecut_session *session;
        draw(&f, 0, 30, &state);
        draw_seeds(seeds);
        const tilecut_image image = view(&f);
        ck_assert_int_eq(tilecut_graph_from_image(&graph, &image, seeds, &params), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
        draw(&f, 1, 30, &state);
        for (int p = 0; p < N; p++) prior[p] = (uint8_t)random_below(&state, 256) & (p % WIDTH < 30 ? 255 : 100);
        for (int p = 0; p < N; p++) stroke[p] = p % 97 == 5 ? TILECUT_FOREGROUND : TILECUT_UNKNOWN;
        params.prior = prior, params.prior_weight = 3;
        ck_assert_int_eq(tilecut_session_advance(session, &image, stroke, &params), TILECUT_OK);
        ck_assert_int_eq(tilecut_graph_from_image(&fresh, &image, stroke, &params), TILECUT_OK);
        ck_assert(tilecut_graph_quantum(graph) == tilecut_graph_quantum(fresh));
        for (int y = 0; y < HEIGHT; y++) {
            read_row(graph, y, &one);
            read_row(fresh, y, &other);
            ck_assert_msg(memcmp(&one, &other, sizeof one) == 0, "seed %d, row %d", (int)seed, y);
        }
        tilecut_graph_destroy(fresh);
        tilecut_session_destroy(session);
        tilecut_graph_destroy(graph);
    }
}

/* In another light, no colour of the first frame occurs any more. The nearest colours must still separate object and
 * background. */
TEST(colours_that_the_first_frame_had_not_are_judged)
{
    static frame f = {.channels = 3, .depth = 8};
    static uint8_t seeds[N], mask[N];
    uint64_t state = 1;
    tilecut_graph *graph;
    tilecut_session *session;
    const tilecut_params params = {.prior_weight = TILECUT_NONE}; /* only colours and contrast */
    draw(&f, 0, 8, &state);
    draw_seeds(seeds);
    const tilecut_image image = view(&f);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &image, seeds, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_OK);
    draw(&f, 4, 8, &state);
    for (size_t i = 0; i < sizeof f.pixels / 2; i++) ((uint8_t *)f.pixels)[i] = (uint8_t)(((uint8_t *)f.pixels)[i] + 9);
    ck_assert_int_eq(tilecut_session_advance(session, &image, NULL, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(wrong(mask, 4), 0);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}

TEST(frames_that_cannot_follow_are_refused)
{
    static frame f = {.channels = 3, .depth = 8};
    static uint8_t seeds[N], mask[N], again[N];
    uint64_t state = 1;
    tilecut_graph *graph;
    tilecut_session *session;
    draw(&f, 0, 20, &state);
    draw_seeds(seeds);
    const tilecut_image image = view(&f);
    tilecut_image narrow = image, grey = image, nothing = image;
    narrow.width--, grey.channels = 1, nothing.pixels = NULL;
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &image, seeds, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    /* advancing is refused, because there is no mask yet */
    ck_assert_int_eq(tilecut_session_advance(session, &image, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_advance(session, &narrow, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_advance(session, &grey, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_advance(session, &nothing, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_advance(session, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_advance(NULL, &image, NULL, NULL), TILECUT_EINVAL);
    seeds[7] = 9;
    ck_assert_int_eq(tilecut_session_advance(session, &image, seeds, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, again, NULL), TILECUT_OK);
    ck_assert(memcmp(mask, again, N) == 0);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}

TEST(strokes_and_lessons_go_on_from_a_frame)
{
    static frame f = {.channels = 3, .depth = 8};
    static uint8_t seeds[N], mask[N], painted[25];
    uint64_t state = 1;
    tilecut_graph *graph;
    tilecut_session *session;
    tilecut_change change = {0};
    draw(&f, 0, 20, &state);
    draw_seeds(seeds);
    const tilecut_image image = view(&f);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &image, seeds, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_OK);
    draw(&f, 2, 20, &state);
    ck_assert_int_eq(tilecut_session_advance(session, &image, NULL, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_OK);
    memset(painted, 1, sizeof painted);
    const tilecut_stroke stroke = {.x = 60, .y = 5, .width = 5, .height = 5, .label = TILECUT_FOREGROUND,
                                   .painted = painted};
    ck_assert_int_eq(tilecut_session_stroke(session, &stroke, NULL, mask, &change, NULL), TILECUT_OK);
    ck_assert_int_ge(change.pixels, 25);
    int undone = 0;
    ck_assert_int_eq(tilecut_session_undo(session, NULL, mask, NULL, &undone), TILECUT_OK);
    ck_assert_int_eq(undone, 1);
    ck_assert_int_eq(tilecut_session_learn(session, NULL, mask, NULL, NULL), TILECUT_OK);
    ck_assert_int_lt(wrong(mask, 2), N / 100);
    draw(&f, 4, 20, &state);
    ck_assert_int_eq(tilecut_session_advance(session, &image, NULL, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, mask, NULL), TILECUT_OK);
    ck_assert_int_lt(wrong(mask, 4), N / 100);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}

int main(void) { return run_suite((test_suite){.name = "advance", .seconds = 300}); }
