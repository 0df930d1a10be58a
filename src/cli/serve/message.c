/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"

bool message_read(const uint8_t *data, size_t size, message *out)
{
    const size_t most = size < MESSAGE_HEAD ? size : MESSAGE_HEAD;
    *out = (message){0};
    for (size_t i = 0; i < most; i++) {
        if (data[i] != '\n' || (i && data[i - 1] != '\n')) continue;
        *out = (message){(const char *)data, i, data + i + 1, size - i - 1};
        return true;
    }
    return false;
}

bool message_value(const message *m, const char *key, char *value, size_t room)
{
    const size_t length = strlen(key);
    const char *const end = m->head + m->head_size;
    for (const char *line = m->head; line < end;) {
        const char *const stop = memchr(line, '\n', (size_t)(end - line));
        const size_t size = (size_t)((stop ? stop : end) - line);
        if (size > length && !memcmp(line, key, length) && line[length] == '\t') {
            const size_t got = size - length - 1;
            if (got >= room || memchr(line, 0, size)) return false;
            memcpy(value, line + length + 1, got);
            value[got] = 0;
            return true;
        }
        line += size + 1;
    }
    return false;
}

bool message_numbers(const message *m, const char *key, int count, int *numbers)
{
    char text[128], *at = text;
    if (!message_value(m, key, text, sizeof text)) return false;
    for (int i = 0; i < count; i++) {
        char *end = NULL;
        errno = 0;
        const long value = strtol(at, &end, 10);
        if (errno || end == at || value < INT_MIN || value > INT_MAX || *end != (i + 1 < count ? ' ' : 0)) return false;
        numbers[i] = (int)value;
        at = end + 1;
    }
    return true;
}

bool message_add(bytes *to, const char *key, const char *value)
{
    bool good = bytes_append(to, key, strlen(key)) && bytes_append(to, "\t", 1);
    for (; good && *value; value++) good = bytes_append(to, *value == '\n' || *value == '\t' ? " " : value, 1);
    return good && bytes_append(to, "\n", 1);
}

bool message_add_number(bytes *to, const char *key, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return message_add(to, key, text);
}

static int min_int(int a, int b) { return a < b ? a : b; }

bool message_add_tiles(bytes *to, const uint8_t *mask, uint8_t *sent, int width, int height)
{
    enum { ROW = MESSAGE_TILE / 8 };
    for (int y0 = 0; y0 < height; y0 += MESSAGE_TILE)
        for (int x0 = 0; x0 < width; x0 += MESSAGE_TILE) {
            uint8_t tile[8 + MESSAGE_TILE * ROW] = {0};
            const int w = min_int(MESSAGE_TILE, width - x0), h = min_int(MESSAGE_TILE, height - y0);
            bool differs = false;
            for (int y = 0; y < h; y++) {
                const size_t row = (size_t)(y0 + y) * (size_t)width + (size_t)x0;
                if (!memcmp(mask + row, sent + row, (size_t)w)) continue;
                memcpy(sent + row, mask + row, (size_t)w);
                differs = true;
            }
            if (!differs) continue;
            put_little_endian(tile, (uint64_t)x0 / MESSAGE_TILE, 4);
            put_little_endian(tile + 4, (uint64_t)y0 / MESSAGE_TILE, 4);
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++)
                    if (mask[(size_t)(y0 + y) * (size_t)width + (size_t)(x0 + x)])
                        tile[8 + y * ROW + x / 8] |= (uint8_t)(1 << x % 8);
            if (!bytes_append(to, tile, sizeof tile)) return false;
        }
    return true;
}
