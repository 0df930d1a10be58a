/* SPDX-License-Identifier: MIT
 *
 * region.h - pictures that are read and written by rows, because they need not fit into memory. A format is one file
 * region_*.c and one row in regions.def.
 */
#ifndef CLI_REGION_H
#define CLI_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

/* What a picture is, as its header says. Grey or RGB, 8 or 16 bits, without alpha. */
typedef struct region_shape {
    int64_t width, height;
    int channels, depth;
    const char *format; /* "TIFF": static */
} region_shape;

typedef struct region_reader region_reader;

/* Opens a picture. EXIT_INPUT, with what is wrong and what would be right; EXIT_RESOURCES. */
int region_open(const char *path, region_shape *shape, region_reader **out, failure *why);

/* Reads rows first .. first + rows - 1, packed, 16-bit samples in native byte order. Memory besides: a strip, or a row
 * of tiles, at most 256 MB. */
int region_read(region_reader *reader, int64_t first, int64_t rows, uint8_t *pixels, failure *why);
void region_close(region_reader *reader); /* NULL is fine */

/* Writes a grey picture of 8 bits, row by row, whole or not at all. */
typedef struct region_writer region_writer;

/* Whether `path` can be written so, by its extension: EXIT_USAGE if not. */
int region_can_write(const char *path, failure *why);
int region_create(const char *path, int64_t width, int64_t height, region_writer **out, failure *why);
int region_write(region_writer *writer, const uint8_t *row, failure *why);
int region_finish(region_writer *writer, bool good, failure *why); /* in any case; NULL is fine */

/* ---- for region_*.c ---- */

struct file_stream;

typedef struct region_format {
    const char *name;
    const char *extensions[3];
    const char *without; /* the library that was not found when this was built */
    bool (*probe)(const uint8_t *head, size_t size);
    int (*open)(const char *path, region_shape *shape, void **state, failure *why);
    int (*read)(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why);
    void (*close)(void *state);
    int (*create)(struct file_stream *stream, int64_t width, int64_t height, void **state, failure *why);
    int (*write)(void *state, const uint8_t *row, failure *why);
    int (*finish)(void *state, bool good, failure *why); /* ends the picture, not the stream; frees state */
} region_format;

#define REGION(variable) extern const region_format region_##variable;
#include "regions.def"
#undef REGION

#endif
