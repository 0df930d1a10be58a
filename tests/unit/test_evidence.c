/* SPDX-License-Identifier: MIT
 *
 * test_evidence.c - how strokes change a mask. In a box they leave a good guess unchanged. Without a box they do not
 * flood areas of which they show nothing.
 */
#include <stdbool.h>
#include <string.h>

#include "islands.h"
#include "random_graph.h"
#include "run_suite.h"
#include "segment.h"
#include "tilecut.h"

enum { W = 96, H = 72, N = W * H };

typedef struct scene {
    uint8_t pixels[3 * N], seeds[N], truth[N];
    tilecut_image image;
} scene;

static bool inside(int p, int x, int y, int radius)
{
    const int dx = p % W - x, dy = p / W - y;
    return dx * dx + dy * dy <= radius * radius;
}

static void paint(scene *s, int p, const int color[3], uint64_t *noise)
{
    for (int c = 0; c < 3; c++) s->pixels[3 * p + c] = (uint8_t)(color[c] + random_below(noise, 24));
}

static void blank(scene *s)
{
    memset(s, 0, sizeof *s);
    s->image = (tilecut_image){.width = W, .height = H, .channels = 3, .depth = 8, .pixels = s->pixels};
}

/* Draws a red disc and a smaller one far from it, on grass on the left and water on the right. */
static void scene_init(scene *s)
{
    static const int red[3] = {190, 50, 40}, grass[3] = {60, 150, 50}, water[3] = {50, 90, 190};
    uint64_t noise = 5;
    blank(s);
    for (int p = 0; p < N; p++) {
        s->truth[p] = inside(p, 44, 36, 15) ? 255 : 0;
        paint(s, p, s->truth[p] || inside(p, 84, 60, 6) ? red : p % W < 50 ? grass : water, &noise);
    }
}

static void dot(scene *s, int x, int y, int radius, uint8_t label)
{
    for (int p = 0; p < N; p++)
        if (inside(p, x, y, radius)) s->seeds[p] = label;
}

static void box(scene *s, int x0, int y0, int x1, int y1)
{
    for (int p = 0; p < N; p++)
        if (p % W < x0 || p % W >= x1 || p / W < y0 || p / W >= y1) s->seeds[p] = TILECUT_OUTSIDE;
}

static int cut(const scene *s, uint8_t *mask)
{
    tilecut_report report = {0};
    ck_assert_int_eq(tilecut_segment(&s->image, s->seeds, NULL, mask, &report), TILECUT_OK);
    int foreground = 0;
    for (int p = 0; p < N; p++) {
        foreground += mask[p] == 255;
        if (s->seeds[p] == TILECUT_FOREGROUND) ck_assert_int_eq(mask[p], 255);
        if (s->seeds[p] == TILECUT_BACKGROUND || s->seeds[p] == TILECUT_OUTSIDE) ck_assert_int_eq(mask[p], 0);
    }
    ck_assert_int_eq(report.foreground, foreground);
    return count_unequal(mask, s->truth, N);
}

LOOP_TEST(a_correct_dot_in_a_box_leaves_the_mask, 0, RANDOM_LOOPS(8))
{
    static scene s;
    static uint8_t before[N], mask[N];
    scene_init(&s);
    box(&s, 25, 17, 64, 56);
    const int without = cut(&s, before);
    ck_assert_int_le(without, N / 100);
    if (_i % 2 == 0) dot(&s, 44, 36, 1 + _i / 2, TILECUT_FOREGROUND);
    else dot(&s, 28, 20, 1 + _i / 2, TILECUT_BACKGROUND);
    ck_assert_int_le(cut(&s, mask), without + N / 500);
}

/* The object has two colours. One of them is also the colour of most of the background, but only far from the
 * object. */
TEST(a_box_learns_from_the_background_near_it)
{
    enum { WIDE = 5 * W };
    static uint8_t pixels[3 * WIDE * H], seeds[WIDE * H], mask[WIDE * H];
    static scene s;
    static const int red[3] = {190, 50, 40}, yellow[3] = {220, 200, 60};
    const tilecut_image image = {.width = WIDE, .height = H, .channels = 3, .depth = 8, .pixels = pixels};
    uint64_t noise = 9;
    int wrong = 0;
    scene_init(&s);
    for (int p = 0; p < N; p++)
        if (s.truth[p] && p / W > 36) paint(&s, p, yellow, &noise);
    for (int p = 0; p < WIDE * H; p++) {
        const int x = p % WIDE, y = p / WIDE;
        if (x < 75) memcpy(pixels + 3 * p, s.pixels + 3 * (y * W + x), 3);
        else for (int c = 0; c < 3; c++) pixels[3 * p + c] = (uint8_t)(red[c] + random_below(&noise, 24));
        seeds[p] = x >= 26 && x < 62 && y >= 19 && y < 54 ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
    }
    ck_assert_int_eq(tilecut_segment(&image, seeds, NULL, mask, NULL), TILECUT_OK);
    for (int p = 0; p < WIDE * H; p++) wrong += mask[p] != (p % WIDE < W ? s.truth[p / WIDE * W + p % WIDE] : 0);
    ck_assert_int_le(wrong, N / 200);
}

/* A graph keeps the capacities of which the mask is a minimum cut, both inside and outside of the box. */
LOOP_TEST(a_graph_with_a_box_comes_to_the_same, 0, 4)
{
    static scene s;
    static uint8_t mask[N], again[N];
    tilecut_params params = {.connectivity = _i % 2 ? 8 : 4};
    tilecut_report result = {0}, of_graph = {0}, solved = {0};
    tilecut_graph *graph = NULL;
    scene_init(&s);
    box(&s, 26, 19, 62, 54);
    if (_i >= 2) dot(&s, 44, 36, 3, TILECUT_FOREGROUND);
    if (_i >= 2) dot(&s, 30, 23, 2, TILECUT_BACKGROUND);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, mask, &result), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_from_image(&graph, &s.image, s.seeds, &params), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_segment(graph, &params, again, &of_graph), TILECUT_OK);
    ck_assert_mem_eq(again, mask, N);
    ck_assert_int_eq(of_graph.flow, result.flow);
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, again, &solved), TILECUT_OK);
    ck_assert_mem_eq(again, mask, N);
    ck_assert_int_eq(solved.flow, result.flow);
    tilecut_graph_destroy(graph);
}

/* Draws a blue disc in the middle of a box, which is not the object, and a red disc in its corner, which is. */
static void draw_decoy(scene *s)
{
    static const int red[3] = {190, 50, 40}, blue[3] = {40, 60, 200}, grass[3] = {60, 150, 50};
    uint64_t noise = 3;
    blank(s);
    for (int p = 0; p < N; p++) {
        s->truth[p] = inside(p, 26, 20, 9) ? 255 : 0;
        paint(s, p, s->truth[p] ? red : inside(p, 50, 38, 16) ? blue : grass, &noise);
    }
    box(s, 16, 10, 84, 66);
}

TEST(a_guess_is_where_learning_begins)
{
    enum { SMALL_W = W / 2, SMALL_H = H / 2 }; /* size of the smaller copy */
    static scene s;
    static uint8_t mask[N], guess[SMALL_W * SMALL_H];
    tilecut_report result = {0};
    tc_setup setup;
    draw_decoy(&s);
    ck_assert_int_gt(cut(&s, mask), N / 10);
    for (int p = 0; p < SMALL_W * SMALL_H; p++) guess[p] = s.truth[2 * (p / SMALL_W) * W + 2 * (p % SMALL_W)];
    ck_assert_int_eq(tc_setup_resolve(&setup, NULL), TILECUT_OK);
    setup.guess = guess;
    setup.guess_width = SMALL_W;
    setup.guess_height = SMALL_H;
    ck_assert_int_eq(tc_segment(&(tc_source){.image = &s.image, .seeds = s.seeds}, &setup, mask, &result), TILECUT_OK);
    ck_assert_int_le(count_unequal(mask, s.truth, N), N / 100);
}

TEST(strokes_overrule_what_a_box_makes_believe)
{
    static scene s;
    static uint8_t mask[N];
    draw_decoy(&s);
    dot(&s, 26, 20, 5, TILECUT_FOREGROUND);
    dot(&s, 50, 38, 5, TILECUT_BACKGROUND);
    ck_assert_int_le(cut(&s, mask), N / 100);
}

/* Draws a red saucer with a white cup on wood, and white walls on both sides. */
static void draw_cup(scene *s)
{
    static const int red[3] = {170, 40, 30}, white[3] = {225, 220, 210}, brown[3] = {80, 55, 40};
    uint64_t noise = 9;
    blank(s);
    for (int p = 0; p < N; p++) {
        const bool cup = inside(p, 48, 26, 14);
        s->truth[p] = inside(p, 48, 38, 24) || cup ? 255 : 0;
        paint(s, p, cup ? white : s->truth[p] ? red : p % W < 18 || p % W > 77 ? white : brown, &noise);
    }
    box(s, 20, 9, 76, 66);
}

TEST(strokes_beside_what_a_box_has_only_add)
{
    static scene s;
    static uint8_t mask[N], of_box[N];
    draw_cup(&s);
    const int without = cut(&s, of_box);
    for (int x = 40; x < 56; x++) s.seeds[20 * W + x] = s.seeds[21 * W + x] = TILECUT_FOREGROUND;
    const int with = cut(&s, mask);
    ck_assert_int_gt(without, N / 20); /* without the stroke, the white cup is missing */
    ck_assert_int_le(with, N / 100);
    for (int p = 0; p < N; p++) ck_assert_int_ge(mask[p], of_box[p]);
}

TEST(a_stroke_in_a_box_mends_what_it_touches)
{
    static scene s;
    static uint8_t mask[N];
    scene_init(&s);
    /* The object has a second colour that also occurs outside of the box, so the box alone cannot find it. */
    for (int p = 0; p < N; p++)
        if (inside(p, 44, 36, 15) && p / W > 36) memcpy(s.pixels + 3 * p, s.pixels + 3 * (p % W < 50 ? 1 : 70), 3);
    box(&s, 25, 17, 64, 56);
    const int without = cut(&s, mask);
    for (int y = 26; y < 49; y++) s.seeds[y * W + 40] = s.seeds[y * W + 41] = TILECUT_FOREGROUND;
    ck_assert_int_le(cut(&s, mask), without);
}

/* True if the region of `differs` around pixel `first` contains a stroke. *size is the number of its pixels. */
static bool holds_a_stroke(const scene *s, uint8_t *differs, int first, int *size)
{
    bool more = true, found = false;
    differs[first] = 2;
    while (more) {
        more = false;
        for (int p = 0; p < N; p++) {
            if (differs[p] != 1) continue;
            const bool near = (p % W > 0 && differs[p - 1] == 2) || (p % W < W - 1 && differs[p + 1] == 2) ||
                              (p >= W && differs[p - W] == 2) || (p < N - W && differs[p + W] == 2);
            if (near) differs[p] = 2, more = true;
        }
    }
    *size = 0;
    for (int p = 0; p < N; p++) {
        if (differs[p] != 2) continue;
        found |= s->seeds[p] != TILECUT_UNKNOWN;
        differs[p] = 3;
        ++*size;
    }
    return found;
}

/* Regions without a stroke do not change, or they change so much that they are a fifth of the box's mask or more. */
LOOP_TEST(strokes_in_a_box_change_what_they_touch_or_much, 0, 4 + RANDOM_CASES(36))
{
    static scene s;
    static uint8_t before[N], mask[N], differs[N];
    uint64_t state = 100 + (uint64_t)_i;
    int not_asked = 0, of_box = 0;
    scene_init(&s);
    for (int i = 0; i < 4; i++) { /* paints spots in colours of the object and of the background */
        const int x = random_below(&state, W), y = random_below(&state, H), from = random_below(&state, N);
        for (int p = 0; p < N; p++)
            if (inside(p, x, y, 6)) memcpy(s.pixels + 3 * p, s.pixels + 3 * from, 3);
    }
    box(&s, 20, 12, 70, 62);
    cut(&s, before);
    for (int i = 0; i < 3; i++)
        dot(&s, 22 + random_below(&state, 46), 14 + random_below(&state, 46), 1 + random_below(&state, 4),
            random_below(&state, 2) ? TILECUT_FOREGROUND : TILECUT_BACKGROUND);
    cut(&s, mask);
    for (int p = 0; p < N; p++) differs[p] = before[p] != mask[p], of_box += before[p] != 0;
    for (int p = 0, size; p < N; p++)
        if (differs[p] == 1 && !holds_a_stroke(&s, differs, p, &size)) not_asked += size;
    ck_assert_msg(not_asked == 0 || 5 * not_asked > of_box, "%d of %d", not_asked, of_box);
}

/* One dot on the object, with the image border as background, finds this object and not the other one of the same
 * colour. */
LOOP_TEST(a_click_finds_the_object_under_it, 0, RANDOM_LOOPS(5))
{
    static scene s;
    static uint8_t mask[N];
    scene_init(&s);
    box(&s, 1, 1, W - 1, H - 1);
    dot(&s, 40 + _i, 34 + _i, 2, TILECUT_FOREGROUND);
    ck_assert_int_le(cut(&s, mask), N / 50);
    ck_assert_int_eq(mask[60 * W + 84], 0);
}

TEST(strokes_on_one_side_do_not_flood_the_other)
{
    static scene s;
    static uint8_t mask[N];
    scene_init(&s);
    dot(&s, 44, 36, 6, TILECUT_FOREGROUND);
    /* paints background strokes only on the grass */
    for (int y = 20; y < 50; y++) s.seeds[y * W + 10] = s.seeds[y * W + 11] = TILECUT_BACKGROUND;
    ck_assert_int_le(cut(&s, mask), N / 50);
}

TEST(what_hangs_together_with_no_stroke_is_left_out)
{
    static scene s;
    static uint8_t mask[N];
    scene_init(&s);
    dot(&s, 44, 36, 6, TILECUT_FOREGROUND);
    dot(&s, 10, 36, 4, TILECUT_BACKGROUND);
    dot(&s, 80, 10, 4, TILECUT_BACKGROUND);
    cut(&s, mask);
    ck_assert_int_eq(mask[60 * W + 84], 0);
    dot(&s, 84, 60, 2, TILECUT_FOREGROUND);
    cut(&s, mask);
    ck_assert_int_eq(mask[60 * W + 84], 255);
}

TEST(islands_are_regions_of_4_or_8_neighbours)
{
    static const uint8_t before[12] = {255, 0, 0, 255, 0, 255, 0, 0, 0, 0, 255, 0};
    static const uint8_t with_8[12] = {255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0};
    uint8_t mask[12], seeds[12] = {TILECUT_FOREGROUND};
    int64_t foreground = 0;
    memcpy(mask, before, 12);
    ck_assert_int_eq(tc_drop_islands(NULL, seeds, tc_islands_of(mask, 4, 3, 1, 8), &foreground), TILECUT_OK);
    ck_assert_mem_eq(mask, with_8, 12);
    ck_assert_int_eq(foreground, 3);
    ck_assert_int_eq(tc_drop_islands(NULL, seeds, tc_islands_of(mask, 4, 3, 1, 4), &foreground), TILECUT_OK);
    ck_assert_int_eq(foreground, 1);
    seeds[0] = TILECUT_UNKNOWN; /* without a foreground stroke, no island is dropped */
    memcpy(mask, before, 12);
    ck_assert_int_eq(tc_drop_islands(NULL, seeds, tc_islands_of(mask, 4, 3, 1, 4), &foreground), TILECUT_OK);
    ck_assert_mem_eq(mask, before, 12);
}

/* True if (x, y, z) is the step to a neighbour. */
static bool is_step(int x, int y, int z, int connectivity)
{
    const int axes = (x != 0) + (y != 0) + (z != 0);
    if (!axes || (z && connectivity < 10 && connectivity != 6)) return false;
    return axes == 1 || connectivity == 8 || connectivity == 26;
}

/* Spreads the value 1 from the seeds over pixels of value 255, one by one, until nothing changes. */
static void spread_plainly(uint8_t *mask, const uint8_t *seeds, const int size[3], int connectivity)
{
    const int pixels = size[0] * size[1] * size[2];
    bool more = false;
    for (int p = 0; p < pixels; p++)
        if (seeds[p] == TILECUT_FOREGROUND && mask[p]) mask[p] = 1;
    do {
        more = false;
        for (int p = 0; p < pixels; p++)
            for (int d = 0; d < 27 && mask[p] == 255; d++) {
                const int dx = d % 3 - 1, dy = d / 3 % 3 - 1, dz = d / 9 - 1;
                const int x = p % size[0] + dx, y = p / size[0] % size[1] + dy, z = p / size[0] / size[1] + dz;
                if (x < 0 || x >= size[0] || y < 0 || y >= size[1] || z < 0 || z >= size[2]) continue;
                if (is_step(dx, dy, dz, connectivity) && mask[(z * size[1] + y) * size[0] + x] == 1)
                    mask[p] = 1, more = true;
            }
    } while (more);
    for (int p = 0; p < pixels; p++) mask[p] = mask[p] == 1 ? 255 : 0;
}

LOOP_TEST(islands_are_what_a_plain_flood_does_not_reach, 0, 200 + RANDOM_CASES(300))
{
    enum { MOST = 90 * 60 };
    static const int neighbours[4] = {4, 8, 6, 26};
    uint8_t mask[MOST], plain[MOST], seeds[MOST];
    uint64_t state = 9000 + (uint64_t)_i;
    const int connectivity = neighbours[_i % 4], depth = _i % 4 < 2 ? 1 : 1 + random_below(&state, 8);
    const int size[3] = {1 + random_below(&state, 90), 1 + random_below(&state, 60 / depth), depth};
    const int pixels = size[0] * size[1] * size[2], some = 20 + random_below(&state, 60);
    int64_t foreground = 0, left = 0;
    memset(seeds, TILECUT_UNKNOWN, sizeof seeds);
    for (int p = 0; p < pixels; p++) mask[p] = random_below(&state, 100) < some ? 255 : 0;
    for (int i = 0; i < 1 + _i % 3; i++) seeds[random_below(&state, pixels)] = TILECUT_FOREGROUND;
    memcpy(plain, mask, sizeof mask);
    spread_plainly(plain, seeds, size, connectivity);
    ck_assert_int_eq(tc_drop_islands(NULL, seeds, tc_islands_of(mask, size[0], size[1], depth, connectivity),
                                     &foreground), TILECUT_OK);
    for (int p = 0; p < pixels; p++) left += plain[p] != 0;
    ck_assert_msg(!memcmp(mask, plain, (size_t)pixels) && foreground == left, "case %d: %dx%dx%d, %d neighbours",
                  _i, size[0], size[1], depth, connectivity);
}

int main(void) { return run_suite((test_suite){.name = "evidence"}); }
