/* SPDX-License-Identifier: MIT
 *
 * test_bad_arguments.c - one table of arguments that break their contract, and one of the library's functions: each
 * function refuses each fault of what it takes, with a status and a sentence, and leaves its outputs alone. Without a
 * fault each succeeds. tests/headers.sh looks whether a function is missing here.
 */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "run_suite.h"
#include "tilecut.h"
#include "tilecut_correct.h"
#include "tilecut_labels.h"
#include "tilecut_network.h"
#include "tilecut_parts.h"

enum { W = 24, H = 18, D = 5, PIXELS = W * H, VOXELS = PIXELS * D, UNTOUCHED = 77, PAGE = 4096 };

/* What functions take: a fault is tried with those that take what it is in. */
enum {
    IMAGE = 1, SEEDS = 2, SEED_ROWS = 4, MASK = 8, MASK_ROWS = 16, PARAMS = 32, NEIGHBOURS = 64, VOLUME = 128,
    ARRAYS = 256, VOLUME_ARRAYS = 512, PART = 1024, STROKE = 2048, TRIMAP = 4096, ALPHA = 8192, FILM = 16384,
    ARCS = 32768, EDGES = 65536, NET_PARAMS = 131072, REPORT = 262144, HOW = 524288, COSTS = 1048576,
    COLORS = 2097152, THREADS = 4194304, SOLVER = 8388608
};

/* All arguments, good at first. */
static struct {
    tilecut_image image;
    tilecut_volume volume;
    tilecut_params params;
    tilecut_arrays arrays;
    tilecut_volume_arrays volume_arrays;
    tilecut_part part;
    tilecut_stroke stroke;
    tilecut_film_shape film;
    tilecut_network_arcs arcs;
    tilecut_network_edges edges;
    tilecut_network_params net_params;
    tilecut_report report;
    const uint8_t *seeds;
    uint8_t *mask;
    const uint8_t *trimap;
    uint16_t *alpha;
    int how, threads;
} w;

/* What they point to. Behind `pixels` and in front of it nothing may be read. */
static uint8_t *pixels, seeds[VOXELS], mask[VOXELS], trimap[VOXELS], painted[64], colors[3 * PIXELS];
static uint16_t alpha[PIXELS + 1];
static int32_t cells[8][VOXELS + 1];
static int32_t tails[] = {0, 0, 1, 2, 3, 9}, heads[] = {1, 2, 3, 3, 4, 9}, source[] = {0, 9}, sink[] = {4, 9};
static int64_t capacity[] = {3, 2, 4, 1, 9, 9}, flow[6];
static int32_t rows[] = {0, 1, 2, 9}, columns[] = {1, 0, 2, 9}, level[8];
static int64_t costs[] = {5, -3, 0, 9}, price[8];
static uint8_t side[8], cover[8];
static tilecut_exchange *alone;

static void begin(void)
{
    const size_t bytes = (2 * PIXELS * 3 + PAGE - 1) / PAGE * PAGE, with = bytes + 2 * (size_t)PAGE;
    uint8_t *const all = mmap(NULL, with, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(all, MAP_FAILED);
    ck_assert(!mprotect(all, PAGE, PROT_NONE) && !mprotect(all + PAGE + bytes, PAGE, PROT_NONE));
    pixels = all + PAGE;
    for (size_t i = 0; i < bytes; i++) pixels[i] = (uint8_t)(i * 7 % 40 + (i / 3 % W > W / 2 ? 150 : 20));
    ck_assert_int_eq(tilecut_exchange_threads(&alone, 1), TILECUT_OK);
}

static void set_up(void)
{
    memset(&w, 0, sizeof w);
    memset(seeds, 0, sizeof seeds);
    memset(mask, UNTOUCHED, sizeof mask);
    for (int i = 0; i < H; i++) seeds[i * W] = TILECUT_BACKGROUND, seeds[i * W + W - 2] = TILECUT_FOREGROUND;
    for (int i = 0; i < PIXELS; i++) trimap[i] = i % W < 8 ? 0 : i % W < 16 ? 128 : 255, alpha[i] = (uint16_t)(i * 100);
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < VOXELS; i++) cells[k][i] = (i * (k + 3)) % 20;
    memset(painted, 1, sizeof painted);
    w.image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = pixels};
    w.volume = (tilecut_volume){.width = W, .height = H, .depth = D, .voxels = pixels};
    w.arrays = (tilecut_arrays){.width = W, .height = H, .source = cells[0], .sink = cells[1],
                                .to = {cells[2], cells[3]}};
    w.volume_arrays = (tilecut_volume_arrays){.width = W, .height = H, .depth = D, .source = cells[0],
                                              .sink = cells[1], .to = {cells[2], cells[3], cells[4]}};
    w.part = (tilecut_part){.height = H, .rows = H, .exchange = alone};
    w.stroke = (tilecut_stroke){.x = 2, .y = 2, .width = 8, .height = 8, .label = TILECUT_FOREGROUND,
                                .painted = painted};
    w.film = (tilecut_film_shape){.width = W, .height = H, .channels = 3};
    w.arcs = (tilecut_network_arcs){.nodes = 5, .arcs = 5, .tail = tails, .head = heads, .capacity = capacity,
                                    .sources = source, .sinks = sink, .source_count = 1, .sink_count = 1};
    w.edges = (tilecut_network_edges){.rows = 3, .columns = 3, .edges = 3, .row = rows, .column = columns,
                                      .cost = costs};
    w.params = tilecut_params_default();
    w.params.colors = "none", w.params.iterations = TILECUT_NONE;
    w.seeds = seeds, w.mask = mask, w.trimap = trimap, w.alpha = alpha, w.threads = 1;
}

/* ---- The functions ---------------------------------------------------------------------------- */

static tilecut_status by_graph(tilecut_status (*call)(tilecut_graph *graph))
{
    tilecut_graph *graph = NULL;
    tilecut_status status = tilecut_graph_create(&graph, &w.arrays);
    if (status == TILECUT_OK) status = call(graph);
    tilecut_graph_destroy(graph);
    return status;
}

static tilecut_status graph_solve(tilecut_graph *g) { return tilecut_graph_solve(g, &w.params, w.mask, &w.report); }
static tilecut_status graph_flow(tilecut_graph *g)
{
    static int32_t moved[4][PIXELS];
    const tilecut_flow all = {.source = moved[0], .sink = moved[1], .to = {moved[2], moved[3]}};
    ck_assert_int_eq(tilecut_graph_flow(g, &w.params, w.mask, NULL, NULL), TILECUT_EINVAL);
    return tilecut_graph_flow(g, &w.params, w.mask, &all, &w.report);
}
static tilecut_status graph_row(tilecut_graph *g)
{
    int32_t row[W];
    const tilecut_row wanted = {.source = row};
    ck_assert_int_eq(tilecut_graph_row(g, -1, &wanted), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_graph_row(g, H, &wanted), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_graph_row(g, 0, NULL), TILECUT_EINVAL);
    return tilecut_graph_row(g, 1, &wanted);
}

static tilecut_status by_image(tilecut_status (*call)(tilecut_graph *graph, tilecut_session *session))
{
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;
    const tilecut_image good = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = pixels};
    const tilecut_params plain = {.colors = "none", .iterations = TILECUT_NONE};
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &good, seeds, &plain), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    const tilecut_status status = call(graph, session);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    return status;
}

static tilecut_status solve_again(tilecut_graph *g, tilecut_session *s)
{
    (void)g;
    return tilecut_session_solve(s, &w.params, w.mask, &w.report);
}
static tilecut_status segment_again(tilecut_graph *g, tilecut_session *s)
{
    (void)s;
    return tilecut_graph_segment(g, &w.params, w.mask, &w.report);
}
static tilecut_status reseed(tilecut_graph *g, tilecut_session *s)
{
    (void)g;
    return tilecut_session_reseed(s, w.seeds, &w.params);
}
/* A first mask, which the calls below need. */
static void solve_first(tilecut_session *s)
{
    uint8_t first[PIXELS];
    const tilecut_params plain = {.colors = "none", .iterations = TILECUT_NONE};
    ck_assert_int_eq(tilecut_session_solve(s, &plain, first, NULL), TILECUT_OK);
}

static tilecut_status advance(tilecut_graph *g, tilecut_session *s)
{
    (void)g;
    solve_first(s);
    return tilecut_session_advance(s, &w.image, w.seeds, &w.params);
}
static tilecut_status start(tilecut_graph *g, tilecut_session *s)
{
    (void)g;
    return tilecut_session_begin(s, trimap, &w.params);
}
static tilecut_status stroke(tilecut_graph *g, tilecut_session *s)
{
    (void)g;
    solve_first(s);
    return tilecut_session_stroke(s, &w.stroke, &w.params, w.mask, NULL, &w.report);
}
static tilecut_status learn(tilecut_graph *g, tilecut_session *s)
{
    (void)g;
    solve_first(s);
    return tilecut_session_learn(s, &w.params, w.mask, NULL, &w.report);
}
static tilecut_status undo(tilecut_graph *g, tilecut_session *s)
{
    int undone;
    (void)g;
    solve_first(s);
    return tilecut_session_undo(s, &w.params, w.mask, NULL, &undone);
}

static tilecut_status sure_of_graph(tilecut_graph *g, tilecut_session *s)
{
    (void)s;
    return tilecut_confidence(g, w.mask, &w.params, NULL, NULL);
}
static tilecut_status sure_of_session(tilecut_graph *g, tilecut_session *s)
{
    (void)g;
    solve_first(s);
    return tilecut_session_confidence(s, &w.params, NULL, NULL);
}

static tilecut_status segment(void) { return tilecut_segment(&w.image, w.seeds, &w.params, w.mask, &w.report); }
static tilecut_status from_image(void)
{
    tilecut_graph *graph = NULL;
    const tilecut_status status = tilecut_graph_from_image(&graph, &w.image, w.seeds, &w.params);
    tilecut_graph_destroy(graph);
    return status;
}
static tilecut_status correct(void)
{
    if (w.mask) memcpy(w.mask, trimap, PIXELS);
    seeds[W + 20] = TILECUT_BACKGROUND; /* contradicts the mask */
    const tilecut_status status =
        tilecut_correct(&w.image, w.seeds, &w.params, w.how, w.mask, NULL, &w.report);
    if (status != TILECUT_OK && w.mask && !memcmp(w.mask, trimap, PIXELS)) memset(w.mask, UNTOUCHED, PIXELS);
    return status;
}
static tilecut_status labels(void)
{
    return tilecut_labels(&w.image, w.seeds, &w.params, NULL, w.mask, NULL);
}
static tilecut_status labels_correct(void)
{
    return tilecut_labels_correct(&w.image, w.seeds, &w.params, w.mask, NULL);
}
static tilecut_status labels_session(void)
{
    tilecut_labels_session *s = NULL;
    const tilecut_status status = tilecut_labels_session_create(&s, &w.image, w.mask, w.seeds, &w.params);
    ck_assert_int_eq(s == NULL, status != TILECUT_OK);
    tilecut_labels_session_destroy(s);
    return status;
}
static tilecut_status labels_session_stroke(void)
{
    tilecut_labels_session *s = NULL;
    ck_assert_int_eq(tilecut_labels_session_create(&s, &w.image, trimap, NULL, NULL), TILECUT_OK);
    const tilecut_status status = tilecut_labels_session_stroke(s, &w.stroke, &w.params, w.mask, NULL);
    tilecut_labels_session_destroy(s);
    return status;
}
static tilecut_status labels_session_undo(void)
{
    tilecut_labels_session *s = NULL;
    ck_assert_int_eq(tilecut_labels_session_create(&s, &w.image, trimap, NULL, NULL), TILECUT_OK);
    const tilecut_status status = tilecut_labels_session_undo(s, &w.params, w.mask, NULL, NULL);
    tilecut_labels_session_destroy(s);
    return status;
}
static tilecut_status volume_labels_session(void)
{
    tilecut_labels_session *s = NULL;
    const tilecut_status status = tilecut_volume_labels_session_create(&s, &w.volume, w.mask, w.seeds, &w.params);
    tilecut_labels_session_destroy(s);
    return status;
}
static tilecut_status labels_refine(void)
{
    return tilecut_labels_refine(&w.image, &w.params, 0, w.mask, NULL);
}
static tilecut_status volume_labels_refine(void)
{
    return tilecut_volume_labels_refine(&w.volume, &w.params, 0, w.mask, NULL);
}
static tilecut_status volume_labels_correct(void)
{
    return tilecut_volume_labels_correct(&w.volume, w.seeds, &w.params, w.mask, NULL);
}
static tilecut_status confidence(void) { return by_image(sure_of_graph); }
static tilecut_status session_confidence(void) { return by_image(sure_of_session); }
static tilecut_status volume_moved(void)
{
    tilecut_moved out = {0};
    return tilecut_volume_moved(&w.volume, trimap, w.mask, &out);
}

static tilecut_status volume_confidence(void)
{
    return tilecut_volume_confidence(&w.volume, w.seeds, w.mask, &w.params, NULL, NULL);
}
static tilecut_status volume_labels(void)
{
    return tilecut_volume_labels(&w.volume, w.seeds, &w.params, NULL, w.mask, NULL);
}
static tilecut_status memo_cut(void)
{
    tilecut_memo *memo = NULL;
    ck_assert_int_eq(tilecut_memo_create(NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_memo_create(&memo), TILECUT_OK);
    const tilecut_status status = tilecut_memo_cut(memo, &w.image, w.seeds, &w.params, 0, w.mask, &w.report);
    tilecut_memo_destroy(memo);
    return status;
}
static tilecut_status band(void) { return tilecut_matte_band(&w.image, trimap, NULL, w.threads, w.mask); }
static tilecut_status edge(void) { return tilecut_edge(&w.image, trimap, w.threads, w.alpha, NULL); }
static tilecut_status edge_matte(void)
{
    return tilecut_edge_matte(&w.image, trimap, NULL, w.threads, w.alpha, NULL);
}
static tilecut_status matte(void) { return tilecut_matte(&w.image, w.trimap, w.threads, w.alpha); }
static tilecut_status matte_colors(void) { return tilecut_matte_colors(&w.image, w.alpha, w.threads, colors); }
static tilecut_status snap(void) { return tilecut_snap(&w.image, NULL, w.mask, NULL); }
static tilecut_status moved(void)
{
    tilecut_moved out = {0};
    return tilecut_outline_moved(&w.image, trimap, w.mask, &out);
}
static tilecut_status create(void) { return by_graph(graph_row); }
static tilecut_status solve(void) { return by_graph(graph_solve); }
static tilecut_status with_flow(void) { return by_graph(graph_flow); }
static tilecut_status session_solve(void) { return by_image(solve_again); }
static tilecut_status graph_segment(void) { return by_image(segment_again); }
static tilecut_status session_reseed(void) { return by_image(reseed); }
static tilecut_status session_advance(void) { return by_image(advance); }
static tilecut_status session_begin(void) { return by_image(start); }
static tilecut_status session_stroke(void) { return by_image(stroke); }
static tilecut_status session_learn(void) { return by_image(learn); }
static tilecut_status session_undo(void) { return by_image(undo); }
static tilecut_status volume_segment(void)
{
    return tilecut_volume_segment(&w.volume, w.seeds, &w.params, w.mask, &w.report);
}
static void give_mask_to_correct(void)
{
    if (w.mask) memcpy(w.mask, trimap, VOXELS);
    seeds[W + 20] = TILECUT_BACKGROUND; /* contradicts the mask */
}
static tilecut_status corrected(tilecut_status status)
{
    if (status != TILECUT_OK && w.mask && !memcmp(w.mask, trimap, VOXELS)) memset(w.mask, UNTOUCHED, VOXELS);
    return status;
}
static tilecut_status volume_correct(void)
{
    give_mask_to_correct();
    return corrected(tilecut_volume_correct(&w.volume, w.seeds, &w.params, w.how, w.mask, NULL, &w.report));
}
static tilecut_status volume_session_correct(void)
{
    tilecut_volume_session *session = NULL;
    tilecut_status status = tilecut_volume_session_create(&session, &w.volume);
    give_mask_to_correct();
    if (status == TILECUT_OK)
        status = tilecut_volume_session_correct(session, w.seeds, &w.params, w.how, w.mask, NULL, &w.report);
    tilecut_volume_session_destroy(session);
    return corrected(status);
}
static tilecut_status volume_session_undo(void)
{
    tilecut_volume_session *session = NULL;
    ck_assert_int_eq(tilecut_volume_session_create(&session, &w.volume), TILECUT_OK);
    ck_assert_int_eq(tilecut_volume_session_solve(session, seeds, NULL, mask, NULL), TILECUT_OK);
    memset(mask, UNTOUCHED, sizeof mask);
    const tilecut_status status = tilecut_volume_session_undo(session, w.mask, NULL);
    tilecut_volume_session_destroy(session);
    return status;
}
static tilecut_status volume_session(void)
{
    tilecut_volume_session *session = NULL;
    tilecut_status status = tilecut_volume_session_create(&session, &w.volume);
    if (status == TILECUT_OK) status = tilecut_volume_session_solve(session, w.seeds, &w.params, w.mask, &w.report);
    tilecut_volume_session_destroy(session);
    return status;
}
static tilecut_status volume_session_create(void)
{
    tilecut_volume_session *session = NULL;
    const tilecut_status status = tilecut_volume_session_create(&session, &w.volume);
    ck_assert_int_eq(session == NULL, status != TILECUT_OK);
    tilecut_volume_session_destroy(session);
    return status;
}
static tilecut_status volume_capacities(void)
{
    static int32_t made[5 * VOXELS];
    return tilecut_volume_capacities(&w.volume, w.seeds, &w.params, made, made + VOXELS, made + 2 * VOXELS, NULL);
}
static tilecut_status volume_range(void)
{
    double range[2];
    return tilecut_volume_range(&w.volume, range);
}
static tilecut_status volume_window(void)
{
    int window[6];
    return tilecut_volume_window(&w.volume, w.seeds, window);
}
static tilecut_status volume_check(void) { return tilecut_volume_check(&w.volume_arrays); }
static tilecut_status volume_solve(void)
{
    return tilecut_volume_solve(&w.volume_arrays, &w.params, w.mask, &w.report);
}
static tilecut_status part_segment(void)
{
    return tilecut_part_segment(&w.part, &w.image, w.seeds, &w.params, w.mask, &w.report, NULL);
}
static tilecut_status part_solve(void)
{
    return tilecut_part_solve(&w.part, &w.arrays, &w.params, w.mask, &w.report, NULL);
}
static tilecut_status part_labels(void)
{
    return tilecut_part_labels(&w.part, &w.image, w.seeds, &w.params, NULL, w.mask, NULL);
}
static tilecut_status part_volume_labels(void)
{
    if (w.part.height == H) w.part.height = D;
    if (w.part.rows == H) w.part.rows = D;
    return tilecut_part_volume_labels(&w.part, &w.volume, w.seeds, &w.params, NULL, w.mask, NULL);
}
static tilecut_status part_volume_segment(void)
{
    if (w.part.height == H) w.part.height = D;
    if (w.part.rows == H) w.part.rows = D;
    return tilecut_part_volume_segment(&w.part, &w.volume, w.seeds, &w.params, w.mask, &w.report, NULL);
}
static tilecut_status part_volume_solve(void)
{
    if (w.part.height == H) w.part.height = D;
    if (w.part.rows == H) w.part.rows = D;
    return tilecut_part_volume_solve(&w.part, &w.volume_arrays, &w.params, w.mask, &w.report, NULL);
}
static tilecut_status film(void)
{
    tilecut_film *f = NULL;
    int ready = 0;
    tilecut_volume_arrays window;
    tilecut_status status = tilecut_film_create(&f, &w.film, &w.params);
    if (status == TILECUT_OK) {
        ck_assert_int_eq(tilecut_film_window(f, &window), TILECUT_EINVAL);
        ck_assert_int_eq(tilecut_film_take(f, mask, NULL), TILECUT_EINVAL);
        ck_assert_int_eq(tilecut_film_confidence(f, mask, NULL), TILECUT_EINVAL);
        status = tilecut_film_add(f, &w.image, w.seeds ? w.seeds : seeds, NULL, &ready);
    }
    if (status == TILECUT_OK) status = tilecut_film_end(f, &ready);
    if (status == TILECUT_OK) status = tilecut_film_take(f, w.mask, &w.report);
    tilecut_film_destroy(f);
    return status;
}
static tilecut_status network(void)
{
    tilecut_network *net = NULL;
    tilecut_status status = tilecut_network_create(&net, &w.arcs);
    if (status == TILECUT_OK) status = tilecut_network_solve(net, &w.net_params, side, flow, NULL);
    tilecut_network_destroy(net);
    return status;
}
static tilecut_status match(void) { return tilecut_network_match(&w.edges, &w.net_params, level, cover, NULL); }
static tilecut_status assign(void) { return tilecut_network_assign(&w.edges, &w.net_params, level, price, NULL); }
static tilecut_status levels(void) { return tilecut_network_levels(&w.edges, 0, &w.net_params, level, NULL); }

enum { PHOTO = IMAGE | SEEDS | SEED_ROWS | PARAMS | NEIGHBOURS, MASKED = MASK | MASK_ROWS | REPORT | SOLVER };

static const struct {
    const char *name;
    unsigned takes;
    tilecut_status (*call)(void);
} functions[] = {
    {"tilecut_segment", PHOTO | MASKED | COLORS, segment},
    {"tilecut_graph_from_image", PHOTO | COLORS, from_image},
    {"tilecut_graph_create", ARRAYS, create},
    {"tilecut_graph_solve", ARRAYS | PARAMS | MASKED, solve},
    {"tilecut_graph_segment", PARAMS | MASKED, graph_segment},
    {"tilecut_graph_flow", ARRAYS | PARAMS | MASKED, with_flow},
    {"tilecut_session_solve", PARAMS | MASKED, session_solve},
    {"tilecut_session_reseed", SEEDS | SEED_ROWS | PARAMS, session_reseed},
    {"tilecut_session_advance", IMAGE | PARAMS, session_advance},
    {"tilecut_session_begin", PARAMS | MASK_ROWS, session_begin},
    {"tilecut_session_stroke", STROKE | PARAMS | (MASKED & ~(unsigned)MASK), session_stroke},
    {"tilecut_session_learn", PARAMS | (MASKED & ~(unsigned)MASK), session_learn},
    {"tilecut_session_undo", PARAMS | MASK_ROWS, session_undo},
    {"tilecut_correct", PHOTO | MASK | MASK_ROWS | REPORT | HOW | COLORS | SOLVER, correct},
    {"tilecut_labels", IMAGE | SEED_ROWS | PARAMS | NEIGHBOURS | MASK | MASK_ROWS | SOLVER | COLORS, labels},
    {"tilecut_labels_correct", IMAGE | SEED_ROWS | PARAMS | NEIGHBOURS | MASK | MASK_ROWS | SOLVER | COLORS,
     labels_correct},
    {"tilecut_labels_session_create", IMAGE | SEED_ROWS | PARAMS | NEIGHBOURS | MASK | MASK_ROWS | SOLVER,
     labels_session},
    {"tilecut_volume_labels_session_create", VOLUME | PARAMS | MASK | SOLVER, volume_labels_session},
    {"tilecut_labels_session_stroke", STROKE | PARAMS | MASK_ROWS | SOLVER, labels_session_stroke},
    {"tilecut_labels_session_undo", PARAMS | MASK_ROWS, labels_session_undo},
    {"tilecut_labels_refine", IMAGE | PARAMS | NEIGHBOURS | MASK | MASK_ROWS | SOLVER | COLORS, labels_refine},
    {"tilecut_volume_labels_refine", VOLUME | PARAMS | MASK | SOLVER | COLORS, volume_labels_refine},
    {"tilecut_volume_labels_correct", VOLUME | PARAMS | COLORS | MASK | SOLVER, volume_labels_correct},
    {"tilecut_volume_labels", VOLUME | PARAMS | COLORS | MASK | SOLVER, volume_labels},
    {"tilecut_confidence", PARAMS | MASK | MASK_ROWS, confidence},
    {"tilecut_session_confidence", PARAMS, session_confidence},
    {"tilecut_volume_moved", VOLUME | MASK, volume_moved},
    {"tilecut_volume_confidence", VOLUME | SEEDS | PARAMS | COLORS | MASK, volume_confidence},
    {"tilecut_snap", IMAGE | MASK, snap},
    {"tilecut_outline_moved", IMAGE | MASK, moved},
    {"tilecut_memo_cut", PHOTO | MASKED | COLORS, memo_cut},
    {"tilecut_matte_band", IMAGE | MASK | THREADS, band},
    {"tilecut_edge", IMAGE | ALPHA | THREADS, edge},
    {"tilecut_edge_matte", IMAGE | ALPHA | THREADS, edge_matte},
    {"tilecut_matte", IMAGE | TRIMAP | ALPHA | THREADS, matte},
    {"tilecut_matte_colors", IMAGE | ALPHA | THREADS, matte_colors},
    {"tilecut_volume_segment", VOLUME | SEEDS | PARAMS | COLORS | MASK | REPORT | SOLVER, volume_segment},
    {"tilecut_volume_correct", VOLUME | SEEDS | PARAMS | COLORS | MASK | REPORT | HOW | SOLVER, volume_correct},
    {"tilecut_volume_session_correct", VOLUME | SEEDS | PARAMS | COLORS | MASK | REPORT | HOW | SOLVER,
     volume_session_correct},
    {"tilecut_volume_session_undo", MASK, volume_session_undo},
    {"tilecut_volume_session_create", VOLUME, volume_session_create},
    {"tilecut_volume_session_solve", VOLUME | SEEDS | PARAMS | COLORS | MASK | REPORT | SOLVER, volume_session},
    {"tilecut_volume_capacities", VOLUME | SEEDS | PARAMS | COLORS, volume_capacities},
    {"tilecut_volume_range", VOLUME, volume_range},
    {"tilecut_volume_window", VOLUME | SEEDS, volume_window},
    {"tilecut_volume_check", VOLUME_ARRAYS, volume_check},
    {"tilecut_volume_solve", VOLUME_ARRAYS | PARAMS | MASK | REPORT | SOLVER, volume_solve},
    {"tilecut_part_segment", PART | PHOTO | MASKED | COLORS, part_segment},
    {"tilecut_part_solve", PART | ARRAYS | PARAMS | MASKED, part_solve},
    {"tilecut_part_volume_segment", PART | VOLUME | SEEDS | PARAMS | COLORS | MASK | REPORT | SOLVER,
     part_volume_segment},
    {"tilecut_part_labels", PART | PHOTO | PARAMS | COLORS | MASK | SOLVER, part_labels},
    {"tilecut_part_volume_labels", PART | VOLUME | PARAMS | COLORS | MASK | SOLVER, part_volume_labels},
    {"tilecut_part_volume_solve", PART | VOLUME_ARRAYS | PARAMS | MASK | REPORT | SOLVER, part_volume_solve},
    {"tilecut_film_create", FILM | PARAMS | COLORS | IMAGE | MASK | SOLVER, film},
    {"tilecut_network_create", ARCS, network},
    {"tilecut_network_solve", ARCS | NET_PARAMS, network},
    {"tilecut_network_match", EDGES | NET_PARAMS, match},
    {"tilecut_network_assign", EDGES | NET_PARAMS | COSTS, assign},
    {"tilecut_network_levels", EDGES | NET_PARAMS, levels},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- The faults ------------------------------------------------------------------------------- */

#define FAULTS(FAULT)                                                                                                 \
    FAULT(IMAGE, w.image.width = 0)                                                                                   \
    FAULT(IMAGE, w.image.width = TILECUT_MAX_SIDE + 1)                                                                \
    FAULT(IMAGE, w.image.height = -1)                                                                                 \
    FAULT(IMAGE, w.image.channels = 2)                                                                                \
    FAULT(IMAGE, w.image.channels = 1 << 30)                                                                          \
    FAULT(IMAGE, w.image.depth = 12)                                                                                  \
    FAULT(IMAGE, w.image.pixels = NULL)                                                                               \
    FAULT(IMAGE, w.image.stride = 3 * W - 1)                                                                          \
    FAULT(IMAGE, w.image.stride = SIZE_MAX)                                                                           \
    FAULT(IMAGE, w.image.stride = SIZE_MAX - 3 * W)                                                                   \
    FAULT(IMAGE, w.image.stride = (size_t)1 << 62)                                                                    \
    FAULT(IMAGE, w.image.stride = SIZE_MAX / 2)                                                                       \
    FAULT(IMAGE, (w.image.depth = 16, w.image.pixels = pixels + 1))                                                   \
    FAULT(IMAGE, (w.image.depth = 16, w.image.stride = 6 * W + 1))                                                    \
    FAULT(IMAGE, w.image.size = 7)                                                                                    \
    FAULT(SEEDS, w.seeds = NULL)                                                                                      \
    FAULT(MASK, w.mask = NULL)                                                                                        \
    FAULT(SEED_ROWS, w.params.seeds_stride = W - 1)                                                                   \
    FAULT(SEED_ROWS, w.params.seeds_stride = SIZE_MAX)                                                                \
    FAULT(SEED_ROWS, w.params.seeds_stride = (size_t)1 << 63)                                                         \
    FAULT(MASK_ROWS, w.params.mask_stride = W - 1)                                                                    \
    FAULT(MASK_ROWS, w.params.mask_stride = SIZE_MAX)                                                                 \
    FAULT(MASK_ROWS, w.params.mask_stride = SIZE_MAX / H)                                                             \
    FAULT(REPORT, w.report.size = 3)                                                                                  \
    FAULT(HOW, w.how = 2)                                                                                             \
    FAULT(HOW, w.how = -1)                                                                                            \
    FAULT(THREADS, w.threads = -1)                                                                                    \
    FAULT(THREADS, w.threads = 257)                                                                                   \
    FAULT(PARAMS, w.params.lambda = NAN)                                                                              \
    FAULT(PARAMS, w.params.lambda = -5)                                                                               \
    FAULT(PARAMS, w.params.lambda = INFINITY)                                                                         \
    FAULT(PARAMS, w.params.sigma = 1e13)                                                                              \
    FAULT(PARAMS, w.params.sigma = NAN)                                                                               \
    FAULT(PARAMS, w.params.data_weight = -1)                                                                          \
    FAULT(PARAMS, w.params.spatial = 1e13)                                                                            \
    FAULT(PARAMS, w.params.iterations = TILECUT_MAX_ITERATIONS + 1)                                                   \
    FAULT(PARAMS, w.params.effort = 4)                                                                                \
    FAULT(PARAMS, w.params.effort = -1)                                                                               \
    FAULT(PARAMS, w.params.threads = -1)                                                                              \
    FAULT(PARAMS, w.params.threads = 257)                                                                             \
    FAULT(SOLVER, w.params.solver = "")                                                                               \
    FAULT(SOLVER, w.params.solver = "nothere")                                                                        \
    FAULT(PARAMS, w.params.size = 5)                                                                                  \
    FAULT(COLORS, w.params.colors = "nothere")                                                                        \
    FAULT(NEIGHBOURS, w.params.connectivity = 5)                                                                      \
    FAULT(NEIGHBOURS, w.params.connectivity = 26)                                                                     \
    FAULT(VOLUME, w.volume.width = 0)                                                                                 \
    FAULT(VOLUME, w.volume.depth = -1)                                                                                \
    FAULT(VOLUME, w.volume.height = TILECUT_MAX_SIDE + 1)                                                             \
    FAULT(VOLUME, w.volume.width = w.volume.height = w.volume.depth = TILECUT_MAX_SIDE)                               \
    FAULT(VOLUME, w.volume.voxels = NULL)                                                                             \
    FAULT(VOLUME, w.volume.type = 9)                                                                                  \
    FAULT(VOLUME, w.volume.type = -1)                                                                                 \
    FAULT(VOLUME, w.volume.row_stride = W - 1)                                                                        \
    FAULT(VOLUME, w.volume.row_stride = SIZE_MAX)                                                                     \
    FAULT(VOLUME, w.volume.row_stride = SIZE_MAX / H)                                                                 \
    FAULT(VOLUME, w.volume.row_stride = SIZE_MAX / 2 / H + 1)                                                         \
    FAULT(VOLUME, w.volume.slice_stride = SIZE_MAX)                                                                   \
    FAULT(VOLUME, w.volume.slice_stride = (size_t)1 << 62)                                                            \
    FAULT(VOLUME, w.volume.slice_stride = PIXELS - 1)                                                                 \
    FAULT(VOLUME, (w.volume.type = TILECUT_VOXEL_F32, w.volume.voxels = pixels + 1))                                  \
    FAULT(VOLUME, (w.volume.type = TILECUT_VOXEL_U16, w.volume.voxels = pixels + 1))                                  \
    FAULT(VOLUME, (w.volume.type = TILECUT_VOXEL_I16, w.volume.row_stride = 2 * W + 1))                               \
    FAULT(VOLUME, (w.volume.type = TILECUT_VOXEL_U16, w.volume.slice_stride = 2 * PIXELS + 1))                        \
    FAULT(VOLUME, w.volume.spacing[0] = NAN)                                                                          \
    FAULT(VOLUME, w.volume.spacing[1] = 1)                                                                            \
    FAULT(VOLUME, w.volume.low = NAN)                                                                                 \
    FAULT(VOLUME, (w.volume.low = 5, w.volume.high = 1))                                                              \
    FAULT(VOLUME, w.volume.high = INFINITY)                                                                           \
    FAULT(VOLUME, w.volume.size = 9)                                                                                  \
    FAULT(ARRAYS, w.arrays.width = 0)                                                                                 \
    FAULT(ARRAYS, w.arrays.height = TILECUT_MAX_SIDE + 1)                                                             \
    FAULT(ARRAYS, w.arrays.source = NULL)                                                                             \
    FAULT(ARRAYS, w.arrays.to[1] = NULL)                                                                              \
    FAULT(ARRAYS, w.arrays.to[2] = cells[4])                                                                          \
    FAULT(ARRAYS, w.arrays.sink = (const int32_t *)(const void *)((const char *)cells[1] + 1))                        \
    FAULT(ARRAYS, w.arrays.from[0] = (const int32_t *)(const void *)((const char *)cells[5] + 2))                     \
    FAULT(ARRAYS, cells[0][7] = -1)                                                                                   \
    FAULT(ARRAYS, cells[2][W + 3] = 1 << 24)                                                                          \
    FAULT(ARRAYS, w.arrays.size = 9)                                                                                  \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.depth = 0)                                                                   \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.to[2] = NULL)                                                                \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.source = (const int32_t *)(const void *)((const char *)cells[0] + 1))        \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.from[1] = (const int32_t *)(const void *)((const char *)cells[5] + 3))       \
    FAULT(VOLUME_ARRAYS, cells[3][7] = -1)                                                                            \
    FAULT(VOLUME_ARRAYS, cells[1][VOXELS - 1] = INT32_MAX)                                                            \
    FAULT(VOLUME_ARRAYS, w.volume_arrays.size = 9)                                                                    \
    FAULT(PART, w.part.exchange = NULL)                                                                               \
    FAULT(PART, w.part.height = 0)                                                                                    \
    FAULT(PART, w.part.rows = 0)                                                                                      \
    FAULT(PART, w.part.first = 1)                                                                                     \
    FAULT(PART, w.part.size = 5)                                                                                      \
    FAULT(STROKE, w.stroke.label = 500)                                                                               \
    FAULT(STROKE, w.stroke.painted = NULL)                                                                            \
    FAULT(STROKE, w.stroke.width = 0)                                                                                 \
    FAULT(STROKE, w.stroke.stride = 3)                                                                                \
    FAULT(STROKE, w.stroke.stride = SIZE_MAX)                                                                         \
    FAULT(STROKE, w.stroke.size = 3)                                                                                  \
    FAULT(TRIMAP, w.trimap = NULL)                                                                                    \
    FAULT(TRIMAP, trimap[5] = 7)                                                                                      \
    FAULT(ALPHA, w.alpha = NULL)                                                                                      \
    FAULT(ALPHA, w.alpha = (uint16_t *)(void *)((char *)alpha + 1))                                                   \
    FAULT(FILM, w.film.width = 0)                                                                                     \
    FAULT(FILM, w.film.channels = 2)                                                                                  \
    FAULT(FILM, w.film.window = -1)                                                                                   \
    FAULT(FILM, w.film.window = TILECUT_MAX_WINDOW + 1)                                                               \
    FAULT(FILM, w.film.overlap = 6)                                                                                   \
    FAULT(FILM, w.film.time = NAN)                                                                                    \
    FAULT(FILM, w.film.carry = 1e13)                                                                                  \
    FAULT(FILM, w.film.ahead = TILECUT_MAX_AHEAD + 1)                                                                 \
    FAULT(FILM, w.film.height = H + 1)                                                                                \
    FAULT(ARCS, w.arcs.nodes = 1)                                                                                     \
    FAULT(ARCS, w.arcs.arcs = -1)                                                                                     \
    FAULT(ARCS, w.arcs.head = NULL)                                                                                   \
    FAULT(ARCS, w.arcs.tail = NULL)                                                                                   \
    FAULT(ARCS, w.arcs.arcs = 6)                                                                                      \
    FAULT(ARCS, w.arcs.source_count = 0)                                                                              \
    FAULT(ARCS, w.arcs.sinks = NULL)                                                                                  \
    FAULT(ARCS, w.arcs.sinks = w.arcs.sources)                                                                        \
    FAULT(ARCS, w.arcs.sources = source + 1)                                                                          \
    FAULT(ARCS, w.arcs.threads = 257)                                                                                 \
    FAULT(ARCS, w.arcs.head = (const int32_t *)(const void *)((const char *)heads + 1))                               \
    FAULT(ARCS, w.arcs.capacity = (const int64_t *)(const void *)((const char *)capacity + 4))                        \
    FAULT(ARCS, w.arcs.size = 9)                                                                                      \
    FAULT(EDGES, w.edges.rows = 0)                                                                                    \
    FAULT(EDGES, w.edges.columns = -1)                                                                                \
    FAULT(EDGES, w.edges.edges = 4)                                                                                   \
    FAULT(EDGES, w.edges.edges = -4)                                                                                  \
    FAULT(EDGES, w.edges.row = NULL)                                                                                  \
    FAULT(EDGES, w.edges.column = (const int32_t *)(const void *)((const char *)columns + 2))                         \
    FAULT(EDGES, w.edges.size = 9)                                                                                    \
    FAULT(COSTS, w.edges.cost = NULL)                                                                                 \
    FAULT(COSTS, w.edges.cost = (const int64_t *)(const void *)((const char *)costs + 4))                             \
    FAULT(NET_PARAMS, w.net_params.solver = "nothere")                                                                \
    FAULT(NET_PARAMS, w.net_params.threads = -1)                                                                      \
    FAULT(NET_PARAMS, w.net_params.threads = 257)                                                                     \
    FAULT(NET_PARAMS, w.net_params.size = 3)

static const char *spoil(int number, unsigned *in)
{
    int at = 0;
#define FAULT(kind, change)                       \
    if (at++ == number) {                         \
        change;                                   \
        *in = kind;                               \
        return #change;                           \
    }
    FAULTS(FAULT)
#undef FAULT
    return NULL;
}

TEST(without_a_fault_each_succeeds)
{
    int wrong = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        set_up();
        if (functions[i].call() == TILECUT_OK) continue;
        fprintf(stderr, "%s: %s\n", functions[i].name, tilecut_error_detail());
        wrong++;
    }
    ck_assert_int_eq(wrong, 0);
}

/* What is wrong with the answer to a fault; NULL: nothing. */
static const char *wrong_answer(tilecut_status status)
{
    if (status != TILECUT_EINVAL && status != TILECUT_ERANGE && status != TILECUT_ESEEDS) return "is not refused";
    if (!*tilecut_error_detail()) return "is refused without a sentence";
    for (int p = 0; p < VOXELS; p++)
        if (mask[p] != UNTOUCHED) return "has written";
    return NULL;
}

TEST(each_refuses_each_fault)
{
    int tried = 0, wrong = 0;
    unsigned in;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int fault = 0;; fault++) {
            set_up();
            const char *const what = spoil(fault, &in);
            if (!what) break;
            if (!(functions[i].takes & in)) continue;
            const tilecut_status status = functions[i].call();
            const char *const why = wrong_answer(status);
            if (why) fprintf(stderr, "%s, %s: %s (%d)\n", functions[i].name, what, why, status);
            wrong += why != NULL;
            tried++;
        }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(tried, 700);
}

/* NULL for arguments that a function needs and that are no struct of the table. */
TEST(nothing_at_all)
{
    int devices = 0;
    set_up();
    ck_assert_int_eq(tilecut_segment(NULL, seeds, NULL, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_graph_create(NULL, &w.arrays), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_create(NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_segment(NULL, seeds, NULL, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_session_create(NULL, &w.volume), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_session_correct(NULL, seeds, NULL, 0, mask, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_session_undo(NULL, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_check(NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_part_segment(NULL, &w.image, seeds, NULL, mask, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_film_create(NULL, &w.film, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_create(NULL, &w.arcs), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_match(NULL, NULL, level, cover, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_exchange_threads(NULL, 2), TILECUT_EINVAL);
    tilecut_exchange *several;
    ck_assert_int_eq(tilecut_exchange_threads(&several, 0), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_exchange_threads(&several, 257), TILECUT_EINVAL);
    ck_assert_int_ne(tilecut_exchange_nccl(&several, &devices, 0), TILECUT_OK);
    ck_assert_int_ne(tilecut_cuda_device(-1, NULL, 0), TILECUT_OK);
}

/* Numbers beyond both ends of the tables of names, and of statuses. */
TEST(no_such_row)
{
    static const char *(*const names[])(int) = {
        tilecut_solver_name, tilecut_solver_summary, tilecut_solver_device, tilecut_colors_name, tilecut_colors_summary,
        tilecut_network_solver_name, tilecut_network_solver_summary, tilecut_network_solver_device,
        tilecut_network_matcher_name, tilecut_network_matcher_summary, tilecut_network_matcher_device,
        tilecut_network_assigner_name, tilecut_network_assigner_summary, tilecut_network_assigner_device,
        tilecut_network_levels_way, tilecut_network_levels_summary, tilecut_network_levels_device};
    static const int none[] = {INT_MIN, -1, 1000, INT_MAX};
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        ck_assert_ptr_nonnull(names[f](0));
        for (size_t k = 0; k < sizeof none / sizeof *none; k++) ck_assert_ptr_null(names[f](none[k]));
    }
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        ck_assert_ptr_nonnull(tilecut_strerror((tilecut_status)none[k]));
        ck_assert_int_eq(tilecut_cuda_memory(none[k]) > 0, 0);
        ck_assert_int_le(tilecut_solver_nodes(none[k]), 0);
    }
    ck_assert_int_eq(tilecut_cuda_reaches(-1, INT_MAX), 0);
    tilecut_exchange_free(NULL);
    tilecut_params_init(NULL, 8);
}

int main(void) { return run_suite((test_suite){.name = "arguments that break their contract", .begin = begin}); }
