/* SPDX-License-Identifier: MIT
 *
 * cleanup.c - see cleanup.h. Each step floods the regions of one colour in reading order and repaints those to which
 * its rule applies. A pixel enters the queue once per step.
 */
#include "cleanup.h"

#include <stdlib.h>
#include <string.h>

#include "cleanup_seams.h"
#include "tilecut.h"

const option cleanup_options[] = {
    OPTION_HEADING("Clean-up of the mask, in this order; what is seeded stays"),
    {.name = "keep-largest", .volumes = VOLUMES_TOO, .brief = "drop all but the largest region",
     .help = "drop all foreground but the largest region",
     .at = offsetof(cleanup, keep_largest)},
    {.name = "min-area", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "drop foreground regions of fewer than N pixels", .parse = option_count,
     .at = offsetof(cleanup, min_area)},
    {.name = "fill-holes", .volumes = VOLUMES_TOO, .argument = "N", .brief = "fill holes of at most N pixels",
     .help = "fill holes of at most N pixels", .parse = option_count,
     .at = offsetof(cleanup, fill_holes)},
    {.name = "connected", .volumes = VOLUMES_TOO, .help = "drop foreground regions without a foreground seed",
     .at = offsetof(cleanup, connected)},
    OPTIONS_END
};

enum { BACKGROUND = 0, FOREGROUND = 255 };

typedef struct field {
    const uint8_t *seeds;
    cleanup_lattice size;
    int64_t layer; /* pixels of a layer */
    uint8_t *mask;
    uint8_t *seen;   /* visited in this step */
    int32_t *queue;  /* the pixels of the region that was flooded last */
    const cleanup_team *team;
    bool open_above, open_below; /* the mask goes on in the parts above and below */
} field;

static bool is_seed_of(uint8_t label, uint8_t color)
{
    if (color == FOREGROUND) return label == TILECUT_FOREGROUND;
    return label == TILECUT_BACKGROUND || label == TILECUT_OUTSIDE;
}

/* Whether there are several pixels along an axis, and this is the first or last of them. */
static bool at_end(int at, int size) { return size > 1 && (at == 0 || at == size - 1); }

/* Takes note of where a pixel lies. */
static void place(const field *f, int x, int y, int z, seam_region *r)
{
    const bool top = z == 0, bottom = z == f->size.layers - 1, several = f->team || f->size.layers > 1;
    r->open = r->open || (top && f->open_above) || (bottom && f->open_below);
    r->at_border = r->at_border || at_end(x, f->size.width) || at_end(y, f->size.rows) ||
                   (several && ((top && !f->open_above) || (bottom && !f->open_below)));
}

/* Adds the neighbours of pixel p = (x, y, z) to the region of its color that is flooded. */
static void spread(field *f, int32_t p, const int at[3], int steps, seam_region *r)
{
    const int size[3] = {f->size.width, f->size.rows, f->size.layers};
    int from[3], to[3];
    for (int k = 0; k < 3; k++) from[k] = at[k] > 0 ? -1 : 0, to[k] = at[k] + 1 < size[k] ? 1 : 0;
    for (int dz = from[2]; dz <= to[2]; dz++)
        for (int dy = from[1]; dy <= to[1]; dy++)
            for (int dx = from[0]; dx <= to[0]; dx++) {
                const int32_t q = p + dx + dy * size[0] + dz * (int32_t)f->layer;
                if (f->seen[q] || f->mask[q] != f->mask[p] || abs(dx) + abs(dy) + abs(dz) > steps) continue;
                f->seen[q] = 1;
                f->queue[r->here++] = q;
            }
}

/* Whether regions of a color are connected over edges and corners, too. */
static bool diagonal(const field *f, uint8_t color) { return color == FOREGROUND && !f->size.faces; }

/* Floods the region of `first`. Its pixels are then queue[0 .. here - 1]. */
static seam_region flood(field *f, int32_t first)
{
    const uint8_t color = f->mask[first];
    seam_region r = {.first = first + (f->team ? f->team->above * f->layer : 0), .here = 1, .mine = true};
    f->queue[0] = first;
    f->seen[first] = 1;
    for (int64_t next = 0; next < r.here; next++) {
        const int32_t p = f->queue[next], in_layer = p % (int32_t)f->layer;
        const int at[3] = {in_layer % f->size.width, in_layer / f->size.width, p / (int32_t)f->layer};
        r.seeded = r.seeded || is_seed_of(f->seeds[p], color);
        place(f, at[0], at[1], at[2], &r);
        spread(f, p, at, diagonal(f, color) ? 3 : 1, &r);
    }
    r.area = r.here;
    return r;
}

static int32_t pixels_of(const field *f) { return (int32_t)f->layer * f->size.layers; }

/* Finds the next region of `color` that is not seen yet, from pixel *p on; false: there is none. */
static bool next_region(field *f, uint8_t color, int32_t *p, seam_region *out)
{
    const int32_t pixels = pixels_of(f);
    while (*p < pixels && (f->seen[*p] || f->mask[*p] != color)) ++*p;
    if (*p == pixels) return false;
    *out = flood(f, *p);
    return true;
}

static void begin_step(field *f) { memset(f->seen, 0, (size_t)pixels_of(f)); }

/* ---- Regions in several parts ------------------------------------------------------------------ */

/* Finds what the regions of `color` that reach into other parts are as a whole, in the order of flooding. */
static cleanup_end find_open(field *f, uint8_t color, seams *s)
{
    cleanup_end end = seams_begin(s, f->team, f->size.width, f->size.rows);
    seam_region r;
    if (!f->team || end) return end;
    begin_step(f);
    for (int32_t p = 0; !end && next_region(f, color, &p, &r);) {
        if (!r.open) continue;
        end = seams_add(s, &r);
        for (int64_t i = 0; i < r.here; i++) {
            const int32_t at = f->queue[i] % (int32_t)f->layer, z = f->queue[i] / (int32_t)f->layer;
            if (z == 0) s->layer[0][at] = s->count;
            if (z == f->size.layers - 1) s->layer[1][at] = s->count;
        }
    }
    return end ? end : seams_join(s, diagonal(f, color));
}

/* A region that was flooded, as a whole. */
static void complete(seams *s, seam_region *r)
{
    const int64_t here = r->here;
    if (!r->open) return;
    *r = s->region[s->next++];
    r->here = here;
}

/* ---- Steps ------------------------------------------------------------------------------------- */

/* Regions of `color` with at most `most` pixels are repainted, except the one whose first pixel is `spared`. */
typedef struct rule {
    uint8_t color;
    int64_t most, spared;
} rule;

/* Gives the region that was flooded last the other colour. It stays seen, so the region that it joins is not visited
 * twice. */
static void repaint(field *f, uint8_t color, const seam_region *r, cleaned *done)
{
    for (int64_t i = 0; i < r->here; i++) f->mask[f->queue[i]] = (uint8_t)(FOREGROUND - color);
    *(color ? &done->regions_dropped : &done->holes_filled) += r->mine;
    *(color ? &done->pixels_dropped : &done->pixels_filled) += r->here;
}

static cleanup_end apply(field *f, const rule *what, cleaned *done)
{
    seam_region r;
    seams s;
    const cleanup_end end = find_open(f, what->color, &s);
    if (!end) begin_step(f);
    for (int32_t p = 0; !end && next_region(f, what->color, &p, &r);) {
        complete(&s, &r);
        if (r.seeded || r.area > what->most || r.first == what->spared) continue;
        if (what->color == FOREGROUND || !r.at_border) repaint(f, what->color, &r, done);
    }
    seams_end(&s);
    return end;
}

/* *first: the first pixel of the largest region, of the whole; -1: there is none. */
static cleanup_end find_largest(field *f, int64_t *first)
{
    seam_region r, best = {.first = -1};
    seams s;
    cleanup_end end = find_open(f, FOREGROUND, &s);
    if (!end) begin_step(f);
    for (int32_t p = 0; !end && next_region(f, FOREGROUND, &p, &r);) {
        complete(&s, &r);
        if (r.area > best.area || (r.area == best.area && r.first < best.first)) best = r;
    }
    if (!end && f->team) end = seams_largest(&s, &best);
    seams_end(&s);
    *first = best.first;
    return end;
}

bool cleanup_wanted(const cleanup *what)
{
    return what->keep_largest || what->min_area || what->fill_holes || what->connected;
}

static cleanup_end clean(field *f, const cleanup *what, cleaned *done)
{
    cleanup_end end = CLEANUP_DONE;
    int64_t largest = -1;
    if (what->keep_largest) end = find_largest(f, &largest);
    if (!end && what->keep_largest) end = apply(f, &(rule){FOREGROUND, INT64_MAX, largest}, done);
    if (!end && what->min_area) end = apply(f, &(rule){FOREGROUND, what->min_area - 1, -1}, done);
    if (!end && what->fill_holes) end = apply(f, &(rule){BACKGROUND, what->fill_holes, -1}, done);
    if (!end && what->connected) end = apply(f, &(rule){FOREGROUND, INT64_MAX, -1}, done);
    return end;
}

cleanup_end cleanup_part(const cleanup *what, const uint8_t *seeds, const cleanup_lattice *lattice, uint8_t *mask,
                         const cleanup_team *team, cleaned *done)
{
    const size_t layer = (size_t)lattice->width * (size_t)lattice->rows, pixels = layer * (size_t)lattice->layers;
    field f = {seeds, *lattice, (int64_t)layer, mask, malloc(pixels), malloc(pixels * sizeof(int32_t)), team,
               team && team->part > 0, team && team->part + 1 < team->parts};
    *done = (cleaned){0};
    const cleanup_end end = f.seen && f.queue ? clean(&f, what, done) : CLEANUP_NO_MEMORY;
    free(f.seen);
    free(f.queue);
    return end;
}

bool cleanup_mask(const cleanup *what, const uint8_t *seeds, const cleanup_lattice *lattice, uint8_t *mask,
                  cleaned *done)
{
    return cleanup_part(what, seeds, lattice, mask, NULL, done) == CLEANUP_DONE;
}
