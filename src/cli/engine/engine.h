/* SPDX-License-Identifier: MIT
 *
 * engine.h - from the options --threads, --device and --solver to what the library wants, and from its
 * statuses to exit statuses. For every verb that solves something.
 */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calibration.h"
#include "failure.h"
#include "options.h"
#include "tilecut.h"

/* Sets solver, threads, device and cancel (signals_flag) of `params`; the rest is left alone. EXIT_RESOURCES
 * when a device was asked for by name that is not there. */
int engine_choose(const common *asked, tilecut_params *params, notes *log, failure *why);

/* What `--device auto` takes on a GPU. */
#define ENGINE_GPU_SOLVER "cuda"

/* `--device auto`: who solves, decided cut by cut. */
typedef struct engine_auto {
    bool open;    /* the GPU may be taken: it is in this build, and nobody named a device or a solver */
    bool awake;   /* it has been woken                                                                */
    calibration known;
} engine_auto;

/* After engine_choose(); `connectivity` is that of all cuts to come. Wakes no GPU, and reads no file unless the
 * machine has one. */
void engine_auto_init(engine_auto *engine, const common *asked, int connectivity, notes *log);

/* Decides for the next of `jobs` cuts of about `pixels` pixels: sets the solver of `params`, whose `threads` may
 * be shared among the jobs. `reason` is one line for -v, "" where there was no choice. */
void engine_auto_plan(engine_auto *engine, uint64_t pixels, int jobs, tilecut_params *params, char *reason,
                      size_t room);

/* Whether a cut that failed with `status` is to be done again on the CPU: `auto` had chosen the GPU, and the GPU
 * is what failed. Then a note is in `log` and the solver of `params` is the CPU's. */
bool engine_falls_back(const common *asked, tilecut_status status, tilecut_params *params, notes *log);

/* Turns a failed call of the library into an exit status and a sentence; `subject` is the file or whatever
 * it was about, or NULL. EINVAL becomes EXIT_USAGE. */
int engine_failure(tilecut_status status, const char *subject, failure *why);

#endif
