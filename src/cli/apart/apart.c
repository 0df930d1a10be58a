/* SPDX-License-Identifier: MIT */
#include "apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- The program ------------------------------------------------------------------------------ */

/* Starts one child at a time. Two children started at once could each inherit the other's end of a socket; closing that
 * end would then no longer show that the other child is gone. */
bool apart_start(apart *a, void (*work)(int socket, void *context), void *context)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    int ends[2];
    pthread_mutex_lock(&turn);
    const bool paired = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    a->child = paired ? fork() : -1;
    if (a->child == 0) {
        close(ends[0]);
        work(ends[1], context);
        _exit(0);
    }
    if (paired) close(ends[1]);
    if (paired && a->child < 0) close(ends[0]);
    a->socket = paired ? ends[0] : -1;
    a->stuck = false;
    pthread_mutex_unlock(&turn);
    return a->child > 0;
}

int apart_finish(apart *a)
{
    int ending = 0;
    close(a->socket);
    while (waitpid(a->child, &ending, 0) < 0 && errno == EINTR) {}
    return ending;
}

static double seconds_of(clockid_t clock)
{
    struct timespec now = {0};
    return clock_gettime(clock, &now) ? 0 : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A time limit is needed because a decoder's threads can deadlock, and a loop over a damaged file may never end. */
bool apart_receive_answer(apart *a, double most, void *out, size_t size)
{
    enum { PATIENCE = 10, SECOND = 1000 };
    struct pollfd answer = {.fd = a->socket, .events = POLLIN};
    clockid_t its;
    int idle = 0;
    if (!clock_getcpuclockid(a->child, &its)) {
        const double begun = seconds_of(its);
        double worked = begun;
        for (int ready = 0; ready <= 0 && !a->stuck;) {
            ready = poll(&answer, 1, SECOND);
            const double now = seconds_of(its);
            idle = !ready && !(now > worked) ? idle + 1 : 0;
            worked = now;
            a->stuck = ready <= 0 && (idle == PATIENCE || (most > 0 && worked - begun > most));
        }
    }
    if (a->stuck) kill(a->child, SIGKILL);
    return !a->stuck && apart_receive(a->socket, out, size);
}

/* ---- Both ------------------------------------------------------------------------------------- */

bool apart_send(int socket, const void *data, size_t size)
{
    const uint8_t *from = data;
    while (size) {
        const ssize_t sent = send(socket, from, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        from += sent;
        size -= (size_t)sent;
    }
    return true;
}

bool apart_receive(int socket, void *data, size_t size)
{
    uint8_t *to = data;
    while (size) {
        const ssize_t got = recv(socket, to, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        size -= (size_t)got;
    }
    return true;
}

/* ---- The child -------------------------------------------------------------------------------- */

void apart_withdraw(void)
{
    const struct rlimit none = {0, 0};
    const int nothing = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    for (int stream = 0; nothing >= 0 && stream < 3; stream++) dup2(nothing, stream);
    setrlimit(RLIMIT_CORE, &none);
}

void apart_limit_memory(uint64_t bytes)
{
    enum { DATA = 5, ROOM = 256 << 20 };
    static rlim_t given; /* the process's data limit before the first call */
    unsigned long long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "re");
    if (!file) return;
    for (int i = 0; i <= DATA; i++)
        if (fscanf(file, "%llu", &pages) != 1) pages = 0;
    const rlim_t most = (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) + bytes + ROOM);
    struct rlimit now;
    if (pages && !getrlimit(RLIMIT_DATA, &now)) {
        if (!given) given = now.rlim_cur;
        now.rlim_cur = given < most ? given : most;
        setrlimit(RLIMIT_DATA, &now);
    }
    fclose(file);
}

/* ---- Objects ---------------------------------------------------------------------------------- */

bool apart_find_object(const char *name, char path[PATH_MAX])
{
    static const char *const places[] = {"", "../lib/tilecut/"};
    char self[PATH_MAX / 2];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = '\0';
    char *const slash = strrchr(self, '/');
    if (slash) slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, PATH_MAX, "%s%s%s", self, places[i], name);
        if (access(path, R_OK) == 0) return true;
    }
    return false;
}
