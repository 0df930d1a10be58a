/* SPDX-License-Identifier: MIT
 *
 * scan_seeds.c - see scan_seeds.h. Files are read by value, like trimaps and labels of pictures. ITK-SNAP and 3D Slicer
 * write labels: 0 is unpainted, 1 the first label painted, 2 the second.
 */
#include "scan_seeds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seeds_parts.h"
#include "tilecut.h"

/* Seeds while they are read: claims on the voxels of the own slices. */
typedef struct marks {
    const seeds_request *request;
    const scan *scan;
    const scan_reading *reading;
    const char *name; /* of the scan */
    const char *what; /* what is being read, for messages: "seeds" or "a mask" */
    size_t first;     /* index of the first voxel that this part has */
    claims all;
    notes *log;
} marks;

/* ---- files ------------------------------------------------------------------------------------ */

/* How often each value from 0 to 255 occurs, and how many voxels have another value (`odd`). */
typedef struct tally {
    int64_t of[256], odd;
} tally;

static int value_of(const scan *s, size_t i)
{
    const double value = scan_value(s, i);
    return value >= 0 && value <= 255 && floor(value) == value ? (int)value : -1;
}

static bool count_values(const marks *m, const scan *s, bool same, tally *out)
{
    const size_t first = same ? m->first : 0, end = same ? first + m->all.end : scan_count(s);
    *out = (tally){.odd = 0};
    for (size_t i = first; i < end; i++) {
        const int value = value_of(s, i);
        ++*(value >= 0 ? &out->of[value] : &out->odd);
    }
    return scan_sum(m->reading->team, out->of, sizeof *out / sizeof *out->of);
}

/* True if all values belong to that format and mark both classes. */
static bool fits(const tally *t, enum seeds_format format)
{
    int64_t seen[3] = {0};
    for (int value = 0; value < 256; value++) {
        const int label = t->of[value] ? seeds_kinds[format].label(value, 8) : TILECUT_UNKNOWN;
        if (label < 0 || (t->of[value] && seeds_is_between(format, value))) return false;
        seen[label] += t->of[value];
    }
    return !t->odd && seen[TILECUT_BACKGROUND] && seen[TILECUT_FOREGROUND];
}

/* Writes the values that occur: "0, 1, 5 and others". */
static void list_values(const tally *t, char *text, size_t room)
{
    int listed = 0;
    text[0] = '\0';
    for (int value = 0; value < 256; value++) {
        const size_t used = strlen(text);
        if (t->of[value] && listed++ < 6) snprintf(text + used, room - used, "%s%d", used ? ", " : "", value);
    }
    const size_t used = strlen(text);
    if (listed > 6 || t->odd) snprintf(text + used, room - used, "%sothers", used ? " and " : "");
}

static int recognise(const char *name, const tally *t, enum seeds_format *format, failure *why)
{
    char held[100];
    const bool middle = t->of[128] > 0;
    if (fits(t, SEEDS_LABELS) && !t->of[255]) return *format = SEEDS_LABELS, EXIT_DONE;
    if (fits(t, SEEDS_TRIMAP) && (middle || t->of[0] == 0 || t->of[255] == 0)) {
        int64_t unknown = 0;
        for (int value = 96; value <= 160; value++) unknown += t->of[value];
        if (unknown) return *format = SEEDS_TRIMAP, EXIT_DONE;
    }
    list_values(t, held, sizeof held);
    return fail(why, EXIT_SEEDS, "%s: holds %s, which fits no format of seeds: labels have 0 for unknown, 1 foreground "
                "and 2 background, trimaps 128, 255 and 0; correct it, or name labels, trimap or grabcut after a colon",
                name, held);
}

/* Returns the voxel in the own slices on which voxel i of the seeds lies, or -1. Sets *beyond if it lies outside of the
 * whole scan. */
static int64_t place_of(const marks *m, const scan *s, const scan_map *map, size_t i, bool *beyond)
{
    const int64_t at = (int64_t)i, width = s->width, height = s->height;
    const int64_t from[3] = {at % width, at / width % height, at / width / height + s->above};
    int64_t to[3];
    *beyond = false;
    if (map->same) return at - (int64_t)m->first;
    *beyond = !scan_map_voxel(map, from, to);
    const int64_t row = to[2] * m->scan->height + to[1] - m->all.above;
    return *beyond || row < 0 || row >= m->all.height ? -1 : row * m->scan->width + to[0];
}

/* Refuses a value, and gives its position in its own file. */
static int refuse_value(const marks *m, const scan *s, size_t i, enum seeds_format format, failure *why)
{
    claims there = m->all;
    there.width = s->width, there.slice = s->height, there.above = (int64_t)s->above * s->height;
    return seeds_refuse_number(&there, format, false, scan_value(s, i), (int64_t)i, why);
}

/* Makes the claims of the values, at the places that the map gives. */
static int claim_values(marks *m, const scan *s, const scan_map *map, const char *name, enum seeds_format format,
                        failure *why)
{
    const size_t first = map->same ? m->first : 0, end = map->same ? first + m->all.end : scan_count(s);
    seeds_part *const part = claims_begin(&m->all, name, seeds_kinds[format].name);
    int64_t outside = 0, marked = 0;
    for (size_t i = first; i < end; i++) {
        const int value = value_of(s, i), label = value < 0 ? -1 : seeds_kinds[format].label(value, 8);
        bool beyond;
        if (label < 0) return refuse_value(m, s, i, format, why);
        if (!label && !seeds_is_between(format, value)) continue;
        const int64_t at = place_of(m, s, map, i, &beyond);
        outside += beyond, marked++;
        if (at < 0) continue;
        part->ignored += !label;
        seeds_claim_label(&m->all, (size_t)at, label);
    }
    return scan_check_outside(name, m->name, outside, marked, m->log, why);
}

/* Refuses seeds that lie elsewhere in space, because they would mark the wrong voxels. Different orders of axes, and
 * seeds for a part of the scan, are fine. */
static int check_place(const marks *m, const scan_extent *e, const char *name, scan_map *map, failure *why)
{
    const scan_extent to = scan_extent_of(m->scan);
    return scan_check_map(e, name, &to, m->name, m->what, map, why);
}

/* Reads the seeds of the own slices; or all seeds, if their voxels do not coincide with those of the scan. */
static int read_file(const marks *m, const scan_reading *reading, const char *path, scan *s, scan_map *map,
                     failure *why)
{
    const char *const name = file_input_name(path);
    scan_reading how = *reading;
    scan_extent e;
    if (reading->team && scan_measure(path, reading, &e)) {
        if (check_place(m, &e, name, map, why)) return why->status;
        if (!map->same) how.team = NULL;
    }
    STEP(scan_read(path, &how, s, m->log, why));
    e = scan_extent_of(s);
    return check_place(m, &e, name, map, why);
}

static int apply_file(marks *m, const scan_reading *reading, int index, failure *why)
{
    const char *const path = m->request->files[index], *const name = file_input_name(path);
    enum seeds_format format = seeds_format_of(m->request, index);
    scan s = {0};
    scan_map map;
    tally values;
    m->all.source = seeds_source(index);
    if (format != SEEDS_AUTO && !seeds_kinds[format].label)
        return fail(why, EXIT_USAGE, "%s: seeds of a volume are read as labels, trimap or grabcut", name);
    int status = read_file(m, reading, path, &s, &map, why);
    if (!status && format == SEEDS_AUTO)
        status = count_values(m, &s, map.same, &values) ? recognise(name, &values, &format, why) : EXIT_RUNTIME;
    if (!status) status = claim_values(m, &s, &map, name, format, why);
    scan_free(&s);
    return status;
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* Returns the own slices as rows of the whole. */
static seeds_rows rows_of(const scan *s, const scan_team *team)
{
    const scan_own own = scan_own_of(s, team);
    const int64_t slice = s->height, height = slice * (own.end - own.first);
    const double *const spacing = s->spacing, least = fmin(spacing[0], fmin(spacing[1], spacing[2]));
    seeds_rows rows = {.width = s->width, .height = height, .above = slice * (s->above + own.first), .own = height,
                       .whole_height = slice * scan_slices(s), .slice = s->height, .sum = team ? team->sum : NULL,
                       .context = team ? team->context : NULL};
    for (int k = 0; k < 3; k++) rows.scale[k] = least > 0 ? spacing[k] / least : 1;
    return rows;
}

static int read_all(marks *m, const scan_reading *like, const seeds_rows *rows, seeds *out, failure *why)
{
    const seeds_request *const request = m->request;
    for (int i = 0; i < request->file_count; i++) STEP(apply_file(m, like, i, why));
    STEP(seeds_apply_drawn(request, m->name, &m->all, m->log, why));
    return seeds_conclude(request, rows, m->name, &m->all, out, m->log, why);
}

static int read_seeds(const inputs *in, const scan_reading *reading, const scan *s, const char *name, seeds *out,
                      notes *log, failure *why)
{
    const seeds_rows rows = rows_of(s, reading->team);
    seeds_request request = in->request;
    marks m = {.request = &request, .scan = s, .reading = reading, .name = name, .what = "seeds", .log = log};
    scan_reading like = *reading;
    image_limits limits = *reading->limits;
    *out = (seeds){.width = s->width, .height = s->height};
    request.files = (const char *const *)in->files.items;
    request.file_count = in->files.count;
    request.formats = in->formats;
    if (in->previous || in->mask) request.mask_given = true;
    if (seeds_check_request(&request, name, true, why)) return why->status;
    limits.admit = NULL, limits.need = NULL; /* the check of the scan's size has counted the seeds */
    like.limits = &limits;
    like.shape.kind = SCAN_U8, like.shape.swapped = false, like.shape.optional = true;
    uint8_t *const bits = reading->spill ? spill_take(reading->spill, scan_count(s)) : calloc(scan_count(s), 1);
    if (!bits)
        return fail(why, EXIT_RESOURCES, "%s: not enough %s for its seeds", name,
                    reading->spill ? "room on the disk" : "memory");
    m.first = (size_t)(rows.above - (int64_t)s->above * s->height) * (size_t)s->width;
    int status = seeds_begin_claims(&request, &rows, bits + m.first, false, name, &m.all, why);
    if (!status) status = read_all(&m, &like, &rows, out, why);
    seeds_end_claims(&m.all, EXIT_DONE, out);
    out->label = status && reading->spill ? NULL : bits; /* closing the spill frees it */
    if (status) seeds_free(out);
    return status;
}

int scan_seeds_read(const inputs *in, const scan_reading *reading, const scan *s, const char *name, seeds *out,
                    notes *log, failure *why)
{
    inputs lifted = *in;
    if (scan_slices(s) > 1) return read_seeds(in, reading, s, name, out, log, why);
    if (!seeds_lift(&lifted.request))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its strokes", name);
    const int status = read_seeds(&lifted, reading, s, name, out, log, why);
    free(lifted.request.strokes);
    return status;
}

/* ---- a mask ----------------------------------------------------------------------------------- */

/* Writes the mask at its place on the scan. */
static int take_mask(const marks *m, const scan *mask, const scan_map *map, const char *name, mask_file *out,
                     failure *why)
{
    double most = 0;
    int64_t outside = 0, marked = 0;
    for (size_t i = 0; i < scan_count(mask); i++) most = fmax(most, scan_value(mask, i));
    out->format = most > 1 ? "0 and 255" : "0 and 1";
    for (size_t i = 0; i < scan_count(mask); i++) {
        const double value = scan_value(mask, i);
        bool beyond;
        if (value != 0 && value != (most > 1 ? 255 : 1))
            return fail(why, EXIT_SEEDS, "%s: holds %g; a mask of a volume has 0 and 255, or 0 and 1", name, value);
        if (value == 0) continue;
        const int64_t at = place_of(m, mask, map, i, &beyond);
        outside += beyond, marked++;
        if (at < 0) continue;
        out->inside += !out->foreground[at];
        out->foreground[at] = 255;
    }
    return scan_check_outside(name, m->name, outside, marked, m->log, why);
}

int scan_mask_read(const scan_reading *reading, const char *path, const scan *s, const char *name, mask_file *out,
                   notes *log, failure *why)
{
    const marks m = {.scan = s, .reading = reading, .name = name, .what = "a mask", .log = log,
                     .all = {.width = s->width, .height = (int64_t)s->height * s->depth}};
    scan_reading like = *reading;
    image_limits limits = *reading->limits;
    scan mask = {0};
    scan_map map;
    limits.admit = NULL, limits.need = NULL; /* the check of the scan's size has counted the mask */
    like.limits = &limits;
    like.shape.kind = SCAN_U8, like.shape.swapped = false, like.shape.optional = true;
    *out = (mask_file){.foreground = calloc(scan_count(s), 1)};
    if (!out->foreground) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its mask", name);
    int status = read_file(&m, &like, path, &mask, &map, why);
    if (!status) status = take_mask(&m, &mask, &map, file_input_name(path), out, why);
    scan_free(&mask);
    if (status) mask_file_free(out);
    return status;
}
