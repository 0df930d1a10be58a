/* SPDX-License-Identifier: MIT
 *
 * annotation_yolo.c - labels of YOLO. Each line is one object: its class, and then either the middle, width and height
 * of a box or the corners of a polygon, as fractions of the photo's width and height. Predictions end with a confidence
 * and a track number. Key points after a box are ignored. The outline of an object with holes is written as a keyhole:
 * one ring that reaches each hole by a cut (keyhole.h).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "annotation.h"
#include "keyhole.h"
#include "xml_reader.h"

enum { MOST = 1 << 22 }; /* the most numbers in a line */

static int refuse_line(const annotation_request *request, long line, const char *what, failure *why)
{
    return fail(why, EXIT_INPUT, "%.200s: line %ld: %s", request->name, line, what);
}

/* True if a line is a box with key points: x, y, and a flag 2 (visible), 1 or 0 (not labelled) for each. That is
 * so if a flag is 2, if the count of numbers is odd, or if all are 0. All other lines are polygons, which are
 * more frequent. */
static bool is_pose(const double *v, int count)
{
    bool seen = count % 2 == 0, all_zero = true;
    if (count < 8 || (count - 5) % 3) return false;
    for (int i = 5; i < count; i++) {
        const bool flag = (i - 5) % 3 == 2;
        all_zero = all_zero && !(fabs(v[i]) > 0);
        if (!flag) continue;
        if (fabs(v[i]) > 0 && fabs(v[i] - 1) > 0 && fabs(v[i] - 2) > 0) return false;
        seen = seen || v[i] > 1;
    }
    return seen || all_zero;
}

static int read_line(const annotation_request *request, const double *v, int count, long line, shapes *out,
                     failure *why)
{
    const bool pose = is_pose(v, count);
    const double w = request->width, h = request->height;
    char label[24];
    shape_role role;
    /* drops the track number */
    if (!pose && count > 5 && v[count - 1] >= 2 && !(v[count - 1] > floor(v[count - 1]))) count--;
    if (count < 5 || v[0] < 0 || v[0] > 1e6 || v[0] > floor(v[0]))
        return refuse_line(request, line, "no class with a box or a polygon", why);
    for (int i = 1; i < (pose ? 5 : count); i++)
        if (v[i] < -0.5 || v[i] > 1.5)
            return refuse_line(request, line, "a coordinate that is no share of the photo's width or height", why);
    snprintf(label, sizeof label, "%.0f", v[0]);
    if (!annotation_wants(request, label, &role)) return EXIT_DONE;
    const bool box = pose || count == 5 || count == 6;
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
    const size_t mark = utf8_mark(data, size);
    if (!bytes_append(&text, data + mark, size - mark) || !bytes_append(&text, "", 1))
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

/* ---- Writing ------------------------------------------------------------------------------------ */

typedef struct writing {
    bytes *sink;
    const annotation_about *about;
    int class; /* class number of the objects that are written next */
    bool room;
} writing;

/* Writes a line. Nine digits of a fraction keep a corner within a ten-thousandth of a pixel. */
static void put_line(void *to, const int32_t *corner, size_t count, int unit)
{
    writing *const w = to;
    const int side[] = {w->about->width, w->about->height};
    char text[32];
    snprintf(text, sizeof text, "%d", w->class);
    w->room = w->room && bytes_append(w->sink, text, strlen(text));
    for (size_t i = 0; w->room && i < count; i++) {
        snprintf(text, sizeof text, "%.9g", corner[i] / (double)unit / side[i % 2]);
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
