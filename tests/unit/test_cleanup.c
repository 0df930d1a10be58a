/* SPDX-License-Identifier: MIT
 *
 * test_cleanup.c - the clean-up of masks against a brute-force one, in which labels spread until nothing changes.
 */
#include "cleanup.h"

#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

#include "random_graph.h"
#include "tilecut.h"

enum { MOST = 14, ROOM = MOST * MOST };

/* Drawn as photos, whose layers are rows, and as volumes. */
typedef struct scene {
    int w, rows, h;
    bool faces;
    uint8_t mask[ROOM], seeds[ROOM];
    int region[ROOM]; /* of each pixel: the first pixel of its region, in reading order */
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

/* Whether a step may change the region: it has no seed of its own label and, if it is a hole, does not touch the
 * border. */
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

static void change(scene *s, uint8_t color, int least, int most, int spared, cleaned *done)
{
    bool condemned[ROOM] = {false};
    const int n = s->w * s->rows * s->h;
    find_regions(s);
    for (int r = 0; r < n; r++) {
        const int area = area_of(s, r);
        if (s->region[r] != r || s->mask[r] != color || r == spared || area < least || area > most) continue;
        condemned[r] = may_change(s, r);
        if (!condemned[r]) continue;
        *(color ? &done->regions_dropped : &done->holes_filled) += 1;
        *(color ? &done->pixels_dropped : &done->pixels_filled) += area;
    }
    for (int p = 0; p < n; p++)
        if (condemned[s->region[p]]) s->mask[p] = (uint8_t)(255 - color);
}

static void by_brute_force(const cleanup *what, scene *s, cleaned *done)
{
    int largest = -1, best = 0;
    *done = (cleaned){0};
    find_regions(s);
    for (int r = 0; r < s->w * s->rows * s->h; r++)
        if (s->mask[r] && s->region[r] == r && area_of(s, r) > best) {
            best = area_of(s, r);
            largest = r;
        }
    if (what->keep_largest) change(s, 255, 1, ROOM, largest, done);
    if (what->min_area) change(s, 255, 1, what->min_area - 1, -1, done);
    if (what->fill_holes) change(s, 0, 1, what->fill_holes, -1, done);
    if (what->connected) change(s, 255, 1, ROOM, -1, done);
}

/* Any shape, photos and volumes, single rows and columns among them; sparse and dense masks; few seeds, each where its
 * label is. */
static void draw(scene *s, cleanup *what, uint64_t seed)
{
    uint64_t state = seed;
    const int share = 20 + random_below(&state, 70), sides = random_below(&state, 4);
    s->w = sides == 1 ? 1 : 1 + random_below(&state, MOST);
    s->h = sides == 2 ? 1 : 1 + random_below(&state, MOST);
    s->rows = 1, s->faces = false;
    if (seed % 2) {
        s->w = 1 + s->w / 2, s->rows = 1 + random_below(&state, 4), s->h = 1 + s->h / 3;
        s->faces = random_below(&state, 2);
    }
    for (int p = 0; p < s->w * s->rows * s->h; p++) {
        s->mask[p] = random_below(&state, 100) < share ? 255 : 0;
        s->seeds[p] = TILECUT_UNKNOWN;
        if (random_below(&state, 40) == 0)
            s->seeds[p] = s->mask[p] ? TILECUT_FOREGROUND : p % 2 ? TILECUT_BACKGROUND : TILECUT_OUTSIDE;
    }
    *what = (cleanup){.keep_largest = random_below(&state, 2), .connected = random_below(&state, 2),
                      .min_area = random_below(&state, 2) * (1 + random_below(&state, 9)),
                      .fill_holes = random_below(&state, 2) * (1 + random_below(&state, 9))};
}

TEST(agrees_with_brute_force)
{
    int64_t dropped = 0, filled = 0;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        scene s, expected;
        cleanup what;
        cleaned done, wanted;
        draw(&s, &what, seed);
        expected = s;
        const scene before = s;
        by_brute_force(&what, &expected, &wanted);
        const int pixels = s.w * s.rows * s.h;
        const cleanup_lattice size = {s.w, s.rows, s.h, s.faces};
        ck_assert(cleanup_mask(&what, s.seeds, &size, s.mask, &done));
        ck_assert_msg(!memcmp(s.mask, expected.mask, (size_t)pixels), "seed %d: %dx%dx%d", (int)seed, s.w, s.rows, s.h);
        ck_assert_msg(!memcmp(&done, &wanted, sizeof done), "seed %d: counts", (int)seed);
        for (int p = 0; p < pixels; p++)
            ck_assert_msg(!s.seeds[p] || s.mask[p] == before.mask[p], "seed %d: seeded pixel %d", (int)seed, p);
        if (!cleanup_wanted(&what)) ck_assert_mem_eq(s.mask, before.mask, (size_t)pixels);
        dropped += done.pixels_dropped;
        filled += done.pixels_filled;
    }
    ck_assert(dropped > 1000 && filled > 100); /* the scenes are not idle */
}

/* Drawn: '#' foreground, 'F' a foreground seed, 'B' a background seed, '.' background. */
static void read_scene(scene *s, const char *rows, int w, int h)
{
    *s = (scene){.w = w, .rows = 1, .h = h};
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
    static const struct { cleanup what; const char *left; } cases[] = {
        /* the seeded pixel stays, the diagonal pair is one region, the seeded hole stays */
        {{.keep_largest = true}, "###.....#.#.....###.............F..............."},
        {{.min_area = 3}, "###.....#.#.....###...........##F.....#.......##"},
        {{.min_area = 2}, "###...#.#.#..#..###...........##F.....#.......##"},
        {{.fill_holes = 1}, "###...#.###..#..###...........##F.....#.......##"},
        {{.connected = true}, "................................F..............."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s;
        cleaned done;
        read_scene(&s, rows, 8, 6);
        ck_assert(cleanup_mask(&cases[i].what, s.seeds, &(cleanup_lattice){s.w, 1, s.h, false}, s.mask, &done));
        for (int p = 0; p < 48; p++)
            ck_assert_msg(!s.mask[p] == (cases[i].left[p] == '.'), "case %d, pixel %d,%d", (int)i, p % 8, p / 8);
    }
}

int main(void) { return run_suite((test_suite){.name = "cleanup"}); }
