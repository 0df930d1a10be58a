/* SPDX-License-Identifier: MIT
 *
 * scan_raw.c - files of voxels without a header, x fastest, then y, then z. The user gives the size and the type.
 */
#include "scan.h"

static int decode(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    const scan_shape *const shape = &request->shape;
    const int64_t size[3] = {shape->width, shape->height, shape->depth};
    const enum scan_kind kind = (enum scan_kind)shape->kind;
    const uint64_t whole = (uint64_t)size[0] * (uint64_t)size[1] * (uint64_t)size[2] * scan_kind_bytes(kind);
    if (!in->packed && in->size != whole)
        return fail(why, EXIT_INPUT, "%s: has %zu bytes; %dx%dx%d voxels of %s are %llu", in->name, in->size,
                    shape->width, shape->height, shape->depth, scan_kind_name(kind), (unsigned long long)whole);
    return scan_take_voxels(in, request, size, &(scan_numbers){kind, shape->swapped, {0}, false}, out, why);
}

static int encode(scan_sink *sink, const scan *what, const scan *like, const scan_source *voxels, failure *why)
{
    (void)like;
    return scan_put_voxels(sink, what, voxels, why);
}

const image_format image_raw = {
    .name = "raw",
    .slices = "raw  read, write    voxels alone, with --size WxHxD:TYPE; no place or spacing",
    .extensions = {"raw", "raw.gz"},
    .decode_slices = decode,
    .encode_slices = encode,
    .lossless = true,
    .pixel_bytes = 1,
    .flat = &scan_flat,
};
