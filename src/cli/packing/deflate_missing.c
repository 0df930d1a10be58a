/* SPDX-License-Identifier: MIT
 *
 * deflate_missing.c - stands in for deflate.c where zlib was not found.
 */
#include "deflate.h"

void deflate_share(int threads, int count, void (*body)(void *context, int i), void *context)
{
    (void)threads;
    for (int i = 0; i < count; i++) body(context, i);
}

bool deflate_built(void)
{
    return false;
}

deflater *deflate_open(int level, int threads, bool (*put)(void *context, const uint8_t *data, size_t size),
                       void *context)
{
    (void)level, (void)threads, (void)put, (void)context;
    return NULL;
}

bool deflate_add(deflater *d, const uint8_t *data, size_t size)
{
    (void)d, (void)data, (void)size;
    return false;
}

bool deflate_end(deflater *d)
{
    (void)d;
    return false;
}

void deflate_close(deflater *d)
{
    (void)d;
}
