/* SPDX-License-Identifier: MIT
 *
 * annotation_yolo.c - labels of YOLO. Each line is one object: its class, and then either the middle, width and height
 * of a box or the corners of a polygon, as fractions of the photo's width and height. Predictions end with a confidence
 * and a track number. Key points after a box are ignored. Where a line can be read in two ways, yolo_lines.h decides.
 * The outline of an object with holes is written as a keyhole: one ring that reaches each hole by a cut (keyhole.h).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "annotation.h"
#include "keyhole.h"
#include "xml_reader.h"
#include "yolo_lines.h"

enum { MOST = 1 << 22 }; /* limit on the count of numbers in a line */

static int refuse_line(const annotation_request *request, long line, const char *what, failure *why)
{
    return fail(why, EXIT_INPUT, "%.200s: line %ld: %s", request->name, line, what);
}

/* A file while it is read. Its lines are read twice, because only all of them together show what each is. */
typedef struct yolo {
    const annotation_request *request;
    shapes *out;
    bytes numbers; /* list of double: the numbers of one line; owned */
    yolo_lines lines;
} yolo;

static int read_line(yolo *y, const double *v, int count, long line, failure *why)
{
    const annotation_request *const request = y->request;
    shapes *const out = y->out;
    const double w = request->width, h = request->height;
    char label[24];
    shape_role role;
    bool box;
    if (count < 5 || v[0] < 0 || v[0] > 1e6 || v[0] > floor(v[0]))
        return refuse_line(request, line, "no class with a box or a polygon", why);
    count = 1 + yolo_decide(&y->lines, v, count, &box);
    for (int i = 1; i < count; i++)
        if (v[i] < -0.5 || v[i] > 1.5)
            return refuse_line(request, line, "a coordinate that is no share of the photo's width or height", why);
    if (box && (v[3] < 0 || v[4] < 0)) return refuse_line(request, line, "a box of negative size", why);
    snprintf(label, sizeof label, "%.0f", v[0]);
    if (!annotation_wants(request, label, &role)) return EXIT_DONE;
    bool room = shapes_begin(out, box ? SHAPE_BOX : SHAPE_AREA) && shapes_begin_ring(out);
    for (int i = -1; room && box && i <= 1; i += 2)
        room = shapes_add_point(out, (v[1] + i * v[3] / 2) * w, (v[2] + i * v[4] / 2) * h);
    for (int i = 1; room && !box && i + 1 < count; i += 2) room = shapes_add_point(out, v[i] * w, v[i + 1] * h);
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its shapes", request->name);
}

/* Reads all numbers of a line that ends with a 0 byte. EXIT_INPUT: the line contains something else than numbers. */
static int read_numbers(const char *text, bytes *numbers)
{
    double value;
    numbers->size = 0;
    while (xml_numbers(&text, &value, 1))
        if (!bytes_append(numbers, &value, sizeof value)) return EXIT_RESOURCES;
    return *text ? EXIT_INPUT : EXIT_DONE;
}

static int try_line(yolo *y, const char *text, long line, bool look, failure *why)
{
    const annotation_request *const request = y->request;
    const shapes_mark before = shapes_now(y->out);
    int status = read_numbers(text, &y->numbers);
    const double *const value = (const double *)(const void *)y->numbers.data;
    const size_t size = y->numbers.size / sizeof *value;
    const int count = size <= MOST ? (int)size : 0;
    if (status == EXIT_RESOURCES) return fail(why, status, "%s: not enough memory to read it", request->name);
    if (look) {
        if (!status) yolo_add(&y->lines, value, count, line);
        return EXIT_DONE;
    }
    if (status) status = refuse_line(request, line, "something that is no number", why);
    else if (count) status = read_line(y, value, count, line, why);
    else if (size) status = refuse_line(request, line, "too many numbers", why);
    return annotation_tried(request, status, y->out, before, why);
}

/* Reads all lines, which end with a line feed, a carriage return or both. */
static int read_lines(yolo *y, const char *text, bool look, failure *why)
{
    bytes one = {0};
    int status = EXIT_DONE;
    for (long line = 1; !status && *text; line++) {
        const size_t length = strcspn(text, "\r\n");
        one.size = 0;
        if (!bytes_append(&one, text, length) || !bytes_append(&one, "", 1))
            status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", y->request->name);
        if (!status) status = try_line(y, (const char *)one.data, line, look, why);
        text += length;
        text += *text == '\r' && text[1] == '\n' ? 2 : *text ? 1 : 0;
    }
    bytes_free(&one);
    return status;
}

static int read_yolo(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                failure *why)
{
    yolo y = {.request = request, .out = out, .lines = {.stated = request->rules.yolo}};
    bytes text = {0};
    int status = EXIT_DONE;
    (void)log;
    if (!request->width || !request->height)
        return fail(why, EXIT_INPUT, "%s: counts in shares of a photo, whose size is not known here", request->name);
    const size_t mark = utf8_mark(data, size);
    if (!bytes_append(&text, data + mark, size - mark) || !bytes_append(&text, "", 1))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", request->name);
    if (!status) status = read_lines(&y, (const char *)text.data, true, why);
    if (!status && yolo_unclear(&y.lines)) status = refuse_line(request, y.lines.first, yolo_unclear(&y.lines), why);
    if (!status) status = read_lines(&y, (const char *)text.data, false, why);
    bytes_free(&text);
    bytes_free(&y.numbers);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

typedef struct writing {
    bytes *sink;
    const annotation_about *about;
    int class; /* class number of the objects that are written next */
    bool room;
} writing;

/* Writes a line. Nine digits of a fraction keep a corner within a ten-thousandth of a pixel. A few corners could also
 * be a box with key points, so the last corner is written again until there are eight (yolo_lines.h). */
static void put_line(void *to, const int32_t *corner, size_t count, int unit)
{
    writing *const w = to;
    const int side[] = {w->about->width, w->about->height};
    char text[32];
    snprintf(text, sizeof text, "%d", w->class);
    w->room = w->room && bytes_append(w->sink, text, strlen(text));
    for (size_t i = 0; w->room && i < (count < 16 && w->about->alpha ? 16 : count); i++) {
        const size_t from = i < count ? i : count - 2 + i % 2;
        snprintf(text, sizeof text, "%.9g", corner[from] / (double)unit / side[i % 2]);
        w->room = bytes_append(w->sink, " ", 1) && bytes_append(w->sink, text, strlen(text));
    }
    w->room = w->room && bytes_append(w->sink, "\n", 1);
}

/* Writes the file. An object's class is its label if that is a number, otherwise the object's position in the file. */
static int write(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    writing w = {.sink = sink, .about = about, .room = true};
    const char *label;
    const uint8_t *one;
    for (int i = 0; w.room && annotation_take(about, mask, i, &label, &one); i++) {
        w.class = i;
        if (strspn(label, "0123456789") == strlen(label) && strlen(label) < 7) sscanf(label, "%d", &w.class);
        w.room = keyholes(one, about->alpha, about->width, about->height, put_line, &w) && w.room;
    }
    return w.room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory for the outline");
}

const annotation_format annotation_yolo = {
    .name = "yolo",
    .line = "YOLO     read, write  text with boxes or polygons; polygons are written",
    .extensions = " .yolo.txt ",
    .read_text = read_yolo,
    .many = true,
    .write = write,
};
