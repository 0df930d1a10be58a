/* SPDX-License-Identifier: MIT
 *
 * deflate.h - packs bytes into one zlib stream (RFC 1950) by several threads. The bytes are cut into blocks of a fixed
 * size, each of which is packed by itself and ends at a whole byte. So the stream is the same for any number of
 * threads, and every program for zlib can read it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEFLATE_BLOCK = 1 << 20 }; /* number of bytes that a thread compresses at a time */

/* Calls body(context, i) for each i below `count` from up to `threads` threads. Returns when all calls are done. */
void deflate_share(int threads, int count, void (*body)(void *context, int i), void *context);

typedef struct deflater deflater;

/* True if this build has zlib. Without it deflate_open() returns NULL. */
bool deflate_built(void);

/* Begins a stream. Its pieces are passed to put() as they are ready; put() returns false to stop. Returns NULL if
 * memory ran out. */
deflater *deflate_open(int level, int threads, bool (*put)(void *context, const uint8_t *data, size_t size),
                       void *context);

/* deflate_add() compresses more bytes, deflate_end() ends the stream. Both return false if put() returned false or
 * memory ran out. */
bool deflate_add(deflater *d, const uint8_t *data, size_t size);
bool deflate_end(deflater *d);
void deflate_close(deflater *d); /* NULL is fine */
