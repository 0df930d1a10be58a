/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_strokes.c - corrections of a session's mask: each is the minimum cut of what it may change, nested and
 * connected. All solvers and numbers of threads agree, and undoing restores every mask. TILECUT_SESSIONS=100000 runs
 * that many random sessions instead of a fraction of them (docs/design/testing.md), starting at seed
 * TILECUT_SESSIONS_FROM.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random_solver.h"
#include "run_suite.h"

enum { SIDE = 40, STROKES = 6, TINY = 12 };

/* Draws a stroke of some blots anywhere; `painted` holds its pixels. */
static tilecut_stroke draw_stroke(uint64_t *state, int width, int height, uint8_t *painted)
{
    tilecut_stroke s = {.label = random_below(state, 2) ? TILECUT_FOREGROUND : TILECUT_BACKGROUND, .painted = painted};
    s.width = 1 + random_below(state, width < 6 ? width : 6);
    s.height = 1 + random_below(state, height < 6 ? height : 6);
    s.x = random_below(state, width - s.width + 1);
    s.y = random_below(state, height - s.height + 1);
    s.stride = random_below(state, 2) ? 0 : (size_t)s.width + 3;
    for (int i = 0; i < 9 * 6; i++) painted[i] = (uint8_t)(random_below(state, 3) ? 0 : 1 + random_below(state, 255));
    return s;
}

static bool is_painted(const tilecut_stroke *s, int x, int y)
{
    const size_t stride = s->stride ? s->stride : (size_t)s->width;
    if (x < s->x || y < s->y || x >= s->x + s->width || y >= s->y + s->height) return false;
    return s->painted[(size_t)(y - s->y) * stride + (size_t)(x - s->x)] != 0;
}

/* Restricts the change from `before` to `found` to pixels connected to the stroke, in the simplest way. */
static void connect(const tilecut_stroke *s, int width, int height, int connectivity, const uint8_t *before,
                    uint8_t *found)
{
    uint8_t kept[SIDE * SIDE];
    bool more = true;
    for (int p = 0; p < width * height; p++) kept[p] = is_painted(s, p % width, p / width);
    while (more) {
        more = false;
        for (int p = 0; p < width * height; p++)
            for (int q = 0; q < width * height && !kept[p]; q++) {
                const int dx = abs(p % width - q % width), dy = abs(p / width - q / width);
                const bool near = dx <= 1 && dy <= 1 && (connectivity == 8 || dx + dy == 1);
                if (kept[q] && near && found[p] != before[p]) kept[p] = 1, more = true;
            }
    }
    for (int p = 0; p < width * height; p++)
        if (!kept[p]) found[p] = before[p];
}

/* Computes the mask that a stroke must give by trying all labellings: least cost, then least background; of its
 * changes, only those connected to the stroke. */
static void expect_mask(const random_graph *graph, const tilecut_stroke *s, const uint8_t *seeds, const uint8_t *before,
                        uint8_t *best)
{
    const int width = graph->arrays.width, height = graph->arrays.height, n = width * height;
    const uint8_t wanted = s->label == TILECUT_FOREGROUND ? 255 : 0;
    int open[TINY], count = 0, least_background = n + 1;
    int64_t least = INT64_MAX;
    uint8_t mask[TINY], start[TINY];

    for (int p = 0; p < n; p++) {
        const bool painted = is_painted(s, p % width, p / width);
        start[p] = painted ? wanted : before[p];
        const bool seeded = seeds[p] && (seeds[p] == TILECUT_FOREGROUND) != (wanted != 0);
        if (!painted && before[p] != wanted && !seeded) open[count++] = p;
    }
    for (uint32_t choice = 0; choice < 1u << count; choice++) {
        int background = 0;
        memcpy(mask, start, (size_t)n);
        for (int i = 0; i < count; i++)
            if (choice >> i & 1) mask[open[i]] = wanted;
        for (int p = 0; p < n; p++) background += !mask[p];
        const int64_t cost = mask_cost(&graph->arrays, graph->connectivity, mask);
        if (cost > least || (cost == least && background >= least_background)) continue;
        least = cost, least_background = background;
        memcpy(best, mask, (size_t)n);
    }
    connect(s, width, height, graph->connectivity, before, best);
}

TEST(a_stroke_is_the_minimum_cut_of_what_it_may_change)
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(1500); seed++) {
        uint8_t before[TINY], after[TINY], wanted[TINY], seeds[TINY] = {0}, painted[9 * 6];
        uint64_t state = seed;
        tilecut_session *session;
        tilecut_graph *graph;
        random_graph random;
        random_graph_draw(&random, seed, 4, 3);
        const int width = random.arrays.width, height = random.arrays.height, n = width * height;
        ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
        for (int p = 0; p < n; p++) before[p] = (uint8_t)-random_below(&state, 2);
        ck_assert_int_eq(tilecut_session_begin(session, before, NULL), TILECUT_OK);
        for (int i = 0; i < 4; i++) {
            const tilecut_stroke s = draw_stroke(&state, width, height, painted);
            tilecut_report report = {0};
            expect_mask(&random, &s, seeds, before, wanted);
            ck_assert_int_eq(tilecut_session_stroke(session, &s, NULL, after, NULL, &report), TILECUT_OK);
            ck_assert_msg(memcmp(after, wanted, (size_t)n) == 0, "seed %llu, stroke %d", (unsigned long long)seed, i);
            ck_assert(report.certified && report.flow == report.cut);
            for (int p = 0; p < n; p++)
                if (is_painted(&s, p % width, p / width)) seeds[p] = (uint8_t)s.label;
            memcpy(before, after, (size_t)n);
        }
        tilecut_session_destroy(session);
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
    }
}

/* ---- Sessions --------------------------------------------------------------------------------- */

typedef struct scene {
    random_graph random; /* the graph of the scene, unless it comes from `image` */
    tilecut_image image;
    bool from_image;
    uint8_t pixels[3 * SIDE * SIDE], seeds[SIDE * SIDE];
    int width, height, connectivity;
} scene;

static void scene_draw(scene *s, uint64_t seed, uint64_t *state)
{
    const int side = random_below(state, 8) || number_from("RANDOM_CELLS", SIDE * SIDE) < SIDE * SIDE ? 16 : SIDE;
    s->width = 2 + random_below(state, side - 1), s->height = 2 + random_below(state, side - 1);
    s->connectivity = random_below(state, 4) ? 4 : 8;
    s->from_image = random_below(state, 3) != 0;
    if (!s->from_image) {
        random_graph_init(&s->random, seed, s->width, s->height, s->connectivity);
        return;
    }
    const int n = s->width * s->height, noise = 1 + random_below(state, 120);
    memset(s->seeds, TILECUT_UNKNOWN, sizeof s->seeds);
    for (int p = 0; p < n; p++)
        for (int c = 0; c < 3; c++)
            s->pixels[3 * p + c] = (uint8_t)(random_below(state, noise) + (p % s->width < s->width / 2 ? 100 : 60));
    s->seeds[0] = TILECUT_FOREGROUND;
    s->seeds[n - 1] = TILECUT_BACKGROUND;
    s->image = (tilecut_image){.width = s->width, .height = s->height, .channels = 3, .depth = 8, .pixels = s->pixels};
}

static tilecut_session *open_session(scene *s, const tilecut_params *params, tilecut_graph **graph)
{
    tilecut_session *session;
    const tilecut_status status = s->from_image ? tilecut_graph_from_image(graph, &s->image, s->seeds, params)
                                                : tilecut_graph_create(graph, &s->random.arrays);
    ck_assert_int_eq(status, TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, *graph), TILECUT_OK);
    return session;
}

/* Checks what a stroke guarantees about the masks before and after it. */
static void check_nested(const scene *s, const tilecut_stroke *stroke, const tilecut_change *change,
                         const uint8_t *before, const uint8_t *after, uint64_t seed)
{
    uint8_t connected[SIDE * SIDE];
    int64_t changed = 0;
    for (int p = 0; p < s->width * s->height; p++) {
        const int x = p % s->width, y = p / s->width;
        const bool foreground = stroke->label == TILECUT_FOREGROUND;
        ck_assert(after[p] == 0 || after[p] == 255);
        if (is_painted(stroke, x, y)) ck_assert_int_eq(after[p] != 0, foreground);
        if (after[p] == before[p]) continue;
        changed++;
        ck_assert_msg((after[p] != 0) == foreground, "seed %llu: not nested", (unsigned long long)seed);
        ck_assert(x >= change->x && y >= change->y && x < change->x + change->width && y < change->y + change->height);
    }
    ck_assert_int_eq(changed, change->pixels);
    memcpy(connected, after, sizeof connected);
    connect(stroke, s->width, s->height, s->connectivity, before, connected);
    ck_assert_msg(memcmp(connected, after, (size_t)(s->width * s->height)) == 0, "seed %llu: not connected",
                  (unsigned long long)seed);
}

static void play(uint64_t seed)
{
    static uint8_t mask[STROKES + 2][SIDE * SIDE], other[SIDE * SIDE];
    uint64_t state = seed;
    scene s;
    tilecut_graph *graph[2];
    tilecut_session *session[2];
    tilecut_params params = tilecut_params_default(), again = params;
    int undone, strokes = 1 + random_below(&state, STROKES);

    scene_draw(&s, seed, &state);
    const size_t n = (size_t)s.width * (size_t)s.height;
    params.connectivity = s.connectivity;
    params.colors = random_below(&state, 4) ? "gmm" : random_below(&state, 2) ? "hist" : "none";
    for (int i = 0; i < 2; i++) session[i] = open_session(&s, &params, &graph[i]);
    for (int i = 0; i < 2; i++) ck_assert_int_eq(tilecut_session_solve(session[i], &params, mask[0], NULL), TILECUT_OK);
    for (int i = 0; i < strokes; i++) {
        uint8_t painted[9 * 6];
        const tilecut_stroke stroke = draw_stroke(&state, s.width, s.height, painted);
        tilecut_change change = {0};
        params.solver = random_solver(&state, s.connectivity), params.threads = 1 + random_below(&state, 3);
        again.solver = random_solver(&state, s.connectivity), again.threads = 1 + random_below(&state, 3);
        ck_assert_msg(tilecut_session_stroke(session[0], &stroke, &params, mask[i + 1], &change, NULL) == TILECUT_OK,
                      "seed %llu: %s", (unsigned long long)seed, tilecut_error_detail());
        ck_assert_int_eq(tilecut_session_stroke(session[1], &stroke, &again, other, NULL, NULL), TILECUT_OK);
        ck_assert_msg(memcmp(mask[i + 1], other, n) == 0, "seed %llu: %s and %s differ", (unsigned long long)seed,
                      params.solver, again.solver);
        check_nested(&s, &stroke, &change, mask[i], mask[i + 1], seed);
    }
    if (s.from_image && random_below(&state, 2)) {
        strokes++;
        ck_assert_int_eq(tilecut_session_learn(session[0], &params, mask[strokes], NULL, NULL), TILECUT_OK);
    }
    for (int i = strokes; i-- > 0;) {
        ck_assert_int_eq(tilecut_session_undo(session[0], NULL, other, NULL, &undone), TILECUT_OK);
        ck_assert(undone);
        ck_assert_msg(memcmp(mask[i], other, n) == 0, "seed %llu: undo %d", (unsigned long long)seed, i);
    }
    ck_assert_int_eq(tilecut_session_undo(session[0], NULL, other, NULL, &undone), TILECUT_OK);
    ck_assert(!undone && memcmp(mask[0], other, n) == 0);
    for (int i = 0; i < 2; i++) {
        tilecut_session_destroy(session[i]);
        tilecut_graph_destroy(graph[i]);
    }
    if (!s.from_image) random_graph_free(&s.random);
}

/* The number of sessions in one run of the test. It is limited because Check counts microseconds in 32 bits. */
enum { AT_ONCE = 5000 };

static int count_sessions(void)
{
    return (int)number_from("TILECUT_SESSIONS", RANDOM_CASES(700));
}

LOOP_TEST(strokes_nest_and_can_be_undone, 0, (count_sessions() + AT_ONCE - 1) / AT_ONCE)
{
    const int from = (int)number_from("TILECUT_SESSIONS_FROM", 1), left = count_sessions() - _i * AT_ONCE;
    const int first = from + _i * AT_ONCE, sessions = left < AT_ONCE ? left : AT_ONCE;
    for (int seed = first; seed < first + sessions; seed++) play((uint64_t)seed);
}

/* After an undo, the same strokes give the same masks again, and so does a solve of the whole. */
TEST(what_was_undone_leaves_no_trace)
{
    static uint8_t first[SIDE * SIDE], second[SIDE * SIDE];
    for (uint64_t seed = 1; seed <= 4 + RANDOM_CASES(100); seed++) {
        uint64_t state = seed;
        uint8_t painted[3][9 * 6];
        tilecut_stroke stroke[3];
        tilecut_graph *graph;
        scene s;
        scene_draw(&s, seed, &state);
        const size_t n = (size_t)s.width * (size_t)s.height;
        tilecut_params params = tilecut_params_default();
        params.connectivity = s.connectivity;
        tilecut_session *const session = open_session(&s, &params, &graph);
        ck_assert_int_eq(tilecut_session_solve(session, &params, first, NULL), TILECUT_OK);
        for (int i = 0; i < 3; i++) stroke[i] = draw_stroke(&state, s.width, s.height, painted[i]);
        ck_assert_int_eq(tilecut_session_stroke(session, &stroke[0], &params, first, NULL, NULL), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_undo(session, NULL, NULL, NULL, NULL), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_stroke(session, &stroke[1], &params, NULL, NULL, NULL), TILECUT_OK);
        if (s.from_image) {
            ck_assert_int_eq(tilecut_session_learn(session, &params, NULL, NULL, NULL), TILECUT_OK);
            ck_assert_int_eq(tilecut_session_stroke(session, &stroke[2], &params, NULL, NULL, NULL), TILECUT_OK);
            ck_assert_int_eq(tilecut_session_undo(session, NULL, NULL, NULL, NULL), TILECUT_OK);
            ck_assert_int_eq(tilecut_session_undo(session, NULL, NULL, NULL, NULL), TILECUT_OK);
        }
        ck_assert_int_eq(tilecut_session_undo(session, NULL, NULL, NULL, NULL), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_stroke(session, &stroke[0], &params, second, NULL, NULL), TILECUT_OK);
        ck_assert_msg(memcmp(first, second, n) == 0, "seed %llu", (unsigned long long)seed);
        tilecut_session_destroy(session);
        tilecut_graph_destroy(graph);
        if (!s.from_image) random_graph_free(&s.random);
    }
}

/* A solve of the whole keeps the strokes as seeds, so it equals a solve from scratch with the same seeds. */
TEST(a_solve_after_strokes_is_a_cold_one_with_their_seeds)
{
    static uint8_t warm[SIDE * SIDE], cold[SIDE * SIDE], seeds[SIDE * SIDE];
    for (uint64_t seed = 1; seed <= 4 + RANDOM_CASES(80); seed++) {
        uint64_t state = seed;
        uint8_t painted[9 * 6];
        tilecut_graph *graph, *fresh;
        scene s;
        do scene_draw(&s, seed, &state);
        while (!s.from_image && (random_graph_free(&s.random), true));
        tilecut_params params = tilecut_params_default();
        params.connectivity = s.connectivity;
        tilecut_session *const session = open_session(&s, &params, &graph), *other = open_session(&s, &params, &fresh);
        ck_assert_int_eq(tilecut_session_solve(session, &params, warm, NULL), TILECUT_OK);
        tilecut_stroke stroke = draw_stroke(&state, s.width, s.height, painted);
        stroke.label = TILECUT_FOREGROUND;
        memcpy(seeds, s.seeds, sizeof seeds);
        const int corner = s.width * s.height - 1;
        for (int p = 0; p < corner; p++)
            if (is_painted(&stroke, p % s.width, p / s.width)) seeds[p] = TILECUT_FOREGROUND;
        if (is_painted(&stroke, s.width - 1, s.height - 1)) seeds[corner] = TILECUT_FOREGROUND;
        const bool background = seeds[corner] == TILECUT_BACKGROUND;
        ck_assert_int_eq(tilecut_session_stroke(session, &stroke, &params, NULL, NULL, NULL), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_solve(session, &params, warm, NULL), TILECUT_OK);
        if (background) {
            ck_assert_int_eq(tilecut_session_reseed(other, seeds, NULL), TILECUT_OK);
            ck_assert_int_eq(tilecut_session_solve(other, &params, cold, NULL), TILECUT_OK);
            ck_assert_msg(memcmp(warm, cold, (size_t)(corner + 1)) == 0, "seed %llu", (unsigned long long)seed);
        }
        tilecut_session_destroy(session);
        tilecut_session_destroy(other);
        tilecut_graph_destroy(graph);
        tilecut_graph_destroy(fresh);
    }
}

int main(void)
{
    return run_suite((test_suite){.name = "strokes", .seconds = getenv("TILECUT_SESSIONS") ? 36000 : 300});
}
