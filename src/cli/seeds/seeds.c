/* SPDX-License-Identifier: MIT
 *
 * seeds.c - reads and combines all sources of seeds, settles conflicts, and refuses seeds that do not define a cut.
 * Pictures that are read by value come first, then strokes and box, then pictures that are read by colour, because the
 * meaning of a red stroke can depend on the class that is still missing. See seeds_parts.h for the other files.
 */
#include "seeds.h"

#include <stdlib.h>

#include "seeds_parts.h"

/* Opens the i-th picture. */
static int open_picture(const seeds_reading *r, int i, picture *out)
{
    const char *const name = r->request->files[i];
    const enum seeds_format format = seeds_format_of(r->request, i);
    failure *const why = r->why;
    image_limits limits = r->request->limits;
    limits.annotations = true;
    *out = (picture){.name = name, .format = format, .named = format != SEEDS_AUTO, .source = seeds_source(i)};
    int status = (r->request->reader ? r->request->reader : image_read)(name, &limits, &out->image, r->log, why);
    if (!status && out->image.text.data) {
        status = seeds_open_shapes(r, out);
        if (status) image_free(&out->image);
        if (status || out->drawn) return status;
    } else if (!status && format == SEEDS_BOX) {
        status = fail(why, EXIT_SEEDS, "%s: is a picture; box reads annotation files", name);
    }
    if (!status) status = seeds_check_size(r, out->name, &out->image);
    if (!status && !contents_of_picture(&out->image, &out->contents))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", name);
    if (!status && !out->named) status = seeds_recognise(out, why);
    if (!status && out->image.lossy)
        note(r->log,
             "%s: seeds saved as JPEG lose pixels at the edges of strokes; PNG keeps them exactly",
             name);
    if (status) image_free(&out->image);
    return status;
}

/* Reads the pictures. Those read by value claim their pixels and are freed at once; those read by colour are kept for
 * later. */
static int read_pictures(const seeds_reading *r, claims *all, picture *by_color, int *kept)
{
    for (int i = 0; i < r->request->file_count; i++) {
        picture *pic = &by_color[*kept];
        int status = open_picture(r, i, pic);
        if (status) return status;
        all->source = pic->source;
        if (pic->format == SEEDS_COLOR || pic->format == SEEDS_DIFF) {
            ++*kept;
            continue;
        }
        status = pic->drawn ? seeds_read_shapes(r->request, pic, all, r->log, r->why)
                            : seeds_read_values(pic, r->request->band, all, r->why);
        shapes_free(&pic->shapes);
        image_free(&pic->image);
        if (status) return status;
    }
    return EXIT_DONE;
}

static int combine(const seeds_reading *r, const seeds_rows *rows, picture *by_color, int *kept, claims *all,
                   seeds *out)
{
    const seeds_request *const request = r->request;
    const char *const name = r->photo_name;
    int status = read_pictures(r, all, by_color, kept);
    if (!status) status = seeds_apply_drawn(request, name, all, r->log, r->why);
    if (!status && *kept) status = seeds_read_colors(r, by_color, *kept, all, out);
    if (!status) status = seeds_conclude(request, rows, name, all, out, r->log, r->why);
    return status ? status : seeds_note_colors(request, rows, name, r->photo, out, r->log, r->why);
}

int seeds_read(const seeds_request *request, const image *photo, const char *photo_name, seeds *out,
               notes *log, failure *why)
{
    const seeds_reading r = {request, photo, photo_name, log, why};
    const seeds_rows rows = {.width = photo->width, .height = photo->height, .whole_height = photo->height,
                             .own = photo->height};
    claims all;
    *out = (seeds){.width = photo->width, .height = photo->height};
    int status = seeds_check_request(request, photo_name, false, why), kept = 0;
    if (status) return status;
    picture *const by_color = calloc((size_t)request->file_count + 1, sizeof *by_color);
    if (!by_color) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", photo_name);
    status = seeds_begin_claims(request, &rows, NULL, true, photo_name, &all, why);
    if (!status) status = combine(&r, &rows, by_color, &kept, &all, out);
    for (int i = 0; i < kept; i++) image_free(&by_color[i].image);
    free(by_color);
    seeds_end_claims(&all, status, out);
    return status;
}
