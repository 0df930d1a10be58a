/* SPDX-License-Identifier: MIT
 *
 * annotation_parts.c - functions that readers and writers of several annotation formats share; see annotation.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "annotation.h"

enum { SIDE_MOST = 65536 };

const char *annotation_base(const char *path)
{
    const char *const slash = strrchr(path, '/'), *const other = strrchr(path, '\\');
    return slash && (!other || slash > other) ? slash + 1 : other ? other + 1 : path;
}

static void note_label(annotation_labels *to, const char *label)
{
    for (size_t at = 0; at < to->names.size; at += strlen((const char *)to->names.data + at) + 1)
        if (!strcmp((const char *)to->names.data + at, label)) return;
    if (!bytes_append(&to->names, label, strlen(label) + 1)) to->lacks = true;
}

bool annotation_wants(const annotation_request *request, const char *label, shape_role *role)
{
    static const struct { const char *word; shape_role role; } words[] = {
        {"background", SHAPE_BACKGROUND}, {"bg", SHAPE_BACKGROUND}, {"_background_", SHAPE_BACKGROUND},
        {"__background__", SHAPE_BACKGROUND}, {"ignore", SHAPE_IGNORED}, {"_ignore_", SHAPE_IGNORED},
        {"__ignore__", SHAPE_IGNORED}, {"ignore*", SHAPE_IGNORED}};
    const bool named = request->label && label && !strcmp(request->label, label);
    if (request->labels && label) note_label(request->labels, label);
    *role = SHAPE_OBJECT;
    for (size_t i = 0; label && !named && i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(label, words[i].word)) *role = words[i].role;
    return !request->label || named || *role != SHAPE_OBJECT;
}

int annotation_tried(const annotation_request *request, int status, shapes *out, shapes_mark before, failure *why)
{
    if (status != EXIT_INPUT || request->rules.strict) return status;
    const char *const line = strstr(why->text, ": line ");
    shapes_cut(out, before);
    if (!out->left_out++) snprintf(out->reason, sizeof out->reason, "%.190s", line ? line + 2 : why->text);
    *why = (failure){0};
    return EXIT_DONE;
}

int annotation_try(const annotation_request *request, json_reader *r, shapes *out, int (*read)(void *), void *context)
{
    const json_mark here = json_here(r);
    const shapes_mark before = shapes_now(out);
    const int left_out = out->left_out;
    STEP(annotation_tried(request, read(context), out, before, r->why));
    if (out->left_out == left_out) return EXIT_DONE;
    json_go(r, &here);
    return json_skip(r);
}

int annotation_coordinate(json_reader *r, double *value)
{
    STEP(json_number(r, value));
    if (fabs(*value) > 1e7) return json_refuse(r, "%g is beyond any picture", *value);
    return EXIT_DONE;
}

int annotation_side(json_reader *r, int *side)
{
    double value = 0;
    *side = 0;
    if (json_kind(r) == 'n') return json_skip(r);
    STEP(json_number(r, &value));
    if (!(value >= 1 && value <= SIDE_MOST) || value < floor(value) || value > floor(value))
        return json_refuse(r, "%g is no width or height of a picture (1 to %d)", value, SIDE_MOST);
    *side = (int)value;
    return EXIT_DONE;
}

int annotation_no_memory(const json_reader *r)
{
    return fail(r->why, EXIT_RESOURCES, "%s: not enough memory for its shapes", r->name);
}

int annotation_write_end(json *j, bytes *sink, bool room, failure *why)
{
    json_close(j, '}');
    *sink = j->out;
    if (room && !j->failed && bytes_append(sink, "\n", 1)) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "not enough memory for an outline of the mask");
}

static int add_point(json_reader *r, shapes *out, const double at[2])
{
    return shapes_add_point(out, at[0], at[1]) ? EXIT_DONE : annotation_no_memory(r);
}

int annotation_read_pairs(json_reader *r, shapes *out)
{
    double at[2];
    int count = 0;
    for (json_enter(r, '['); json_more(r); count++) {
        STEP(annotation_coordinate(r, &at[count % 2]));
        if (count % 2) STEP(add_point(r, out, at));
    }
    STEP(r->status);
    return count % 2 ? json_refuse(r, "%d coordinates are no pairs of x and y", count) : EXIT_DONE;
}

int annotation_read_position(json_reader *r, shapes *out)
{
    double at[2] = {0, 0}, height;
    int count = 0;
    for (json_enter(r, '['); json_more(r); count++) {
        if (count < 2 && !out->on_earth) STEP(annotation_coordinate(r, &at[count]));
        else STEP(json_number(r, count < 2 ? &at[count] : &height));
    }
    STEP(r->status);
    return count < 2 ? json_refuse(r, "a point has %d coordinates instead of x and y", count) : add_point(r, out, at);
}

bool annotation_take(const annotation_about *about, const uint8_t *mask, int i, const char **label,
                     const uint8_t **its_mask)
{
    *label = about->label, *its_mask = mask;
    if (!about->objects) return i == 0;
    if (i == about->objects) return false;
    *label = about->object[i].label, *its_mask = about->room;
    for (size_t p = 0; p < (size_t)about->width * (size_t)about->height; p++)
        about->room[p] = mask[p] == about->object[i].value;
    return true;
}
