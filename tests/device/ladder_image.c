/* SPDX-License-Identifier: MIT
 *
 * ladder_image.c - images that stay on the device from pixels to mask: random pictures of all kinds, and sessions on
 * them, compared with the CPU.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synthetic.h"
#include "ladder.h"
#include "parallel.h"
#include "random_graph.h"
#include "cuda_backend.h"

typedef struct picture {
    tilecut_image image;
    void *pixels;
    uint8_t *seeds;
    size_t count; /* number of pixels */
} picture;

static void draw_pixels(picture *p, uint64_t *state)
{
    const tilecut_image *image = &p->image;
    const int noise = random_below(state, 3) ? 1 + random_below(state, 60) : 1;
    const int middle_x = random_below(state, image->width), middle_y = random_below(state, image->height);
    const int radius = 1 + image->width / 4 + image->height / 4;
    for (int y = 0; y < image->height; y++)
        for (int i = 0; i < image->width * image->channels; i++) {
            const int x = i / image->channels, dx = x - middle_x, dy = y - middle_y;
            const int level = dx * dx + dy * dy < radius * radius ? 150 + 20 * (i % image->channels) : 60;
            const int value = level + random_below(state, noise);
            char *row = (char *)p->pixels + (size_t)y * image->stride;
            if (image->depth == 8) ((uint8_t *)row)[i] = (uint8_t)value;
            else ((uint16_t *)(void *)row)[i] = (uint16_t)(value * 257 + random_below(state, 200));
        }
}

/* Draws strokes of both classes anywhere, with either kind of background label. */
static void draw_seeds(const picture *p, uint8_t *seeds, uint64_t *state, int strokes)
{
    const int width = p->image.width, height = p->image.height;
    for (int s = 0; s < strokes; s++) {
        const int x0 = random_below(state, width), y0 = random_below(state, height);
        const int w = 1 + random_below(state, 6), h = 1 + random_below(state, 6);
        const uint8_t label = (uint8_t)(s < 2 ? 1 + s : random_below(state, 4));
        for (int y = y0; y < height && y < y0 + h; y++)
            for (int x = x0; x < width && x < x0 + w; x++) seeds[(size_t)y * (size_t)width + (size_t)x] = label;
    }
    seeds[0] = TILECUT_BACKGROUND; /* the loop above may have left no seed of this class */
    seeds[p->count - 1] = TILECUT_FOREGROUND;
}

static bool picture_alloc(picture *p, int width, int height, uint64_t *state)
{
    const int channels = random_below(state, 2) ? 3 : 1, depth = random_below(state, 3) ? 8 : 16;
    const size_t packed = (size_t)width * (size_t)channels * (size_t)(depth / 8);
    p->image = (tilecut_image){0, width, height, channels, depth, packed + 2 * (size_t)random_below(state, 9), NULL};
    p->count = (size_t)width * (size_t)height;
    p->image.pixels = p->pixels = calloc((size_t)height, p->image.stride);
    p->seeds = calloc(p->count, 1);
    return p->pixels && p->seeds;
}

static bool picture_draw(picture *p, uint64_t *state)
{
    const int shape = random_below(state, 4);
    const int width = shape == 0 ? 1 : 1 + random_below(state, 150);
    const int height = shape == 1 ? 2 : 2 + random_below(state, 150);
    if (!picture_alloc(p, width, height, state)) return false;
    draw_pixels(p, state);
    draw_seeds(p, p->seeds, state, 2 + random_below(state, 12));
    return true;
}

static void picture_free(picture *p)
{
    free(p->pixels);
    free(p->seeds);
}

static tilecut_params draw_params(uint64_t *state)
{
    static const char *const colors[] = {"gmm", "hist", "none"};
    tilecut_params params = tilecut_params_default();
    params.colors = colors[random_below(state, 3)];
    params.lambda = random_below(state, 5) ? 1 + random_below(state, 200) : TILECUT_NONE;
    params.spatial = random_below(state, 3) ? 2 : TILECUT_NONE;
    params.sigma = random_below(state, 4) ? 0 : 1 + random_below(state, 40);
    params.data_weight = random_below(state, 4) ? 0 : 0.5;
    params.soft_seeds = random_below(state, 6) == 0;
    params.iterations = random_below(state, 3) ? 0 : 1 + random_below(state, 6);
    params.connectivity = random_below(state, 2) ? 8 : 4;
    return params;
}

/* True if an answer of the device equals that of the CPU. */
static bool same_answer(const tilecut_report *a, const uint8_t *mask_a, const tilecut_report *b, const uint8_t *mask_b,
                        size_t n)
{
    return a->flow == b->flow && a->cut == b->cut && a->foreground == b->foreground && a->certified && b->certified &&
           a->iterations == b->iterations && a->islands == b->islands && a->beta == b->beta &&
           a->quantum == b->quantum && a->energy == b->energy &&
           memcmp(a->iteration_energy, b->iteration_energy, sizeof a->iteration_energy) == 0 &&
           memcmp(mask_a, mask_b, n) == 0;
}

/* Functions of the CUDA runtime, declared here because a C compiler may not find its headers. */
int cudaMalloc(void **memory, size_t size);
int cudaMemset(void *memory, int value, size_t size);
int cudaFree(void *memory);

/* Segments the same image in device memory. */
static bool segment_there(const picture *p, const tilecut_params *params, uint8_t *mask, tilecut_report *report)
{
    const size_t bytes = p->image.stride * (size_t)p->image.height;
    tilecut_image there = p->image;
    tilecut_params own_params = *params;
    void *memory = NULL;
    own_params.where = TILECUT_DEVICE;
    if (cudaMalloc(&memory, bytes + 2 * p->count)) return false;
    uint8_t *const seeds = (uint8_t *)memory + bytes, *const out = seeds + p->count;
    there.pixels = memory;
    const bool good = tc_cuda_copy(memory, p->pixels, bytes, NULL) == TILECUT_OK &&
                      tc_cuda_copy(seeds, p->seeds, p->count, NULL) == TILECUT_OK &&
                      tilecut_segment(&there, seeds, &own_params, out, report) == TILECUT_OK &&
                      tc_cuda_copy(mask, out, p->count, NULL) == TILECUT_OK;
    cudaFree(memory);
    return good;
}

/* Moves the seeds of one graph `edits` times. Returns how many answers differ between CPU and GPU, or are missing. */
static int edit_session(const picture *p, const tilecut_params *params, uint64_t *state, int edits)
{
    tilecut_params cpu = *params, cuda = *params;
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;
    uint8_t *mask = malloc(2 * p->count), *seeds = malloc(p->count);
    int bad = edits;
    cpu.solver = "bk", cuda.solver = "cuda";
    if (!mask || !seeds) goto done;
    memcpy(seeds, p->seeds, p->count);
    if (tilecut_graph_from_image(&graph, &p->image, p->seeds, params) != TILECUT_OK) goto done;
    if (tilecut_session_create(&session, graph) != TILECUT_OK) goto done;
    bad = 0;
    for (int i = 0; i < edits; i++) {
        tilecut_report warm = {0}, cold = {0};
        memset(&warm, 0, sizeof warm), memset(&cold, 0, sizeof cold);
        bool good = tilecut_session_solve(session, &cuda, mask, &warm) == TILECUT_OK &&
                    tilecut_graph_solve(graph, &cpu, mask + p->count, &cold) == TILECUT_OK;
        good = good && same_answer(&warm, mask, &cold, mask + p->count, p->count) && warm.warm == (i > 0);
        bad += !good;
        if (random_below(state, 2)) memset(seeds, 0, p->count);
        draw_seeds(p, seeds, state, random_below(state, 6));
        if (tilecut_session_reseed(session, seeds, NULL) != TILECUT_OK) bad++;
    }
done:
    if (bad) printf("  session: %s\n", tilecut_error_detail());
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    free(mask);
    free(seeds);
    return bad;
}

/* Solves a picture with a known answer by one more GPU solver, a different one each time. */
static bool rung_agrees(const picture *p, const tilecut_params *own_params, int turn, uint8_t *masks,
                        const tilecut_report *cpu)
{
    static const char *const rungs[] = {"cuda-basic", "cuda-lockstep", "cuda-tiled", "cuda-lockfree", "cuda-queue"};
    tilecut_params params = *own_params;
    tilecut_report report = {0};
    params.solver = rungs[turn % 5];
    memset(&report, 0, sizeof report);
    return tilecut_segment(&p->image, p->seeds, &params, masks + p->count, &report) == TILECUT_OK &&
           same_answer(cpu, masks, &report, masks + p->count, p->count);
}

int image_answers(int count)
{
    int good = 0, sessions = 0;
    for (int seed = 1; seed <= count; seed++) {
        uint64_t state = (uint64_t)seed;
        picture p;
        if (!picture_draw(&p, &state)) return count;
        tilecut_params params = draw_params(&state);
        /* racecheck takes seconds for each solve, and a box without strokes needs a hundred solves */
        if (count < 10) params.effort = 1;
        tilecut_report cpu = {0}, cuda = {0};
        uint8_t *masks = malloc(2 * p.count);
        memset(&cpu, 0, sizeof cpu), memset(&cuda, 0, sizeof cuda);
        params.solver = "bk";
        bool same = masks && tilecut_segment(&p.image, p.seeds, &params, masks, &cpu) == TILECUT_OK;
        params.solver = "cuda";
        same = same && tilecut_segment(&p.image, p.seeds, &params, masks + p.count, &cuda) == TILECUT_OK &&
               same_answer(&cpu, masks, &cuda, masks + p.count, p.count);
        if (same && seed % 3 == 0) {
            params.solver = "hybrid";
            same = tilecut_segment(&p.image, p.seeds, &params, masks + p.count, &cuda) == TILECUT_OK &&
                   same_answer(&cpu, masks, &cuda, masks + p.count, p.count);
            params.solver = "cuda";
        }
        const bool straight = params.connectivity == 4; /* the older GPU solvers support only 4 neighbours */
        /* tries one of the older GPU solvers as well, unless racecheck would take too long */
        if (same && count >= 10 && straight) same = rung_agrees(&p, &params, seed, masks, &cpu);
        if (same && seed % 2)
            same = segment_there(&p, &params, masks + p.count, &cuda) &&
                   same_answer(&cpu, masks, &cuda, masks + p.count, p.count);
        if (!same)
            printf("DIFFERS image, seed %d, %dx%d, %s, %d neighbours: flow %lld and %lld, beta %g and %g, quantum %g "
                   "and %g (%s)\n", seed, p.image.width, p.image.height, params.colors, params.connectivity,
                   (long long)cpu.flow, (long long)cuda.flow, cpu.beta, cuda.beta, cpu.quantum, cuda.quantum,
                   tilecut_error_detail());
        good += same;
        sessions += edit_session(&p, &params, &state, 5) == 0;
        free(masks);
        picture_free(&p);
    }
    printf("%-14s images: %d of %d agree with bk; %d of %d sessions of 5 edits do\n", "cuda", good, count, sessions,
           count);
    return 2 * count - good - sessions;
}

/* ---- A box alone ------------------------------------------------------------------------------ */

void draw_box(uint8_t *seeds, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const bool inside = x >= width / 8 && x < width - width / 8 && y >= height / 8 && y < height - height / 8;
            seeds[(size_t)y * (size_t)width + (size_t)x] = inside ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
        }
}

/* Draws a stroke of that label in the middle third of a picture. */
static void draw_stroke(const picture *p, uint8_t label, uint64_t *state)
{
    const int w = p->image.width, h = p->image.height, x0 = w / 3 + random_below(state, w / 6);
    const int y0 = h / 3 + random_below(state, h / 3);
    for (int y = y0; y < y0 + 4; y++)
        for (int x = x0; x < x0 + w / 6; x++) p->seeds[(size_t)y * (size_t)w + (size_t)x] = label;
}

/* Cuts one picture, usually large enough for a smaller copy: with a box with or without strokes, or with strokes
 * alone. */
static bool same_box(uint64_t *state)
{
    picture p;
    if (!picture_alloc(&p, 290 + random_below(state, 300), 290 + random_below(state, 300), state)) return false;
    const int kind = random_below(state, 3);
    tilecut_params params = draw_params(state);
    tilecut_report cpu = {0}, cuda = {0};
    uint8_t *masks = malloc(2 * p.count);
    memset(&cpu, 0, sizeof cpu), memset(&cuda, 0, sizeof cuda);
    draw_pixels(&p, state);
    if (kind < 2) draw_box(p.seeds, p.image.width, p.image.height);
    if (kind == 2) memset(p.seeds, TILECUT_BACKGROUND, 3 * (size_t)p.image.width);
    if (kind > 0) draw_stroke(&p, TILECUT_FOREGROUND, state);
    if (kind > 0 && random_below(state, 2)) draw_stroke(&p, TILECUT_BACKGROUND, state);
    params.colors = random_below(state, 4) ? "gmm" : "hist";
    params.iterations = random_below(state, 2) ? 0 : random_below(state, 4) - 1;
    params.effort = random_below(state, 3);
    bool same = masks && tilecut_segment(&p.image, p.seeds, &params, masks, &cpu) == TILECUT_OK;
    params.solver = "cuda";
    same = same && tilecut_segment(&p.image, p.seeds, &params, masks + p.count, &cuda) == TILECUT_OK &&
           same_answer(&cpu, masks, &cuda, masks + p.count, p.count) &&
           segment_there(&p, &params, masks + p.count, &cuda) &&
           same_answer(&cpu, masks, &cuda, masks + p.count, p.count);
    if (!same)
        printf("DIFFERS box %d, %dx%d, %s, effort %d, iterations %d: flow %lld and %lld, energy %.9g and %.9g "
               "(%s)\n", kind, p.image.width, p.image.height, params.colors, params.effort, params.iterations,
               (long long)cpu.flow, (long long)cuda.flow, cpu.iteration_energy[0], cuda.iteration_energy[0],
               tilecut_error_detail());
    free(masks);
    picture_free(&p);
    return same;
}

int box_answers(int count)
{
    uint64_t state = 77;
    int good = 0;
    for (int i = 0; i < count; i++) good += same_box(&state);
    printf("%-14s boxes and strokes: %d of %d agree with the CPU\n", "cuda", good, count);
    return count - good;
}

/* ---- A device that fails ---------------------------------------------------------------------- */

/* Returns filled device memory, or NULL if there is none. It is lost with the device. */
static void *device_bytes(size_t size, int value)
{
    void *memory = NULL;
    return cudaMalloc(&memory, size) || cudaMemset(memory, value, size) ? NULL : memory;
}

/* Breaks a device's context by passing rows at addresses without memory. As after the loss of a device, no call works
 * there afterwards. */
int device_lost(void)
{
    uint64_t state = 9;
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    picture p;
    uint8_t *mask;
    int bad = 0;
    do { /* draws pictures until one is large enough for the device */
        if (!picture_draw(&p, &state)) return 1;
    } while (p.count < 10000);
    mask = malloc(p.count);
    if (!mask) return 1;
    memset(mask, 7, p.count);
    const uint8_t *const nowhere = (const uint8_t *)(uintptr_t)4096;
    uint8_t *const memory = device_bytes(3 * p.count, 90), *const seeds = device_bytes(p.count, TILECUT_UNKNOWN);
    if (!memory || !seeds) return 1;
    tilecut_image there = {0, p.image.width, p.image.height, 3, 8, 0, nowhere};
    params.colors = "none", params.where = TILECUT_DEVICE;
    /* an address outside of device memory does no harm */
    bad += tilecut_segment(&there, seeds, &params, memory, &report) != TILECUT_EINVAL;
    there.pixels = memory;
    bad += tilecut_segment(&there, nowhere, &params, memory, &report) != TILECUT_EINVAL;
    bad += tilecut_segment(&there, seeds, &params, mask, &report) != TILECUT_EINVAL;
    there.stride = (size_t)1 << 34; /* the rows are so far apart that only the first one is in memory */
    tilecut_status status = tilecut_segment(&there, seeds, &params, seeds, &report);
    printf("%-14s lost: %s: %s\n", "cuda", tilecut_strerror(status), tilecut_error_detail());
    bad += status != TILECUT_EDEVICE;
    params.solver = "cuda", params.where = TILECUT_HOST;
    status = tilecut_segment(&p.image, p.seeds, &params, mask, &report);
    printf("%-14s afterwards: %s: %s\n", "cuda", tilecut_strerror(status), tilecut_error_detail());
    bad += status != TILECUT_EDEVICE && status != TILECUT_ENODEVICE;
    for (size_t i = 0; i < p.count; i++) bad += mask[i] != 7;
    params.solver = "bk";
    bad += tilecut_segment(&p.image, p.seeds, &params, mask, &report) != TILECUT_OK;
    printf("%-14s a device lost: %d failures; the CPU goes on\n", "cuda", bad);
    free(mask);
    picture_free(&p);
    return bad;
}
