/* SPDX-License-Identifier: MIT
 *
 * scan_flat.c - formats of volumes as formats of pictures: a picture is a volume of one slice, whose channels are its
 * colours.
 */
#include <string.h>

#include "gzip.h"
#include "scan.h"
#include "tilecut_volume.h"

enum { MOST = 4 };

/* A picture that is read as a volume of one slice in colour, or channel by channel, each as a volume. */
typedef struct picture {
    const picture_source *from;
    const image_format *format;
    int channels;       /* number of volumes */
    scan channel[MOST]; /* owned */
} picture;

/* Reads a channel, and counts them; or all of them at once, if the first is wanted and the volume has colours. */
static int read_channel(picture *p, int c, const image_limits *limits, notes *log, failure *why)
{
    const picture_source *const from = p->from;
    const scan_reading request = {.limits = limits, .picture = &p->channels, .colors = !c,
                                  .shape.channel = c ? c + 1 : 0};
    scan_input in = {.name = from->name, .path = from->path, .data = from->data, .file = from->file,
                     .size = (size_t)from->size, .log = log};
    uint8_t first[2] = {0};
    const bool packed = gzip_probe(first, picture_read(from, 0, first, sizeof first));
    int status = packed ? scan_unpack(&in, why) : EXIT_DONE;
    p->channel[c] = (scan){.format = p->format, .slope = 1};
    if (!status) status = p->format->decode_slices(&in, &request, &p->channel[c], why);
    gzip_close(in.packed);
    return status;
}

/* Reads all channels. */
static int read_channels(picture *p, const image_limits *limits, notes *log, failure *why)
{
    const scan *const s = p->channel;
    image_limits others = *limits;
    STEP(read_channel(p, 0, limits, log, why));
    const uint64_t channels = (uint64_t)(p->channels * scan_channels(s));
    if (channels == 1) return EXIT_DONE;
    STEP(image_check_memory(p->from->name, (const int64_t[3]){s->width, s->height, 1},
                            2 * channels * scan_voxel_bytes(s->type), limits, why));
    others.admit = NULL;
    for (int c = 1; c < p->channels; c++) STEP(read_channel(p, c, &others, NULL, why));
    return EXIT_DONE;
}

/* Makes samples of the numbers. As in other pictures, they are whole numbers up to 65535, or shares from 0 to 1. */
static int take_samples(const picture *p, image *out, failure *why)
{
    const scan *const s = p->channel;
    const char *const name = p->from->name;
    const size_t each = (size_t)scan_channels(s), count = scan_count(s) * each, n = (size_t)p->channels;
    const size_t size = scan_voxel_bytes(s->type);
    const bool as_is = (s->type == TILECUT_VOXEL_U8 || s->type == TILECUT_VOXEL_U16) && s->slope == 1 && s->offset == 0;
    image_numbers all = image_numbers_none;
    if (as_is) all.depth = 8 * (int)size;
    for (size_t i = 0; !as_is && i < n * count; i++) image_numbers_add(&all, scan_value(s + i % n, i / n));
    if (!as_is) STEP(image_numbers_check(&all, name, "volume", why));
    STEP(image_allocate(name, s->width, s->height, (int)(n * each), all.depth, out, why));
    for (size_t i = 0; i < n * count; i++)
        if (as_is) memcpy(out->pixels + i * size, (const uint8_t *)s[i % n].voxels + i / n * size, size);
        else image_numbers_put(&all, scan_value(s + i % n, i / n), out->pixels, i);
    return EXIT_DONE;
}

static int read_flat(const image_format *format, const picture_source *from, const image_limits *limits, image *out,
                     notes *log, failure *why)
{
    picture p = {.from = from, .format = format, .channels = 1};
    int status = read_channels(&p, limits, log, why);
    if (!status) status = take_samples(&p, out, why);
    for (int c = 0; c < MOST; c++) scan_free(&p.channel[c]);
    return status;
}

static int write_flat(const image_format *format, const char *path, const image_view *view, bytes *sink,
                      failure *why)
{
    const scan slice = {.width = view->width, .height = view->height, .depth = 1, .slope = 1, .format = format,
                        .type = view->depth == 8 ? TILECUT_VOXEL_U8 : TILECUT_VOXEL_U16};
    const uint8_t *next = view->pixels;
    const scan_source voxels = {scan_take_held, &next};
    scan_sink to = {.name = file_output_name(path), .memory = sink};
    const bool packed = scan_name_unpacked(path) < strlen(path);
    if (packed && !gzip_built())
        return fail(why, EXIT_USAGE, "%s: this tilecut was built without zlib; leave .gz out", path);
    return scan_encode_as(format, packed, &slice, &slice, &voxels, &to, why);
}

const image_flat scan_flat = {read_flat, write_flat};
