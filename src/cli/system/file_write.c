/* SPDX-License-Identifier: MIT
 *
 * file_write.c - whole files out of memory: written beside the target under a name nobody can guess, then
 * renamed over it. What is not a regular file (a pipe, /dev/null) is written directly.
 *
 * Names of temporaries in flight are in a fixed table, so that a signal handler can remove them: a slot is
 * FREE, CLAIMED while its path is set, and ARMED while the handler is to remove that path.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FREE, CLAIMED, ARMED };

typedef struct temporary {
    atomic_int state;
    char path[PATH_MAX];
} temporary;

static temporary temporaries[32];
static atomic_bool ending; /* a handler has run: the program is about to end */

void file_remove_temporaries(void)
{
    const int error = errno;
    atomic_store(&ending, true);
    for (size_t i = 0; i < sizeof temporaries / sizeof *temporaries; i++)
        if (atomic_load(&temporaries[i].state) == ARMED) unlink(temporaries[i].path);
    errno = error;
}

/* More writes at once than slots wait for one another. */
static temporary *claim(void)
{
    for (;;) {
        for (size_t i = 0; i < sizeof temporaries / sizeof *temporaries; i++) {
            int state = FREE;
            if (atomic_compare_exchange_strong(&temporaries[i].state, &state, CLAIMED)) return &temporaries[i];
        }
        sched_yield();
    }
}

/* 0, or the errno of what went wrong. That SIGPIPE and SIGXFSZ are ignored, so that they come as errors, is
 * main()'s doing. */
static int write_all(int descriptor, const uint8_t *data, size_t size)
{
    int error = 0;
    while (size && !error) {
        const size_t piece = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
        const ssize_t done = write(descriptor, data, piece);
        if (done > 0) {
            data += done;
            size -= (size_t)done;
        } else if (done == 0) {
            error = EIO;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            /* Somebody made our standard output non-blocking. */
            struct pollfd room = {.fd = descriptor, .events = POLLOUT};
            poll(&room, 1, -1);
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    return error;
}

static int write_failed(const char *name, int error, failure *why)
{
    switch (error) {
    case ENOSPC: return fail(why, EXIT_RUNTIME, "%s: not written: no space left on the device", name);
    case EDQUOT: return fail(why, EXIT_RUNTIME, "%s: not written: the disk quota is used up", name);
    case EFBIG: return fail(why, EXIT_RUNTIME, "%s: not written: larger than files may be here", name);
    case EPIPE: return fail(why, EXIT_RUNTIME, "%s: not written: nobody reads the other end of the pipe", name);
    case EBADF: return fail(why, EXIT_RUNTIME, "%s: not written: it is closed", name);
    case EACCES:
    case EPERM: return fail(why, EXIT_RUNTIME, "%s: not written: permission denied", name);
    default: return fail(why, EXIT_RUNTIME, "%s: not written: %s", name, strerror(error));
    }
}

/* Follows symbolic links, also to what does not exist yet, so that the link stays and its target is written. */
static int follow_links(const char *name, char path[PATH_MAX], failure *why)
{
    if (strlen(name) >= PATH_MAX) return write_failed(name, ENAMETOOLONG, why);
    strcpy(path, name);
    for (int links = 0; links < 40; links++) {
        char target[PATH_MAX];
        const ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0) return EXIT_DONE; /* not a link, or not there: the caller finds out */
        target[length] = '\0';
        char *const slash = strrchr(path, '/');
        const size_t folder = target[0] == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
        if (folder + (size_t)length >= PATH_MAX) return write_failed(name, ENAMETOOLONG, why);
        memcpy(path + folder, target, (size_t)length + 1);
    }
    return write_failed(name, ELOOP, why);
}

/* Pipes, terminals, /dev/null: there is no "whole or not at all" for them. */
static int write_special(const char *name, const char *path, const void *data, size_t size, failure *why)
{
    const int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return write_failed(name, errno, why);
    const int error = write_all(descriptor, data, size);
    const int closed = close(descriptor) != 0 && errno != EINTR ? errno : 0;
    return error || closed ? write_failed(name, error ? error : closed, why) : EXIT_DONE;
}

/* Creates DIRECTORY-OF-path/.tilecut-RANDOM, its name armed before it exists. Descriptor, or -1 with errno. */
static int create_beside(const char *path, mode_t mode, temporary *own)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz012345";
    static const char prefix[] = ".tilecut-";
    const char *const slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    uint8_t random[16];
    if (folder + sizeof prefix + sizeof random > PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(own->path, path, folder);
    memcpy(own->path + folder, prefix, sizeof prefix - 1);
    char *const name = own->path + folder + sizeof prefix - 1;
    for (int attempt = 0; attempt < 100; attempt++) {
        while (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
            if (errno != EINTR) return -1;
        for (size_t i = 0; i < sizeof random; i++)
            name[i] = digits[random[i] % 32];
        name[sizeof random] = '\0';
        atomic_store(&own->state, ARMED);
        const int descriptor = open(own->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
        atomic_store(&own->state, CLAIMED);
    }
    return -1;
}

static int create_failed(const char *name, const char *path, int error, failure *why)
{
    const char *const slash = strrchr(path, '/');
    const int folder = slash ? slash == path ? 1 : (int)(slash - path) : 1;
    const char *const from = slash ? path : ".";
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%.*s", folder, from);
    if (error == ENOENT && access(parent, F_OK))
        return fail(why, EXIT_RUNTIME, "%s: not written: there is no folder %s", name, parent);
    /* ENOENT: of a folder that is there but takes no files, such as /proc. */
    if (error == EACCES || error == EPERM || error == EROFS || error == ENOENT)
        return fail(why, EXIT_RUNTIME, "%s: not written: no file may be created in the folder %s", name, parent);
    return write_failed(name, error, why);
}

/* Fills the temporary and renames it. `about` is of the file to be replaced, NULL if there is none. */
static int write_beside(const char *name, const char *path, const struct stat *about, const void *data,
                        size_t size, failure *why)
{
    temporary *const own = claim();
    const int descriptor = create_beside(path, about ? 0600 : 0666, own);
    int status = EXIT_DONE, error = 0;
    if (descriptor < 0) {
        status = create_failed(name, path, errno, why);
    } else {
        /* The owner comes first, as changing it may take mode bits away; if it cannot be kept, it is ours. */
        if (about && (about->st_uid != geteuid() || about->st_gid != getegid()) &&
            fchown(descriptor, about->st_uid, about->st_gid) != 0)
            errno = 0;
        if (about && fchmod(descriptor, about->st_mode & 0777) != 0) error = errno;
        if (!error) error = write_all(descriptor, data, size);
        if (close(descriptor) != 0 && errno != EINTR && !error) error = errno;
        if (!error && atomic_load(&ending)) error = EINTR;
        if (!error && rename(own->path, path) != 0) error = errno;
        if (error) {
            unlink(own->path);
            status = write_failed(name, error, why);
        }
    }
    atomic_store(&own->state, FREE);
    return status;
}

int file_write(const char *name, const void *data, size_t size, failure *why)
{
    if (strcmp(name, "-") == 0) {
        const int error = write_all(STDOUT_FILENO, data, size);
        return error ? write_failed(file_output_name(name), error, why) : EXIT_DONE;
    }
    char path[PATH_MAX];
    if (!*name) return fail(why, EXIT_RUNTIME, "'': not written: a file needs a name");
    if (follow_links(name, path, why)) return why->status;
    struct stat about;
    if (stat(path, &about) != 0) {
        if (errno != ENOENT) return write_failed(name, errno, why);
        if (path[strlen(path) - 1] == '/')
            return fail(why, EXIT_RUNTIME, "%s: not written: that is a folder's name", name);
        return write_beside(name, path, NULL, data, size, why);
    }
    if (S_ISDIR(about.st_mode))
        return fail(why, EXIT_RUNTIME, "%s: not written: it is a directory; name a file in it", name);
    if (!S_ISREG(about.st_mode)) return write_special(name, path, data, size, why);
    /* A rename would get around the write protection of the file itself. */
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return fail(why, EXIT_RUNTIME, "%s: not written: the file there is write-protected", name);
    return write_beside(name, path, &about, data, size, why);
}
