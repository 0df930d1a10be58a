/* SPDX-License-Identifier: MIT
 *
 * gzip.h - reads and writes gzip files with zlib. It never unpacks more than the caller allows, whatever a file claims.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

/* True if this build has zlib. Without it, all functions below fail, with EXIT_INPUT for reading and EXIT_USAGE for
 * writing. */
bool gzip_built(void);

/* True if the bytes begin like a gzip file. */
static inline bool gzip_probe(const uint8_t *data, size_t size)
{
    return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

/* Replaces compressed bytes by the unpacked ones, at most `most_bytes` of them (0: no limit). EXIT_INPUT if they are
 * damaged, EXIT_RESOURCES if there are more. */
int gzip_unpack(const char *name, bytes *data, uint64_t most_bytes, failure *why);

/* Unpacks piece by piece. `data` must stay valid until gzip_close(). */
typedef struct gzip_reader gzip_reader;

int gzip_open(const char *name, const uint8_t *data, size_t size, gzip_reader **out, failure *why);

/* Like gzip_open(), for `size` bytes of an open file that begin at byte `from`. Only a part of them is in memory at a
 * time. */
int gzip_open_file(const char *name, int file, uint64_t from, uint64_t size, gzip_reader **out, failure *why);

/* Unpacks the next `size` bytes into `to`; *got is less than `size` only at the end. There the checksum of all bytes is
 * checked, too. */
int gzip_read(gzip_reader *reader, void *to, size_t size, size_t *got, failure *why);
void gzip_close(gzip_reader *reader); /* NULL is fine */

/* Compresses piece by piece. The file depends on the bytes only, neither on the time nor on how they are cut into
 * pieces. It is passed to put(); any status of put() other than EXIT_DONE is returned. Returns EXIT_RESOURCES or
 * EXIT_USAGE on failure. */
typedef int (*gzip_put)(void *context, const void *data, size_t size, failure *why);
typedef struct gzip_writer gzip_writer;

int gzip_begin(const char *name, gzip_put put, void *context, gzip_writer **out, failure *why);
int gzip_add(gzip_writer *writer, const void *data, size_t size, failure *why);
int gzip_end(gzip_writer *writer, failure *why); /* compresses and passes on the rest of the file */
void gzip_drop(gzip_writer *writer);             /* must always be called; NULL is allowed */
