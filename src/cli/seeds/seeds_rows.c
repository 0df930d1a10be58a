/* SPDX-License-Identifier: MIT
 *
 * seeds_rows.c - reads the seeds of some rows of a photo that is cut in parts. Seeds that must be seen as a whole are
 * refused: pictures without a given format, strokes by colour, and masks with a band. Annotation files are small, so
 * every part reads them completely.
 */
#include <string.h>

#include "seeds_parts.h"

enum seeds_format seeds_format_of(const seeds_request *request, int i)
{
    const bool named = request->formats && request->formats[i] != SEEDS_UNNAMED;
    return named ? request->formats[i] : request->format;
}

/* ---- Annotations --------------------------------------------------------------------------------- */

/* Makes the claims of a file's shapes on these rows. If the file is a picture, reads only its beginning and refuses
 * it. */
static int read_annotations(const seeds_reading *reading, int i, claims *all)
{
    enum { LONGEST = 1 << 30 };
    const seeds_request *const r = reading->request;
    failure *const why = reading->why;
    const char *const name = r->files[i];
    picture pic = {.name = name, .format = seeds_format_of(r, i)};
    const bool drawn = pic.format == SEEDS_AUTO || pic.format == SEEDS_BOX;
    bytes text = {0};
    int status = drawn && strcmp(name, "-") ? file_read_if(name, LONGEST, image_json.probe, &text, why) : EXIT_DONE;
    if (!status && (!text.size || !image_json.probe(text.data, text.size)))
        status = fail(why, EXIT_USAGE, "%s: of a photo in parts, pictures of seeds are read as %s:trimap, :labels or "
                      ":grabcut; name one of them, or use --fg and --bg", name, name);
    pic.image.text = text;
    if (status) bytes_free(&pic.image.text);
    else status = seeds_open_shapes(reading, &pic);
    if (!status) status = seeds_read_shapes(r, &pic, all, reading->log, why);
    shapes_free(&pic.shapes);
    return status;
}

/* ---- All sources --------------------------------------------------------------------------------- */

/* Makes the claims of all sources, in the order that seeds.c uses. */
static int claim_all(const seeds_request *r, const seeds_rows *rows, const char *photo_name, claims *all, notes *log,
                     failure *why)
{
    image whole = {.width = all->width, .height = (int)all->whole_height};
    const seeds_reading reading = {r, &whole, photo_name, log, why};
    STEP(seeds_check_request(r, photo_name, false, why));
    if (rows->place) whole.place = *rows->place;
    for (int i = 0; i < r->file_count; i++) {
        const enum seeds_format format = seeds_format_of(r, i);
        all->source = seeds_source(i);
        STEP(seeds_kinds[format].label ? seeds_read_row_picture(&reading, i, format, rows, all)
                                       : read_annotations(&reading, i, all));
    }
    return seeds_apply_drawn(r, photo_name, all, log, why);
}

int seeds_read_rows(const seeds_request *request, const seeds_rows *rows, const char *photo_name, seeds *out,
                    notes *log, failure *why)
{
    claims all;
    *out = (seeds){.width = rows->width, .height = (int)rows->height};
    int status = seeds_begin_claims(request, rows, NULL, false, photo_name, &all, why);
    if (!status) status = claim_all(request, rows, photo_name, &all, log, why);
    if (!status) status = seeds_conclude(request, rows, photo_name, &all, out, log, why);
    seeds_end_claims(&all, status, out);
    return status;
}
