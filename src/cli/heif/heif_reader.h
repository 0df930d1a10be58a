/* SPDX-License-Identifier: MIT
 *
 * heif_reader.h - what the process that decodes a HEIC or AVIF file tells the one that asked for it.
 *
 * libheif and the decoders below it are loaded and run in a process of their own (apart.h):
 *   reader -> asker   heif_facts, from the header of the file
 *   asker -> reader   uint64_t, how many bytes decoding may take; nothing if the picture is not wanted
 *   reader -> asker   heif_facts of what was decoded, pixels, ICC profile, EXIF
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apart.h"

enum heif_answer {
    HEIF_DONE,
    HEIF_NO_LIBRARY,  /* text: what the loader says     */
    HEIF_CUT_SHORT,
    HEIF_DAMAGED,     /* text: what libheif says        */
    HEIF_UNSUPPORTED, /* text: what libheif says        */
    HEIF_NO_MEMORY
};

typedef struct heif_facts {
    int32_t answer;                   /* one of enum heif_answer; unless it is HEIF_DONE, all numbers are 0 */
    int32_t width, height;            /* in pixels, after turning if that was wanted                        */
    int32_t channels, depth;          /* channels: 3 or 4; depth: 8 or 16                                   */
    int32_t pictures;                 /* pictures in the file; the primary one is read                      */
    uint64_t icc_size, exif_size;     /* in bytes; 0: the file has none                                     */
    uint64_t file_size;               /* size of the encoded file                                           */
    char text[160];
} heif_facts;

#define HEIF_LIBRARY "libheif.so.1"

/* Called in the reader or writer: sends an answer and ends the process. */
void heif_end(int socket, enum heif_answer answer, const char *text) __attribute__((noreturn));

/* Loads the library, and looks up `count` of its functions by name. False: dlerror() says why. */
bool heif_load(void **call, const char *const *name, size_t count);

/* Whether the library can be loaded on this machine. */
bool heif_is_here(void);

/* Runs the reader, in a process that was just forked. `file` has the bytes of the file. `upright`: turn and clip the
 * picture as the file says. Does not return. */
void heif_read(int socket, const uint8_t *file, size_t size, bool upright) __attribute__((noreturn));
