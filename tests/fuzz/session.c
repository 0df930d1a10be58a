/* SPDX-License-Identifier: MIT
 *
 * session.c - fuzz target: calls on a graph and its session in any order, with any row stride and memory alignment.
 * Every call must give a certified answer or an error status, and a stroke only adds or only removes.
 */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "tilecut.h"

enum { MOST_SIDE = 24, ROOM = 2 * MOST_SIDE * MOST_SIDE + 64, CALLS = 24 };

typedef struct game {
    supply from;
    int width, height;
    bool from_image;
    tilecut_image image;
    int32_t source[MOST_SIDE * MOST_SIDE], sink[MOST_SIDE * MOST_SIDE], link[4][MOST_SIDE * MOST_SIDE];
    uint8_t pixels[3 * ROOM], seeds[ROOM], mask[ROOM], now[MOST_SIDE * MOST_SIDE];
    bool known; /* true if `now` is the session's mask */
    tilecut_params params;
    tilecut_graph *graph;
    tilecut_session *session;
} game;

static bool fine(tilecut_status status)
{
    MUST(status == TILECUT_OK || status == TILECUT_ESEEDS || status == TILECUT_ERANGE || status == TILECUT_EINVAL);
    return status == TILECUT_OK;
}

static bool create(game *g)
{
    const size_t n = (size_t)g->width * (size_t)g->height;
    if (g->from_image) {
        const size_t stride = (size_t)g->width * 3 + take_below(&g->from, 3);
        g->image = (tilecut_image){.width = g->width, .height = g->height, .channels = 3, .depth = 8, .stride = stride,
                                   .pixels = g->pixels + take_below(&g->from, 2)};
        for (size_t i = 0; i < 3 * n; i++) g->pixels[i] = (uint8_t)take(&g->from);
        g->params.seeds_stride = (size_t)g->width + take_below(&g->from, 3);
        memset(g->seeds, TILECUT_UNKNOWN, sizeof g->seeds);
        for (size_t i = 0; i < ROOM; i += 5) g->seeds[i] = i % 7 == 0 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
        return fine(tilecut_graph_from_image(&g->graph, &g->image, g->seeds, &g->params));
    }
    tilecut_arrays arrays = {.width = g->width, .height = g->height, .source = g->source, .sink = g->sink};
    for (size_t p = 0; p < n; p++) {
        g->source[p] = (int32_t)take_below(&g->from, 9);
        g->sink[p] = (int32_t)take_below(&g->from, 9);
        for (int d = 0; d < 4; d++) g->link[d][p] = (int32_t)take_below(&g->from, 7);
    }
    for (int d = 0; d < (take_below(&g->from, 2) ? 4 : 2); d++) arrays.to[d] = g->link[d];
    return fine(tilecut_graph_create(&g->graph, &arrays));
}

/* Packs the mask that a call has written, whose rows have the stride of the parameters. */
static void see(game *g)
{
    const size_t stride = g->params.mask_stride ? g->params.mask_stride : (size_t)g->width;
    for (int y = 0; y < g->height; y++)
        memcpy(g->now + (size_t)y * (size_t)g->width, g->mask + (size_t)y * stride, (size_t)g->width);
    g->known = true;
}

static void stroke(game *g)
{
    uint8_t painted[64], before[MOST_SIDE * MOST_SIDE];
    const int label = take_below(&g->from, 2) ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    const tilecut_stroke s = {.x = (int)take_below(&g->from, MOST_SIDE), .y = (int)take_below(&g->from, MOST_SIDE),
                              .width = 1 + (int)take_below(&g->from, 7), .height = 1 + (int)take_below(&g->from, 7),
                              .label = label, .painted = painted, .stride = take_below(&g->from, 2) ? 8 : 0};
    tilecut_report report = {0};
    for (size_t i = 0; i < sizeof painted; i++) painted[i] = take_below(&g->from, 2) ? 1 : 0;
    memcpy(before, g->now, sizeof before);
    const bool known = g->known;
    if (!fine(tilecut_session_stroke(g->session, &s, &g->params, g->mask, NULL, &report))) return;
    see(g);
    MUST(report.certified && report.flow == report.cut);
    for (size_t p = 0; known && p < (size_t)g->width * (size_t)g->height; p++)
        MUST(before[p] == g->now[p] || g->now[p] == (label == TILECUT_FOREGROUND ? 255 : 0));
}

static void solve(game *g)
{
    tilecut_report report = {0};
    if (!fine(tilecut_session_solve(g->session, &g->params, g->mask, &report))) return;
    MUST(report.certified && report.flow == report.cut);
    see(g);
}

static void call(game *g)
{
    int undone = 0;
    g->params.threads = 1 + (int)take_below(&g->from, 2);
    g->params.mask_stride = take_below(&g->from, 2) ? (size_t)g->width + take_below(&g->from, 3) : 0;
    g->params.solver = take_below(&g->from, 3) ? NULL : tilecut_solver_name((int)take_below(&g->from, 3));
    switch (take_below(&g->from, 7)) {
    case 0: solve(g); break;
    case 1:
    case 2: stroke(g); break;
    case 3: if (fine(tilecut_session_undo(g->session, &g->params, g->mask, NULL, &undone)) && g->known) see(g); break;
    case 4: if (fine(tilecut_session_learn(g->session, &g->params, g->mask, NULL, NULL))) see(g); break;
    case 5: if (fine(tilecut_session_reseed(g->session, g->seeds, &g->params))) g->known = false; break;
    default:
        for (int p = 0; !g->from_image && p < g->width; p++) g->source[p] = (int32_t)take_below(&g->from, 9);
        if (!g->from_image) solve(g);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static game g;
    memset(&g, 0, sizeof g);
    g.from = (supply){data, size};
    g.params = tilecut_params_default();
    g.width = 1 + (int)take_below(&g.from, MOST_SIDE);
    g.height = 1 + (int)take_below(&g.from, MOST_SIDE);
    g.from_image = take_below(&g.from, 2);
    const unsigned calls = take_below(&g.from, CALLS);
    if (create(&g) && fine(tilecut_session_create(&g.session, g.graph)))
        for (unsigned i = 0; i < calls; i++) call(&g);
    tilecut_session_destroy(g.session);
    tilecut_graph_destroy(g.graph);
    return 0;
}
