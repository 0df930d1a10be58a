/* SPDX-License-Identifier: MIT
 *
 * image_bytes.c - reads the bytes of a picture and stores those of a result.
 */
#include <string.h>
#include <unistd.h>

#include "file_stream.h"
#include "image.h"

size_t picture_read(const picture_source *from, uint64_t at, void *to, size_t size)
{
    const uint64_t left = at < from->size ? from->size - at : 0;
    const size_t some = size < left ? size : (size_t)left;
    size_t got = 0;
    if (from->data) return memcpy(to, from->data + (some ? at : 0), some), some;
    for (ssize_t more = 1; got < some && more > 0; got += more > 0 ? (size_t)more : 0)
        more = pread(from->file, (uint8_t *)to + got, some - got, (off_t)(from->begin + at + got));
    return got;
}

int image_put(const image_sink *sink, const void *data, size_t size, failure *why)
{
    if (!sink->memory) return file_stream_write(sink->stream, data, size, why);
    if (bytes_append(sink->memory, data, size)) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
}
