/* SPDX-License-Identifier: MIT
 *
 * test_rest.c - rows that are compressed while no thread reads them are restored exactly, and a cut that compresses
 * idle pixels gives the same result.
 *
 * Threads: run under the thread sanitizer, too. Several compress, read and restore bands at once.
 */
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "row_cache.h"
#include "run_suite.h"
#include "row_pack.h"
#include "tilecut.h"

/* ---- Squeezing -------------------------------------------------------------------------------- */

enum { KINDS = 5, MOST_ROW = 3 * 700, MOST_HEIGHT = 200 };

/* Fills rows: all equal, labels in blobs, a slope, noise of some bits, or noise of all bits. */
static void fill(uint64_t *state, int kind, uint8_t *data, size_t row, int height)
{
    const int bits = random_below(state, 9);
    for (int y = 0; y < height; y++)
        for (size_t x = 0; x < row; x++) {
            uint8_t *const at = data + (size_t)y * row + x;
            if (kind == 0) *at = 77;
            if (kind == 1) *at = (uint8_t)(((int)x / 50 + y / 20) % 3);
            if (kind == 2) *at = (uint8_t)(2 * (int)x + 5 * y + (int)x % 3 * 80);
            if (kind == 3) *at = (uint8_t)(100 + random_below(state, 1 << bits));
            if (kind == 4) *at = (uint8_t)random_below(state, 256);
        }
}

/* Returns the bytes that all rows of a compressed array take. */
static size_t taken(const tc_row_pack *s)
{
    size_t bytes = 0;
    for (int y = 0; y < s->height; y++) {
        const bool apart = y % TC_BAND == 0 || y % TC_BAND == TC_BAND - 1 || y == s->height - 1;
        bytes += apart ? s->row : s->length[y];
    }
    return bytes;
}

static void check_band(const tc_row_pack *s, const uint8_t *wanted, int band, uint8_t *room, uint8_t *rows)
{
    const int first = band * TC_BAND, end = first + TC_BAND < s->height ? first + TC_BAND : s->height;
    const size_t from = (size_t)first * s->row, bytes = (size_t)(end - first) * s->row, last = bytes - s->row;
    /* the first and the last row stay as they are, since neighbouring bands read them */
    ck_assert_mem_eq(s->data + from, wanted + from, s->row);
    ck_assert_mem_eq(s->data + from + last, wanted + from + last, s->row);
    memset(rows, 0xa5, TC_BAND * s->row);
    tc_row_pack_read(s, band, room, rows);
    ck_assert_mem_eq(rows, wanted + from, bytes);
}

TEST(rows_come_back_as_they_were)
{
    uint8_t *const data = malloc(MOST_ROW * MOST_HEIGHT + 64), *const wanted = malloc(MOST_ROW * MOST_HEIGHT + 64);
    uint8_t *const rows = malloc(TC_BAND * MOST_ROW);
    ck_assert(data && wanted && rows);
    for (uint64_t seed = 1; seed <= RANDOM_CASES(400); seed++) {
        uint64_t state = seed;
        const int channels = seed % 2 ? 3 : 1, height = 1 + random_below(&state, MOST_HEIGHT);
        const size_t row = (size_t)channels * (size_t)(1 + random_below(&state, 700)), all = row * (size_t)height;
        tc_row_pack s;
        fill(&state, (int)(seed % KINDS), data, row, height);
        memset(data + all, 0xee, 64); /* fills guard bytes, to see that nothing is written beyond the rows */
        memcpy(wanted, data, all + 64);
        ck_assert(tc_row_pack_init(&s, data, row, height, channels));
        uint8_t *const room = malloc(tc_row_pack_room(&s));
        ck_assert(room);
        for (int band = 0; band < tc_row_pack_bands(&s); band++) tc_row_pack_band(&s, band, room);
        ck_assert_uint_le(taken(&s), all);
        for (int band = tc_row_pack_bands(&s) - 1; band >= 0; band--) check_band(&s, wanted, band, room, rows);
        for (int band = 0; band < tc_row_pack_bands(&s); band++) tc_row_pack_open(&s, band, room);
        ck_assert_msg(memcmp(data, wanted, all + 64) == 0, "seed %llu", (unsigned long long)seed);
        free(room);
        tc_row_pack_free(&s);
    }
    free(data);
    free(wanted);
    free(rows);
}

/* A slope of 5 a row needs 4 bits for each difference of green, and none for red and blue. Two of 64 rows stay
 * uncompressed. */
TEST(what_is_smooth_becomes_small)
{
    enum { WIDTH = 640, HEIGHT = 640, ALL = 3 * WIDTH * HEIGHT };
    uint8_t *const data = malloc(ALL);
    uint64_t state = 1;
    tc_row_pack s;
    ck_assert(data && tc_row_pack_init(&s, data, 3 * WIDTH, HEIGHT, 3));
    uint8_t *const room = malloc(tc_row_pack_room(&s));
    ck_assert(room);
    fill(&state, 2, data, 3 * WIDTH, HEIGHT);
    for (int band = 0; band < tc_row_pack_bands(&s); band++) tc_row_pack_band(&s, band, room);
    ck_assert_uint_lt(taken(&s), ALL / 4);
    free(room);
    free(data);
    tc_row_pack_free(&s);
}

/* ---- Cutting ---------------------------------------------------------------------------------- */

/* The image is just above the least size that is compressed, and no multiple of a tile. */
enum { W = 2085, H = 2070, PIXELS = W * H };

typedef struct scene {
    uint8_t *rgb, *seeds, *kept, *mask, *wanted;
    tilecut_image image;
} scene;

/* Draws a bright noisy square, with strokes in it and around it. */
static void open_scene(scene *s, int channels)
{
    uint64_t state = 5;
    *s = (scene){malloc(3 * PIXELS), calloc(PIXELS, 1), malloc(PIXELS), malloc(PIXELS), malloc(PIXELS), {0}};
    ck_assert(s->rgb && s->seeds && s->kept && s->mask && s->wanted);
    s->image = (tilecut_image){.width = W, .height = H, .channels = channels, .depth = 8, .pixels = s->rgb};
    for (size_t p = 0; p < PIXELS; p++) {
        const int x = (int)(p % W), y = (int)(p / W);
        const bool in = x > 500 && x < 1500 && y > 600 && y < 1600;
        for (int c = 0; c < channels; c++)
            s->rgb[(size_t)channels * p + (size_t)c] = (uint8_t)((in ? 140 : 90) + 10 * c + random_below(&state, 60));
        if (x > 900 && x < 1100 && y > 1000 && y < 1020) s->seeds[p] = TILECUT_FOREGROUND;
        if (x < 40 || y > H - 30) s->seeds[p] = TILECUT_BACKGROUND;
    }
    memcpy(s->kept, s->seeds, PIXELS);
}

static void close_scene(scene *s)
{
    free(s->rgb);
    free(s->seeds);
    free(s->kept);
    free(s->mask);
    free(s->wanted);
}

static bool same(const tilecut_report *a, const tilecut_report *b)
{
    return a->flow == b->flow && a->cut == b->cut && a->foreground == b->foreground && a->energy == b->energy &&
           a->islands == b->islands && a->certified && b->certified;
}

/* Cuts with pixels that may be compressed. `rests` says whether they are, which shows in the contents left behind. */
static void check_sparing(int channels, bool rests, tilecut_params params)
{
    tilecut_report one = {0}, two = {0};
    scene s;
    open_scene(&s, channels);
    uint8_t *const pixels = malloc((size_t)channels * PIXELS);
    ck_assert(pixels);
    memcpy(pixels, s.rgb, (size_t)channels * PIXELS);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, s.wanted, &one), TILECUT_OK);
    ck_assert_mem_eq(s.rgb, pixels, (size_t)channels * PIXELS);
    params.where = TILECUT_HOST_SPARE;
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, s.mask, &two), TILECUT_OK);
    ck_assert(same(&one, &two));
    ck_assert_mem_eq(s.mask, s.wanted, PIXELS);
    ck_assert_mem_eq(s.seeds, s.kept, PIXELS);
    ck_assert_int_eq(memcmp(s.rgb, pixels, (size_t)channels * PIXELS) != 0, rests);
    free(pixels);
    close_scene(&s);
}

/* Under sanitizers such a cut takes minutes, so one case must do. */
TEST(a_sparing_cut_is_the_same)
{
    check_sparing(3, true, (tilecut_params){.threads = 3, .iterations = TILECUT_NONE, .colors = "none"});
    if (RANDOM_CASES(2) < 2) return;
    check_sparing(3, true, (tilecut_params){.threads = 2});
    check_sparing(1, true, (tilecut_params){.threads = 3, .iterations = TILECUT_NONE, .colors = "hist"});
    check_sparing(3, true, (tilecut_params){.iterations = TILECUT_NONE, .connectivity = 8, .colors = "none"});
    /* the image is cut again, so its pixels must stay */
    check_sparing(3, false, (tilecut_params){.iterations = 1, .effort = 1});
}

/* The solver is stopped when all rows are compressed. They must be restored, because the program may continue with
 * another solver. */
TEST(all_comes_back_after_a_failure)
{
    tilecut_flag stop = {0};
    const tilecut_params params = {.iterations = TILECUT_NONE, .colors = "none", .cancel = &stop,
                                .where = TILECUT_HOST_SPARE};
    uint8_t *const before = malloc(3 * PIXELS);
    scene s;
    open_scene(&s, 3);
    ck_assert(before);
    memcpy(before, s.rgb, 3 * PIXELS);
    tilecut_flag_raise(&stop);
    ck_assert_int_eq(tilecut_segment(&s.image, s.seeds, &params, s.mask, NULL), TILECUT_ECANCELLED);
    ck_assert_mem_eq(s.seeds, s.kept, PIXELS);
    ck_assert(memcmp(s.rgb, before, 3 * PIXELS) == 0);
    free(before);
    close_scene(&s);
}

int main(void) { return run_suite((test_suite){.name = "rest", .seconds = 600}); }
