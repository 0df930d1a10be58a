/* SPDX-License-Identifier: MIT
 *
 * lost_power.c - killed.sh loads this into the program to simulate a disk that forgets. When a file gets its name, the
 * bytes that fsync() has not brought to the disk are cut off, as may happen if the machine loses power.
 *
 *     LOST_KILL=N     sends SIGKILL just before the N-th file gets its name; with N + 0.5, right after it
 *     LOST_NAMED=1    files without names (O_TMPFILE) are not available
 *     LOST_PAUSE=FILE fsync() creates FILE and waits for signals
 *     LOST_SLOW=FILE  creating a temporary file also creates FILE and takes .1 s, removing one .4 s, and fsync() 1 s
 *     LOST_NEVER=1    fsync() does nothing, so files are empty when they get their names, which killed.sh must notice
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4096 };

/* Files with data that is not on the disk yet. */
static struct { dev_t disk; ino_t number; } dirty[MOST];
static int dirty_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int named;

static void mark(const struct stat *about, int is)
{
    if (!S_ISREG(about->st_mode)) return;
    pthread_mutex_lock(&mutex);
    int i = 0;
    while (i < dirty_count && (dirty[i].disk != about->st_dev || dirty[i].number != about->st_ino)) i++;
    if (is && i == dirty_count) {
        if (i == MOST) abort();
        dirty[i].disk = about->st_dev, dirty[i].number = about->st_ino, dirty_count++;
    }
    if (!is && i < dirty_count) dirty[i] = dirty[--dirty_count];
    pthread_mutex_unlock(&mutex);
}

static int is_dirty(const struct stat *about)
{
    int is = 0;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < dirty_count; i++) is |= dirty[i].disk == about->st_dev && dirty[i].number == about->st_ino;
    pthread_mutex_unlock(&mutex);
    return is;
}

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    if (getenv("LOST_NAMED") && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (getenv("LOST_SLOW") && (flags & O_EXCL) && strstr(path, ".tilecut-")) {
        close(creat(getenv("LOST_SLOW"), 0666));
        usleep(100000);
    }
    return real(path, flags, mode);
}

int unlink(const char *path)
{
    static int (*real)(const char *);
    if (!real) real = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    const int result = real(path), error = errno;
    if (getenv("LOST_SLOW")) usleep(400000);
    errno = error;
    return result;
}

ssize_t write(int file, const void *from, size_t size)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    struct stat about;
    if (fstat(file, &about) == 0) mark(&about, 1);
    return real(file, from, size);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t at)
{
    static ssize_t (*real)(int, const void *, size_t, off_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
    struct stat about;
    if (fstat(file, &about) == 0) mark(&about, 1);
    return real(file, from, size, at);
}

int fsync(int file)
{
    static int (*real)(int);
    const char *const pause_file = getenv("LOST_PAUSE");
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (pause_file) {
        close(creat(pause_file, 0666));
        pause();
    }
    if (getenv("LOST_SLOW")) usleep(1000000);
    struct stat about;
    if (!getenv("LOST_NEVER") && fstat(file, &about) == 0) mark(&about, 0);
    return real(file);
}

static void forget(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && is_dirty(&about) && truncate(path, 0) != 0) abort();
}

static void die_at(double moment)
{
    const char *const at = getenv("LOST_KILL");
    if (at && atof(at) == moment) raise(SIGKILL);
}

int rename(const char *from, const char *to)
{
    static int (*real)(const char *, const char *);
    const int now = ++named;
    if (!real) real = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    forget(from);
    die_at(now);
    const int result = real(from, to);
    die_at(now + 0.5);
    return result;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    static int (*real)(int, const char *, int, const char *, int);
    const int now = ++named;
    if (!real) real = (int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT, "linkat");
    forget(from);
    die_at(now);
    const int result = real(from_folder, from, to_folder, to, flags);
    die_at(now + 0.5);
    return result;
}
