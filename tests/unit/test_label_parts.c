/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_label_parts.c - several labels of an image or a volume in parts: labels, energy, bound and counts must be those
 * of one part; what does not fit is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "part_pieces.h"
#include "random_graph.h"
#include "run_suite.h"

/* An image, or with depth a volume. */
typedef struct scene {
    tilecut_image image;
    tilecut_volume volume;
    bool spatial;
    size_t row, rows; /* bytes of a row of pixels, or of a slice */
    uint8_t *pixels, *seeds;
    int labels;
    tilecut_params params;
    tilecut_labels_params how;
    int odd; /* the part that asks for another bound; -1: none */
    bool keeps_store;
} scene;

static tilecut_labels_report found[MOST_PIECES];

/* Cells around some points, with noise: some have a small seed in the middle, and those of one label are alike. */
static void draw(scene *s, uint64_t seed, bool spatial)
{
    uint64_t state = seed;
    const int labels = 2 + (int)(seed % 5), cells = labels + random_below(&state, 6);
    const int noise = 20 + random_below(&state, 90);
    const int w = 20 + random_below(&state, spatial ? 10 : 60), h = 8 + random_below(&state, spatial ? 10 : 90);
    const int depth = spatial ? 5 + random_below(&state, 8) : 1, channels = spatial || seed % 2 ? 1 : 3;
    const size_t n = (size_t)w * (size_t)h * (size_t)depth;
    int at[12][3];
    *s = (scene){.spatial = spatial, .labels = labels, .odd = -1, .row = (size_t)w * (size_t)(spatial ? h : 1),
                 .rows = (size_t)(spatial ? depth : h), .pixels = malloc(n * (size_t)channels), .seeds = calloc(n, 1)};
    for (int c = 0; c < cells; c++)
        at[c][0] = random_below(&state, w), at[c][1] = random_below(&state, h), at[c][2] = random_below(&state, depth);
    for (size_t p = 0; p < n; p++) {
        const int x = (int)(p % (size_t)w), y = (int)(p / (size_t)w % (size_t)h), z = (int)(p / (size_t)w / (size_t)h);
        int cell = 0, least = INT32_MAX;
        for (int c = 0; c < cells; c++) {
            const int dx = x - at[c][0], dy = y - at[c][1], dz = z - at[c][2], far = dx * dx + dy * dy + dz * dz;
            if (far < least) least = far, cell = c;
        }
        for (int c = 0; c < channels; c++)
            s->pixels[p * (size_t)channels + (size_t)c] =
                (uint8_t)(20 + cell % labels * (17 + 9 * c) % 120 + random_below(&state, noise));
        if (least < 6 && (cell < labels || random_below(&state, 2))) s->seeds[p] = (uint8_t)(3 + 7 * (cell % labels));
    }
    for (int c = 0; c < labels; c++) /* each label has a seed, whatever lies in one point */
        s->seeds[((size_t)at[c][2] * (size_t)h + (size_t)at[c][1]) * (size_t)w + (size_t)((at[c][0] + c) % w)] =
            (uint8_t)(3 + 7 * c);
    s->image = (tilecut_image){.width = w, .height = h, .channels = channels, .depth = 8, .pixels = s->pixels};
    s->volume = (tilecut_volume){.width = w, .height = h, .depth = depth, .spacing = {1, 1, 2}, .voxels = s->pixels};
    s->params = (tilecut_params){.connectivity = spatial ? (seed % 4 ? 6 : 26) : seed / 2 % 2 ? 8 : 4,
                                 .lambda = seed % 3 ? 0 : 9, .islands = seed % 7 == 1,
                                 .spatial = seed % 3 == 1 ? TILECUT_NONE : 0, .threads = 1 + (int)(seed % 2)};
    s->how = (tilecut_labels_params){.bound_rounds = seed % 4 == 3 ? TILECUT_NONE : seed % 4 == 2 ? 3 : 0};
}

static void label_piece(piece *p)
{
    const scene *const s = p->of;
    const size_t above = (size_t)(p->part.first - p->from) * p->row, end = above + (size_t)p->part.rows * p->row;
    uint8_t *const seeds = piece_rows(p, s->seeds, p->row);
    tilecut_image image = s->image;
    tilecut_volume volume = s->volume;
    tilecut_labels_params how = s->how;
    void *const pixels = piece_rows(p, s->pixels, p->row * (size_t)(s->spatial ? 1 : image.channels));
    memset(seeds, 77, above); /* seeds in the rim do not matter */
    memset(seeds + end, 77, (size_t)p->rows * p->row - end);
    image.pixels = pixels, volume.voxels = pixels, image.height = p->rows, volume.depth = p->rows;
    if (!s->keeps_store) p->part.store = 0;
    if (p->number == s->odd) how.bound_rounds = 7;
    found[p->number] = (tilecut_labels_report){0};
    p->status = s->spatial ? tilecut_part_volume_labels(&p->part, &volume, seeds, &s->params, &how, p->mask,
                                                        &found[p->number])
                           : tilecut_part_labels(&p->part, &image, seeds, &s->params, &how, p->mask, &found[p->number]);
    free(pixels);
    free(seeds);
}

static tilecut_status label_whole(const scene *s, uint8_t *labels, tilecut_labels_report *report)
{
    return s->spatial ? tilecut_volume_labels(&s->volume, s->seeds, &s->params, &s->how, labels, report)
                      : tilecut_labels(&s->image, s->seeds, &s->params, &s->how, labels, report);
}

static void check_reports(const tilecut_labels_report *part, const tilecut_labels_report *one, int parts, int seed)
{
    ck_assert_msg(part->labels == one->labels && part->certified && part->certain == one->certain,
                  "case %d in %d parts: %d labels, certain %d for %d", seed, parts, part->labels, (int)part->certain,
                  (int)one->certain);
    ck_assert_msg(part->energy == one->energy && part->bound == one->bound && part->gap == one->gap,
                  "case %d in %d parts: energy %g for %g, bound %g for %g", seed, parts, part->energy, one->energy,
                  part->bound, one->bound);
    ck_assert_msg(part->cuts == one->cuts && part->moves == one->moves, "case %d in %d parts: cuts %d for %d, moves %d "
                  "for %d", seed, parts, (int)part->cuts, (int)one->cuts, (int)part->moves, (int)one->moves);
    ck_assert(part->lambda == one->lambda && part->beta == one->beta && part->quantum == one->quantum);
    ck_assert_mem_eq(part->pixels, one->pixels, sizeof one->pixels);
}

static void check(int seed, bool spatial)
{
    static piece pieces[MOST_PIECES];
    scene s;
    tilecut_labels_report one = {0};
    draw(&s, (uint64_t)seed, spatial);
    const size_t n = s.row * s.rows;
    uint8_t *const expected = malloc(n), *const labels = malloc(n);
    ck_assert_msg(label_whole(&s, expected, &one) == TILECUT_OK, "case %d: %s", seed, tilecut_error_detail());
    for (int parts = 1; parts <= 5; parts++) {
        pieces_cut(pieces, parts, (int)s.rows, s.row, label_piece, &s, labels, false);
        for (int i = 0; i < parts; i++) {
            ck_assert_msg(pieces[i].status == TILECUT_OK, "case %d, part %d of %d: %s", seed, i, parts,
                          pieces[i].detail);
            check_reports(&found[i], &one, parts, seed);
        }
        for (size_t p = 0; p < n; p++)
            ck_assert_msg(labels[p] == expected[p], "case %d in %d parts: pixel %d of %d in a row of %d is %d for %d",
                          seed, parts, (int)p, (int)n, (int)s.row, labels[p], expected[p]);
    }
    free(expected);
    free(labels);
    free(s.pixels);
    free(s.seeds);
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

/* Checks with which sentence a call is refused in some part. */
static void expect(scene *s, int parts, const char *sentence)
{
    static piece pieces[MOST_PIECES];
    uint8_t *const labels = malloc(s->row * s->rows);
    bool told = false;
    pieces_cut(pieces, parts, (int)s->rows, s->row, label_piece, s, labels, false);
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
    scene s;
    draw(&s, 3, false);
    s.odd = 1;
    expect(&s, 3, "the parameters of part 1 differ from those of part 0");
    s.odd = -1;
    s.keeps_store = true;
    expect(&s, 2, "labels do not lie on disk"); /* even numbers of pieces have files */
    s.keeps_store = false;
    s.how.background = 4;
    expect(&s, 3, "background is 4, which is no label of the seeds");
    s.how.background = 0;
    memset(s.seeds, 0, s.row * s.rows);
    s.seeds[5] = 9;
    expect(&s, 3, "the seeds hold one label alone");
    free(s.pixels);
    free(s.seeds);
}

int main(void) { return run_suite((test_suite){.name = "label_parts", .seconds = 1200}); }
