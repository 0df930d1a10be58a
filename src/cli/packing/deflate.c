/* SPDX-License-Identifier: MIT
 *
 * deflate.c - see deflate.h. Each block ends with an empty stored block (Z_SYNC_FLUSH), so that the next one can follow
 * it. The checksum of the stream (Adler-32) is combined from those of the blocks.
 */
#include "deflate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- Sharing work ------------------------------------------------------------------------------ */

enum { MOST_THREADS = 64 };

typedef struct sharing {
    void (*body)(void *context, int i);
    void *context;
    int count;
    atomic_int next;
} sharing;

static void *deflate_worker(void *context)
{
    sharing *const s = context;
    for (int i; (i = atomic_fetch_add(&s->next, 1)) < s->count;) s->body(s->context, i);
    return NULL;
}

void deflate_share(int threads, int count, void (*body)(void *context, int i), void *context)
{
    pthread_t thread[MOST_THREADS];
    sharing s = {body, context, count, 0};
    int started = 0;
    if (threads > count) threads = count;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    while (started + 1 < threads && pthread_create(&thread[started], NULL, deflate_worker, &s) == 0) started++;
    deflate_worker(&s); /* if no thread could be started, this thread does all the work */
    while (started > 0) pthread_join(thread[--started], NULL);
}

/* ---- A stream ---------------------------------------------------------------------------------- */

typedef struct block {
    size_t size, packed;
    uLong sum;
    bool good;
} block;

struct deflater {
    int level, threads, blocks;
    bool (*put)(void *context, const uint8_t *data, size_t size);
    void *context;
    uint8_t *raw, *out; /* [blocks][DEFLATE_BLOCK], [blocks][room] */
    size_t room, held;  /* room: bytes of a block of `out`; held: bytes that are in `raw` */
    bool begun, last;   /* last: the stream ends after the current bytes */
    uLong sum;
    block *of;          /* [blocks] */
};

bool deflate_built(void)
{
    return true;
}

deflater *deflate_open(int level, int threads, bool (*put)(void *context, const uint8_t *data, size_t size),
                       void *context)
{
    deflater *const d = calloc(1, sizeof *d);
    if (!d) return NULL;
    *d = (deflater){.level = level, .threads = threads, .put = put, .context = context, .sum = adler32(0, NULL, 0),
                    .room = compressBound(DEFLATE_BLOCK) + 64};
    d->blocks = threads > MOST_THREADS ? MOST_THREADS : threads > 1 ? threads : 1;
    d->raw = malloc((size_t)d->blocks * DEFLATE_BLOCK);
    d->out = malloc((size_t)d->blocks * d->room);
    d->of = calloc((size_t)d->blocks, sizeof *d->of);
    if (d->raw && d->out && d->of) return d;
    deflate_close(d);
    return NULL;
}

void deflate_close(deflater *d)
{
    if (!d) return;
    free(d->raw);
    free(d->out);
    free(d->of);
    free(d);
}

/* Compresses block i of the buffered bytes. */
static void pack_block(void *context, int i)
{
    const deflater *const d = context;
    const size_t first = (size_t)i * DEFLATE_BLOCK, left = d->held - first;
    block *const b = &d->of[i];
    z_stream z;
    *b = (block){.size = left < DEFLATE_BLOCK ? left : DEFLATE_BLOCK};
    const bool last = d->last && first + b->size == d->held;
    b->sum = adler32(adler32(0, NULL, 0), d->raw + first, (uInt)b->size);
    memset(&z, 0, sizeof z);
    if (deflateInit2(&z, d->level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) return;
    z.next_in = d->raw + first;
    z.avail_in = (uInt)b->size;
    z.next_out = d->out + (size_t)i * d->room;
    z.avail_out = (uInt)d->room;
    const int ended = deflate(&z, last ? Z_FINISH : Z_SYNC_FLUSH);
    b->good = ended == (last ? Z_STREAM_END : Z_OK) && !z.avail_in && z.avail_out;
    b->packed = d->room - z.avail_out;
    (void)deflateEnd(&z);
}

/* Compresses the buffered bytes and passes them to put(). */
static bool flush(deflater *d)
{
    static const uint8_t head[2] = {0x78, 0x01};
    const int count = d->held ? (int)((d->held + DEFLATE_BLOCK - 1) / DEFLATE_BLOCK) : d->last ? 1 : 0;
    deflate_share(d->threads, count, pack_block, d);
    if (!d->begun && !d->put(d->context, head, sizeof head)) return false;
    d->begun = true;
    for (int i = 0; i < count; i++) {
        if (!d->of[i].good || !d->put(d->context, d->out + (size_t)i * d->room, d->of[i].packed)) return false;
        d->sum = adler32_combine(d->sum, d->of[i].sum, (z_off_t)d->of[i].size);
    }
    d->held = 0;
    return true;
}

bool deflate_add(deflater *d, const uint8_t *data, size_t size)
{
    const size_t room = (size_t)d->blocks * DEFLATE_BLOCK;
    while (size) {
        if (d->held == room && !flush(d)) return false;
        const size_t some = size < room - d->held ? size : room - d->held;
        memcpy(d->raw + d->held, data, some);
        d->held += some;
        data += some;
        size -= some;
    }
    return true;
}

bool deflate_end(deflater *d)
{
    d->last = true;
    if (!flush(d)) return false;
    const uint8_t sum[4] = {(uint8_t)(d->sum >> 24), (uint8_t)(d->sum >> 16), (uint8_t)(d->sum >> 8), (uint8_t)d->sum};
    return d->put(d->context, sum, sizeof sum);
}
