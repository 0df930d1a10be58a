/* SPDX-License-Identifier: MIT
 *
 * seeds.c - reads and combines all sources of seeds, settles conflicts, and refuses seeds that do not define a cut; for
 * photos, for scans, whose slices lie one below the other, and for some rows of both. Pictures that are read by value
 * come first, then strokes and box, then pictures that are read by colour, because the meaning of a red stroke can
 * depend on the class that is still missing. See seeds_parts.h for the other files.
 *
 * Pictures in a named format by value are read by rows if their rows are free. A part reads only its own rows of them,
 * and of a volume whose format is to be recognised. All other files must be seen as a whole, so each part reads them
 * whole and makes the claims that lie in its rows.
 */
#include "seeds.h"

#include <stdlib.h>
#include <string.h>

#include "file_write.h"
#include "seeds_parts.h"

/* True if the rows are only some of the photo's. */
static bool is_part(const seeds_rows *rows)
{
    return rows->sum || rows->height < rows->whole_height;
}

/* ---- Pictures --------------------------------------------------------------------------------- */

static void close_picture(const seeds_reading *r, picture *pic)
{
    if (r->space && pic->stack.slice) r->space->close(&pic->stack), pic->image.pixels = NULL, pic->stack.slice = 0;
    image_free(&pic->image);
}

/* Refuses the first voxel that is no whole number of 8 or 16 bits. */
static int refuse_strange(const seeds_reading *r, const picture *pic)
{
    const seeds_stack *const stack = &pic->stack;
    const claims file = {.slice = r->rows->slice};
    char place[SEEDS_PLACE];
    return seeds_refuse_number(pic->name, pic->format, false, stack->number,
                               picture_place(pic, &file, (size_t)stack->strange, place), r->why);
}

/* Opens the file of `pic` if it is a volume; else sets *stack.slice to 0. */
static int open_stack(const seeds_reading *r, picture *pic)
{
    const bool whole = pic->format != SEEDS_AUTO && !seeds_kinds[pic->format].label;
    seeds_stack *const stack = &pic->stack;
    STEP(r->space->open(r->space->context, pic->name, whole, stack, r->log, r->why));
    if (!stack->slice) return EXIT_DONE;
    pic->image = stack->image;
    if (pic->format == SEEDS_BOX)
        return fail(r->why, EXIT_SEEDS, "%s: is a volume; box reads annotation files", pic->name);
    if (pic->format == SEEDS_DIFF && stack->place)
        return fail(r->why, EXIT_SEEDS, "%s: lies elsewhere than %s, so it is no copy of it with strokes painted over",
                    pic->name, r->photo_name);
    if (stack->strange >= 0) return refuse_strange(r, pic);
    if (!contents_of_picture(&pic->image, &pic->contents))
        return fail(r->why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", pic->name);
    if (stack->some) STEP(contents_add_up(r->rows, pic->name, &pic->contents, r->why));
    return pic->named ? EXIT_DONE : seeds_recognise(pic, r->why);
}

/* Opens the i-th picture. */
static int open_picture(const seeds_reading *r, int i, picture *out)
{
    const char *const name = r->request->files[i];
    const enum seeds_format format = seeds_format_of(r->request, i);
    failure *const why = r->why;
    image_limits limits = r->request->limits;
    limits.annotations = true;
    *out = (picture){.name = name, .format = format, .named = format != SEEDS_AUTO, .file = i};
    if (format == SEEDS_DIFF && r->space && !r->photo->depth)
        return fail(why, EXIT_SEEDS, "%s: --seeds-format diff compares colours of 8 or 16 bits with the scan, but the "
                    "voxels of %s are %s; name color, and paint on a canvas of one colour", name, r->photo_name,
                    r->space->stored);
    int status = r->space ? open_stack(r, out) : EXIT_DONE;
    if (out->stack.slice || status) {
        if (status) close_picture(r, out);
        return status;
    }
    status = (r->request->reader ? r->request->reader : image_read)(name, &limits, &out->image, r->log, why);
    if (!status && out->image.text.data) {
        status = seeds_open_shapes(r, out);
        if (status) image_free(&out->image);
        if (status || out->drawn) return status;
    } else if (!status && format == SEEDS_BOX) {
        status = fail(why, EXIT_SEEDS, "%s: is a picture; box reads annotation files", name);
    }
    if (!status) status = seeds_check_size(r, out->name, &out->image);
    if (!status) (void)contents_narrow(&out->image);
    if (!status && !contents_of_picture(&out->image, &out->contents))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", name);
    if (!status && !out->named) status = seeds_recognise(out, why);
    if (!status && out->image.lossy) seeds_note_lossy(name, r->log);
    if (status) image_free(&out->image);
    return status;
}

/* Says how much of a volume lies outside of the scan. */
static int check_stack(const seeds_reading *r, const picture *pic)
{
    if (!r->space || !pic->stack.place) return EXIT_DONE;
    return r->space->check(r->space->context, pic->name, pic->outside, pic->marked, r->log, r->why);
}

/* Opens the i-th picture and makes its claims if it is read by value. *kept: it is read by colour, and stays open. */
static int read_whole_picture(const seeds_reading *r, int i, claims *all, picture *pic, bool *kept)
{
    int status = open_picture(r, i, pic);
    *kept = !status && (pic->format == SEEDS_COLOR || pic->format == SEEDS_DIFF);
    if (status || *kept) return status;
    status = pic->drawn ? seeds_read_shapes(r->request, pic, all, r->log, r->why)
                        : seeds_read_values(pic, r->request->band, all, r->why);
    if (!status) status = check_stack(r, pic);
    shapes_free(&pic->shapes);
    close_picture(r, pic);
    return status;
}

/* Reads the rows of the i-th picture that are here. If they are refused, the sentence is that of the whole picture, of
 * which more is known, if this part's share of the memory holds it. *by_rows: false if nothing was read, because
 * reading some rows would cost as much as reading all. */
static int read_own_rows(const seeds_reading *r, int i, claims *all, bool *by_rows)
{
    const int before = all->part_count, status = seeds_read_row_picture(r, i, all, by_rows);
    if (!*by_rows) all->part_count = before;
    if (!*by_rows || (status != EXIT_SEEDS && status != EXIT_INPUT)) return status;
    failure whole = {0};
    seeds_request within = *r->request;
    seeds_reading again = *r;
    picture pic = {0};
    bool kept;
    again.request = &within, again.log = NULL, again.why = &whole;
    within.limits.max_bytes = within.limits.max_bytes / (uint64_t)r->rows->whole_height * (uint64_t)r->rows->height;
    all->part_count = before;
    const int other = read_whole_picture(&again, i, all, &pic, &kept);
    if (other && other != EXIT_RESOURCES) *r->why = whole;
    return r->why->status;
}

/* True if file i may be read by rows: it is a picture of values, and can be read several times. */
static bool may_go_by_rows(const seeds_reading *r, int i)
{
    const seeds_request *const request = r->request;
    const char *const path = request->files[i];
    return seeds_kinds[seeds_format_of(request, i)].label && !request->reader && strcmp(path, "-") != 0 &&
           !file_is_special(path) && !(r->space && r->space->is_volume(r->space->context, path));
}

/* Reads the pictures. Those read by value claim their pixels and are freed at once; those read by colour are kept for
 * later. */
static int read_pictures(const seeds_reading *r, claims *all, picture *by_color, int *count)
{
    for (int i = 0; i < r->request->file_count; i++) {
        const char *const path = r->request->files[i];
        bool by_rows = may_go_by_rows(r, i), kept;
        all->source = seeds_source(i);
        if (is_part(r->rows) && !strcmp(path, "-"))
            return fail(r->why, EXIT_USAGE, "standard input: each part reads the seeds by itself; name a file");
        if (by_rows) STEP(read_own_rows(r, i, all, &by_rows));
        if (by_rows) continue;
        STEP(read_whole_picture(r, i, all, &by_color[*count], &kept));
        *count += kept;
        /* parts may have to wait in turn until they know what the others have painted; they open the picture again */
        if (kept && is_part(r->rows)) close_picture(r, &by_color[*count - 1]);
    }
    return EXIT_DONE;
}

/* ---- Pictures read by colour ------------------------------------------------------------------ */

/* Opens again, in a part, the pictures read by colour, and the whole photo or scan if one is a painted copy of it. The
 * scan's pixels stay with `space`. */
static int open_again(const seeds_reading *r, picture *by_color, int count, image *photo)
{
    seeds_reading quiet = *r;
    bool painted = false;
    quiet.log = NULL;
    for (int i = 0; i < count; i++) {
        STEP(open_picture(&quiet, by_color[i].file, &by_color[i]));
        painted |= by_color[i].format == SEEDS_DIFF;
    }
    if (!painted) return EXIT_DONE;
    return r->space ? r->space->read_scan(r->space->context, photo, r->why)
                    : image_read(r->photo_name, &r->request->limits, photo, NULL, r->why);
}

static int read_colors(const seeds_reading *r, picture *by_color, int count, claims *all, seeds *out)
{
    int64_t painted[2] = {0, 0}; /* pixels of background and foreground in the other sources */
    image photo = {0};
    seeds_reading with = *r;
    int status = EXIT_DONE;
    for (int i = 0; i < all->part_count; i++) {
        painted[0] += all->part[i].background;
        painted[1] += all->part[i].foreground;
    }
    STEP(seeds_sum(r->rows, painted, 2, r->why));
    if (is_part(r->rows)) status = open_again(r, by_color, count, &photo);
    if (photo.pixels) with.photo = &photo;
    if (!status) status = seeds_read_colors(&with, by_color, count, painted, all, out);
    for (int i = 0; i < count && !status; i++) status = check_stack(r, &by_color[i]);
    if (!r->space) image_free(&photo);
    for (int i = 0; i < count; i++) close_picture(r, &by_color[i]); /* before parts wait for each other again */
    return status;
}

/* ---- All sources ------------------------------------------------------------------------------ */

static int combine(const seeds_reading *r, picture *by_color, int *count, claims *all, seeds *out)
{
    const seeds_request *const request = r->request;
    const char *const name = r->photo_name;
    int status = read_pictures(r, all, by_color, count);
    if (!status) status = seeds_apply_drawn(request, name, all, r->log, r->why);
    if (!status && *count) status = read_colors(r, by_color, *count, all, out);
    return status ? status : seeds_conclude(request, r->rows, name, all, out, r->log, r->why);
}

static int read_sources(const seeds_reading *r, seeds *out)
{
    const seeds_request *const request = r->request;
    const seeds_space *const space = r->space;
    claims all;
    int status = seeds_check_request(request, r->photo_name, space != NULL, r->why), count = 0;
    if (status) return status;
    picture *const by_color = calloc((size_t)request->file_count + 1, sizeof *by_color);
    if (!by_color) return fail(r->why, EXIT_RESOURCES, "%s: not enough memory for its seeds", r->photo_name);
    status = seeds_begin_claims(request, r->rows, space ? space->bits : NULL, !space || space->ranked, r->photo_name,
                                &all, r->why);
    if (!status) status = combine(r, by_color, &count, &all, out);
    for (int i = 0; i < count; i++) close_picture(r, &by_color[i]);
    free(by_color);
    seeds_end_claims(&all, status, out);
    return status;
}

int seeds_read(const seeds_request *request, const image *photo, const char *photo_name, seeds *out,
               notes *log, failure *why)
{
    const seeds_rows rows = {.width = photo->width, .height = photo->height, .whole_height = photo->height,
                             .own = photo->height};
    const seeds_reading r = {.request = request, .rows = &rows, .photo = photo, .photo_name = photo_name, .log = log,
                             .why = why};
    *out = (seeds){.width = photo->width, .height = photo->height};
    int status = read_sources(&r, out);
    if (!status)
        status = seeds_note_colors(request, &rows, photo_name, &(seeds_colors){seeds_color_of_image, photo}, out, log,
                                   why);
    if (status) seeds_free(out);
    return status;
}

int seeds_read_rows(const seeds_request *request, const seeds_rows *rows, const char *photo_name, seeds *out,
                    notes *log, failure *why)
{
    image whole = {.width = rows->width, .height = (int)rows->whole_height, .orientation = rows->orientation};
    const seeds_reading r = {.request = request, .rows = rows, .photo = &whole, .photo_name = photo_name, .log = log,
                             .why = why};
    if (rows->place) whole.place = *rows->place;
    *out = (seeds){.width = rows->width, .height = (int)rows->height};
    return read_sources(&r, out);
}

int seeds_read_space(const seeds_request *request, const seeds_rows *rows, const seeds_space *space, const char *name,
                     seeds *out, notes *log, failure *why)
{
    const seeds_reading r = {.request = request, .rows = rows, .photo = space->scan, .photo_name = name, .space = space,
                             .log = log, .why = why};
    *out = (seeds){.width = rows->width, .height = rows->slice};
    return read_sources(&r, out);
}

uint64_t seeds_bytes_of_whole(const seeds_request *request, uint64_t sample)
{
    enum { PICTURE = 5, BAND = 3 }; /* four samples of 8 bits and the numbers of a palette; planes of a mask's band */
    uint64_t most = 0;
    for (int i = 0; i < request->file_count; i++) {
        const enum seeds_format format = seeds_format_of(request, i);
        const image_format *const file = image_format_of_file(request->files[i]);
        if (!file || file == &image_json || (seeds_kinds[format].label && file->open)) continue;
        most += PICTURE + (format == SEEDS_MASK ? BAND : format == SEEDS_DIFF ? sample : 0);
    }
    return most;
}
