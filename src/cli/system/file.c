/* SPDX-License-Identifier: MIT
 *
 * file.c - reads whole files into memory. file_write.c writes them.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "signals.h"

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *file_input_name(const char *path)
{
    return is_standard(path) ? "standard input" : path;
}

const char *file_output_name(const char *path)
{
    return is_standard(path) ? "standard output" : path;
}

/* Reads up to `size` bytes. Returns 0 at the end, or -1 with errno. A pipe was opened without blocking, so read() also
 * returns 0 before any writer has come. That is the end only if there has been a writer; otherwise this function waits
 * for one by polling again and again, because no event announces a writer. A signal ends the wait. */
static ssize_t read_some(int descriptor, bool pipe, void *to, size_t size)
{
    enum { LOOK_AGAIN = 50 }; /* ms */
    struct pollfd news = {.fd = descriptor, .events = POLLIN};
    for (;;) {
        const ssize_t got = read(descriptor, to, size);
        if (got > 0 || (got == 0 && !pipe)) return got;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno != EAGAIN) return -1;
        news.revents = 0;
        if (poll(&news, 1, LOOK_AGAIN) > 0 && (news.revents & POLLHUP) && !(news.revents & POLLIN)) return 0;
        if (got == 0 && signals_number()) {
            errno = EINTR;
            return -1;
        }
    }
}

enum { BEGINNING = 1 << 16, LONGEST_DEVICE = 1 << 26 };

/* Reads from the open `descriptor` to the end of the file. */
static int read_all(int descriptor, const char *name, uint64_t max_size, bool (*begins)(const uint8_t *, size_t),
                    bytes *out, failure *why)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) return fail(why, EXIT_INPUT, "%s: cannot be read: %s", name, strerror(errno));
    if (S_ISDIR(about.st_mode)) return fail(why, EXIT_INPUT, "%s: is a directory; name a file in it", name);
    const uint64_t size = S_ISREG(about.st_mode) && about.st_size > 0 ? (uint64_t)about.st_size : 0;
    if (max_size && size > max_size)
        return fail(why, EXIT_INPUT, "%s: is %llu bytes long; at most %llu are read", name,
                    (unsigned long long)size, (unsigned long long)max_size);
    if (S_ISCHR(about.st_mode) && !isatty(descriptor) && (!max_size || max_size > LONGEST_DEVICE))
        max_size = LONGEST_DEVICE;
    /* one byte more than the file has, so that its end is found without growing the buffer */
    size_t want = size ? (size_t)size + 1 : BEGINNING;
    for (;;) {
        if (out->size == out->room && !bytes_reserve(out, out->room ? 2 * out->room : want))
            return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
        const ssize_t got =
            read_some(descriptor, S_ISFIFO(about.st_mode), out->data + out->size, out->room - out->size);
        if (got < 0 && errno == EINTR)
            return fail(why, EXIT_INPUT, "%s: is a pipe that nobody wrote to when a signal came", name);
        if (got < 0) return fail(why, EXIT_INPUT, "%s: cannot be read: %s", name, strerror(errno));
        if (got == 0) break;
        out->size += (size_t)got;
        if (begins && out->size >= BEGINNING) {
            if (!begins(out->data, out->size)) break;
            begins = NULL;
        }
        if (max_size && out->size > max_size)
            return fail(why, EXIT_INPUT, "%s: is longer than the %llu bytes that are read at most", name,
                        (unsigned long long)max_size);
    }
    if (out->size == 0) return fail(why, EXIT_INPUT, "%s: is empty", name);
    return EXIT_DONE;
}

int file_open_failed(const char *path, int error, failure *why)
{
    if (error == ENOENT || error == ENOTDIR)
        return fail(why, EXIT_INPUT, "%s: there is no such file", *path ? path : "''");
    if (error == EISDIR) return fail(why, EXIT_INPUT, "%s: is a directory; name a file in it", path);
    if (error == EACCES) return fail(why, EXIT_INPUT, "%s: may not be read: permission denied", path);
    return fail(why, EXIT_INPUT, "%s: cannot be opened: %s", path, strerror(error));
}

int file_read(const char *path, uint64_t max_size, bytes *out, failure *why)
{
    return file_read_if(path, max_size, NULL, out, why);
}

int file_read_if(const char *path, uint64_t max_size, bool (*begins)(const uint8_t *, size_t), bytes *out, failure *why)
{
    const char *const name = file_input_name(path);
    const bool standard = is_standard(path);
    *out = (bytes){0};
    const int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0) return file_open_failed(path, errno, why);
    const int status = read_all(descriptor, name, max_size, begins, out, why);
    if (!standard) close(descriptor);
    if (status) bytes_free(out);
    return status;
}

bool file_is_absolute(const char *path)
{
#ifdef _WIN32
    if (*path && path[1] == ':') return true;
#endif
    return *path == '/';
}

void file_turn_slashes(char *path)
{
#ifdef _WIN32
    for (; *path; path++)
        if (*path == '\\') *path = '/';
#else
    (void)path;
#endif
}

bool file_same(const char *a, const char *b)
{
    struct stat about_a, about_b;
    if (is_standard(a) || is_standard(b)) return false;
    return stat(a, &about_a) == 0 && stat(b, &about_b) == 0 && about_a.st_dev == about_b.st_dev &&
           about_a.st_ino == about_b.st_ino;
}
