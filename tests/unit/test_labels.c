/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_labels.c - several labels. On tiny lattices, every labelling checks that each expansion is the best one, that
 * fixed labels are in every minimum, and that the bound holds. Two labels are compared with tilecut_segment(); every
 * solver must find three regions in two and three dimensions; strokes correct labels; invalid input is refused.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "label_cut.h"
#include "label_scene.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_labels.h"

/* ---- Every labelling of a tiny lattice --------------------------------------------------------- */

enum { MOST = 8, CASES = RANDOM_CASES(250) };

typedef struct tiny {
    tc_labelling l;
    uint8_t best[MOST]; /* one labelling of least energy */
    bool in_all[MOST];  /* true if the pixel has this label in every minimum */
    int64_t least;
} tiny;

static void draw_tiny(tiny *t, uint64_t *state)
{
    static const int shapes[][4] = {{3, 2, 1, 4},  {4, 2, 1, 8}, {2, 2, 2, 6},
                                    {2, 2, 2, 26}, {1, 5, 1, 4}, {3, 1, 2, 26}};
    const int *const s = shapes[random_below(state, 6)];
    const int labels = 2 + random_below(state, s[0] * s[1] * s[2] > 6 ? 2 : 3), rare = 1 + random_below(state, 3);
    tc_setup setup;
    ck_assert_int_eq((s[3] > 8 || s[2] > 1 ? tc_setup_resolve_volume : tc_setup_resolve)(&setup, NULL), TILECUT_OK);
    setup.threads = 1;
    setup.connectivity = s[3];
    tc_labelling *const l = &t->l;
    ck_assert_int_eq(tc_labelling_init(l, s[0], s[1], s[2], s[3], labels, &setup), TILECUT_OK);
    for (size_t i = 0; i < l->pixels; i++) {
        int32_t least = INT32_MAX;
        for (int k = 0; k < labels; k++) {
            int32_t *const cost = &l->data[(size_t)k * l->pixels + i];
            *cost = random_below(state, 12);
            if (*cost < least) least = *cost;
        }
        for (int k = 0; k < labels; k++) l->data[(size_t)k * l->pixels + i] -= least;
        const int x = (int)i % s[0], y = (int)i / s[0] % s[1], z = (int)i / s[0] / s[1];
        for (int k = 0; k < s[3] / 2; k++) {
            const tc_link_steps step = tc_link_step(s[3], k);
            const bool on = x + step.x >= 0 && x + step.x < s[0] && y + step.y >= 0 && y + step.y < s[1] &&
                            z + step.z < s[2];
            l->link[k][i] = on && !random_below(state, rare) ? random_below(state, 9) : 0;
        }
        l->label[i] = (uint8_t)random_below(state, labels);
        if (!random_below(state, 5)) {
            l->fixed[i] = 1;
            for (int k = 0; k < labels; k++) l->data[(size_t)k * l->pixels + i] = 0;
        }
    }
    l->tie = 1 + 26 * 9;
    l->block = 1 + random_below(state, 3); /* blocks are small, so that there may be several groups */
}


static int64_t energy_of(tc_labelling *l)
{
    int64_t energy;
    ck_assert_int_eq(tc_labelling_energy(l, &energy), TILECUT_OK);
    return energy;
}

/* Calls `visit` for each labelling of the pixels that may change. Each such pixel gets a label from `choices`, or keeps
 * its own (-1). */
static void all_labellings(tiny *t, const uint8_t *keep, int choices, const int *choice,
                           void (*visit)(tiny *t, void *context), void *context)
{
    tc_labelling *const l = &t->l;
    uint8_t before[MOST];
    int64_t count = 1;
    memcpy(before, l->label, l->pixels);
    for (size_t i = 0; i < l->pixels; i++) count *= keep[i] ? 1 : choices;
    for (int64_t n = 0; n < count; n++) {
        int64_t left = n;
        for (size_t i = 0; i < l->pixels; i++) {
            if (keep[i]) continue;
            const int c = choice[left % choices];
            l->label[i] = c < 0 ? before[i] : (uint8_t)c;
            left /= choices;
        }
        visit(t, context);
    }
    memcpy(l->label, before, l->pixels);
}

static void note_minimum(tiny *t, void *context)
{
    const int64_t energy = energy_of(&t->l);
    (void)context;
    if (energy > t->least) return;
    for (size_t i = 0; i < t->l.pixels; i++)
        t->in_all[i] = energy < t->least || (t->in_all[i] && t->best[i] == t->l.label[i]);
    if (energy < t->least) memcpy(t->best, t->l.label, t->l.pixels);
    t->least = energy;
}

static void note_least(tiny *t, void *context)
{
    int64_t *const least = context;
    const int64_t energy = energy_of(&t->l);
    if (energy < *least) *least = energy;
}

typedef struct expansion {
    tiny *t;
    int alpha, seed;
    int64_t least; /* energy of the best expansion */
} expansion;

/* Checks that the cut is the best expansion and, among the best, the one with the fewest changes. */
static tilecut_status check_cut(tc_label_cut *cut, void *context)
{
    const expansion *const e = context;
    tc_labelling *const l = &e->t->l;
    uint8_t before[MOST];
    ck_assert_int_eq(tc_label_cut_solve(cut, TC_CHOICE_EXPAND, e->alpha), TILECUT_OK);
    memcpy(before, l->label, l->pixels);
    for (size_t at = 0; at < cut->pixels; at++) {
        const size_t i = tc_label_cut_row(cut, (int)at / cut->box.width) + at % (size_t)cut->box.width;
        if (cut->mask[at]) continue;
        ck_assert_msg(!l->fixed[i] || l->label[i] == e->alpha, "seed %d: a fixed pixel moves", e->seed);
        l->label[i] = (uint8_t)e->alpha;
    }
    const int64_t found = energy_of(l);
    ck_assert_msg(found == e->least, "seed %d, label %d: %d, best expansion %d", e->seed, e->alpha, (int)found,
                  (int)e->least);
    for (size_t i = 0; i < l->pixels; i++) {
        if (l->label[i] == before[i]) continue;
        const uint8_t now = l->label[i];
        l->label[i] = before[i];
        ck_assert_msg(energy_of(l) > e->least, "seed %d: a change for nothing", e->seed);
        l->label[i] = now;
    }
    memcpy(l->label, before, l->pixels);
    return TILECUT_OK;
}

static void check_expansion(tiny *t, int group, int alpha, int seed)
{
    expansion e = {t, alpha, seed, INT64_MAX};
    all_labellings(t, t->l.fixed, 2, (const int[]){-1, alpha}, note_least, &e.least);
    ck_assert_int_eq(tc_label_cut_with(&t->l, group, check_cut, &e), TILECUT_OK);
}

/* Expands a random labelling. No expansion may raise the energy, and at the end no single expansion may lower it.
 * Afterwards restores the labelling. */
static void check_expand(tiny *t, int seed)
{
    tc_labelling *const l = &t->l;
    uint8_t given[MOST];
    memcpy(given, l->label, l->pixels);
    const int64_t before = energy_of(l);
    ck_assert_int_eq(tc_labelling_expand(l, NULL), TILECUT_OK);
    const int64_t found = energy_of(l);
    ck_assert_msg(found <= before, "seed %d: %d after %d", seed, (int)found, (int)before);
    for (size_t i = 0; i < l->pixels; i++) ck_assert(!l->fixed[i] || l->label[i] == given[i]);
    for (int alpha = 0; alpha < l->labels; alpha++) {
        int64_t least = found;
        all_labellings(t, l->fixed, 2, (const int[]){-1, alpha}, note_least, &least);
        ck_assert_msg(least == found, "seed %d, label %d: %d, an expansion has %d", seed, alpha, (int)found,
                      (int)least);
    }
    memcpy(l->label, given, l->pixels);
}

LOOP_TEST(tiny_lattices, 0, 4)
{
    for (int i = 0; i < CASES; i++) {
        const int seed = _i * CASES + i;
        static const int all[] = {0, 1, 2, 3};
        uint64_t state = (uint64_t)seed;
        uint8_t given[MOST];
        int64_t bound;
        tiny t = {.least = INT64_MAX};
        tc_labelling *const l = &t.l;
        draw_tiny(&t, &state);
        memcpy(given, l->fixed, l->pixels);
        const int block = l->block;
        l->block = MOST; /* uses one group for all pixels */
        ck_assert_int_eq(tc_labelling_divide(l), TILECUT_OK);
        l->block = block;
        for (int alpha = 0; alpha < l->labels; alpha++)
            for (int group = -1; group < l->groups; group++) check_expansion(&t, group, alpha, seed);
        check_expand(&t, seed);
        all_labellings(&t, given, l->labels, all, note_minimum, NULL);
        ck_assert_int_eq(tc_labelling_fix(l), TILECUT_OK);
        for (size_t p = 0; p < l->pixels; p++)
            ck_assert_msg(!l->fixed[p] || given[p] || (t.in_all[p] && l->label[p] == t.best[p]),
                          "seed %d: pixel %d is not certain", seed, (int)p);
        const int64_t before = energy_of(l);
        ck_assert_int_eq(tc_labelling_expand(l, NULL), TILECUT_OK);
        const int64_t energy = energy_of(l);
        ck_assert_msg(energy <= before && energy >= t.least, "seed %d: %d after %d, least %d", seed, (int)energy,
                      (int)before, (int)t.least);
        ck_assert_msg(energy <= 2 * t.least, "seed %d: more than twice the least", seed);
        const double enough = random_below(&state, 3) / 8.0;
        ck_assert_int_eq(tc_labelling_bound(l, random_below(&state, 12), enough, &bound), TILECUT_OK);
        ck_assert_msg(bound <= 2 * t.least && bound >= 0, "seed %d: bound %d, twice the least %d", seed, (int)bound,
                      (int)(2 * t.least));
        tc_labelling_free(l);
    }
}

/* ---- Images and volumes ------------------------------------------------------------------------ */

enum { WIDTH = 60, HEIGHT = 44, DEPTH = 5, REGIONS = 3 };

/* Returns the stripe at (x, y). There are three noisy stripes of different colours, one below the other, each with a
 * seed in its middle. */
static int region_of(int x, int y)
{
    return (y + x / 8) * REGIONS / (HEIGHT + WIDTH / 8);
}

static void draw_stripes(uint8_t *pixels, int channels, int depth, uint8_t *seeds, uint8_t *truth, uint64_t seed)
{
    static const uint8_t colour[REGIONS][3] = {{60, 80, 60}, {120, 90, 160}, {190, 150, 60}};
    uint64_t state = seed;
    for (int z = 0; z < depth; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const size_t p = ((size_t)z * HEIGHT + (size_t)y) * WIDTH + (size_t)x;
                const int region = region_of(x, y);
                truth[p] = (uint8_t)(10 * (region + 1));
                for (int c = 0; c < channels; c++)
                    pixels[p * (size_t)channels + (size_t)c] = (uint8_t)(colour[region][c] + random_below(&state, 40));
                const int middle = HEIGHT * (2 * region + 1) / (2 * REGIONS);
                seeds[p] = x > 10 && x < 50 && y + x / 8 - WIDTH / 16 == middle ? truth[p] : 0;
            }
}

static const char *const solvers[] = {"cascade", "push", "bk"};

TEST(three_regions)
{
    static uint8_t pixels[WIDTH * HEIGHT * 3], seeds[WIDTH * HEIGHT], truth[WIDTH * HEIGHT], first[WIDTH * HEIGHT],
        labels[WIDTH * HEIGHT];
    const tilecut_image image = {.width = WIDTH, .height = HEIGHT, .channels = 3, .depth = 8, .pixels = pixels};
    for (int i = 0; i < 3 * 2 * 3; i++) {
        const bool wide = i / 3 % 2;
        const tilecut_params params = {.solver = solvers[i % 3], .threads = 1 + i / 6, .connectivity = wide ? 8 : 4};
        tilecut_labels_report report = {0};
        draw_stripes(pixels, 3, 1, seeds, truth, 7);
        ck_assert_int_eq(tilecut_labels(&image, seeds, &params, NULL, labels, &report), TILECUT_OK);
        int64_t wrong = 0;
        for (size_t p = 0; p < sizeof labels; p++) {
            wrong += labels[p] != truth[p];
            ck_assert(!seeds[p] || labels[p] == seeds[p]);
        }
        ck_assert_msg(wrong < WIDTH * HEIGHT / 50, "%d pixels are wrong", (int)wrong);
        ck_assert_int_eq(report.labels, REGIONS);
        ck_assert_int_eq(report.certified, 1);
        ck_assert(report.bound <= report.energy && report.gap >= 0 && report.gap < 1);
        ck_assert_int_eq(report.pixels[10] + report.pixels[20] + report.pixels[30], WIDTH * HEIGHT);
        if (i == 0) memcpy(first, labels, sizeof first);
        if (!wide) ck_assert_mem_eq(labels, first, sizeof first);
    }
}

/* Noise in which each label has short strokes. Several labels are learnt at the same time, and many small groups are
 * cut at the same time. */
TEST(threads_change_nothing)
{
    enum { SIDE = 144, LABELS = 6, PIXELS = SIDE * SIDE };
    static uint8_t pixels[PIXELS], seeds[PIXELS], first[PIXELS], labels[PIXELS];
    static const int threads[] = {1, 2, 3, 8};
    const tilecut_image image = {.width = SIDE, .height = SIDE, .channels = 1, .depth = 8, .pixels = pixels};
    uint64_t state = 11;
    for (int p = 0; p < PIXELS; p++) {
        const int x = p % SIDE, y = p / SIDE, region = (x / 24 + 2 * (y / 24)) % LABELS;
        pixels[p] = (uint8_t)(20 + 36 * region + random_below(&state, 70));
        seeds[p] = x % 24 == 12 && y % 24 > 8 && y % 24 < 14 && random_below(&state, 3) ? (uint8_t)(region + 1) : 0;
    }
    tilecut_labels_report reports[4] = {0};
    for (int i = 0; i < 4; i++) {
        const tilecut_params params = {.threads = threads[i], .lambda = 4, .iterations = 1, .effort = 1};
        tilecut_labels_report *const r = &reports[i];
        ck_assert_int_eq(tilecut_labels(&image, seeds, &params, NULL, labels, r), TILECUT_OK);
        if (i == 0) memcpy(first, labels, PIXELS);
        ck_assert_msg(!memcmp(first, labels, PIXELS), "%d threads: other labels", threads[i]);
        ck_assert_int_eq(r->cuts, reports[0].cuts);
        ck_assert_int_eq(r->moves, reports[0].moves);
        ck_assert_int_eq(r->certain, reports[0].certain);
        ck_assert(!memcmp(&r->bound, &reports[0].bound, sizeof r->bound));
        ck_assert(!memcmp(&r->beta, &reports[0].beta, sizeof r->beta));
        ck_assert_str_eq(r->solver, reports[0].solver);
    }
    ck_assert_int_gt(reports[0].cuts, 100); /* there are many groups */
}

TEST(three_regions_in_space)
{
    enum { VOXELS = WIDTH * HEIGHT * DEPTH };
    static uint8_t voxels[VOXELS], seeds[VOXELS], truth[VOXELS], first[VOXELS], labels[VOXELS];
    const tilecut_volume volume = {.width = WIDTH, .height = HEIGHT, .depth = DEPTH, .voxels = voxels};
    draw_stripes(voxels, 1, DEPTH, seeds, truth, 9);
    for (int i = 0; i < 6; i++) {
        tilecut_params params = {.solver = solvers[i % 3], .threads = 1 + i / 3};
        tilecut_labels_report report = {0};
        ck_assert_int_eq(tilecut_volume_labels(&volume, seeds, &params, NULL, labels, &report), TILECUT_OK);
        int64_t wrong = 0;
        for (size_t p = 0; p < VOXELS; p++) wrong += labels[p] != truth[p];
        ck_assert_msg(wrong < VOXELS / 50, "%d voxels are wrong", (int)wrong);
        if (i == 0) memcpy(first, labels, sizeof first);
        ck_assert_mem_eq(labels, first, sizeof first);
        ck_assert_int_eq(report.connectivity, 6);
    }
    tilecut_params wide = {.connectivity = 26};
    ck_assert_int_eq(tilecut_volume_labels(&volume, seeds, &wide, NULL, labels, NULL), TILECUT_OK);
}

/* A label map of a volume that is shifted by two rows. */
TEST(refined_in_space)
{
    enum { VOXELS = WIDTH * HEIGHT * DEPTH };
    static uint8_t voxels[VOXELS], seeds[VOXELS], truth[VOXELS], given[VOXELS], first[VOXELS], labels[VOXELS];
    const tilecut_volume volume = {.width = WIDTH, .height = HEIGHT, .depth = DEPTH, .voxels = voxels};
    int64_t wrong[2] = {0};
    draw_stripes(voxels, 1, DEPTH, seeds, truth, 11);
    for (size_t p = 0; p < VOXELS; p++) given[p] = truth[p / WIDTH % HEIGHT < 2 ? p : p - 2 * WIDTH];
    for (int i = 0; i < 6; i++) {
        const tilecut_params params = {.solver = solvers[i % 3], .threads = 1 + i / 3, .prior_reach = 4};
        int64_t changed, differ = 0;
        memcpy(labels, given, VOXELS);
        ck_assert_int_eq(tilecut_volume_labels_refine(&volume, &params, 0, labels, &changed), TILECUT_OK);
        if (i == 0) memcpy(first, labels, VOXELS);
        ck_assert_mem_eq(labels, first, VOXELS);
        for (size_t p = 0; p < VOXELS; p++) differ += labels[p] != given[p];
        ck_assert_int_eq(changed, differ);
    }
    for (size_t p = 0; p < VOXELS; p++) wrong[0] += given[p] != truth[p], wrong[1] += labels[p] != truth[p];
    ck_assert_msg(3 * wrong[1] < 2 * wrong[0], "%d voxels were wrong, %d are", (int)wrong[0], (int)wrong[1]);

    /* A label map with one object gives the same as its mask. */
    tilecut_params params = {.prior = seeds, .prior_reach = 4};
    for (size_t p = 0; p < VOXELS; p++) labels[p] = given[p] == 20, seeds[p] = labels[p] ? 255 : 0;
    memset(given, TILECUT_UNKNOWN, VOXELS);
    ck_assert_int_eq(tilecut_volume_segment(&volume, given, &params, first, NULL), TILECUT_OK);
    params.prior = NULL;
    ck_assert_int_eq(tilecut_volume_labels_refine(&volume, &params, 0, labels, NULL), TILECUT_OK);
    for (size_t p = 0; p < VOXELS; p++) ck_assert_int_eq(labels[p], first[p] ? 1 : 0);
}

/* Two discs of one colour touch. In a coarse label map, each disc keeps its own side of the contact. */
TEST(refined_where_objects_of_one_colour_touch)
{
    enum { W = 160, H = 120, CELL = 8 };
    static uint8_t pixels[W * H], truth[W * H], labels[W * H];
    const tilecut_image image = {.width = W, .height = H, .channels = 1, .depth = 8, .pixels = pixels};
    uint64_t state = 3;
    int wrong[2] = {0};
    for (int p = 0; p < W * H; p++) {
        const int x = p % W, y = p / W - 60, left = (x - 50) * (x - 50) + y * y, right = (x - 109) * (x - 109) + y * y;
        truth[p] = left < 30 * 30 ? 2 : right < 30 * 30 ? 3 : 1;
        pixels[p] = (uint8_t)((truth[p] > 1 ? 180 : 70) + random_below(&state, 30));
    }
    for (int p = 0; p < W * H; p++) labels[p] = truth[(p / W / CELL * CELL + 4) * W + p % W / CELL * CELL + 4];
    for (int p = 0; p < W * H; p++) wrong[0] += labels[p] != truth[p];
    ck_assert_int_eq(tilecut_labels_refine(&image, NULL, 1, labels, NULL), TILECUT_OK);
    for (int p = 0; p < W * H; p++) wrong[1] += labels[p] != truth[p];
    ck_assert_int_gt(wrong[0], 500);
    ck_assert_int_le(wrong[1], 60);
}

/* Strokes of one label only add pixels to it, and strokes of other labels stay; in two and three dimensions. */
TEST(corrected)
{
    enum { VOXELS = WIDTH * HEIGHT * DEPTH };
    static uint8_t pixels[3 * VOXELS], seeds[VOXELS], truth[VOXELS], first[2][VOXELS], labels[VOXELS];
    const tilecut_image image = {.width = WIDTH, .height = HEIGHT, .channels = 3, .depth = 8, .pixels = pixels};
    const tilecut_volume volume = {.width = WIDTH, .height = HEIGHT, .depth = DEPTH, .voxels = pixels};
    for (int i = 0; i < 8; i++) {
        const bool space = i & 1;
        const size_t n = space ? VOXELS : WIDTH * HEIGHT;
        const tilecut_params params = {.solver = i & 2 ? "bk" : NULL, .threads = 1 + i / 4};
        int64_t changed = -1, wrong = 0;
        draw_stripes(pixels, space ? 1 : 3, space ? DEPTH : 1, seeds, truth, 31);
        for (size_t p = 0; p < n; p++) /* gives part of the second region the label of the first */
            labels[p] = truth[p] == 20 && p % WIDTH < 40 ? 10 : truth[p];
        const tilecut_status status =
            space ? tilecut_volume_labels_correct(&volume, seeds, &params, labels, &changed)
                  : tilecut_labels_correct(&image, seeds, &params, labels, &changed);
        ck_assert_msg(status == TILECUT_OK, "%s", tilecut_error_detail());
        for (size_t p = 0; p < n; p++) {
            const uint8_t before = truth[p] == 20 && p % WIDTH < 40 ? 10 : truth[p];
            ck_assert_msg(labels[p] == before || labels[p] == 20, "%d: pixel %d gets %d", i, (int)p, labels[p]);
            ck_assert(!seeds[p] || labels[p] == seeds[p]);
            changed -= labels[p] != before;
            wrong += labels[p] != truth[p];
        }
        ck_assert_int_eq(changed, 0);
        ck_assert_msg(wrong < (int64_t)n / 50, "%d: %d are wrong", i, (int)wrong);
        if (i < 2) memcpy(first[space], labels, n);
        ck_assert_mem_eq(labels, first[space], n);
        ck_assert_int_eq(space ? tilecut_volume_labels_correct(&volume, seeds, &params, labels, &changed)
                               : tilecut_labels_correct(&image, seeds, &params, labels, &changed), TILECUT_OK);
        ck_assert_int_eq(changed, 0); /* nothing changes, because the labels already agree with all seeds */
    }
}

/* Adds strokes of all labels, the last label first, and then labels everything anew. The labels equal those of one call
 * with all seeds. */
LOOP_TEST(session_labels_anew, 0, RANDOM_LOOPS(8))
{
    label_scene s;
    label_scene_draw(&s, (uint64_t)_i + 30, _i % 2);
    const size_t n = s.row * s.rows;
    const int width = s.image.width;
    tilecut_labels_report one = {0}, anew = {0};
    uint8_t *const expected = malloc(5 * n), *const found = expected + n, *const painted = found + n;
    uint8_t *const before = painted + n, *const other = before + n;
    tilecut_labels_session *session;
    tilecut_change change = {0};
    int undone;
    ck_assert_int_eq(label_scene_whole(&s, expected, &one), TILECUT_OK);
    for (size_t p = 0; p < n; p++) other[p] = s.seeds[0] ? s.seeds[0] : 3;
    ck_assert_int_eq(s.spatial ? tilecut_volume_labels_session_create(&session, &s.volume, other, NULL, &s.params)
                               : tilecut_labels_session_create(&session, &s.image, other, NULL, &s.params), TILECUT_OK);
    for (int label = 255; label > 0; label--) {
        const tilecut_stroke stroke = {.width = width, .height = (int)(n / (size_t)width), .label = label,
                                       .painted = painted};
        bool any = false;
        for (size_t p = 0; p < n; p++) any |= (painted[p] = s.seeds[p] == label) != 0;
        if (any) ck_assert_int_eq(tilecut_labels_session_stroke(session, &stroke, NULL, before, NULL), TILECUT_OK);
    }
    const tilecut_volume *const volume = s.spatial ? &s.volume : NULL;
    ck_assert_int_eq(tilecut_labels_session_label(session, volume, NULL, &s.how, found, &change, &anew), TILECUT_OK);
    ck_assert_msg(!memcmp(found, expected, n), "seed %d: other labels", _i);
    ck_assert_double_eq(anew.energy, one.energy);
    ck_assert_double_eq(anew.bound, one.bound);
    int64_t changed = 0;
    for (size_t p = 0; p < n; p++) changed += found[p] != before[p];
    ck_assert_int_eq(change.pixels, changed);
    ck_assert_int_eq(tilecut_labels_session_undo(session, NULL, found, NULL, &undone), TILECUT_OK);
    ck_assert_msg(undone && !memcmp(found, before, n), "seed %d: undone, other labels than before", _i);
    ck_assert_int_eq(tilecut_labels_session_label(session, s.spatial ? NULL : &s.volume, NULL, NULL, found, NULL, NULL),
                     TILECUT_EINVAL);
    tilecut_labels_session_destroy(session);
    label_scene_free(&s);
    free(expected);
}

/* The session of a volume has a copy of the voxels, so the caller may overwrite them. */
TEST(session_needs_voxels_only_at_first)
{
    label_scene s;
    label_scene_draw(&s, 6, true);
    const size_t n = s.row * s.rows;
    uint8_t *const labels = malloc(4 * n), *const painted = labels + n;
    tilecut_labels_session *session[2];
    const tilecut_stroke stroke = {.width = s.image.width, .height = (int)(n / (size_t)s.image.width), .label = 3,
                                   .painted = painted};
    for (size_t p = 0; p < n; p++) labels[p] = 10, painted[p] = s.seeds[p] == 3;
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(tilecut_volume_labels_session_create(&session[i], &s.volume, labels, s.seeds, &s.params),
                         TILECUT_OK);
    for (int i = 0; i < 2; i++, memset(s.pixels, 0, n)) {
        ck_assert_int_eq(tilecut_labels_session_stroke(session[i], &stroke, NULL, labels + 2 * n + n * (size_t)i, NULL),
                         TILECUT_OK);
        tilecut_labels_session_destroy(session[i]);
    }
    ck_assert_mem_eq(labels + 2 * n, labels + 3 * n, n);
    ck_assert(memcmp(labels, labels + 2 * n, n));
    label_scene_free(&s);
    free(labels);
}

/* With two labels the answer equals that of one cut, in two and three dimensions. */
TEST(two_labels)
{
    static uint8_t pixels[WIDTH * HEIGHT * 3], seeds[WIDTH * HEIGHT], truth[WIDTH * HEIGHT], labels[WIDTH * HEIGHT],
        mask[WIDTH * HEIGHT], two[WIDTH * HEIGHT];
    const tilecut_image image = {.width = WIDTH, .height = HEIGHT, .channels = 3, .depth = 8, .pixels = pixels};
    const tilecut_volume volume = {.width = WIDTH, .height = HEIGHT, .depth = 1, .voxels = pixels};
    for (int i = 0; i < 8; i++) {
        const tilecut_params params = {.connectivity = i & 1 ? 8 : 4};
        const tilecut_labels_params how = {.background = i & 2 ? 30 : 0};
        tilecut_labels_report report = {0};
        tilecut_report one = {0};
        draw_stripes(pixels, i & 4 ? 1 : 3, 1, seeds, truth, (uint64_t)(20 + i));
        for (size_t p = 0; p < sizeof seeds; p++) {
            if (seeds[p] == 20) seeds[p] = 0;
            two[p] = !seeds[p] ? TILECUT_UNKNOWN : (seeds[p] == 30) == !(i & 2) ? TILECUT_FOREGROUND
                                                                                : TILECUT_BACKGROUND;
        }
        if (i & 4) {
            ck_assert_int_eq(tilecut_volume_labels(&volume, seeds, NULL, &how, labels, &report), TILECUT_OK);
            ck_assert_int_eq(tilecut_volume_segment(&volume, two, NULL, mask, &one), TILECUT_OK);
        } else {
            ck_assert_int_eq(tilecut_labels(&image, seeds, &params, &how, labels, &report), TILECUT_OK);
            ck_assert_int_eq(tilecut_segment(&image, two, &params, mask, &one), TILECUT_OK);
        }
        for (size_t p = 0; p < sizeof labels; p++)
            ck_assert_int_eq(labels[p], (mask[p] != 0) == !(i & 2) ? 30 : 10);
        ck_assert_double_eq(report.energy, one.energy);
        ck_assert_double_eq(report.gap, 0);
        ck_assert_int_eq(report.certain, WIDTH * HEIGHT);
    }
}

TEST(refused)
{
    static uint8_t pixels[12 * 3], seeds[12] = {1, 0, 2, 0, 3}, labels[12];
    const tilecut_image image = {.width = 4, .height = 3, .channels = 3, .depth = 8, .pixels = pixels};
    static const struct {
        tilecut_params params;
        tilecut_labels_params how;
        const char *part;
    } bad[] = {
        {{.soft_seeds = 1}, {0}, "soft_seeds"},
        {{.prior = pixels}, {0}, "prior"},
        {{.solver = "none such"}, {0}, "none such"},
        {{.lambda = -3}, {0}, "lambda"},
        {{0}, {.background = 4}, "background is 4"},
        {{0}, {.bound_rounds = 101}, "bound_rounds"},
        {{0}, {.size = 4}, "tilecut_labels_params"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(labels, 77, sizeof labels);
        ck_assert_int_eq(tilecut_labels(&image, seeds, &bad[i].params, &bad[i].how, labels, NULL), TILECUT_EINVAL);
        ck_assert_msg(strstr(tilecut_error_detail(), bad[i].part) != NULL, "%d: %s", (int)i, tilecut_error_detail());
        for (size_t p = 0; p < sizeof labels; p++) ck_assert_int_eq(labels[p], 77);
    }
    ck_assert_int_eq(tilecut_labels(NULL, seeds, NULL, NULL, labels, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_labels(&image, NULL, NULL, NULL, labels, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_labels(&image, seeds, NULL, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_volume_labels(NULL, seeds, NULL, NULL, labels, NULL), TILECUT_EINVAL);
    memset(seeds, 5, sizeof seeds);
    ck_assert_int_eq(tilecut_labels(&image, seeds, NULL, NULL, labels, NULL), TILECUT_ESEEDS);
    memset(seeds, 0, sizeof seeds);
    ck_assert_int_eq(tilecut_labels(&image, seeds, NULL, NULL, labels, NULL), TILECUT_ESEEDS);
}

int main(void) { return run_suite((test_suite){.name = "labels", .seconds = 120}); }
