/* SPDX-License-Identifier: MIT
 *
 * seeds_rows.c - the seeds of some rows of a photo, for photos that are cut in parts. What needs a look at the whole
 * picture is refused: recognising its format, strokes by colour, bands of masks. Annotation files are small, and read
 * by all parts as a whole.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "region.h"
#include "seeds_parts.h"
#include "tilecut.h"

/* The format that the request names for file i. */
static enum seeds_format format_of(const seeds_request *r, int i)
{
    return r->formats && r->formats[i] != SEEDS_UNNAMED ? r->formats[i] : r->format;
}

static bool by_value(enum seeds_format format)
{
    return format == SEEDS_TRIMAP || format == SEEDS_LABELS || format == SEEDS_GRABCUT;
}

/* ---- Annotations --------------------------------------------------------------------------------- */

/* Claims what the shapes of a file say of these rows. A picture is refused from its beginning. */
static int read_annotations(const seeds_request *r, int i, const char *photo_name, claims *all, notes *log,
                            failure *why)
{
    enum { LONGEST = 1 << 30 };
    const char *const name = r->files[i];
    const image whole = {.width = all->width, .height = all->whole_height};
    picture pic = {.name = name, .format = format_of(r, i)};
    const bool drawn = pic.format == SEEDS_AUTO || pic.format == SEEDS_BOX;
    bytes text = {0};
    int status = drawn && strcmp(name, "-") ? file_read_if(name, LONGEST, image_json.probe, &text, why) : EXIT_DONE;
    if (!status && (!text.size || !image_json.probe(text.data, text.size)))
        status = fail(why, EXIT_USAGE, "%s: of a photo in parts, pictures of seeds are read as %s:trimap, :labels or "
                      ":grabcut; name one of them, or use --fg and --bg", name, name);
    pic.image.text = text;
    if (status) bytes_free(&pic.image.text);
    else status = seeds_open_shapes(r, &whole, photo_name, &pic, log, why);
    if (!status) status = seeds_read_shapes(r, &pic, all, log, why);
    shapes_free(&pic.shapes);
    return status;
}

/* ---- All sources --------------------------------------------------------------------------------- */

/* All sources, in the order of seeds.c. */
static int claim_all(const seeds_request *r, const seeds_rows *rows, const char *photo_name, claims *all, notes *log,
                     failure *why)
{
    int status = seeds_check_flat(r, photo_name, why);
    for (int i = 0; !status && i < r->file_count; i++) {
        const enum seeds_format format = format_of(r, i);
        all->source = seeds_source(i);
        status = by_value(format) ? seeds_read_row_picture(r, i, format, rows, all, log, why)
                                  : read_annotations(r, i, photo_name, all, log, why);
    }
    if (!status) status = seeds_apply_strokes(r, photo_name, all, log, why);
    if (!status) status = seeds_apply_box(r, photo_name, all, log, why);
    if (!status && seeds_are_clicks(r)) seeds_apply_border(r, all, log);
    return status;
}

/* Labels in place of claims, and what own rows have of each. */
static void settle(claims *all, enum seeds_conflict conflict, seeds *out)
{
    const size_t pixels = (size_t)all->width * (size_t)all->height;
    int64_t count[TILECUT_OUTSIDE + 1] = {0};
    for (size_t p = seeds_next_marked(all->bits, 0, pixels); p < pixels;
         p = seeds_next_marked(all->bits, p + 1, pixels)) { /* what nobody claims is unknown, 0 */
        const bool own = claims_own(all, p);
        out->conflicts += own && claims_clash(all->bits[p]);
        all->bits[p] = claims_settle(all->bits[p], conflict);
        count[all->bits[p]] += own;
    }
    out->foreground = count[TILECUT_FOREGROUND];
    out->background = count[TILECUT_BACKGROUND] + count[TILECUT_OUTSIDE];
    out->unknown = (int64_t)(all->end - all->own) - out->foreground - out->background;
    out->overruled = all->overruled;
    out->boxed = all->boxed;
    out->label = all->bits;
}

/* Counts of all parts in place of own ones. */
static int add_up(const seeds_rows *rows, claims *all, seeds *out, failure *why)
{
    enum { EACH = 3 };
    const size_t words = 5 + EACH * (size_t)all->part_count;
    int64_t *const count = malloc(words * sizeof *count), *const whole[] = {
        &out->foreground, &out->background, &out->unknown, &out->conflicts, &out->overruled};
    if (!count) return fail(why, EXIT_RESOURCES, "not enough memory to count seeds");
    for (int i = 0; i < 5; i++) count[i] = *whole[i];
    for (int i = 0; i < all->part_count; i++)
        memcpy(count + 5 + EACH * i, (int64_t[]){all->part[i].foreground, all->part[i].background,
                                                 all->part[i].ignored}, EACH * sizeof *count);
    const int status = seeds_sum(rows, count, words, why);
    for (int i = 0; i < 5; i++) *whole[i] = count[i];
    for (int i = 0; i < all->part_count; i++) {
        all->part[i].foreground = count[5 + EACH * i];
        all->part[i].background = count[6 + EACH * i];
        all->part[i].ignored = count[7 + EACH * i];
    }
    free(count);
    return status;
}

int seeds_read_rows(const seeds_request *request, const seeds_rows *rows, const char *photo_name, seeds *out,
                    notes *log, failure *why)
{
    const size_t width = (size_t)rows->width, pixels = width * (size_t)rows->height;
    claims all = {.width = rows->width, .height = rows->height, .above = (int)rows->above, .clash = -1,
                  .whole_height = (int)rows->whole_height, .own = width * (size_t)rows->first,
                  .end = width * (size_t)(rows->first + rows->own)};
    const bool ranked = request->conflict == CONFLICT_LAST;
    int status;
    *out = (seeds){.width = rows->width, .height = rows->height};
    all.bits = machine_large_pages(calloc(pixels, 1), pixels);
    all.part = calloc((size_t)request->file_count + 3, sizeof *all.part); /* --fg, --bg, --box */
    if (ranked) all.rank = calloc(pixels, sizeof *all.rank);
    if (!all.bits || !all.part || (ranked && !all.rank))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", photo_name);
    else status = claim_all(request, rows, photo_name, &all, log, why);
    free(all.rank);
    if (!status) {
        settle(&all, request->conflict, out);
        out->format = seeds_joint_format(&all);
        status = add_up(rows, &all, out, why);
    }
    out->label = all.bits; /* settled in the same memory */
    out->part = all.part;
    out->part_count = all.part_count;
    if (status) seeds_free(out);
    return status;
}
