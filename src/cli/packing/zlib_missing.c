/* SPDX-License-Identifier: MIT
 *
 * zlib_missing.c - stands in for gzip.c and deflate.c where zlib was not found.
 */
#include "deflate.h"
#include "gzip.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* these functions only refuse, and use no parameters */

static int refuse_packed(const char *name, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: packed by gzip; this build has no zlib, so unpack it first", name);
}

bool gzip_built(void) { return false; }

int gzip_unpack(const char *name, bytes *data, uint64_t most_bytes, failure *why) { return refuse_packed(name, why); }

int gzip_open(const char *name, const uint8_t *data, size_t size, gzip_reader **out, failure *why)
{
    *out = NULL;
    return refuse_packed(name, why);
}

int gzip_open_file(const char *name, int file, uint64_t from, uint64_t size, gzip_reader **out, failure *why)
{
    *out = NULL;
    return refuse_packed(name, why);
}

int gzip_read(gzip_reader *reader, void *to, size_t size, size_t *got, failure *why)
{
    *got = 0;
    return fail(why, EXIT_INPUT, "this build has no zlib");
}

void gzip_close(gzip_reader *reader) {}

int gzip_begin(const char *name, gzip_put put, void *context, gzip_writer **out, failure *why)
{
    *out = NULL;
    return fail(why, EXIT_USAGE, "%s: this build has no zlib to pack it; leave .gz out", name);
}

int gzip_add(gzip_writer *writer, const void *data, size_t size, failure *why)
{
    return fail(why, EXIT_USAGE, "this build has no zlib");
}

int gzip_end(gzip_writer *writer, failure *why)
{
    return fail(why, EXIT_USAGE, "this build has no zlib");
}

void gzip_drop(gzip_writer *writer) {}

void deflate_share(int threads, int count, void (*body)(void *context, int i), void *context)
{
    for (int i = 0; i < count; i++) body(context, i);
}

bool deflate_built(void) { return false; }

deflater *deflate_open(int level, int threads, bool (*put)(void *context, const uint8_t *data, size_t size),
                       void *context)
{
    return NULL;
}

bool deflate_add(deflater *d, const uint8_t *data, size_t size) { return false; }
bool deflate_end(deflater *d) { return false; }
void deflate_close(deflater *d) {}
