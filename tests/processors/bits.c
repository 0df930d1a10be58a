/* SPDX-License-Identifier: MIT
 *
 * bits.c - computes everything that the library computes without a GPU on random inputs, and prints checksums of the
 * results. They must be the same on every processor, with every compiler and every C library. Each line is a name and a
 * checksum.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"

enum { W = 61, H = 43, GRAPHS = 40 };

static uint8_t bytes[W * H * 6], seeds[W * H], mask[W * H];

static uint64_t add(uint64_t sum, const void *data, size_t size)
{
    const uint8_t *const byte = data;
    for (size_t i = 0; i < size; i++) sum = (sum ^ byte[i]) * 0x100000001b3u;
    return sum;
}

static void must(tilecut_status status, const char *what)
{
    if (status == TILECUT_OK) return;
    printf("%s: %s: %s\n", what, tilecut_strerror(status), tilecut_error_detail());
    exit(1);
}

/* Draws an ellipse on a background, both with noise, and a stroke in each, with 8 or 16 bits a sample. */
static tilecut_image draw(uint64_t seed, int channels, int depth)
{
    const tilecut_image image = {.width = W, .height = H, .channels = channels, .depth = depth, .pixels = bytes};
    for (int y = 0, i = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const int dx = x - W / 2, dy = (y - H / 2) * 3 / 2, inside = dx * dx + dy * dy < 350;
            seeds[y * W + x] = x < 3 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
            if (dx * dx + dy * dy < 30) seeds[y * W + x] = TILECUT_FOREGROUND;
            for (int c = 0; c < channels; c++, i++) {
                const uint16_t v = (uint16_t)((inside ? 150 - 30 * c : 60 + 25 * c) + random_below(&seed, 60));
                const uint16_t wide = (uint16_t)(v * 257 + random_below(&seed, 200));
                if (depth == 16) memcpy(bytes + 2 * i, &wide, 2);
                else bytes[i] = (uint8_t)v;
            }
        }
    return image;
}

/* Flow and mask are the same for all solvers and threads, so the checksum includes them once, and the others are
 * compared. */
static void solve_graphs(void)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        random_graph random;
        tilecut_graph *graph = NULL;
        uint64_t first = 0;
        random_graph_draw(&random, seed, W, H);
        must(tilecut_graph_create(&graph, &random.arrays), "graph");
        for (int i = 0; tilecut_solver_name(i); i++)
            for (int threads = 1; threads <= 3; threads += 2) {
                tilecut_params params = tilecut_params_default();
                tilecut_report report = {0};
                params.solver = tilecut_solver_name(i);
                params.threads = threads;
                const tilecut_status status = tilecut_graph_solve(graph, &params, mask, &report);
                if (status == TILECUT_ENODEVICE || status == TILECUT_EINVAL) continue;
                must(status, params.solver);
                uint64_t one = add(sum, &report.flow, sizeof report.flow);
                one = add(one, mask, (size_t)random.arrays.width * (size_t)random.arrays.height);
                if (first && first != one) printf("%s differs on graph %" PRIu64 "\n", params.solver, seed);
                first = one;
            }
        sum = first;
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
    }
    printf("graphs %016" PRIx64 "\n", sum);
}

static void segment_images(void)
{
    for (int i = 0; tilecut_colors_name(i); i++) {
        uint64_t sum = 0xcbf29ce484222325u;
        for (int kind = 0; kind < 16; kind++) {
            const tilecut_image image = draw((uint64_t)kind + 1, kind & 1 ? 3 : 1, kind & 2 ? 16 : 8);
            tilecut_params params = tilecut_params_default();
            tilecut_report report = {0};
            params.colors = tilecut_colors_name(i);
            params.connectivity = kind & 4 ? 8 : 4;
            params.threads = kind & 8 ? 3 : 1;
            must(tilecut_segment(&image, seeds, &params, mask, &report), params.colors);
            sum = add(add(sum, &report.flow, sizeof report.flow), mask, sizeof mask);
        }
        printf("%s %016" PRIx64 "\n", tilecut_colors_name(i), sum);
    }
}

/* Applies strokes in a session, one after the other, and computes the soft edge of the result. */
static void play(void)
{
    static uint8_t painted[5 * 5], trimap[W * H];
    static uint16_t alpha[W * H];
    const tilecut_image image = draw(7, 3, 8);
    const tilecut_params params = tilecut_params_default();
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;
    uint64_t sum = 0xcbf29ce484222325u, state = 9;
    memset(painted, 1, sizeof painted);
    must(tilecut_graph_from_image(&graph, &image, seeds, &params), "graph from image");
    must(tilecut_session_create(&session, graph), "session");
    must(tilecut_session_solve(session, &params, mask, NULL), "solve");
    for (int i = 0; i < 6; i++) {
        const tilecut_stroke stroke = {.x = random_below(&state, W - 5), .y = random_below(&state, H - 5), .width = 5,
                                       .height = 5, .label = i % 2 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND,
                                       .painted = painted};
        must(tilecut_session_stroke(session, &stroke, &params, mask, NULL, NULL), "stroke");
        sum = add(sum, mask, sizeof mask);
    }
    must(tilecut_session_learn(session, &params, mask, NULL, NULL), "learn");
    printf("session %016" PRIx64 "\n", add(sum, mask, sizeof mask));
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    must(tilecut_matte_band(&image, mask, seeds, 2, trimap), "band");
    if (tilecut_matte(&image, trimap, 2, alpha) == TILECUT_OK)
        printf("matte %016" PRIx64 "\n", add(sum, alpha, sizeof alpha));
}

int main(void)
{
    solve_graphs();
    segment_images();
    play();
    return 0;
}
