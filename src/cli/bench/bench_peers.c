/* SPDX-License-Identifier: MIT
 *
 * bench_peers.c - peer programs (tools/peers/): finds them, runs them on a file and reads the one line that each
 * prints.
 */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "machine.h"
#include "signals.h"

extern char **environ;

const bench_peer bench_peers[] = {
    {"bk", "libmaxflow-dev", "bk", BENCH_GRIDS, true, NULL},
    {"boost", "libboost-graph-dev", "boost", BENCH_GRIDS, true, NULL},
    {"lemon", "liblemon-dev", "lemon", BENCH_GRIDS, true, NULL},
    {"igraph", "libigraph-dev", "igraph", BENCH_GRIDS, false, NULL},
    {"bk", "libmaxflow-dev", "network-bk", BENCH_FLOWS, true, NULL},
    {"boost", "libboost-graph-dev", "network-boost", BENCH_FLOWS, true, NULL},
    {"lemon", "liblemon-dev", "network-lemon", BENCH_FLOWS | BENCH_PAIRS, true, NULL},
    {"igraph", "libigraph-dev", "network-igraph", BENCH_FLOWS | 1 << BENCH_MATCH, false, NULL},
    {"scipy", "python3-scipy", "network-scipy", BENCH_FLOWS | BENCH_PAIRS, false, NULL},
    {"wbpr", "python3-numpy", "network-wbpr", BENCH_FLOWS, false, "TILECUT_WBPR"},
    {"bk", "libmaxflow-dev", "labels-bk", BENCH_LABELLINGS, true, NULL},
    {"expansion", NULL, NULL, BENCH_LABELLINGS, true, NULL},
    {"swap", NULL, NULL, BENCH_LABELLINGS, true, NULL},
    {"icm", NULL, NULL, BENCH_LABELLINGS, true, NULL},
    {"trws", NULL, NULL, BENCH_LABELLINGS, true, NULL},
    {NULL, NULL, NULL, 0, false, NULL},
};

/* Looks in the folder TILECUT_PEERS or, if that is unset, in peers/ beside the program, where `make peers`
 * puts the peers. */
bool bench_peer_find(const bench_peer *peer, char *path, size_t room)
{
    char self[PATH_MAX];
    const char *folder = getenv("TILECUT_PEERS");
    if (!peer->program) return true;
    if (folder && *folder)
        return snprintf(path, room, "%s/%s", folder, peer->program) < (int)room && !access(path, X_OK);
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = 0;
    char *slash = strrchr(self, '/');
    if (!slash) return false;
    *slash = 0;
    return snprintf(path, room, "%s/peers/%s", self, peer->program) < (int)room && !access(path, X_OK);
}

/* Starts a peer in a process group of its own, with its standard output in a pipe. */
static bool start_peer(const char *path, const char *graph, const char *mask, pid_t *child, int *output)
{
    char *argv[] = {(char *)(uintptr_t)path, (char *)(uintptr_t)graph, (char *)(uintptr_t)mask, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return false;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int failed = posix_spawn(child, path, &files, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (failed) close(ends[0]);
    *output = ends[0];
    return !failed;
}

enum { WALL_LIMIT = 10 }; /* a peer may take this many times its limit of processor time by the clock */

/* Returns true if a peer has run for more than `seconds` since `start`, and writes why. Under tools/processor-time only
 * its processor time counts, but a peer that sleeps ends after WALL_LIMIT times that long. */
static bool took_too_long(pid_t child, double start, double seconds, bench_row *row)
{
    clockid_t clock;
    struct timespec used;
    const double waited = (machine_ms() - start) / 1e3; /* poll() waits for the peer, so this is time by the clock */
    const bool processor = getenv("TILECUT_PROCESSOR_TIME") && !clock_getcpuclockid(child, &clock) &&
                           !clock_gettime(clock, &used);
    const double taken = processor ? (double)used.tv_sec + (double)used.tv_nsec / 1e9 : waited;
    if (taken > seconds)
        snprintf(row->reason, sizeof row->reason, "took more than %g s", seconds);
    else if (waited > seconds * WALL_LIMIT)
        snprintf(row->reason, sizeof row->reason, "took more than %g s by the clock", seconds * WALL_LIMIT);
    else return false;
    return row->overtime = true;
}

/* Collects the peer's output until the peer ends. Returns false if a time limit passes, which `row` then says, or a
 * signal comes first. */
static bool collect_output(pid_t child, int output, double seconds, bench_row *row, char *text, size_t room)
{
    const double start = machine_ms();
    size_t used = 0;
    for (;;) {
        struct pollfd waiting = {.fd = output, .events = POLLIN};
        if (signals_caught || took_too_long(child, start, seconds, row)) return false;
        if (poll(&waiting, 1, 100) <= 0) continue;
        const ssize_t got = read(output, text + used, room - 1 - used);
        if (got <= 0) break;
        used += (size_t)got;
        if (used == room - 1) break;
    }
    text[used] = 0;
    return true;
}

static bool hash_mask(const char *path, size_t pixels, char text[SHA256_TEXT])
{
    bytes file = {0};
    failure ignored = {0};
    const bool whole = file_read(path, pixels, &file, &ignored) == EXIT_DONE && file.size == pixels;
    if (whole) sha256(file.data, file.size, text);
    bytes_free(&file);
    return whole;
}

bool bench_run_peer(const bench_peer *peer, const char *graph, const char *mask, double seconds, bench_row *row,
                    bench_times *times)
{
    static const char no[] = "no: ";
    char path[PATH_MAX], text[400] = "", name[32];
    const size_t nodes = (size_t)row->nodes;
    double memory;
    long long flow;
    pid_t child;
    int output, ending = 0;
    if (!bench_peer_find(peer, path, sizeof path) ||
        !start_peer(path, graph, peer->masks ? mask : NULL, &child, &output)) {
        snprintf(row->reason, sizeof row->reason, "cannot be started");
        return false;
    }
    const bool heard = collect_output(child, output, seconds, row, text, sizeof text);
    close(output);
    if (!heard) kill(-child, SIGKILL);
    while (waitpid(child, &ending, 0) < 0 && !signals_caught) {}
    if (!heard) return false;
    if (!strncmp(text, no, sizeof no - 1)) { /* the peer cannot hold this instance, or has no algorithm for it */
        text[strcspn(text, "\n")] = 0;
        snprintf(row->reason, sizeof row->reason, "%.100s", text + sizeof no - 1);
        row->unwanted = true;
        return false;
    }
    if (!WIFEXITED(ending) || WEXITSTATUS(ending) || sscanf(text, "%31s build_ms=%lf solve_ms=%lf bytes=%lf flow=%lld",
                                                            name, &times->build, &times->solve, &memory, &flow) != 5) {
        snprintf(row->reason, sizeof row->reason, "failed; is there enough memory?");
        return false;
    }
    times->copy = 0;
    times->all = times->build + times->solve;
    row->flow = flow;
    row->certified = -1;
    row->device = "cpu";
    row->bytes_per_pixel = memory / fmax(1, bench_size(row));
    if (peer->masks && !hash_mask(mask, nodes, row->mask_sha256)) row->mask_sha256[0] = 0;
    return true;
}
