/* SPDX-License-Identifier: MIT
 *
 * image_tiff.h - lets libtiff read from and write to memory.
 */
#pragma once

#include <stdbool.h>

#include <tiffio.h>

#include "image.h"

/* The file that libtiff reads or writes. In memory: `file` is read, or `sink` is written from byte `start` on. On disk:
 * `descriptor` is read or, with `written`, is written and read, and is empty at first. Keeps libtiff's first error, and
 * its warnings as notes. */
typedef struct tiff_memory {
    const uint8_t *file;
    int descriptor;     /* file descriptor, used if `file` and `sink` are NULL */
    bool written;
    int failed;         /* errno of a failed write       */
    size_t size;
    bytes *sink;
    size_t start;
    uint64_t at;
    const char *name;
    notes *list;
    int notes_made;
    bool sizes_noted; /* the note on wrong sizes of strips was made */
    bool no_memory;
    char error[200];
} tiff_memory;

/* Opens the file. Returns NULL if memory ran out, or with the reason in memory->error. `most` limits each allocation of
 * libtiff. */
TIFF *tiff_open(tiff_memory *memory, const char *mode, uint64_t most);

/* Sets the tags that every written page has; samples lie side by side in strips. */
void tiff_describe(TIFF *tiff, int64_t width, int64_t height, int bits, int samples);

/* Functions for the row of the table of formats, in image_tiff.c, tiff_write.c and tiff_blocks.c. Those in
 * tiff_blocks.c fail with EXIT_RESOURCES in builds without zlib. */
int tiff_picture_open(const picture_source *from, const image_limits *limits, region_shape *shape, image *out,
                      void **state, notes *log, failure *why);
int tiff_picture_rows(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why);
void tiff_picture_close(void *state);
int tiff_create(const image_sink *sink, const image_view *head, void **state, failure *why);
int tiff_write(void *state, const uint8_t *row, failure *why);
int tiff_finish(void *state, bool good, failure *why);
int tiff_write_together(const struct region_team *team, const char *name, int file, failure *why);
