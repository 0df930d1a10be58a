/* SPDX-License-Identifier: MIT
 *
 * scan_nrrd_write.c - writes NRRD, compressed if this build has zlib. Labels of a scan in NRRD get the scan's lines
 * about space unchanged.
 */
#include <stdio.h>
#include <string.h>

#include "gzip.h"
#include "scan_segments.h"
#include "tilecut_volume.h"

static const char *type_of(int type)
{
    return type == TILECUT_VOXEL_U8    ? "uint8"
           : type == TILECUT_VOXEL_U16 ? "uint16"
           : type == TILECUT_VOXEL_I16 ? "int16"
                                       : "float";
}

/* Writes the lines about space for a scan in another format. */
static void put_place(const scan *like, char *text, size_t room)
{
    const double(*const m)[4] = like->place;
    if (like->placed)
        snprintf(text, room,
                 "space: right-anterior-superior\n"
                 "space directions: (%.17g,%.17g,%.17g) (%.17g,%.17g,%.17g) (%.17g,%.17g,%.17g)\n"
                 "space origin: (%.17g,%.17g,%.17g)\nkinds: domain domain domain\n",
                 m[0][0], m[1][0], m[2][0], m[0][1], m[1][1], m[2][1], m[0][2], m[1][2], m[2][2], m[0][3], m[1][3],
                     m[2][3]);
    else if (like->spacing[0] > 0)
        snprintf(text, room, "spacings: %.17g %.17g %.17g\n", like->spacing[0], like->spacing[1], like->spacing[2]);
}

/* Writes the names of the labels, if there are any. */
static int put_names(scan_sink *sink, const scan *what, failure *why)
{
    bytes names = {0};
    if (!what->names) return EXIT_DONE;
    const int status = scan_put_segments(what, &names)
                           ? scan_put(sink, names.data, names.size, why)
                           : fail(why, EXIT_RESOURCES, "%s: not enough memory for its names", sink->name);
    bytes_free(&names);
    return status;
}

static int put_text(scan_sink *sink, const char *text, failure *why)
{
    return scan_put(sink, text, strlen(text), why);
}

int nrrd_encode(scan_sink *sink, const scan *what, const scan *like, const scan_source *voxels, failure *why)
{
    const bool kept = like->format == &image_nrrd && like->head.size, flat = kept && like->flat, packed = gzip_built();
    char first[160], place[700] = "", depth[16] = "", last[80];
    if (!flat) snprintf(depth, sizeof depth, " %d", what->depth);
    snprintf(first, sizeof first, "NRRD0004\ntype: %s\ndimension: %d\nsizes: %d %d%s\n", type_of(what->type),
             flat ? 2 : 3, what->width, what->height, depth);
    snprintf(last, sizeof last, "%sencoding: %s\n\n", scan_voxel_bytes(what->type) == 1 ? ""
             : scan_is_little() ? "endian: little\n" : "endian: big\n", packed ? "gzip" : "raw");
    if (!kept) put_place(like, place, sizeof place);
    int status = put_text(sink, first, why);
    if (!status) status = kept ? scan_put(sink, like->head.data, like->head.size, why) : put_text(sink, place, why);
    if (!status) status = put_names(sink, what, why);
    if (!status) status = put_text(sink, last, why);
    if (!status && packed) status = scan_pack_begin(sink, why);
    if (status) return status;
    status = scan_put_voxels(sink, what, voxels, why);
    return packed ? scan_pack_end(sink, status, why) : status;
}
