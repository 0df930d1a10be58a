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

/* The colours of a picture whose pixels are numbers in one. */
typedef struct region_palette {
    int entries;
    uint8_t entry[256][4]; /* red, green, blue, alpha */
} region_palette;

/* What a picture is, as its header says: grey or RGB, 8 or 16 bits, with or without alpha. Of fewer bits, samples are
 * scaled to 8. */
typedef struct region_shape {
    int64_t width, height;
    int channels, depth;
    const region_palette *palette; /* the reader's: its one channel are numbers in it; NULL: there is none */
    const char *format; /* "TIFF": static */
    bool alpha; /* there is; of a photo it is left out */
    bool tiled;
    int64_t block; /* rows of a strip or of a tile, which are unpacked together; 0: rows are unpacked one by one */
    int orientation;    /* as in EXIF: 1 is upright; 0: the file does not say */
    char beside[80];    /* what of the file is not read, for a note; or empty */
} region_shape;

typedef struct region_reader region_reader;

/* Opens a photo: what a palette numbers becomes grey or RGB, and alpha is left out. EXIT_INPUT, with what is wrong and
 * what would be right; EXIT_RESOURCES. */
int region_open(const char *path, region_shape *shape, region_reader **out, failure *why);

/* Opens a picture of seeds, with its palette and its alpha. */
int region_open_stored(const char *path, region_shape *shape, region_reader **out, failure *why);

/* Reads rows first .. first + rows - 1, packed, 16-bit samples in native byte order. Memory besides: a strip or a tile,
 * at most 256 MB. Of tiles only the last one is kept, so who reads few rows at a time unpacks each tile many times. */
int region_read(region_reader *reader, int64_t first, int64_t rows, uint8_t *pixels, failure *why);

/* How many of the pixels read so far were not opaque, though they were read as if they were. */
int64_t region_transparent(const region_reader *reader);
void region_close(region_reader *reader); /* NULL is fine */

/* Rows are read as they are stored. So a picture that has to be turned upright is refused, unless `as_stored` says that
 * it is not to be turned: EXIT_INPUT. */
int region_check_upright(const char *path, const region_shape *shape, bool as_stored, failure *why);

/* Writes a grey picture of 8 bits, row by row, whole or not at all. */
typedef struct region_writer region_writer;

/* Whether `path` can be written so, by its extension: EXIT_USAGE if not. A name without one, "-" for example, gets the
 * format of the extension `as`; NULL: none, but PNG for "-". */
int region_can_write(const char *path, const char *as, failure *why);
int region_create(const char *path, const char *as, region_writer **out, failure *why);

/* From top to bottom: first its size, then each row. */
int region_begin(region_writer *writer, int64_t width, int64_t height, int threads, failure *why);
int region_write(region_writer *writer, const uint8_t *row, failure *why);
int region_finish(region_writer *writer, bool good, failure *why); /* in any case; NULL is fine */

/* A team of several parts may write one file: each writes its own rows, at the same time. The first process calls
 * region_create(). The others join its file under the name that region_shared_as() returned to the first; NULL means
 * that this file or format can be written by rows only. All have to be done before region_finish(); the first finishes
 * first. */
typedef struct region_team {
    int part, parts;
    int64_t width, height; /* of the picture                                       */
    int64_t first, rows;   /* own                                                  */
    int64_t fewest;        /* rows of the part that has fewest                     */
    const uint8_t *pixels; /* [rows][width]                                        */
    uint8_t flip;          /* bits that are turned in each pixel                   */
    bool tiles;            /* rather than strips, where the format has both        */
    int threads;           /* to pack with                                         */
    void *context;         /* for these, as of tilecut_exchange                    */
    int (*sum)(void *context, int64_t *values, size_t count);
    int (*swap)(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes);
} region_team;

const char *region_shared_as(const region_writer *writer);
bool region_join(const char *path, const char *as, const char *shared_as, region_writer **out);

int region_descriptor(const region_writer *writer);

/* Writes own rows to such a file, whose name will be `path`, and brings them to the disk. If another part has left:
 * EXIT_RUNTIME without a sentence. */
int region_write_together(const char *path, const char *as, int file, const region_team *team, failure *why);

/* ---- for region_*.c ---- */

struct file_stream;

typedef struct region_format {
    const char *name;
    const char *extensions[3];
    const char *without; /* the library that was not found when this was built */
    bool seeks;          /* writes forth and back, so not to pipes */
    bool (*probe)(const uint8_t *head, size_t size);
    int (*open)(const char *path, region_shape *shape, void **state, failure *why);
    int (*read)(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *why);
    void (*close)(void *state);
    int (*create)(struct file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why);
    int (*write)(void *state, const uint8_t *row, failure *why);
    int (*finish)(void *state, bool good, failure *why); /* ends the picture, not the stream; frees state */
    int (*together)(const region_team *team, const char *name, int file, failure *why); /* or NULL */
} region_format;

/* The last of these for TIFF; EXIT_RESOURCES where zlib was not found. */
int region_tiff_write_together(const region_team *team, const char *name, int file, failure *why);

#define REGION(variable) extern const region_format region_##variable;
#include "regions.def"
#undef REGION

#endif
