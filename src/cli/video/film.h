/* SPDX-License-Identifier: MIT
 *
 * film.h - reads frames from a pipe or a file, one after the other, in the memory of one frame. A format is a row in
 * films.def; it has the functions that read frames and, if possible, write masks.
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

/* Initialise it with zeros and set `list`; call film_close() at the end. */
typedef struct film {
    const char *path;          /* "-": standard input */
    frame_list list;           /* the files of a film that consists of pictures; empty: the film is one file */
    const film_format *format;
    int width, height;
    int channels;              /* channels of `pixels`: 1 grey, 3 RGB; with 8 bits a sample */
    uint8_t *pixels;           /* samples of the last frame that was read, packed; owned */
    int64_t frames;            /* frames read so far                             */
    char rate[24], aspect[24]; /* frame rate and pixel aspect in the notation of y4m; "": unknown */
    notes log;                 /* notes about the last frame that was read; the caller empties them */
    /* These are for the functions that read a format. */
    int descriptor;
    uint8_t *raw;              /* a frame in the form of the film, if that differs from `pixels`; owned */
    int step_x, step_y;        /* pixels that share a sample of colour, across and down; 0: no colour */
    int bits;                  /* bits of a sample in the film; more than 8 are in two bytes, the low one first */
    bool full_range;
    uint8_t *ahead;            /* bytes that have been read but not used yet; owned */
    size_t from, until;        /* `ahead` holds unused bytes from `from` to `until` - 1 */
    image_limits limits;
    image first;               /* the first picture, kept until it is read as a frame; owned */
} film;

struct film_format {
    const char *name;    /* name of the format in --pixels and --format */
    const char *summary;
    int channels;        /* channels of packed frames without a header; 0: frames have one */
    /* Recognises a film by its first bytes. NULL: frames have no header, and the user must give size and format. */
    bool (*probe)(const uint8_t *begin, size_t size);
    int (*begin)(film *f, failure *why);                      /* reads the header                */
    size_t (*raw_bytes)(const film *f); /* returns the bytes of f->raw, which `read` needs; NULL, or a result of 0:
                                           none */
    int (*read)(film *f, bool *more, failure *why);           /* reads a frame into f->pixels */
    /* head() appends the bytes before the first mask, before_each precedes each mask. head NULL: this format cannot be
     * written. */
    bool (*head)(const film *f, bytes *out);
    const char *before_each;
};

#define FILM(variable) extern const film_format film_##variable;
#include "films.def"
#undef FILM

enum { FILM_AHEAD = 65536 };

/* Returns row `index` of the table, or NULL past the end. */
const film_format *film_format_at(int index);
const film_format *film_format_find(const char *name); /* NULL: no such name */

/* Format and size of frames without a header. A width of 0 means that there is a header. */
typedef struct film_shape {
    const film_format *format;
    int width, height;
} film_shape;

/* Opens `path`, reads the bytes before the first frame, and takes memory for one frame, within `limits`. Returns
 * EXIT_USAGE if the shape is needed but not given, EXIT_INPUT or EXIT_RESOURCES on other failures. */
int film_open(film *f, const char *path, const film_shape *shape, const image_limits *limits, failure *why);

/* Reads the next frame; *more is false if there is none. EXIT_INPUT: the frame is incomplete or cannot be read. */
int film_next(film *f, bool *more, failure *why);
void film_close(film *f);

/* ---- for film_*.c ---- */

/* Reads `size` bytes; *got is less if the film ends before. */
int film_fill(film *f, void *to, size_t size, size_t *got, failure *why);

/* Reads more bytes into f->ahead, after the unused ones. *got is 0 at the end of the film, or if there is no room. */
int film_look_ahead(film *f, size_t *got, failure *why);

/* Reads a line of up to room - 1 bytes, without its end. *got is false at the end of the film. */
int film_line(film *f, char *line, size_t room, bool *got, failure *why);

/* Refuses a frame that ends after `got` of its `size` bytes. */
int film_cut_short(const film *f, size_t got, size_t size, failure *why);
