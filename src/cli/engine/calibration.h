/* SPDX-License-Identifier: MIT
 *
 * calibration.h - how long a cut takes on this machine's processors and on its GPU. `tilecut info --calibrate`
 * measures it once and keeps it in the user's cache folder; until then a cautious guess is used.
 *
 * The file is lines of text: "tilecut-calibration 1", `machine` (what it was measured on), `version`, `wake_ms`,
 * `fixed_ms`, `device_ns`, then a line `threads T CPU_NS GPU_NS` for each number of threads measured, and "end".
 * Without a GPU, the lines wake_ms, fixed_ms and device_ns are missing, and GPU_NS is 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

enum { CALIBRATION_ROWS = 12 };

/* Nanoseconds per pixel from capacities to a certified mask, with `threads` threads. */
typedef struct calibration_row {
    int threads;
    double cpu_ns; /* for a cut on the CPU alone                                       */
    double gpu_ns; /* for a cut on the GPU, once it is awake; 0: there was no GPU      */
} calibration_row;

typedef struct calibration {
    bool measured;     /* false: the built-in guess                                        */
    bool gpu;          /* the figures of the GPU hold                                      */
    char machine[640]; /* machine_name() of the machine that was measured                  */
    double wake_ms;    /* time to wake the GPU, once per process                           */
    double fixed_ms;   /* fixed time of each cut on the GPU, whatever its size             */
    double device_ns;  /* the part of gpu_ns in which the GPU is busy, so other cuts wait  */
    int rows;
    calibration_row row[CALIBRATION_ROWS]; /* by threads, the first for one thread           */
} calibration;

/* What is cut. A calibration is one of photos with 4 neighbours; what else takes is a multiple of that, which was
 * measured once (docs/lab/gpu.md). */
typedef enum calibration_work {
    CALIBRATION_PHOTO,  /* a photo with 4 neighbours            */
    CALIBRATION_EIGHT,  /* a photo with 8 neighbours            */
    CALIBRATION_BOX,    /* a box, without strokes               */
    CALIBRATION_VOLUME, /* pixels are voxels, with 6 neighbours */
    CALIBRATION_HOST    /* what a GPU is not faster at: masks that are corrected or refined, 26 neighbours */
} calibration_work;

/* The cuts to be done: `jobs` cuts of `pixels` pixels each. */
typedef struct calibration_load {
    uint64_t pixels;
    calibration_work work;
    int jobs, threads;
    bool awake; /* the GPU has been used in this process */
} calibration_load;

/* Milliseconds for all cuts of the load, on the CPU and on the GPU. */
double calibration_cpu_ms(const calibration *c, const calibration_load *load);
double calibration_gpu_ms(const calibration *c, const calibration_load *load);

calibration calibration_builtin(void);

/* Where the file is: $XDG_CACHE_HOME/tilecut/calibration or ~/.cache/tilecut/calibration. False: there is no such
 * folder. */
bool calibration_path(char *path, size_t room);

/* Reads a calibration from text, which may hold anything. False: not a complete calibration in this format. */
bool calibration_parse(const char *text, size_t size, calibration *out);

/* The calibration of this machine from the file; the built-in guess if there is no file. If the file cannot be used,
 * a note in `log` says so. */
calibration calibration_load_file(notes *log);

/* Writes the file, whole or not at all, and its folder; `path` says where. */
int calibration_save(const calibration *c, char *path, size_t room, failure *why);

/* Measures this machine; takes some seconds. The GPU, if there is one, must not have been used in this process. */
int calibrate(calibration *out, notes *log, failure *why);
