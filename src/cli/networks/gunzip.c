/* SPDX-License-Identifier: MIT
 *
 * gunzip.c - unpacks gzip in memory with zlib, also several members in sequence.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "network_file.h"

bool gzip_built(void)
{
    return true;
}

enum { CHUNK = 1 << 18 };

static int damaged(const char *name, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: packed by gzip, and damaged or cut short", name);
}

/* Appends everything that one call gives. */
static int inflate_some(z_stream *z, const char *name, uint8_t *chunk, uint64_t most, bytes *out, int *ended,
                        failure *why)
{
    z->next_out = chunk;
    z->avail_out = CHUNK;
    *ended = inflate(z, Z_NO_FLUSH);
    if (*ended != Z_OK && *ended != Z_STREAM_END) return damaged(name, why);
    const size_t made = CHUNK - z->avail_out;
    if (most && out->size + made > most)
        return fail(why, EXIT_RESOURCES, "%s: unpacks to more than %llu bytes, which is what is allowed", name,
                    (unsigned long long)most);
    return bytes_append(out, chunk, made) ? EXIT_DONE
                                          : fail(why, EXIT_RESOURCES, "%s: not enough memory to unpack it", name);
}

static int inflate_all(z_stream *z, const char *name, const bytes *data, uint64_t most, bytes *out, failure *why)
{
    size_t left = data->size;
    int status = EXIT_DONE, ended = Z_OK;
    uint8_t *chunk = malloc(CHUNK);
    if (!chunk) status = fail(why, EXIT_RESOURCES, "%s: not enough memory to unpack it", name);
    z->next_in = data->data;
    while (status == EXIT_DONE) {
        if (!z->avail_in) {
            z->avail_in = left > CHUNK ? CHUNK : (unsigned)left;
            left -= z->avail_in;
        }
        if (!z->avail_in && ended == Z_STREAM_END) break;
        if (!z->avail_in) status = damaged(name, why);
        else if (ended == Z_STREAM_END) ended = inflateReset(z); /* another member */
        else status = inflate_some(z, name, chunk, most, out, &ended, why);
    }
    free(chunk);
    return status;
}

int gzip_unpack(const char *name, bytes *data, uint64_t most_bytes, failure *why)
{
    enum { GZIP = 16 + MAX_WBITS };
    z_stream z;
    bytes out = {0};
    memset(&z, 0, sizeof z);
    if (inflateInit2(&z, GZIP) != Z_OK) return fail(why, EXIT_RESOURCES, "%s: not enough memory to unpack it", name);
    const int status = inflate_all(&z, name, data, most_bytes, &out, why);
    inflateEnd(&z);
    if (status == EXIT_DONE) {
        bytes_free(data);
        *data = out;
    } else {
        bytes_free(&out);
    }
    return status;
}
