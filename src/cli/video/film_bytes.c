/* SPDX-License-Identifier: MIT
 *
 * film_bytes.c - reads the bytes of a film, see film.h. Reading waits until bytes are available. Nothing is read before
 * it is needed, so a program that makes frames faster than they are cut has to wait as soon as the pipe is full.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "film.h"

/* Reads at most `size` bytes. *got is 0 only at the end of the film. */
static int read_some(film *f, void *to, size_t size, size_t *got, failure *why)
{
    for (;;) {
        const ssize_t n = read(f->descriptor, to, size);
        *got = n > 0 ? (size_t)n : 0;
        if (n >= 0) return EXIT_DONE;
        struct pollfd news = {.fd = f->descriptor, .events = POLLIN};
        if (errno == EAGAIN || errno == EWOULDBLOCK) poll(&news, 1, -1); /* the input is non-blocking */
        else if (errno != EINTR)
            return fail(why, EXIT_INPUT, "%s: cannot be read: %s", file_input_name(f->path), strerror(errno));
    }
}

int film_fill(film *f, void *to, size_t size, size_t *got, failure *why)
{
    uint8_t *const at = to;
    size_t n = f->until - f->from < size ? f->until - f->from : size, more = 1;
    memcpy(at, f->ahead + f->from, n);
    f->from += n;
    while (n < size && more) {
        const int status = read_some(f, at + n, size - n, &more, why);
        if (status) return status;
        n += more;
    }
    *got = n;
    return EXIT_DONE;
}

int film_look_ahead(film *f, size_t *got, failure *why)
{
    if (f->from) memmove(f->ahead, f->ahead + f->from, f->until - f->from);
    f->until -= f->from;
    f->from = 0;
    *got = 0;
    if (f->until == FILM_AHEAD) return EXIT_DONE;
    const int status = read_some(f, f->ahead + f->until, FILM_AHEAD - f->until, got, why);
    f->until += *got;
    return status;
}

int film_line(film *f, char *line, size_t room, bool *got, failure *why)
{
    for (;;) {
        const size_t here = f->until - f->from, most = here < room ? here : room;
        const uint8_t *const end = most ? memchr(f->ahead + f->from, '\n', most) : NULL;
        size_t more;
        if (end) {
            const size_t length = (size_t)(end - f->ahead) - f->from;
            memcpy(line, f->ahead + f->from, length);
            line[length] = '\0';
            f->from += length + 1;
            *got = true;
            return EXIT_DONE;
        }
        *got = false;
        if (here >= room)
            return fail(why, EXIT_INPUT, "%s: is damaged: no line ends where one of frame %lld should",
                        file_input_name(f->path), (long long)f->frames);
        const int status = film_look_ahead(f, &more, why);
        if (status) return status;
        if (!more && !here) return EXIT_DONE;
        if (!more) return film_cut_short(f, here, here + 1, why);
    }
}

int film_cut_short(const film *f, size_t got, size_t size, failure *why)
{
    const char *const name = file_input_name(f->path);
    if (f->format->channels)
        return fail(why, EXIT_INPUT, "%s: is cut short: frame %lld has %zu of the %zu bytes of %dx%d pixels in %s; is "
                    "the size right?", name, (long long)f->frames, got, size, f->width, f->height, f->format->name);
    return fail(why, EXIT_INPUT, "%s: is cut short: it ends within frame %lld", name, (long long)f->frames);
}
