/* SPDX-License-Identifier: MIT
 *
 * clean.c - see clean.h. Each step floods the regions of one colour in reading order and repaints those to which its
 * rule applies. A pixel enters the queue once per step. An image is flooded as a volume whose slices have one row each.
 * So each of several parts has some layers, where a layer is a row of an image or a slice of a volume.
 */
#include "clean.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "clean_seams.h"
#include "sized.h"
#include "status.h"

enum { BACKGROUND = 0, FOREGROUND = 255 };

typedef struct field {
    const uint8_t *seeds; /* NULL: none */
    int width, rows, layers;
    bool faces;    /* true: foreground is connected only over faces, not over edges and corners */
    int64_t layer; /* the number of pixels in a layer */
    uint8_t *mask;
    uint8_t *seen;  /* the pixel was visited in this step */
    int32_t *queue; /* the pixels of the region that was flooded last */
    tc_comm *comm;
    bool open_above, open_below; /* the mask continues in the part above, and in the part below */
} field;

static bool is_seed_of(uint8_t label, uint8_t color)
{
    if (color == FOREGROUND) return label == TILECUT_FOREGROUND;
    return label == TILECUT_BACKGROUND || label == TILECUT_OUTSIDE;
}

/* True if there are several pixels along an axis and this is the first or the last of them. */
static bool at_end(int at, int size) { return size > 1 && (at == 0 || at == size - 1); }

/* Updates the facts about a region for the position of a pixel. */
static void place(const field *f, int x, int y, int z, tc_seam_region *r)
{
    const bool top = z == 0, bottom = z == f->layers - 1, several = tc_comm_height(f->comm, f->layers) > 1;
    r->open = r->open || (top && f->open_above) || (bottom && f->open_below);
    r->at_border = r->at_border || at_end(x, f->width) || at_end(y, f->rows) ||
                   (several && ((top && !f->open_above) || (bottom && !f->open_below)));
}

/* Adds the neighbours of pixel p = (x, y, z) that have the region's color to the region being flooded. */
static void spread(field *f, int32_t p, const int at[3], int steps, tc_seam_region *r)
{
    const int size[3] = {f->width, f->rows, f->layers};
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

/* True if regions of a color are also connected over edges and corners. */
static bool diagonal(const field *f, uint8_t color) { return color == FOREGROUND && !f->faces; }

/* Floods the region of pixel `first`. Its pixels are then queue[0 .. here - 1]. */
static tc_seam_region flood(field *f, int32_t first)
{
    const uint8_t color = f->mask[first];
    const int64_t above = f->comm ? (f->comm->above + f->comm->first) * f->layer : 0;
    tc_seam_region r = {.first = first + above, .here = 1, .mine = true};
    f->queue[0] = first;
    f->seen[first] = 1;
    for (int64_t next = 0; next < r.here; next++) {
        const int32_t p = f->queue[next], in_layer = p % (int32_t)f->layer;
        const int at[3] = {in_layer % f->width, in_layer / f->width, p / (int32_t)f->layer};
        r.seeded = r.seeded || (f->seeds && is_seed_of(f->seeds[p], color));
        place(f, at[0], at[1], at[2], &r);
        spread(f, p, at, diagonal(f, color) ? 3 : 1, &r);
    }
    r.area = r.here;
    return r;
}

static int32_t pixels_of(const field *f) { return (int32_t)f->layer * f->layers; }

/* Finds the next region of `color` that was not visited yet, searching from pixel *p on; returns false if there is
 * none. */
static bool next_region(field *f, uint8_t color, int32_t *p, tc_seam_region *out)
{
    const int32_t pixels = pixels_of(f);
    while (*p < pixels && (f->seen[*p] || f->mask[*p] != color)) ++*p;
    if (*p == pixels) return false;
    *out = flood(f, *p);
    return true;
}

static void begin_step(field *f) { memset(f->seen, 0, (size_t)pixels_of(f)); }

/* ---- Regions in several parts ------------------------------------------------------------------ */

/* For the regions of `color` that reach into other parts, finds the facts about the whole regions, in the order of
 * flooding. */
static tilecut_status find_open(field *f, uint8_t color, tc_seams *s)
{
    tilecut_status status = tc_seams_begin(s, f->comm, f->width, f->rows);
    tc_seam_region r;
    if (!f->comm || status) return status;
    begin_step(f);
    for (int32_t p = 0; !status && next_region(f, color, &p, &r);) {
        if (!r.open) continue;
        status = tc_seams_add(s, &r);
        for (int64_t i = 0; i < r.here; i++) {
            const int32_t at = f->queue[i] % (int32_t)f->layer, z = f->queue[i] / (int32_t)f->layer;
            if (z == 0) s->layer[0][at] = s->count;
            if (z == f->layers - 1) s->layer[1][at] = s->count;
        }
    }
    return status ? status : tc_seams_join(s, diagonal(f, color));
}

/* Replaces the facts about a flooded region by those of the whole region. */
static void complete(tc_seams *s, tc_seam_region *r)
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

/* Gives the region that was flooded last the other colour. It stays marked as visited, so the region that it joins is
 * not visited twice. */
static void repaint(field *f, uint8_t color, const tc_seam_region *r, tilecut_cleaned *done)
{
    for (int64_t i = 0; i < r->here; i++) f->mask[f->queue[i]] = (uint8_t)(FOREGROUND - color);
    *(color ? &done->regions_dropped : &done->holes_filled) += r->mine;
    *(color ? &done->pixels_dropped : &done->pixels_filled) += r->here;
}

static tilecut_status apply(field *f, const rule *what, tilecut_cleaned *done)
{
    tc_seam_region r;
    tc_seams s;
    const tilecut_status status = find_open(f, what->color, &s);
    if (!status) begin_step(f);
    for (int32_t p = 0; !status && next_region(f, what->color, &p, &r);) {
        complete(&s, &r);
        if (r.seeded || r.area > what->most || r.first == what->spared) continue;
        if (what->color == FOREGROUND || !r.at_border) repaint(f, what->color, &r, done);
    }
    tc_seams_end(&s);
    return status;
}

/* Sets *first to the first pixel of the largest region, in the whole mask; -1 if there is no region. */
static tilecut_status find_largest(field *f, int64_t *first)
{
    tc_seam_region r, best = {.first = -1};
    tc_seams s;
    tilecut_status status = find_open(f, FOREGROUND, &s);
    if (!status) begin_step(f);
    for (int32_t p = 0; !status && next_region(f, FOREGROUND, &p, &r);) {
        complete(&s, &r);
        if (r.area > best.area || (r.area == best.area && r.first < best.first)) best = r;
    }
    if (!status && f->comm) status = tc_seams_largest(&s, &best);
    tc_seams_end(&s);
    *first = best.first;
    return status;
}

static tilecut_status clean(field *f, const tilecut_cleaning *what, tilecut_cleaned *done)
{
    tilecut_status status = TILECUT_OK;
    int64_t largest = -1;
    if (what->keep_largest) status = find_largest(f, &largest);
    if (!status && what->keep_largest) status = apply(f, &(rule){FOREGROUND, INT64_MAX, largest}, done);
    if (!status && what->min_area) status = apply(f, &(rule){FOREGROUND, what->min_area - 1, -1}, done);
    if (!status && what->fill_holes) status = apply(f, &(rule){BACKGROUND, what->fill_holes, -1}, done);
    if (!status && what->connected) status = apply(f, &(rule){FOREGROUND, INT64_MAX, -1}, done);
    return status;
}

/* ---- The door ---------------------------------------------------------------------------------- */

/* An image has 4 or 8 neighbours, by default 8; a volume 6 or 26, by default 6. */
static tilecut_status read_neighbours(tilecut_cleaning *how)
{
    const int few = how->depth ? 6 : 4, many = how->depth ? 26 : 8;
    if (!how->connectivity) how->connectivity = how->depth ? few : many;
    if (how->connectivity == few || how->connectivity == many) return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "connectivity is %d; %s has %d or %d", how->connectivity,
                   how->depth ? "a volume" : "an image", few, many);
}

tilecut_status tc_clean_read(tilecut_cleaning *how, const tilecut_cleaning *given, const uint8_t *mask,
                             const tilecut_cleaned *cleaned)
{
    if (!given || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", given ? "mask" : "cleaning");
    NEED(TC_READ(how, given, cleaning));
    NEED(tc_sized_check(cleaned, "tilecut_cleaned"));
    const int64_t layer = (int64_t)how->width * how->height;
    if (how->width < 1 || how->height < 1 || how->depth < 0 || layer > INT32_MAX ||
        layer * (how->depth ? how->depth : 1) > INT32_MAX)
        return tc_fail(TILECUT_EINVAL, "a mask of %d x %d x %d pixels; 1 to 2^31 - 1 are right", how->width,
                       how->height, how->depth);
    if (how->min_area < 0 || how->fill_holes < 0)
        return tc_fail(TILECUT_EINVAL, "areas of %lld and %lld pixels; they are not negative",
                       (long long)how->min_area, (long long)how->fill_holes);
    return read_neighbours(how);
}

/* Checks that the mask has no other values than 0 and 255. */
static tilecut_status check_pixels(const field *f)
{
    const int32_t pixels = pixels_of(f);
    for (int32_t p = 0; p < pixels; p++) {
        if (f->mask[p] != BACKGROUND && f->mask[p] != FOREGROUND)
            return tc_fail(TILECUT_EINVAL, "mask holds %d; 0 and 255 are right", f->mask[p]);
        if (f->seeds && f->seeds[p] > TILECUT_OUTSIDE)
            return tc_fail(TILECUT_EINVAL, "seeds hold %d; 0 to %d are right", f->seeds[p], TILECUT_OUTSIDE);
    }
    return TILECUT_OK;
}

tilecut_status tc_clean(const tilecut_cleaning *how, tc_comm *comm, const uint8_t *seeds, uint8_t *mask,
                        tilecut_cleaned *done)
{
    field f = {.seeds = seeds, .width = how->width, .rows = how->depth ? how->height : 1,
               .layers = how->depth ? how->depth : how->height,
               .faces = how->connectivity == 4 || how->connectivity == 6, .mask = mask, .comm = comm,
               .open_above = comm && tc_has_above(comm), .open_below = comm && tc_has_below(comm)};
    f.layer = (int64_t)f.width * f.rows;
    const size_t pixels = (size_t)pixels_of(&f);
    tilecut_status status = TILECUT_OK;
    NEED(check_pixels(&f));
    f.seen = malloc(pixels);
    f.queue = malloc(pixels * sizeof *f.queue);
    if (!f.seen || !f.queue) TRY(tc_fail(TILECUT_ENOMEM, "no memory to clean a mask of %zu pixels", pixels));
    status = clean(&f, how, done);
done:
    free(f.seen);
    free(f.queue);
    return status;
}

tilecut_status tilecut_clean(const tilecut_cleaning *given, const uint8_t *seeds, uint8_t *mask,
                             tilecut_cleaned *cleaned)
{
    tilecut_cleaned out = {0};
    tilecut_cleaning how;
    NEED(tc_clean_read(&how, given, mask, cleaned));
    NEED(tc_clean(&how, NULL, seeds, mask, &out));
    TC_WRITE(cleaned, &out, cleaned);
    return TILECUT_OK;
}
