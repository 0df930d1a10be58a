/* SPDX-License-Identifier: MIT
 *
 * test_nested.c - strokes change a mask only where they lie: compared with the definition on small random masks, and
 * with the box alone for strokes in a box.
 */
#include <stdlib.h>
#include <string.h>

#include "box_scene.h"
#include "nested.h"
#include "random_graph.h"
#include "run_suite.h"
#include "tilecut.h"

/* ---- By definition ---------------------------------------------------------------------------- */

enum { SIDE = 9, CELLS = SIDE * SIDE, ROUNDS = 2000 };

typedef struct small {
    uint8_t before[CELLS], mask[CELLS], seeds[CELLS];
    int connectivity;
} small;

static void draw_small(small *m, uint64_t *state)
{
    m->connectivity = random_below(state, 2) ? 8 : 4;
    const int strokes = random_below(state, 6);
    const bool vanishes = random_below(state, 4) == 0;
    for (int p = 0; p < CELLS; p++) {
        m->before[p] = random_below(state, 2) ? 255 : 0;
        m->mask[p] = random_below(state, vanishes ? 40 : 3) ? m->before[p] : 255 - m->before[p];
        if (vanishes) m->mask[p] = m->mask[p] == m->before[p] ? 0 : 255;
        m->seeds[p] = TILECUT_UNKNOWN;
    }
    for (int i = 0; i < strokes; i++) {
        const int p = random_below(state, CELLS);
        m->seeds[p] = m->mask[p] ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
}

/* Marks changed pixels that are connected to a stroke of their new label. Marks spread until none is added. */
static void mark_asked(const small *m, bool *asked)
{
    bool more = true;
    for (int p = 0; p < CELLS; p++) asked[p] = m->seeds[p] != TILECUT_UNKNOWN && m->mask[p] != m->before[p];
    while (more) {
        more = false;
        for (int p = 0; p < CELLS; p++)
            for (int q = 0; q < CELLS; q++) {
                const int dx = abs(p % SIDE - q % SIDE), dy = abs(p / SIDE - q / SIDE);
                const bool near = dx <= 1 && dy <= 1 && dx + dy <= (m->connectivity == 8 ? 2 : 1);
                if (!near || asked[p] || !asked[q] || m->mask[p] == m->before[p] || m->mask[p] != m->mask[q]) continue;
                asked[p] = more = true;
            }
    }
}

/* True if so many pixels without a stroke were removed that the previous mask must have been wrong as a whole. */
static bool is_wrong_as_a_whole(const small *m, const bool *asked)
{
    int all = 0, lost = 0, doubted = 0;
    for (int p = 0; p < CELLS; p++) {
        all += m->before[p] != 0;
        lost += m->before[p] && !m->mask[p] && !asked[p];
        doubted += m->before[p] && m->seeds[p] == TILECUT_BACKGROUND;
    }
    return doubted && 5 * lost > all;
}

/* True if less than a tenth of the previous mask would be left. */
static bool is_lost(const small *m)
{
    int before = 0, left = 0;
    for (int p = 0; p < CELLS; p++) before += m->before[p] != 0, left += m->mask[p] != 0;
    return 10 * left < before;
}

TEST(what_no_stroke_asks_for_is_as_before)
{
    uint64_t state = 48;
    int lost_ones = 0;
    for (int round = 0; round < ROUNDS; round++) {
        small m;
        uint8_t expected[CELLS];
        bool asked[CELLS];
        draw_small(&m, &state);
        const bool doubted = round % 2;
        mark_asked(&m, asked);
        const bool lost = doubted && is_lost(&m), whole = doubted && !lost && is_wrong_as_a_whole(&m, asked);
        int64_t foreground = 0, right = 0;
        for (int p = 0; p < CELLS; p++) {
            const bool meant = lost && !m.mask[p] ? m.seeds[p] == TILECUT_BACKGROUND : asked[p];
            const bool stays = m.mask[p] == m.before[p] || meant || (whole && !m.mask[p]);
            lost_ones += lost && asked[p] && !meant;
            expected[p] = stays ? m.mask[p] : m.before[p];
            foreground += m.mask[p] != 0;
            right += expected[p] != 0;
        }
        const tc_nested n = {SIDE, SIDE, m.connectivity, NULL, m.seeds, m.before, m.mask, doubted, 0,
                             TC_VANISHES};
        ck_assert_int_eq(tc_nest(&n, &foreground), TILECUT_OK);
        ck_assert_msg(!memcmp(m.mask, expected, CELLS), "seed 48, round %d", round);
        ck_assert_int_eq(foreground, right);
    }
    ck_assert_int_gt(lost_ones, 1000);
}

/* ---- Strokes in a box, at once ----------------------------------------------------------------- */

/* Paints a disc with the correct label anywhere in the box. */
static void paint_disc(scene *s, uint64_t *state, uint8_t label)
{
    const int at_x = s->box.x + random_below(state, s->box.width), at_y = s->box.y + random_below(state, s->box.height);
    for (int p = 0; p < N; p++) {
        const int dx = p % W - at_x, dy = p / W - at_y;
        const bool correct = (s->truth[p] != 0) == (label == TILECUT_FOREGROUND);
        if (dx * dx + dy * dy <= 16 && correct && in_window(&s->box, p % W, p / W)) s->seeds[p] = label;
    }
}

/* The kinds of strokes: on the object, on the background, or both. */
LOOP_TEST(strokes_in_a_box_are_never_worse_than_the_box, 0, RANDOM_LOOPS(RANDOM_TIMES > 1 ? 48 : 12))
{
    static scene s;
    static uint8_t alone[N], mask[N];
    uint64_t state = (uint64_t)_i + 1;
    const int kind = _i % 3;
    if (_i % 2) draw_leak(&s, &state);
    else draw(&s, &state, 8);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, alone, NULL), TILECUT_OK);
    const int strokes = 1 + random_below(&state, 5);
    for (int i = 0; i < strokes; i++)
        paint_disc(&s, &state, (kind == 2 ? i % 2 : kind) ? TILECUT_BACKGROUND : TILECUT_FOREGROUND);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, NULL, mask, NULL), TILECUT_OK);
    int added = 0, taken = 0;
    for (int p = 0; p < N; p++) added += mask[p] && !alone[p], taken += !mask[p] && alone[p];
    ck_assert_msg(count_unequal(mask, s.truth, N) <= count_unequal(alone, s.truth, N) + N / 100,
                  "seed %d: %d wrong, %d before", _i + 1, count_unequal(mask, s.truth, N),
                  count_unequal(alone, s.truth, N));
    if (_i % 2) return; /* in these scenes, the box alone is corrected in another way */
    ck_assert_msg(kind != 0 || !taken, "seed %d: the object's strokes take %d pixels away", _i + 1, taken);
    ck_assert_msg(kind != 1 || !added, "seed %d: strokes of the background add %d pixels", _i + 1, added);
}

/* Background painted beyond a box says what the box says, also where the box alone is cut again with half of so large a
 * lambda. Far from the box it would be beyond the window that is cut; near it, the box would not count as one alone if
 * nothing but the strokes is cut (effort 1). */
LOOP_TEST(background_beyond_a_box_changes_nothing, 0, 6)
{
    static scene s;
    static uint8_t alone[N], mask[N];
    const bool near = _i % 3 == 1;
    uint64_t state = (uint64_t)_i / 3 + 1;
    tilecut_params params = tilecut_params_default();
    draw(&s, &state, 8);
    params.lambda = 6000;
    if (_i % 3) params.effort = 1;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, alone, NULL), TILECUT_OK);
    ck_assert_ptr_nonnull(memchr(alone, 255, N));
    for (int p = 0; p < N; p++)
        if (!in_window(&s.box, p % W, p / W) &&
            (near ? p / W >= s.box.y && p / W < s.box.y + 5 : p % W < 6 && p / W < 6))
            s.seeds[p] = TILECUT_BACKGROUND;
    ck_assert_ptr_nonnull(memchr(s.seeds, TILECUT_BACKGROUND, N));
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    ck_assert_mem_eq(mask, alone, N);
}

/* With so large a lambda, the box without strokes is cut again with half of it. One dot inside that mask must not
 * change anything. */
LOOP_TEST(a_dot_leaves_a_box_that_was_cut_with_less_lambda, 0, 4)
{
    static scene s;
    static uint8_t alone[N], mask[N];
    uint64_t state = (uint64_t)_i + 1;
    tilecut_params params = tilecut_params_default();
    draw(&s, &state, 8);
    params.lambda = 6000;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, alone, NULL), TILECUT_OK);
    const int x = s.tight.x + s.tight.width / 2, y = s.tight.y + s.tight.height / 2;
    for (int k = 0; k < 9; k++) s.seeds[(y + k / 3) * W + x + k % 3] = TILECUT_FOREGROUND;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, NULL), TILECUT_OK);
    int taken = 0, found = 0;
    for (int p = 0; p < N; p++) taken += alone[p] && !mask[p], found += alone[p] != 0;
    ck_assert_msg(!taken && found, "seed %d: %d of %d pixels are taken away", _i + 1, taken, found);
}

int main(void) { return run_suite((test_suite){.name = "nested", .seconds = 300}); }
