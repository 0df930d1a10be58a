/* SPDX-License-Identifier: MIT
 *
 * machine.c - see machine.h. All figures are read from /proc and /sys/fs/cgroup; a missing file means no limit. A
 * control group is also bound by the limits of the groups above it, so all groups up to the root are read.
 */
#include "machine.h"

#include <glob.h>
#include <inttypes.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "numbers.h"

enum { MOST_THREADS = 256 };

/* Reads up to two whole numbers from a file; "max" becomes UINT64_MAX. Returns how many were read. */
static int read_numbers(const char *path, uint64_t number[2])
{
    char words[2][32];
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int count = fscanf(file, "%31s %31s", words[0], words[1]);
    fclose(file);
    for (int i = 0; i < count; i++) {
        char *end;
        number[i] = strcmp(words[i], "max") ? strtoull(words[i], &end, 10) : UINT64_MAX;
        if (words[i][0] == '-') number[i] = UINT64_MAX; /* in version 1 of control groups, -1 means no limit */
    }
    return count < 0 ? 0 : count;
}

/* Finds the path of this process's group in the hierarchy of `controller` (version 1), or in the unified hierarchy
 * (""). */
static int cgroup_path(const char *root, const char *controller, char *path, size_t room)
{
    char line[1024];
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "r");
    int found = 0;
    while (file && !found && fgets(line, sizeof line, file)) {
        char *names = strchr(line, ':');
        char *where = names ? strchr(names + 1, ':') : NULL;
        if (!where) continue;
        *where++ = 0;
        where[strcspn(where, "\n")] = 0;
        char *rest = NULL;
        for (char *name = strtok_r(names + 1, ",", &rest); name && !found; name = strtok_r(NULL, ",", &rest))
            found = !strcmp(name, controller);
        if (!*controller && !names[1]) found = 1;
        if (found && (size_t)snprintf(path, room, "%s", where) >= room) found = 0;
    }
    if (file) fclose(file);
    return found;
}

typedef void visit_group(const char *folder, void *result);

/* Calls `visit` for the folder of each group from this process's own up to the root of the hierarchy. In a container,
 * that path may not be mounted; then the mounted root is this process's group. */
static void each_group(const char *root, const char *mount, const char *controller, visit_group *visit, void *result)
{
    char path[1024] = "", folder[1200];
    if (!cgroup_path(root, controller, path, sizeof path)) return;
    for (;;) {
        snprintf(folder, sizeof folder, "%s%s%s", root, mount, strcmp(path, "/") ? path : "");
        visit(folder, result);
        char *slash = strrchr(path, '/');
        if (!slash || !path[0] || !strcmp(path, "/")) return;
        *slash = 0;
    }
}

static int in_folder(const char *folder, const char *name, uint64_t number[2])
{
    char path[1300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_numbers(path, number);
}

/* ---- processors ------------------------------------------------------------------------------- */

/* Divides the share of time by the period and rounds up, because with a quota of 1.5 processors 2 threads are faster
 * than 1. */
static void quota(uint64_t share, uint64_t period, uint64_t *limit)
{
    if (share == UINT64_MAX || !period || !share) return;
    const uint64_t whole = (share + period - 1) / period;
    if (whole < *limit) *limit = whole;
}

static void visit_cpu2(const char *folder, void *limit)
{
    uint64_t number[2];
    if (in_folder(folder, "cpu.max", number) == 2) quota(number[0], number[1], limit);
}

static void visit_cpu1(const char *folder, void *limit)
{
    uint64_t share[2], period[2];
    if (in_folder(folder, "cpu.cfs_quota_us", share) >= 1 && in_folder(folder, "cpu.cfs_period_us", period) >= 1)
        quota(share[0], period[0], limit);
}

uint64_t machine_quota(const char *root)
{
    uint64_t limit = UINT64_MAX;
    each_group(root, "/sys/fs/cgroup", "", visit_cpu2, &limit);
    each_group(root, "/sys/fs/cgroup/unified", "", visit_cpu2, &limit);
    each_group(root, "/sys/fs/cgroup/cpu", "cpu", visit_cpu1, &limit);
    return limit;
}

int machine_processors(void)
{
    const uint64_t allowed_time = machine_quota("");
    uint64_t limit = MOST_THREADS;
    cpu_set_t allowed;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (!sched_getaffinity(0, sizeof allowed, &allowed))
        limit = (uint64_t)CPU_COUNT(&allowed);
    else if (online > 0) /* the machine has more processors than fit into a cpu_set_t */
        limit = (uint64_t)online;
    if (allowed_time < limit) limit = allowed_time;
    if (limit < 1) return 1;
    return limit < MOST_THREADS ? (int)limit : MOST_THREADS;
}

int machine_threads(notes *log)
{
    const char *omp = getenv("OMP_NUM_THREADS");
    char first[16];
    int64_t count;
    if (!omp || !*omp) return machine_processors();
    /* OpenMP allows a list with one number per level of nesting; tilecut uses the outermost level. */
    if (snprintf(first, sizeof first, "%.*s", (int)strcspn(omp, ","), omp) < (int)sizeof first &&
        parse_integer(first, 1, INT32_MAX, &count))
        return count < MOST_THREADS ? (int)count : MOST_THREADS;
    note(log, "OMP_NUM_THREADS: '%s' is not a number of threads; ignored", omp);
    return machine_processors();
}

/* ---- memory ----------------------------------------------------------------------------------- */

static void room_left(uint64_t limit, uint64_t used, uint64_t *least)
{
    const uint64_t left = limit > used ? limit - used : 0;
    if (limit != UINT64_MAX && left < *least) *least = left;
}

/* Returns the bytes of cached files in a group. They count as used memory, but the kernel frees them when memory is
 * needed. */
static uint64_t reclaimable(const char *folder)
{
    char path[1300], name[64];
    uint64_t value, sum = 0;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%63s %" SCNu64, name, &value) == 2)
        if (!strcmp(name, "inactive_file") || !strcmp(name, "active_file")) sum += value;
    if (file) fclose(file);
    return sum;
}

static void visit_memory(const char *folder, const char *limit_name, const char *used_name, uint64_t *least)
{
    uint64_t limit[2], used[2], without = *least;
    if (in_folder(folder, limit_name, limit) < 1 || in_folder(folder, used_name, used) < 1) return;
    room_left(limit[0], used[0], &without);
    /* This group does not lower the limit, so its cached files need not be counted, which can take 0.2 s. */
    if (without == *least) return;
    const uint64_t files = reclaimable(folder);
    room_left(limit[0], used[0] > files ? used[0] - files : 0, least);
}

static void visit_memory2(const char *folder, void *least)
{
    visit_memory(folder, "memory.max", "memory.current", least);
}

static void visit_memory1(const char *folder, void *least)
{
    visit_memory(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", least);
}

static uint64_t memory_available(void)
{
    char line[256];
    uint64_t kilobytes = UINT64_MAX / 1024;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1) break;
    if (file) fclose(file);
    return kilobytes * 1024;
}

static void room_of_address_space(uint64_t *least)
{
    struct rlimit limit;
    uint64_t pages[2];
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return;
    const uint64_t used = read_numbers("/proc/self/statm", pages) >= 1
                              ? pages[0] * (uint64_t)sysconf(_SC_PAGESIZE)
                              : 0;
    room_left((uint64_t)limit.rlim_cur, used, least);
}

static void room_of_groups(const char *root, uint64_t *least)
{
    each_group(root, "/sys/fs/cgroup", "", visit_memory2, least);
    each_group(root, "/sys/fs/cgroup/unified", "", visit_memory2, least);
    each_group(root, "/sys/fs/cgroup/memory", "memory", visit_memory1, least);
}

uint64_t machine_group_memory(const char *root)
{
    uint64_t least = UINT64_MAX;
    room_of_groups(root, &least);
    return least;
}

uint64_t machine_memory(void)
{
    uint64_t least = memory_available();
    room_of_groups("", &least);
    room_of_address_space(&least);
    return least;
}

/* ---- names ------------------------------------------------------------------------------------ */

/* Reads the text after `key` in the first line of `path` that begins with it; "" if no line does. */
static void read_line_of(const char *path, const char *key, char *text, size_t room)
{
    char line[256];
    FILE *file = fopen(path, "r");
    text[0] = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key))) continue;
        const char *value = line + strlen(key);
        value += strspn(value, " \t:");
        snprintf(text, room, "%.*s", (int)strcspn(value, "\r\n"), value);
        break;
    }
    if (file) fclose(file);
}

void machine_name(const char *root, char *text, size_t room)
{
    enum { GPUS = 8 };
    char path[1300], pattern[1100], cpu[100], line[100], gpu[400] = "";
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    glob_t found = {0};

    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    read_line_of(path, "model name", cpu, sizeof cpu);
    snprintf(pattern, sizeof pattern, "%s/proc/driver/nvidia/gpus/*/information", root);
    if (!glob(pattern, 0, NULL, &found)) {
        for (size_t i = 0; i < found.gl_pathc && i < GPUS; i++) {
            const size_t used = strlen(gpu);
            read_line_of(found.gl_pathv[i], "Model", line, sizeof line);
            snprintf(gpu + used, sizeof gpu - used, "; %s", line);
        }
        globfree(&found);
    }
    snprintf(path, sizeof path, "%s/proc/driver/nvidia/version", root);
    read_line_of(path, "NVRM version", line, sizeof line);
    snprintf(text, room, "%s; %d processors%s; %s%s%s", *cpu ? cpu : "unknown processor", machine_processors(), gpu,
             *line ? line : "no driver listed", visible ? "; visible " : "", visible ? visible : "");
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~') *c = '?';
}

bool machine_has_gpu(void)
{
    static const char *const marks[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-gpu", "/dev/nvgpu"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!access(marks[i], F_OK)) return true;
    return false;
}

int machine_gpus(const char *root)
{
    char pattern[512];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/dev/nvidia[0-9]*", root);
    const int count = glob(pattern, 0, NULL, &found) ? 0 : (int)found.gl_pathc;
    globfree(&found);
    return count;
}

uint64_t machine_peak(void)
{
    struct rusage usage;
    char text[40];
    read_line_of("/proc/self/status", "VmHWM", text, sizeof text);
    const unsigned long long own = strtoull(text, NULL, 10); /* kB */
    if (own) return (uint64_t)own * 1024;
    /* may include memory of the parent process from before this program started */
    if (getrusage(RUSAGE_SELF, &usage)) return 0;
    return (uint64_t)usage.ru_maxrss * 1024;
}

double machine_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

void machine_keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the largest value that glibc allows */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

void machine_return_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
