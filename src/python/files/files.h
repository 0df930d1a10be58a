/* SPDX-License-Identifier: MIT
 *
 * files.h - functions of the program for the Python binding: reading pictures and seeds, scoring masks. The library
 * does not read files, so this is a second shared library, libtilecut-files.so, which is loaded when one of these
 * functions is called.
 *
 * All functions return an exit status of the program (failure.h); if it is not 0, `sentence` is the error, at most
 * `room` bytes including the closing zero. If it is 0, files_image() and files_seeds() write the notes there that the
 * program would print, a line each; "" if there are none.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FILES_API __attribute__((visibility("default")))

/* A picture: rows without gaps; 1 or 3 channels, 8 or 16 bits. */
typedef struct files_picture {
    int width, height, channels, depth;
    void *pixels;
} files_picture;

/* Reads a photo upright, without its alpha. The caller frees `out` with files_free(). */
FILES_API int files_image(const char *path, files_picture *out, char *sentence, size_t room);
FILES_API void files_free(files_picture *picture);

/* These have the meaning of the options with the same names. NULL and 0 are the default, or -1 where 0 is a value. */
typedef struct files_reading {
    const char *const *paths; /* [count] of the files */
    int count;
    const char *format, *fg_color, *bg_color, *conflict, *label, *yolo;
    int tolerance, band; /* -1: the default */
    int strict;          /* 1: refuse annotations with a shape that cannot be read; 0: leave it out, with a note */
    double brush;        /* -1: the default */
    const double *box;   /* x, y, width, height */
} files_reading;

/* Reads files of seeds for a photo into `labels` (width * height), in the same way as the verb `check`. */
FILES_API int files_seeds(const files_picture *photo, const char *photo_name, const files_reading *reading,
                          uint8_t *labels, char *sentence, size_t room);

/* Writes a mask (1 channel, 8 bits, nonzero in the foreground) to `path`, whole or not at all, as a picture or
 * annotations. The format is that of the extension, or `format` if that is not NULL. `label` NULL means "object";
 * `photo` NULL means that no photo is named. */
FILES_API int files_write(const char *path, const files_picture *mask, const char *format, const char *label,
                          const char *photo, char *sentence, size_t room);

typedef struct files_figures {
    int64_t labelled, wrong;
    double error_rate, iou, boundary_f;
} files_figures;

/* Computes the figures of the verb `score`. */
FILES_API int files_score(const files_picture *mask, const files_picture *truth, files_figures *out, char *sentence,
                          size_t room);
