/* SPDX-License-Identifier: MIT
 *
 * image_json.c - JSON is not a picture. But where seeds and masks are read, annotations in JSON may replace one; then
 * the text is passed on as it is.
 */
#include <string.h>

#include "image.h"

static bool probe(const uint8_t *file, size_t size)
{
    size_t i = size >= 3 && memcmp(file, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && (file[i] == ' ' || file[i] == '\t' || file[i] == '\r' || file[i] == '\n')) i++;
    return i < size && (file[i] == '{' || file[i] == '[');
}

static int decode(const char *name, const uint8_t *file, size_t size, const image_limits *limits, image *out,
                  notes *log, failure *why)
{
    (void)log;
    if (!limits->annotations)
        return fail(why, EXIT_INPUT, "%s: is JSON, not a picture; annotations of one go to -s or --mask", name);
    if (!bytes_append(&out->text, file, size))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    return EXIT_DONE;
}

const image_format image_json = {
    .name = "JSON",
    .probe = probe,
    .decode = decode,
};
