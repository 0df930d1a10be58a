/* SPDX-License-Identifier: MIT
 *
 * image_tiff.h - lets libtiff read from and write to memory.
 */
#ifndef CLI_IMAGE_TIFF_H
#define CLI_IMAGE_TIFF_H

#include <stdbool.h>

#include <tiffio.h>

#include "image.h"

/* A file in memory: `file` to read, or `sink`, from `start` on, to write; or one that is open as `descriptor`, to read,
 * or if `written` to write and read, empty at first. Keeps libtiff's first error, and its warnings as notes. */
typedef struct tiff_memory {
    const uint8_t *file;
    int descriptor;     /* if there is neither `file` nor `sink` */
    bool written;
    int failed;         /* errno of writing to it        */
    size_t size;
    bytes *sink;
    size_t start;
    uint64_t at;
    const char *name;
    notes *list;
    int notes_made;
    bool no_memory;
    char error[200];
} tiff_memory;

/* NULL: no memory, or the reason in memory->error. `most` limits each allocation of libtiff. */
TIFF *tiff_open(tiff_memory *memory, const char *mode, uint64_t most);

/* Tags that every page has that is written, for chunky samples in strips. */
void tiff_describe(TIFF *tiff, int64_t width, int64_t height, int bits, int samples);

/* As in the table of formats: tiff_write.c, and tiff_blocks.c, which fails with EXIT_RESOURCES where
 * zlib was not found. */
int tiff_create(const image_sink *sink, const image_view *head, void **state, failure *why);
int tiff_write(void *state, const uint8_t *row, failure *why);
int tiff_finish(void *state, bool good, failure *why);
int tiff_write_together(const struct region_team *team, const char *name, int file, failure *why);

#endif
