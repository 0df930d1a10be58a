/* SPDX-License-Identifier: MIT
 *
 * tiff_write.c - writes one page row by row, in strips, with deflate and the predictor of differences, which every
 * program can read. Uses BigTIFF if 4 GB may not be enough.
 */
#include <stdlib.h>
#include <string.h>

#include "file_stream.h"
#include "file_write.h"
#include "image_tiff.h"

typedef struct written {
    tiff_memory memory;
    TIFF *tiff;
    uint8_t *copy; /* a copy of a row, because libtiff computes the differences in place */
    size_t size;   /* its bytes */
    uint32_t row;  /* the row to be written next */
} written;

static void put_georeference(TIFF *tiff, const georeference *where)
{
    double room[GEO_ROOM];
    geo_tag tags[GEO_TAGS];
    const int count = georeference_tags(where, room, tags);
    for (int i = 0; i < count; i++) {
        static char name[] = "GeoTIFF";
        const TIFFFieldInfo field = {tags[i].number, TIFF_VARIABLE2, TIFF_VARIABLE2, (TIFFDataType)tags[i].type,
                                     FIELD_CUSTOM, true, true, name};
        TIFFMergeFieldInfo(tiff, &field, 1);
        TIFFSetField(tiff, tags[i].number, tags[i].count, tags[i].values);
    }
}

static void describe_page(TIFF *tiff, const image_view *view, bool in_memory)
{
    const int n = view->channels;
    tiff_describe(tiff, view->width, view->height, view->depth, n);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (n % 2 == 0) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, (uint16_t[]){EXTRASAMPLE_UNASSALPHA});
    if (n > 1 || view->depth > 8) TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    /* the default, which is written out here; a mask that is written by rows has no tag for it */
    else if (in_memory) TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_NONE);
    if (view->density[0] && view->density[1]) { /* the density in pixels per inch, rounded to a hundredth */
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, (double)((uint64_t)(view->density[0] * 2.54 + 0.5)) / 100);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, (double)((uint64_t)(view->density[1] * 2.54 + 0.5)) / 100);
    }
    if (view->icc && view->icc_size <= UINT32_MAX)
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)view->icc_size, view->icc);
    if (view->place) put_georeference(tiff, view->place);
}

static int not_written(const written *p, failure *why)
{
    const tiff_memory *const m = &p->memory;
    if (m->failed) return file_write_failed(m->name, m->failed, why);
    if (m->no_memory || !m->error[0]) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", m->name);
    return fail(why, EXIT_RUNTIME, "%s: not written: %s", m->name, m->error);
}

int tiff_create(const image_sink *sink, const image_view *head, void **state, failure *why)
{
    const bool big = (int64_t)head->width * head->height > INT64_C(3) << 30;
    written *const p = *state = calloc(1, sizeof *p);
    if (!p) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
    p->memory = (tiff_memory){.name = sink->name, .sink = sink->memory, .start = sink->memory ? sink->memory->size : 0,
                              .written = !sink->memory, .descriptor = sink->stream ? sink->stream->descriptor : -1};
    p->size = (size_t)head->width * (size_t)head->channels * (size_t)(head->depth / 8);
    p->copy = malloc(p->size);
    p->tiff = p->copy ? tiff_open(&p->memory, big ? "w8" : "w", 1 << 30) : NULL;
    if (!p->tiff) return not_written(p, why);
    describe_page(p->tiff, head, sink->memory != NULL);
    return EXIT_DONE;
}

int tiff_write(void *state, const uint8_t *row, failure *why)
{
    written *const p = state;
    memcpy(p->copy, row, p->size);
    return TIFFWriteScanline(p->tiff, p->copy, p->row++, 0) > 0 ? EXIT_DONE : not_written(p, why);
}

int tiff_finish(void *state, bool good, failure *why)
{
    written *const p = state;
    int status = EXIT_DONE;
    if (good && (!TIFFFlush(p->tiff) || p->memory.error[0])) status = not_written(p, why);
    if (p->tiff) TIFFClose(p->tiff);
    free(p->copy);
    free(p);
    return status;
}
