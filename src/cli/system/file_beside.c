/* SPDX-License-Identifier: MIT
 *
 * file_beside.c - see file_beside.h.
 *
 * The names of temporary files are kept in a fixed table, so that a signal handler can remove the files. A slot is
 * FREE, CLAIMED (in use, but without a name yet), ARMING (its file is just being made) or ARMED (the handler is to
 * remove its path). While one thread runs the handler, the other threads go on. They make no new files, because
 * `ending` is set; the handler waits for a file that is just being made.
 *
 * Each temporary file is locked (flock) as long as it exists. A file with such a name that is not locked was left by a
 * killed run; the next run that writes to the folder removes it.
 */
#include "file_beside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "folders.h"

enum { FREE, CLAIMED, ARMING, ARMED };

struct beside {
    atomic_int state;
    char path[PATH_MAX];
};

static beside files[32];
static atomic_bool ending; /* a signal handler has run and the program is about to end */

void file_remove_temporaries(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const int error = errno;
    atomic_store(&ending, true);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        /* If the signal interrupted this very thread while ARMING, waiting is useless, and mpirun kills after a second.
         * So it ends after a tenth of a second. */
        for (int tries = 0; atomic_load(&files[i].state) == ARMING && tries < 100; tries++) nanosleep(&pause, NULL);
        if (atomic_load(&files[i].state) >= ARMING) unlink(files[i].path);
    }
    errno = error;
}

/* Prepares a slot before a file gets the temporary name. Returns false with errno if the program is about to end. */
static bool arm(beside *file)
{
    atomic_store(&file->state, ARMING);
    if (!atomic_load(&ending)) return true;
    atomic_store(&file->state, CLAIMED);
    errno = EINTR;
    return false;
}

/* Takes a slot. If all are in use, waits until one is free. */
static beside *claim(void)
{
    for (;;) {
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            int state = FREE;
            if (atomic_compare_exchange_strong(&files[i].state, &state, CLAIMED)) return &files[i];
        }
        sched_yield();
    }
}

/* Sets the path to FOLDER-OF-path/.tilecut-RANDOM. Returns false with errno on failure. */
static bool draw_name(beside *file, const char *path)
{
    const char *const slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0, prefix = strlen(FOLDERS_PREFIX);
    uint8_t random[FOLDERS_LETTERS];
    if (folder + prefix + sizeof random + 1 > PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    while (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        if (errno != EINTR) return false;
    memcpy(file->path, path, folder);
    memcpy(file->path + folder, FOLDERS_PREFIX, prefix);
    char *const name = file->path + folder + prefix;
    for (size_t i = 0; i < sizeof random; i++) name[i] = FOLDERS_ALPHABET[random[i] % 32];
    name[sizeof random] = '\0';
    return true;
}

/* Locks the new file and checks that it still exists: before the lock, another run may have removed it, taking it for
 * left over. */
static bool lock(int descriptor)
{
    struct stat about;
    while (flock(descriptor, LOCK_EX) != 0)
        if (errno != EINTR) break; /* this file system has no locks, so no other run can lock the file either */
    return fstat(descriptor, &about) == 0 && about.st_nlink > 0;
}

/* Creates a file with a temporary name. Returns its descriptor, or -1 with errno. */
static int create_named(beside *file, const char *path, mode_t mode)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        if (!draw_name(file, path) || !arm(file)) return -1;
        const int descriptor = open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        atomic_store(&file->state, descriptor >= 0 ? ARMED : CLAIMED);
        if (descriptor >= 0 && lock(descriptor)) return descriptor;
        if (descriptor >= 0) close(descriptor);
        else if (errno != EEXIST) return -1;
        atomic_store(&file->state, CLAIMED);
    }
    errno = EEXIST;
    return -1;
}

/* Creates a file without a name, which linkat() can name later. Returns -1 if the file system cannot do that. */
static int create_nameless(const char *path, mode_t mode)
{
#ifdef O_TMPFILE
    char folder[PATH_MAX];
    if (!folders_of(path, folder) || access("/proc/self/fd", X_OK) != 0) return -1;
    const int descriptor = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
    if (descriptor >= 0) (void)flock(descriptor, LOCK_EX);
    return descriptor;
#else
    (void)path, (void)mode;
    return -1;
#endif
}

beside *beside_open(const char *path, mode_t mode, bool nameless, int *descriptor)
{
    beside *const file = claim();
    folders_visit(path);
    file->path[0] = '\0';
    *descriptor = nameless ? create_nameless(path, mode) : -1;
    if (*descriptor < 0) *descriptor = create_named(file, path, mode);
    if (*descriptor >= 0) return file;
    atomic_store(&file->state, FREE);
    return NULL;
}

const char *beside_name(const beside *file)
{
    const char *const slash = strrchr(file->path, '/');
    return slash ? slash + 1 : file->path;
}

beside *beside_join(const char *path, const char *name, int *descriptor)
{
    beside *const file = claim();
    const char *const slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    const int length = snprintf(file->path, sizeof file->path, "%.*s%s", folder, path, name);
    *descriptor = -1;
    if (length >= PATH_MAX) errno = ENAMETOOLONG;
    else *descriptor = open(file->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    atomic_store(&file->state, *descriptor >= 0 ? ARMED : FREE);
    return *descriptor >= 0 ? file : NULL;
}

/* Gives the nameless file the name `path`. Returns 0 or errno. */
static int name_it(int descriptor, const char *path)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

/* Gives the nameless file a temporary name, from which it is then renamed to `path`. Used if there is already a file
 * `path`. */
static int name_beside(beside *file, int descriptor, const char *path)
{
    int error = EEXIST;
    for (int attempt = 0; attempt < 100 && error == EEXIST; attempt++) {
        if (!draw_name(file, path) || !arm(file)) return errno;
        error = name_it(descriptor, file->path);
        atomic_store(&file->state, error ? CLAIMED : ARMED);
    }
    return error;
}

int beside_publish(beside *file, int descriptor, const char *path, bool replaces, bool *unseen)
{
    *unseen = false;
    while (fsync(descriptor) != 0)
        if (errno != EINTR) {
            if (errno == EINVAL || errno == EROFS) break; /* this kind of file cannot be flushed to the disk */
            return errno;
        }
    if (atomic_load(&ending)) return EINTR;
    if (atomic_load(&file->state) != ARMED) {
        int error = replaces ? EEXIST : name_it(descriptor, path);
        if (!error) folders_changed(path);
        if (error == EEXIST) error = name_beside(file, descriptor, path);
        else if (!error) return 0;
        *unseen = error && error != ENOSPC && error != EDQUOT;
        if (error) return error;
    }
    if (rename(file->path, path) != 0) return errno;
    atomic_store(&file->state, CLAIMED);
    folders_changed(path);
    return 0;
}

void beside_close(beside *file, int descriptor)
{
    if (atomic_load(&file->state) == ARMED) unlink(file->path);
    close(descriptor); /* this also releases the lock  */
    atomic_store(&file->state, FREE);
}
