/* SPDX-License-Identifier: MIT
 *
 * tiff_rows_write.c - grey TIFF written row by row, in strips, as BigTIFF where 4 GB may not be enough.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_stream.h"
#include "image_tiff.h"

typedef struct written {
    TIFF *tiff;
    char *path;
    uint32_t width, height;
    uint8_t *block; /* a row */
    uint32_t row;   /* the next to be written */
} written;

/* Errors come back as results; nothing is printed. */
static int quiet(TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)data, (void)module, (void)format, (void)arguments;
    return 1;
}

static TIFFOpenOptions *options(void)
{
    TIFFOpenOptions *const o = TIFFOpenOptionsAlloc();
    if (!o) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(o, quiet, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(o, quiet, NULL);
    TIFFOpenOptionsSetMaxSingleMemAlloc(o, (tmsize_t)1 << 30);
    return o;
}

static void close_written(written *p)
{
    if (p->tiff) TIFFClose(p->tiff);
    free(p->block);
    free(p->path);
    free(p);
}

static int not_written(const written *p, failure *why)
{
    return fail(why, EXIT_RUNTIME, "%s: not written: no space left on the device, or another failure of writing",
                p->path);
}

int tiff_rows_create(file_stream *stream, int64_t width, int64_t height, int threads, void **state, failure *why)
{
    (void)threads;
    const bool big = width * height > INT64_C(3) << 30;
    written *const p = calloc(1, sizeof *p);
    TIFFOpenOptions *const o = options();
    const int copy = dup(stream->descriptor); /* closed with the TIFF */
    *state = p;
    if (p) p->path = strdup(stream->name);
    if (p && p->path && o && copy >= 0) p->tiff = TIFFFdOpenExt(copy, stream->name, big ? "w8" : "w", o);
    if (o) TIFFOpenOptionsFree(o);
    if (!p || !p->path || !p->tiff) {
        if (copy >= 0) close(copy);
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", stream->name);
    }
    p->width = (uint32_t)width;
    p->height = (uint32_t)height;
    p->block = malloc((size_t)width); /* libtiff may change what it writes */
    tiff_describe(p->tiff, width, height, 8, 1);
    TIFFSetField(p->tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    return p->block ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", stream->name);
}

int tiff_rows_write(void *state, const uint8_t *row, failure *why)
{
    written *const p = state;
    memcpy(p->block, row, p->width);
    return TIFFWriteScanline(p->tiff, p->block, p->row++, 0) > 0 ? EXIT_DONE : not_written(p, why);
}

int tiff_rows_finish(void *state, bool good, failure *why)
{
    written *const p = state;
    int status = EXIT_DONE;
    if (good && p->tiff && !TIFFFlush(p->tiff)) status = not_written(p, why);
    close_written(p);
    return status;
}
