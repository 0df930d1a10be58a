/* SPDX-License-Identifier: MIT
 *
 * gzip_missing.c - replaces gzip.c in builds without zlib.
 */
#include "gzip.h"

bool gzip_built(void)
{
    return false;
}

int gzip_unpack(const char *name, bytes *data, uint64_t most_bytes, failure *why)
{
    (void)data;
    (void)most_bytes;
    return fail(why, EXIT_INPUT, "%s: packed by gzip; this build has no zlib, so unpack it first", name);
}

int gzip_open(const char *name, const uint8_t *data, size_t size, gzip_reader **out, failure *why)
{
    (void)data;
    (void)size;
    *out = NULL;
    return fail(why, EXIT_INPUT, "%s: packed by gzip; this build has no zlib, so unpack it first", name);
}

int gzip_read(gzip_reader *reader, void *to, size_t size, size_t *got, failure *why)
{
    (void)reader;
    (void)to;
    (void)size;
    *got = 0;
    return fail(why, EXIT_INPUT, "this build has no zlib");
}

void gzip_close(gzip_reader *reader)
{
    (void)reader;
}

int gzip_pack(const char *name, bytes *data, failure *why)
{
    (void)data;
    return fail(why, EXIT_USAGE, "%s: this build has no zlib to pack it; leave .gz out", name);
}
