/* SPDX-License-Identifier: MIT
 *
 * scan_segments.c - see scan_segments.h.
 */
#include "scan_segments.h"

#include <stdlib.h>
#include <string.h>

#include "tilecut_volume.h"

void scan_take_key(scan_segments *segments, const char *line)
{
    char *end;
    if (strncmp(line, "Segment", 7) != 0 || line[7] < '0' || line[7] > '9') return;
    const long number = strtol(line + 7, &end, 10);
    if (number >= SEGMENTS_MOST) return;
    struct segment *const s = &segments->of[number];
    const bool value = !strncmp(end, "_LabelValue:=", 13), layer = !strncmp(end, "_Layer:=", 8);
    if (!value && !layer) return;
    for (; segments->count <= number; segments->count++) segments->of[segments->count] = (struct segment){0, 1};
    *(value ? &s->value : &s->layer) = (int)strtol(end + (value ? 13 : 8), NULL, 10);
}

/* Whether all segments have values of their own, so that layers do not matter. */
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

/* Adds a layer to those before it. */
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
