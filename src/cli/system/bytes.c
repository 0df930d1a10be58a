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

void bytes_free(bytes *buffer)
{
    free(buffer->data);
    buffer->data = NULL;
    buffer->size = buffer->room = 0;
}
