/* SPDX-License-Identifier: MIT
 *
 * test_clean.c - compares tilecut_clean() and tilecut_part_clean() with a brute-force version, in which labels spread
 * until nothing changes.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

#include "random_graph.h"
#include "tilecut_parts.h"

enum { MOST = 14, ROOM = MOST * MOST };

/* A random photo, whose layers are rows, or a random volume. */
typedef struct scene {
    int w, rows, h;
    bool photo, faces;
    uint8_t mask[ROOM], seeds[ROOM];
    int region[ROOM]; /* for each pixel, the first pixel of its region in reading order */
} scene;

static bool neighbours(const scene *s, int p, int q)
{
    const int layer = s->w * s->rows, dx = abs(p % s->w - q % s->w), dz = abs(p / layer - q / layer);
    const int dy = abs(p % layer / s->w - q % layer / s->w);
    return s->mask[p] == s->mask[q] && dx <= 1 && dy <= 1 && dz <= 1 &&
           ((s->mask[p] && !s->faces) || dx + dy + dz <= 1);
}

static void find_regions(scene *s)
{
    const int n = s->w * s->rows * s->h;
    bool changed = true;
    for (int p = 0; p < n; p++) s->region[p] = p;
    while (changed) {
        changed = false;
        for (int p = 0; p < n; p++)
            for (int q = 0; q < n; q++)
                if (neighbours(s, p, q) && s->region[q] < s->region[p]) {
                    s->region[p] = s->region[q];
                    changed = true;
                }
    }
}

static int area_of(const scene *s, int region)
{
    int area = 0;
    for (int p = 0; p < s->w * s->rows * s->h; p++) area += s->region[p] == region;
    return area;
}

/* True if a cleaning step may change the region: it has no seed of its own label and, if it is a hole, does not touch
 * the border. */
static bool may_change(const scene *s, int region)
{
    for (int p = 0; p < s->w * s->rows * s->h; p++) {
        const int at[3] = {p % s->w, p / s->w % s->rows, p / s->w / s->rows}, size[3] = {s->w, s->rows, s->h};
        bool border = false;
        for (int k = 0; k < 3; k++) border = border || (size[k] > 1 && (at[k] == 0 || at[k] == size[k] - 1));
        const int label = s->seeds[p];
        if (s->region[p] != region) continue;
        if (s->mask[p] ? label == TILECUT_FOREGROUND
                       : border || label == TILECUT_BACKGROUND || label == TILECUT_OUTSIDE)
            return false;
    }
    return true;
}

static void change(scene *s, uint8_t color, int64_t most, int spared, tilecut_cleaned *done)
{
    bool condemned[ROOM] = {false};
    const int n = s->w * s->rows * s->h;
    find_regions(s);
    for (int r = 0; r < n; r++) {
        const int area = area_of(s, r);
        if (s->region[r] != r || s->mask[r] != color || r == spared || area > most) continue;
        condemned[r] = may_change(s, r);
        if (!condemned[r]) continue;
        *(color ? &done->regions_dropped : &done->holes_filled) += 1;
        *(color ? &done->pixels_dropped : &done->pixels_filled) += area;
    }
    for (int p = 0; p < n; p++)
        if (condemned[s->region[p]]) s->mask[p] = (uint8_t)(255 - color);
}

static void by_brute_force(const tilecut_cleaning *what, scene *s, tilecut_cleaned *done)
{
    int largest = -1, best = 0;
    *done = (tilecut_cleaned){0};
    find_regions(s);
    for (int r = 0; r < s->w * s->rows * s->h; r++)
        if (s->mask[r] && s->region[r] == r && area_of(s, r) > best) {
            best = area_of(s, r);
            largest = r;
        }
    if (what->keep_largest) change(s, 255, ROOM, largest, done);
    if (what->min_area) change(s, 255, what->min_area - 1, -1, done);
    if (what->fill_holes) change(s, 0, what->fill_holes, -1, done);
    if (what->connected) change(s, 255, ROOM, -1, done);
}

/* Draws photos and volumes of any shape, even single rows and columns, with sparse and dense masks and a few seeds that
 * agree with the mask. */
static void draw(scene *s, tilecut_cleaning *what, uint64_t seed)
{
    uint64_t state = seed;
    const int share = 20 + random_below(&state, 70), sides = random_below(&state, 4);
    s->w = sides == 1 ? 1 : 1 + random_below(&state, MOST);
    s->h = sides == 2 ? 1 : 1 + random_below(&state, MOST);
    s->rows = 1, s->photo = seed % 2 == 0, s->faces = random_below(&state, 2);
    if (!s->photo) {
        s->w = 1 + s->w / 2, s->rows = 1 + random_below(&state, 4), s->h = 1 + s->h / 3;
    }
    for (int p = 0; p < s->w * s->rows * s->h; p++) {
        s->mask[p] = random_below(&state, 100) < share ? 255 : 0;
        s->seeds[p] = TILECUT_UNKNOWN;
        if (random_below(&state, 40) == 0)
            s->seeds[p] = s->mask[p] ? TILECUT_FOREGROUND : p % 2 ? TILECUT_BACKGROUND : TILECUT_OUTSIDE;
    }
    *what = (tilecut_cleaning){.width = s->w, .height = s->photo ? s->h : s->rows, .depth = s->photo ? 0 : s->h,
                      .connectivity = s->photo ? s->faces ? 4 : random_below(&state, 2) * 8 : s->faces ? 0 : 26,
                      .keep_largest = random_below(&state, 2), .connected = random_below(&state, 2),
                      .min_area = random_below(&state, 2) * (1 + random_below(&state, 9)),
                      .fill_holes = random_below(&state, 2) * (1 + random_below(&state, 9))};
}

static bool wanted(const tilecut_cleaning *what)
{
    return what->keep_largest || what->min_area || what->fill_holes || what->connected;
}

TEST(agrees_with_brute_force)
{
    int64_t dropped = 0, filled = 0;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        scene s, expected;
        tilecut_cleaning what;
        tilecut_cleaned done = {0}, right;
        draw(&s, &what, seed);
        expected = s;
        const scene before = s;
        by_brute_force(&what, &expected, &right);
        const int pixels = s.w * s.rows * s.h;
        ck_assert_int_eq(tilecut_clean(&what, s.seeds, s.mask, &done), TILECUT_OK);
        ck_assert_msg(!memcmp(s.mask, expected.mask, (size_t)pixels), "seed %d: %dx%dx%d", (int)seed, s.w, s.rows, s.h);
        ck_assert_msg(!memcmp(&done, &right, sizeof done), "seed %d: counts", (int)seed);
        for (int p = 0; p < pixels; p++)
            ck_assert_msg(!s.seeds[p] || s.mask[p] == before.mask[p], "seed %d: seeded pixel %d", (int)seed, p);
        if (!wanted(&what)) ck_assert_mem_eq(s.mask, before.mask, (size_t)pixels);
        dropped += done.pixels_dropped;
        filled += done.pixels_filled;
    }
    ck_assert(dropped > 1000 && filled > 100); /* checks that the scenes have regions to change */
}

TEST(without_seeds_all_may_change)
{
    scene s, expected;
    tilecut_cleaning what;
    tilecut_cleaned right;
    draw(&s, &what, 8);
    memset(s.seeds, TILECUT_UNKNOWN, sizeof s.seeds);
    expected = s;
    what.min_area = 7, what.fill_holes = 7;
    by_brute_force(&what, &expected, &right);
    ck_assert_int_gt(right.pixels_dropped + right.pixels_filled, 0);
    ck_assert_int_eq(tilecut_clean(&what, NULL, s.mask, NULL), TILECUT_OK);
    ck_assert_mem_eq(s.mask, expected.mask, (size_t)(s.w * s.rows * s.h));
}

/* ---- In parts ---------------------------------------------------------------------------------- */

enum { PARTS = 4, RIM = 99 };

typedef struct piece {
    pthread_t thread;
    const scene *of;
    const tilecut_cleaning *what;
    tilecut_exchange *exchange;
    uint8_t mask[ROOM], seeds[ROOM];
    tilecut_part part;
    int from, count; /* layers of the part and its halo */
    tilecut_cleaned done;
    tilecut_status status;
} piece;

static void *clean_piece(void *context)
{
    piece *const p = context;
    tilecut_cleaning what = *p->what;
    *(what.depth ? &what.depth : &what.height) = p->count;
    p->status = tilecut_part_clean(&p->part, &what, p->seeds, p->mask, &p->done);
    return NULL;
}

static void cut_piece(piece *p, int parts)
{
    const scene *const s = p->of;
    const int layer = s->w * s->rows, above = p->exchange->part > 0, below = p->exchange->part + 1 < parts;
    p->part = (tilecut_part){.height = s->h, .exchange = p->exchange};
    tilecut_part_rows(s->h, parts, p->exchange->part, &p->part.first, &p->part.rows);
    p->from = p->part.first - above, p->count = p->part.rows + above + below;
    memcpy(p->mask, s->mask + p->from * layer, (size_t)(p->count * layer));
    memcpy(p->seeds, s->seeds + p->from * layer, (size_t)(p->count * layer));
    if (above) memset(p->mask, RIM, (size_t)layer);
    if (below) memset(p->mask + (p->count - 1) * layer, RIM, (size_t)layer);
}

static void check_piece(const piece *p, const scene *expected, const tilecut_cleaned *right, int seed)
{
    const int layer = expected->w * expected->rows, above = p->part.first - p->from;
    ck_assert_msg(p->status == TILECUT_OK, "seed %d: %s", seed, tilecut_strerror(p->status));
    ck_assert_msg(!memcmp(p->mask + above * layer, expected->mask + p->part.first * layer,
                          (size_t)(p->part.rows * layer)), "seed %d: part %d", seed, p->exchange->part);
    ck_assert_msg(!memcmp(&p->done, right, sizeof *right), "seed %d: counts of part %d", seed, p->exchange->part);
    for (int i = 0; i < layer * above; i++) ck_assert_int_eq(p->mask[i], RIM);
    for (int i = (above + p->part.rows) * layer; i < p->count * layer; i++) ck_assert_int_eq(p->mask[i], RIM);
}

TEST(parts_together_are_the_whole)
{
    static piece all[PARTS];
    int cut = 0;
    for (int seed = 1; seed <= 240; seed++) {
        scene s, expected;
        tilecut_cleaning what;
        tilecut_cleaned right;
        tilecut_exchange *exchanges;
        const int parts = 1 + seed % PARTS;
        draw(&s, &what, (uint64_t)seed);
        if (s.h < parts) continue;
        expected = s;
        by_brute_force(&what, &expected, &right);
        ck_assert_int_eq(tilecut_exchange_threads(&exchanges, parts), TILECUT_OK);
        for (int i = 0; i < parts; i++) {
            all[i] = (piece){.of = &s, .what = &what, .exchange = &exchanges[i]};
            cut_piece(&all[i], parts);
            ck_assert_int_eq(pthread_create(&all[i].thread, NULL, clean_piece, &all[i]), 0);
        }
        for (int i = 0; i < parts; i++) pthread_join(all[i].thread, NULL);
        for (int i = 0; i < parts; i++) check_piece(&all[i], &expected, &right, seed);
        tilecut_exchange_free(exchanges);
        cut++;
    }
    ck_assert_int_gt(cut, 120);
}

/* One part has other parameters, or an invalid mask. It fails, and no other part waits for it. */
TEST(a_part_that_fails_ends_all)
{
    static piece all[2];
    for (int fault = 0; fault < 2; fault++) {
        const tilecut_cleaning what = {.width = 5, .height = 8, .min_area = 3}, other = {.width = 5, .height = 8};
        const scene s = {.w = 5, .rows = 1, .h = 8};
        tilecut_exchange *exchanges;
        ck_assert_int_eq(tilecut_exchange_threads(&exchanges, 2), TILECUT_OK);
        for (int i = 0; i < 2; i++) {
            all[i] = (piece){.of = &s, .what = i && !fault ? &other : &what, .exchange = &exchanges[i]};
            cut_piece(&all[i], 2);
            if (i && fault) all[i].mask[2 * 5] = 7;
            ck_assert_int_eq(pthread_create(&all[i].thread, NULL, clean_piece, &all[i]), 0);
        }
        for (int i = 0; i < 2; i++) pthread_join(all[i].thread, NULL);
        ck_assert_int_eq(all[1].status, TILECUT_EINVAL);
        ck_assert_int_eq(all[0].status, fault ? TILECUT_ECANCELLED : TILECUT_EINVAL);
        tilecut_exchange_free(exchanges);
    }
}

/* Reads a drawing: '#' foreground, 'F' a foreground seed, 'B' a background seed, '.' background. */
static void read_scene(scene *s, const char *rows, int w, int h)
{
    *s = (scene){.w = w, .rows = 1, .h = h, .photo = true};
    for (int p = 0; p < w * h; p++) {
        s->mask[p] = rows[p] == '#' || rows[p] == 'F' ? 255 : 0;
        s->seeds[p] = rows[p] == 'F' ? TILECUT_FOREGROUND : rows[p] == 'B' ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
}

TEST(what_each_option_means)
{
    static const char rows[] = "###...#."
                               "#.#..#.."
                               "###....."
                               "......##"
                               "F.....#B"
                               "......##";
    static const struct { tilecut_cleaning what; const char *left; } cases[] = {
        /* the seeded pixel stays, the diagonal pair is one region, the seeded hole stays */
        {{.keep_largest = true}, "###.....#.#.....###.............F..............."},
        {{.min_area = 3}, "###.....#.#.....###...........##F.....#.......##"},
        {{.min_area = 2}, "###...#.#.#..#..###...........##F.....#.......##"},
        {{.fill_holes = 1}, "###...#.###..#..###...........##F.....#.......##"},
        {{.connected = true}, "................................F..............."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s;
        tilecut_cleaning what = cases[i].what;
        what.width = 8, what.height = 6;
        read_scene(&s, rows, 8, 6);
        ck_assert_int_eq(tilecut_clean(&what, s.seeds, s.mask, NULL), TILECUT_OK);
        for (int p = 0; p < 48; p++)
            ck_assert_msg(!s.mask[p] == (cases[i].left[p] == '.'), "case %d, pixel %d,%d", (int)i, p % 8, p / 8);
    }
}

int main(void) { return run_suite((test_suite){.name = "clean"}); }
