/* SPDX-License-Identifier: MIT
 *
 * annotation_svg.c - writes a mask as one SVG 1.1 path, filled by the even-odd rule, in a drawing of the photo's size.
 * annotation_svg_read.c reads drawings.
 */
#include <stdio.h>
#include <string.h>

#include "annotation.h"
#include "outline.h"
#include "svg_path.h"

static bool put_text(bytes *sink, const char *text)
{
    return bytes_append(sink, text, strlen(text));
}

/* Writes a ring as "M3 4H9V12 ... Z", with "L5.5 7" where both x and y change. */
static bool put_ring(const outline *o, const outline_ring *ring, bytes *sink)
{
    bool room = true;
    const int32_t *at = NULL;
    for (size_t i = 0; room && i < ring->count; i++) {
        const int32_t *const to = outline_corner_at(o, ring->first + i);
        char text[40], x[16], y[16];
        json_fixed_text(to[0], o->unit, x);
        json_fixed_text(to[1], o->unit, y);
        if (at && to[1] == at[1]) snprintf(text, sizeof text, "H%s", x);
        else if (at && to[0] == at[0]) snprintf(text, sizeof text, "V%s", y);
        else snprintf(text, sizeof text, "%c%s %s", at ? 'L' : 'M', x, y);
        room = put_text(sink, text);
        at = to;
    }
    return room && put_text(sink, "Z\n");
}

static int write(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    outline o;
    char text[320];
    bool room = outline_trace(mask, about->alpha, about->width, about->height, &o);
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
             "<path fill-rule=\"evenodd\"%s d=\"",
             about->width, about->height, about->width, about->height,
             about->alpha ? "" : " shape-rendering=\"crispEdges\"");
    room = room && put_text(sink, text);
    for (size_t i = 0; room && i < outline_rings(&o); i++) room = put_ring(&o, outline_ring_at(&o, i), sink);
    room = room && put_text(sink, "\"/>\n</svg>\n");
    outline_free(&o);
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory for an outline of the mask");
}

const annotation_format annotation_svg = {
    .name = "svg",
    .line = "SVG      read, write  drawings; masks as one path, filled even-odd",
    .extensions = " .svg ",
    .roots = " svg ",
    .read_text = svg_read,
    .write = write,
};
