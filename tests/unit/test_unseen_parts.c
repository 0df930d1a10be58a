/* SPDX-License-Identifier: MIT
 *
 * test_unseen_parts.c - parts of the object in colours that no stroke shows: when strokes count as short, how far they
 * reach (compared with shortest paths found in another way), which regions are added, and a complete cut.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dressed_scene.h"
#include "run_suite.h"
#include "tilecut_parts.h"
#include "unseen_parts.h"

enum { CASES = RANDOM_CASES(300), W = 11, H = 9, N = W * H };

/* ---- Short strokes ----------------------------------------------------------------------------- */

TEST(strokes_are_short_beside_a_mask_larger_than_their_box)
{
    static uint8_t seeds[40 * 30];
    /* The bounding box of the seeds is 4 x 4. Its squared diagonal is 32, and 32 times 1.4 is 44.8. */
    seeds[5 * 40 + 3] = seeds[8 * 40 + 6] = TILECUT_FOREGROUND;
    seeds[20 * 40] = TILECUT_BACKGROUND;
    const tc_extent strokes = tc_extent_of(seeds, 40, 30, TILECUT_FOREGROUND);
    ck_assert(!tc_strokes_are_short(&strokes, 44));
    ck_assert(tc_strokes_are_short(&strokes, 45));
    const tc_extent none = tc_extent_of(seeds, 40, 30, TILECUT_OUTSIDE);
    ck_assert_msg(!tc_strokes_are_short(&none, 45), "there are none");
}

/* ---- What is reached --------------------------------------------------------------------------- */

typedef struct small {
    tilecut_image image;
    /* `cut` is what the cut returns, `given` the guess it gets */
    uint8_t pixels[3 * N], seeds[N], mask[N], cut[N], given[N];
} small;

static tilecut_status cut_small(void *context, const tilecut_image *image, const uint8_t *seeds, const uint8_t *guess,
                                uint8_t *mask)
{
    small *const s = context;
    ck_assert(image == &s->image && seeds == s->seeds);
    memcpy(s->given, guess, N);
    memcpy(mask, s->cut, N);
    return TILECUT_OK;
}

static int length(const small *s, int p, int q)
{
    const bool slanted = p % W != q % W && p / W != q / W;
    int sum = 10 * s->image.channels;
    for (int c = 0; c < s->image.channels; c++)
        sum += abs(s->pixels[p * s->image.channels + c] - s->pixels[q * s->image.channels + c]);
    return slanted ? sum + sum * 2 / 5 : sum;
}

/* Computes shortest paths from all pixels of `from`, by relaxing until nothing changes. */
static void shortest(const small *s, const bool *from, int *way)
{
    bool changed = true;
    for (int p = 0; p < N; p++) way[p] = from[p] ? 0 : 1 << 28;
    while (changed) {
        changed = false;
        for (int p = 0; p < N; p++)
            for (int q = 0; q < N; q++) {
                if (p == q || abs(p % W - q % W) > 1 || abs(p / W - q / W) > 1) continue;
                if (way[q] + length(s, p, q) >= way[p]) continue;
                way[p] = way[q] + length(s, p, q);
                changed = true;
            }
    }
}

static bool framed(int p)
{
    return p % W == 0 || p % W == W - 1 || p / W == 0 || p / W == H - 1;
}

TEST(learning_begins_with_what_is_nearer_by_way_of_alike_colours)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        uint64_t state = seed;
        small s = {.image = {0, W, H, random_below(&state, 2) ? 3 : 1, 8, 0, NULL}};
        bool object[N], other[N], found;
        int near[N], far[N];
        uint8_t guess[N];
        s.image.pixels = s.pixels;
        for (int i = 0; i < 3 * N; i++) s.pixels[i] = (uint8_t)random_below(&state, 100);
        s.seeds[random_below(&state, N)] = TILECUT_BACKGROUND;
        s.seeds[random_below(&state, N)] = TILECUT_FOREGROUND;
        for (int p = 0; p < N; p++) {
            object[p] = s.seeds[p] == TILECUT_FOREGROUND;
            other[p] = !object[p] && (s.seeds[p] == TILECUT_BACKGROUND || framed(p));
        }
        shortest(&s, object, near);
        shortest(&s, other, far);
        ck_assert_int_eq(tc_unseen_parts_find(&s.image, s.seeds, s.mask, cut_small, &s, guess, &found), TILECUT_OK);
        ck_assert(!found);
        for (int p = 0; p < N; p++) ck_assert_msg((s.given[p] != 0) == (near[p] < far[p]), "seed %d, %d", (int)seed, p);
    }
}

/* ---- What is added ----------------------------------------------------------------------------- */

/* Fills columns x0 .. x1 of rows y0 .. y1. */
static void fill(uint8_t *mask, int x0, int x1, int y0, int y1)
{
    for (int y = y0; y <= y1; y++) memset(mask + y * W + x0, 255, (size_t)(x1 - x0 + 1));
}

static bool adds(small *s, uint8_t *guess)
{
    bool found;
    s->image = (tilecut_image){0, W, H, 3, 8, 0, s->pixels};
    ck_assert_int_eq(tc_unseen_parts_find(&s->image, s->seeds, s->mask, cut_small, s, guess, &found), TILECUT_OK);
    return found;
}

TEST(regions_away_from_the_frame_are_added)
{
    small s = {.seeds = {0}};
    uint8_t guess[N], wanted[N];
    fill(s.mask, 2, 6, 2, 4);
    memcpy(s.cut, s.mask, N);
    ck_assert_msg(!adds(&s, guess), "there is nothing else");
    memcpy(wanted, s.mask, N);
    fill(s.cut, 2, 5, 5, 6); /* adds a region below the mask, which must be kept */
    fill(wanted, 2, 5, 5, 6);
    fill(s.cut, 8, 10, 3, 4); /* adds a region at the border of the image, which must not be kept */
    s.cut[2 * W + 3] = 0;     /* removes a pixel of the mask from the cut, which must be kept */
    ck_assert(adds(&s, guess));
    ck_assert_int_eq(memcmp(guess, wanted, N), 0);
    fill(s.cut, 1, 9, 5, 7);
    ck_assert_msg(!adds(&s, guess), "more than the mask itself");
}

/* ---- A whole cut ------------------------------------------------------------------------------- */

static dressed scene;
static uint8_t mask[DRESSED], other[DRESSED];

static tilecut_image picture(void)
{
    return (tilecut_image){0, DRESSED_WIDTH, DRESSED_HEIGHT, 3, 8, 0, scene.pixels};
}

static void cut(const tilecut_params *params, tilecut_report *report)
{
    const tilecut_image image = picture();
    *report = (tilecut_report){0};
    ck_assert_int_eq(tilecut_segment(&image, scene.seeds, params, mask, report), TILECUT_OK);
    ck_assert(report->certified && report->flow == report->cut);
}

TEST(trousers_that_no_stroke_names_are_found)
{
    tilecut_params params = tilecut_params_default();
    tilecut_report report;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        int wrong = 0;
        draw_dressed(&scene, false, seed);
        params.effort = 1;
        cut(&params, &report);
        ck_assert_msg(dressed_trousers(mask, false) < 0.1, "without a search they are background");
        params.effort = 0;
        cut(&params, &report);
        for (int p = 0; p < DRESSED; p++) wrong += mask[p] != scene.truth[p];
        ck_assert_msg(wrong < DRESSED / 500, "seed %d: %d pixels are wrong", (int)seed, wrong);
    }
}

TEST(what_hangs_together_with_the_frame_is_not_added)
{
    tilecut_report report;
    draw_dressed(&scene, true, 1);
    cut(NULL, &report);
    ck_assert(dressed_trousers(mask, true) < 0.1);
}

TEST(a_graph_and_any_number_of_threads_find_the_same)
{
    const tilecut_image image = picture();
    tilecut_params params = tilecut_params_default();
    tilecut_report report, of_graph = {0};
    tilecut_graph *graph;
    draw_dressed(&scene, false, 1);
    params.threads = 1;
    cut(&params, &report);
    memcpy(other, mask, DRESSED);
    params.threads = 3;
    cut(&params, &report);
    ck_assert_int_eq(memcmp(mask, other, DRESSED), 0);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &image, scene.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_segment(graph, &params, mask, &of_graph), TILECUT_OK);
    tilecut_graph_destroy(graph);
    ck_assert_int_eq(memcmp(mask, other, DRESSED), 0);
    ck_assert_int_eq(of_graph.flow, report.flow);
}

/* ---- In parts ---------------------------------------------------------------------------------- */

enum { PARTS = 3 };

typedef struct piece {
    tilecut_part part;
    tilecut_report report;
    uint8_t mask[DRESSED]; /* the mask of the part's own rows and of its halo */
    tilecut_status status;
} piece;

static void *cut_piece(void *context)
{
    piece *const p = context;
    const int above = p->part.exchange->part > 0, below = p->part.exchange->part + 1 < PARTS;
    const size_t from = (size_t)(p->part.first - above) * DRESSED_WIDTH;
    tilecut_image rows = picture();
    rows.height = p->part.rows + above + below;
    rows.pixels = scene.pixels + 3 * from;
    p->status = tilecut_part_segment(&p->part, &rows, scene.seeds + from, NULL, p->mask, &p->report, NULL);
    return NULL;
}

TEST(parts_of_an_image_find_the_same)
{
    static piece all[PARTS];
    tilecut_exchange *exchanges;
    pthread_t thread[PARTS];
    tilecut_report report;
    draw_dressed(&scene, false, 2);
    cut(NULL, &report);
    ck_assert(dressed_trousers(mask, false) > 0.95);
    ck_assert_int_eq(tilecut_exchange_threads(&exchanges, PARTS), TILECUT_OK);
    for (int i = 0; i < PARTS; i++) {
        all[i].part = (tilecut_part){.height = DRESSED_HEIGHT, .exchange = &exchanges[i]};
        tilecut_part_rows(DRESSED_HEIGHT, PARTS, i, &all[i].part.first, &all[i].part.rows);
        ck_assert_int_eq(pthread_create(&thread[i], NULL, cut_piece, &all[i]), 0);
    }
    for (int i = 0; i < PARTS; i++) ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < PARTS; i++) {
        const size_t own = (size_t)(i > 0) * DRESSED_WIDTH, from = (size_t)all[i].part.first * DRESSED_WIDTH;
        ck_assert_int_eq(all[i].status, TILECUT_OK);
        ck_assert_int_eq(memcmp(all[i].mask + own, mask + from, (size_t)all[i].part.rows * DRESSED_WIDTH), 0);
        ck_assert_int_eq(all[i].report.flow, report.flow);
    }
    tilecut_exchange_free(exchanges);
}

int main(void) { return run_suite((test_suite){.name = "unseen", .seconds = 300}); }
