/* SPDX-License-Identifier: MIT
 *
 * test_volume_correct.c - corrections of masks of random small volumes. Strokes are nested: foreground strokes only
 * add, background strokes only remove, and seeds hold. All solvers and numbers of threads give one mask. A volume of
 * depth one gives the correction of a photo, bit for bit. VOLUME_CORRECT_SEED is the first seed, by default 1.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "tilecut_volume.h"

enum { MOST = 14, ROOM = MOST * MOST * MOST, CASES = 24 };

typedef struct scene {
    int width, height, depth;
    size_t count;
    uint8_t voxels[3 * ROOM], seeds[ROOM], before[ROOM];
    tilecut_volume volume;
    tilecut_params params;
} scene;

static uint64_t first_seed(void) { return number_from("VOLUME_CORRECT_SEED", 1); }

/* Draws a bright ball with noise, in colour if the seed is even, a mask that is another ball, and random seeds of both
 * classes. */
static void draw(scene *s, uint64_t seed, int depth)
{
    static const double spacings[] = {1, 1, 2.5, 0.7};
    uint64_t state = seed;
    s->width = 4 + random_below(&state, MOST - 4), s->height = 4 + random_below(&state, MOST - 4);
    s->depth = depth ? depth : 2 + random_below(&state, MOST - 2);
    s->count = (size_t)(s->width * s->height * s->depth);
    const int at[2][4] = {{random_below(&state, s->width), random_below(&state, s->height),
                           random_below(&state, s->depth), 3 + random_below(&state, 6)},
                          {random_below(&state, s->width), random_below(&state, s->height),
                           random_below(&state, s->depth), 3 + random_below(&state, 6)}};
    const int dense = 4 + random_below(&state, 40), noise = 1 + random_below(&state, 120);
    const int channels = seed % 2 ? 1 : 3;
    for (int p = 0; p < (int)s->count; p++) {
        const int x = p % s->width, y = p / s->width % s->height, z = p / s->width / s->height;
        bool in[2];
        for (int k = 0; k < 2; k++)
            in[k] = (x - at[k][0]) * (x - at[k][0]) + (y - at[k][1]) * (y - at[k][1]) +
                    (z - at[k][2]) * (z - at[k][2]) < at[k][3] * at[k][3];
        for (int c = 0; c < channels; c++)
            s->voxels[p * channels + c] = (uint8_t)(60 + in[0] * (70 - 25 * c) + random_below(&state, noise));
        s->before[p] = in[1] ? 255 : 0;
        s->seeds[p] = random_below(&state, dense) ? TILECUT_UNKNOWN : in[0] ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    s->seeds[0] = TILECUT_BACKGROUND, s->seeds[s->count - 1] = TILECUT_FOREGROUND;
    s->volume = (tilecut_volume){.size = sizeof s->volume, .width = s->width, .height = s->height, .depth = s->depth,
                                 .voxels = s->voxels, .channels = channels};
    const double along_z = spacings[random_below(&state, 4)];
    if (s->depth > 1) s->volume.spacing[0] = s->volume.spacing[1] = 1, s->volume.spacing[2] = along_z;
    s->params = tilecut_params_default();
    s->params.lambda = 1 + random_below(&state, 60);
    s->params.colors = random_below(&state, 2) ? "gmm" : "hist";
    s->params.connectivity = depth == 1 || random_below(&state, 3) == 0 ? 26 : 6;
    s->params.spatial = s->params.iterations = TILECUT_NONE;
}

static tilecut_corrected correct(const scene *s, const uint8_t *seeds, int how, uint8_t *mask)
{
    tilecut_corrected done = {0};
    tilecut_report report = {0};
    memcpy(mask, s->before, s->count);
    ck_assert_msg(tilecut_volume_correct(&s->volume, seeds, &s->params, how, mask, &done, &report) == TILECUT_OK, "%s",
                  tilecut_error_detail());
    ck_assert(report.certified && report.flow == report.cut);
    return done;
}

/* Copies the seeds of one class. */
static void only(const scene *s, uint8_t label, uint8_t *seeds)
{
    for (size_t p = 0; p < s->count; p++) seeds[p] = s->seeds[p] == label ? label : TILECUT_UNKNOWN;
}

TEST(strokes_are_nested_and_hold)
{
    static scene s;
    static uint8_t seeds[ROOM], mask[ROOM];
    int64_t changed = 0, more = 0;
    for (uint64_t seed = first_seed(); seed < first_seed() + CASES; seed++) {
        draw(&s, seed, 0);
        for (int label = TILECUT_BACKGROUND; label <= TILECUT_FOREGROUND; label++) {
            const bool adds = label == TILECUT_FOREGROUND;
            int64_t painted = 0;
            only(&s, (uint8_t)label, seeds);
            const tilecut_corrected done = correct(&s, seeds, TILECUT_BY_STROKES, mask);
            ck_assert_msg(adds ? !done.removed : !done.added, "seed %d", (int)seed);
            for (size_t p = 0; p < s.count; p++) {
                ck_assert_msg(adds ? mask[p] >= s.before[p] : mask[p] <= s.before[p], "seed %d", (int)seed);
                ck_assert_msg(!seeds[p] || (mask[p] != 0) == adds, "seed %d: a painted voxel", (int)seed);
                painted += seeds[p] && (s.before[p] != 0) != adds;
            }
            changed += done.added + done.removed;
            more += done.added + done.removed > painted;
        }
    }
    ck_assert_msg(changed > 500 && more > CASES / 4, "%d voxels, %d strokes spread", (int)changed, (int)more);
}

/* Draws a bar with a dark part of 4 x 4 x 4 voxels and a bright part, beside a bright wall, on a background that is
 * darker than both. The mask contains the dark part or, unless `adds`, both. A stroke deep in the bright part adds or
 * removes it. */
static void draw_bar(scene *s, bool adds)
{
    enum { SHORT = 5 };
    *s = (scene){.width = MOST, .height = MOST, .depth = MOST, .count = ROOM, .params = tilecut_params_default()};
    for (int p = 0; p < ROOM; p++) {
        const int x = p % MOST, y = p / MOST % MOST, z = p / MOST / MOST;
        const bool bar = x > 0 && x < MOST - 1 && y >= 5 && y < 9 && z >= 5 && z < 9;
        const bool bright = y > 10 || (bar && x >= SHORT);
        s->voxels[p] = (uint8_t)((bright ? 210 : bar ? 120 : 60) + (7 * x + 5 * y + 11 * z) % 9);
        s->before[p] = bar && (!adds || x < SHORT) ? 255 : 0;
        if (y == 1 || y == 12 || z == 1 || z == 12) s->seeds[p] = TILECUT_BACKGROUND;
        if (y > 5 && y < 8 && z == 6 && x > 0 && x < 4) s->seeds[p] = TILECUT_FOREGROUND;
        if (y > 5 && y < 8 && z == 6 && x > 9 && x < 12)
            s->seeds[p] = adds ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    s->volume = (tilecut_volume){.width = MOST, .height = MOST, .depth = MOST, .voxels = s->voxels};
}

/* Strokes alone change only the painted voxels, because by the colours learnt from the mask the bright part is right.
 * With learning, the stroke gets the whole part. */
TEST(a_stroke_deep_in_a_part_that_the_mask_teaches_wrongly_takes_the_part)
{
    static scene s;
    static uint8_t mask[ROOM], expected[ROOM];
    for (int adds = 0; adds < 2; adds++) {
        draw_bar(&s, adds);
        const tilecut_corrected little = correct(&s, s.seeds, TILECUT_BY_STROKES, mask);
        ck_assert_msg(little.added + little.removed < 8, "by strokes %d", (int)(little.added + little.removed));
        const tilecut_corrected more = correct(&s, s.seeds, TILECUT_BY_LEARNING, mask);
        ck_assert_msg((adds ? more.added : more.removed) == 4 * 4 * 8 && !(adds ? more.removed : more.added),
                      "by learning %d and %d", (int)more.added, (int)more.removed);
        for (int p = 0; p < ROOM; p++) {
            const bool part = p / MOST % MOST < 10 && s.voxels[p] >= 210;
            ck_assert((mask[p] != 0) == (part ? adds : s.before[p] != 0));
        }
        s.params.solver = "bk", s.params.threads = 2;
        correct(&s, s.seeds, TILECUT_BY_LEARNING, expected);
        ck_assert(!memcmp(mask, expected, s.count));
        tilecut_volume_session *session;
        ck_assert_int_eq(tilecut_volume_session_create(&session, &s.volume), TILECUT_OK);
        memcpy(expected, s.before, s.count);
        ck_assert_int_eq(tilecut_volume_session_correct(session, s.seeds, &s.params, TILECUT_BY_LEARNING, expected,
                                                        NULL, NULL), TILECUT_OK);
        tilecut_volume_session_destroy(session);
        ck_assert(!memcmp(mask, expected, s.count));
        s.volume.spacing[0] = s.volume.spacing[1] = s.volume.spacing[2] = 0.25; /* only their ratios count */
        correct(&s, s.seeds, TILECUT_BY_LEARNING, expected);
        ck_assert(!memcmp(mask, expected, s.count));
    }
}

TEST(solvers_and_threads_give_one_mask)
{
    static const char *const solvers[] = {"bk", "cascade", "push"};
    static scene s;
    static uint8_t expected[ROOM], mask[ROOM];
    for (uint64_t seed = first_seed(); seed < first_seed() + CASES / 3; seed++) {
        draw(&s, seed, 0);
        const int how = seed % 2 ? TILECUT_BY_STROKES : TILECUT_BY_LEARNING;
        s.params.solver = "bk";
        correct(&s, s.seeds, how, expected);
        for (int i = 1; i < 3 && s.params.connectivity == 6; i++) {
            s.params.solver = solvers[i], s.params.threads = 2 * i;
            correct(&s, s.seeds, how, mask);
            ck_assert_msg(!memcmp(mask, expected, s.count), "seed %d: %s differs from bk", (int)seed, solvers[i]);
        }
    }
}

/* Adds strokes of both classes one after the other, with solves in between. Each answer equals that of one call. */
TEST(a_session_gives_the_same)
{
    static scene s;
    static uint8_t seeds[ROOM], mask[ROOM], session_mask[ROOM], solved[2][ROOM];
    for (uint64_t seed = first_seed(); seed < first_seed() + CASES / 3; seed++) {
        tilecut_volume_session *session;
        draw(&s, seed, 0);
        s.params.connectivity = 6;
        ck_assert_int_eq(tilecut_volume_session_create(&session, &s.volume), TILECUT_OK);
        ck_assert_int_eq(tilecut_volume_session_solve(session, s.seeds, &s.params, solved[0], NULL), TILECUT_OK);
        memcpy(session_mask, s.before, s.count);
        for (int turn = 0; turn < 4; turn++) {
            tilecut_corrected done = {0};
            tilecut_report report = {0};
            only(&s, turn % 2 ? TILECUT_FOREGROUND : TILECUT_BACKGROUND, seeds);
            const tilecut_corrected alone = correct(&s, seeds, turn / 2, mask);
            ck_assert_int_eq(tilecut_volume_session_correct(session, seeds, &s.params, turn / 2, session_mask, &done,
                                                            &report), TILECUT_OK);
            ck_assert_msg(!memcmp(mask, session_mask, s.count), "seed %d, turn %d", (int)seed, turn);
            ck_assert(report.certified && done.added == alone.added && done.removed == alone.removed);
            memcpy(s.before, mask, s.count);
        }
        tilecut_report again = {0};
        ck_assert_int_eq(tilecut_volume_session_solve(session, s.seeds, &s.params, solved[1], &again), TILECUT_OK);
        ck_assert_msg(again.warm && !memcmp(solved[0], solved[1], s.count), "seed %d: a solve after it", (int)seed);
        tilecut_volume_session_destroy(session);
    }
}

static int take_back(tilecut_volume_session *session, uint8_t *mask)
{
    int undone = 7;
    ck_assert_int_eq(tilecut_volume_session_undo(session, mask, &undone), TILECUT_OK);
    return undone;
}

/* Every earlier mask is restored bit for bit, whatever value the caller uses for foreground. A mask from elsewhere or a
 * solve clears the history; a correction that fails does not. */
TEST(corrections_are_undone)
{
    static scene s;
    static uint8_t seeds[ROOM], mask[ROOM], masks[5][ROOM];
    int64_t moved = 0;
    for (uint64_t seed = first_seed(); seed < first_seed() + CASES / 3; seed++) {
        tilecut_volume_session *session;
        draw(&s, seed, 0);
        s.params.connectivity = 6;
        ck_assert_int_eq(tilecut_volume_session_create(&session, &s.volume), TILECUT_OK);
        ck_assert_int_eq(tilecut_volume_session_undo(session, mask, NULL), TILECUT_EINVAL);
        ck_assert_int_eq(tilecut_volume_session_solve(session, s.seeds, &s.params, mask, NULL), TILECUT_OK);
        memcpy(masks[0], mask, s.count);
        ck_assert_int_eq(take_back(session, mask), 0);
        for (int turn = 1; turn < 5; turn++) {
            if (turn == 2) memcpy(masks[1], s.before, s.count); /* a mask from elsewhere */
            for (size_t p = 0; p < s.count; p++) mask[p] = masks[turn - 1][p] ? 1 : 0;
            for (size_t p = 0; p < s.count; p++)
                seeds[p] = s.seeds[p] && p * 4 / s.count == (size_t)turn - 1 ? s.seeds[p] : TILECUT_UNKNOWN;
            ck_assert_int_eq(tilecut_volume_session_correct(session, seeds, &s.params, 0, mask, NULL, NULL),
                             TILECUT_OK);
            moved += memcmp(mask, masks[turn - 1], s.count) != 0;
            memcpy(masks[turn], mask, s.count);
            memset(seeds, 9, s.count);
            ck_assert_int_ne(tilecut_volume_session_correct(session, seeds, &s.params, 0, mask, NULL, NULL),
                             TILECUT_OK);
            ck_assert(!memcmp(mask, masks[turn], s.count));
        }
        for (int turn = 3; turn >= 1; turn--) {
            ck_assert_int_eq(take_back(session, mask), 1);
            ck_assert_msg(!memcmp(mask, masks[turn], s.count), "seed %d: back to mask %d", (int)seed, turn);
        }
        ck_assert_int_eq(take_back(session, mask), memcmp(masks[1], s.before, s.count) ? 1 : 0);
        ck_assert(!memcmp(mask, masks[1], s.count));
        ck_assert_int_eq(tilecut_volume_session_solve(session, s.seeds, &s.params, mask, NULL), TILECUT_OK);
        ck_assert_int_eq(take_back(session, mask), 0);
        ck_assert(!memcmp(mask, masks[0], s.count));
        tilecut_volume_session_destroy(session);
    }
    ck_assert_int_gt(moved, CASES / 3);
}

TEST(a_slice_is_a_photo)
{
    static scene s;
    static uint8_t mask[ROOM], photo[ROOM];
    for (uint64_t seed = first_seed(); seed < first_seed() + CASES; seed++) {
        draw(&s, seed, 1);
        const tilecut_corrected done = correct(&s, s.seeds, TILECUT_BY_STROKES, mask);
        const tilecut_image image = {.width = s.width, .height = s.height, .channels = s.volume.channels, .depth = 8,
                                     .pixels = s.voxels};
        tilecut_corrected flat = {0};
        tilecut_params params = s.params;
        params.connectivity = 8;
        memcpy(photo, s.before, s.count);
        ck_assert_int_eq(tilecut_correct(&image, s.seeds, &params, TILECUT_BY_STROKES, photo, &flat, NULL), TILECUT_OK);
        ck_assert_msg(!memcmp(mask, photo, s.count), "seed %d: %dx%d", (int)seed, s.width, s.height);
        ck_assert(done.added == flat.added && done.removed == flat.removed);
    }
}

int main(void) { return run_suite((test_suite){.name = "volume_correct"}); }
