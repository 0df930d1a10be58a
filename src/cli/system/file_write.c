/* SPDX-License-Identifier: MIT
 *
 * file_write.c - writes whole files from memory: in the folder of the target, then renamed to it (file_beside.h). A
 * target that is not a regular file (a pipe, /dev/null) is written directly.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file_beside.h"
#include "file_write.h"
#include "signals.h"

/* Writes all bytes. Returns 0 or errno. main() ignores SIGPIPE and SIGXFSZ, so that they arrive here as errors. */
int file_write_all(int descriptor, const uint8_t *data, size_t size)
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
            /* Another process may have made standard output non-blocking: wait until it has room. */
            struct pollfd room = {.fd = descriptor, .events = POLLOUT};
            poll(&room, 1, -1);
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    return error;
}

int file_write_at(int descriptor, const void *data, size_t size, int64_t at)
{
    const uint8_t *from = data;
    while (size) {
        const ssize_t done = pwrite(descriptor, from, size < ((size_t)1 << 30) ? size : (size_t)1 << 30, (off_t)at);
        if (done == 0) return EIO;
        if (done < 0 && errno != EINTR) return errno;
        if (done < 0) continue;
        from += done;
        at += done;
        size -= (size_t)done;
    }
    return 0;
}

int file_write_failed(const char *name, int error, failure *why)
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

/* True if a link may be followed. A link is not trusted if another user has put it into a folder that everybody can
 * write to, such as /tmp: that is a trick to make people overwrite their own files. The kernel has the same rule
 * (protected_symlinks), but applies it only to links that the kernel itself follows. */
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

/* Reads the target of the link at `path`, at most PATH_MAX - 1 bytes, from the same open link that was checked. Returns
 * its length; 0: no link, or nothing there; -1 with errno: the link must not be followed. */
static ssize_t read_link(const char *path, char target[PATH_MAX])
{
    struct stat about;
    const int descriptor = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    ssize_t length = 0;
    if (descriptor < 0) return 0;
    if (fstat(descriptor, &about) == 0 && S_ISLNK(about.st_mode)) {
        length = is_trusted(&about, path) ? readlinkat(descriptor, "", target, PATH_MAX - 1) : -1;
        if (length < 0) errno = EXDEV; /* only this error uses EXDEV */
    }
    close(descriptor);
    return length;
}

/* Follows symbolic links, even to a file that does not exist yet, so that the links stay and their target is
 * written. */
int file_follow_links(const char *name, char path[PATH_MAX], failure *why)
{
    if (strlen(name) >= PATH_MAX) return file_write_failed(name, ENAMETOOLONG, why);
    strcpy(path, name);
    for (int links = 0; links < 40; links++) {
        char target[PATH_MAX];
        const ssize_t length = read_link(path, target);
        if (length == 0) return EXIT_DONE; /* the path is not a link; the caller checks what it is */
        if (length < 0)
            return fail(why, EXIT_RUNTIME, "%s: not written: is a link that another user has put into a folder for "
                        "all; remove it, or name another file", name);
        target[length] = '\0';
        char *const slash = strrchr(path, '/');
        const size_t folder = target[0] == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
        if (folder + (size_t)length >= PATH_MAX) return file_write_failed(name, ENAMETOOLONG, why);
        memcpy(path + folder, target, (size_t)length + 1);
    }
    return file_write_failed(name, ELOOP, why);
}

const char *file_refused_kind(const struct stat *about)
{
    if (S_ISDIR(about->st_mode)) return "directory";
    if (S_ISBLK(about->st_mode)) return "disk";
    return S_ISSOCK(about->st_mode) ? "socket" : NULL;
}

static int refuse_kind(const char *name, const char *kind, failure *why)
{
    return fail(why, EXIT_RUNTIME, "%s: not written: it is a %s; name a file%s", name, kind,
                strcmp(kind, "directory") ? "" : " in it");
}

/* Opens a special file. If it is a pipe without a reader, waits for one or for a signal. */
int file_open_special(const char *name, const char *path, int *descriptor, failure *why)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    for (;;) {
        struct stat about;
        const bool there = stat(path, &about) == 0;
        if (there && file_refused_kind(&about)) return refuse_kind(name, file_refused_kind(&about), why);
        *descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (*descriptor >= 0) return EXIT_DONE; /* non-blocking: file_write_all() waits until a pipe has room */
        if (errno != ENXIO || !there || !S_ISFIFO(about.st_mode)) return file_write_failed(name, errno, why);
        if (signals_number()) return file_write_failed(name, EINTR, why);
        nanosleep(&pause, NULL);
    }
}

/* Writes directly to a pipe, a terminal or /dev/null, which cannot be replaced by a finished file. */
static int write_special(const char *name, const char *path, const void *data, size_t size, failure *why)
{
    int descriptor;
    if (file_open_special(name, path, &descriptor, why)) return why->status;
    const int error = file_write_all(descriptor, data, size);
    const int closed = close(descriptor) != 0 && errno != EINTR ? errno : 0;
    return error || closed ? file_write_failed(name, error ? error : closed, why) : EXIT_DONE;
}

int file_create_failed(const char *name, const char *path, int error, failure *why)
{
    const char *const slash = strrchr(path, '/');
    const int folder = slash ? slash == path ? 1 : (int)(slash - path) : 1;
    const char *const from = slash ? path : ".";
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%.*s", folder, from);
    if (error == ENOENT && access(parent, F_OK))
        return fail(why, EXIT_RUNTIME, "%s: not written: there is no folder %s", name, parent);
    /* ENOENT means that the folder exists but takes no files, such as /proc. */
    if (error == EACCES || error == EPERM || error == EROFS || error == ENOENT)
        return fail(why, EXIT_RUNTIME, "%s: not written: no file may be created in the folder %s", name, parent);
    return file_write_failed(name, error, why);
}

/* Gives the new file the owner and the mode of the file that it replaces. The owner comes first, because changing it
 * may clear mode bits. If the owner cannot be kept, the file belongs to this user. Returns 0 or errno. */
int file_keep_rights(int descriptor, const struct stat *about)
{
    if ((about->st_uid != geteuid() || about->st_gid != getegid()) &&
        fchown(descriptor, about->st_uid, about->st_gid) != 0)
        errno = 0;
    return fchmod(descriptor, about->st_mode & 0777) != 0 ? errno : 0;
}

/* Writes a file in the folder of `path` and renames it to `path`. `about` describes the file that it replaces; NULL:
 * there is none. *unseen is as in beside_publish(). */
static int write_beside(const char *name, const char *path, const struct stat *about, const void *data,
                        size_t size, bool *unseen, failure *why)
{
    int descriptor;
    beside *const file = beside_open(path, about ? 0600 : 0666, !*unseen, &descriptor);
    *unseen = false;
    if (!file) return file_create_failed(name, path, errno, why);
    int error = about ? file_keep_rights(descriptor, about) : 0;
    if (!error) error = file_write_all(descriptor, data, size);
    if (!error) error = beside_publish(file, descriptor, path, about != NULL, unseen);
    beside_close(file, descriptor);
    return error ? file_write_failed(name, error, why) : EXIT_DONE;
}

static int write_whole(const char *name, const char *path, const struct stat *about, const void *data, size_t size,
                       failure *why)
{
    bool unseen = false;
    const int status = write_beside(name, path, about, data, size, &unseen, why);
    if (!unseen) return status;
    why->status = EXIT_DONE;
    return write_beside(name, path, about, data, size, &unseen, why);
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

bool file_is_special(const char *name)
{
    struct stat about;
    /* These names look like links, but stand for descriptors of this program. */
    const bool own = !strcmp(name, "/dev/stdout") || !strncmp(name, "/dev/fd/", 8) ||
                     !strncmp(name, "/proc/self/fd/", 14);
    return stat(name, &about) == 0 && !S_ISDIR(about.st_mode) && (own || !S_ISREG(about.st_mode));
}

int file_write(const char *name, const void *data, size_t size, failure *why)
{
    if (strcmp(name, "-") == 0) {
        const int error = file_write_all(STDOUT_FILENO, data, size);
        return error ? file_write_failed(file_output_name(name), error, why) : EXIT_DONE;
    }
    char path[PATH_MAX];
    struct stat about;
    if (file_is_special(name)) return write_special(name, name, data, size, why);
    if (!*name) return fail(why, EXIT_RUNTIME, "'': not written: a file needs a name");
    if (file_follow_links(name, path, why)) return why->status;
    if (stat(path, &about) != 0) {
        if (errno != ENOENT) return file_write_failed(name, errno, why);
        if (path[strlen(path) - 1] == '/')
            return fail(why, EXIT_RUNTIME, "%s: not written: that is a folder's name", name);
        return write_whole(name, path, NULL, data, size, why);
    }
    if (S_ISDIR(about.st_mode)) return refuse_kind(name, "directory", why);
    if (!S_ISREG(about.st_mode)) return write_special(name, path, data, size, why);
    /* A rename would replace even a write-protected file, so check the permission. */
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return fail(why, EXIT_RUNTIME, "%s: not written: the file there is write-protected", name);
    return write_whole(name, path, &about, data, size, why);
}
