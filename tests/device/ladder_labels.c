/* SPDX-License-Identifier: MIT
 *
 * ladder_labels.c - several labels: images, volumes and energies that the caller gives, cut by `cuda` and `hybrid`. The
 * labels and the report must be those of `bk`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "label_scene.h"
#include "ladder.h"

/* True if the solver's labels and report equal those expected. Prints the difference. */
static bool agrees(const char *what, uint64_t seed, const char *solver, tilecut_status status, size_t pixels,
                   const uint8_t *labels[2], const tilecut_labels_report reports[2])
{
    const char *why = status == TILECUT_OK ? label_scene_differs(&reports[1], &reports[0]) : tilecut_error_detail();
    if (!why && memcmp(labels[0], labels[1], pixels)) why = "the labels";
    if (why) printf("labels: %s, seed %d, %s: %s\n", what, (int)seed, solver, why);
    return !why;
}

/* Labels an image or a volume, as a whole and in parts on all devices. Returns the number of wrong answers. */
static int try_scene(uint64_t seed, int *cuts)
{
    label_scene s;
    label_scene_draw(&s, seed, seed % 3 == 0);
    const size_t pixels = s.row * s.rows;
    uint8_t *const memory = malloc(2 * pixels);
    const uint8_t *labels[] = {memory, memory + pixels};
    tilecut_labels_report reports[2] = {0};
    char why[400];
    int wrong = 0;
    s.params.solver = "bk";
    tilecut_status status = label_scene_whole(&s, memory, &reports[0]);
    if (s.params.connectivity != 26) {
        s.params.solver = "cuda";
        if (status == TILECUT_OK) status = label_scene_whole(&s, memory + pixels, &reports[1]);
        wrong += !agrees("a scene", seed, "cuda", status, pixels, labels, reports);
        s.devices = tilecut_cuda_devices();
        const char *const differs = label_scene_try(&s, 1 + (int)(seed % 4), labels[0], &reports[0], why);
        if (differs) printf("labels: seed %d: %s\n", (int)seed, differs), wrong++;
    }
    *cuts += (int)reports[1].cuts;
    free(memory);
    label_scene_free(&s);
    return wrong;
}

/* Labels noise, in groups that are large enough for a device. Returns the number of wrong answers. */
static int try_noise(uint64_t seed, int *cuts)
{
    static const int sizes[][4] = {{400, 340, 1, 4}, {700, 300, 1, 8}, {60, 50, 50, 6}, {1000, 200, 1, 4}};
    static const char *const solvers[] = {"cuda", "hybrid"};
    const int *const size = sizes[seed % 4];
    const size_t pixels = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    uint8_t *const memory = malloc(2 * pixels);
    const uint8_t *labels[] = {memory, memory + pixels};
    const tilecut_labels_params how = {.bound_rounds = 2};
    tilecut_labels_report reports[2] = {0};
    tilecut_params params = {.solver = "bk", .threads = 4};
    tilecut_labels_arrays arrays;
    int32_t *const noise = label_noise_draw(&arrays, size, size[3], 2 + (int)(seed % 5), seed);
    int wrong = 0;
    tilecut_status status = tilecut_labels_solve(&arrays, &params, &how, memory, &reports[0]);
    for (int i = 0; i < 2; i++) {
        params.solver = solvers[i];
        if (status == TILECUT_OK) status = tilecut_labels_solve(&arrays, &params, &how, memory + pixels, &reports[1]);
        wrong += !agrees("noise", seed, params.solver, status, pixels, labels, reports);
        *cuts += (int)reports[1].cuts;
    }
    free(noise);
    free(memory);
    return wrong;
}

int label_answers(int count)
{
    int cuts = 0, wrong = 0;
    for (int seed = 1; seed <= count; seed++) wrong += try_scene((uint64_t)seed, &cuts);
    for (int seed = 1; seed <= count / 10; seed++) wrong += try_noise((uint64_t)seed, &cuts);
    printf("labels: %d images and volumes, %d energies of noise, %d cuts, %d wrong\n", count, count / 10, cuts, wrong);
    return wrong;
}
