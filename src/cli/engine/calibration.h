/* SPDX-License-Identifier: MIT
 *
 * calibration.h - how long a cut takes on this machine's processors and on its GPU: measured once by
 * `tilecut info --calibrate`, kept in the user's cache folder, and a guess on the cautious side until then.
 *
 * The file is lines of text: "tilecut-calibration 1", `machine` (what it was measured on), `version`, `wake_ms`,
 * `fixed_ms`, `device_ns`, a line `threads T CPU_NS GPU_NS` for each number of threads measured, and "end".
 * Without a GPU the three before the threads are missing and GPU_NS is 0.
 */
#ifndef CLI_CALIBRATION_H
#define CLI_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

enum { CALIBRATION_ROWS = 12 };

/* Nanoseconds a pixel, from capacities to a certified mask, with so many threads. */
typedef struct calibration_row {
    int threads;
    double cpu_ns; /* all on the CPU                                                   */
    double gpu_ns; /* solved on the GPU, which is awake; 0: there was none             */
} calibration_row;

typedef struct calibration {
    bool measured;     /* false: the built-in guess                                        */
    bool gpu;          /* the figures of the GPU hold                                      */
    char machine[640]; /* machine_name() of where it was measured                          */
    double wake_ms;    /* once in a process                                                */
    double fixed_ms;   /* each cut on the GPU, however small                               */
    double device_ns;  /* a pixel, of gpu_ns: what one cut keeps the GPU from others       */
    int rows;
    calibration_row row[CALIBRATION_ROWS]; /* by threads, the first for one thread           */
} calibration;

/* Cuts that are to be done: `jobs` like one of `pixels` pixels. */
typedef struct calibration_load {
    uint64_t pixels;
    int jobs, threads;
    bool awake; /* the GPU has been used in this process */
} calibration_load;

/* Milliseconds for all of them, on the CPU and on the GPU. */
double calibration_cpu_ms(const calibration *c, const calibration_load *load);
double calibration_gpu_ms(const calibration *c, const calibration_load *load);

calibration calibration_builtin(void);

/* Where the file is: $XDG_CACHE_HOME/tilecut/calibration or ~/.cache/tilecut/calibration. False: there is no
 * such folder. */
bool calibration_path(char *path, size_t room);

/* From text, which may hold anything. False: it is no calibration of this version of the format, or not whole. */
bool calibration_parse(const char *text, size_t size, calibration *out);

/* What the file says of this machine; the built-in guess when there is none. One note in `log` when there is a
 * file that cannot be used. */
calibration calibration_load_file(notes *log);

/* Writes the file, whole or not at all, and its folder; `path` says where. */
int calibration_save(const calibration *c, char *path, size_t room, failure *why);

/* Measures this machine; takes some seconds. The GPU, if there is one, must not have been used in this process. */
int calibrate(calibration *out, notes *log, failure *why);

#endif
