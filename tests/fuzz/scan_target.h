/* SPDX-License-Identifier: MIT
 *
 * scan_target.h - makes a format of volumes a fuzz target: any bytes must give a volume within the limits, whose labels
 * can be written and read again, or an error message.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "scan.h"
#include "tilecut_volume.h"

enum { SCAN_MOST_VOXELS = 1 << 16 };
static const image_limits scan_limits = {.max_pixels = SCAN_MOST_VOXELS, .max_bytes = 1 << 22};

/* Writes labels in the scan's own format and reads them again; their position must be that of the scan. */
static inline void write_and_read(const scan *s, const scan_reading *request, const char *extension)
{
    uint8_t *const mask = calloc(scan_count(s), 1);
    const scan labels = {.width = s->width, .height = s->height, .depth = s->depth, .type = TILECUT_VOXEL_U8,
                         .voxels = mask, .slope = 1};
    bytes file = {0};
    failure why = {0};
    notes log = {0};
    scan back = {0};
    MUST(mask);
    MUST(scan_encode(extension, &labels, s, &file, &why) == EXIT_DONE);
    MUST(scan_decode("fuzz", file.data, file.size, request, &back, &log, &why) == EXIT_DONE);
    MUST(back.width == s->width && back.height == s->height && back.depth == s->depth);
    MUST(back.placed == s->placed);
    /* TIFF stores spacing as 32-bit fractions. */
    for (int k = 0; k < 3; k++) MUST(fabs(back.spacing[k] - s->spacing[k]) <= 1e-6 * fabs(s->spacing[k]));
    MUST(!memcmp(back.voxels, mask, scan_count(s)));
    if (s->placed) MUST(!memcmp(back.place, s->place, sizeof back.place));
    scan_free(&back);
    notes_free(&log);
    bytes_free(&file);
    free(mask);
}

/* Reads a scan, and each of its voxels for the sanitizers. Returns false if it cannot be read and an error message says
 * why. */
static inline bool read_scan(const scan_reading *request, const uint8_t *data, size_t size, scan *s)
{
    notes log = {0};
    failure why = {0};
    double sum = 0;
    const int status = scan_decode("fuzz", data, size, request, s, &log, &why);
    MUST_READ_OR_SAY(status, why);
    notes_free(&log);
    if (status != EXIT_DONE) return false;
    MUST(s->width > 0 && s->height > 0 && s->depth > 0 && scan_count(s) <= SCAN_MOST_VOXELS);
    for (size_t i = 0; i < scan_count(s); i++) sum += scan_value(s, i) > 0;
    MUST(sum >= 0 && sum <= (double)scan_count(s));
    return true;
}

/* Reads the pictures of a file as slices. */
static inline int decode_slices(const image_format *format, const uint8_t *data, size_t size)
{
    const scan_reading request = {.limits = &scan_limits, .shape.channel = 1};
    scan s = {0};
    if (!format->without && format->probe(data, size)) read_scan(&request, data, size, &s);
    scan_free(&s);
    return 0;
}

static inline int decode_scan(const image_format *format, const char *extension, const uint8_t *data, size_t size)
{
    const scan_reading request = {.limits = &scan_limits};
    scan s = {0};
    if (format->without || !size) return 0;
    if (read_scan(&request, data, size, &s) && s.format == format) write_and_read(&s, &request, extension);
    scan_free(&s);
    return 0;
}
