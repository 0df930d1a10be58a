/* SPDX-License-Identifier: MIT
 *
 * heif_writer.c - the process that encodes AVIF: loads libheif and encodes without loss. It never frees memory, because
 * it ends soon.
 */
#include "heif_writer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <libheif/heif.h>

#define CALLS(CALL) \
    CALL(heif_context_alloc) \
    CALL(heif_context_get_encoder_for_format) \
    CALL(heif_context_encode_image) \
    CALL(heif_context_add_exif_metadata) \
    CALL(heif_context_write) \
    CALL(heif_encoder_set_lossless) \
    CALL(heif_encoder_set_parameter) \
    CALL(heif_encoding_options_alloc) \
    CALL(heif_nclx_color_profile_alloc) \
    CALL(heif_image_create) \
    CALL(heif_image_add_plane) \
    CALL(heif_image_get_plane) \
    CALL(heif_image_set_nclx_color_profile) \
    CALL(heif_image_set_raw_color_profile)

typedef struct writer {
/* libheif's functions come first in the structure, in the order of `names` */
#define CALL(name) __typeof__(name) *name;
    CALLS(CALL)
#undef CALL
    int socket;
    const image_view *view;
} writer;

#define NAME(name) #name,
static const char *const names[] = {CALLS(NAME)};

static void check(const writer *w, struct heif_error error)
{
    if (error.code == heif_error_Ok) return;
    const bool memory = error.code == heif_error_Memory_allocation_error;
    heif_end(w->socket, memory ? HEIF_NO_MEMORY : HEIF_UNSUPPORTED, error.message);
}

/* Fills one plane with a channel of the view. */
static void fill(const writer *w, struct heif_image *picture, enum heif_channel plane, int channel)
{
    const image_view *const v = w->view;
    int stride = 0;
    check(w, w->heif_image_add_plane(picture, plane, v->width, v->height, 8));
    uint8_t *const to = w->heif_image_get_plane(picture, plane, &stride);
    if (!to) heif_end(w->socket, HEIF_NO_MEMORY, NULL);
    const uint8_t *from = (const uint8_t *)v->pixels + channel;
    for (int y = 0; y < v->height; y++)
        for (int x = 0; x < v->width; x++, from += v->channels) to[(size_t)y * (size_t)stride + (size_t)x] = *from;
}

/* Makes the planes: one for grey, three for RGB. The identity matrix keeps the colours exact. */
static struct heif_image *lay_planes(const writer *w, struct heif_color_profile_nclx *colors)
{
    const image_view *const v = w->view;
    const bool grey = v->channels < 3;
    struct heif_image *picture = NULL;
    check(w, w->heif_image_create(v->width, v->height, grey ? heif_colorspace_monochrome : heif_colorspace_RGB,
                                  grey ? heif_chroma_monochrome : heif_chroma_444, &picture));
    if (grey) fill(w, picture, heif_channel_Y, 0);
    for (int c = 0; !grey && c < 3; c++) fill(w, picture, (enum heif_channel)((int)heif_channel_R + c), c);
    if (v->channels % 2 == 0) fill(w, picture, heif_channel_Alpha, v->channels - 1);
    colors->full_range_flag = 1;
    if (!grey) colors->matrix_coefficients = heif_matrix_coefficients_RGB_GBR;
    check(w, w->heif_image_set_nclx_color_profile(picture, colors));
    if (v->icc) check(w, w->heif_image_set_raw_color_profile(picture, "prof", v->icc, v->icc_size));
    return picture;
}

static struct heif_error send_file(struct heif_context *context, const void *data, size_t size, void *user)
{
    const writer *const w = user;
    const heif_facts facts = {.answer = HEIF_DONE, .file_size = size};
    (void)context;
    if (apart_send(w->socket, &facts, sizeof facts)) apart_send(w->socket, data, size);
    _exit(0);
}

void heif_write(int socket, const image_view *view)
{
    writer w = {.socket = socket, .view = view};
    struct heif_encoder *encoder = NULL;
    struct heif_image_handle *handle = NULL;
    struct heif_writer file = {.writer_api_version = 1, .write = send_file};
    apart_withdraw();
    if (!heif_load((void **)&w, names, sizeof names / sizeof *names)) heif_end(socket, HEIF_NO_LIBRARY, dlerror());
    struct heif_context *const context = w.heif_context_alloc();
    struct heif_encoding_options *const options = w.heif_encoding_options_alloc();
    struct heif_color_profile_nclx *const colors = w.heif_nclx_color_profile_alloc();
    if (!context || !options || !colors) heif_end(socket, HEIF_NO_MEMORY, NULL);
    if (w.heif_context_get_encoder_for_format(context, heif_compression_AV1, &encoder).code != heif_error_Ok)
        heif_end(socket, HEIF_NO_LIBRARY, "it has no encoder of AV1");
    check(&w, w.heif_encoder_set_lossless(encoder, 1));
    w.heif_encoder_set_parameter(encoder, "lossless-alpha", "true"); /* only some encoders have this parameter */
    w.heif_encoder_set_parameter(encoder, "chroma", "444");
    if (options->version >= 3) options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
    if (options->version >= 4) options->output_nclx_profile = colors;
    check(&w, w.heif_context_encode_image(context, lay_planes(&w, colors), encoder, options, &handle));
    if (view->exif)
        check(&w, w.heif_context_add_exif_metadata(context, handle, view->exif, (int)view->exif_size));
    check(&w, w.heif_context_write(context, &file, &w));
    heif_end(socket, HEIF_DAMAGED, "it wrote nothing");
}
