/* SPDX-License-Identifier: MIT
 *
 * image_tiff.h - what reading and writing TIFF share: how libtiff reaches memory.
 */
#ifndef CLI_IMAGE_TIFF_H
#define CLI_IMAGE_TIFF_H

#include <stdbool.h>

#include <tiffio.h>

#include "image.h"

/* A file in memory: `file` to read, or `sink` to write to from `start` on. What libtiff says is kept: the first error,
 * and warnings as notes. */
typedef struct tiff_memory {
    const uint8_t *file;
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

/* NULL: no memory, or what is in `memory->error`. `most` bounds each piece of memory that libtiff takes. */
TIFF *tiff_open(tiff_memory *memory, const char *mode, uint64_t most);

/* Writing, in a file of its own. */
int tiff_encode(const char *name, const image_view *view, bytes *sink, failure *failure);

#endif
