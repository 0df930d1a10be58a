/* SPDX-License-Identifier: MIT
 *
 * file_write.c - whole files out of memory: written beside the target, then given its name (file_beside.h). What is not
 * a regular file (a pipe, /dev/null) is written directly.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file_beside.h"
#include "signals.h"

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

/* Whether a link may be followed: not one that somebody else has put into a folder that all may write to, /tmp say,
 * which is how others are made to overwrite their own files. The kernel has that rule, too (protected_symlinks), but it
 * does not see a link that is read and then followed by hand. */
static bool is_trusted(const struct stat *link, const char *path)
{
    struct stat folder;
    char name[PATH_MAX];
    const char *const slash = strrchr(path, '/');
    const size_t length = !slash ? 1 : slash == path ? 1 : (size_t)(slash - path);
    memcpy(name, slash ? path : ".", length);
    name[length] = '\0';
    if (stat(name, &folder) != 0) return false;
    const bool shared = (folder.st_mode & S_ISVTX) && (folder.st_mode & S_IWOTH);
    return !shared || link->st_uid == geteuid() || link->st_uid == folder.st_uid;
}

/* What the link at `path` says, PATH_MAX - 1 bytes at most: of the very link that was looked at. Its length; 0: no
 * link, or not there; -1: not to be followed, with errno. */
static ssize_t read_link(const char *path, char target[PATH_MAX])
{
    struct stat about;
    const int descriptor = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    ssize_t length = 0;
    if (descriptor < 0) return 0;
    if (fstat(descriptor, &about) == 0 && S_ISLNK(about.st_mode)) {
        length = is_trusted(&about, path) ? readlinkat(descriptor, "", target, PATH_MAX - 1) : -1;
        if (length < 0) errno = EXDEV; /* no other error here has that number */
    }
    close(descriptor);
    return length;
}

/* Follows symbolic links, also to what does not exist yet, so that the link stays and its target is written. */
static int follow_links(const char *name, char path[PATH_MAX], failure *why)
{
    if (strlen(name) >= PATH_MAX) return write_failed(name, ENAMETOOLONG, why);
    strcpy(path, name);
    for (int links = 0; links < 40; links++) {
        char target[PATH_MAX];
        const ssize_t length = read_link(path, target);
        if (length == 0) return EXIT_DONE; /* the caller finds out what it is */
        if (length < 0)
            return fail(why, EXIT_RUNTIME, "%s: not written: is a link that another user has put into a folder for "
                        "all; remove it, or name another file", name);
        target[length] = '\0';
        char *const slash = strrchr(path, '/');
        const size_t folder = target[0] == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
        if (folder + (size_t)length >= PATH_MAX) return write_failed(name, ENAMETOOLONG, why);
        memcpy(path + folder, target, (size_t)length + 1);
    }
    return write_failed(name, ELOOP, why);
}

/* A pipe that nobody reads yet is waited for, until a signal comes. Descriptor, or -1 with errno. */
static int open_special(const char *path)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    for (;;) {
        const int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (descriptor >= 0) return descriptor; /* write_all() waits for room */
        struct stat about;
        if (errno != ENXIO || stat(path, &about) != 0 || !S_ISFIFO(about.st_mode)) return -1;
        if (signals_number()) {
            errno = EINTR;
            return -1;
        }
        nanosleep(&pause, NULL);
    }
}

/* Pipes, terminals, /dev/null: there is no "whole or not at all" for them. */
static int write_special(const char *name, const char *path, const void *data, size_t size, failure *why)
{
    const int descriptor = open_special(path);
    if (descriptor < 0) return write_failed(name, errno, why);
    const int error = write_all(descriptor, data, size);
    const int closed = close(descriptor) != 0 && errno != EINTR ? errno : 0;
    return error || closed ? write_failed(name, error ? error : closed, why) : EXIT_DONE;
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

/* The new file gets owner and mode of the one that it replaces. The owner comes first, as changing it may take mode
 * bits away; if it cannot be kept, it is ours. 0 or errno. */
static int keep_rights(int descriptor, const struct stat *about)
{
    if ((about->st_uid != geteuid() || about->st_gid != getegid()) &&
        fchown(descriptor, about->st_uid, about->st_gid) != 0)
        errno = 0;
    return fchmod(descriptor, about->st_mode & 0777) != 0 ? errno : 0;
}

/* Fills a file beside `path` and gives it that name. `about` is of the file to be replaced, NULL if there is none.
 * *unnamed: as of beside_publish(). */
static int write_beside(const char *name, const char *path, const struct stat *about, const void *data,
                        size_t size, bool *unnamed, failure *why)
{
    int descriptor;
    beside *const file = beside_open(path, about ? 0600 : 0666, !*unnamed, &descriptor);
    *unnamed = false;
    if (!file) return create_failed(name, path, errno, why);
    int error = about ? keep_rights(descriptor, about) : 0;
    if (!error) error = write_all(descriptor, data, size);
    if (!error) error = beside_publish(file, descriptor, path, about != NULL, unnamed);
    beside_close(file, descriptor);
    return error ? write_failed(name, error, why) : EXIT_DONE;
}

static int write_whole(const char *name, const char *path, const struct stat *about, const void *data, size_t size,
                       failure *why)
{
    bool unnamed = false;
    const int status = write_beside(name, path, about, data, size, &unnamed, why);
    if (!unnamed) return status;
    why->status = EXIT_DONE;
    return write_beside(name, path, about, data, size, &unnamed, why);
}

int file_finish_lines(failure *why)
{
    struct pollfd pipe = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (!fflush(stdout) && !ferror(stdout)) return EXIT_DONE;
    if (poll(&pipe, 1, 0) != 1 || !(pipe.revents & POLLERR))
        return fail(why, EXIT_RUNTIME, "standard output: could not be written");
    why->text[0] = '\0';
    return why->status = 128 + SIGPIPE;
}

int file_write(const char *name, const void *data, size_t size, failure *why)
{
    if (strcmp(name, "-") == 0) {
        const int error = write_all(STDOUT_FILENO, data, size);
        return error ? write_failed(file_output_name(name), error, why) : EXIT_DONE;
    }
    char path[PATH_MAX];
    struct stat about;
    /* What is no file, and descriptors of ours, which only look like links. */
    const bool own = !strcmp(name, "/dev/stdout") || !strncmp(name, "/dev/fd/", 8) ||
                     !strncmp(name, "/proc/self/fd/", 14);
    if (stat(name, &about) == 0 && !S_ISDIR(about.st_mode) && (own || !S_ISREG(about.st_mode)))
        return write_special(name, name, data, size, why);
    if (!*name) return fail(why, EXIT_RUNTIME, "'': not written: a file needs a name");
    if (follow_links(name, path, why)) return why->status;
    if (stat(path, &about) != 0) {
        if (errno != ENOENT) return write_failed(name, errno, why);
        if (path[strlen(path) - 1] == '/')
            return fail(why, EXIT_RUNTIME, "%s: not written: that is a folder's name", name);
        return write_whole(name, path, NULL, data, size, why);
    }
    if (S_ISDIR(about.st_mode))
        return fail(why, EXIT_RUNTIME, "%s: not written: it is a directory; name a file in it", name);
    if (!S_ISREG(about.st_mode)) return write_special(name, path, data, size, why);
    /* A rename would get around the write protection of the file itself. */
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return fail(why, EXIT_RUNTIME, "%s: not written: the file there is write-protected", name);
    return write_whole(name, path, &about, data, size, why);
}
