/* SPDX-License-Identifier: MIT
 *
 * scan.c - the table of volume formats: recognises content, chooses a format by extension.
 */
#include "scan.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gzip.h"
#include "tilecut_volume.h"

static const scan_format *const formats[] = {
#define SCAN(variable) &scan_##variable,
#include "scans.def"
#undef SCAN
};

enum { FORMATS = sizeof formats / sizeof *formats };

const char *scan_format_line(int index)
{
    return index >= 0 && index < FORMATS ? formats[index]->line : NULL;
}

void scan_free(scan *s)
{
    free(s->voxels);
    bytes_free(&s->head);
    *s = (scan){0};
}

size_t scan_voxel_bytes(int type)
{
    return type == TILECUT_VOXEL_U8 ? 1 : type == TILECUT_VOXEL_F32 ? 4 : 2;
}

double scan_value(const scan *s, size_t i)
{
    switch (s->type) {
    case TILECUT_VOXEL_U8: return s->slope * ((const uint8_t *)s->voxels)[i] + s->offset;
    case TILECUT_VOXEL_U16: return s->slope * ((const uint16_t *)s->voxels)[i] + s->offset;
    case TILECUT_VOXEL_I16: return s->slope * ((const int16_t *)s->voxels)[i] + s->offset;
    default: return s->slope * (double)((const float *)s->voxels)[i] + s->offset;
    }
}

/* The row whose extension ends `path`; *packed: .gz comes after it. */
static const scan_format *find_extension(const char *path, bool *packed)
{
    const size_t length = strlen(path);
    *packed = length > 3 && !strcasecmp(path + length - 3, ".gz");
    if (!strcmp(path, "-")) return &scan_nrrd;
    for (int i = 0; i < FORMATS; i++)
        for (int k = 0; k < 4 && formats[i]->extensions[k]; k++) {
            const size_t size = strlen(formats[i]->extensions[k]);
            if (length > size && !strcasecmp(path + length - size, formats[i]->extensions[k])) return formats[i];
        }
    return NULL;
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* The format that recognises the beginning of the file; `raw` if there is none and a shape was given. */
static const scan_format *find_content(const uint8_t *begin, size_t have, const uint8_t *file, size_t size, bool shaped)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->probe && formats[i]->probe(begin, have) && (!formats[i]->confirm || formats[i]->confirm(file,
                                                                                                                size)))
            return formats[i];
    return shaped ? &scan_raw : NULL;
}

static int decode_as(scan_input *in, const scan_format *format, const scan_wish *wish, scan *out, failure *why)
{
    if (format->without)
        return fail(why, EXIT_INPUT, "%s: is a %s file, and this tilecut was built without %s; convert it to NRRD "
                    "first, or build it with %s", in->name, format->name, format->without, format->without);
    out->format = format;
    out->slope = 1;
    const int status = format->decode(in, wish, out, why);
    for (int k = 0; !status && k < 3 && wish->shape.spacing[0] > 0; k++) out->spacing[k] = wish->shape.spacing[k];
    return status;
}

/* Looks at the first bytes, unpacked, and begins anew. */
static int look(scan_input *in, uint8_t begin[SCAN_BEGIN], size_t *have, failure *why)
{
    int status;
    *have = in->size < SCAN_BEGIN ? in->size : SCAN_BEGIN;
    if (!gzip_probe(in->data, in->size)) {
        memcpy(begin, in->data, *have);
        return EXIT_DONE;
    }
    status = gzip_open(in->name, in->data, in->size, &in->packed, why);
    if (!status) status = gzip_read(in->packed, begin, SCAN_BEGIN, have, why);
    gzip_close(in->packed);
    in->packed = NULL;
    return status ? status : gzip_open(in->name, in->data, in->size, &in->packed, why);
}

int scan_decode(const char *name, const uint8_t *data, size_t size, const scan_wish *wish, scan *out, notes *log,
                failure *why)
{
    scan_input in = {.name = name, .data = data, .size = size, .log = log};
    uint8_t begin[SCAN_BEGIN];
    size_t have = 0;
    *out = (scan){0};
    int status = look(&in, begin, &have, why);
    const scan_format *const format =
        status ? NULL : find_content(begin, have, in.packed ? NULL : data, size, wish->shape.width > 0);
    if (!status)
        status = format ? decode_as(&in, format, wish, out, why)
                        : fail(why, EXIT_INPUT, "%s: not a NIfTI or NRRD file or a TIFF of several pages; voxels "
                               "without a header need --size WxHxD:TYPE", name);
    gzip_close(in.packed);
    if (status) scan_free(out);
    return status;
}

/* The longest file that can be valid: eight bytes a voxel and what is attached; or what memory allows. */
static uint64_t longest_file(const image_limits *limits)
{
    const uint64_t room = 1 << 26, longest = (uint64_t)(UINT64_C(1) << 33) + room;
    if (!limits->max_bytes || limits->max_bytes >= longest) return longest;
    return limits->max_bytes > room ? limits->max_bytes : room;
}

/* Reads one part's slices where they lie in the file. False: the file is packed, or a TIFF, or no file at all, so it
 * has to be read from its beginning to its end. */
static bool read_slices(const char *path, const scan_wish *wish, scan *out, notes *log, failure *why, int *status)
{
    struct stat about;
    uint8_t begin[SCAN_BEGIN];
    const int file = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    const bool plain = file >= 0 && !fstat(file, &about) && S_ISREG(about.st_mode);
    const ssize_t got = plain ? read(file, begin, sizeof begin) : -1;
    const bool packed = got < 1 || gzip_probe(begin, (size_t)got);
    const scan_format *const format =
        packed ? NULL : find_content(begin, (size_t)got, NULL, 0, wish->shape.width > 0);
    const bool apart = format && !format->confirm && !image_is_tiff(begin, (size_t)got);
    if (apart) {
        scan_input in = {.name = path, .file = file, .size = (size_t)about.st_size, .log = log};
        *status = decode_as(&in, format, wish, out, why);
        gzip_close(in.packed);
        bytes_free(&in.loaded);
        if (*status) scan_free(out);
    }
    if (file >= 0) close(file);
    return apart;
}

int scan_read(const char *path, const scan_wish *wish, scan *out, notes *log, failure *why)
{
    bytes file = {0};
    int done;
    *out = (scan){0};
    if (wish->parts && read_slices(path, wish, out, log, why, &done)) return done;
    int status = file_read(path, longest_file(wish->limits), &file, why);
    if (!status) status = scan_decode(file_input_name(path), file.data, file.size, wish, out, log, why);
    bytes_free(&file);
    return status;
}

/* ---- recognising ------------------------------------------------------------------------------ */

/* The row of a file that begins so. */
static const scan_format *find_beginning(const uint8_t *file, size_t size)
{
    uint8_t begin[SCAN_BEGIN];
    scan_input in = {.name = "", .data = file, .size = size};
    failure ignored = {0};
    size_t have = 0;
    const int status = look(&in, begin, &have, &ignored);
    gzip_close(in.packed);
    for (int i = 0; !status && i < FORMATS; i++)
        if (formats[i]->probe && formats[i]->probe(begin, have)) return formats[i];
    return NULL;
}

const scan_format *scan_recognise(const char *path)
{
    enum { LOOK = 65536 };
    struct stat about;
    failure ignored = {0};
    bytes file = {0};
    if (!strcmp(path, "-") || stat(path, &about) || !S_ISREG(about.st_mode)) return NULL;
    bool packed;
    if (scan_is_named(path)) return find_extension(path, &packed); /* damaged files are refused as what they are */
    uint8_t *const begin = malloc(LOOK);
    const int descriptor = begin ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const ssize_t got = descriptor >= 0 ? read(descriptor, begin, LOOK) : 0;
    if (descriptor >= 0) close(descriptor);
    const scan_format *const format = got > 0 ? find_beginning(begin, (size_t)got) : NULL;
    free(begin);
    if (!format || !format->confirm) return format;
    const bool whole = file_read(path, 0, &file, &ignored) == EXIT_DONE && format->confirm(file.data, file.size);
    bytes_free(&file);
    return whole ? format : NULL;
}

bool scan_tells_itself(const char *path)
{
    const scan_format *const format = scan_recognise(path);
    return format && !format->confirm;
}

/* ---- writing ---------------------------------------------------------------------------------- */

bool scan_is_named(const char *path)
{
    bool packed;
    const scan_format *const format = strcmp(path, "-") ? find_extension(path, &packed) : NULL;
    return format && format->probe && !format->confirm;
}

int scan_can_write(const char *path, failure *why)
{
    bool packed;
    const scan_format *const format = find_extension(path, &packed);
    if (!format)
        return fail(why, EXIT_USAGE, "%s: no volume is written with this extension; use .nii.gz, .nii, .nrrd, .tif or "
                    ".raw", path);
    if (format->without)
        return fail(why, EXIT_USAGE, "%s: this tilecut was built without %s, which %s needs; use .nrrd", path,
                    format->without, format->name);
    if (packed && !gzip_built())
        return fail(why, EXIT_USAGE, "%s: this tilecut was built without zlib; leave .gz out", path);
    return EXIT_DONE;
}

int scan_encode(const char *path, const scan *what, const scan *like, bytes *sink, failure *why)
{
    bool packed;
    int status = scan_can_write(path, why);
    if (status) return status;
    const scan_format *const format = find_extension(path, &packed);
    status = format->encode(file_output_name(path), what, like ? like : what, sink, why);
    return status || !packed ? status : gzip_pack(path, sink, why);
}
