/* SPDX-License-Identifier: MIT
 *
 * machine.h - what this process may use of the machine: processors and memory, with the limits that
 * schedulers and containers set.
 */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

/* Processors that affinity and the CPU quota of the control group (version 1 or 2) allow, 1 .. 256. */
int machine_processors(void);

/* The default for --threads: OMP_NUM_THREADS if it is set to a number (a note in `log` says so if it is set to
 * anything else), else machine_processors(). */
int machine_threads(notes *log);

/* Bytes of memory that can be had without swapping, after control groups and RLIMIT_AS; UINT64_MAX when
 * nothing says. */
uint64_t machine_memory(void);

/* The share of control groups in the two above, for a file system that begins at `root` ("" is the real
 * one): processors' worth of time, rounded up, and bytes that may still be taken; UINT64_MAX: no limit. */
uint64_t machine_quota(const char *root);
uint64_t machine_group_memory(const char *root);

/* Asks malloc() to keep what is freed for who comes next, instead of giving pages back to be cleared again. */
void machine_keep_memory(void);

/* Most bytes of memory that this process ever held. */
uint64_t machine_peak(void);

/* What tells this machine from another, on one line: processor, how many of it may be used, GPUs and their driver.
 * Read from files below `root` ("" is the real one); no GPU is woken. */
void machine_name(const char *root, char *text, size_t room);

/* Whether the driver of a GPU has left its marks in /dev; no GPU is woken. */
bool machine_has_gpu(void);

/* Milliseconds since some fixed moment; never goes back. */
double machine_ms(void);

#endif
