/* SPDX-License-Identifier: MIT
 *
 * annotation_svg.c - writes a mask as one path of SVG 1.1, filled by the even-odd rule, with the size of the photo.
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

/* Writes M 3 4 H 9 V 12 ... Z: from corner to corner only x or only y changes, alternately. */
static bool put_ring(const outline *o, const outline_ring *ring, bytes *sink)
{
    char text[40];
    const int32_t *at = outline_corner_at(o, ring->first);
    snprintf(text, sizeof text, "M%d %d", at[0], at[1]);
    bool room = put_text(sink, text);
    for (size_t i = 1; room && i < ring->count; i++) {
        const int32_t *const to = outline_corner_at(o, ring->first + i);
        snprintf(text, sizeof text, "%c%d", to[1] == at[1] ? 'H' : 'V', to[1] == at[1] ? to[0] : to[1]);
        room = put_text(sink, text);
        at = to;
    }
    return room && put_text(sink, "Z\n");
}

static int write(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    outline o;
    char text[320];
    bool room = outline_trace(mask, about->width, about->height, &o);
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
             "<path fill-rule=\"evenodd\" shape-rendering=\"crispEdges\" d=\"",
             about->width, about->height, about->width, about->height);
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
