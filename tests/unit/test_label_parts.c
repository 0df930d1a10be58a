/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_label_parts.c - several labels of an image or a volume in parts: labels, energy, bound and counts must equal
 * those of one part, and parts that do not fit together are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "label_scene.h"
#include "random_graph.h"
#include "run_suite.h"

static void check(int seed, bool spatial)
{
    label_scene s;
    tilecut_labels_report one = {0};
    char why[400];
    label_scene_draw(&s, (uint64_t)seed, spatial);
    uint8_t *const expected = malloc(s.row * s.rows);
    ck_assert_msg(label_scene_whole(&s, expected, &one) == TILECUT_OK, "case %d: %s", seed, tilecut_error_detail());
    for (int parts = 1; parts <= 5; parts++) {
        const char *const wrong = label_scene_try(&s, parts, expected, &one, why);
        ck_assert_msg(!wrong, "case %d: %s", seed, wrong);
    }
    free(expected);
    label_scene_free(&s);
}

LOOP_TEST(pictures_have_the_same_labels_in_any_number_of_parts, 0, 3)
{
    const int cases = 1 + RANDOM_CASES(1);
    for (int i = 0; i < cases; i++) check(_i * cases + i, false);
}

TEST(volumes_have_the_same_labels_in_any_number_of_parts)
{
    for (int i = 0; i < 1 + RANDOM_CASES(1); i++) check(i, true);
}

/* Checks that a call in some part is refused with this message. */
static void expect(label_scene *s, int parts, const char *sentence)
{
    static piece pieces[MOST_PIECES];
    uint8_t *const labels = malloc(s->row * s->rows);
    bool told = false;
    pieces_cut(pieces, parts, (int)s->rows, s->row, label_scene_piece, s, labels, false);
    for (int i = 0; i < parts; i++) {
        ck_assert_msg(pieces[i].status != TILECUT_OK, "part %d succeeds: %s", i, sentence);
        told |= strstr(pieces[i].detail, sentence) != NULL;
    }
    ck_assert_msg(told, "'%s', not '%s'", pieces[0].detail, sentence);
    ck_assert_int_eq(labels[0], 99);
    free(labels);
}

TEST(what_does_not_fit_is_refused)
{
    label_scene s;
    label_scene_draw(&s, 3, false);
    s.odd = 1;
    expect(&s, 3, "the parameters of part 1 differ from those of part 0");
    s.odd = -1;
    s.keeps_store = true;
    expect(&s, 2, "labels do not lie on disk"); /* an even number of pieces keeps grids in files */
    s.keeps_store = false;
    s.how.background = 4;
    expect(&s, 3, "background is 4, which is no label of the seeds");
    s.how.background = 0;
    memset(s.seeds, 0, s.row * s.rows);
    s.seeds[5] = 9;
    expect(&s, 3, "the seeds hold one label alone");
    label_scene_free(&s);
}

int main(void) { return run_suite((test_suite){.name = "label_parts", .seconds = 1200}); }
