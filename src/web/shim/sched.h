/* SPDX-License-Identifier: MIT
 *
 * sched.h - see pthread.h: there is one thread and one processor.
 */
#ifndef WEB_SCHED_H
#define WEB_SCHED_H

#include <stddef.h>

typedef int cpu_set_t;
#define CPU_COUNT(set) ((void)(set), 1)

static inline int sched_yield(void) { return 0; }
static inline int sched_getaffinity(int who, size_t bytes, cpu_set_t *set)
{
    return (void)who, (void)bytes, *set = 1, 0;
}

#endif
