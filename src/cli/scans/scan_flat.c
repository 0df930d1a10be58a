/* SPDX-License-Identifier: MIT
 *
 * scan_flat.c - formats of volumes as formats of pictures: a grey picture is a volume of one slice.
 */
#include <string.h>

#include "gzip.h"
#include "scan.h"
#include "tilecut_volume.h"

/* Finds what the numbers of a slice are as samples: as of other pictures, whole numbers up to 65535, or shares from 0
 * to 1. */
static int take_samples(const char *name, const scan *s, image *out, failure *why)
{
    const size_t count = scan_count(s), size = scan_voxel_bytes(s->type);
    image_numbers all = image_numbers_none;
    if ((s->type == TILECUT_VOXEL_U8 || s->type == TILECUT_VOXEL_U16) && s->slope == 1 && s->offset == 0) {
        STEP(image_allocate(name, s->width, s->height, 1, 8 * (int)size, out, why));
        memcpy(out->pixels, s->voxels, count * size);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < count; i++) image_numbers_add(&all, scan_value(s, i));
    STEP(image_numbers_check(&all, name, "volume", why));
    STEP(image_allocate(name, s->width, s->height, 1, all.depth, out, why));
    for (size_t i = 0; i < count; i++) image_numbers_put(&all, scan_value(s, i), out->pixels, i);
    return EXIT_DONE;
}

static int read_flat(const image_format *format, const picture_source *from, const image_limits *limits, image *out,
                        notes *log, failure *why)
{
    const scan_reading request = {.limits = limits, .picture = true};
    scan_input in = {.name = from->name, .path = from->path, .data = from->data, .file = from->file,
                     .size = (size_t)from->size, .log = log};
    uint8_t first[2];
    scan s = {.format = format, .slope = 1};
    const bool packed = gzip_probe(first, picture_read(from, 0, first, sizeof first));
    int status = packed ? scan_unpack(&in, why) : EXIT_DONE;
    if (!status) status = format->decode_slices(&in, &request, &s, why);
    gzip_close(in.packed);
    if (!status) status = take_samples(from->name, &s, out, why);
    scan_free(&s);
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
