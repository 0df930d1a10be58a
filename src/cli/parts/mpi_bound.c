/* SPDX-License-Identifier: MIT */
#include "mpi_bound.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

bool mpi_widen(const cpu_set_t *all, int number, int count, int threads, cpu_set_t *own)
{
    const int there = CPU_COUNT(all), share = there / count, wanted = threads ? threads : share;
    const int from = (int)((int64_t)there * number / count), end = (int)((int64_t)there * (number + 1) / count);
    const bool some = wanted <= end - from;
    int place = 0;
    if (wanted <= CPU_COUNT(own) || CPU_COUNT(own) >= there) return false;
    CPU_ZERO(own);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, all)) continue;
        if (!some || (place >= from && place < end)) CPU_SET(cpu, own);
        place++;
    }
    return true;
}

int mpi_variable(const char *name, int none)
{
    const char *const text = getenv(name);
    return text ? atoi(text) : none;
}

int mpi_take_processors(int threads)
{
    const int number = mpi_variable("OMPI_COMM_WORLD_LOCAL_RANK", -1);
    const int count = mpi_variable("OMPI_COMM_WORLD_LOCAL_SIZE", 0);
    cpu_set_t all, own;
    if (!mpi_variable("OMPI_MCA_orte_bound_at_launch", 0) || getenv("OMPI_MCA_hwloc_base_binding_policy")) return 0;
    if (number < 0 || number >= count) return 0;
    if (sched_getaffinity(getppid(), sizeof all, &all) || sched_getaffinity(0, sizeof own, &own)) return 0;
    if (!mpi_widen(&all, number, count, threads, &own) || sched_setaffinity(0, sizeof own, &own)) return 0;
    return CPU_COUNT(&own);
}
