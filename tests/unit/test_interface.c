/* SPDX-License-Identifier: MIT
 *
 * test_interface.c - calls from outside the library: callers compiled with another version of tilecut.h, rows with a
 * stride, the meaning of zero, and alignment.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "halves_scene.h"
#include "params.h"
#include "run_suite.h"
#include "sized.h"
#include "tilecut_correct.h"
#include "tilecut_volume.h"

enum { GUARD = 77 };

/* ---- Older and newer callers ------------------------------------------------------------------ */

/* Returns a struct of `size` bytes that ends at the end of a page. The next page cannot be read. `size` is a multiple
 * of the struct's alignment. */
static void *before_the_end(size_t size, const void *content)
{
    const size_t page = 1 << 16;
    char *const pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    if (content) memcpy(pages + page - size, content, size);
    return pages + page - size;
}

/* The parameters of a caller whose tilecut.h ends before `field`. The memory behind them cannot be read. */
#define OLDER_PARAMS(field, params) \
    ((params).size = offsetof(tilecut_params, field), before_the_end(offsetof(tilecut_params, field), &(params)))

TEST(an_older_caller_is_read_no_further_than_it_goes)
{
    scene s;
    uint8_t mask[N], other[N];
    scene_init(&s, 1);
    tilecut_params full = {.colors = "none", .lambda = 10, .iterations = 2};
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &full, mask, NULL), TILECUT_OK);
    tilecut_params old = full;
    old.threads = -5; /* this caller does not have the field, so it must not be read */
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, OLDER_PARAMS(effort, old), other, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, other, N);
    old = (tilecut_params){.colors = "none", .lambda = 10};
    const tilecut_params *const shorter = OLDER_PARAMS(sigma, old);
    tilecut_params same = {.colors = "none", .lambda = 10};
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &same, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, shorter, other, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, other, N);
}

TEST(an_older_callers_report_is_not_written_past_its_end)
{
    scene s;
    uint8_t mask[N];
    tilecut_report full = {0}, empty = {.size = offsetof(tilecut_report, energy)};
    scene_init(&s, 2);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, &full), TILECUT_OK);
    tilecut_report *const old = before_the_end(offsetof(tilecut_report, energy), &empty);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, old), TILECUT_OK);
    ck_assert_int_eq(old->flow, full.flow);
    ck_assert_int_eq(old->cut, full.cut);
    ck_assert_int_eq(old->certified, 1);
    ck_assert_uint_eq(old->size, offsetof(tilecut_report, energy));
}

/* Structs as a later tilecut.h might define them. */
typedef struct newer_params {
    tilecut_params known;
    double later;
} newer_params;

typedef struct newer_report {
    tilecut_report known;
    int64_t later;
} newer_report;

TEST(a_newer_caller_is_understood_unless_it_asks_for_what_is_not_known)
{
    scene s;
    uint8_t mask[N], other[N];
    scene_init(&s, 3);
    newer_params params = {{.size = sizeof params, .lambda = 20}, 0};
    newer_report report = {{.size = sizeof report}, 4711};
    tilecut_params same = {.lambda = 20};
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &same, mask, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params.known, other, &report.known), TILECUT_OK);
    ck_assert_mem_eq(mask, other, N);
    ck_assert_int_eq(report.later, 4711); /* the library must not write a field that it does not know */
    ck_assert_uint_eq(report.known.size, sizeof report);
    ck_assert_int_eq(report.known.certified, 1);
    params.later = 1;
    memset(other, GUARD, N);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params.known, other, NULL), TILECUT_EINVAL);
    says("tilecut_params");
    for (int p = 0; p < N; p++) ck_assert_int_eq(other[p], GUARD);
}

TEST(every_struct_is_read_by_its_size)
{
    scene s;
    uint8_t mask[N];
    tilecut_graph *graph;
    scene_init(&s, 4);
    s.image.size = sizeof s.image;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_OK);
    s.image.size = offsetof(tilecut_image, pixels);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_EINVAL);
    says("no pixels");
    const size_t absurd[] = {1, 7, (size_t)1 << 40, SIZE_MAX};
    for (int i = 0; i < 4; i++) {
        s.image.size = absurd[i];
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_EINVAL);
        says("tilecut_image");
    }
    int32_t cells[10][4] = {{9, 0, 0, 0}, {0, 0, 0, 9}, {1, 1, 1, 1}, {1, 1, 1, 1}};
    tilecut_arrays arrays = {.size = offsetof(tilecut_arrays, from), .width = 2, .height = 2, .source = cells[0],
                             .sink = cells[1], .to = {cells[2], cells[3]}, .from = {cells[9], cells[9]}};
    cells[9][0] = -1; /* must not be read */
    ck_assert_int_eq(tilecut_graph_create(&graph, &arrays), TILECUT_OK);
    tilecut_row row = {.size = offsetof(tilecut_row, from), .source = cells[4], .to = {cells[5]}};
    ck_assert_int_eq(tilecut_graph_row(graph, 0, &row), TILECUT_OK); /* arrays that are not wanted may be NULL */
    ck_assert_int_eq(cells[4][0], 9);
    ck_assert_int_eq(cells[5][0], 1);
    ck_assert_int_eq(tilecut_graph_row(graph, 2, &row), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_graph_row(NULL, 0, &row), TILECUT_EINVAL);
    tilecut_flow flow = {.size = offsetof(tilecut_flow, to), .source = cells[4], .sink = cells[5],
                         .to = {cells[6], cells[7]}};
    ck_assert_int_eq(tilecut_graph_flow(graph, NULL, mask, &flow, NULL), TILECUT_EINVAL);
    flow.size = 0;
    ck_assert_int_eq(tilecut_graph_flow(graph, NULL, mask, &flow, NULL), TILECUT_OK);
    tilecut_graph_destroy(graph);
}

/* Padding at the end would hide the next field, because it would not change the size. */
TEST(structs_end_with_their_last_field)
{
#define ENDS(type, field) ck_assert_uint_eq(sizeof(type), offsetof(type, field) + sizeof((type *)NULL)->field)
    ENDS(tilecut_image, pixels);
    ENDS(tilecut_params, prior_reach);
    ENDS(tilecut_report, doubted);
    ENDS(tilecut_arrays, from);
    ENDS(tilecut_row, from);
    ENDS(tilecut_flow, to);
    ENDS(tilecut_stroke, painted);
    ENDS(tilecut_change, pixels);
    ENDS(tilecut_corrected, removed);
    ENDS(tilecut_moved, too_much);
    ENDS(tilecut_cleaning, fill_holes);
    ENDS(tilecut_cleaned, pixels_filled);
}

/* ---- What zero means -------------------------------------------------------------------------- */

/* Compares bytes first .. end - 1 of two setups. */
static void check_same_bytes(const tc_setup *a, const tc_setup *b, size_t first, size_t end)
{
    ck_assert_mem_eq((const char *)a + first, (const char *)b + first, end - first);
}

/* Compares all but the bytes between `islands` and `threads`, and those between the guess and `own_seeds`: there may be
 * padding. */
static void check_same_setup(const tc_setup *a, const tc_setup *b)
{
    const size_t guess = offsetof(tc_setup, guess_slice_rows) + sizeof a->guess_slice_rows;
    check_same_bytes(a, b, 0, offsetof(tc_setup, islands) + sizeof a->islands);
    check_same_bytes(a, b, offsetof(tc_setup, threads), guess);
    check_same_bytes(a, b, offsetof(tc_setup, own_seeds), sizeof *a);
}

TEST(zero_is_the_default_in_every_field)
{
    tc_setup of_zero, of_null, of_numbers;
    tilecut_params zero = {0}, numbers = tilecut_params_default();
    ck_assert_int_eq(tc_setup_resolve(&of_zero, &zero), TILECUT_OK);
    ck_assert_int_eq(tc_setup_resolve(&of_null, NULL), TILECUT_OK);
    ck_assert_int_eq(tc_setup_resolve(&of_numbers, &numbers), TILECUT_OK);
    check_same_setup(&of_zero, &of_null);
    check_same_setup(&of_zero, &of_numbers);
    ck_assert(of_zero.lambda == 50 && of_zero.spatial == 2 && of_zero.data_weight == 1 && of_zero.connectivity == 4);
    ck_assert(numbers.lambda == 0 && numbers.size == sizeof numbers);
    const tilecut_params none = {.lambda = TILECUT_NONE, .spatial = TILECUT_NONE, .iterations = TILECUT_NONE};
    ck_assert_int_eq(tc_setup_resolve(&of_zero, &none), TILECUT_OK);
    ck_assert(of_zero.lambda == 0 && of_zero.spatial == 0 && of_zero.iterations == -1);
}

TEST(defaults_fill_what_the_caller_has)
{
    tilecut_params *const old = before_the_end(offsetof(tilecut_params, effort), NULL);
    tilecut_params_init(old, offsetof(tilecut_params, effort));
    ck_assert(old->data_weight == 1 && old->size == offsetof(tilecut_params, effort));
    newer_params newer;
    memset(&newer, GUARD, sizeof newer);
    tilecut_params_init(&newer.known, sizeof newer);
    ck_assert(newer.later == 0 && newer.known.size == sizeof newer);
    tilecut_params_init(NULL, 100);
}

/* ---- Rows some stride apart ------------------------------------------------------------------- */

/* Copies the rows of `from` into new memory with `stride` bytes a row, with guard bytes between and around them. The
 * caller frees it. */
static uint8_t *spread_rows(const uint8_t *from, size_t stride)
{
    uint8_t *const rows = malloc(stride * H + 1);
    memset(rows, GUARD, stride * H + 1);
    for (size_t y = 0; from && y < H; y++) memcpy(rows + 1 + y * stride, from + y * W, W);
    return rows;
}

/* Checks that the rows hold the mask `expected`, and that the guard bytes are unchanged. */
static void check_rows(const uint8_t *rows, size_t stride, const uint8_t *expected)
{
    ck_assert_int_eq(rows[0], GUARD);
    for (size_t y = 0; y < H; y++) {
        ck_assert_mem_eq(rows + 1 + y * stride, expected + y * W, W);
        for (size_t x = W; x < stride && y * stride + x < stride * H; x++)
            ck_assert_int_eq(rows[1 + y * stride + x], GUARD);
    }
}

LOOP_TEST(strides_of_seeds_and_masks_change_nothing, 0, 25)
{
    scene s;
    uint64_t state = (uint64_t)_i + 1;
    const size_t seeds_stride = W + (size_t)random_below(&state, 30);
    const size_t mask_stride = W + (size_t)random_below(&state, 30);
    uint8_t mask[N], again[N];
    tilecut_params params = {.colors = "none"};
    tilecut_graph *graph;
    tilecut_session *session;
    scene_init(&s, (uint64_t)_i + 10);
    uint8_t *const seeds = spread_rows(s.seeds, seeds_stride), *const rows = spread_rows(NULL, mask_stride);

    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    params.seeds_stride = seeds_stride, params.mask_stride = mask_stride;
    ck_assert_int_eq(tilecut_segment(&s.image, seeds + 1, &params, rows + 1, NULL), TILECUT_OK);
    check_rows(rows, mask_stride, mask);

    memset(rows, GUARD, mask_stride * H);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, seeds + 1, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, rows + 1, NULL), TILECUT_OK);
    check_rows(rows, mask_stride, mask);
    memset(rows, GUARD, mask_stride * H);
    ck_assert_int_eq(tilecut_graph_segment(graph, &params, rows + 1, NULL), TILECUT_OK);
    check_rows(rows, mask_stride, mask);
    static int32_t cells[4][N];
    const tilecut_flow flow = {.source = cells[0], .sink = cells[1], .to = {cells[2], cells[3]}};
    memset(rows, GUARD, mask_stride * H);
    ck_assert_int_eq(tilecut_graph_flow(graph, &params, rows + 1, &flow, NULL), TILECUT_OK);
    check_rows(rows, mask_stride, mask);

    ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
    memset(rows, GUARD, mask_stride * H);
    ck_assert_int_eq(tilecut_session_solve(session, &params, rows + 1, NULL), TILECUT_OK);
    check_rows(rows, mask_stride, mask);
    const int p = random_below(&state, H) * W + W / 2; /* adds one more seed in both layouts */
    s.seeds[p] = seeds[1 + (size_t)(p / W) * seeds_stride + (size_t)(p % W)] = TILECUT_FOREGROUND;
    ck_assert_int_eq(tilecut_session_reseed(session, seeds + 1, &params), TILECUT_OK);
    memset(rows, GUARD, mask_stride * H);
    ck_assert_int_eq(tilecut_session_solve(session, &params, rows + 1, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_reseed(session, s.seeds, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_solve(session, NULL, again, NULL), TILECUT_OK);
    check_rows(rows, mask_stride, again);

    ck_assert_int_eq(tilecut_session_begin(session, rows + 1, &params), TILECUT_OK);
    const tilecut_stroke stroke = {.x = 3, .y = 3, .width = 2, .height = 2, .label = TILECUT_FOREGROUND,
                                   .stride = 7, .painted = (const uint8_t[9]){1, 1, 0, 0, 0, 0, 0, 1, 1}};
    tilecut_change change = {0};
    memset(rows, GUARD, mask_stride * H);
    ck_assert_int_eq(tilecut_session_stroke(session, &stroke, &params, rows + 1, &change, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_session_undo(session, NULL, mask, NULL, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, again, N);
    ck_assert_int_eq(tilecut_session_stroke(session, &stroke, NULL, again, NULL, NULL), TILECUT_OK);
    check_rows(rows, mask_stride, again);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    free(seeds);
    free(rows);
}

/* Refines the prior mask of `params` in each way there is. */
static void refine_in_all_ways(const scene *s, const tilecut_params *params, uint8_t mask[4][N])
{
    const tilecut_volume volume = {.width = W, .height = H / 2, .depth = 2, .type = TILECUT_VOXEL_U8,
                                   .voxels = s->grey};
    tilecut_graph *graph;
    memset(mask, 0, sizeof(uint8_t[4][N]));
    ck_assert_int_eq(tilecut_segment(&s->image, s->seeds, params, mask[0], NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s->image, s->seeds, params), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_segment(graph, params, mask[1], NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_volume_segment(&volume, s->seeds, params, mask[2], NULL), TILECUT_OK);
    memcpy(mask[3], mask[0], N);
    ck_assert_int_eq(tilecut_correct(&s->image, s->seeds, params, TILECUT_BY_LEARNING, mask[3], NULL, NULL),
                     TILECUT_OK);
    tilecut_graph_destroy(graph);
}

LOOP_TEST(a_stride_of_the_prior_changes_nothing, 0, 6)
{
    scene s;
    static uint8_t prior[N], mask[4][N], other[4][N];
    tilecut_params params = {.prior = prior};
    scene_init(&s, (uint64_t)_i + 40);
    for (int p = 0; p < N; p++) prior[p] = p % W > W / 2 + 2 - p / W % 3 ? 255 : 0;
    refine_in_all_ways(&s, &params, mask);
    params.prior_stride = W + 1 + 7 * (size_t)_i;
    uint8_t *const rows = spread_rows(prior, params.prior_stride);
    params.prior = rows + 1;
    refine_in_all_ways(&s, &params, other);
    ck_assert_mem_eq(mask, other, sizeof mask);
    free(rows);
}

TEST(a_failure_leaves_a_mask_with_a_stride_alone)
{
    const tilecut_flag raised = {1};
    scene s;
    scene_init(&s, 6);
    uint8_t *const rows = spread_rows(NULL, W + 3);
    tilecut_params params = {.mask_stride = W + 3, .cancel = &raised, .solver = "bk"};
    s.seeds[0] = 77;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, rows, NULL), TILECUT_EINVAL);
    for (size_t i = 0; i < (W + 3) * H; i++) ck_assert_int_eq(rows[i], GUARD);
    free(rows);
}

TEST(strides_that_cannot_be_are_refused)
{
    static const size_t bad[] = {1, W - 1, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / H};
    scene s;
    uint8_t mask[N];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scene_init(&s, 7);
        tilecut_params params = {.seeds_stride = bad[i]};
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_EINVAL);
        says("seeds");
        params = (tilecut_params){.mask_stride = bad[i]};
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_EINVAL);
        says("mask");
        params = (tilecut_params){.prior = mask, .prior_stride = bad[i]};
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_EINVAL);
        says("prior");
        s.image.stride = bad[i];
        ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_EINVAL);
        says("image");
    }
}

TEST(samples_of_16_bits_have_to_be_even)
{
    static uint16_t memory[N + H + 8];
    scene s;
    uint8_t mask[N];
    scene_init(&s, 8);
    for (int p = 0; p < N; p++) memory[p] = (uint16_t)(257 * s.grey[p]);
    s.image.depth = 16;
    s.image.pixels = memory;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_OK);
    s.image.stride = 2 * W + 1;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_EINVAL);
    says("its rows have to begin at multiples");
    s.image.stride = 2 * W;
    s.image.pixels = (const uint8_t *)memory + 1;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_EINVAL);
    says("address that does not fit");
    s.image.depth = 8; /* 8-bit samples may lie at any address */
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_OK);
}

int main(void) { return run_suite((test_suite){.name = "interface"}); }
