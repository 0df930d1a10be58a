/* SPDX-License-Identifier: MIT
 *
 * heif_reader.h - what the process that decodes a HEIC or AVIF file tells the one that asked for it.
 *
 * libheif and the decoders below it are loaded and run in a process of their own (apart.h):
 *   reader -> asker   heif_facts, from the header of the file
 *   asker -> reader   uint64_t, how many bytes decoding may take; nothing if the picture is not wanted
 *   reader -> asker   heif_facts of what was decoded, pixels, ICC profile, EXIF
 */
#ifndef CLI_HEIF_READER_H
#define CLI_HEIF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apart.h"

enum heif_answer {
    HEIF_DONE,
    HEIF_NO_LIBRARY,  /* text: what the loader says     */
    HEIF_CUT_SHORT,
    HEIF_DAMAGED,     /* text: what libheif says        */
    HEIF_UNSUPPORTED, /* the same                       */
    HEIF_NO_MEMORY
};

typedef struct heif_facts {
    int32_t answer;                   /* of enum heif_answer; all else is 0 unless HEIF_DONE */
    int32_t width, height;            /* pixels, upright unless turning was not wanted       */
    int32_t channels, depth;          /* 3 or 4; 8 or 16                                     */
    int32_t pictures;                 /* in the file, of which the primary one is meant      */
    uint64_t icc_size, exif_size;     /* 0: none                                             */
    uint64_t file_size;               /* of what was encoded                                 */
    char text[160];
} heif_facts;

#define HEIF_LIBRARY "libheif.so.1"

/* In the other process: ends it with an answer. */
void heif_end(int socket, enum heif_answer answer, const char *text) __attribute__((noreturn));

/* Whether the library can be loaded on this machine. */
bool heif_is_here(void);

/* The whole life of the reader, in a process that was just forked: `file` are the bytes of the file, `upright` asks for
 * the turns and the clipping that it describes. Does not return. */
void heif_read(int socket, const uint8_t *file, size_t size, bool upright) __attribute__((noreturn));

#endif
