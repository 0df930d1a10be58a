/* SPDX-License-Identifier: MIT
 *
 * bytes.c - the growing buffer of file.h.
 */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "machine.h"

bool bytes_reserve(bytes *buffer, size_t room)
{
    if (room <= buffer->room) return true;
    uint8_t *const data = machine_large_pages(realloc(buffer->data, room), room);
    if (!data) return false;
    buffer->data = data;
    buffer->room = room;
    return true;
}

bool bytes_append(bytes *buffer, const void *data, size_t size)
{
    if (size > buffer->room - buffer->size) {
        if (size > SIZE_MAX / 2 - buffer->size) return false;
        const size_t least = buffer->size + size, twice = 2 * buffer->room;
        if (!bytes_reserve(buffer, least > twice ? (least < 256 ? 256 : least) : twice)) return false;
    }
    if (size) memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    return true;
}

bool bytes_append_character(bytes *buffer, unsigned long code)
{
    unsigned char utf8[4] = {(unsigned char)code};
    size_t size = 1;
    if (code >= 0x80) {
        size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t i = size - 1; i; i--, code >>= 6) utf8[i] = (unsigned char)(0x80 | (code & 0x3f));
        utf8[0] = (unsigned char)((0xf00u >> size & 0xf0u) | code);
    }
    return bytes_append(buffer, utf8, size);
}

size_t utf8_mark(const uint8_t *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

void bytes_free(bytes *buffer)
{
    free(buffer->data);
    buffer->data = NULL;
    buffer->size = buffer->room = 0;
}
