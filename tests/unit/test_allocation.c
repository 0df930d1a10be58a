/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_allocation.c - makes every allocation of the library fail once. Each call then returns TILECUT_ENOMEM or manages
 * without the memory, leaves the caller's mask unchanged, frees everything it took, and succeeds when repeated.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted_memory.h"
#include "random_graph.h"
#include "random_network.h"
#include "run_suite.h"
#include "solver.h"
#include "tilecut_correct.h"
#include "tilecut_volume.h"

/* ---- what is run ------------------------------------------------------------------------------ */

/* If a call allocates more often than this, only some of its allocations are made to fail, evenly spaced, since most
 * repeat in every iteration. Builds with sanitizers try fewer, and different ones. By day, those builds try only a
 * quarter of the calls. */
enum { TRIED = (RANDOM_SHARE == 1 ? 40 : 20) * (RANDOM_TIMES == 1 ? 1 : 3) };
enum { W = 70, H = 41, N = W * H, EVERY = RANDOM_CASES(10) >= 10 ? 1 : 4 };

static random_graph four, eight;
static random_network net;
static uint8_t pixels[6 * N], seeds[N], box[N], other[N];

static void make_inputs(void)
{
    uint64_t state = 5;
    random_graph_init(&four, 11, W, H, 4);
    random_graph_init(&eight, 12, W, H, 8);
    random_network_draw(&net, 5, 60, 300);
    for (int p = 0; p < 6 * N; p++)
        pixels[p] = (uint8_t)(random_below(&state, 60) + (p % (6 * W) < 3 * W ? 120 : 40));
    for (int p = 0; p < N; p++) {
        const int x = p % W, y = p / W;
        box[p] = x > 5 && x < W - 5 && y > 5 && y < H - 5 ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
        seeds[p] = y == 9 && x < 20 ? TILECUT_FOREGROUND : y == 30 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
        other[p] = x == 20 ? TILECUT_FOREGROUND : y == 30 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
}

static tilecut_status solve(const char *solver, int threads, const random_graph *random, uint8_t *mask)
{
    tilecut_params params = tilecut_params_default();
    tilecut_graph *graph = NULL;
    params.solver = solver;
    params.threads = threads;
    tilecut_status status = tilecut_graph_create(&graph, &random->arrays);
    if (status == TILECUT_OK) status = tilecut_graph_solve(graph, &params, mask, NULL);
    tilecut_graph_destroy(graph);
    return status;
}

/* Uses a grey picture with few colours, which are learnt quickly: a box without strokes learns many times. */
static tilecut_status segment_grey(tilecut_memo *memo, const uint8_t *labels, tilecut_params params, uint8_t *mask)
{
    const tilecut_image image = {0, W, H, 1, 8, 0, pixels};
    params.iterations = 1;
    return tilecut_memo_cut(memo, &image, labels, &params, TILECUT_ANEW, mask, NULL);
}

/* Cuts a box, then adds a stroke in it, with a memo. */
static tilecut_status memo(tilecut_params params, uint8_t *mask)
{
    uint8_t painted[N], first[N];
    memcpy(painted, box, N);
    for (int p = 0; p < N; p++)
        if (box[p] == TILECUT_UNKNOWN && p % 7 == 0) painted[p] = TILECUT_FOREGROUND;
    tilecut_memo *kept = NULL;
    tilecut_status status = tilecut_memo_create(&kept);
    if (status == TILECUT_OK) status = segment_grey(kept, box, params, first);
    if (status == TILECUT_OK) status = segment_grey(kept, painted, params, mask);
    tilecut_memo_destroy(kept);
    return status;
}

/* Uses an image so large that a box without strokes is first cut in a smaller copy. */
static tilecut_status segment_large(tilecut_params params, uint8_t *mask)
{
    enum { SIDE = 350, ALL = SIDE * SIDE };
    static uint8_t image_pixels[ALL], labels[ALL], large[ALL];
    const tilecut_image image = {0, SIDE, SIDE, 1, 8, 0, image_pixels};
    for (int p = 0; p < ALL; p++) {
        const int x = p % SIDE, y = p / SIDE;
        image_pixels[p] = x / 8 > 12 && y / 8 > 12 && x / 8 < 25 && y / 8 < 25 ? 40 : 200;
        labels[p] = x > 50 && x < 250 && y > 50 && y < 250 ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
    }
    memset(large, 77, ALL);
    params.iterations = 1;
    const tilecut_status status = tilecut_segment(&image, labels, &params, large, NULL);
    memcpy(mask, large + ALL / 2, N);
    return status;
}

/* Computes a matching with every algorithm for CPUs. */
static tilecut_status pairs(const tilecut_network_edges *edges, uint8_t *cover)
{
    tilecut_status status = TILECUT_OK;
    for (int k = 0; status == TILECUT_OK && tilecut_network_matcher_name(k); k++) {
        const tilecut_network_params params = {.solver = tilecut_network_matcher_name(k), .threads = 2};
        if (!strcmp(tilecut_network_matcher_device(k), "cpu"))
            status = tilecut_network_match(edges, &params, NULL, cover, NULL);
    }
    return status;
}

/* Computes an assignment with every algorithm for CPUs. */
static tilecut_status assignments(void)
{
    static const int64_t costs[16] = {4, 1, 3, 2, 2, 0, 5, 3, 3, 2, 2, 4, 1, 4, 3, 2};
    const tilecut_network_edges full = {.rows = 4, .columns = 4, .edges = 16, .cost = costs};
    tilecut_status status = TILECUT_OK;
    for (int k = 0; status == TILECUT_OK && tilecut_network_assigner_name(k); k++) {
        const tilecut_network_params params = {.solver = tilecut_network_assigner_name(k), .threads = 2};
        if (!strcmp(tilecut_network_assigner_device(k), "cpu"))
            status = tilecut_network_assign(&full, &params, NULL, NULL, NULL);
    }
    return status;
}

/* Solves a network and its flow with every solver, and computes matchings and assignments of its arcs. */
static tilecut_status networks(uint8_t *mask)
{
    enum { MOST = 300 };
    const int64_t nodes = net.arcs.nodes;
    uint8_t side[MOST] = {0}, cover[2 * MOST] = {0};
    int64_t carried[MOST];
    tilecut_network *network = NULL;
    tilecut_status status = tilecut_network_create(&network, &net.arcs);
    for (int k = 0; status == TILECUT_OK && k < network_cpu_solvers(); k++) {
        const tilecut_network_params params = {.solver = tilecut_network_solver_name(k), .threads = 2};
        status = tilecut_network_solve(network, &params, side, carried, NULL);
    }
    tilecut_network_destroy(network);
    const tilecut_network_edges edges = {.rows = nodes, .columns = nodes, .edges = net.arcs.arcs,
                                         .row = net.arcs.tail, .column = net.arcs.head};
    if (status == TILECUT_OK) status = pairs(&edges, cover);
    if (status == TILECUT_OK) status = assignments();
    if (status != TILECUT_OK) return status;
    memset(mask, 0, N);
    memcpy(mask, side, (size_t)nodes);
    memcpy(mask + nodes, cover, 2 * (size_t)nodes);
    return TILECUT_OK;
}

static tilecut_status segment(int depth, const uint8_t *labels, tilecut_params params, uint8_t *mask)
{
    const tilecut_image image = {0, W, H, 3, depth, 0, pixels};
    return tilecut_segment(&image, labels, &params, mask, NULL);
}

static tilecut_status flow(uint8_t *mask)
{
    static int32_t cells[6][N];
    const tilecut_flow out = {0, cells[0], cells[1], {cells[2], cells[3], cells[4], cells[5]}};
    tilecut_graph *graph = NULL;
    tilecut_status status = tilecut_graph_create(&graph, &eight.arrays);
    if (status == TILECUT_OK) status = tilecut_graph_flow(graph, NULL, mask, &out, NULL);
    tilecut_graph_destroy(graph);
    return status;
}

static tilecut_status session(uint8_t *mask)
{
    const tilecut_image image = {0, W, H, 3, 8, 0, pixels};
    uint8_t first[N];
    tilecut_session *again = NULL;
    tilecut_graph *graph = NULL;
    tilecut_status status = tilecut_graph_from_image(&graph, &image, seeds, NULL);
    if (status == TILECUT_OK) status = tilecut_session_create(&again, graph);
    if (status == TILECUT_OK) status = tilecut_session_solve(again, NULL, first, NULL);
    if (status == TILECUT_OK) status = tilecut_session_reseed(again, other, NULL);
    if (status == TILECUT_OK) status = tilecut_session_solve(again, NULL, mask, NULL);
    tilecut_session_destroy(again);
    tilecut_graph_destroy(graph);
    return status;
}

/* Corrects by strokes and by learning anew. If a step fails, the mask before it stays; the test then undoes the
 * step. */
static tilecut_status strokes(uint8_t *mask)
{
    const tilecut_image image = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = pixels};
    static const uint8_t painted[6] = {1, 1, 1, 0, 1, 1};
    const tilecut_stroke stroke = {.x = 2, .y = 1, .width = 3, .height = 2, .label = TILECUT_BACKGROUND,
                                   .painted = painted};
    uint8_t before[N], after[N];
    tilecut_session *again = NULL;
    tilecut_graph *graph = NULL;
    tilecut_status status = tilecut_graph_from_image(&graph, &image, seeds, NULL);
    if (status == TILECUT_OK) status = tilecut_session_create(&again, graph);
    if (status == TILECUT_OK) status = tilecut_session_begin(again, other, NULL);
    if (status == TILECUT_OK) status = tilecut_session_stroke(again, &stroke, NULL, before, NULL, NULL);
    if (status == TILECUT_OK) {
        status = tilecut_session_learn(again, NULL, after, NULL, NULL);
        if (status == TILECUT_OK) status = tilecut_session_stroke(again, &stroke, NULL, after, NULL, NULL);
        else if (tilecut_session_undo(again, NULL, NULL, NULL, NULL) != TILECUT_OK) status = TILECUT_EINVAL;
        if (status == TILECUT_OK) memcpy(mask, after, N);
    }
    tilecut_session_destroy(again);
    tilecut_graph_destroy(graph);
    return status;
}

/* Cuts two frames of a film. If a frame fails, the one before it stays. */
static tilecut_status film(uint8_t *mask)
{
    const tilecut_image image = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = pixels};
    uint8_t first[N];
    tilecut_session *frames = NULL;
    tilecut_graph *graph = NULL;
    tilecut_status status = tilecut_graph_from_image(&graph, &image, seeds, NULL);
    if (status == TILECUT_OK) status = tilecut_session_create(&frames, graph);
    if (status == TILECUT_OK) status = tilecut_session_solve(frames, NULL, first, NULL);
    if (status == TILECUT_OK) status = tilecut_session_advance(frames, &image, NULL, NULL);
    if (status == TILECUT_OK) status = tilecut_session_solve(frames, NULL, first, NULL);
    if (status == TILECUT_OK) status = tilecut_session_advance(frames, &image, other, NULL);
    if (status == TILECUT_OK) status = tilecut_session_solve(frames, NULL, mask, NULL);
    tilecut_session_destroy(frames);
    tilecut_graph_destroy(graph);
    return status;
}

/* Cuts three small frames in windows of two. */
static tilecut_status windows(uint8_t *mask)
{
    enum { SIDE = 12 };
    const tilecut_image image = {.width = SIDE, .height = SIDE, .channels = 3, .depth = 8, .pixels = pixels,
                                 .stride = 3 * W};
    const tilecut_film_shape shape = {.size = sizeof shape, .width = SIDE, .height = SIDE, .channels = 3, .window = 2};
    const tilecut_params params = {.size = sizeof params, .threads = 2, .colors = "none"};
    uint8_t last[SIDE * SIDE], painted[SIDE * SIDE] = {TILECUT_FOREGROUND, TILECUT_BACKGROUND};
    tilecut_film *frames = NULL;
    int ready = 0;
    tilecut_status status = tilecut_film_create(&frames, &shape, &params);
    for (int i = 0; status == TILECUT_OK && i <= 3; i++) {
        status = i < 3 ? tilecut_film_add(frames, &image, i ? NULL : painted, NULL, &ready)
                       : tilecut_film_end(frames, &ready);
        for (; status == TILECUT_OK && ready > 0; ready--) {
            status = tilecut_film_confidence(frames, last, NULL);
            if (status == TILECUT_OK) status = tilecut_film_take(frames, last, NULL);
        }
    }
    if (status == TILECUT_OK) memset(mask, 0, N), memcpy(mask, last, sizeof last);
    tilecut_film_destroy(frames);
    return status;
}

/* Computes a soft edge. All outputs are compared, as bytes of a mask. */
static tilecut_status matting(uint8_t *mask)
{
    const tilecut_image image = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = pixels};
    static uint8_t object[N], known[N], trimap[N], colors[3 * N];
    static uint16_t alpha[N], edge[N];
    for (int p = 0; p < N; p++) {
        object[p] = p % W > 20 && p % W < 50 && p / W > 10 ? 255 : 0;
        known[p] = p % W > 30 && p % W < 40 && p / W > 20 ? TILECUT_FOREGROUND : p % W < 9 ? TILECUT_BACKGROUND : 0;
    }
    tilecut_status status = tilecut_matte_band(&image, object, known, 2, trimap);
    if (status == TILECUT_OK) status = tilecut_matte(&image, trimap, 2, alpha);
    if (status == TILECUT_OK) status = tilecut_matte_colors(&image, alpha, 2, colors);
    if (status == TILECUT_OK) status = tilecut_edge_matte(&image, object, known, 2, edge, colors);
    for (int p = 0; status == TILECUT_OK && p < N; p++)
        mask[p] = (uint8_t)(edge[p] ^ trimap[p] ^ alpha[p] ^ alpha[p] >> 8 ^ colors[3 * p]);
    return status;
}

static int solver_rows(void)
{
    int rows = 0;
    while (tc_solvers[rows].name) rows++;
    return rows;
}

/* Makes call number i: each solver with one thread and with three, and with 4 and 8 neighbours; then the other
 * functions. */
static tilecut_status run(int i, uint8_t *mask)
{
    tilecut_params params = tilecut_params_default();
    const int rows = solver_rows();
    if (i < 3 * rows) {
        const tc_solver *solver = &tc_solvers[i / 3];
        if (solver->can & TC_ON_CUDA || (i % 3 == 2 && !(solver->can & TC_SOLVES_8))) return TILECUT_EINVAL;
        return solve(solver->name, i % 3 == 1 ? 3 : 1, i % 3 == 2 ? &eight : &four, mask);
    }
    switch (i - 3 * rows) {
    case 0: return segment(8, seeds, params, mask);
    case 1: return params.colors = "hist", segment(8, seeds, params, mask);
    case 2: return params.colors = "none", params.connectivity = 8, segment(8, seeds, params, mask);
    case 3: return params.threads = 3, segment(16, seeds, params, mask);
    case 4: return segment_grey(NULL, box, params, mask);
    case 5: return params.iterations = 2, segment(16, seeds, params, mask);
    case 6: return params.soft_seeds = 1, segment(8, seeds, params, mask);
    case 7: return flow(mask);
    case 8: return session(mask);
    case 9: return strokes(mask);
    case 10: return film(mask);
    case 11: return segment_large(params, mask);
    case 12: return matting(mask);
    case 13: return networks(mask);
    case 14: return windows(mask);
    case 15: return memo(params, mask);
    default: return TILECUT_ENODEVICE;
    }
}

/* ---- the walk --------------------------------------------------------------------------------- */

/* Returns how many allocations call i makes if none of them fails. */
static long count(int i)
{
    uint8_t mask[N];
    countdown = LONG_MAX;
    armed = true;
    (void)run(i, mask);
    armed = false;
    return LONG_MAX - countdown;
}

/* Repeats call i, and each time makes another of its allocations fail, until the call needs fewer allocations than
 * that. Returns how many it made fail. */
static long walk(int i, const uint8_t *expected)
{
    const long all = count(i), step = 1 + all / TRIED, most = 2 * all + step;
    const long first = RANDOM_SHARE == 1 ? 1 : 1 + step / 2;
    long failed = 0;
    uint8_t mask[N], untouched[N];
    memset(untouched, 77, N);
    for (long n = first; n <= most; n += step, failed++) {
        memset(mask, 77, N);
        countdown = n;
        live = 0;
        armed = true;
        const tilecut_status status = run(i, mask);
        armed = false;
        ck_assert_msg(live == 0, "run %d, allocation %ld: %ld blocks are not given back", i, n, (long)live);
        if (status == TILECUT_OK) {
            ck_assert_msg(memcmp(mask, expected, N) == 0, "run %d, allocation %ld: another mask", i, n);
        } else {
            ck_assert_msg(status == TILECUT_ENOMEM, "run %d, allocation %ld: status %d, %s", i, n, (int)status,
                          tilecut_error_detail());
            ck_assert_msg(strstr(tilecut_error_detail(), "memory") != NULL, "run %d: %s", i, tilecut_error_detail());
            ck_assert_msg(memcmp(mask, untouched, N) == 0, "run %d, allocation %ld: mask touched", i, n);
        }
        if (countdown > 0) return failed;
    }
    ck_abort_msg("run %d makes no end of allocations", i);
    return 0;
}

TEST(every_allocation_may_fail)
{
    uint8_t expected[N];
    long sites = 0, runs = 0;
    tilecut_status status;
    make_inputs();
    for (int i = 0; (status = run(i, expected)) != TILECUT_ENODEVICE; i++) {
        if (status == TILECUT_EINVAL || i % EVERY != 1 % EVERY) continue;
        ck_assert_msg(status == TILECUT_OK, "run %d: %s", i, tilecut_error_detail());
        sites += walk(i, expected);
        runs++;
    }
    printf("allocations that failed, one at a time: %ld in %ld kinds of calls\n", sites, runs);
    ck_assert_int_ge(runs, 15 / EVERY);
    ck_assert_int_ge(sites, 200 / EVERY);
    random_graph_free(&four);
    random_graph_free(&eight);
    random_network_free(&net);
}

int main(void) { return run_suite((test_suite){.name = "allocation", .seconds = 300}); }
