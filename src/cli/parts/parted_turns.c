/* SPDX-License-Identifier: MIT
 *
 * parted_turns.c - see parted_turns.h.
 */
#include "parted_turns.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAPPINGS = 4 };

struct seat {
    turns *in;
    const tilecut_exchange *inner;
    tilecut_exchange outer;
    int file;
    int count;
    struct {
        void *start;
        size_t size;
    } mapping[MAPPINGS];
};

struct turns {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool taken; /* a part has its turn */
    int parts;
    seat seats[];
};

/* ---- Turns ------------------------------------------------------------------------------------ */

void seat_begin(seat *own)
{
    turns *const all = own->in;
    pthread_mutex_lock(&all->mutex);
    while (all->taken) pthread_cond_wait(&all->changed, &all->mutex);
    all->taken = true;
    pthread_mutex_unlock(&all->mutex);
}

void seat_end(seat *own)
{
    turns *const all = own->in;
    for (int i = 0; i < own->count; i++) (void)madvise(own->mapping[i].start, own->mapping[i].size, MADV_DONTNEED);
    pthread_mutex_lock(&all->mutex);
    all->taken = false;
    pthread_cond_signal(&all->changed);
    pthread_mutex_unlock(&all->mutex);
}

static int sum(void *context, int64_t *values, size_t count)
{
    seat *const own = context;
    seat_end(own);
    const int left = own->inner->sum(own->inner->context, values, count);
    seat_begin(own);
    return left;
}

static int swap(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes)
{
    seat *const own = context;
    seat_end(own);
    const int left = own->inner->swap(own->inner->context, to_above, to_below, from_above, from_below, bytes);
    seat_begin(own);
    return left;
}

static void leave(void *context)
{
    const seat *const own = context;
    own->inner->leave(own->inner->context);
}

/* ---- Files ------------------------------------------------------------------------------------ */

/* A file that is gone when it is closed. Its folder is told in `path`, of `room` bytes. */
static int open_nameless(const char *output, char *path, size_t room)
{
    static const char name[] = "tilecut-XXXXXX";
    const char *const folder = getenv("TMPDIR"), *const slash = output ? strrchr(output, '/') : NULL;
    if (folder && *folder) snprintf(path, room, "%s/%s", folder, name);
    else if (slash) snprintf(path, room, "%.*s/%s", (int)(slash - output), output, name);
    else snprintf(path, room, "%s%s", output ? "./" : "/tmp/", name);
    const int file = mkstemp(path);
    if (file > 0) (void)unlink(path);
    return file;
}

void *seat_memory(seat *own, size_t size)
{
    const off_t page = (off_t)sysconf(_SC_PAGESIZE);
    struct stat now;
    if (own->count == MAPPINGS || fstat(own->file, &now) != 0) return NULL;
    const off_t from = (now.st_size + page - 1) / page * page;
    if (posix_fallocate(own->file, from, (off_t)size) != 0) return NULL;
    void *const start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, own->file, from);
    if (start == MAP_FAILED) return NULL;
    own->mapping[own->count].start = start;
    own->mapping[own->count++].size = size;
    return start;
}

/* ---- All of them ------------------------------------------------------------------------------ */

int turns_open(turns **out, const tilecut_exchange *inner, const char *output, failure *why)
{
    const int parts = inner->parts;
    turns *const all = calloc(1, sizeof *all + (size_t)parts * sizeof *all->seats);
    *out = NULL;
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", parts);
    pthread_mutex_init(&all->mutex, NULL);
    pthread_cond_init(&all->changed, NULL);
    for (; all->parts < parts; all->parts++) {
        char path[4096];
        seat *const own = &all->seats[all->parts];
        *own = (seat){.in = all, .inner = &inner[all->parts], .file = open_nameless(output, path, sizeof path),
                      .outer = {sizeof own->outer, all->parts, parts, own, sum, swap, leave, NULL, 0}};
        if (own->file > 0) continue;
        const int error = errno;
        turns_close(all);
        return fail(why, EXIT_RESOURCES, "%s: cannot be made for a part that waits: %s; name another folder in TMPDIR",
                    path, strerror(error));
    }
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 16); /* what a part frees is not kept for the same part */
    (void)mallopt(M_ARENA_MAX, 2);
#endif
    *out = all;
    return EXIT_DONE;
}

void turns_close(turns *all)
{
    if (!all) return;
    for (int i = 0; i < all->parts; i++) {
        seat *const own = &all->seats[i];
        for (int k = 0; k < own->count; k++) munmap(own->mapping[k].start, own->mapping[k].size);
        close(own->file);
    }
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->mutex);
    free(all);
}

seat *turns_seat(turns *all, int part)
{
    return &all->seats[part];
}

const tilecut_exchange *seat_exchange(const seat *own)
{
    return &own->outer;
}

int seat_file(const seat *own)
{
    return own->file;
}
