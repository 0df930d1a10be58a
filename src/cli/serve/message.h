/* SPDX-License-Identifier: MIT
 *
 * message.h - messages between page and program: lines "key<TAB>value", an empty line, then bytes. Masks are sent as
 * the tiles that have changed, with one bit per pixel.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"

enum { MESSAGE_HEAD = 4096 }; /* the most bytes that the lines may have */

typedef struct message {
    const char *head; /* lines; `head_size` bytes */
    size_t head_size;
    const uint8_t *body;
    size_t body_size;
} message;

/* Finds the parts of a message of `size` bytes, without copying them. Returns false if the empty line is missing. */
bool message_read(const uint8_t *data, size_t size, message *out);

/* Copies the value of `key` as a string of at most `room` bytes, including the closing zero. Returns false if it is
 * missing or too long. */
bool message_value(const message *m, const char *key, char *value, size_t room);

/* Reads exactly `count` whole numbers, separated by blanks. Returns false if their count differs or a value is no
 * number. */
bool message_numbers(const message *m, const char *key, int count, int *numbers);

/* Appends "key<TAB>value\n". A line end in the value becomes a blank. Returns false if memory ran out. */
bool message_add(bytes *to, const char *key, const char *value);
bool message_add_number(bytes *to, const char *key, int64_t value);

enum { MESSAGE_TILE = 64 };

/* Appends the tiles in which `mask` (0 or 255 a pixel) differs from `sent`, and copies these tiles to `sent`. A tile
 * consists of its column and its row, each as four bytes with the low byte first, and of 64 rows of 64 bits, where the
 * leftmost pixel is the lowest bit. Bits outside of the picture are zero. Returns false if memory ran out. */
bool message_add_tiles(bytes *to, const uint8_t *mask, uint8_t *sent, int width, int height);
