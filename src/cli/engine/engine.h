/* SPDX-License-Identifier: MIT
 *
 * engine.h - turns the options --threads, --device and --solver into parameters of the library, and the library's
 * statuses into exit statuses. Every verb that solves something uses it.
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

/* A table of solvers: their names, NULL past the end, and the device of each, "cpu" or "cuda". */
typedef struct solver_table {
    const char *(*name)(int index), *(*device)(int index);
} solver_table;

extern const solver_table grid_solvers;

/* Returns the device of `solver`; NULL if the table has no row of that name, or `solver` is NULL. */
const char *solver_device(const solver_table *table, const char *solver);

/* Sets solver, threads, device and cancel (signals_flag) of `params`; the rest is left alone. EXIT_RESOURCES if the
 * user named a device that does not exist. */
int engine_choose(const common *asked, tilecut_params *params, notes *log, failure *why);

/* Returns how many cuts should be in progress at a time. On a GPU their threads mostly sleep, so there are one and a
 * half per processor, unless the user named a number of threads. */
int engine_workers(const common *asked, const tilecut_params *params);

/* The solver that `--device auto` uses on a GPU. */
#define ENGINE_GPU_SOLVER "cuda"

/* The state of `--device auto`, which chooses CPU or GPU for each cut. */
typedef struct engine_auto {
    bool open;    /* true: the GPU may be chosen: this build has it, and the user named neither device nor solver */
    bool awake;   /* true: the GPU has been woken                                                     */
    bool waking;  /* true: a thread is waking the GPU                                                 */
    calibration_work work;
    calibration known;
    bool timed;   /* true: a small cut has been timed, and the built-in figures are corrected by it */
    bool learned; /* true: the CPU's figures come from cuts of this batch                          */
    /* The next fields are for a batch on a machine that was never calibrated. */
    bool trying;  /* true: a trial cut is running on the GPU, to measure its time                  */
    int tries;    /* number of trial cuts on the GPU, at most ENGINE_TRIES; the first one wakes it */
    pthread_mutex_t *lock; /* held by callers from several threads; released while a GPU wakes; NULL: one thread */
} engine_auto;

enum { ENGINE_TRIES = 2 };

/* Call this after engine_choose(). All later cuts are of the kind `work`. Does not wake the GPU; reads the calibration
 * only if the machine has a GPU. */
void engine_auto_init(engine_auto *engine, const common *asked, calibration_work work, notes *log);

/* Chooses the device for the next of `jobs` cuts of about `pixels` pixels each: sets the solver of `params`, and may
 * lower `threads` so that jobs share them. While another thread wakes the GPU, the CPU does what one of its threads can
 * do in that time. `reason` becomes one line for -v, or "" if there was no choice. */
void engine_auto_plan(engine_auto *engine, uint64_t pixels, int jobs, tilecut_params *params, char *reason,
                      size_t room);

/* True if a photo that takes `bytes` bytes of a GPU may have to be divided among several: one may be too small,
 * and there are others. `devices`: how many there are; 0: not known. Wakes none, so their memory is only guessed. */
bool engine_may_divide(uint64_t bytes, int devices);

/* True if engine_auto_plan() would choose a GPU that is asleep for a single job. Wakes nothing, but may time a small
 * cut. */
bool engine_auto_would_wake(engine_auto *engine, uint64_t pixels, int threads);

/* Reports that a cut of `pixels` pixels, planned by engine_auto_plan(), took `ms` milliseconds, with learning and
 * proof; 0: the cut failed. `jobs` is the number of cuts that were on the GPU at a time, or 1 on the CPU. Later plans
 * use these times of the CPU in place of the calibrated ones, which are too short: a calibration makes one cut at a
 * time, and cuts that run side by side slow each other down. Without a calibration, later plans also use these times of
 * the GPU. If the remaining cuts would then take longer on the CPU than waking the GPU takes, two cuts are tried on the
 * GPU, to see which device is faster. */
void engine_auto_learn(engine_auto *engine, uint64_t pixels, int jobs, const tilecut_params *params, double ms);

/* True if a cut that failed with `status` should be repeated on the CPU: `auto` had chosen the GPU, and the GPU failed.
 * Then `log` gets a note, and the solver of `params` becomes one for the CPU. */
bool engine_falls_back(const common *asked, tilecut_status status, tilecut_params *params, notes *log);

/* Turns a failed call of the library into an exit status and a sentence. `subject` is the file or other subject of the
 * call, or NULL. EINVAL becomes EXIT_USAGE. */
int engine_failure(tilecut_status status, const char *subject, failure *why);
