/* SPDX-License-Identifier: MIT
 *
 * machine.h - finds out how many processors and how much memory this process may use, within the limits that schedulers
 * and containers set.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "failure.h"

/* Returns the number of processors allowed by affinity and by the CPU quota of the control group (version 1 or 2), 1 ..
 * 256. */
int machine_processors(void);

/* Returns the default for --threads: OMP_NUM_THREADS if that is a number, else machine_processors(). If OMP_NUM_THREADS
 * is set to something else, adds a note to `log`. */
int machine_threads(notes *log);

/* Returns the bytes of memory that can be taken without swapping, within the limits of control groups and RLIMIT_AS;
 * UINT64_MAX if unknown. */
uint64_t machine_memory(void);

/* Return what control groups allow: the number of processors, rounded up, and the bytes that may still be taken;
 * UINT64_MAX: no limit. The two functions above use them. `root` is the folder in which the file system begins; "" for
 * the real one. */
uint64_t machine_quota(const char *root);
uint64_t machine_group_memory(const char *root);

/* Makes malloc() keep freed memory for later allocations, because the system clears the pages of memory that was given
 * back. */
void machine_keep_memory(void);

/* Makes malloc() give freed blocks of 1 MB or more back to the system. Otherwise it raises its limit and keeps blocks
 * of up to 32 MB, which is much memory next to a large photo. */
void machine_return_memory(void);

/* Asks for large pages in memory that has not been used yet. The first access to each page traps into the system, and a
 * large photo has a hundred thousand small pages. Returns `memory`, which may be NULL. The library has this function,
 * too (large.h), but the program includes only the library's public headers. */
static inline void *machine_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)1 << 21;
    const uintptr_t from = ((uintptr_t)memory + page - 1) & ~(uintptr_t)(page - 1), to = (uintptr_t)memory + size;
    if (memory && from + page <= to) (void)madvise((void *)from, (to - from) & ~(page - 1), MADV_HUGEPAGE);
#else
    (void)size;
#endif
    return memory;
}

/* Returns the most bytes of memory that this process has had at any time. */
uint64_t machine_peak(void);

/* Writes one line that identifies this machine: its processor, how many processors may be used, GPUs and their driver.
 * Reads files below `root` ("" for the real ones), so that no GPU is woken. */
void machine_name(const char *root, char *text, size_t room);

/* True if /dev shows a driver for a GPU. This wakes no GPU. */
bool machine_has_gpu(void);

/* Returns how many GPUs the driver shows in /dev below `root`; 0 if it shows none there, as under WSL. This wakes
 * none. */
int machine_gpus(const char *root);

/* Returns milliseconds since some fixed moment; never goes back. */
double machine_ms(void);
