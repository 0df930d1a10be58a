/* SPDX-License-Identifier: MIT
 *
 * machine.h - how many processors and how much memory this process may use, including the limits that schedulers and
 * containers set.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "failure.h"

/* The number of processors allowed by affinity and by the CPU quota of the control group (version 1 or 2), 1 .. 256. */
int machine_processors(void);

/* The default for --threads: OMP_NUM_THREADS if that is a number, else machine_processors(). A note in `log` says so
 * if OMP_NUM_THREADS is set to something else. */
int machine_threads(notes *log);

/* Bytes of memory that can be taken without swapping, within the limits of control groups and RLIMIT_AS. UINT64_MAX:
 * unknown. */
uint64_t machine_memory(void);

/* What control groups allow: the number of processors, rounded up, and the bytes that may still be taken. The two
 * functions above use them. `root` is the folder in which the file system begins; "" for the real one. UINT64_MAX: no
 * limit. */
uint64_t machine_quota(const char *root);
uint64_t machine_group_memory(const char *root);

/* Makes malloc() keep freed memory for later allocations. If it were given back, the system would clear its pages
 * before they are used again. */
void machine_keep_memory(void);

/* Makes malloc() give back freed blocks of 1 MB or more from now on. Otherwise it raises its limit and keeps blocks of
 * up to 32 MB, which is much memory next to a large photo. */
void machine_return_memory(void);

/* Asks for large pages in memory that is not touched yet. The first touch of each page costs a trap into the system,
 * and a large photo takes a hundred thousand small pages. Returns `memory`, which may be NULL. The library has this
 * function too (large.h), but the program includes only the library's public headers. */
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

/* The most bytes of memory that this process has held so far. */
uint64_t machine_peak(void);

/* One line that identifies this machine: the processor, how many processors may be used, GPUs and their driver. Read
 * from files below `root` ("" for the real ones), so that no GPU is woken. */
void machine_name(const char *root, char *text, size_t room);

/* Whether /dev shows a driver for a GPU. This wakes no GPU. */
bool machine_has_gpu(void);

/* Milliseconds since some fixed moment; never goes back. */
double machine_ms(void);
