/* SPDX-License-Identifier: MIT
 *
 * image_tiff_write.c - writes one page in strips, compressed with deflate over differences, which every reader knows.
 */
#include <stdlib.h>
#include <string.h>

#include "image_tiff.h"

static void describe_page(TIFF *tiff, const image_view *view)
{
    const int n = view->channels;
    tiff_describe(tiff, view->width, view->height, view->depth, n);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (n % 2 == 0) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, (uint16_t[]){EXTRASAMPLE_UNASSALPHA});
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, n > 1 || view->depth > 8 ? PREDICTOR_HORIZONTAL : PREDICTOR_NONE);
    if (view->density[0] && view->density[1]) { /* in pixels an inch, rounded to a hundredth */
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, (double)((uint64_t)(view->density[0] * 2.54 + 0.5)) / 100);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, (double)((uint64_t)(view->density[1] * 2.54 + 0.5)) / 100);
    }
    if (view->icc && view->icc_size <= UINT32_MAX)
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)view->icc_size, view->icc);
}

int tiff_encode(const char *name, const image_view *view, bytes *sink, failure *why)
{
    const size_t row = (size_t)view->width * (size_t)view->channels * (size_t)(view->depth / 8);
    tiff_memory memory = {.sink = sink, .start = sink->size, .name = name};
    TIFF *const tiff = tiff_open(&memory, "w", 1 << 29);
    uint8_t *const copy = malloc(row); /* libtiff computes differences in place */
    bool done = tiff && copy;
    if (done) describe_page(tiff, view);
    for (int y = 0; done && y < view->height; y++) {
        memcpy(copy, (const uint8_t *)view->pixels + (size_t)y * row, row);
        done = TIFFWriteScanline(tiff, copy, (uint32_t)y, 0) > 0;
    }
    if (done) done = TIFFFlush(tiff) && !memory.error[0];
    if (tiff) TIFFClose(tiff);
    free(copy);
    if (done) return EXIT_DONE;
    if (memory.no_memory || !memory.error[0])
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    return fail(why, EXIT_RUNTIME, "%s: not written: %s", name, memory.error);
}
