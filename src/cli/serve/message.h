/* SPDX-License-Identifier: MIT
 *
 * message.h - what page and program tell each other: lines "key<TAB>value", an empty line, bytes. And masks as the
 * tiles that have changed, a bit a pixel.
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"

enum { MESSAGE_HEAD = 4096 }; /* bytes of the lines, at most */

typedef struct message {
    const char *head; /* lines; `head_size` bytes */
    size_t head_size;
    const uint8_t *body;
    size_t body_size;
} message;

/* Finds the parts of `size` bytes, which stay the caller's. False: there is no empty line where one should be. */
bool message_read(const uint8_t *data, size_t size, message *out);

/* The value of `key` as a string of at most `room` bytes with its end. False: there is none, or it is longer. */
bool message_value(const message *m, const char *key, char *value, size_t room);

/* `count` whole numbers with blanks between them. False: they are not so many, or not numbers. */
bool message_numbers(const message *m, const char *key, int count, int *numbers);

/* Appends "key<TAB>value\n"; a line end in the value becomes a blank. False: no memory. */
bool message_add(bytes *to, const char *key, const char *value);
bool message_add_number(bytes *to, const char *key, int64_t value);

enum { MESSAGE_TILE = 64 };

/* Appends the tiles in which `mask` (0 or 255 a pixel) differs from `sent`, and copies them there. A tile is two
 * numbers of four bytes, low byte first (its column and row), and 64 rows of 64 bits, the left pixel lowest; what lies
 * beyond the picture is zero. False: no memory. */
bool message_add_tiles(bytes *to, const uint8_t *mask, uint8_t *sent, int width, int height);

#endif
