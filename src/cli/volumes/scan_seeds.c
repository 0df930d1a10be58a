/* SPDX-License-Identifier: MIT
 *
 * scan_seeds.c - see scan_seeds.h. Files are read by value, as trimaps and labels of pictures are. ITK-SNAP and 3D
 * Slicer write labels: 0 nothing, 1 the first thing painted, 2 the second.
 */
#include "scan_seeds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilecut.h"

void scan_begin_part(scan_marks *m, const char *name, const char *format)
{
    m->part = &m->out->part[m->out->part_count++];
    *m->part = (seeds_part){.name = name, .format = format};
}

/* The voxels of own slices: *end of them is behind. */
static size_t own_voxels(const scan_marks *m, size_t *end)
{
    const size_t slice = (size_t)m->scan->width * (size_t)m->scan->height;
    *end = slice * (size_t)m->own.end;
    return slice * (size_t)m->own.first;
}

/* Voxel i of those that are here, in own slices. */
static void mark(scan_marks *m, size_t i, uint8_t bit)
{
    const uint8_t other = bit == MARK_FOREGROUND ? MARK_BACKGROUND | MARK_OUTSIDE : MARK_FOREGROUND;
    if (m->bits[i] & bit) return;
    if (m->bits[i] & other) {
        const int64_t above = (int64_t)m->scan->width * m->scan->height * m->scan->above;
        if (m->clash < 0) m->clash = above + (int64_t)i;
        m->out->conflicts += !(m->bits[i] & MARK_CONTESTED);
        m->bits[i] = m->in->request.conflict == CONFLICT_LAST ? MARK_CONTESTED : m->bits[i] | MARK_CONTESTED;
    }
    m->bits[i] |= bit;
    if (bit == MARK_FOREGROUND) m->part->foreground++;
    else m->part->background++;
}

void scan_mark(scan_marks *m, int x, int y, int z, uint8_t bit)
{
    const int here = z - m->scan->above;
    if (here < m->own.first || here >= m->own.end) return;
    mark(m, ((size_t)here * (size_t)m->scan->height + (size_t)y) * (size_t)m->scan->width + (size_t)x, bit);
}

/* ---- files ------------------------------------------------------------------------------------ */

/* How often each value from 0 to 255 occurs; `odd`: how many voxels have another one. */
typedef struct tally {
    int64_t of[256], odd;
} tally;

static int value_of(const scan *s, size_t i)
{
    const double value = scan_value(s, i);
    return value >= 0 && value <= 255 && floor(value) == value ? (int)value : -1;
}

static bool count_values(const scan_marks *m, const scan *s, bool same, tally *out)
{
    size_t end = scan_count(s);
    *out = (tally){.odd = 0};
    for (size_t i = same ? own_voxels(m, &end) : 0; i < end; i++) {
        const int value = value_of(s, i);
        ++*(value >= 0 ? &out->of[value] : &out->odd);
    }
    return scan_sum(m->team, out->of, sizeof *out / sizeof *out->of);
}

/* The label of a value in that format, -1: it has none. */
static int label_of(enum seeds_format format, int value)
{
    switch (format) {
    case SEEDS_LABELS:
        return value == 1 ? TILECUT_FOREGROUND : value == 2 ? TILECUT_BACKGROUND
               : value == 0 || value == 255                 ? TILECUT_UNKNOWN
                                                            : -1;
    case SEEDS_GRABCUT:
        return value == 0 ? TILECUT_BACKGROUND : value == 1 ? TILECUT_FOREGROUND
               : value == 2 || value == 3                   ? TILECUT_UNKNOWN
                                                            : -1;
    default:
        return value <= 31 ? TILECUT_BACKGROUND : value >= 224 ? TILECUT_FOREGROUND
               : value >= 96 && value <= 160                   ? TILECUT_UNKNOWN
                                                               : -1;
    }
}

/* Whether the values are all of that format, and mark both classes. */
static bool fits(const tally *t, enum seeds_format format)
{
    int64_t seen[3] = {0};
    for (int value = 0; value < 256; value++) {
        const int label = t->of[value] ? label_of(format, value) : TILECUT_UNKNOWN;
        if (label < 0) return false;
        seen[label] += t->of[value];
    }
    return !t->odd && seen[TILECUT_BACKGROUND] && seen[TILECUT_FOREGROUND];
}

/* "0, 1, 5 and others" */
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

static int refuse_value(const char *name, const scan *s, size_t i, const char *format, failure *why)
{
    const size_t width = (size_t)s->width, height = (size_t)s->height;
    return fail(why, EXIT_SEEDS, "%s: holds %g at %zu,%zu,%zu; in --seeds-format %s %s", name, scan_value(s, i),
                i % width, i / width % height, i / width / height + (size_t)s->above, format,
                *format == 'l'   ? "1 is foreground, 2 background, 0 and 255 unknown"
                : *format == 'g' ? "0 is background, 1 foreground, 2 and 3 unknown"
                                 : "0 to 31 is background, 224 to 255 foreground, 96 to 160 unknown");
}

/* Marks what the labels say, where the map puts them; *beyond: labels that lie outside of the scan. */
static int claim_values(scan_marks *m, const scan *s, const scan_map *map, const char *name, enum seeds_format format,
                        failure *why)
{
    const char *const word = format == SEEDS_LABELS ? "labels" : format == SEEDS_GRABCUT ? "grabcut" : "trimap";
    const int64_t width = s->width, height = s->height, above = s->above;
    size_t end = scan_count(s);
    int64_t to[3], beyond = 0;
    scan_begin_part(m, name, word);
    for (size_t i = map->same ? own_voxels(m, &end) : 0; i < end; i++) {
        const int value = value_of(s, i), label = value < 0 ? -1 : label_of(format, value);
        const uint8_t bit = label == TILECUT_FOREGROUND ? MARK_FOREGROUND : MARK_BACKGROUND;
        if (label < 0) return refuse_value(name, s, i, word, why);
        if (!label) continue;
        if (map->same) {
            mark(m, i, bit);
            continue;
        }
        const int64_t at = (int64_t)i, from[3] = {at % width, at / width % height, at / width / height + above};
        scan_map_voxel(map, from, to);
        if (to[0] < 0 || to[0] >= m->scan->width || to[1] < 0 || to[1] >= m->scan->height || to[2] < 0 ||
            to[2] >= scan_slices(m->scan)) beyond++;
        else scan_mark(m, (int)to[0], (int)to[1], (int)to[2], bit);
    }
    if (beyond) note(m->log, "%s: %lld of its marked voxels lie outside of %s", name, (long long)beyond, m->name);
    return EXIT_DONE;
}

/* Seeds that lie elsewhere in the patient would mark the wrong voxels. Turned axes and parts of the scan are fine. */
static int check_place(const scan_marks *m, const scan_extent *e, const char *name, scan_map *map, failure *why)
{
    const scan_extent to = scan_extent_of(m->scan);
    double apart;
    if (scan_find_map(e, &to, map, &apart)) return EXIT_DONE;
    if (apart > 0)
        return fail(why, EXIT_SEEDS, "%s: lies elsewhere in the patient than %s, by %.4g mm in a corner; resample it "
                    "to the scan's axes", name, m->name, apart);
    if (apart < 0)
        return fail(why, EXIT_SEEDS, "%s: has other voxels in the patient than %s (another spacing, or askew); "
                    "resample it to the scan's axes", name, m->name);
    return fail(why, EXIT_SEEDS, "%s: is %dx%dx%d but %s is %dx%dx%d; seeds must have the scan's size", name, e->width,
                e->height, e->depth, m->name, to.width, to.height, to.depth);
}

/* Reads seeds: all of them if they do not lie voxel on voxel, else those of own slices. */
static int read_file(const scan_marks *m, const scan_wish *wish, const char *path, scan *s, scan_map *map, failure *why)
{
    const char *const name = file_input_name(path);
    scan_wish how = *wish;
    scan_extent e;
    if (wish->team && scan_measure(path, wish, &e)) {
        if (check_place(m, &e, name, map, why)) return why->status;
        if (!map->same) how.team = NULL;
    }
    const int status = scan_read(path, &how, s, m->log, why);
    if (status) return status;
    e = scan_extent_of(s);
    return check_place(m, &e, name, map, why);
}

static int apply_file(scan_marks *m, const scan_wish *wish, int index, failure *why)
{
    const inputs *const in = m->in;
    const char *const name = file_input_name(in->files.items[index]);
    enum seeds_format format = in->formats[index] != SEEDS_UNNAMED ? in->formats[index] : in->request.format;
    scan s = {0};
    scan_map map;
    tally values;
    if (format != SEEDS_AUTO && format != SEEDS_LABELS && format != SEEDS_GRABCUT && format != SEEDS_TRIMAP)
        return fail(why, EXIT_USAGE, "%s: seeds of a volume are read as labels, trimap or grabcut", name);
    int status = read_file(m, wish, in->files.items[index], &s, &map, why);
    if (!status && format == SEEDS_AUTO)
        status = count_values(m, &s, map.same, &values) ? recognise(name, &values, &format, why) : EXIT_RUNTIME;
    if (!status) status = claim_values(m, &s, &map, name, format, why);
    scan_free(&s);
    return status;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static int refuse_conflict(const scan_marks *m, failure *why)
{
    const size_t i = (size_t)m->clash, width = (size_t)m->scan->width, height = (size_t)m->scan->height;
    return fail(why, EXIT_SEEDS, "%s: %lld voxels are claimed by both classes (first at %zu,%zu,%zu); correct one, or "
                "say which holds with --seed-conflict fg, bg, drop or last", m->name, (long long)m->out->conflicts,
                i % width, i / width % height, i / width / height);
}

static uint8_t settle(uint8_t bits, enum seeds_conflict conflict)
{
    const bool foreground = bits & MARK_FOREGROUND, background = bits & (MARK_BACKGROUND | MARK_OUTSIDE);
    if (foreground && background && conflict == CONFLICT_DROP) return TILECUT_UNKNOWN;
    if (foreground && (!background || conflict == CONFLICT_FOREGROUND)) return TILECUT_FOREGROUND;
    return bits & MARK_BACKGROUND ? TILECUT_BACKGROUND : background ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
}

/* Adds up what all parts have marked. */
static bool add_marks(scan_marks *m)
{
    enum { MOST = 256 };
    seeds *const out = m->out;
    int64_t clash[MOST] = {0};
    if (!m->team) return true;
    for (int i = 0; i < out->part_count; i++) {
        int64_t both[] = {out->part[i].foreground, out->part[i].background};
        if (!scan_sum(m->team, both, 2)) return false;
        out->part[i].foreground = both[0], out->part[i].background = both[1];
    }
    int64_t conflicts = out->conflicts;
    const size_t parts = (size_t)m->team->parts;
    if (parts <= MOST) clash[m->team->part] = m->clash + 1;
    if (!scan_sum(m->team, &conflicts, 1) || !scan_sum(m->team, clash, parts < MOST ? parts : MOST)) return false;
    out->conflicts = conflicts;
    for (size_t i = MOST; i-- > 0;)
        if (clash[i]) m->clash = clash[i] - 1;
    if (m->clash < 0) m->clash = 0;
    return true;
}

static int conclude(scan_marks *m, failure *why)
{
    seeds *const out = m->out;
    const enum seeds_conflict conflict = m->in->request.conflict;
    int64_t count[3] = {0};
    size_t end;
    if (!add_marks(m)) return EXIT_RUNTIME;
    if (out->conflicts && conflict == CONFLICT_ERROR) return refuse_conflict(m, why);
    for (size_t i = own_voxels(m, &end); i < end; i++) {
        const uint8_t label = m->bits[i] = settle(m->bits[i], conflict);
        count[0] += label == TILECUT_FOREGROUND;
        count[1] += label == TILECUT_BACKGROUND || label == TILECUT_OUTSIDE;
        count[2] += label == TILECUT_UNKNOWN;
    }
    if (!scan_sum(m->team, count, 3)) return EXIT_RUNTIME;
    out->foreground = count[0], out->background = count[1], out->unknown = count[2];
    if (conflict == CONFLICT_DROP) out->dropped = out->conflicts;
    out->format = out->part_count ? out->part[0].format : "none";
    for (int i = 1; i < out->part_count; i++)
        if (strcmp(out->part[i].format, out->format)) out->format = "several";
    if (out->foreground && out->background) return EXIT_DONE;
    return fail(why, EXIT_SEEDS, "%s: has no %s seed; in labels it is %s, or add %s", m->name,
                out->foreground ? "background" : "foreground", out->foreground ? "2" : "1",
                out->foreground ? "--bg \"X,Y,Z X,Y,Z\" or --box X,Y,Z,W,H,D" : "--fg \"X,Y,Z X,Y,Z\"");
}

static int apply_all(scan_marks *m, const scan_wish *wish, failure *why)
{
    const bool last = m->in->request.conflict == CONFLICT_LAST;
    int status = last ? scan_apply_box(m, why) : EXIT_DONE; /* everything else overrules it */
    for (int i = 0; !status && i < m->in->files.count; i++) status = apply_file(m, wish, i, why);
    if (!status) status = scan_apply_strokes(m, why);
    if (!status && !last) status = scan_apply_box(m, why);
    return status ? status : conclude(m, why);
}

int scan_seeds_read(const inputs *in, const scan_wish *wish, const scan *s, const char *name, seeds *out, notes *log,
                    failure *why)
{
    const seeds_request *const request = &in->request;
    scan_marks m = {.in = in, .scan = s, .team = wish->team, .own = scan_own_of(s, wish->team), .name = name,
                    .out = out, .clash = -1, .log = log};
    scan_wish like = *wish;
    image_limits limits = *wish->limits;
    *out = (seeds){.width = s->width, .height = s->height};
    if (!in->files.count && !request->stroke_count && !request->box_given && !request->volume_box_given)
        return fail(why, EXIT_USAGE, "%s: has no seeds; give a volume of them with -s, or strokes with --fg and --bg",
                    name);
    limits.admit = NULL, limits.beside = 0; /* the scan's check has counted them */
    like.tiled = like.strips = like.border = 0;
    like.limits = &limits;
    like.shape.kind = SCAN_U8, like.shape.swapped = false, like.shape.optional = true;
    out->part = calloc((size_t)in->files.count + 3, sizeof *out->part);
    m.bits = wish->spill ? spill_take(wish->spill, scan_count(s)) : calloc(scan_count(s), 1);
    out->label = m.bits;
    const int status = out->part && m.bits ? apply_all(&m, &like, why)
                                           : fail(why, EXIT_RESOURCES, "%s: not enough %s for its seeds", name,
                                                  wish->spill ? "room on the disk" : "memory");
    if (status && wish->spill) out->label = NULL; /* closing the spill frees it */
    if (status) seeds_free(out);
    return status;
}
