/* SPDX-License-Identifier: MIT
 *
 * image.h - pictures in files, read and written whole; region.h reads and writes the same formats by rows, and scan.h
 * as volumes. The format is found by content when reading and by extension when writing; a file is written whole or not
 * at all. A format is one file and one row in formats.def, for pictures and volumes alike.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "georeference.h"

/* The limit on pixels if a caller gives none. Callers that expect larger pictures give their own limit. */
#define IMAGE_MAX_PIXELS (INT64_C(1) << 28)

typedef struct image {
    int width, height;    /* size of the picture, turned upright if the EXIF orientation was applied */
    int channels;         /* number of channels: 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA */
    int depth;            /* bits of a sample in memory, 8 or 16; 16-bit samples are in native byte order */
    uint8_t *pixels;      /* the pixels: width * height * channels * depth/8 bytes, packed; owned */
    uint8_t *index;       /* for a PNG or TIFF with a palette: the index of each pixel, width * height; else NULL;
                             owned */
    uint8_t *icc;         /* ICC profile as it is in the file, or NULL; owned */
    uint8_t *exif;        /* EXIF data as they are in the file, from their "II" or "MM" on, or NULL; owned */
    size_t icc_size, exif_size;
    uint32_t density[2];  /* density in pixels per metre, across and down; 0: unknown */
    georeference place;   /* where the picture lies on earth; dropped if the picture was turned */
    int orientation;      /* EXIF orientation in the file, 1..8; 1 if there is none */
    bool lossy;           /* the file was JPEG or another lossy format */
    bool volume;          /* the file is of a format that holds volumes; such a picture is its only slice */
    const char *format;   /* name of the format in the table of formats, such as "PNG"; static */
    bytes text;           /* the text of annotations in place of pixels, if limits->annotations allows them; owned */
} image;

typedef struct image_box {
    int x, y, width, height;
} image_box;

/* How files of shapes are read. */
typedef struct shape_rules {
    bool strict; /* a shape that cannot be read is an error; else it is left out, with a note */
    int yolo;    /* what the lines of YOLO files are (yolo_lines.h); 0: the file itself has to show it */
} shape_rules;

typedef struct image_limits {
    bool exif_ignore;     /* do not turn JPEGs, and PNGs with an eXIf chunk, upright */
    bool annotations;     /* accept shapes in place of a picture, and return them as image.text (masks/annotated.h) */
    shape_rules rules;
    int object;           /* number of the only object to use, counted from 1; 0: all objects */
    bool named;           /* shapes must name the photo, because their file describes many photos */
    int64_t max_pixels;   /* the most pixels that a header may claim; 0: IMAGE_MAX_PIXELS */
    uint64_t max_bytes;   /* the most memory that a header may claim; 0: no limit */
    /* NULL, or a function that returns how many bytes the whole task needs for a picture or volume of this size, if
     * each pixel takes `pixel` bytes. If it is NULL, only the picture itself needs memory. */
    uint64_t (*need)(const void *plan, const int64_t size[3], uint64_t pixel);
    const void *plan;
    /* NULL, or a function that is called with the number of bytes needed, and of pixels or voxels, after the header has
     * been read and before memory is taken. It may wait until that much memory is free. */
    void (*admit)(void *context, uint64_t bytes, uint64_t count);
    void *admit_context;
    bool by_rows;         /* only some rows are in memory at a time, so only width and height are limited, not the
                             number of pixels */
} image_limits;

/* Reads `path` ("-": standard input). The format is found from the content, not from the name. Samples of less than 8
 * bits are scaled to 8 (PNM with other maxvals to 8 or 16). A palette becomes grey if every entry is grey, else
 * RGB(A). On failure `*out` is empty, and the status is EXIT_INPUT (unreadable, unsupported, damaged, too many
 * pixels) or EXIT_RESOURCES (no memory, or more than max_bytes). `limits` may be NULL. */
int image_read(const char *path, const image_limits *limits, image *out, notes *notes, failure *failure);
void image_free(image *image);

/* Crops the picture in place to `box`, which lies inside it. */
void image_crop(image *image, const image_box *box);

/* Does image_read() for a file in memory; `name` is for messages. */
int image_decode(const char *name, const uint8_t *bytes, size_t size, const image_limits *limits, image *out,
                 notes *notes, failure *failure);

/* A picture to write. `pixels` has the layout of struct image and is only read. */
typedef struct image_view {
    int width, height, channels, depth;
    const void *pixels;
    /* These are written if the format can hold them; NULL or 0: none. EXIF is as in struct image. */
    const uint8_t *icc, *exif;
    size_t icc_size, exif_size;
    uint32_t density[2];
    const georeference *place;
    /* NULL, or a palette of 256 colours for an 8-bit grey picture. PNG stores the palette; other formats store only the
     * grey values. */
    const uint8_t (*palette)[3];
    int threads; /* threads that compress; 0 means 1. The file is the same for any number */
} image_view;

enum image_purpose {
    IMAGE_MASK,     /* the format must be lossless: JPEG is refused */
    IMAGE_GREY,     /* lossless, with more than two values: PBM is refused, too */
    IMAGE_CUTOUT,   /* the format must have alpha if channels is 2 or 4 */
    IMAGE_PICTURE   /* no requirements                                */
};

/* Checks from its extension if `path` can be written for `purpose` with that many channels. "-" is PNG, and must not be
 * a terminal. Returns EXIT_DONE, or EXIT_USAGE with a sentence. Call it before any work starts. */
int image_can_write(const char *path, enum image_purpose purpose, int channels, failure *failure);

/* Like image_can_write(), but a name without a known extension, such as "-", gets the format of the extension `as`,
 * unless that is NULL. */
int image_can_write_as(const char *path, const char *as, enum image_purpose purpose, int channels, failure *failure);
int image_encode_as(const char *path, const char *as, enum image_purpose purpose, const image_view *view, bytes *sink,
                    failure *failure);

/* Returns the index-th extension that can be written, without its dot ("png"), or NULL past the end. Static. */
const char *image_extension(int index);

/* Returns the bytes a pixel that writing to `path` takes in addition to those of a cut. */
int image_pixel_bytes(const char *path);

/* True if the path has the extension of a format in the table, so that the file is probably a picture. */
bool image_has_extension(const char *path);

/* Writes `view` to `path` ("-": standard output) under a temporary name in the same folder, then renames the file. So
 * the file appears whole or not at all, and an older one is kept on failure. EXIT_RUNTIME on failure, EXIT_USAGE as for
 * image_can_write(). An 8-bit format gets 16-bit samples rounded; a format without alpha gets no alpha. */
int image_write(const char *path, enum image_purpose purpose, const image_view *view, failure *failure);

/* Appends to `sink` the bytes that image_write() would write to `path`. */
int image_encode(const char *path, enum image_purpose purpose, const image_view *view, bytes *sink, failure *failure);

/* Returns one line about a format for `tilecut info` and the help: "PNG   read, write   ..."; NULL past the end. */
const char *image_format_line(int index);

/* Lists the formats of pictures that can be read and, with `slices`, those of volumes: "PNG, JPEG or PNM". Returns
 * `list`, which has room for `size` bytes. */
const char *image_list_readable(char *list, size_t size, bool slices);

/* ---- for image_*.c ---- */

/* The bytes of a file, either in memory or read from the file when needed. */
typedef struct picture_source {
    const char *name;    /* for messages                  */
    const char *path;    /* NULL: unknown, so files beside it cannot be found */
    const uint8_t *data; /* the whole file, `size` bytes; NULL: read from `file` */
    int file;
    uint64_t size;
    uint64_t begin;      /* where in `file` the bytes begin */
} picture_source;

/* Reads up to `size` bytes that begin at byte `at`, and returns how many were read. */
size_t picture_read(const picture_source *from, uint64_t at, void *to, size_t size);

/* A palette: the colour for each number that a pixel may hold. */
typedef struct region_palette {
    int entries;
    uint8_t entry[256][4]; /* red, green, blue, alpha */
} region_palette;

/* The properties of a picture by its header: grey or RGB, 8 or 16 bits, with or without alpha. Samples of less than 8
 * bits are scaled to 8. */
typedef struct region_shape {
    int64_t width, height;
    int channels, depth;
    const region_palette *palette; /* pixels are numbers in this palette; NULL: no palette; owned by the reader */
    const char *format; /* "TIFF": static */
    bool alpha; /* the file has alpha, which region_open() leaves out */
    bool tiled;
    bool rows_are_free; /* false: reading one row costs as much as reading all rows at once */
    bool lossy;         /* as of image */
    int64_t block;      /* rows in a strip or tile, which are decompressed together; 0: each row is separate */
    int orientation;    /* as in EXIF: 1 is upright; 0: unknown */
    uint64_t next;      /* the byte at which another picture begins in the same file; 0: there is none */
    georeference place; /* as of image */
    uint32_t density[2]; /* as of image */
    char beside[80];    /* text of a note about oddities of the file and data that are not read, valid if all rows can
                           be read; or empty */
} region_shape;

struct file_stream;
struct region_team;

/* Where a picture is written: it is appended to `memory` or, if that is NULL, written to `stream`. */
typedef struct image_sink {
    const char *name; /* for messages */
    bytes *memory;
    struct file_stream *stream;
} image_sink;
int image_put(const image_sink *sink, const void *data, size_t size, failure *why);

/* True if pictures of that format can be written. */
#define IMAGE_IS_WRITTEN(format) ((format)->encode || (format)->create || ((format)->flat && (format)->encode_slices))

struct scan;
struct scan_input;
struct scan_reading;
struct scan_sink;
struct scan_source;
typedef struct image_format image_format;

/* The pictures of a file that holds several, such as the frames of an animation, decoded one after another. */
typedef struct image_series {
    const char *name;        /* for messages */
    const uint8_t *data;     /* the whole file, `size` bytes */
    size_t size;
    int64_t count, taken;    /* pictures in the file; number of the one that next() decodes, counted from 1 */
    uint64_t width, height;  /* size of the first picture */
    int depth;               /* bits of a sample: 8 or 16 */
    void *state;
} image_series;

/* How a format of volumes serves as a format of pictures: a picture is a volume of one slice. */
typedef struct image_flat {
    int (*read)(const image_format *format, const picture_source *from, const image_limits *limits, image *out,
                notes *notes, failure *failure);
    int (*write)(const image_format *format, const char *path, const image_view *view, bytes *sink, failure *failure);
} image_flat;

struct image_format {
    const char *name;       /* "PNG"                                                       */
    const char *line;       /* text of image_format_line(); NULL: the line of another row includes this format */
    const char *slices;     /* text of scan_format_line(), for a format that holds volumes; NULL: it holds pictures */
    const char *(*line_here)(void); /* returns the line if it depends on this machine; NULL: use the lines above */
    const char *extensions[3];   /* such as "tif", "tiff", NULL; messages propose the first one */
    bool lossless, alpha, color; /* whether a written file can be lossless, have alpha, and have colours */
    int pixel_bytes;        /* memory that writing takes for each pixel, in addition to that of a cut */
    const char *without;    /* name of a library, such as "libtiff", that was missing when the program was built; NULL:
                               none is missing */
    bool (*probe)(const uint8_t *bytes, size_t size);
    /* Reading: either `decode`, or open, rows and close if the rows can be read one after the other; none of them if
     * the format is only written. `limits` is never NULL. After a failure the caller frees the contents of `out`. */
    int (*decode)(const char *name, const uint8_t *bytes, size_t size, const image_limits *limits,
                  image *out, notes *notes, failure *failure);
    /* Reads only the header: the shape into `shape`, and everything except pixels into `out`. The caller closes *state,
     * also after a failure. `notes` stays in use until then; if it is NULL, notes are dropped. */
    int (*open)(const picture_source *from, const image_limits *limits, region_shape *shape, image *out, void **state,
                notes *notes, failure *failure);
    /* Reads the rows first .. first + rows - 1, packed, with 16-bit samples in native byte order. If rows are not free,
     * a single call reads all of them. */
    int (*rows)(void *state, int64_t first, int64_t rows, uint8_t *pixels, failure *failure);
    void (*close)(void *state);
    /* Reading a file that may hold several pictures, as slices: begin() counts them without decoding any, and checks
     * that one can be decoded within the limits, if there are several; next() decodes the next one, to RGB or RGBA;
     * end() frees the state, also after a failure. `series` comes with name, data, size, and a depth of 8. `begin` is
     * NULL if the format holds one picture, or several that region_shape.next leads to; `end`, if there is no state. */
    int (*begin)(image_series *series, const image_limits *limits, failure *failure);
    int (*next)(image_series *series, const image_limits *limits, image *out, failure *failure);
    /* Called before next(), or not at all: leaves out pictures without which those from number `wanted` on can be
     * decoded. Returns how many. NULL: all are decoded. */
    int64_t (*skip)(image_series *series, int64_t wanted);
    void (*end)(image_series *series);
    /* Writing: either `encode`, or create, write and finish if the rows can be written one after the other; none of
     * them if the format is only read. encode() appends the file to `sink`. */
    int (*encode)(const char *name, const image_view *view, bytes *sink, failure *failure);
    int (*ready)(const char *name, failure *failure); /* checks that this machine can write it; NULL: every machine
                                                         can */
    /* `head` is the view without its pixels; write() gets them row by row. finish() ends the picture but not the
     * stream, and frees the state; it is called after a failure, too, if there is a state. `seeks` is true if writing
     * jumps back in the stream, which is impossible in a pipe. together() writes one file from several parts
     * (region.h). */
    bool seeks;
    int (*create)(const image_sink *sink, const image_view *head, void **state, failure *why);
    int (*write)(void *state, const uint8_t *row, failure *why);
    int (*finish)(void *state, bool good, failure *why);
    int (*together)(const struct region_team *team, const char *name, int file, failure *why);
    /* Volumes (scan.h). confirm() looks at more of a file whose beginning probe() knows, to find out if it is a volume;
     * NULL: its beginning is enough. encode_slices() is NULL if the format is only read. `flat` is NULL if the
     * functions above read and write its pictures. */
    bool (*confirm)(const struct scan_input *in);
    int (*decode_slices)(struct scan_input *in, const struct scan_reading *request, struct scan *out, failure *why);
    int (*encode_slices)(struct scan_sink *sink, const struct scan *what, const struct scan *like,
                         const struct scan_source *voxels, failure *why);
    const image_flat *flat;
};

#define FORMAT(variable) extern const image_format image_##variable;
#include "formats.def"
#undef FORMAT

/* Return the index-th format of the table (NULL past the end), the format with the extension `word`, the one with the
 * extension that `path` ends with, the one whose files begin with these bytes, and the format of a file by its first
 * bytes; or NULL. */
const image_format *image_format_at(int index);
const image_format *image_format_named(const char *word);
const image_format *image_format_of_name(const char *path);
const image_format *image_format_of(const uint8_t *bytes, size_t size);
const image_format *image_format_of_file(const char *path);

/* Reads a file of which only a descriptor is known into memory. */
int image_take_file(const picture_source *from, bytes *file, failure *failure);

/* Does image_decode() for a file that may not be in memory. If its format can only be read from memory, reads it all
 * first. */
int image_decode_source(const picture_source *from, const image_limits *limits, image *out, notes *notes,
                        failure *failure);

/* Returns the number of channels of a picture with this palette: grey if all colours are grey, plus alpha if any is
 * transparent. */
int image_palette_channels(const region_palette *palette);

int64_t image_most_pixels(const image_limits *limits);

/* Refuses a size in a header that is 0, exceeds the limits, or needs more than max_bytes at `bytes_per_pixel`. */
int image_check_size(const char *name, uint64_t width, uint64_t height, uint64_t bytes_per_pixel,
                     const image_limits *limits, failure *failure);
/* Refuses a size in a header that needs more than max_bytes, if each pixel is decoded to `pixel` bytes; then calls
 * limits->admit(). size: width, height, and the slices of a volume or 1. */
int image_check_memory(const char *name, const int64_t size[3], uint64_t pixel, const image_limits *limits,
                       failure *failure);
/* True if a file that starts with these bytes is a TIFF or BigTIFF. Works also without libtiff. */
bool image_is_tiff(const uint8_t *file, size_t size);
int image_cut_short(const char *name, failure *failure); /* returns EXIT_INPUT: the file ends within the picture */
/* Sets the shape of `out` and allocates its pixels. */
int image_allocate(const char *name, int width, int height, int channels, int depth, image *out, failure *failure);

/* Numbers of a picture that are not samples of 8 or 16 bits: floating point, signed, or longer. All of them together
 * show what they mean: masks and labels are whole numbers up to 65535, and photos in floating point are shares from 0
 * to 1. Begin with image_numbers_none, add every number, and check. */
typedef struct image_numbers {
    double least, most;
    bool broken, odd; /* some are not whole, or not finite */
    int depth;        /* of the samples: 8 or 16, after the check */
} image_numbers;
extern const image_numbers image_numbers_none;
void image_numbers_add(image_numbers *numbers, double v);
/* EXIT_INPUT if they are neither; `what` is the word for the file, such as "TIFF". */
int image_numbers_check(image_numbers *numbers, const char *name, const char *what, failure *failure);
/* Writes a number as the i-th sample. */
void image_numbers_put(const image_numbers *numbers, double v, uint8_t *samples, size_t i);

/* Keeps a copy of other data of the file, such as an ICC profile. Does nothing if `size` is 0. */
int image_keep(const char *name, const void *data, size_t size, uint8_t **to, size_t *to_size, failure *failure);
/* For formats that cannot say if a picture is grey: drops alpha if it is 0 everywhere, and drops the colours if every
 * pixel is grey. For 8 bits. */
void image_simplify(image *image);
/* Returns the samples of `view`, packed, rounded to 8 bits, and converted to `channels`: 1, 3 (grey is repeated, alpha
 * is dropped), or view->channels for no conversion. If nothing changes, these are the view's own pixels; otherwise they
 * are in new memory, which is stored in *owned and which the caller frees. NULL: memory ran out. */
const uint8_t *image_view_8bit(const image_view *view, int channels, uint8_t **owned);
