/* SPDX-License-Identifier: MIT
 *
 * image_webp.c - WebP through libwebp. It reads a still picture, the first frame of an animation, or as a volume all
 * frames as they are shown; and the profile. It writes without loss, including the colours of transparent pixels.
 */
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "image.h"
#include "image_exif.h"
#include "numbers.h"

static bool probe_webp(const uint8_t *file, size_t size)
{
    return size >= 12 && !memcmp(file, "RIFF", 4) && !memcmp(file + 8, "WEBP", 4);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* True if any memory is free. libwebp often reports lack of memory as damage; if nothing is free, lack of memory was
 * the cause. */
static bool has_memory(void)
{
    void *volatile some = malloc(1 << 12); /* volatile, so that compilers do not remove the allocation */
    const bool there = some;
    free(some);
    return there;
}

static int refuse_webp(const char *name, VP8StatusCode code, failure *why)
{
    switch (has_memory() ? code : VP8_STATUS_OUT_OF_MEMORY) {
    case VP8_STATUS_OUT_OF_MEMORY: return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", name);
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED:
        return fail(why, EXIT_INPUT, "%s: is cut short, picture data is missing; save or copy it again", name);
    default: return fail(why, EXIT_INPUT, "%s: is a damaged WebP; save or copy it again", name);
    }
}

/* Decodes the first frame and puts it at its place on the canvas. */
static int read_frame(const char *name, const WebPIterator *frame, image *out, failure *why)
{
    const size_t n = (size_t)out->channels, stride = (size_t)out->width * n;
    const size_t corner = (size_t)frame->y_offset * stride + (size_t)frame->x_offset * n;
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return refuse_webp(name, VP8_STATUS_BITSTREAM_ERROR, why);
    config.output.colorspace = n == 4 ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = out->pixels + corner;
    config.output.u.RGBA.stride = (int)stride;
    config.output.u.RGBA.size = (size_t)out->height * stride - corner;
    const VP8StatusCode code = frame->complete ? WebPDecode(frame->fragment.bytes, frame->fragment.size, &config)
                                               : VP8_STATUS_NOT_ENOUGH_DATA;
    if (code != VP8_STATUS_OK) return refuse_webp(name, code, why);
    out->lossy = config.input.format != 2; /* format 2 is lossless; 0 is unknown, for instance because frames differ */
    return EXIT_DONE;
}

static int read_canvas(const char *name, WebPDemuxer *file, const image_limits *limits, image *out, notes *list,
                       failure *why)
{
    enum { DECODER = 6 }; /* the most bytes a pixel that libwebp needs besides the result */
    const uint32_t width = WebPDemuxGetI(file, WEBP_FF_CANVAS_WIDTH);
    const uint32_t height = WebPDemuxGetI(file, WEBP_FF_CANVAS_HEIGHT);
    WebPIterator frame;
    int status = image_check_size(name, width, height, 4 + DECODER, limits, why);
    if (status) return status;
    if (!WebPDemuxGetFrame(file, 1, &frame)) return refuse_webp(name, VP8_STATUS_NOT_ENOUGH_DATA, why);
    const bool whole = frame.width == (int)width && frame.height == (int)height;
    status = image_allocate(name, (int)width, (int)height, frame.has_alpha || !whole ? 4 : 3, 8, out, why);
    if (!status) {
        memset(out->pixels, 0, (size_t)width * height * (size_t)out->channels);
        if (frame.num_frames > 1) note(list, "%s: is an animation; its first picture is read", name);
        status = read_frame(name, &frame, out, why);
    }
    WebPDemuxReleaseIterator(&frame);
    return status;
}

/* Returns the orientation that EXIF or XMP give; keeps EXIF in `out`, unless that is NULL. */
static int take_orientation(const char *name, WebPDemuxer *file, image *out, int *orientation, failure *why)
{
    WebPChunkIterator exif, xmp;
    const bool has_exif = WebPDemuxGetChunk(file, "EXIF", 1, &exif), has_xmp = WebPDemuxGetChunk(file, "XMP ", 1, &xmp);
    *orientation = exif_orientation(has_exif ? exif.chunk.bytes : NULL, has_exif ? exif.chunk.size : 0,
                                    has_xmp ? xmp.chunk.bytes : NULL, has_xmp ? xmp.chunk.size : 0);
    const int status = out && has_exif ? exif_keep(name, exif.chunk.bytes, exif.chunk.size, out, why) : EXIT_DONE;
    if (has_exif) WebPDemuxReleaseChunkIterator(&exif);
    if (has_xmp) WebPDemuxReleaseChunkIterator(&xmp);
    return status;
}

/* Keeps the profile and EXIF, and turns the picture upright. */
static int keep_facts(const char *name, WebPDemuxer *file, const image_limits *limits, image *out, failure *why)
{
    WebPChunkIterator chunk;
    int status = EXIT_DONE, orientation;
    if (WebPDemuxGetChunk(file, "ICCP", 1, &chunk)) {
        status = image_keep(name, chunk.chunk.bytes, chunk.chunk.size, &out->icc, &out->icc_size, why);
        WebPDemuxReleaseChunkIterator(&chunk);
    }
    if (!status) status = take_orientation(name, file, out, &orientation, why);
    return status ? status : image_orient(name, orientation, limits, out, why);
}

/* Opens a file of `size` bytes; NULL on failure. */
static WebPDemuxer *open_webp(const char *name, const uint8_t *from, size_t size, failure *why)
{
    const WebPData data = {from, size};
    const bool whole = little_endian(from + 4, 4) + 8 <= size;
    WebPDemuxer *file = whole ? WebPDemux(&data) : NULL;
    if (whole && !file) file = WebPDemux(&data); /* tries again, because memory may have been short for a moment */
    if (!file) refuse_webp(name, whole ? VP8_STATUS_BITSTREAM_ERROR : VP8_STATUS_NOT_ENOUGH_DATA, why);
    return file;
}

static int decode_webp(const char *name, const uint8_t *from, size_t size, const image_limits *limits, image *out,
                  notes *list, failure *why)
{
    WebPDemuxer *const file = open_webp(name, from, size, why);
    if (!file) return why->status;
    int status = read_canvas(name, file, limits, out, list, why);
    if (!status) status = keep_facts(name, file, limits, out, why);
    WebPDemuxDelete(file);
    if (!status) image_simplify(out);
    return status;
}

/* Counts the frames. */
static int begin_webp(image_series *series, const image_limits *limits, failure *why)
{
    enum { SEVERAL = 18 }; /* the most bytes a pixel: two canvases, a frame, and the decoder */
    WebPDemuxer *const file = open_webp(series->name, series->data, series->size, why);
    if (!file) return why->status;
    int orientation;
    (void)take_orientation(series->name, file, NULL, &orientation, why);
    const bool turned = orientation > 4 && !limits->exif_ignore; /* the frames are turned upright by a quarter */
    series->width = WebPDemuxGetI(file, turned ? WEBP_FF_CANVAS_HEIGHT : WEBP_FF_CANVAS_WIDTH);
    series->height = WebPDemuxGetI(file, turned ? WEBP_FF_CANVAS_WIDTH : WEBP_FF_CANVAS_HEIGHT);
    series->count = WebPDemuxGetI(file, WEBP_FF_FRAME_COUNT);
    WebPDemuxDelete(file);
    if (series->count == 1) return EXIT_DONE;
    return image_check_size(series->name, series->width, series->height, SEVERAL, limits, why);
}

/* Decodes the next frame and draws it over the earlier ones. */
static int next_webp(image_series *series, const image_limits *limits, image *out, failure *why)
{
    const WebPData data = {series->data, series->size};
    uint8_t *shown;
    int time;
    if (!series->state) series->state = WebPAnimDecoderNew(&data, NULL);
    if (!series->state || !WebPAnimDecoderGetNext(series->state, &shown, &time))
        return refuse_webp(series->name, VP8_STATUS_BITSTREAM_ERROR, why);
    WebPDemuxer *const file = (WebPDemuxer *)(uintptr_t)WebPAnimDecoderGetDemuxer(series->state);
    const uint32_t width = WebPDemuxGetI(file, WEBP_FF_CANVAS_WIDTH);
    const uint32_t height = WebPDemuxGetI(file, WEBP_FF_CANVAS_HEIGHT);
    STEP(image_allocate(series->name, (int)width, (int)height, 4, 8, out, why));
    memcpy(out->pixels, shown, 4 * (size_t)width * height);
    return keep_facts(series->name, file, limits, out, why);
}

static void end_webp(image_series *series)
{
    WebPAnimDecoderDelete(series->state);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* Passes the pixels to libwebp. Grey is repeated, because WebP has only colours. */
static bool import(WebPPicture *picture, const image_view *view)
{
    const int n = view->channels;
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    uint8_t *owned, *spread = NULL;
    const uint8_t *from = image_view_8bit(view, n == 2 ? 2 : n == 4 ? 4 : 3, &owned);
    bool done = from;
    if (done && n == 2) {
        spread = malloc(4 * pixels);
        for (size_t p = 0; spread && p < pixels; p++) {
            memset(spread + 4 * p, from[2 * p], 3);
            spread[4 * p + 3] = from[2 * p + 1];
        }
        from = spread;
    }
    if (from) done = n % 2 == 0 ? WebPPictureImportRGBA(picture, from, 4 * view->width)
                                : WebPPictureImportRGB(picture, from, 3 * view->width);
    free(owned);
    free(spread);
    return done && from;
}

/* Appends the picture with its profile and EXIF to `sink`. */
static bool finish(const image_view *view, const WebPMemoryWriter *packed, bytes *sink)
{
    const WebPData picture = {packed->mem, packed->size}, profile = {view->icc, view->icc_size};
    const WebPData exif = {view->exif, view->exif_size};
    WebPData file = {NULL, 0};
    if (!view->icc && !view->exif) return bytes_append(sink, packed->mem, packed->size);
    WebPMux *const mux = WebPMuxCreate(&picture, 0);
    const bool done = mux && (!view->icc || WebPMuxSetChunk(mux, "ICCP", &profile, 0) == WEBP_MUX_OK) &&
                      (!view->exif || WebPMuxSetChunk(mux, "EXIF", &exif, 0) == WEBP_MUX_OK) &&
                      WebPMuxAssemble(mux, &file) == WEBP_MUX_OK && bytes_append(sink, file.bytes, file.size);
    WebPDataClear(&file);
    WebPMuxDelete(mux);
    return done;
}

static int encode_webp(const char *name, const image_view *view, bytes *sink, failure *why)
{
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter packed;
    if (view->width > WEBP_MAX_DIMENSION || view->height > WEBP_MAX_DIMENSION)
        return fail(why, EXIT_RUNTIME, "%s: not written: is %dx%d, and WebP holds at most %d pixels a side; use .png",
                    name, view->width, view->height, WEBP_MAX_DIMENSION);
    WebPMemoryWriterInit(&packed);
    bool done = WebPConfigInit(&config) && WebPConfigLosslessPreset(&config, 1) && WebPPictureInit(&picture);
    if (!done) return fail(why, EXIT_RUNTIME, "%s: not written: this libwebp is of another version", name);
    config.exact = 1;
    picture.use_argb = 1;
    picture.width = view->width;
    picture.height = view->height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &packed;
    done = import(&picture, view) && WebPEncode(&config, &picture) && finish(view, &packed, sink);
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&packed);
    return done ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
}

const image_format image_webp = {
    .name = "WebP",
    .line = "WebP  read, write   8 bits, colour, alpha, first of an animation; written without loss; ICC, EXIF kept",
    .extensions = {"webp"},
    .lossless = true,
    .alpha = true,
    .color = true,
    .probe = probe_webp,
    .decode = decode_webp,
    .begin = begin_webp,
    .next = next_webp,
    .end = end_webp,
    .encode = encode_webp,
};
