/* SPDX-License-Identifier: MIT */
#include "file_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "file_beside.h"
#include "file_write.h"

/* Creates a file in the folder of `s->path`. `about` describes the file that it will replace; NULL: there is none. */
static int open_beside(file_stream *s, const struct stat *about, failure *why)
{
    s->replaces = about != NULL;
    s->beside = beside_open(s->path, about ? 0600 : 0666, false, &s->descriptor);
    if (!s->beside) return file_create_failed(s->name, s->path, errno, why);
    const int error = about ? file_keep_rights(s->descriptor, about) : 0;
    return error ? file_write_failed(s->name, error, why) : EXIT_DONE;
}

int file_stream_open(file_stream *s, const char *name, failure *why)
{
    struct stat about;
    s->name = name;
    s->descriptor = STDOUT_FILENO;
    if (!strcmp(name, "-")) return EXIT_DONE;
    if (file_is_special(name)) return file_open_special(name, name, &s->descriptor, why);
    if (file_follow_links(name, s->path, why)) return why->status;
    if (stat(s->path, &about) != 0)
        return errno == ENOENT ? open_beside(s, NULL, why) : file_write_failed(name, errno, why);
    if (S_ISDIR(about.st_mode))
        return fail(why, EXIT_RUNTIME, "%s: not written: it is a directory; name a file in it", name);
    if (faccessat(AT_FDCWD, s->path, W_OK, AT_EACCESS) != 0)
        return fail(why, EXIT_RUNTIME, "%s: not written: the file there is write-protected", name);
    return open_beside(s, &about, why);
}

const char *file_stream_shared_as(const file_stream *s)
{
    const char *const name = s->beside ? beside_name(s->beside) : "";
    return *name ? name : NULL;
}

bool file_stream_join(file_stream *s, const char *name, const char *shared_as)
{
    failure ignored;
    s->descriptor = -1;
    if (file_follow_links(name, s->path, &ignored)) return false;
    s->beside = beside_join(s->path, shared_as, &s->descriptor);
    s->joined = s->beside != NULL;
    if (s->joined) s->name = name;
    return s->joined;
}

static int failed(const file_stream *s, int error, failure *why)
{
    if (error != EPIPE || s->beside) return file_write_failed(file_output_name(s->name), error, why);
    why->text[0] = '\0';
    return why->status = 128 + SIGPIPE;
}

int file_stream_write(file_stream *s, const void *data, size_t size, failure *why)
{
    const int error = file_write_all(s->descriptor, data, size);
    return error ? failed(s, error, why) : EXIT_DONE;
}

int file_stream_end(file_stream *s, bool good, failure *why)
{
    int error = 0;
    bool unseen;
    if (!s->name) return EXIT_DONE;
    if (s->beside) {
        if (good && !s->joined) error = beside_publish(s->beside, s->descriptor, s->path, s->replaces, &unseen);
        beside_close(s->beside, s->descriptor);
    } else if (s->descriptor > STDOUT_FILENO && close(s->descriptor) != 0 && errno != EINTR && good) {
        error = errno;
    }
    const int status = error ? failed(s, error, why) : EXIT_DONE;
    s->name = NULL;
    s->beside = NULL;
    return status;
}
