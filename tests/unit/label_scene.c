/* SPDX-License-Identifier: MIT
 *
 * label_scene.c - see label_scene.h.
 */
#include "label_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"

void label_scene_draw(label_scene *s, uint64_t seed, bool spatial)
{
    uint64_t state = seed;
    const int labels = 2 + (int)(seed % 5), cells = labels + random_below(&state, 6);
    const int noise = 20 + random_below(&state, 90);
    const int w = 20 + random_below(&state, spatial ? 10 : 60), h = 8 + random_below(&state, spatial ? 10 : 90);
    const int depth = spatial ? 5 + random_below(&state, 8) : 1, channels = seed % 2 ? 1 : 3;
    const size_t n = (size_t)w * (size_t)h * (size_t)depth;
    int at[12][3];
    *s = (label_scene){.spatial = spatial, .labels = labels, .odd = -1, .row = (size_t)w * (size_t)(spatial ? h : 1),
                       .rows = (size_t)(spatial ? depth : h), .pixels = malloc(n * (size_t)channels),
                       .seeds = calloc(n, 1)};
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
    for (int c = 0; c < labels; c++) /* gives each label a seed, even if several points coincide */
        s->seeds[((size_t)at[c][2] * (size_t)h + (size_t)at[c][1]) * (size_t)w + (size_t)((at[c][0] + c) % w)] =
            (uint8_t)(3 + 7 * c);
    s->image = (tilecut_image){.width = w, .height = h, .channels = channels, .depth = 8, .pixels = s->pixels};
    s->volume = (tilecut_volume){.size = sizeof s->volume, .width = w, .height = h, .depth = depth,
                                 .spacing = {1, 1, 2}, .voxels = s->pixels, .channels = channels};
    s->params = (tilecut_params){.connectivity = spatial ? (seed % 4 ? 6 : 26) : seed / 2 % 2 ? 8 : 4,
                                 .lambda = seed % 3 ? 0 : 9, .islands = seed % 7 == 1,
                                 .spatial = seed % 3 == 1 ? TILECUT_NONE : 0, .threads = 1 + (int)(seed % 2)};
    s->how = (tilecut_labels_params){.bound_rounds = seed % 4 == 3 ? TILECUT_NONE : seed % 4 == 0 ? 3 : 0};
}

void label_scene_piece(piece *p)
{
    label_scene *const s = (label_scene *)(uintptr_t)p->of;
    tilecut_labels_report *const found = &s->found[p->number];
    tilecut_params params = s->params;
    const size_t above = (size_t)(p->part.first - p->from) * p->row, end = above + (size_t)p->part.rows * p->row;
    uint8_t *const seeds = piece_rows(p, s->seeds, p->row);
    tilecut_image image = s->image;
    tilecut_volume volume = s->volume;
    tilecut_labels_params how = s->how;
    void *const pixels = piece_rows(p, s->pixels, p->row * (size_t)image.channels);
    memset(seeds, 77, above); /* fills the seeds of the halo with an invalid label, because they must not be read */
    memset(seeds + end, 77, (size_t)p->rows * p->row - end);
    image.pixels = pixels, volume.voxels = pixels, image.height = p->rows, volume.depth = p->rows;
    if (!s->keeps_store) p->part.store = 0;
    if (p->number == s->odd) how.bound_rounds = 7;
    if (s->devices) params.solver = "cuda", params.device = p->number % s->devices;
    *found = (tilecut_labels_report){0};
    p->status = s->spatial ? tilecut_part_volume_labels(&p->part, &volume, seeds, &params, &how, p->mask, found)
                           : tilecut_part_labels(&p->part, &image, seeds, &params, &how, p->mask, found);
    free(pixels);
    free(seeds);
}

tilecut_status label_scene_whole(const label_scene *s, uint8_t *labels, tilecut_labels_report *report)
{
    return s->spatial ? tilecut_volume_labels(&s->volume, s->seeds, &s->params, &s->how, labels, report)
                      : tilecut_labels(&s->image, s->seeds, &s->params, &s->how, labels, report);
}

void label_scene_free(label_scene *s)
{
    free(s->pixels);
    free(s->seeds);
}

const char *label_scene_differs(const tilecut_labels_report *part, const tilecut_labels_report *one)
{
    if (part->labels != one->labels || !part->certified) return "the number of labels";
    if (part->certain != one->certain) return "what is certain";
    if (part->energy != one->energy) return "the energy";
    if (part->bound != one->bound || part->gap != one->gap) return "the bound";
    if (part->cuts != one->cuts || part->moves != one->moves) return "the number of cuts or moves";
    if (part->lambda != one->lambda || part->beta != one->beta || part->quantum != one->quantum) return "the model";
    return memcmp(part->pixels, one->pixels, sizeof one->pixels) ? "the pixels of a label" : NULL;
}

const char *label_scene_try(label_scene *s, int parts, const uint8_t *expected, const tilecut_labels_report *one,
                            char why[400])
{
    static piece pieces[MOST_PIECES];
    const size_t n = s->row * s->rows;
    uint8_t *const labels = malloc(n);
    bool good = true;
    pieces_cut(pieces, parts, (int)s->rows, s->row, label_scene_piece, s, labels, false);
    for (int i = 0; good && i < parts; i++) {
        const bool done = pieces[i].status == TILECUT_OK;
        const char *const what = done ? label_scene_differs(&s->found[i], one) : pieces[i].detail;
        good = !what;
        if (what) snprintf(why, 400, "part %d of %d: %s%s", i, parts, what, done ? " differs" : "");
    }
    for (size_t p = 0; good && p < n; p++) {
        good = labels[p] == expected[p];
        if (!good)
            snprintf(why, 400, "%d parts: pixel %d of %d in a row of %d is %d for %d", parts, (int)p, (int)n,
                     (int)s->row, labels[p], expected[p]);
    }
    free(labels);
    return good ? NULL : why;
}

int32_t *label_noise_draw(tilecut_labels_arrays *arrays, const int size[3], int connectivity, int labels,
                          uint64_t seed)
{
    const size_t n = (size_t)size[0] * (size_t)size[1] * (size_t)size[2], kinds = (size_t)connectivity / 2;
    int32_t *const costs = malloc(((size_t)labels + kinds) * n * sizeof *costs);
    int32_t *const links = costs + (size_t)labels * n;
    uint64_t state = seed;
    *arrays = (tilecut_labels_arrays){.width = size[0], .height = size[1], .depth = size[2], .labels = labels,
                                      .costs = costs};
    for (size_t i = 0; i < (size_t)labels * n; i++) costs[i] = random_below(&state, 12);
    for (size_t i = 0; i < kinds * n; i++) links[i] = 2 + random_below(&state, 3);
    for (size_t k = 0; k < kinds; k++) arrays->links[k] = links + k * n;
    return costs;
}
