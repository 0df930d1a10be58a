/* SPDX-License-Identifier: MIT
 *
 * scan.c - reads and writes volumes by the table of formats (image.h).
 */
#include "scan.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_stream.h"
#include "gzip.h"
#include "region.h"

const char *scan_format_line(int index)
{
    const image_format *f;
    for (int i = 0; (f = image_format_at(i)); i++)
        if (f->slices && index-- == 0) return f->line_here && !f->line ? f->line_here() : f->slices;
    return NULL;
}

/* Finds the format that the name says. Sets *packed if .gz follows the extension. */
static const image_format *find_extension(const char *path, bool *packed)
{
    *packed = scan_name_unpacked(path) < strlen(path);
    return strcmp(path, "-") ? image_format_of_name(path) : &image_nrrd;
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* Returns the format of volumes that recognises the beginning of the file; if none does and a shape was given, `raw`,
 * unless a picture with another number of bytes lies beside a raw scan. */
static const image_format *find_content(const scan_input *in, const uint8_t *begin, size_t have,
                                        const scan_shape *shape)
{
    const image_format *const format = image_format_of(begin, have);
    if (format && format->slices && (!format->confirm || (!in->packed && format->confirm(in)))) return format;
    const uint64_t size = (uint64_t)shape->width * (uint64_t)shape->height * (uint64_t)shape->depth *
                           scan_kind_bytes((enum scan_kind)shape->kind);
    const bool other = format && shape->optional && !in->packed && in->size != size;
    return shape->width && !other ? &image_raw : NULL;
}

static int decode_as(scan_input *in, const image_format *format, const scan_reading *request, scan *out, failure *why)
{
    if (format->without)
        return fail(why, EXIT_INPUT, "%s: is a %s file, and this tilecut was built without %s; convert it to NRRD "
                    "first, or build it with %s", in->name, format->name, format->without, format->without);
    if (request->shape.series && format != &image_dicom && !request->shape.optional)
        return fail(why, EXIT_USAGE, "--series: chooses in a folder of DICOM files, and %s is none; leave it out",
                    in->name);
    out->format = format;
    out->slope = 1;
    int status = (format->decode_slices ? format->decode_slices : scan_take_picture)(in, request, out, why);
    int64_t only[2];
    if ((!status || status == EXIT_MEASURED) && !in->chosen && scan_select(in, request, 1, 1, only, why))
        status = why->status;
    for (int k = 0; !status && k < 3 && request->shape.spacing[0] > 0; k++) out->spacing[k] = request->shape.spacing[k];
    return status;
}

/* Reads the first bytes, unpacked if gzip packed them, and returns to the start. */
static int look(scan_input *in, uint8_t begin[SCAN_BEGIN], size_t *have, failure *why)
{
    int status;
    *have = in->size < SCAN_BEGIN ? in->size : SCAN_BEGIN;
    status = scan_take(in, begin, *have, "header", why);
    in->at = 0;
    if (status || !gzip_probe(begin, *have)) return status;
    status = scan_unpack(in, why);
    if (!status) status = gzip_read(in->packed, begin, SCAN_BEGIN, have, why);
    gzip_close(in->packed);
    in->packed = NULL;
    return status ? status : scan_unpack(in, why);
}

static int decode(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    uint8_t begin[SCAN_BEGIN];
    char readable[200];
    size_t have = 0;
    *out = (scan){0};
    int status = look(in, begin, &have, why);
    const image_format *format = status ? NULL : find_content(in, begin, have, &request->shape);
    if (!status && !format && !in->packed) format = image_format_of(begin, have); /* a picture is one slice */
    if (!status && format) status = decode_as(in, format, request, out, why);
    else if (!status && in->packed && (format = image_format_of(begin, have)) && format->name)
        status = fail(why, EXIT_INPUT, "%s: is a %s file packed by gzip; unpack it first", in->name, format->name);
    else if (!status)
        status = fail(why, EXIT_INPUT, "%s: not a %s file; voxels without a header need --size WxHxD:TYPE", in->name,
                      image_list_readable(readable, sizeof readable, true));
    gzip_close(in->packed);
    if (status && status != EXIT_MEASURED) scan_free(out);
    return status;
}

int scan_decode(const char *name, const uint8_t *data, size_t size, const scan_reading *request, scan *out, notes *log,
                failure *why)
{
    scan_input in = {.name = name, .data = data, .size = size, .log = log};
    return decode(&in, request, out, why);
}

/* Returns the length at which reading a stream ends: eight bytes for each of the most voxels, and room for attachments,
 * within the limit on memory. */
static uint64_t longest_stream(const image_limits *limits)
{
    const uint64_t room = 1 << 26, longest = (uint64_t)(UINT64_C(1) << 33) + room;
    if (!limits->max_bytes || limits->max_bytes >= longest) return longest;
    return limits->max_bytes > room ? limits->max_bytes : room;
}

/* True if a file begins like a header of NIfTI, or like a gzip file. */
static bool may_be_header(const char *path)
{
    uint8_t begin[SCAN_BEGIN];
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t have = file < 0 ? 0 : read(file, begin, sizeof begin);
    if (file >= 0) close(file);
    return have > 0 && (image_nifti.probe(begin, (size_t)have) || gzip_probe(begin, (size_t)have));
}

/* Returns the path of the header beside the voxels of a NIfTI pair: NAME.hdr or NAME.hdr.gz for NAME.img or
 * NAME.img.gz. Other paths are returned unchanged. */
static const char *header_of(const char *path, char room[PATH_MAX])
{
    const size_t length = scan_name_unpacked(path);
    if (length < 5 || length + 7 > PATH_MAX || strncmp(path + length - 4, ".img", 4)) return path;
    const int stem = snprintf(room, PATH_MAX, "%.*s.hdr", (int)(length - 4), path);
    if (may_be_header(room)) return room;
    snprintf(room + stem, 4, ".gz");
    return may_be_header(room) ? room : path;
}

/* Reads a folder as one scan. */
static int decode_folder(scan_input *in, const scan_reading *request, scan *out, failure *why)
{
    *out = (scan){0};
    const int status = decode_as(in, &image_dicom, request, out, why);
    if (status && status != EXIT_MEASURED) scan_free(out);
    return status;
}

int scan_read(const char *path, const scan_reading *request, scan *out, notes *log, failure *why)
{
    scan_input in = {.name = path, .log = log};
    char room[PATH_MAX];
    bytes file = {0};
    *out = (scan){0};
    if (scan_is_folder(path)) {
        in.path = path;
        return decode_folder(&in, request, out, why);
    }
    if (scan_open(header_of(path, room), &in)) {
        const int done = decode(&in, request, out, why);
        close(in.file);
        return done;
    }
    int status = file_read(path, longest_stream(request->limits), &file, why);
    if (!status) status = scan_decode(file_input_name(path), file.data, file.size, request, out, log, why);
    bytes_free(&file);
    return status;
}

bool scan_measure(const char *path, const scan_reading *request, scan_extent *out)
{
    scan_reading only = *request;
    scan_input in = {.name = path};
    scan s = {0};
    char room[PATH_MAX];
    failure ignored = {0};
    only.extent = out;
    const bool folder = scan_is_folder(path);
    if (!folder && !scan_open(header_of(path, room), &in)) return false;
    if (folder) in.path = path;
    const int status = (folder ? decode_folder : decode)(&in, &only, &s, &ignored);
    if (!folder) close(in.file);
    out->placed = s.placed;
    memcpy(out->spacing, s.spacing, sizeof out->spacing);
    memcpy(out->place, s.place, sizeof out->place);
    scan_free(&s);
    return status == EXIT_MEASURED;
}

/* ---- recognising ------------------------------------------------------------------------------ */

/* Finds the format of an open file by its content; NULL if it is not a volume. */
static const image_format *find_beginning(scan_input *in)
{
    uint8_t begin[SCAN_BEGIN];
    failure ignored = {0};
    size_t have = 0;
    const int status = look(in, begin, &have, &ignored);
    const image_format *const format = status ? NULL : find_content(in, begin, have, &(scan_shape){0});
    gzip_close(in->packed);
    return format;
}

/* True if this file is a picture in colour. */
static bool is_in_color(const uint8_t *data, size_t size)
{
    const picture_source from = {.name = "", .data = data, .file = -1, .size = size};
    const image_limits limits = {.exif_ignore = true};
    region_shape shape = {0};
    region_reader *reader;
    failure ignored = {0};
    const int status = region_open_source(&from, &limits, &shape, &reader, &ignored);
    region_close(reader);
    return !status && shape.channels > 2;
}

bool scan_is_content(const uint8_t *data, size_t size)
{
    scan_input in = {.name = "", .data = data, .size = size};
    return find_beginning(&in) || (image_is_tiff(data, size) && !is_in_color(data, size));
}

const image_format *scan_recognise(const char *path)
{
    scan_input in = {.name = ""};
    struct stat about;
    char room[PATH_MAX];
    if (scan_is_folder(path)) return &image_dicom;
    if (!strcmp(path, "-") || stat(path, &about) || !S_ISREG(about.st_mode)) return NULL;
    bool packed;
    /* a damaged file must be recognised, too, so that the reader of its format explains the damage */
    if (scan_is_named(path)) return find_extension(path, &packed);
    if (!scan_open(header_of(path, room), &in)) return NULL;
    const image_format *const format = find_beginning(&in);
    close(in.file);
    return format;
}

bool scan_is_certain(const char *path)
{
    const image_format *const format = scan_recognise(path);
    return format && !format->confirm;
}

/* ---- writing ---------------------------------------------------------------------------------- */

bool scan_is_named(const char *path)
{
    bool packed;
    const image_format *const format = strcmp(path, "-") ? find_extension(path, &packed) : NULL;
    return format && format->probe && format->slices && !format->confirm;
}

int scan_can_write(const char *path, int slices, failure *why)
{
    bool packed;
    const image_format *const format = find_extension(path, &packed);
    const char *const use = "use .nii.gz, .nii, .nrrd, .mha, .tif or .raw";
    if (!format) return fail(why, EXIT_USAGE, "%s: no volume is written with this extension; %s", path, use);
    if (format->without)
        return fail(why, EXIT_USAGE, "%s: this tilecut was built without %s, which %s needs; use .nrrd", path,
                    format->without, format->name);
    if (packed && !gzip_built())
        return fail(why, EXIT_USAGE, "%s: this tilecut was built without zlib; leave .gz out", path);
    if (format->encode_slices) return EXIT_DONE;
    if (slices > 1)
        return fail(why, EXIT_USAGE, "%s: a %s file holds one slice, and the volume has %d; %s", path, format->name,
                    slices, use);
    return image_can_write(path, IMAGE_GREY, 1, why);
}

static int encode(const char *path, const scan *what, const scan *like, const scan_source *voxels, scan_sink *sink,
                  failure *why)
{
    bool packed;
    STEP(scan_can_write(path, what->depth, why));
    const image_format *const format = find_extension(path, &packed);
    sink->name = file_output_name(path);
    if (!format->encode_slices) return scan_put_picture(sink, path, what, voxels, why);
    return scan_encode_as(format, packed, what, like ? like : what, voxels, sink, why);
}

int scan_encode(const char *path, const scan *what, const scan *like, bytes *to, failure *why)
{
    const uint8_t *next = what->voxels;
    const scan_source voxels = {scan_take_held, &next};
    scan_sink sink = {.memory = to};
    return encode(path, what, like, &voxels, &sink, why);
}

int scan_encode_to(const char *path, const scan *what, const scan *like, const scan_source *voxels, file_stream *stream,
                   failure *why)
{
    scan_sink sink = {.stream = stream};
    return encode(path, what, like, voxels, &sink, why);
}
