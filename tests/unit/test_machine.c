/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_machine.c - the limits of control groups, read from made-up file systems: version 2, version 1, nested groups,
 * containers that see only their own group, and nonsense; and the processors of a process under mpirun.
 */
#include "machine.h" /* must precede check.h, which defines a macro fail() */
#include "mpi_bound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run_suite.h"

static char root[64];

/* Writes a file below the root, and creates its folders. */
static void put(const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(whole, 0777);
    }
    FILE *file = fopen(whole, "w");
    ck_assert_msg(file != NULL, "%s", whole);
    fputs(text, file);
    fclose(file);
}

static void begin(void)
{
    snprintf(root, sizeof root, "/tmp/test_machine.XXXXXX");
    ck_assert(mkdtemp(root) != NULL);
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

TEST(nothing_there)
{
    ck_assert(machine_quota(root) == UINT64_MAX);
    ck_assert(machine_group_memory(root) == UINT64_MAX);
}

TEST(version_2_and_the_groups_above)
{
    put("/proc/self/cgroup", "0::/user/app\n");
    put("/sys/fs/cgroup/user/app/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/user/app/memory.max", "max\n");
    put("/sys/fs/cgroup/user/app/memory.current", "1000\n");
    ck_assert(machine_quota(root) == UINT64_MAX);
    ck_assert(machine_group_memory(root) == UINT64_MAX);
    put("/sys/fs/cgroup/user/cpu.max", "250000 100000\n");
    put("/sys/fs/cgroup/user/memory.max", "5000000\n");
    put("/sys/fs/cgroup/user/memory.current", "3000000\n");
    ck_assert_uint_eq(machine_quota(root), 3);
    ck_assert_uint_eq(machine_group_memory(root), 2000000);
    /* The memory of cached file pages can be reclaimed. */
    put("/sys/fs/cgroup/user/memory.stat", "anon 1\ninactive_file 900000\nactive_file 100000\nslab 7\n");
    ck_assert_uint_eq(machine_group_memory(root), 3000000);
    put("/sys/fs/cgroup/user/app/cpu.max", "50000 100000\n");
    put("/sys/fs/cgroup/user/app/memory.max", "900\n");
    ck_assert_uint_eq(machine_quota(root), 1);
    ck_assert_uint_eq(machine_group_memory(root), 0); /* nothing is free, because more memory is used than allowed */
}

TEST(version_1)
{
    put("/proc/self/cgroup", "5:memory:/box\n4:cpuacct,cpu:/box\n1:name=systemd:/\n0::/\n");
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "8000000\n");
    put("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1000000\n");
    ck_assert(machine_quota(root) == UINT64_MAX);
    ck_assert_uint_eq(machine_group_memory(root), 7000000);
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "200000\n");
    ck_assert_uint_eq(machine_quota(root), 2);
}

/* A container may see a path that exists only on the host. Its own group is the root that it sees. */
TEST(a_container)
{
    put("/proc/self/cgroup", "4:cpu:/docker/0123\n5:memory:/docker/0123\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "400\n");
    ck_assert_uint_eq(machine_quota(root), 4);
    ck_assert_uint_eq(machine_group_memory(root), 600);
}

TEST(nonsense_does_not_limit)
{
    put("/proc/self/cgroup", "\n:::\n0::\nabc\n0::/a/b\n");
    put("/sys/fs/cgroup/cpu.max", "0 0\n");
    put("/sys/fs/cgroup/memory.max", "");
    ck_assert(machine_quota(root) == UINT64_MAX);
    ck_assert(machine_group_memory(root) == UINT64_MAX);
}

TEST(this_machine)
{
    ck_assert_int_ge(machine_processors(), 1);
    ck_assert_int_le(machine_processors(), 256);
    ck_assert(machine_memory() > 1 << 20);
    ck_assert(machine_peak() > 1 << 10);
    const double before = machine_ms();
    ck_assert(machine_ms() >= before);
    notes log = {0};
    setenv("OMP_NUM_THREADS", "5,2", 1);
    ck_assert_int_eq(machine_threads(&log), 5);
    setenv("OMP_NUM_THREADS", "100000", 1);
    ck_assert_int_eq(machine_threads(&log), 256);
    ck_assert_int_eq(log.count, 0);
    setenv("OMP_NUM_THREADS", "-3", 1);
    ck_assert_int_eq(machine_threads(&log), machine_processors());
    ck_assert_int_eq(log.count, 1);
    notes_free(&log);
}

TEST(a_name_for_the_machine)
{
    char name[640];
    unsetenv("CUDA_VISIBLE_DEVICES");
    machine_name(root, name, sizeof name);
    ck_assert_ptr_nonnull(strstr(name, "unknown processor"));
    put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Some \x01 CPU\nmodel name\t: Other\n");
    put("/proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA H200\nIRQ: 7\n");
    put("/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX 580\nGCC version: 12\n");
    machine_name(root, name, sizeof name);
    ck_assert_ptr_nonnull(strstr(name, "Some ? CPU; "));
    ck_assert_ptr_nonnull(strstr(name, "; NVIDIA H200; NVIDIA UNIX 580"));
    ck_assert_int_eq(machine_gpus(root), 0);
    put("/dev/nvidia0", "");
    ck_assert_int_eq(machine_gpus(root), 1);
    put("/dev/nvidia1", "");
    put("/dev/nvidiactl", "");
    ck_assert_int_eq(machine_gpus(root), 2);
    setenv("CUDA_VISIBLE_DEVICES", "3", 1);
    machine_name(root, name, sizeof name);
    ck_assert_ptr_nonnull(strstr(name, "; visible 3"));
    machine_name(root, name, 8);
    ck_assert_uint_eq(strlen(name), 7);
}

/* Returns a set of `count` processors: first, first + step and so on. */
static cpu_set_t some_processors(int first, int step, int count)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < count; i++) CPU_SET((size_t)(first + i * step), &set);
    return set;
}

TEST(a_process_of_mpirun)
{
    const cpu_set_t all = some_processors(10, 2, 16), third = some_processors(26, 2, 4);
    cpu_set_t own = some_processors(10, 1, 1);
    ck_assert(!mpi_widen(&all, 2, 4, 1, &own)); /* the process has enough */
    ck_assert_int_eq(CPU_COUNT(&own), 1);
    ck_assert(mpi_widen(&all, 2, 4, 4, &own)); /* widened to its share */
    ck_assert(CPU_EQUAL(&own, &third));
    own = some_processors(10, 1, 1);
    ck_assert(mpi_widen(&all, 2, 4, 0, &own)); /* 0 threads: the process gets its whole share */
    ck_assert(CPU_EQUAL(&own, &third));
    ck_assert(mpi_widen(&all, 2, 4, 5, &own)); /* the process wants more threads than its share, so it gets all */
    ck_assert(CPU_EQUAL(&own, &all));
    ck_assert(!mpi_widen(&all, 2, 4, 99, &own)); /* the process already has all processors */
    own = some_processors(10, 1, 1);
    ck_assert(!mpi_widen(&all, 30, 40, 0, &own)); /* more processes than processors */
    own = some_processors(10, 2, 8);
    ck_assert(!mpi_widen(&all, 0, 4, 0, &own)); /* nothing is widened, because several processes share a socket */
    ck_assert_int_eq(CPU_COUNT(&own), 8);
}

int main(void) { return run_suite((test_suite){.name = "machine", .set_up = begin, .tear_down = end}); }
