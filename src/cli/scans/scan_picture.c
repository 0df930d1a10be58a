/* SPDX-License-Identifier: MIT
 *
 * scan_picture.c - pictures as volumes of one slice, for formats that hold pictures alone.
 */
#include <stdlib.h>
#include <string.h>

#include "region.h"
#include "scan.h"
#include "tilecut_volume.h"

/* The pictures of a file, each a slice; nearly always one. */
typedef struct picture {
    scan_input *in;
    const scan_reading *request;
    picture_source from;   /* the current picture and what follows it */
    region_reader *reader;
    region_shape shape;    /* of the current picture */
    int channels;
    uint8_t *row; /* owned */
    failure *why;
} picture;

static size_t sample_bytes(const picture *p)
{
    return (size_t)p->shape.depth / 8;
}

static void close_picture(picture *p)
{
    region_close(p->reader);
    free(p->row);
    p->reader = NULL, p->row = NULL;
}

/* Opens the current picture, without palette and alpha, but with the indices of a palette if seeds are read. */
static int open_picture(picture *p)
{
    image_limits limits = *p->request->limits;
    limits.need = NULL, limits.admit = NULL; /* those of the cut follow when the size of the volume is known */
    STEP(region_open_source(&p->from, &limits, &p->shape, &p->reader, p->why));
    if (!p->shape.palette || !p->request->shape.optional) STEP(region_flatten(&p->reader, &p->shape, p->why));
    p->row = malloc((size_t)p->shape.width * (size_t)p->shape.channels * sample_bytes(p));
    return p->row ? EXIT_DONE : fail(p->why, EXIT_RESOURCES, "%s: not enough memory to read it", p->in->name);
}

/* Closes the current picture and goes to the next one of the file. Returns false if there is none. */
static bool next_picture(picture *p)
{
    const uint64_t step = p->shape.next;
    close_picture(p);
    if (!step) return false;
    if (p->from.data) p->from.data += step;
    else p->from.begin += step;
    p->from.size -= step;
    return true;
}

static void first_picture(picture *p)
{
    close_picture(p);
    p->from = (picture_source){.name = p->in->name, .path = p->in->path, .data = p->in->data,
                               .file = p->in->data ? -1 : p->in->file, .size = p->in->size};
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

static bool is_alike(const region_shape *a, const region_shape *b)
{
    return a->width == b->width && a->height == b->height && a->channels == b->channels && a->depth == b->depth;
}

/* Looks at all pictures, which must be alike: counts them, and their channels: one if all colours are grey, as in a PPM
 * of a grey photo, and no channel is chosen. */
static int look_at_all(picture *p, int64_t size[3])
{
    bool grey = !p->request->shape.channel;
    region_shape first = {0};
    size[2] = 0;
    first_picture(p);
    do {
        STEP(open_picture(p));
        if (size[2]++ == 0) first = p->shape;
        if (!is_alike(&first, &p->shape))
            return fail(p->why, EXIT_INPUT, "%s: picture %lld differs from the first one in size, channels or bits; "
                        "the slices of a volume are alike", p->in->name, (long long)size[2]);
        for (int64_t y = 0; grey && first.channels > 1 && y < first.height; y++) {
            STEP(region_read(p->reader, y, 1, p->row, p->why));
            grey = is_grey(p);
        }
    } while (next_picture(p));
    size[0] = first.width, size[1] = first.height;
    p->channels = grey ? 1 : first.channels;
    return EXIT_DONE;
}

/* Reads one channel of the current picture. */
static int take_channel(picture *p, int64_t channel, uint8_t *to)
{
    const size_t sample = sample_bytes(p), pixel = sample * (size_t)p->shape.channels, width = (size_t)p->shape.width;
    for (int64_t y = 0; y < p->shape.height; y++) {
        STEP(region_read(p->reader, y, 1, p->row, p->why));
        for (size_t x = 0; x < width; x++, to += sample)
            memcpy(to, p->row + x * pixel + (size_t)channel * sample, sample);
    }
    return EXIT_DONE;
}

/* Reads the slices of `out`, which begin with number out->above of the file. */
static int take_slices(picture *p, int64_t channel, size_t slice, scan *out)
{
    long long seen = 0;
    bool more = true;
    first_picture(p);
    for (int z = 0; more && z < out->above + out->depth; z++) {
        STEP(open_picture(p));
        if (z >= out->above) STEP(take_channel(p, channel, (uint8_t *)out->voxels + (size_t)(z - out->above) * slice));
        seen += region_transparent(p->reader);
        if (!p->shape.next) region_note_oddities(p->reader, p->in->log);
        more = next_picture(p);
    }
    if (seen) note(p->in->log, "%s: is transparent in %lld pixels; their colours are used as if they were opaque",
                   p->in->name, seen);
    return EXIT_DONE;
}

static int take_volume(picture *p, scan *out)
{
    int64_t chosen[2], size[3];
    STEP(look_at_all(p, size));
    const size_t sample = sample_bytes(p), slice = (size_t)size[0] * (size_t)size[1] * sample;
    STEP(scan_select(p->in, p->request, p->channels, 1, chosen, p->why));
    STEP(scan_check_size(p->in->name, size, sample, p->request, p->why));
    scan_set_shape(out, size, p->request);
    out->type = sample == 1 ? TILECUT_VOXEL_U8 : TILECUT_VOXEL_U16;
    strcpy(out->stored, sample == 1 ? "uint8" : "uint16");
    out->voxels = scan_take_memory(out, p->request, (size_t)out->depth * slice);
    if (!out->voxels) return fail(p->why, EXIT_RESOURCES, "%s: not enough memory for its voxels", p->in->name);
    return take_slices(p, chosen[0], slice, out);
}

int scan_take_picture(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    picture p = {.in = in, .request = request, .why = why};
    const int status = take_volume(&p, out);
    close_picture(&p);
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
