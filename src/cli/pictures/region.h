/* SPDX-License-Identifier: MIT
 *
 * region.h - reads and writes pictures by rows, so that they need not fit into memory. All formats of image.h can be
 * opened in this way; if a format cannot be read by rows, the picture is unpacked into memory as a whole.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

typedef struct region_reader region_reader;

/* Opens a photo: a palette is replaced by its grey or RGB colours, and alpha is left out. The photo is turned upright,
 * unless `as_stored`. Returns EXIT_INPUT or EXIT_RESOURCES on failure; the sentence says what is wrong and what would
 * be right. */
int region_open(const char *path, bool as_stored, region_shape *shape, region_reader **out, failure *why);

/* region_open_stored() opens a picture of seeds and keeps its palette and its alpha; if its rows are not free, *out is
 * NULL, and `shape` says no more than that. region_open_source() opens a file that is in memory or open already, and
 * keeps both, too; `limits` bound a picture whose rows are not free. region_flatten() takes both out, as region_open()
 * does, and closes the reader if it fails. region_open_image() takes a picture in memory, also if it fails. */
int region_open_source(const picture_source *from, const image_limits *limits, region_shape *shape,
                       region_reader **out, failure *why);
int region_open_image(const char *name, image *picture, region_shape *shape, region_reader **out, failure *why);
int region_flatten(region_reader **reader, region_shape *shape, failure *why);
int region_open_stored(const char *path, bool as_stored, region_shape *shape, region_reader **out, failure *why);

/* Reads the rows first .. first + rows - 1, packed, with 16-bit samples in native byte order. This takes memory
 * besides: one tile, at most 256 MB, or the whole picture if rows are not free. Only the last tile is kept unpacked, so
 * reading few rows at a time unpacks each tile many times. */
int region_read(region_reader *reader, int64_t first, int64_t rows, uint8_t *pixels, failure *why);

/* Adds notes about oddities of the file and about data that are not read. Call it after all rows have been read without
 * a failure, by this reader or by others. */
void region_note_oddities(const region_reader *reader, notes *log);

/* Returns how many of the pixels read so far were transparent. Their alpha was left out. */
int64_t region_transparent(const region_reader *reader);
void region_close(region_reader *reader); /* NULL is fine */

/* Writes a grey picture of 8 bits row by row. The file appears whole or not at all. */
typedef struct region_writer region_writer;

/* True if a mask can be written to `path` row by row. A name without extension, such as "-", gets the format of the
 * extension `as`; if that is NULL, "-" is PNG. */
bool region_writes_rows(const char *path, const char *as);

/* Creates the file. `rows` becomes region_writes_rows(), but false for a format that jumps back in what it has written,
 * if the file is a pipe. If it is false, the caller makes the file in memory and calls region_put() once; else it calls
 * region_begin() and region_write(), or writes together with others. */
int region_create(const char *path, const char *as, bool *rows, region_writer **out, failure *why);
int region_put(region_writer *writer, const bytes *file, failure *why);

/* Write from top to bottom: region_begin() a picture of one channel of 8 bits without its pixels, then region_write()
 * the next row. */
int region_begin(region_writer *writer, const image_view *head, failure *why);
int region_write(region_writer *writer, const uint8_t *row, failure *why);
int region_finish(region_writer *writer, bool good, failure *why); /* call it in any case; NULL is allowed */

/* A team of several parts may write one file: each writes its own rows, at the same time. The first process calls
 * region_create(). The others open its file under the name that region_shared_as() returns in the first process; if
 * that is NULL, the file can only be written row by row. When all parts have written, all call region_finish(), the
 * first process before the others. */
typedef struct region_team {
    int part, parts;
    int64_t width, height; /* size of the picture                                  */
    int64_t first, rows;   /* the first row of this part and their number */
    int64_t fewest;        /* number of rows of the smallest part */
    const uint8_t *pixels; /* [rows][width]                                             */
    uint8_t flip;          /* each pixel is XORed with this value when written */
    bool tiles;            /* write tiles instead of strips, where the format has both */
    const georeference *place; /* where the picture lies on earth; NULL: unknown */
    uint32_t density[2];   /* pixels per metre, across and down; 0: unknown */
    int threads;           /* threads that compress                                     */
    void *context;         /* context of the next two functions, which are as in tilecut_exchange */
    int (*sum)(void *context, int64_t *values, size_t count);
    int (*swap)(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes);
} region_team;

const char *region_shared_as(const region_writer *writer);
bool region_join(const char *path, const char *as, const char *shared_as, region_writer **out);

int region_descriptor(const region_writer *writer);

/* Writes this part's rows to the team's file, which will be named `path`, and flushes them to the disk. EXIT_RUNTIME
 * without a sentence: another part has failed. */
int region_write_together(const char *path, const char *as, int file, const region_team *team, failure *why);
