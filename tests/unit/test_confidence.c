/* SPDX-License-Identifier: MIT
 *
 * test_confidence.c - the confidence of a mask: the cuts against trying every labelling, a smaller graph against the
 * sums of its pixels, and the results for scenes in which one part is uncertain.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "confidence.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"
#include "tilecut_volume.h"

static tc_setup plain_setup(void)
{
    tc_setup setup;
    ck_assert_int_eq(tc_setup_resolve(&setup, NULL), TILECUT_OK);
    return setup;
}

/* ---- the cuts --------------------------------------------------------------------------------- */

static double favour_of(int cut)
{
    const int step = cut - MARGIN_STEPS;
    return step == 0 ? 0 : step < 0 ? -tc_margin_steps[-step - 1] : tc_margin_steps[step - 1];
}

static tilecut_arrays arrays_of(const tc_cells *cells)
{
    const tilecut_graph *const g = &cells->graph;
    tilecut_arrays a = {.width = g->width, .height = g->height, .source = cells->source, .sink = cells->sink};
    for (int k = 0; k < g->connectivity / 2; k++) a.to[k] = g->arrays.to[k], a.from[k] = g->arrays.from[k];
    return a;
}

/* Favours the foreground by `by` nats a pixel, in every cell without a hard seed. */
static void shift_cells(tc_cells *c, double by)
{
    const int32_t shift = (int32_t)(by * c->nat);
    for (size_t i = 0; i < tc_cells_count(c); i++) {
        const int32_t favour = c->favour[i] + (c->fixed[i] ? 0 : shift);
        c->source[i] = favour > 0 ? favour : 0;
        c->sink[i] = favour < 0 ? -favour : 0;
    }
}

TEST(cuts_are_those_of_all_labellings_and_nest)
{
    const tc_setup setup = plain_setup();
    for (int i = 0; i < RANDOM_CASES(300); i++) {
        random_graph g;
        tilecut_graph *graph = NULL;
        tc_cells cells;
        uint8_t count[20], mask[20], before[20] = {0}, should[20] = {0};
        random_graph_draw(&g, (uint64_t)i, 4, 4);
        ck_assert_int_eq(tilecut_graph_create(&graph, &g.arrays), TILECUT_OK);
        ck_assert_int_eq(tc_cells_init(&cells, graph, tc_margin_steps[MARGIN_STEPS - 1]), TILECUT_OK);
        ck_assert_int_eq(cells.factor, 1);
        ck_assert_int_eq(tc_margin_count(&cells, &setup, count), TILECUT_OK);
        const size_t pixels = tc_cells_count(&cells);
        const random_graph small = {.arrays = arrays_of(&cells), .connectivity = g.connectivity};
        for (int cut = 0; cut < MARGIN_CUTS; cut++) {
            shift_cells(&cells, favour_of(cut));
            brute_force(&small, mask);
            for (size_t p = 0; p < pixels; p++) {
                ck_assert_msg(!before[p] || mask[p], "case %d: cut %d is not within the next", i, cut - 1);
                should[p] = (uint8_t)(should[p] + (mask[p] != 0)), before[p] = mask[p];
            }
        }
        for (size_t p = 0; p < pixels; p++)
            ck_assert_msg(count[p] == should[p], "case %d, pixel %zu: %d cuts, not %d", i, p, should[p], count[p]);
        tc_cells_free(&cells);
        tilecut_graph_destroy(graph);
        random_graph_free(&g);
    }
}

TEST(levels_begin_at_the_other_label)
{
    ck_assert_int_eq(tc_margin_level(0, true), 0);
    ck_assert_int_eq(tc_margin_level(MARGIN_STEPS, true), 0);
    ck_assert_int_eq(tc_margin_level(MARGIN_STEPS + 1, true), 1);
    ck_assert_int_eq(tc_margin_level(MARGIN_CUTS, true), MARGIN_LEVELS - 1);
    ck_assert_int_eq(tc_margin_level(MARGIN_CUTS, false), 0);
    ck_assert_int_eq(tc_margin_level(MARGIN_STEPS + 1, false), 0);
    ck_assert_int_eq(tc_margin_level(MARGIN_STEPS, false), 1);
    ck_assert_int_eq(tc_margin_level(0, false), MARGIN_LEVELS - 1);
}

/* ---- cells ------------------------------------------------------------------------------------ */

LOOP_TEST(cells_cost_what_their_pixels_cost, 0, 2)
{
    enum { W = 701, H = 600 };
    const int connectivity = _i ? 8 : 4;
    random_graph g;
    tilecut_graph *graph = NULL;
    tc_cells cells;
    uint64_t state = 5;
    random_graph_init(&g, 4, W, H, connectivity);
    ck_assert_int_eq(tilecut_graph_create(&graph, &g.arrays), TILECUT_OK);
    ck_assert_int_eq(tc_cells_init(&cells, graph, 1), TILECUT_OK);
    ck_assert_int_eq(cells.factor, 2);
    const size_t count = tc_cells_count(&cells);
    uint8_t *const small = malloc(count), *const large = malloc((size_t)W * H);
    for (size_t c = 0; c < count; c++) small[c] = (uint8_t)(random_below(&state, 3) == 0);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) large[y * W + x] = small[tc_cell_of(&cells, H, x, y)];
    int32_t *const none = calloc((size_t)W * H, sizeof *none);
    tilecut_arrays links = g.arrays, arrays = arrays_of(&cells);
    /* sets all terminals to 0, because they are compared below */
    links.source = links.sink = arrays.source = arrays.sink = none;
    int32_t most = 0;
    for (int p = 0; p < W * H; p++) most = g.arrays.to[0][p] > most ? g.arrays.to[0][p] : most;
    const double by = most / 50.0 * 4 / cells.nat;
    const double pixels = (double)mask_cost(&links, connectivity, large);
    const double cut = (double)mask_cost(&arrays, connectivity, small) * by;
    ck_assert_msg(fabs(cut - pixels) <= by * (double)count * connectivity, "%g, not %g", cut, pixels);
    ck_assert_msg(by >= 4 && fabs(by / 4 - exp2(round(log2(by / 4)))) < 1e-6, "divided by %g", by);
    double given = 0, kept = 0;
    for (int p = 0; p < W * H; p++) given += (double)g.arrays.source[p] - g.arrays.sink[p];
    for (size_t c = 0; c < count; c++) kept += cells.favour[c];
    ck_assert_msg(fabs(kept * by - given) <= by * (double)count, "%g, not %g", kept * by, given);
    free(small), free(large), free(none);
    tc_cells_free(&cells);
    tilecut_graph_destroy(graph);
    random_graph_free(&g);
}

/* Returns the cost of a labelling in links only. Each capacity is stored at the pixel where its link begins. */
static int64_t links_cost(const tilecut_graph *g, const uint8_t *label)
{
    const int side[3] = {g->width, g->height, g->depth};
    int64_t cost = 0;
    for (int p = 0; p < g->width * g->height * g->depth; p++)
        for (int k = 0; k < g->connectivity / 2; k++) {
            const tc_link_steps s = tc_link_step(g->connectivity, k);
            const int at[3] = {p % side[0] + s.x, p / side[0] % side[1] + s.y, p / side[0] / side[1] + s.z};
            bool inside = true;
            for (int axis = 0; axis < 3; axis++) inside &= at[axis] >= 0 && at[axis] < side[axis];
            const int q = at[0] + side[0] * (at[1] + side[1] * at[2]);
            if (inside && label[p] && !label[q]) cost += g->arrays.to[k][p];
            if (inside && !label[p] && label[q]) cost += g->arrays.from[k][p];
        }
    return cost;
}

/* The capacities of 26 neighbours are moved to 6 neighbours. A boundary along a plane of the axes then costs 2/3 of
 * what it did, and every other boundary at least that. */
TEST(links_across_corners_go_along_the_axes)
{
    enum { W = 5, H = 4, D = 3, ALL = W * H * D, WAYS = 26 };
    static int32_t capacity[WAYS + 2][ALL];
    tilecut_graph graph = {.width = W, .height = H, .depth = D, .connectivity = WAYS};
    tc_cells cells;
    uint8_t label[ALL];
    uint64_t state = 3;
    for (int i = 0; i < WAYS + 2; i++)
        for (int p = 0; p < ALL; p++) capacity[i][p] = 3 * random_below(&state, 50);
    for (int k = 0; k < WAYS / 2; k++) graph.arrays.to[k] = capacity[2 * k], graph.arrays.from[k] = capacity[2 * k + 1];
    graph.arrays.source = capacity[WAYS], graph.arrays.sink = capacity[WAYS + 1];
    ck_assert_int_eq(tc_cells_init(&cells, &graph, 1), TILECUT_OK);
    ck_assert_int_eq(cells.factor, 1);
    ck_assert_int_eq(cells.graph.connectivity, 6);
    for (int axis = 0; axis < 3; axis++)
        for (int end = 1; end < 3; end++)
            for (int turned = 0; turned < 2; turned++) {
                for (int p = 0; p < ALL; p++)
                    label[p] = ((axis == 0 ? p % W : axis == 1 ? p / W % H : p / W / H) < end) != turned;
                ck_assert_int_eq(3 * links_cost(&cells.graph, label), 2 * links_cost(&graph, label));
            }
    for (int i = 0; i < 200; i++) {
        for (int p = 0; p < ALL; p++) label[p] = (uint8_t)random_below(&state, 2);
        ck_assert_int_ge(3 * links_cost(&cells.graph, label), 2 * links_cost(&graph, label));
    }
    tc_cells_free(&cells);
}

/* ---- what is said ----------------------------------------------------------------------------- */

/* A bright object on a dark background, and next to it a patch of a colour in between. */
enum { SIDE = 120, AREA = SIDE * SIDE, PATCH = 60 };

typedef struct scene {
    uint8_t grey[AREA], seeds[AREA], mask[AREA], sure[AREA];
    tilecut_image image;
    tilecut_graph *graph;
} scene;

static bool in_patch(int p) { return p % SIDE >= 80 && p % SIDE < 110 && p / SIDE >= PATCH && p / SIDE < PATCH + 30; }

static void draw(scene *s, int between)
{
    uint64_t state = 3;
    *s = (scene){.image = {.width = SIDE, .height = SIDE, .channels = 1, .depth = 8, .pixels = s->grey}};
    for (int p = 0; p < AREA; p++) {
        const int x = p % SIDE, y = p / SIDE;
        const int value = in_patch(p) ? between : x > 30 && x < 80 && y > 30 && y < 90 ? 190 : 60;
        s->grey[p] = (uint8_t)(value + random_below(&state, 50) - 25);
        if (x > 45 && x < 60 && y > 45 && y < 70) s->seeds[p] = TILECUT_FOREGROUND;
        if (x < 8 || y < 8) s->seeds[p] = TILECUT_BACKGROUND;
    }
    ck_assert_int_eq(tilecut_graph_from_image(&s->graph, &s->image, s->seeds, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_segment(s->graph, NULL, s->mask, NULL), TILECUT_OK);
}

TEST(a_stroke_is_asked_for_where_the_mask_is_in_doubt)
{
    static scene s;
    tilecut_doubt doubt = {0};
    draw(&s, 150);
    ck_assert_int_eq(tilecut_confidence(s.graph, s.mask, NULL, s.sure, &doubt), TILECUT_OK);
    const int p = doubt.y * SIDE + doubt.x;
    ck_assert_msg(doubt.x >= 0 && in_patch(p), "at %d,%d", doubt.x, doubt.y);
    ck_assert_int_eq(doubt.z, 0);
    ck_assert_int_eq(doubt.label, s.mask[p] ? TILECUT_BACKGROUND : TILECUT_FOREGROUND);
    ck_assert(doubt.unsure >= 0 && doubt.unsure <= 1 && doubt.gain > 0);
    double inside = 0, object = 0;
    for (int q = 0; q < AREA; q++) {
        if (in_patch(q)) inside += s.sure[q] / 900.0;
        if (q % SIDE > 36 && q % SIDE < 74 && q / SIDE > 36 && q / SIDE < 84) object += s.sure[q] / (37.0 * 47);
        if (s.seeds[q]) ck_assert_int_eq(s.sure[q], 255);
    }
    ck_assert_msg(inside + 2 < object, "the patch is %g sure, the object %g", inside, object);
    tilecut_graph_destroy(s.graph);
}

/* A session and more threads give the same result for the same mask. In the second scene, the most doubtful place by
 * the cuts is not the one whose stroke changes most. */
LOOP_TEST(doors_and_threads_agree, 0, 2)
{
    static scene s;
    static uint8_t again[AREA];
    tilecut_doubt first = {0}, second = {0};
    tilecut_session *session = NULL;
    tilecut_params params = {.threads = 4};
    draw(&s, _i ? 125 : 150);
    ck_assert_int_eq(tilecut_confidence(s.graph, s.mask, NULL, s.sure, &first), TILECUT_OK);
    ck_assert_int_eq(tilecut_confidence(s.graph, s.mask, &params, again, &second), TILECUT_OK);
    ck_assert_mem_eq(s.sure, again, AREA);
    ck_assert_mem_eq(&first, &second, sizeof first);
    ck_assert_int_eq(tilecut_session_create(&session, s.graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_confidence(session, NULL, again, &second), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_begin(session, s.mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_confidence(session, NULL, again, &second), TILECUT_OK);
    ck_assert_mem_eq(s.sure, again, AREA);
    ck_assert_mem_eq(&first, &second, sizeof first);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(s.graph);
}

LOOP_TEST(volumes_are_told_too, 0, 2)
{
    enum { N = 24 };
    static uint8_t voxels[N * N * N], seeds[N * N * N], mask[N * N * N], sure[N * N * N];
    tilecut_doubt doubt = {0};
    uint64_t state = 9;
    for (int p = 0; p < N * N * N; p++) {
        const int x = p % N - 12, y = p / N % N - 12, z = p / N / N - 12;
        voxels[p] = (uint8_t)((x * x + y * y + z * z < 50 ? 150 : 100) + random_below(&state, 70));
        seeds[p] = (uint8_t)(x * x + y * y + z * z < 9 ? TILECUT_FOREGROUND : x == -12 ? TILECUT_BACKGROUND : 0);
    }
    const tilecut_volume volume = {.width = N, .height = N, .depth = N, .voxels = voxels};
    const tilecut_params params = {.connectivity = _i ? 26 : 6, .lambda = 5};
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_volume_confidence(&volume, seeds, mask, &params, sure, &doubt), TILECUT_OK);
    bool any = false;
    for (int p = 0; p < N * N * N; p++) {
        if (seeds[p]) ck_assert_int_eq(sure[p], 255);
        any |= sure[p] < 230;
        for (int step = 1; step <= N * N; step *= N) /* voxels at the surface never have high confidence */
            if (p + step < N * N * N && mask[p] != mask[p + step] && !seeds[p]) ck_assert_int_le(sure[p], 212);
    }
    ck_assert(any);
    /* the confidence must rise outwards from the object, through the background */
    const int middle = (N / 2 * N + N / 2) * N;
    for (int x = N - 2; x > N / 2 && !mask[middle + x]; x--) ck_assert_int_le(sure[middle + x], sure[middle + x + 1]);
    ck_assert_int_eq(tilecut_volume_confidence(&volume, seeds, NULL, &params, sure, &doubt), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_confidence(NULL, seeds, mask, &params, sure, &doubt), TILECUT_EINVAL);
}

/* Trial strokes leave no trace: later strokes, and undoing them, give the same as in a session without trials. */
TEST(asking_leaves_a_session_as_it_was)
{
    static scene s[2];
    static uint8_t mask[2][AREA], disc[9 * 9];
    tilecut_session *session[2];
    tilecut_change change[2] = {{0}, {0}};
    tilecut_report report[2] = {{0}, {0}};
    memset(disc, 1, sizeof disc);
    for (int i = 0; i < 2; i++) {
        draw(&s[i], 125);
        ck_assert_int_eq(tilecut_session_create(&session[i], s[i].graph), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_solve(session[i], NULL, mask[i], NULL), TILECUT_OK);
    }
    for (int turn = 0; turn < 4; turn++) {
        tilecut_doubt doubt = {0};
        ck_assert_int_eq(tilecut_session_confidence(session[0], NULL, NULL, &doubt), TILECUT_OK);
        const int label = turn % 2 ? TILECUT_BACKGROUND : TILECUT_FOREGROUND;
        const tilecut_stroke stroke = {.x = 84, .y = 64 + 3 * turn, .width = 9, .height = 9, .painted = disc,
                                       .label = label};
        for (int i = 0; i < 2; i++)
            ck_assert_int_eq(tilecut_session_stroke(session[i], &stroke, NULL, mask[i], &change[i], &report[i]),
                             TILECUT_OK);
        ck_assert_mem_eq(mask[0], mask[1], AREA);
        ck_assert_int_eq(change[0].pixels, change[1].pixels);
        ck_assert(report[0].flow == report[1].flow);
    }
    for (int turn = 0; turn < 5; turn++) {
        int undone[2];
        for (int i = 0; i < 2; i++)
            ck_assert_int_eq(tilecut_session_undo(session[i], NULL, mask[i], NULL, &undone[i]), TILECUT_OK);
        ck_assert_mem_eq(mask[0], mask[1], AREA);
        ck_assert(undone[0] == undone[1] && undone[0] == (turn < 4));
    }
    for (int i = 0; i < 2; i++) tilecut_session_destroy(session[i]), tilecut_graph_destroy(s[i].graph);
}

/* If two places are equally likely to be wrong, the one whose stroke changes more comes first. */
TEST(the_place_that_changes_most_comes_first)
{
    static scene s;
    const tc_setup setup = plain_setup();
    tilecut_session *session;
    draw(&s, 125);
    ck_assert_int_eq(tilecut_session_create(&session, s.graph), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, s.mask, NULL), TILECUT_OK);
    /* true if the patch is foreground; the other place is on plain background */
    const bool object = s.mask[75 * SIDE + 95] != 0;
    const struct tc_place patch = {.x = 95, .y = 75, .label = object ? TILECUT_BACKGROUND : TILECUT_FOREGROUND,
                                   .wrong = .5};
    const struct tc_place ground = {.x = 60, .y = 110, .label = TILECUT_FOREGROUND, .wrong = .5};
    for (int turned = 0; turned < 2; turned++) {
        tc_places places = {.count = 2, .at = {turned ? patch : ground, turned ? ground : patch}};
        ck_assert_int_eq(tc_places_try(session, &setup, &places), TILECUT_OK);
        ck_assert_int_eq(places.at[0].x, patch.x);
        ck_assert_int_eq(places.at[1].x, ground.x);
        places.at[0].wrong = 0; /* a place that is certainly correct comes last */
        ck_assert_int_eq(tc_places_try(session, &setup, &places), TILECUT_OK);
        ck_assert_int_eq(places.at[0].x, ground.x);
    }
    tilecut_session_destroy(session);
    tilecut_graph_destroy(s.graph);
}

TEST(bad_arguments_are_refused)
{
    static scene s;
    tilecut_doubt doubt = {.size = 3};
    tilecut_flag flag = {0};
    tilecut_params params = {.mask_stride = 5};
    draw(&s, 150);
    memset(s.sure, 7, AREA);
    ck_assert_int_eq(tilecut_confidence(NULL, s.mask, NULL, s.sure, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_confidence(s.graph, NULL, NULL, s.sure, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_confidence(s.graph, s.mask, NULL, s.sure, &doubt), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_confidence(s.graph, s.mask, &params, s.sure, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_confidence(NULL, NULL, s.sure, NULL), TILECUT_EINVAL);
    params.mask_stride = 0, params.cancel = &flag;
    tilecut_flag_raise(&flag);
    ck_assert_int_eq(tilecut_confidence(s.graph, s.mask, &params, s.sure, NULL), TILECUT_ECANCELLED);
    for (int p = 0; p < AREA; p++) ck_assert_int_eq(s.sure[p], 7);
    params.cancel = NULL;
    ck_assert_int_eq(tilecut_confidence(s.graph, s.mask, &params, NULL, NULL), TILECUT_OK);
    tilecut_graph_destroy(s.graph);
}

int main(void) { return run_suite((test_suite){.name = "confidence", .seconds = 300}); }
