/* SPDX-License-Identifier: MIT
 *
 * scan_sink.c - passes the bytes of a new volume to memory or to a file, with or without gzip. Voxels pass through it
 * piece by piece.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file_stream.h"
#include "gzip.h"
#include "scan.h"

enum { PIECE = 1 << 18 };

/* Writes bytes to the stream or to memory unchanged. */
static int put_there(void *context, const void *data, size_t size, failure *why)
{
    const scan_sink *const sink = context;
    if (sink->stream) return file_stream_write(sink->stream, data, size, why);
    if (bytes_append(sink->memory, data, size)) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
}

int scan_put(scan_sink *sink, const void *data, size_t size, failure *why)
{
    return sink->packer ? gzip_add(sink->packer, data, size, why) : put_there(sink, data, size, why);
}

int scan_put_voxels(scan_sink *sink, const scan *what, const scan_source *voxels, failure *why)
{
    const size_t all = scan_count(what) * scan_voxel_bytes(what->type);
    uint8_t *const piece = malloc(PIECE);
    int status = EXIT_DONE;
    const bool room = sink->packer || sink->stream || bytes_reserve(sink->memory, sink->memory->size + all);
    if (!piece || !room) status = fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
    for (size_t done = 0; !status && done < all; done += PIECE) {
        const size_t some = all - done < PIECE ? all - done : PIECE;
        status = voxels->take(voxels->context, piece, some, why);
        if (!status) status = scan_put(sink, piece, some, why);
    }
    free(piece);
    return status;
}

int scan_pack_begin(scan_sink *sink, failure *why)
{
    return gzip_begin(sink->name, put_there, sink, &sink->packer, why);
}

int scan_pack_end(scan_sink *sink, int status, failure *why)
{
    if (!status) status = gzip_end(sink->packer, why);
    gzip_drop(sink->packer);
    sink->packer = NULL;
    return status;
}

size_t scan_name_unpacked(const char *name)
{
    const size_t length = strlen(name);
    return length > 3 && !strcasecmp(name + length - 3, ".gz") ? length - 3 : length;
}

int scan_take_held(void *context, uint8_t *to, size_t size, failure *why)
{
    const uint8_t **const next = context;
    (void)why;
    memcpy(to, *next, size);
    *next += size;
    return EXIT_DONE;
}

int scan_encode_as(const image_format *format, bool packed, const scan *what, const scan *like,
                   const scan_source *voxels, scan_sink *sink, failure *why)
{
    if (packed) STEP(scan_pack_begin(sink, why));
    const int status = format->encode_slices(sink, what, like, voxels, why);
    return packed ? scan_pack_end(sink, status, why) : status;
}
