/* SPDX-License-Identifier: MIT
 *
 * film.h - frames out of a pipe or a file, one after the other, in the memory of one frame. One table of formats; a
 * format is a row in films.def, and says how frames are read, and how masks are written if they can be.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "frame_list.h"
#include "image.h"

typedef struct film_format film_format;

/* Zero-initialise, set `list`; film_close() when done. */
typedef struct film {
    const char *path;          /* "-": standard input */
    frame_list list;           /* the files of a film of pictures; empty: the film is one file */
    const film_format *format;
    int width, height;
    int channels;              /* channels of `pixels`: 1 grey, 3 RGB; 8 bits a sample */
    uint8_t *pixels;           /* samples of the frame read last, packed; owned  */
    int64_t frames;            /* frames read so far                             */
    char rate[24], aspect[24]; /* frame rate and pixel aspect as y4m writes them; "": not known */
    notes log;                 /* notes on the frame read last; the caller empties them */
    /* For the functions that read a format. */
    int descriptor;
    uint8_t *raw;              /* a frame as the film has it, if that differs from `pixels`; owned */
    int step_x, step_y;        /* pixels that share a sample of colour; 0: no colour */
    int bits;                  /* bits of a sample in the film; above 8 in two bytes each, the low one first */
    bool full_range;
    uint8_t *ahead;            /* bytes that were read and not used yet; owned   */
    size_t from, until;        /* the place of these bytes in `ahead`            */
    image_limits limits;
    image first;               /* the first picture, kept until it is read as a frame; owned */
} film;

struct film_format {
    const char *name;    /* the name in --pixels and --format                                    */
    const char *summary;
    int channels;        /* channels of frames without a header, packed; 0: the header tells     */
    /* NULL: frames without a header, for which the user has to give size and format. */
    bool (*probe)(const uint8_t *begin, size_t size);
    int (*begin)(film *f, failure *why);                      /* reads the header                */
    size_t (*raw_bytes)(const film *f); /* bytes of f->raw, which `read` needs; NULL, or 0: none         */
    int (*read)(film *f, bool *more, failure *why);           /* reads a frame into f->pixels    */
    /* What is written before the first mask, and before each mask. head NULL: this format cannot be written. */
    bool (*head)(const film *f, bytes *out);
    const char *before_each;
};

#define FILM(variable) extern const film_format film_##variable;
#include "films.def"
#undef FILM

enum { FILM_AHEAD = 65536 };

/* Row `index` of the table; NULL past the end. */
const film_format *film_format_at(int index);
const film_format *film_format_find(const char *name); /* NULL: no such name */

/* Format and size of frames without a header. width 0: they have one. */
typedef struct film_shape {
    const film_format *format;
    int width, height;
} film_shape;

/* Opens `path` and reads what comes before the first frame; takes memory for one, within `limits`. EXIT_INPUT,
 * EXIT_USAGE where the shape is needed and not there, EXIT_RESOURCES. */
int film_open(film *f, const char *path, const film_shape *shape, const image_limits *limits, failure *why);

/* Reads the next frame; *more: whether there was one. EXIT_INPUT: it is cut short, or cannot be read. */
int film_next(film *f, bool *more, failure *why);
void film_close(film *f);

/* ---- for film_*.c ---- */

/* Reads `size` bytes; *got is less if the film ends before. */
int film_fill(film *f, void *to, size_t size, size_t *got, failure *why);

/* Reads more bytes into f->ahead, after those not used yet. *got is 0 at the end of the film, or without room. */
int film_look_ahead(film *f, size_t *got, failure *why);

/* Reads a line of up to room - 1 bytes, without its end. *got: whether there was one; false at the end of the film. */
int film_line(film *f, char *line, size_t room, bool *got, failure *why);

/* Refuses a frame that ends after `got` of its `size` bytes. */
int film_cut_short(const film *f, size_t got, size_t size, failure *why);
