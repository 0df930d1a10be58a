/* SPDX-License-Identifier: MIT
 *
 * scan_picture.c - pictures as volumes of one slice, for formats that hold pictures alone.
 */
#include <stdlib.h>
#include <string.h>

#include "scan.h"
#include "tilecut_volume.h"

/* Notes how many pixels are transparent, since their alpha is left out. */
static void note_alpha(const scan_input *in, const image *p)
{
    const size_t n = (size_t)p->channels, sample = (size_t)p->depth / 8, count = (size_t)p->width * (size_t)p->height;
    size_t seen = 0;
    if (n % 2) return;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *const alpha = p->pixels + (i * n + n - 1) * sample;
        seen += alpha[0] != 0xff || alpha[sample - 1] != 0xff;
    }
    if (seen)
        note(in->log, "%s: is transparent in %zu pixels; their colours are used as if they were opaque", in->name,
             seen);
}

/* True if all colours are grey, as in a PPM of a grey photo. */
static bool is_grey(const image *p)
{
    const size_t n = (size_t)p->channels, sample = (size_t)p->depth / 8, count = (size_t)p->width * (size_t)p->height;
    bool grey = true;
    for (size_t i = 0; n > 2 && grey && i < count; i++)
        grey = !memcmp(p->pixels + i * n * sample, p->pixels + (i * n + 1) * sample, 2 * sample);
    return grey;
}

/* Copies one channel, or the indices of a palette, to the voxels. */
static int take_channel(const scan_input *in, const scan_reading *request, const image *p, int64_t channel, scan *out,
                        failure *why)
{
    const int64_t size[3] = {p->width, p->height, 1};
    const bool indices = p->index && request->shape.optional;
    const size_t sample = indices ? 1 : (size_t)p->depth / 8, pixel = indices ? 1 : sample * (size_t)p->channels;
    STEP(scan_check_size(in->name, size, sample, request, why));
    scan_set_shape(out, size, request);
    out->type = sample == 1 ? TILECUT_VOXEL_U8 : TILECUT_VOXEL_U16;
    strcpy(out->stored, sample == 1 ? "uint8" : "uint16");
    uint8_t *const to = out->voxels = scan_take_memory(out, request, scan_count(out) * sample);
    if (!to) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its voxels", in->name);
    const uint8_t *const from = indices ? p->index : p->pixels + (size_t)channel * sample;
    for (size_t i = 0; i < scan_count(out); i++) memcpy(to + i * sample, from + i * pixel, sample);
    return EXIT_DONE;
}

int scan_take_picture(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    const picture_source from = {.name = in->name, .path = in->path, .data = in->data,
                                 .file = in->data ? -1 : in->file, .size = in->size};
    image_limits limits = *request->limits;
    image p;
    int64_t chosen[2];
    limits.need = NULL, limits.admit = NULL, limits.annotations = false; /* the size of the volume is checked later */
    STEP(image_decode_source(&from, &limits, &p, in->log, why));
    const bool one = is_grey(&p) || (p.index && request->shape.optional);
    int status = scan_select(in, request, one ? 1 : 3, 1, chosen, why);
    if (!status && !request->extent) note_alpha(in, &p);
    if (!status) status = take_channel(in, request, &p, chosen[0], out, why);
    image_free(&p);
    return status;
}

int scan_put_picture(scan_sink *sink, const char *path, const scan *what, const scan_source *voxels, failure *why)
{
    const size_t sample = scan_voxel_bytes(what->type), size = scan_count(what) * sample;
    bytes file = {0};
    if (what->type != TILECUT_VOXEL_U8 && what->type != TILECUT_VOXEL_U16)
        return fail(why, EXIT_USAGE, "%s: a picture has numbers of 8 or 16 bits without a sign, and these are others; "
                    "use .nii.gz, .nii, .nrrd or .mha", path);
    uint8_t *const pixels = malloc(size);
    if (!pixels) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", sink->name);
    const image_view view = {.width = what->width, .height = what->height, .channels = 1, .depth = 8 * (int)sample,
                             .pixels = pixels};
    int status = voxels->take(voxels->context, pixels, size, why);
    if (!status) status = image_encode(path, IMAGE_GREY, &view, &file, why);
    if (!status) status = scan_put(sink, file.data, file.size, why);
    free(pixels);
    bytes_free(&file);
    return status;
}
