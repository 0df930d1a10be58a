/* SPDX-License-Identifier: MIT
 *
 * scan_meta.c - MetaImage: lines "Key = value". The last of them, ElementDataFile, says LOCAL if the voxels follow
 * (.mha), or names the file that has them (.mhd). The axes of its space run from right to left, front to back and
 * bottom to top, so the first two axes are the opposite of those in scan.place. Source:
 * https://itk.org/Wiki/ITK/MetaIO/Documentation
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scan.h"
#include "tilecut_volume.h"

enum { LINE = 4096, LINES = 4096, DIMENSIONS = 4, TEXT = 800 };

static const double sign[3] = {-1, -1, 1};

/* The values of the header's lines. */
typedef struct lines {
    const char *name;
    int dimensions;       /* 0: not said  */
    double size[DIMENSIONS], spacing[DIMENSIONS], origin[DIMENSIONS], matrix[DIMENSIONS * DIMENSIONS];
    bool spaced;          /* ElementSpacing has been read; ElementSize does not count then */
    bool tells_spacing;   /* the header has ElementSpacing or ElementSize, even if without numbers */
    int sizes, spacings, origins, cells; /* how many numbers the header has for each of these fields */
    int kind;             /* -1: not said */
    double channels, skip;
    bool big, packed, text;
    char file[LINE];      /* "": not said */
    bytes *head;          /* the lines about the place of the scan, unchanged; becomes scan.head */
} lines;

static bool probe(const uint8_t *begin, size_t size)
{
    static const char *const words[] = {"ObjectType", "NDims", "Comment", "BinaryData", "ObjectSubType"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (size <= n + 2 || memcmp(begin, words[i], n)) continue;
        while (n < size && (begin[n] == ' ' || begin[n] == '\t')) n++;
        if (n < size && begin[n] == '=') return true;
    }
    return false;
}

/* ---- header ----------------------------------------------------------------------------------- */

/* Reads up to `most` numbers. Returns how many there are. */
static int take_numbers(const char *value, double *out, int most)
{
    int count = 0;
    for (char *end; count < most; value = end, count++) {
        out[count] = strtod(value, &end);
        if (end == value || !isfinite(out[count])) break;
    }
    return count;
}

static int take_kind(lines *l, const char *value, failure *why)
{
    static const struct word {
        const char *text;
        enum scan_kind kind;
    } words[] = {{"MET_UCHAR", SCAN_U8}, {"MET_CHAR", SCAN_I8}, {"MET_USHORT", SCAN_U16}, {"MET_SHORT", SCAN_I16},
                 {"MET_UINT", SCAN_U32}, {"MET_INT", SCAN_I32}, {"MET_ULONG", SCAN_U32}, {"MET_LONG", SCAN_I32},
                 {"MET_ULONG_LONG", SCAN_U64}, {"MET_LONG_LONG", SCAN_I64}, {"MET_FLOAT", SCAN_F32},
                 {"MET_DOUBLE", SCAN_F64}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(value, words[i].text)) return l->kind = (int)words[i].kind, EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: has voxels of MetaImage's type '%.40s'; whole numbers and floats of one grey "
                "value are read", l->name, value);
}

/* True if the field is about the place of the scan, so that labels get this line, too. */
static bool is_place_field(const char *field)
{
    static const char *const fields[] = {"Offset", "Position", "Origin", "TransformMatrix", "Rotation", "Orientation",
                                         "CenterOfRotation", "AnatomicalOrientation", "ElementSpacing", "ElementSize",
                                         "DistanceUnits"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(field, fields[i])) return true;
    return false;
}

static int take_field(lines *l, const char *field, const char *value, failure *why)
{
    const bool yes = *value == 'T' || *value == 't' || *value == '1';
    double one = 0;
    if (!strcmp(field, "ElementType")) return take_kind(l, value, why);
    if (is_place_field(field) && !(bytes_append(l->head, field, strlen(field)) && bytes_append(l->head, " = ", 3) &&
                                   bytes_append(l->head, value, strlen(value)) && bytes_append(l->head, "\n", 1)))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its header", l->name);
    if (!strcmp(field, "NDims")) l->dimensions = atoi(value);
    if (!strcmp(field, "DimSize")) l->sizes = take_numbers(value, l->size, DIMENSIONS);
    const bool spacing = !strcmp(field, "ElementSpacing");
    if (spacing || (!strcmp(field, "ElementSize") && !l->spaced)) /* without a spacing, voxels touch each other */
        l->spacings = take_numbers(value, l->spacing, DIMENSIONS), l->spaced = spacing, l->tells_spacing = true;
    if (!strcmp(field, "Offset") || !strcmp(field, "Position") || !strcmp(field, "Origin"))
        l->origins = take_numbers(value, l->origin, DIMENSIONS);
    if (!strcmp(field, "TransformMatrix") || !strcmp(field, "Rotation") || !strcmp(field, "Orientation"))
        l->cells = take_numbers(value, l->matrix, DIMENSIONS * DIMENSIONS);
    if (!strcmp(field, "ElementNumberOfChannels") && take_numbers(value, &one, 1)) l->channels = one;
    if (!strcmp(field, "HeaderSize") && take_numbers(value, &one, 1)) l->skip = one;
    if (!strcmp(field, "BinaryDataByteOrderMSB") || !strcmp(field, "ElementByteOrderMSB")) l->big = yes;
    if (!strcmp(field, "BinaryData")) l->text = !yes;
    if (!strcmp(field, "CompressedData")) l->packed = yes;
    if (!strcmp(field, "ElementDataFile")) snprintf(l->file, LINE, "%s", value);
    return EXIT_DONE;
}

/* Reads one line, without its end and trailing blanks. The last line may lack its end if the voxels are in another
 * file. */
static int take_line(scan_input *in, char line[LINE], failure *why)
{
    size_t n = 0;
    for (; n + 1 < LINE; n++) {
        if (!in->packed && in->at == in->size && n) break;
        const int status = scan_take(in, line + n, 1, "header", why);
        if (status) return status;
        if (line[n] == '\n') break;
    }
    while (n && strchr(" \t\r", line[n - 1])) n--;
    line[n] = '\0';
    return EXIT_DONE;
}

static int take_header(scan_input *in, lines *l, failure *why)
{
    char line[LINE];
    int status = EXIT_DONE;
    for (int i = 0; !status && !*l->file; i++) {
        status = take_line(in, line, why);
        char *const equals = status ? NULL : strchr(line, '=');
        if (!status && (i == LINES || (!equals && *line)))
            return fail(why, EXIT_INPUT, "%s: is a damaged MetaImage (in its header: %.60s)", l->name, line);
        if (!equals) continue;
        char *end = equals;
        while (end > line && (end[-1] == ' ' || end[-1] == '\t')) end--;
        *end = '\0';
        status = take_field(l, line, equals + 1 + strspn(equals + 1, " \t"), why);
    }
    return status;
}

static int check(const lines *l, int64_t size[3], failure *why)
{
    if (l->dimensions < 2 || l->dimensions > 4)
        return fail(why, EXIT_INPUT, "%s: is a MetaImage of %d dimensions; a picture has two, a volume three, and of a "
                    "series the fourth is time", l->name, l->dimensions);
    if (l->sizes != l->dimensions || l->kind < 0)
        return fail(why, EXIT_INPUT, "%s: is a damaged MetaImage (its header lacks %s)", l->name,
                    l->kind < 0 ? "ElementType" : "DimSize");
    for (int k = 0; k < l->dimensions; k++)
        if (!(l->size[k] >= 1 && l->size[k] <= 1e9 && l->size[k] == floor(l->size[k])))
            return fail(why, EXIT_INPUT, "%s: is a damaged MetaImage (DimSize %g along axis %d)", l->name, l->size[k],
                        k + 1);
    if (!(l->channels >= 1 && l->channels <= 1024 && l->channels == floor(l->channels)) || l->skip < -1 ||
        l->skip != floor(l->skip) || l->skip > 1e12)
        return fail(why, EXIT_INPUT, "%s: is a damaged MetaImage (its channels or HeaderSize)", l->name);
    int64_t all[DIMENSIONS + 1] = {(int64_t)l->channels, 1, 1, 1, 1}; /* a picture has one slice */
    for (int k = 0; k < l->dimensions; k++) all[k + 1] = (int64_t)l->size[k];
    memcpy(size, all + 1, 3 * sizeof *size);
    if (scan_check_count(l->name, all, DIMENSIONS + 1, why)) return why->status;
    if (l->text) return fail(why, EXIT_INPUT, "%s: has its voxels as text; save it with BinaryData = True", l->name);
    if (!strncmp(l->file, "LIST", 4) || strchr(l->file, '%'))
        return fail(why, EXIT_INPUT, "%s: has its voxels in several files; save header and voxels as one .mha",
                    l->name);
    return EXIT_DONE;
}

/* Writes the lines about space: the directions of the axes, each of length 1, and the origin, both only if `origin` is
 * not NULL; and the distances. */
static void put_lines(double cell[3][3], const double origin[3], const double step[3], char *text, size_t room)
{
    size_t used = 0;
    if (origin)
        used = (size_t)snprintf(text, room, "TransformMatrix = %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n"
                                "Offset = %.17g %.17g %.17g\n", cell[0][0], cell[0][1], cell[0][2], cell[1][0],
                                cell[1][1], cell[1][2], cell[2][0], cell[2][1], cell[2][2], origin[0], origin[1],
                                origin[2]);
    snprintf(text + used, room - used, "ElementSpacing = %.17g %.17g %.17g\n", step[0], step[1], step[2]);
}

static void keep_place(const lines *l, notes *log, scan *out)
{
    const int n = l->dimensions, axes = n < 3 ? n : 3;
    bool good = l->spacings == n;
    out->flat = n == 2;
    for (int k = 0; k < axes; k++) good = good && l->spacing[k] > 1e-9 && l->spacing[k] < 1e9;
    if (l->tells_spacing && !good) scan_note_spacing(l->name, log);
    for (int k = 0; k < 3 && good; k++) out->spacing[k] = k < axes ? l->spacing[k] : 1;
    out->placed = good && l->origins == n && (l->cells == n * n || !l->cells);
    for (int r = 0; r < 3 && out->placed; r++) {
        for (int k = 0; k < 3; k++) /* each group of n numbers is the direction of one axis */
            out->place[r][k] = k >= axes || r >= axes ? k == r
                : sign[r] * (l->cells ? l->matrix[k * n + r] : k == r) * l->spacing[k];
        out->place[r][3] = r < axes ? sign[r] * l->origin[r] : 0;
    }
    if (n <= 3) return;
    bytes_free(&out->head); /* these lines also describe a fourth axis */
    double cell[3][3];
    char text[TEXT];
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 3; r++) cell[k][r] = l->cells ? l->matrix[k * n + r] : k == r;
    put_lines(cell, out->placed ? l->origin : NULL, l->spacing, text, sizeof text);
    if (good && !bytes_append(&out->head, text, strlen(text))) bytes_free(&out->head); /* the writer makes them */
}

/* ---- voxels ----------------------------------------------------------------------------------- */

static int take_voxels(scan_input *in, const scan_reading *request, const lines *l, const int64_t size[3], scan *out,
                       failure *why)
{
    const int64_t channels = (int64_t)l->channels, volumes = l->dimensions > 3 ? (int64_t)l->size[3] : 1;
    const uint64_t count = (uint64_t)size[0] * (uint64_t)size[1] * (uint64_t)size[2];
    const uint64_t each = scan_kind_bytes((enum scan_kind)l->kind) * (uint64_t)channels;
    scan_numbers numbers = {(enum scan_kind)l->kind, l->big == scan_is_little(), {1, channels, 0}, false};
    int64_t chosen[2];
    numbers.colors = scan_takes_colors(request, channels, l->kind);
    int status = scan_select(in, request, numbers.colors ? 1 : channels, volumes, chosen, why);
    if (status) return status;
    numbers.pick.which = chosen[0];
    if (channels == 1) numbers.pick.count = 0;
    if (in->packed && l->skip > 0) status = scan_skip(in, (uint64_t)l->skip, "header", why);
    else if (l->skip >= 0) in->at += (size_t)l->skip < in->size - in->at ? (size_t)l->skip : in->size - in->at;
    else if (count < UINT64_MAX / each / (uint64_t)volumes && count * each * (uint64_t)volumes <= in->size - in->at)
        in->at = in->size - (size_t)(count * each * (uint64_t)volumes);
    if (status) return status;
    if (l->packed && in->packed)
        return fail(why, EXIT_INPUT, "%s: is packed twice; unpack it once", in->name);
    if (l->packed) status = scan_unpack(in, why);
    if (l->skip >= 0 && count < UINT64_MAX / each / (uint64_t)volumes)
        scan_note_longer(in, count * each * (uint64_t)volumes);
    if (chosen[1] && !status) status = scan_skip(in, count * each * (uint64_t)chosen[1], "voxels", why);
    return status ? status : scan_take_voxels(in, request, size, &numbers, out, why);
}

static int decode(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    lines l = {.name = in->name, .kind = -1, .channels = 1, .head = &out->head};
    int64_t size[3];
    scan_input beside = {.file = -1};
    int status = take_header(in, &l, why);
    if (!status) status = check(&l, size, why);
    if (status) return status;
    keep_place(&l, in->log, out);
    if (!strcasecmp(l.file, "LOCAL")) return take_voxels(in, request, &l, size, out, why);
    status = scan_open_beside(in, l.file, &beside, why);
    if (!status) status = take_voxels(&beside, request, &l, size, out, why);
    in->chosen = beside.chosen;
    scan_close_beside(&beside);
    return status;
}

/* Writes the lines about the place of a scan that was not read from MetaImage. */
static void put_place(const scan *like, char *text, size_t room)
{
    double cell[3][3], origin[3];
    for (int r = 0; r < 3; r++) origin[r] = sign[r] * like->place[r][3];
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) cell[k][r] = like->placed ? sign[r] * like->place[r][k] / like->spacing[k] : 0;
    if (like->spacing[0] > 0) put_lines(cell, like->placed ? origin : NULL, like->spacing, text, room);
}

static int encode(scan_sink *sink, const scan *what, const scan *like, const scan_source *voxels, failure *why)
{
    static const char *const types[] = {[TILECUT_VOXEL_U8] = "MET_UCHAR", [TILECUT_VOXEL_U16] = "MET_USHORT",
                                        [TILECUT_VOXEL_I16] = "MET_SHORT", [TILECUT_VOXEL_F32] = "MET_FLOAT"};
    const bool kept = like->format == &image_meta && like->head.size, flat = kept && like->flat;
    char first[160], place[TEXT] = "", depth[16] = "", last[160];
    if (!flat) snprintf(depth, sizeof depth, " %d", what->depth);
    if (!kept) put_place(like, place, sizeof place);
    snprintf(first, sizeof first, "ObjectType = Image\nNDims = %d\nBinaryData = True\nBinaryDataByteOrderMSB = %s\n"
             "CompressedData = False\n", flat ? 2 : 3, scan_is_little() ? "False" : "True");
    snprintf(last, sizeof last, "DimSize = %d %d%s\nElementType = %s\nElementDataFile = LOCAL\n", what->width,
             what->height, depth, types[what->type]);
    int status = scan_put(sink, first, strlen(first), why);
    if (!status) status = kept ? scan_put(sink, like->head.data, like->head.size, why)
                               : scan_put(sink, place, strlen(place), why);
    if (!status) status = scan_put(sink, last, strlen(last), why);
    return status ? status : scan_put_voxels(sink, what, voxels, why);
}

const image_format image_meta = {
    .name = "MetaImage",
    .slices = "MetaImage  read, write  .mha, and .mhd read; packed or not; place and spacing kept",
    .extensions = {"mha"},
    .probe = probe,
    .decode_slices = decode,
    .encode_slices = encode,
    .lossless = true,
    .pixel_bytes = 1,
    .flat = &scan_flat,
};
