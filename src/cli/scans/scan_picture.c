/* SPDX-License-Identifier: MIT
 *
 * scan_picture.c - pictures as volumes of one slice, for formats that hold pictures alone.
 */
#include <stdlib.h>
#include <string.h>

#include "region.h"
#include "scan.h"
#include "tilecut_volume.h"

/* A picture that is read by rows. */
typedef struct picture {
    scan_input *in;
    const scan_reading *request;
    region_reader *reader;
    region_shape shape;
    uint8_t *row; /* owned */
    failure *why;
} picture;

static size_t sample_bytes(const picture *p)
{
    return (size_t)p->shape.depth / 8;
}

/* True if the colours of a row are all grey. */
static bool is_grey(const picture *p)
{
    const size_t sample = sample_bytes(p), pixel = 3 * sample, width = (size_t)p->shape.width;
    bool grey = true;
    for (size_t x = 0; grey && x < width; x++)
        grey = !memcmp(p->row + x * pixel, p->row + x * pixel + sample, 2 * sample);
    return grey;
}

/* Counts the channels: one if all colours are grey, as in a PPM of a grey photo, and no channel is chosen. */
static int count_channels(const picture *p, int *channels)
{
    *channels = p->shape.channels;
    bool grey = *channels > 1 && !p->request->shape.channel;
    for (int64_t y = 0; grey && y < p->shape.height; y++) {
        STEP(region_read(p->reader, y, 1, p->row, p->why));
        grey = is_grey(p);
    }
    if (grey) *channels = 1;
    return EXIT_DONE;
}

/* Reads one channel into the voxels. */
static int take_channel(picture *p, int64_t channel, scan *out)
{
    const size_t sample = sample_bytes(p), pixel = sample * (size_t)p->shape.channels, width = (size_t)p->shape.width;
    const int64_t size[3] = {p->shape.width, p->shape.height, 1};
    STEP(scan_check_size(p->in->name, size, sample, p->request, p->why));
    scan_set_shape(out, size, p->request);
    out->type = sample == 1 ? TILECUT_VOXEL_U8 : TILECUT_VOXEL_U16;
    strcpy(out->stored, sample == 1 ? "uint8" : "uint16");
    uint8_t *to = out->voxels = scan_take_memory(out, p->request, scan_count(out) * sample);
    if (!to) return fail(p->why, EXIT_RESOURCES, "%s: not enough memory for its voxels", p->in->name);
    for (int64_t y = 0; y < p->shape.height; y++) {
        STEP(region_read(p->reader, y, 1, p->row, p->why));
        for (size_t x = 0; x < width; x++, to += sample)
            memcpy(to, p->row + x * pixel + (size_t)channel * sample, sample);
    }
    return EXIT_DONE;
}

static int take_slice(picture *p, scan *out)
{
    int64_t chosen[2];
    int channels;
    const int64_t before = region_transparent(p->reader);
    p->row = malloc((size_t)p->shape.width * (size_t)p->shape.channels * sample_bytes(p));
    if (!p->row) return fail(p->why, EXIT_RESOURCES, "%s: not enough memory to read it", p->in->name);
    STEP(count_channels(p, &channels));
    STEP(scan_select(p->in, p->request, channels, 1, chosen, p->why));
    STEP(take_channel(p, chosen[0], out));
    region_note_oddities(p->reader, p->in->log);
    const long long seen = (long long)(region_transparent(p->reader) - before);
    if (seen) note(p->in->log, "%s: is transparent in %lld pixels; their colours are used as if they were opaque",
                   p->in->name, seen);
    return EXIT_DONE;
}

int scan_take_picture(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    const picture_source from = {.name = in->name, .path = in->path, .data = in->data,
                                 .file = in->data ? -1 : in->file, .size = in->size};
    picture p = {.in = in, .request = request, .why = why};
    STEP(region_open_source(&from, request->limits->exif_ignore, &p.shape, &p.reader, why));
    const bool indices = p.shape.palette && request->shape.optional;
    int status = indices ? EXIT_DONE : region_flatten(&p.reader, &p.shape, why);
    if (!status) status = take_slice(&p, out);
    region_close(p.reader);
    free(p.row);
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
