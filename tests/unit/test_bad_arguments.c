/* SPDX-License-Identifier: MIT
 *
 * test_bad_arguments.c - calls every function of the library with each fault of its arguments (bad_arguments.h). The
 * function must return an error with a message and leave its outputs alone; without a fault it must succeed.
 * tests/headers.sh checks that no function is missing here.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "bad_arguments.h"

/* ---- What a call needs first ------------------------------------------------------------------- */

static tilecut_graph *graph;
static tilecut_session *session;
static tilecut_labels_session *labels;
static tilecut_volume_session *volume;
static tilecut_memo *memo;
static tilecut_film *film;
static tilecut_network *network;

static void none(void) {}

static void with_session(void)
{
    const tilecut_image good = {.width = W, .height = H, .channels = 3, .depth = 8, .pixels = pixels};
    const tilecut_params plain = {.colors = "none", .iterations = TILECUT_NONE};
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &good, seeds, &plain), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
}

static void solved(void)
{
    uint8_t first[PIXELS];
    const tilecut_params plain = {.colors = "none", .iterations = TILECUT_NONE};
    with_session();
    ck_assert_int_eq(tilecut_session_solve(session, &plain, first, NULL), TILECUT_OK);
}

static tilecut_status labels_solve(void) /* test_label_peers.c tests faults of its arrays */
{
    const tilecut_labels_arrays arrays = {.width = W, .height = H, .labels = 2, .costs = cells[0],
                                          .links = {cells[2], cells[3]}};
    return tilecut_labels_solve(&arrays, &w.params, NULL, w.mask, NULL);
}

static void with_labels(void)
{
    ck_assert_int_eq(tilecut_labels_session_create(&labels, &w.image, trimap, NULL, NULL), TILECUT_OK);
}

static void with_strokes(void)
{
    ck_assert_int_eq(tilecut_labels_session_create(&labels, &w.image, trimap, trimap, NULL), TILECUT_OK);
}

static void with_volume(void)
{
    ck_assert_int_eq(tilecut_volume_session_create(&volume, &w.volume), TILECUT_OK);
    ck_assert_int_eq(tilecut_volume_session_solve(volume, seeds, NULL, mask, NULL), TILECUT_OK);
    memset(mask, UNTOUCHED, sizeof mask);
}

static void with_memo(void)
{
    ck_assert_int_eq(tilecut_memo_create(NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_memo_create(&memo), TILECUT_OK);
}

static void of_slices(void)
{
    if (w.part.height == H) w.part.height = D;
    if (w.part.rows == H) w.part.rows = D;
}

static void to_correct(void)
{
    if (w.mask) memcpy(w.mask, trimap, VOXELS);
    seeds[W + 20] = TILECUT_BACKGROUND; /* a background seed that contradicts the mask */
}

/* Turns the trimap into a mask of 0 and 255. A fault of the mask adds another value. */
static void to_clean(void)
{
    for (int p = 0; p < VOXELS; p++) trimap[p] = trimap[p] == 128 ? 0 : trimap[p];
    if (w.mask) memcpy(w.mask, trimap, VOXELS);
}

static void let_go(void)
{
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    tilecut_labels_session_destroy(labels);
    tilecut_volume_session_destroy(volume);
    tilecut_memo_destroy(memo);
    tilecut_film_destroy(film);
    tilecut_network_destroy(network);
    session = NULL, graph = NULL, labels = NULL, volume = NULL, memo = NULL, film = NULL, network = NULL;
}

/* ---- The functions ----------------------------------------------------------------------------- */

static tilecut_status before;
#define THEN(first, second) ((before = (first)) == TILECUT_OK ? (second) : before)
#define CREATED(call, made) (before = (call), check_made(before, (made) != NULL), before)

static void check_made(tilecut_status status, bool made) { ck_assert_int_eq(made, status == TILECUT_OK); }

/* If the mask still equals the input after an error, marks it as untouched. */
static tilecut_status corrected(size_t size, tilecut_status status)
{
    if (status != TILECUT_OK && w.mask && !memcmp(w.mask, trimap, size)) memset(w.mask, UNTOUCHED, VOXELS);
    return status;
}

static tilecut_status graph_flow(void)
{
    static int32_t pushed[4][PIXELS];
    const tilecut_flow all = {.source = pushed[0], .sink = pushed[1], .to = {pushed[2], pushed[3]}};
    ck_assert_int_eq(tilecut_graph_flow(graph, &w.params, w.mask, NULL, NULL), TILECUT_EINVAL);
    return tilecut_graph_flow(graph, &w.params, w.mask, &all, &w.report);
}

static tilecut_status graph_row(void)
{
    int32_t row[W];
    const tilecut_row wanted = {.source = row};
    ck_assert_int_eq(tilecut_graph_row(graph, -1, &wanted), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_graph_row(graph, H, &wanted), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_graph_row(graph, 0, NULL), TILECUT_EINVAL);
    return tilecut_graph_row(graph, 1, &wanted);
}

static tilecut_status film_frame(void)
{
    int ready = 0;
    tilecut_volume_arrays of_frames;
    const tilecut_graph *taken;
    ck_assert_int_eq(tilecut_film_graph(film, &taken), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_film_graph(film, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_film_window(film, &of_frames), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_film_take(film, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_film_confidence(film, mask, NULL), TILECUT_EINVAL);
    tilecut_status status = tilecut_film_add(film, &w.image, w.seeds ? w.seeds : seeds, NULL, &ready);
    if (status == TILECUT_OK) status = tilecut_film_end(film, &ready);
    return status == TILECUT_OK ? tilecut_film_take(film, w.mask, &w.report) : status;
}

/* Outputs that are not checked. */
static int undone, window[6];
static int32_t made[5 * VOXELS];
static double range[2];
static tilecut_moved moved;

enum { PHOTO = IMAGE | SEEDS | SEED_ROWS | PARAMS | NEIGHBOURS, MASKED = MASK | MASK_ROWS | REPORT | SOLVER,
       LABELLED = IMAGE | SEED_ROWS | PARAMS | NEIGHBOURS | MASK | MASK_ROWS | SOLVER | COLORS,
       SCAN = VOLUME | SEEDS | PARAMS | COLORS | MASK | REPORT };

/* Each function with the arguments it takes, its preparation, and the call. */
#define CALLS(CALL)                                                                                                   \
    CALL(tilecut_segment, PHOTO | MASKED | COLORS, none,                                                              \
         tilecut_segment(&w.image, w.seeds, &w.params, w.mask, &w.report))                                            \
    CALL(tilecut_graph_from_image, PHOTO | COLORS, none,                                                              \
         tilecut_graph_from_image(&graph, &w.image, w.seeds, &w.params))                                              \
    CALL(tilecut_graph_create, ARRAYS, none, THEN(tilecut_graph_create(&graph, &w.arrays), graph_row()))              \
    CALL(tilecut_graph_solve, ARRAYS | PARAMS | MASKED, none,                                                         \
         THEN(tilecut_graph_create(&graph, &w.arrays), tilecut_graph_solve(graph, &w.params, w.mask, &w.report)))     \
    CALL(tilecut_graph_segment, PARAMS | MASKED, with_session,                                                        \
         tilecut_graph_segment(graph, &w.params, w.mask, &w.report))                                                  \
    CALL(tilecut_graph_flow, ARRAYS | PARAMS | MASKED, none,                                                          \
         THEN(tilecut_graph_create(&graph, &w.arrays), graph_flow()))                                                 \
    CALL(tilecut_session_solve, PARAMS | MASKED, with_session,                                                        \
         tilecut_session_solve(session, &w.params, w.mask, &w.report))                                                \
    CALL(tilecut_session_reseed, SEEDS | SEED_ROWS | PARAMS, with_session,                                            \
         tilecut_session_reseed(session, w.seeds, &w.params))                                                         \
    CALL(tilecut_session_advance, IMAGE | PARAMS, solved,                                                             \
         tilecut_session_advance(session, &w.image, w.seeds, &w.params))                                              \
    CALL(tilecut_session_begin, PARAMS | MASK_ROWS, with_session, tilecut_session_begin(session, trimap, &w.params))  \
    CALL(tilecut_session_stroke, STROKE | PARAMS | (MASKED & ~(unsigned)MASK), solved,                                \
         tilecut_session_stroke(session, &w.stroke, &w.params, w.mask, NULL, &w.report))                              \
    CALL(tilecut_session_learn, PARAMS | (MASKED & ~(unsigned)MASK), solved,                                          \
         tilecut_session_learn(session, &w.params, w.mask, NULL, &w.report))                                          \
    CALL(tilecut_session_undo, PARAMS | MASK_ROWS, solved,                                                            \
         tilecut_session_undo(session, &w.params, w.mask, NULL, &undone))                                             \
    CALL(tilecut_correct, PHOTO | MASK | MASK_ROWS | REPORT | HOW | COLORS | SOLVER, to_correct,                      \
         corrected(PIXELS, tilecut_correct(&w.image, w.seeds, &w.params, w.how, w.mask, NULL, &w.report)))            \
    CALL(tilecut_labels, LABELLED, none, tilecut_labels(&w.image, w.seeds, &w.params, NULL, w.mask, NULL))            \
    CALL(tilecut_labels_solve, PARAMS | MASK | MASK_ROWS | SOLVER, none, labels_solve())                              \
    CALL(tilecut_labels_correct, LABELLED, none, tilecut_labels_correct(&w.image, w.seeds, &w.params, w.mask, NULL))  \
    CALL(tilecut_labels_session_create, LABELLED & ~(unsigned)COLORS, none,                                           \
         CREATED(tilecut_labels_session_create(&labels, &w.image, w.mask, w.seeds, &w.params), labels))               \
    CALL(tilecut_volume_labels_session_create, VOLUME | PARAMS | MASK | SOLVER, none,                                 \
         CREATED(tilecut_volume_labels_session_create(&labels, &w.volume, w.mask, w.seeds, &w.params), labels))       \
    CALL(tilecut_labels_session_stroke, STROKE | PARAMS | MASK_ROWS | SOLVER, with_labels,                            \
         tilecut_labels_session_stroke(labels, &w.stroke, &w.params, w.mask, NULL))                                   \
    CALL(tilecut_labels_session_label, PARAMS | MASK_ROWS | SOLVER, with_strokes,                                     \
         tilecut_labels_session_label(labels, NULL, &w.params, NULL, w.mask, NULL, NULL))                             \
    CALL(tilecut_labels_session_undo, PARAMS | MASK_ROWS, with_labels,                                                \
         tilecut_labels_session_undo(labels, &w.params, w.mask, NULL, NULL))                                          \
    CALL(tilecut_labels_refine, LABELLED & ~(unsigned)SEED_ROWS, none,                                                \
         tilecut_labels_refine(&w.image, &w.params, 0, w.mask, NULL))                                                 \
    CALL(tilecut_volume_labels_refine, VOLUME | PARAMS | MASK | SOLVER | COLORS, none,                                \
         tilecut_volume_labels_refine(&w.volume, &w.params, 0, w.mask, NULL))                                         \
    CALL(tilecut_volume_labels_correct, VOLUME | PARAMS | COLORS | MASK | SOLVER, none,                               \
         tilecut_volume_labels_correct(&w.volume, w.seeds, &w.params, w.mask, NULL))                                  \
    CALL(tilecut_volume_labels, VOLUME | PARAMS | COLORS | MASK | SOLVER, none,                                       \
         tilecut_volume_labels(&w.volume, w.seeds, &w.params, NULL, w.mask, NULL))                                    \
    CALL(tilecut_confidence, PARAMS | MASK | MASK_ROWS, with_session,                                                 \
         tilecut_confidence(graph, w.mask, &w.params, NULL, NULL))                                                    \
    CALL(tilecut_session_confidence, PARAMS, solved, tilecut_session_confidence(session, &w.params, NULL, NULL))      \
    CALL(tilecut_volume_moved, VOLUME | MASK, none, tilecut_volume_moved(&w.volume, trimap, w.mask, &moved))          \
    CALL(tilecut_volume_confidence, VOLUME | SEEDS | PARAMS | COLORS | MASK, none,                                    \
         tilecut_volume_confidence(&w.volume, w.seeds, w.mask, &w.params, NULL, NULL))                                \
    CALL(tilecut_snap, IMAGE | MASK, none, tilecut_snap(&w.image, NULL, NULL, w.mask, NULL))                          \
    CALL(tilecut_clean, CLEANING | MASK, to_clean,                                                                    \
         corrected(PIXELS, tilecut_clean(&w.cleaning, w.seeds, w.mask, &w.cleaned)))                                  \
    CALL(tilecut_part_clean, PART | CLEANING | MASK, to_clean,                                                        \
         corrected(PIXELS, tilecut_part_clean(&w.part, &w.cleaning, w.seeds, w.mask, &w.cleaned)))                    \
    CALL(tilecut_outline_moved, IMAGE | MASK, none, tilecut_outline_moved(&w.image, trimap, w.mask, &moved))          \
    CALL(tilecut_memo_cut, PHOTO | MASKED | COLORS, with_memo,                                                        \
         tilecut_memo_cut(memo, &w.image, w.seeds, &w.params, 0, w.mask, &w.report))                                  \
    CALL(tilecut_matte_band, IMAGE | MASK | THREADS, none,                                                            \
         tilecut_matte_band(&w.image, trimap, NULL, w.threads, w.mask))                                               \
    CALL(tilecut_edge, IMAGE | ALPHA | THREADS, none, tilecut_edge(&w.image, trimap, w.threads, w.alpha, NULL))       \
    CALL(tilecut_edge_matte, IMAGE | ALPHA | THREADS, none,                                                           \
         tilecut_edge_matte(&w.image, trimap, NULL, w.threads, w.alpha, NULL))                                        \
    CALL(tilecut_matte, IMAGE | TRIMAP | ALPHA | THREADS, none,                                                       \
         tilecut_matte(&w.image, w.trimap, w.threads, w.alpha))                                                       \
    CALL(tilecut_matte_colors, IMAGE | ALPHA | THREADS, none,                                                         \
         tilecut_matte_colors(&w.image, w.alpha, w.threads, colors))                                                  \
    CALL(tilecut_volume_segment, SCAN | SOLVER, none,                                                                 \
         tilecut_volume_segment(&w.volume, w.seeds, &w.params, w.mask, &w.report))                                    \
    CALL(tilecut_volume_correct, SCAN | HOW | SOLVER, to_correct,                                                     \
         corrected(VOXELS, tilecut_volume_correct(&w.volume, w.seeds, &w.params, w.how, w.mask, NULL, &w.report)))    \
    CALL(tilecut_volume_session_correct, SCAN | HOW | SOLVER, to_correct,                                             \
         corrected(VOXELS, THEN(tilecut_volume_session_create(&volume, &w.volume),                                    \
                   tilecut_volume_session_correct(volume, w.seeds, &w.params, w.how, w.mask, NULL, &w.report))))      \
    CALL(tilecut_volume_session_undo, MASK, with_volume, tilecut_volume_session_undo(volume, w.mask, NULL))           \
    CALL(tilecut_volume_session_create, VOLUME, none,                                                                 \
         CREATED(tilecut_volume_session_create(&volume, &w.volume), volume))                                          \
    CALL(tilecut_volume_session_solve, SCAN | SOLVER, none,                                                           \
         THEN(tilecut_volume_session_create(&volume, &w.volume), tilecut_volume_session_solve(volume, w.seeds,        \
              &w.params, w.mask, &w.report)))                                                                         \
    CALL(tilecut_volume_capacities, VOLUME | SEEDS | PARAMS | COLORS, none,                                           \
         tilecut_volume_capacities(&w.volume, w.seeds, &w.params, made, made + VOXELS, made + 2 * VOXELS, NULL))      \
    CALL(tilecut_volume_range, VOLUME, none, tilecut_volume_range(&w.volume, range))                                  \
    CALL(tilecut_volume_window, VOLUME | SEEDS, none, tilecut_volume_window(&w.volume, w.seeds, window))              \
    CALL(tilecut_volume_check, VOLUME_ARRAYS, none, tilecut_volume_check(&w.volume_arrays))                           \
    CALL(tilecut_volume_solve, VOLUME_ARRAYS | PARAMS | MASK | REPORT | SOLVER, none,                                 \
         tilecut_volume_solve(&w.volume_arrays, &w.params, w.mask, &w.report))                                        \
    CALL(tilecut_part_segment, PART | PHOTO | MASKED | COLORS, none,                                                  \
         tilecut_part_segment(&w.part, &w.image, w.seeds, &w.params, w.mask, &w.report, NULL))                        \
    CALL(tilecut_part_solve, PART | ARRAYS | PARAMS | MASKED, none,                                                   \
         tilecut_part_solve(&w.part, &w.arrays, &w.params, w.mask, &w.report, NULL))                                  \
    CALL(tilecut_part_volume_segment, PART | SCAN | SOLVER, of_slices,                                                \
         tilecut_part_volume_segment(&w.part, &w.volume, w.seeds, &w.params, w.mask, &w.report, NULL))                \
    CALL(tilecut_part_volume_range, PART | VOLUME, of_slices,                                                         \
         tilecut_part_volume_range(&w.part, &w.volume, range))                                                        \
    CALL(tilecut_part_labels, PART | PHOTO | PARAMS | COLORS | MASK | SOLVER, none,                                   \
         tilecut_part_labels(&w.part, &w.image, w.seeds, &w.params, NULL, w.mask, NULL))                              \
    CALL(tilecut_part_volume_labels, PART | VOLUME | PARAMS | COLORS | MASK | SOLVER, of_slices,                      \
         tilecut_part_volume_labels(&w.part, &w.volume, w.seeds, &w.params, NULL, w.mask, NULL))                      \
    CALL(tilecut_part_volume_solve, PART | VOLUME_ARRAYS | PARAMS | MASK | REPORT | SOLVER, of_slices,                \
         tilecut_part_volume_solve(&w.part, &w.volume_arrays, &w.params, w.mask, &w.report, NULL))                    \
    CALL(tilecut_film_create, FILM | PARAMS | COLORS | IMAGE | MASK | SOLVER, none,                                   \
         THEN(tilecut_film_create(&film, &w.film, &w.params), film_frame()))                                          \
    CALL(tilecut_network_create, ARCS, none,                                                                          \
         THEN(tilecut_network_create(&network, &w.arcs), tilecut_network_solve(network, NULL, side, flow, NULL)))     \
    CALL(tilecut_network_solve, ARCS | NET_PARAMS, none,                                                              \
         THEN(tilecut_network_create(&network, &w.arcs), tilecut_network_solve(network, &w.net_params, side, flow,    \
              NULL)))                                                                                                 \
    CALL(tilecut_network_match, EDGES | NET_PARAMS, none,                                                             \
         tilecut_network_match(&w.edges, &w.net_params, level, cover, NULL))                                          \
    CALL(tilecut_network_assign, EDGES | NET_PARAMS | COSTS, none,                                                    \
         tilecut_network_assign(&w.edges, &w.net_params, level, price, NULL))                                         \
    CALL(tilecut_network_levels, EDGES | NET_PARAMS, none,                                                            \
         tilecut_network_levels(&w.edges, 0, &w.net_params, level, NULL))

#define CALL(function, takes, needs, call) \
    static tilecut_status call_##function(void) { return call; }
CALLS(CALL)
#undef CALL

static const struct {
    const char *name;
    unsigned takes;
    void (*need)(void);
    tilecut_status (*call)(void);
} functions[] = {
#define CALL(function, takes, needs, call) {#function, takes, needs, call_##function},
    CALLS(CALL)
#undef CALL
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static tilecut_status call_function(int i)
{
    functions[i].need();
    const tilecut_status status = functions[i].call();
    let_go();
    return status;
}

TEST(without_a_fault_each_succeeds)
{
    int wrong = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        set_up();
        if (call_function(i) == TILECUT_OK) continue;
        fprintf(stderr, "%s: %s\n", functions[i].name, tilecut_error_detail());
        wrong++;
    }
    ck_assert_int_eq(wrong, 0);
}

/* Returns what is wrong with the response to a fault, or NULL. */
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
            const tilecut_status status = call_function(i);
            const char *const why = wrong_answer(status);
            if (why) fprintf(stderr, "%s, %s: %s (%d)\n", functions[i].name, what, why, status);
            wrong += why != NULL;
            tried++;
        }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(tried, 700);
}

/* Passes NULL for required arguments that are no struct of the table. */
TEST(nothing_at_all)
{
    int devices = 0;
    set_up();
    ck_assert_int_eq(tilecut_segment(NULL, seeds, NULL, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_graph_create(NULL, &w.arrays), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_session_create(NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_segment(NULL, seeds, NULL, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_clean(NULL, seeds, mask, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_part_clean(&w.part, NULL, seeds, mask, NULL), TILECUT_EINVAL);
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

/* Functions that return a row of a table accept numbers beyond both of its ends. */
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

/* Functions that return no status accept NULL, and parts that cannot exist, and then return nothing or 0. */
TEST(nothing_for_those_without_a_status)
{
    static const int bad[][3] = {{0, 4, 1}, {-5, 4, 1}, {9, 0, 0}, {9, -1, 0}, {9, 4, 4}, {9, 4, -1}};
    int width = 7, height = 7, connectivity = 7, first = 7, count = 7;
    set_up();
    tilecut_graph_size(NULL, &width, &height, &connectivity);
    ck_assert(width == 0 && height == 0 && connectivity == 0);
    with_session();
    tilecut_graph_size(graph, NULL, &height, NULL);
    ck_assert_int_eq(height, H);
    ck_assert(tilecut_graph_quantum(graph) > 0);
    let_go();
    ck_assert_double_eq(tilecut_graph_quantum(NULL), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        first = count = 7;
        tilecut_part_rows(bad[i][0], bad[i][1], bad[i][2], &first, &count);
        ck_assert(first == 0 && count == 0);
    }
    tilecut_part_rows(9, 4, 3, NULL, &count);
    tilecut_part_rows(9, 4, 3, &first, NULL);
    ck_assert(first == 6 && count == 3);
    tilecut_flag_raise(NULL);
    tilecut_flag_lower(NULL);
    ck_assert_int_eq(tilecut_flag_raised(NULL), 0);
    ck_assert_int_ge(tilecut_decisions(NULL, INT_MAX), 0);
    tilecut_exchange_nccl_free(NULL);
    let_go();
    tilecut_network_destroy(NULL);
    ck_assert_int_ge(tilecut_nccl_version(), 0);
    ck_assert(tilecut_cuda_devices() == 0 || tilecut_cuda_built());
    ck_assert_ptr_nonnull(tilecut_version());
}

int main(void) { return run_suite((test_suite){.name = "arguments that break their contract", .begin = begin}); }
