/* SPDX-License-Identifier: MIT */
#include "scan_segments.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilecut_volume.h"

/* Copies a name, with blanks in place of tabs and other control characters. If it is too long, its end is left out, in
 * whole characters of UTF-8. */
static void take_name(const char *text, char name[64])
{
    size_t length = strlen(text);
    if (length > 63)
        for (length = 63; length && ((uint8_t)text[length] & 0xc0) == 0x80;) length--;
    for (size_t i = 0; i < length; i++) name[i] = iscntrl((unsigned char)text[i]) ? ' ' : text[i];
    name[length] = '\0';
}

void scan_take_key(scan_segments *segments, const char *line)
{
    char *end;
    if (strncmp(line, "Segment", 7) != 0 || line[7] < '0' || line[7] > '9') return;
    const long number = strtol(line + 7, &end, 10);
    if (number >= SEGMENTS_MOST) return;
    const char *const value = strstr(end, ":=");
    if (!value) return;
    for (; segments->count <= number; segments->count++) segments->of[segments->count] = (struct segment){.value = 1};
    struct segment *const s = &segments->of[number];
    const size_t length = (size_t)(value - end);
    double color[3];
    if (!strncmp(end, "_LabelValue", length)) s->value = (int)strtol(value + 2, NULL, 10);
    if (!strncmp(end, "_Layer", length)) s->layer = (int)strtol(value + 2, NULL, 10);
    if (!strncmp(end, "_Name", length)) take_name(value + 2, s->name);
    if (strncmp(end, "_Color", length) != 0) return;
    s->colored = sscanf(value + 2, "%lf %lf %lf", color, color + 1, color + 2) == 3;
    for (int k = 0; s->colored && k < 3; k++)
        s->color[k] = (uint8_t)lround(255 * fmin(1, fmax(0, isnan(color[k]) ? 0 : color[k])));
}

/* True if every segment has a different value, so that the value alone identifies the segment. */
static bool values_differ(const scan_segments *s)
{
    bool seen[256] = {false};
    for (int i = 0; i < s->count; i++) {
        const int value = s->of[i].value;
        if (value < 1 || value > 255 || seen[value]) return false;
        seen[value] = true;
    }
    return true;
}

static int number_of(const scan_segments *s, bool values, int layer, double value)
{
    for (int i = 0; i < s->count; i++)
        if (s->of[i].layer == layer && s->of[i].value == value) return values ? s->of[i].value : i + 1;
    return 0;
}

/* Adds a layer to the volume that was made from the earlier layers. */
static int add(const scan_layers *l, int layer, const scan *from, scan *to, failure *why)
{
    const bool values = values_differ(l->segments);
    uint8_t *const out = to->voxels;
    double last = 0;
    int number = 0;
    for (size_t i = 0; i < scan_count(from); i++) {
        const double value = scan_value(from, i);
        if (value != last) number = value > 0 ? number_of(l->segments, values, layer, value) : 0, last = value;
        if (!number) continue;
        if (out[i])
            return fail(why, EXIT_INPUT, "%s: two of its segments overlap, %d and %d at %zu,%zu,%zu; a voxel has one "
                        "label", l->in->name, out[i], number, i % (size_t)to->width,
                        i / (size_t)to->width % (size_t)to->height,
                        i / (size_t)to->width / (size_t)to->height + (size_t)to->above);
        out[i] = (uint8_t)number;
    }
    return EXIT_DONE;
}

int scan_take_layer(const scan_layers *l, int layer, scan *out, failure *why)
{
    scan one = {.slope = 1, .format = out->format};
    int status = scan_take_voxels(l->in, l->request, l->size, &l->numbers, &one, why);
    if (!status && !out->voxels) {
        scan_set_shape(out, l->size, l->request);
        out->type = TILECUT_VOXEL_U8;
        strcpy(out->stored, scan_kind_name(l->numbers.kind));
        out->voxels = scan_take_memory(out, l->request, scan_count(out));
        if (!out->voxels) status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its voxels", l->in->name);
    }
    if (!status && out->voxels) status = add(l, layer, &one, out, why);
    scan_free(&one);
    return status;
}

bool scan_name_segments(const scan_segments *segments, bool joined, scan *out)
{
    const bool values = !joined || values_differ(segments);
    out->names = calloc(1, sizeof *out->names);
    for (int i = 0; out->names && i < segments->count; i++) {
        const int number = values ? segments->of[i].value : i + 1;
        if (number < 1 || number > 255 || *out->names->name[number]) continue;
        out->names->colored[number] = segments->of[i].colored;
        memcpy(out->names->name[number], segments->of[i].name, sizeof segments->of[i].name);
        memcpy(out->names->color[number], segments->of[i].color, sizeof segments->of[i].color);
    }
    return out->names != NULL;
}

bool scan_put_segments(const scan *what, bytes *to)
{
    const uint8_t *const voxel = what->voxels;
    bool occurs[256] = {false}, room = true;
    char text[400];
    int count = 0;
    for (size_t i = 0; i < scan_count(what); i++) occurs[voxel[i]] = true;
    for (int i = 1; i < 255; i++) {
        const uint8_t *const color = what->names->color[i];
        if (!occurs[i] || !*what->names->name[i]) continue;
        const int length =
            snprintf(text, sizeof text,
                     "Segment%d_ID:=Segment_%d\nSegment%d_Name:=%s\nSegment%d_LabelValue:=%d\nSegment%d_Layer:=0\n"
                     "Segment%d_Color:=%.6f %.6f %.6f\nSegment%d_Extent:=0 %d 0 %d 0 %d\n", count, i, count,
                     what->names->name[i], count, i, count, count, color[0] / 255.0, color[1] / 255.0, color[2] / 255.0,
                     count, what->width - 1, what->height - 1, what->depth - 1);
        room = room && length > 0 && length < (int)sizeof text && bytes_append(to, text, (size_t)length);
        count++;
    }
    return room;
}
