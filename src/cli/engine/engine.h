/* SPDX-License-Identifier: MIT
 *
 * engine.h - turns the options --threads, --device and --solver into what the library takes, and the library's
 * statuses into exit statuses. For every verb that solves something.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calibration.h"
#include "failure.h"
#include "options.h"
#include "tilecut.h"

/* A table of solvers: their names, NULL past the end, and where each runs, "cpu" or "cuda". */
typedef struct solver_table {
    const char *(*name)(int index), *(*device)(int index);
} solver_table;

extern const solver_table grid_solvers;

/* Where `solver` runs; NULL if the table has no such row, as for a NULL. */
const char *solver_device(const solver_table *table, const char *solver);

/* Sets solver, threads, device and cancel (signals_flag) of `params`; the rest is left alone. EXIT_RESOURCES if the
 * user named a device that does not exist. */
int engine_choose(const common *asked, tilecut_params *params, notes *log, failure *why);

/* How many cuts to have in hand at a time. On a GPU their threads mostly sleep, so there are half as many more than
 * processors, unless the user named a number. */
int engine_workers(const common *asked, const tilecut_params *params);

/* The solver that `--device auto` uses on a GPU. */
#define ENGINE_GPU_SOLVER "cuda"

/* `--device auto`: chooses CPU or GPU for each cut. */
typedef struct engine_auto {
    bool open;    /* the GPU may be chosen: it is in this build, and the user named no device and no solver   */
    bool awake;   /* the GPU has been woken                                                           */
    calibration_work work;
    calibration known;
    /* Of a batch on a machine that was never calibrated: */
    bool learned; /* the CPU's figures are those of cuts that were made                               */
    bool trying;  /* a cut is on the GPU to see how long it takes                                     */
    int tries;    /* number of such trials; ENGINE_TRIES at most: the first one wakes the GPU         */
    pthread_mutex_t *lock; /* of several threads, held in each call; free while a GPU wakes. NULL: none */
} engine_auto;

enum { ENGINE_TRIES = 2 };

/* Call it after engine_choose(). `work` is what all later cuts are. Wakes no GPU, and reads the calibration only on a
 * machine with a GPU. */
void engine_auto_init(engine_auto *engine, const common *asked, calibration_work work, notes *log);

/* Chooses for the next of `jobs` cuts of about `pixels` pixels each: sets the solver of `params`, and may lower
 * `threads` so that jobs share them. `reason` becomes one line for -v, or "" where there was no choice. */
void engine_auto_plan(engine_auto *engine, uint64_t pixels, int jobs, tilecut_params *params, char *reason,
                      size_t room);

/* Tells how many milliseconds a cut of `pixels` pixels took, learning and proof included, as engine_auto_plan() had
 * planned it; 0: it failed. `jobs`: how many cuts the GPU did at a time; 1 on the CPU. Where nothing was calibrated,
 * later plans go by that. If what is left for the CPU would take longer than waking the GPU, two cuts are made there
 * meanwhile to see which is faster. */
void engine_auto_learn(engine_auto *engine, uint64_t pixels, int jobs, const tilecut_params *params, double ms);

/* Whether a cut that failed with `status` should be repeated on the CPU. That is so if `auto` had chosen the GPU and
 * the GPU failed. Then `log` gets a note, and the solver of `params` becomes one of the CPU. */
bool engine_falls_back(const common *asked, tilecut_status status, tilecut_params *params, notes *log);

/* Turns a failed call of the library into an exit status and a sentence. `subject` is the file, or whatever the call
 * was about, or NULL. EINVAL becomes EXIT_USAGE. */
int engine_failure(tilecut_status status, const char *subject, failure *why);
