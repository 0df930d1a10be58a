/* SPDX-License-Identifier: MIT
 *
 * gzip.c - packs and unpacks gzip with zlib; a file may be several members in sequence.
 */
#include "gzip.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* EITHER makes zlib accept both the gzip and the zlib format. */
enum { CHUNK = 1 << 18, GZIP = 16 + MAX_WBITS, EITHER = 32 + MAX_WBITS };

struct gzip_reader {
    const char *name;
    z_stream z;
    const uint8_t *at; /* the next compressed bytes for zlib; NULL: they are in a file */
    int file;
    uint64_t from;     /* offset of the next compressed bytes in that file */
    uint8_t *chunk;    /* owned: buffer for a part of the file */
    uint64_t left;
    int ended;         /* the last status that inflate() returned */
    bool again;        /* true: a member has ended, and what follows is read as another one */
};

bool gzip_built(void)
{
    return true;
}

static int no_memory_to_unpack(const char *name, failure *why)
{
    fail(why, EXIT_RESOURCES, "%s: not enough memory to unpack it", name);
    return EXIT_RESOURCES;
}

int gzip_open(const char *name, const uint8_t *data, size_t size, gzip_reader **out, failure *why)
{
    gzip_reader *const r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r) return no_memory_to_unpack(name, why);
    *r = (gzip_reader){.name = name, .at = data, .left = size, .ended = Z_OK};
    if (inflateInit2(&r->z, EITHER) != Z_OK) {
        free(r);
        return no_memory_to_unpack(name, why);
    }
    *out = r;
    return EXIT_DONE;
}

int gzip_open_file(const char *name, int file, uint64_t from, uint64_t size, gzip_reader **out, failure *why)
{
    STEP(gzip_open(name, NULL, 0, out, why));
    (*out)->file = file, (*out)->from = from, (*out)->left = size;
    (*out)->chunk = malloc(CHUNK);
    if ((*out)->chunk) return EXIT_DONE;
    gzip_close(*out);
    *out = NULL;
    return no_memory_to_unpack(name, why);
}

void gzip_close(gzip_reader *r)
{
    if (!r) return;
    inflateEnd(&r->z);
    free(r->chunk);
    free(r);
}

/* Gives zlib the next compressed bytes. If the file has become shorter meanwhile, the data end there. */
static void refill(gzip_reader *r)
{
    const size_t some = r->left > CHUNK ? CHUNK : (size_t)r->left;
    const ssize_t got = r->chunk && some ? pread(r->file, r->chunk, some, (off_t)r->from) : (ssize_t)some;
    const size_t there = got > 0 ? (size_t)got : 0;
    r->z.next_in = r->chunk ? r->chunk : (Bytef *)(uintptr_t)r->at; /* zlib only reads it */
    r->z.avail_in = (unsigned)there;
    r->from += there;
    if (r->at) r->at += there;
    r->left = there ? r->left - there : 0;
}

/* Makes one call of inflate(). Sets *over if all members of the file have ended. */
static int inflate_some(gzip_reader *r, bool *over, failure *why)
{
    if (!r->z.avail_in) refill(r);
    /* Tapes and disks pad files with zeros. They do not begin another member, so skip them. */
    for (; r->ended == Z_STREAM_END && r->z.avail_in && !*r->z.next_in; r->z.avail_in--) r->z.next_in++;
    *over = !r->z.avail_in && !r->left && r->ended == Z_STREAM_END;
    if (*over) return EXIT_DONE;
    if (r->ended == Z_STREAM_END) { /* another member follows, or more zeros */
        if (!r->z.avail_in) return EXIT_DONE;
        r->ended = inflateReset(&r->z);
        r->again = true;
        return EXIT_DONE;
    }
    r->ended = inflate(&r->z, Z_NO_FLUSH);
    if (r->ended == Z_OK || r->ended == Z_STREAM_END) return EXIT_DONE;
    enum { MAGIC = 2 }; /* the bytes by which zlib recognises the start of a member */
    if (r->again && r->z.total_in <= MAGIC)
        return fail(why, EXIT_INPUT, "%s: packed by gzip, with other bytes behind that; take them away", r->name);
    return fail(why, EXIT_INPUT, "%s: packed by gzip, and damaged or cut short", r->name);
}

int gzip_read(gzip_reader *r, void *to, size_t size, size_t *got, failure *why)
{
    bool over = false;
    *got = 0;
    while (*got < size && !over) {
        const unsigned room = size - *got > CHUNK ? CHUNK : (unsigned)(size - *got);
        r->z.next_out = (uint8_t *)to + *got;
        r->z.avail_out = room;
        const int status = inflate_some(r, &over, why);
        if (status) return status;
        *got += room - r->z.avail_out;
    }
    return EXIT_DONE;
}

/* Reads everything that `reader` unpacks and appends it to `out`. */
static int unpack_all(gzip_reader *reader, uint64_t most, bytes *out, failure *why)
{
    uint8_t *const chunk = malloc(CHUNK);
    size_t got = CHUNK;
    int status = chunk ? EXIT_DONE : no_memory_to_unpack(reader->name, why);
    while (!status && got == CHUNK) {
        status = gzip_read(reader, chunk, CHUNK, &got, why);
        if (!status && most && out->size + got > most)
            status = fail(why, EXIT_RESOURCES, "%s: unpacks to more than %llu bytes, which is what is allowed",
                          reader->name, (unsigned long long)most);
        if (!status && !bytes_append(out, chunk, got)) status = no_memory_to_unpack(reader->name, why);
    }
    free(chunk);
    return status;
}

int gzip_unpack(const char *name, bytes *data, uint64_t most_bytes, failure *why)
{
    gzip_reader *reader;
    bytes out = {0};
    int status = gzip_open(name, data->data, data->size, &reader, why);
    if (!status) status = unpack_all(reader, most_bytes, &out, why);
    if (!status && !out.size) status = fail(why, EXIT_INPUT, "%s: is empty", name);
    gzip_close(reader);
    bytes_free(status ? &out : data);
    if (!status) *data = out;
    return status;
}

/* ---- packing ---------------------------------------------------------------------------------- */

struct gzip_writer {
    const char *name;
    z_stream z;
    gzip_put put;
    void *context;
    size_t held;
    uint8_t in[CHUNK], out[CHUNK];
};

int gzip_begin(const char *name, gzip_put put, void *context, gzip_writer **out, failure *why)
{
    enum { LEVEL = 6, MEMORY = 8 }; /* the default values of zlib */
    gzip_writer *const w = malloc(sizeof *w);
    *out = NULL;
    if (w) {
        w->name = name, w->put = put, w->context = context, w->held = 0;
        memset(&w->z, 0, sizeof w->z);
        if (deflateInit2(&w->z, LEVEL, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK) {
            *out = w;
            return EXIT_DONE;
        }
    }
    free(w);
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to pack it", name);
}

/* Packs what is held. */
static int pack_held(gzip_writer *w, int flush, failure *why)
{
    int status = EXIT_DONE, ended = Z_OK;
    w->z.next_in = w->in;
    w->z.avail_in = (unsigned)w->held;
    w->held = 0;
    while (!status && ended == Z_OK && (w->z.avail_in || flush == Z_FINISH)) {
        w->z.next_out = w->out;
        w->z.avail_out = CHUNK;
        ended = deflate(&w->z, flush);
        if (w->z.avail_out < CHUNK) status = w->put(w->context, w->out, CHUNK - w->z.avail_out, why);
    }
    if (status || ended == (flush == Z_FINISH ? Z_STREAM_END : Z_OK)) return status;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to pack it", w->name);
}

/* Adds bytes. deflate() always gets whole chunks, except for the last one. So the file does not depend on how the
 * caller cuts the data into pieces. */
int gzip_add(gzip_writer *w, const void *data, size_t size, failure *why)
{
    const uint8_t *from = data;
    while (size) {
        const int status = w->held == CHUNK ? pack_held(w, Z_NO_FLUSH, why) : EXIT_DONE;
        const size_t some = size < CHUNK - w->held ? size : CHUNK - w->held;
        if (status) return status;
        memcpy(w->in + w->held, from, some);
        w->held += some, from += some, size -= some;
    }
    return EXIT_DONE;
}

int gzip_end(gzip_writer *w, failure *why)
{
    return pack_held(w, Z_FINISH, why);
}

void gzip_drop(gzip_writer *w)
{
    if (w) deflateEnd(&w->z);
    free(w);
}
