/* SPDX-License-Identifier: MIT
 *
 * heif_reader.h - the messages between the process that decodes a HEIC or AVIF file and the program.
 *
 * libheif and the decoders below it are loaded and run in a child process (apart.h):
 *   child -> program   heif_facts, from the header of the file
 *   program -> child   uint64_t: the memory in bytes that decoding may take; nothing if the picture is not wanted
 *   child -> program   heif_facts of the decoded picture, pixels, ICC profile, EXIF
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apart.h"
#include "file.h"

enum heif_answer {
    HEIF_DONE,
    HEIF_NO_LIBRARY,  /* text: the loader's message */
    HEIF_CUT_SHORT,
    HEIF_DAMAGED,     /* text: libheif's message */
    HEIF_UNSUPPORTED, /* text: libheif's message */
    HEIF_NO_MEMORY
};

typedef struct heif_facts {
    int32_t answer;                   /* a value of enum heif_answer; unless it is HEIF_DONE, all numbers are 0 */
    int32_t width, height;            /* size in pixels, after turning the picture upright if that was wanted   */
    int32_t channels, depth;          /* channels: 3 or 4; depth: 8 or 16 bits                                  */
    int32_t pictures;                 /* number of pictures in the file                                          */
    uint64_t icc_size, exif_size;     /* sizes in bytes; 0: the file has none                                   */
    uint64_t file_size;               /* size of the encoded file in bytes                                      */
    char text[160];
} heif_facts;

#define HEIF_LIBRARY "libheif.so.1"

/* Sends an answer and ends the process. For the reader and the writer. */
void heif_end(int socket, enum heif_answer answer, const char *text) __attribute__((noreturn));

/* Loads the library and looks up `count` of its functions by name. Returns false on failure, with the
 * reason in dlerror(). */
bool heif_load(void **call, const char *const *name, size_t count);

/* True if the library can be loaded on this machine. */
bool heif_is_here(void);

/* Runs the reader in a child process. `number` is that of the picture to read, counted from 1 in the order of the file;
 * 0: the primary picture. If `upright`, turns and crops the picture as the file says. Does not return. */
void heif_read(int socket, const bytes *file, int number, bool upright) __attribute__((noreturn));
