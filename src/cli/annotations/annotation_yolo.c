/* SPDX-License-Identifier: MIT
 *
 * annotation_yolo.c - labels of YOLO: a line an object, its class and then shares of the photo's width and height: the
 * middle, width and height of a box, or the corners of a polygon. Predictions end with how sure they are.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "annotation.h"
#include "xml_reader.h"

enum { MOST = 1 << 14 }; /* numbers in a line */

static int refuse_line(const annotation_request *request, long line, const char *what, failure *why)
{
    return fail(why, EXIT_INPUT, "%.200s: line %ld: %s", request->name, line, what);
}

static int read_line(const annotation_request *request, const double *v, int count, long line, shapes *out,
                     failure *why)
{
    const bool box = count == 5 || count == 6;
    const double w = request->width, h = request->height;
    char label[24];
    shape_role role;
    if (count < 5 || v[0] < 0 || v[0] > 1e6 || v[0] > floor(v[0]))
        return refuse_line(request, line, "no class with a box or a polygon", why);
    for (int i = 1; i < count; i++)
        if (v[i] < -0.5 || v[i] > 1.5)
            return refuse_line(request, line, "a coordinate that is no share of the photo's width or height", why);
    snprintf(label, sizeof label, "%.0f", v[0]);
    if (!annotation_wants(request, label, &role)) return EXIT_DONE;
    bool room = shapes_begin(out, box ? SHAPE_BOX : SHAPE_AREA) && shapes_begin_ring(out);
    for (int i = -1; room && box && i <= 1; i += 2)
        room = shapes_add_point(out, (v[1] + i * v[3] / 2) * w, (v[2] + i * v[4] / 2) * h);
    for (int i = 1; room && !box && i + 1 < count; i += 2) room = shapes_add_point(out, v[i] * w, v[i + 1] * h);
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its shapes", request->name);
}

/* Reads the numbers of a line, which has a closing zero. EXIT_INPUT: there is something else. */
static int read_numbers(const char *text, bytes *numbers)
{
    double value;
    numbers->size = 0;
    while (xml_numbers(&text, &value, 1))
        if (!bytes_append(numbers, &value, sizeof value)) return EXIT_RESOURCES;
    return *text ? EXIT_INPUT : EXIT_DONE;
}

static int try_line(const annotation_request *request, const char *text, long line, bytes *numbers, shapes *out,
                    failure *why)
{
    const shapes_mark before = shapes_now(out);
    int status = read_numbers(text, numbers);
    const double *const value = (const double *)(const void *)numbers->data;
    const size_t count = numbers->size / sizeof *value;
    if (status == EXIT_RESOURCES) return fail(why, status, "%s: not enough memory to read it", request->name);
    if (status) status = refuse_line(request, line, "something that is no number", why);
    else if (count && count <= MOST) status = read_line(request, value, (int)count, line, out, why);
    else if (count) status = refuse_line(request, line, "too many numbers", why);
    return annotation_tried(request, status, out, before, why);
}

static int read_yolo(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                failure *why)
{
    bytes text = {0}, numbers = {0};
    int status = EXIT_DONE;
    (void)log;
    if (!request->width || !request->height)
        return fail(why, EXIT_INPUT, "%s: counts in shares of a photo, whose size is not known here", request->name);
    if (!bytes_append(&text, data, size) || !bytes_append(&text, "", 1))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", request->name);
    char *at = (char *)text.data;
    for (long line = 1; !status && at && *at; line++) {
        char *const end = at + strcspn(at, "\n");
        const bool last = !*end;
        *end = '\0';
        status = try_line(request, at, line, &numbers, out, why);
        at = last ? NULL : end + 1;
    }
    bytes_free(&text);
    bytes_free(&numbers);
    return status;
}

const annotation_format annotation_yolo = {
    .name = "yolo",
    .line = "YOLO     read         text with boxes or polygons",
    .extensions = "",
    .read_text = read_yolo,
};
