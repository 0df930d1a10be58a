/* SPDX-License-Identifier: MIT
 *
 * image.h - pictures in files: reading by content, writing by extension, whole or not at all.
 * One table of formats; a format is one file image_*.c and one row in formats.def.
 */
#ifndef CLI_IMAGE_H
#define CLI_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

/* So many pixels are read where a caller names no other number: what is meant to be larger says so. */
#define IMAGE_MAX_PIXELS (INT64_C(1) << 28)

typedef struct image {
    int width, height;    /* upright size, after the EXIF orientation if it was applied        */
    int channels;         /* 1 grey, 2 grey + alpha, 3 RGB, 4 RGBA                             */
    int depth;            /* 8 or 16: bits a sample in memory; 16 in native byte order         */
    uint8_t *pixels;      /* width * height * channels * depth/8 bytes, packed; owned          */
    uint8_t *index;       /* PNG, TIFF with a palette: the index of each pixel, width * height; else NULL; owned */
    uint8_t *icc;         /* ICC profile as found, or NULL; owned                              */
    uint8_t *exif;        /* EXIF as found, from its "II" or "MM" on, or NULL; owned           */
    size_t icc_size, exif_size;
    uint32_t density[2];  /* pixels a metre, across and down; 0: unknown                       */
    int orientation;      /* EXIF orientation found in the file, 1..8; 1 when none             */
    bool lossy;           /* came from JPEG or its like                                        */
    const char *format;   /* name in the table of formats, "PNG": static                       */
    bytes text;           /* of annotations, if limits->annotations let them in: no pixels then; owned */
} image;

typedef struct image_box {
    int x, y, width, height;
} image_box;

typedef struct image_limits {
    bool exif_ignore;     /* leave JPEGs (and PNGs with an eXIf chunk) as stored               */
    bool annotations;     /* JSON is let in, as image.text (masks/annotated.h)                 */
    int64_t max_pixels;   /* refused from the header; 0: IMAGE_MAX_PIXELS                      */
    uint64_t max_bytes;   /* of decoded memory, refused from the header; 0: no limit           */
    uint64_t beside;      /* bytes a pixel that the caller will need beside: they count in      */
    /* NULL, or told how many bytes that will be, when the header is known and no memory is taken yet; it may
     * wait until there is room. */
    void (*admit)(void *context, int width, int height, uint64_t bytes);
    void *admit_context;
} image_limits;

/* Reads `path` ("-": standard input). The content decides the format, not the name. Samples of less than
 * 8 bits are scaled to 8 (PNM of other maxvals to 8 or 16); palettes become grey if every entry is grey,
 * else RGB(A). On failure `*out` is empty and the status is EXIT_INPUT (unreadable, unsupported, damaged,
 * too many pixels) or EXIT_RESOURCES (no memory, or more than max_bytes). `limits` may be NULL. */
int image_read(const char *path, const image_limits *limits, image *out, notes *notes, failure *failure);
void image_free(image *image);

/* Leaves of the picture what is in `box`, which lies inside it, in the same memory. */
void image_crop(image *image, const image_box *box);

/* The same from memory; `name` is for messages. */
int image_decode(const char *name, const uint8_t *bytes, size_t size, const image_limits *limits, image *out,
                 notes *notes, failure *failure);

/* What to write. `pixels` as in struct image, only read. */
typedef struct image_view {
    int width, height, channels, depth;
    const void *pixels;
    /* Written where the format can: NULL or 0 for none. EXIF as in struct image. */
    const uint8_t *icc, *exif;
    size_t icc_size, exif_size;
    uint32_t density[2];
} image_view;

enum image_purpose {
    IMAGE_MASK,     /* must be lossless: JPEG is refused              */
    IMAGE_CUTOUT,   /* needs alpha when channels is 2 or 4: PNG, TGA  */
    IMAGE_PICTURE   /* anything                                       */
};

/* Says whether `path` can be written for `purpose` with that many channels, by its extension ("-" is
 * PNG and must not be a terminal): EXIT_DONE, or EXIT_USAGE with the sentence. Called before any work starts. */
int image_can_write(const char *path, enum image_purpose purpose, int channels, failure *failure);

/* The same, where a name tells no format, "-" among them, in that `as` is the extension of; NULL: as above. */
int image_can_write_as(const char *path, const char *as, enum image_purpose purpose, int channels, failure *failure);
int image_encode_as(const char *path, const char *as, enum image_purpose purpose, const image_view *view, bytes *sink,
                    failure *failure);

/* Extension `index` of those that can be written, without the dot, NULL past the end: "png". Static. */
const char *image_extension(int index);

/* Whether a file of that name is likely a picture: its extension is one of the table's. */
bool image_has_extension(const char *path);

/* Writes `view` to `path` ("-": standard output): beside it under a temporary name, then renamed, so that
 * it appears whole or not at all and keeps what was there on failure. EXIT_RUNTIME on failure, EXIT_USAGE as
 * image_can_write(). A format of 8 bits rounds 16-bit samples; one without alpha drops that of a picture. */
int image_write(const char *path, enum image_purpose purpose, const image_view *view, failure *failure);

/* The bytes image_write() would write to `path`, appended to `sink`. */
int image_encode(const char *path, enum image_purpose purpose, const image_view *view, bytes *sink,
                 failure *failure);

/* One line per format for `tilecut info` and the help: "PNG   read, write   ..."; NULL past the end. */
const char *image_format_line(int index);

/* ---- for image_*.c ---- */

typedef struct image_format {
    const char *name;       /* "PNG"                                                       */
    const char *line;       /* for image_format_line; NULL: covered by another row's       */
    const char *extensions[3];   /* "tif", "tiff", NULL; the first one is what is proposed */
    bool lossless, alpha, color; /* what it can hold when written                          */
    const char *without;    /* "libtiff": what would read and write it, but was not found when this was built  */
    bool (*probe)(const uint8_t *bytes, size_t size);
    /* NULL where the format is only written. `name` is for messages; `limits` is never NULL. On failure
     * what is in `out` is freed by the caller. */
    int (*decode)(const char *name, const uint8_t *bytes, size_t size, const image_limits *limits,
                  image *out, notes *notes, failure *failure);
    /* NULL where it is only read. Appends the file to `sink`. */
    int (*encode)(const char *name, const image_view *view, bytes *sink, failure *failure);
} image_format;

#define FORMAT(variable) extern const image_format image_##variable;
#include "formats.def"
#undef FORMAT

int64_t image_most_pixels(const image_limits *limits);

/* Refuses a size from the header: 0 pixels, sides or pixels over the limit, or more than max_bytes at
 * `bytes_per_pixel`. */
int image_check_size(const char *name, uint64_t width, uint64_t height, uint64_t bytes_per_pixel,
                     const image_limits *limits, failure *failure);
/* Sets the shape of `out` and takes memory for its pixels. */
int image_allocate(const char *name, int width, int height, int channels, int depth, image *out,
                   failure *failure);
/* A copy of what a file says about the picture, an ICC profile for instance; nothing for none. */
int image_keep(const char *name, const void *data, size_t size, uint8_t **to, size_t *to_size, failure *failure);
/* 8 bits: drops an alpha that is 0 everywhere, and colours if no pixel has any; for formats without a kind for grey. */
void image_simplify(image *image);
/* The samples of `view` rounded to 8 bits and to `channels` (1 or 3: grey is spread, alpha is dropped;
 * view->channels: only rounded), packed. The view's own pixels when nothing changes, else the memory put
 * into *owned, which the caller frees. NULL: no memory. */
const uint8_t *image_view_8bit(const image_view *view, int channels, uint8_t **owned);

#endif
