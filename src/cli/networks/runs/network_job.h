/* SPDX-License-Identifier: MIT
 *
 * network_job.h - the common part of `match`, `assign` and `bfs`, from reading a graph to writing the JSON. Their steps
 * contain the differences.
 */
#pragma once

#include "engine.h"
#include "json.h"
#include "network_file.h"
#include "options.h"

typedef struct network_job {
    const common *common;
    const char *path;
    const char *lines;   /* an option that was given and prints lines below the result; NULL: none */
    network_reading options;/* how to read the file; most_bytes 0 stands for the free memory */
    saved_network saved;
    notes notes;
    bool solved;
    double start_ms, read_ms, build_ms, solve_ms, certify_ms;
} network_job;

/* A step of a verb; `work` is the verb's own struct. Returns EXIT_DONE, or another status with a sentence in `why`. */
typedef int network_step(void *work, failure *why);

typedef struct network_steps {
    network_step *check; /* checks the options before anything is read */
    network_step *take;  /* takes over the graph that was read, and describes it for -v */
    network_step *solve; /* solves, and ends with network_job_solved() */
    network_step *print; /* prints lines on standard output, unless the JSON goes there */
    void (*json)(json *out, const void *work); /* writes the keys of a solved graph */
} network_steps;

/* Runs the steps in order. Writes the JSON last, even after a failure. */
int network_job_run(network_job *job, const network_steps *steps, void *work, failure *why);

/* With -v, prints a stage: its name, its milliseconds, and what it did. */
void network_stage(const common *options, const char *name, double ms, const char *what);

/* Writes a value such as a flow in the file's scale, as a number. */
void network_json_value(json *out, const char *key, int64_t value, const saved_network *saved);

/* Stores the times of a solved graph for the JSON and prints them with -v; `found` and `proof` describe the result. */
void network_job_solved(network_job *job, double build_ms, double solve_ms, double certify_ms, const char *found,
                        const char *proof);
void network_job_free(network_job *job);

extern const solver_table network_solvers, network_matchers, network_assigners;

/* Returns EXIT_RESOURCES if there is no CUDA device although `wanted`, the value of the option --FLAG or NULL, is a
 * solver of the table that needs one. */
int network_device_check(const char *flag, const char *wanted, const solver_table *table, failure *why);
