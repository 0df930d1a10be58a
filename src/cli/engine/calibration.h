/* SPDX-License-Identifier: MIT
 *
 * calibration.h - the time of a cut on this machine's processors and on its GPU. `tilecut info --calibrate` measures it
 * once and keeps it in the user's cache folder; without a measurement cautious built-in figures are used.
 *
 * The file is lines of text: "tilecut-calibration 1", `machine` (the machine that was measured), `version`, `wake_ms`,
 * `fixed_ms`, `device_ns`, then a line `threads T CPU_NS GPU_NS` for each number of threads measured, and "end". If
 * there is no GPU, the lines wake_ms, fixed_ms and device_ns are missing, and GPU_NS is 0.
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
    double cpu_ns; /* nanoseconds per pixel of a cut on the CPU alone                            */
    double gpu_ns; /* nanoseconds per pixel of a cut on a GPU that is awake; 0: there was no GPU */
} calibration_row;

typedef struct calibration {
    bool measured;     /* true: the figures were measured; false: they are built in                          */
    bool gpu;          /* true: there was a GPU, so its figures are valid                                    */
    char machine[640]; /* name of the measured machine, from machine_name()                                  */
    double wake_ms;    /* milliseconds to wake the GPU, once per process                                     */
    double fixed_ms;   /* milliseconds that each cut on the GPU takes, whatever its size                     */
    double device_ns;  /* nanoseconds per pixel in which the GPU is busy and other cuts wait; part of gpu_ns */
    int rows;
    /* figures by number of threads, in ascending order; the first row is for one thread */
    calibration_row row[CALIBRATION_ROWS];
} calibration;

/* The kind of cut. A calibration measures photos with 4 neighbours; the other kinds take a fixed multiple of that time,
 * which was measured once (docs/lab/gpu.md). */
typedef enum calibration_work {
    CALIBRATION_PHOTO,  /* a photo with 4 neighbours                                   */
    CALIBRATION_EIGHT,  /* a photo with 8 neighbours                                   */
    CALIBRATION_BOX,    /* a photo with a box and no strokes                           */
    CALIBRATION_VOLUME, /* a volume with 6 neighbours; figures per pixel are per voxel */
    CALIBRATION_HOST    /* work that a GPU does not make faster: corrected or refined masks, 26 neighbours */
} calibration_work;

/* The cuts to be done: `jobs` cuts of `pixels` pixels each. */
typedef struct calibration_load {
    uint64_t pixels;
    calibration_work work;
    int jobs, threads;
    bool awake; /* true: the GPU has been used in this process */
} calibration_load;

/* Return the milliseconds for all cuts of the load, on the CPU and on the GPU. */
double calibration_cpu_ms(const calibration *c, const calibration_load *load);
double calibration_gpu_ms(const calibration *c, const calibration_load *load);

calibration calibration_builtin(void);

/* Writes the path of the file: $XDG_CACHE_HOME/tilecut/calibration or ~/.cache/tilecut/calibration. Returns false if
 * neither variable is set, or the path is too long. */
bool calibration_path(char *path, size_t room);

/* Reads a calibration from arbitrary text. Returns false if the text is not a complete calibration in this format. */
bool calibration_parse(const char *text, size_t size, calibration *out);

/* Returns this machine's calibration from the file, or the built-in figures if there is no file. A note in `log` says
 * if the file cannot be used. */
calibration calibration_load_file(notes *log);

/* Writes the file, whole or not at all, and makes its folder. `path` becomes the path of the file. */
int calibration_save(const calibration *c, char *path, size_t room, failure *why);

/* Returns how many times as long as usual a small cut takes on this machine's processors with that many threads; the
 * CPU's built-in figures are to be multiplied by it. It takes some 10 ms the first time in a process; later the result
 * is known. */
double calibrate_processor(int threads);

/* Measures this machine, which takes some seconds. The GPU, if there is one, must not have been used in
 * this process. */
int calibrate(calibration *out, notes *log, failure *why);
