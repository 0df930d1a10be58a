/* SPDX-License-Identifier: MIT */
#include "part_scene.h"

#include <stdlib.h>
#include <string.h>

int part_scene_rows(const part_scene *s)
{
    return s->arrays   ? s->arrays->height
           : s->image  ? s->image->height
           : s->slices ? s->slices->depth
                       : s->voxels->depth;
}

static size_t pixels_of_row(const part_scene *s)
{
    return s->arrays   ? (size_t)s->arrays->width
           : s->image  ? (size_t)s->image->width
           : s->slices ? (size_t)s->slices->width * (size_t)s->slices->height
                       : (size_t)s->voxels->width * (size_t)s->voxels->height;
}

size_t part_scene_pixels(const part_scene *s)
{
    return pixels_of_row(s) * (size_t)part_scene_rows(s);
}

tilecut_status part_scene_solve(const part_scene *s, const char *solver, uint8_t *mask, tilecut_report *report)
{
    tilecut_params params = s->params;
    tilecut_graph *graph = NULL;
    params.solver = solver;
    if (s->image) return tilecut_segment(s->image, s->seeds, &params, mask, report);
    if (s->voxels) return tilecut_volume_segment(s->voxels, s->seeds, &params, mask, report);
    if (s->slices) return tilecut_volume_solve(s->slices, &params, mask, report);
    tilecut_status status = tilecut_graph_create(&graph, s->arrays);
    if (status == TILECUT_OK) status = tilecut_graph_solve(graph, &params, mask, report);
    tilecut_graph_destroy(graph);
    return status;
}

/* ---- One part of several ------------------------------------------------------------------------ */

static size_t voxel_bytes(int type)
{
    return type == TILECUT_VOXEL_U8 ? 1 : type == TILECUT_VOXEL_F32 ? sizeof(float) : sizeof(int16_t);
}

static void cut_image(piece *p, const part_scene *s, const uint8_t *seeds, const tilecut_params *params)
{
    tilecut_image some = *s->image;
    const size_t packed = p->row * (size_t)some.channels * (size_t)(some.depth / 8);
    void *const pixels = piece_rows(p, some.pixels, some.stride ? some.stride : packed);
    some.pixels = pixels, some.height = p->rows;
    p->status = tilecut_part_segment(&p->part, &some, seeds, params, p->mask, &p->report, &p->more);
    free(pixels);
}

/* True if all parts find the range of values that one part finds. `some` has the slices of this part. */
static bool range_is_that_of_the_whole(const piece *p, const tilecut_volume *some, const tilecut_volume *whole)
{
    double own[2], all[2];
    return tilecut_part_volume_range(&p->part, some, own) == TILECUT_OK &&
           tilecut_volume_range(whole, all) == TILECUT_OK && own[0] == all[0] && own[1] == all[1];
}

static void cut_voxels(piece *p, const part_scene *s, const uint8_t *seeds, const tilecut_params *params)
{
    tilecut_volume some = *s->voxels;
    const size_t channels = some.channels == 3 ? 3 : 1;
    void *const voxels = piece_rows(p, some.voxels, p->row * channels * voxel_bytes(some.type));
    some.voxels = voxels, some.depth = p->rows;
    const bool same = range_is_that_of_the_whole(p, &some, s->voxels);
    p->status = tilecut_part_volume_segment(&p->part, &some, seeds, params, p->mask, &p->report, &p->more);
    if (!same) p->status = TILECUT_EUNPROVEN;
    free(voxels);
}

/* Fills the links that lead out of the halo with wrong values, because no part may read them. Links from the halo into
 * the part's own slices stay. */
static void spoil_halo(const piece *p, int k, int32_t *links)
{
    for (int z = 0; z < p->rows; z++) {
        const int at = p->from + z;
        const bool behind = at >= p->part.first + p->part.rows;
        if (!behind && (at >= p->part.first || k == 2)) continue;
        for (size_t i = 0; i < p->row; i++) links[(size_t)z * p->row + i] = -5;
    }
}

static void cut_slices(piece *p, const part_scene *s, tilecut_params *params)
{
    const tilecut_volume_arrays *const a = s->slices;
    const size_t bytes = p->row * sizeof *a->source, above = (size_t)(p->part.first - p->from) * p->row;
    tilecut_volume_arrays some = *a;
    int32_t *const source = piece_rows(p, a->source, bytes), *const sink = piece_rows(p, a->sink, bytes), *link[6];
    for (int k = 0; k < 3; k++) {
        link[k] = piece_rows(p, a->to[k], bytes);
        link[3 + k] = piece_rows(p, a->from[k], bytes);
        for (int back = 0; back < 2; back++)
            if (link[3 * back + k]) spoil_halo(p, k, link[3 * back + k]);
        some.to[k] = link[k], some.from[k] = link[3 + k];
    }
    some.source = source, some.sink = sink, some.depth = p->rows;
    if (s->spoil) s->spoil(p->number, params, NULL, source + above);
    p->status = tilecut_part_volume_solve(&p->part, &some, params, p->mask, &p->report, &p->more);
    for (int k = 0; k < 6; k++) free(link[k]);
    free(source);
    free(sink);
}

static void cut_piece(piece *p)
{
    const part_scene *const s = p->of;
    const size_t above = (size_t)(p->part.first - p->from) * p->row, end = above + (size_t)p->part.rows * p->row;
    uint8_t *const seeds = piece_rows(p, s->seeds, p->row);
    tilecut_params params = s->params;
    if (s->devices) params.solver = "cuda", params.device = p->number % s->devices;
    if (seeds) { /* fills the seeds of the halo with an invalid label, because they must not be read */
        memset(seeds, 77, above);
        memset(seeds + end, 77, (size_t)p->rows * p->row - end);
    }
    if (s->spoil && !s->slices) s->spoil(p->number, &params, seeds ? seeds + above : NULL, NULL);
    if (s->image) cut_image(p, s, seeds, &params);
    else if (s->voxels) cut_voxels(p, s, seeds, &params);
    else if (s->slices) cut_slices(p, s, &params);
    else {
        const tilecut_arrays some = rows_of_arrays(s->arrays, p->from, p->rows);
        p->status = tilecut_part_solve(&p->part, &some, &params, p->mask, &p->report, &p->more);
    }
    free(seeds);
}

void part_scene_cut(const part_scene *s, int parts, uint8_t *mask, piece pieces[MOST_PIECES])
{
    pieces_cut(pieces, parts, part_scene_rows(s), pixels_of_row(s), cut_piece, s, mask, s->by_host);
}

const char *part_scene_try(const part_scene *s, int parts, const uint8_t *expected, const tilecut_report *one,
                           piece pieces[MOST_PIECES])
{
    const size_t pixels = part_scene_pixels(s);
    const bool boxed = s->image || (s->voxels && memchr(s->seeds, TILECUT_OUTSIDE, pixels));
    uint8_t *const mask = malloc(pixels);
    const char *why = NULL;
    part_scene_cut(s, parts, mask, pieces);
    for (int i = 0; i < parts && !why; i++) {
        const piece *const p = &pieces[i];
        why = piece_differs(p, one);
        if (!why && !p->report.solver) why = "no solver is named";
        if (!why && s->devices && strcmp(p->report.device, "cuda")) why = "not on the device";
        if (why || boxed) continue; /* parts outside of the box's window have nothing to do */
        if (p->more.solves < 1 || (parts > 1 && p->more.sent == 0)) why = "a part that did nothing";
        if (p->more.waves != pieces[0].more.waves) why = "parts that count other waves";
    }
    if (!why && memcmp(mask, expected, pixels) != 0) why = "another mask";
    free(mask);
    return why;
}

/* ---- Random ones -------------------------------------------------------------------------------- */

/* Draws blobs with noise, a stroke on one of them, and background along one edge, so that searches run in all
 * directions. */
static void draw_picture(drawn_scene *d, uint64_t seed, bool large)
{
    static const char *const models[] = {"gmm", "none", "hist", "gmm"};
    uint64_t state = seed;
    const int most = large ? 300 : 50;
    const int width = 30 + random_below(&state, most), height = 20 + random_below(&state, most);
    const int channels = seed % 2 ? 3 : 1, x0 = random_below(&state, width), y0 = random_below(&state, height);
    const int radius = 5 + width / 4;
    uint8_t *const pixels = d->memory = malloc((size_t)(width * height * channels));
    d->image = (tilecut_image){.width = width, .height = height, .channels = channels, .depth = 8, .pixels = pixels};
    d->scene.image = &d->image;
    d->scene.params = (tilecut_params){.colors = models[seed % 4], .connectivity = seed % 3 ? 4 : 8,
                                       .iterations = seed % 5 ? 0 : 1, .lambda = seed % 3 ? 50 : 8,
                                       .soft_seeds = seed % 7 == 0};
    d->seeds = malloc((size_t)(width * height));
    for (int i = 0; i < width * height; i++) {
        const int x = i % width, y = i / width, dx = (x - x0) % (3 * radius), dy = (y - y0) % (4 * radius);
        const bool in = dx * dx + dy * dy < radius * radius, near = abs(x - x0) + abs(y - y0) < 6;
        for (int c = 0; c < channels; c++)
            pixels[i * channels + c] = (uint8_t)((in ? 150 - 20 * c : 80 + 30 * c) + random_below(&state, 60));
        const bool at[] = {x == 0, y == 0, y + 1 == height}, edge = at[seed % 3];
        d->seeds[i] = near ? TILECUT_FOREGROUND : edge ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
    d->seeds[y0 ? 0 : (height - 1) * width] = TILECUT_BACKGROUND;
}

static void draw_size(uint64_t *state, bool large, int size[3])
{
    const int wide = 3 + random_below(state, large ? 97 : 45), narrow = 3 + random_below(state, large ? 97 : 20);
    const bool turned = random_below(state, 2);
    size[0] = turned ? narrow : wide, size[1] = turned ? wide : narrow;
    size[2] = large ? 2 + random_below(state, 40) : 5 + random_below(state, 4);
}

/* Draws few terminals and some weak links. In every fourth volume the sources are in the first slices and the sinks in
 * the last, so that all flow crosses all borders between parts. */
static void draw_capacities(drawn_scene *d, uint64_t seed, bool large)
{
    uint64_t state = seed;
    int size[3];
    draw_size(&state, large, size);
    const int rare = 1 + random_below(&state, seed % 3 ? 400 : 9), shut = random_below(&state, 3);
    const int most = 1 + random_below(&state, 40);
    const size_t slice = (size_t)size[0] * (size_t)size[1], depth = (size_t)size[2], n = slice * depth;
    int32_t *const all = d->memory = malloc(8 * n * sizeof *all);
    for (size_t i = 0; i < 8 * n; i++) {
        const size_t z = i % n / slice;
        const bool terminal = i < 2 * n, through = terminal && seed % 4 == 1;
        const bool ends = i < n ? z < depth / 8 + 1 : z + depth / 8 + 1 >= depth;
        const bool none = random_below(&state, terminal ? rare : 1 + shut) != 0 || (through && !ends);
        all[i] = (none ? 0 : random_below(&state, (terminal ? rare + 1 : 1) * most)) + (through && ends ? most : 0);
    }
    d->slices = (tilecut_volume_arrays){.width = size[0], .height = size[1], .depth = size[2], .source = all,
                                        .sink = all + n};
    for (size_t k = 0; k < 3; k++) d->slices.to[k] = all + (2 + k) * n, d->slices.from[k] = all + (5 + k) * n;
    d->scene.slices = &d->slices;
}

static void put_value(char *at, int type, int value)
{
    const uint8_t byte = (uint8_t)(value < 255 ? value : 255);
    const int16_t word = (int16_t)(value * 9 - 1000);
    const uint16_t plus = (uint16_t)(value * 7);
    const float real = (float)value * 0.37f - 40;
    if (type == TILECUT_VOXEL_U8) memcpy(at, &byte, 1);
    if (type == TILECUT_VOXEL_U16) memcpy(at, &plus, 2);
    if (type == TILECUT_VOXEL_I16) memcpy(at, &word, 2);
    if (type == TILECUT_VOXEL_F32) memcpy(at, &real, 4);
}

/* Draws a ball that becomes brighter from slice to slice, so that each part has its own range and colours. Every other
 * volume of a type that has colours is in colour. */
static void draw_scan(drawn_scene *d, uint64_t seed, bool large)
{
    static const char *const colors[] = {"gmm", "hist", "none"};
    uint64_t state = seed;
    int size[3];
    draw_size(&state, large, size);
    const int w = size[0], h = size[1], depth = size[2], n = w * h * depth;
    const int in = 20 + random_below(&state, 60), noise = 5 + random_below(&state, 50);
    const int type = (int)(seed % 4), channels = type <= TILECUT_VOXEL_U16 && seed / 4 % 2 == 0 ? 3 : 1;
    d->voxels = (tilecut_volume){.size = sizeof d->voxels, .width = w, .height = h, .depth = depth, .type = type,
                                 .spacing = {1, 1, 1.5}, .channels = channels};
    const size_t one = voxel_bytes(type);
    d->scene.params = (tilecut_params){.colors = colors[seed / 2 % 3], .lambda = 1 + random_below(&state, 60),
                                       .sigma = seed % 5 ? 0 : 9, .soft_seeds = seed % 7 == 3};
    d->voxels.voxels = d->memory = malloc((size_t)(n * channels) * one);
    d->seeds = calloc((size_t)n, 1);
    for (int i = 0; i < n; i++) {
        const int x = i % w - w / 2, y = i / w % h - h / 2, z = i / (w * h);
        const bool inside = x * x + y * y + 4 * (z - depth / 2) * (z - depth / 2) < w * h / 9;
        for (int c = 0; c < channels; c++)
            put_value((char *)d->memory + (size_t)(i * channels + c) * one, type,
                      40 + 3 * z + (inside ? in - 9 * c : 7 * c) + random_below(&state, noise));
        if (inside && random_below(&state, 9) == 0 && z > depth / 2) d->seeds[i] = TILECUT_FOREGROUND;
        if (!inside && random_below(&state, 60) == 0 && z < 2)
            d->seeds[i] = random_below(&state, 2) ? TILECUT_OUTSIDE : TILECUT_BACKGROUND;
    }
    for (int i = 0; seed % 3 == 2 && i < n; i++) /* marks a box, so that the window is smaller than the volume */
        if (i % w < w / 2 || i / (w * h) <= depth / 2) d->seeds[i] = TILECUT_OUTSIDE;
    d->seeds[n - 1] = TILECUT_FOREGROUND, d->seeds[0] = TILECUT_BACKGROUND;
    d->scene.voxels = &d->voxels;
}

void drawn_scene_init(drawn_scene *d, int kind, uint64_t seed, bool large)
{
    *d = (drawn_scene){.seeds = NULL};
    if (kind == PART_GRAPH) {
        random_graph_draw(&d->graph, seed, large ? 300 : 70, seed % 8 == 1 ? 12 : large ? 260 : 90);
        d->scene.arrays = &d->graph.arrays;
    }
    if (kind == PART_PICTURE) draw_picture(d, seed, large);
    if (kind == PART_CAPACITIES) draw_capacities(d, seed, large);
    if (kind == PART_SCAN) draw_scan(d, seed, large);
    d->scene.seeds = d->seeds;
}

void drawn_scene_free(drawn_scene *d)
{
    if (d->scene.arrays) random_graph_free(&d->graph);
    free(d->seeds);
    free(d->memory);
}
