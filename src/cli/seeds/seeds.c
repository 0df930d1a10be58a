/* SPDX-License-Identifier: MIT
 *
 * seeds.c - reads and combines all sources of seeds, settles conflicts, and refuses seeds that cannot give a cut.
 * Pictures that are read by value come first, then strokes and box, then pictures that are read by colour, because
 * what is still missing can decide the meaning of a red stroke. See seeds_parts.h for the other files.
 */
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "seeds_parts.h"
#include "tilecut.h"

void seeds_request_init(seeds_request *request)
{
    memset(request, 0, sizeof *request);
    request->format = SEEDS_AUTO;
    request->tolerance = 64;
    request->conflict = CONFLICT_ERROR;
    request->band = 20;
    request->brush = 3;
}

void seeds_request_free(seeds_request *request)
{
    if (!request) return;
    for (int i = 0; i < request->stroke_count; i++)
        free(request->strokes[i].points);
    free(request->strokes);
    request->strokes = NULL;
    request->stroke_count = 0;
}

void seeds_free(seeds *got)
{
    if (!got) return;
    free(got->label);
    free(got->part);
    memset(got, 0, sizeof *got);
}

static int check_request(const seeds_request *request, const char *photo_name, failure *why)
{
    if (!request->file_count && !request->stroke_count && !request->box_given && !request->volume_box_given &&
        !request->mask_given)
        return fail(why, EXIT_USAGE, "%s: has no seeds; give a picture of them with -s, or strokes with --fg and --bg, "
                    "or a box around the object with --box", photo_name);
    if (request->tolerance < 0 || request->tolerance > 255)
        return fail(why, EXIT_USAGE, "--seed-tol: %d is not within 0 to 255", request->tolerance);
    if (request->band < 0) return fail(why, EXIT_USAGE, "--band: %d is below 0", request->band);
    return seeds_check_flat(request, photo_name, why);
}

/* Sizes must agree. If they differ by a quarter turn only, EXIF is the usual reason. */
static int check_size(const picture *pic, const image *photo, const char *photo_name, failure *why)
{
    const image *got = &pic->image;
    if (got->width == photo->width && got->height == photo->height) return EXIT_DONE;
    char what[256];
    snprintf(what, sizeof what, "is %dx%d but %.150s is %dx%d", got->width, got->height, photo_name,
             photo->width, photo->height);
    if (got->width == photo->height && got->height == photo->width) {
        if (photo->orientation >= 5 || got->orientation >= 5)
            return fail(why, EXIT_SEEDS,
                        "%s: %s; only the EXIF rotation of %s differs (orientation %d); draw "
                        "seeds on the upright photo and use --exif apply, or on the pixels as "
                        "stored and use --exif ignore",
                        pic->name, what, photo->orientation >= 5 ? "the photo" : "the seeds",
                        photo->orientation >= 5 ? photo->orientation : got->orientation);
        return fail(why, EXIT_SEEDS, "%s: %s; seeds are turned by a quarter, turn them back",
                    pic->name, what);
    }
    if ((int64_t)got->width * photo->height == (int64_t)got->height * photo->width)
        return fail(why, EXIT_SEEDS, "%s: %s; seeds must have the photo's size, scale them by %g with nearest "
                    "neighbour", pic->name, what, (double)photo->width / got->width);
    return fail(why, EXIT_SEEDS, "%s: %s; seeds must have the photo's size", pic->name, what);
}

static int open_picture(picture_reader *reader, const seeds_request *request, const char *name,
                        enum seeds_format format, uint16_t source, const image *photo, const char *photo_name,
                        picture *out, notes *log, failure *why)
{
    *out = (picture){.name = name, .format = format, .named = format != SEEDS_AUTO, .source = source};
    image_limits limits = request->limits;
    limits.annotations = true;
    int status = reader(name, &limits, &out->image, log, why);
    if (!status && out->image.text.data) {
        status = seeds_open_shapes(request, photo, photo_name, out, log, why);
        if (status) image_free(&out->image);
        if (status || out->drawn) return status;
    } else if (!status && format == SEEDS_BOX) {
        status = fail(why, EXIT_SEEDS, "%s: is a picture; box reads annotation files", name);
    }
    if (!status) status = check_size(out, photo, photo_name, why);
    if (!status && !contents_of_picture(&out->image, &out->contents))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read the seeds", name);
    if (!status && !out->named) status = seeds_recognise(out, why);
    if (!status && out->image.lossy)
        note(log,
             "%s: seeds saved as JPEG lose pixels at the edges of strokes; PNG keeps them exactly",
             name);
    if (status) image_free(&out->image);
    return status;
}

/* Reads the pictures. Those read by value claim their pixels and are freed at once; those read by colour are kept. */
static int read_pictures(picture_reader *reader, const seeds_request *request, const image *photo,
                         const char *photo_name, claims *all, picture *by_color, int *kept, notes *log, failure *why)
{
    for (int i = 0; i < request->file_count; i++) {
        picture *pic = &by_color[*kept];
        const bool named = request->formats && request->formats[i] != SEEDS_UNNAMED;
        const uint16_t source = seeds_source(i);
        int status = open_picture(reader, request, request->files[i], named ? request->formats[i] : request->format,
                                  source, photo, photo_name, pic, log, why);
        if (status) return status;
        all->source = source;
        if (pic->format == SEEDS_COLOR || pic->format == SEEDS_DIFF) {
            ++*kept;
            continue;
        }
        status = pic->drawn ? seeds_read_shapes(request, pic, all, log, why)
                       : seeds_read_values(pic, request->band, all, log, why);
        shapes_free(&pic->shapes);
        image_free(&pic->image);
        if (status) return status;
    }
    return EXIT_DONE;
}

static int refuse_conflict(const claims *all, int64_t conflicts, failure *why)
{
    const int x = (int)(all->clash % all->width), y = (int)(all->clash / all->width);
    const bool boxed =
        (all->bits[all->clash] & (CLAIM_OUTSIDE | CLAIM_BACKGROUND)) == CLAIM_OUTSIDE;
    if (boxed)
        return fail(
            why, EXIT_SEEDS,
            "%s: %lld pixels are foreground but lie outside the box (first at %d,%d); enlarge "
            "--box, or say which holds with --seed-conflict fg, bg, drop or last",
            all->clash_before ? all->clash_before : all->clash_name, (long long)conflicts, x, y);
    return fail(
        why, EXIT_SEEDS,
        "%s: %lld pixels are claimed by both classes (first at %d,%d: %s here, the other in %s); "
        "correct one, or say which holds with --seed-conflict fg, bg, drop or last",
        all->clash_name, (long long)conflicts, x, y,
        all->clash_foreground ? "foreground" : "background",
        all->clash_before ? all->clash_before : "the seeds before");
}

static int settle_all(const seeds_request *request, const claims *all, seeds *out, failure *why)
{
    const size_t pixels = (size_t)all->width * (size_t)all->height;
    int64_t count[TILECUT_OUTSIDE + 1] = {0};
    const uint8_t *const bits = all->bits;
    for (size_t p = seeds_next_marked(bits, 0, pixels); p < pixels; p = seeds_next_marked(bits, p + 1, pixels))
        out->conflicts += claims_clash(bits[p]);
    const bool must_agree = request->conflict == CONFLICT_ERROR || request->conflict == CONFLICT_LAST;
    if (out->conflicts && must_agree)
        return refuse_conflict(all, out->conflicts, why);
    for (size_t p = seeds_next_marked(bits, 0, pixels); p < pixels; p = seeds_next_marked(bits, p + 1, pixels))
        count[all->bits[p] = claims_settle(bits[p], request->conflict)]++; /* what nobody claims is unknown, 0 */
    out->foreground = count[TILECUT_FOREGROUND];
    out->background = count[TILECUT_BACKGROUND] + count[TILECUT_OUTSIDE];
    out->unknown = (int64_t)pixels - out->foreground - out->background;
    if (request->conflict == CONFLICT_DROP) out->dropped = out->conflicts;
    if (request->conflict == CONFLICT_LAST) out->conflicts = all->overruled;
    return EXIT_DONE;
}

/* Says how to mark a class in the format that was read, for a message that the class is missing. */
static void how_to(const claims *all, const seeds *got, bool foreground, char *text, size_t room)
{
    const char *format = got->format;
    const seeds_color *color = foreground ? &got->fg_color : &got->bg_color;
    const char *option = foreground ? "--fg \"X,Y X,Y\"" : "--bg \"X,Y X,Y\" or --box X,Y,W,H";
    if (strcmp(format, "color") == 0 || strcmp(format, "diff") == 0) {
        if (color->given)
            snprintf(text, room,
                     "no pixel is #%06x, it holds %s; paint some, name --%s-color, or add %s",
                     (unsigned)rgb_of(color->rgb),
                     all->found[0] ? all->found : "nothing but its canvas",
                     foreground ? "fg" : "bg", option);
        else
            snprintf(text, room, "it holds %s; name --%s-color, paint some in %s, or add %s",
                     all->found[0] ? all->found : "nothing but its canvas",
                     foreground ? "fg" : "bg", foreground ? "green" : "red or blue", option);
        return;
    }
    if (strcmp(format, "annotation") == 0 && all->found[0]) {
        snprintf(text, room, "a shape was left out: %s; correct it, or add %s", all->found, option);
        return;
    }
    if (strcmp(format, "annotation") == 0) {
        snprintf(text, room,
                 foreground ? "label shapes otherwise than background, or add %s"
                            : "--seeds-format box takes the boxes around its shapes, mask refines them; or label "
                              "shapes background, or add %s",
                 option);
        return;
    }
    const char *value = strcmp(format, "trimap") == 0    ? (foreground ? "224..255" : "0..31")
                        : strcmp(format, "grabcut") == 0 ? (foreground ? "1" : "0")
                        : strcmp(format, "labels") == 0  ? (foreground ? "1" : "2")
                        : strcmp(format, "mask") == 0    ? (foreground ? "255" : "0")
                                                         : NULL;
    if (value)
        snprintf(text, room, "in --seeds-format %s it is %s; paint some, or add %s", format, value,
                 option);
    else
        snprintf(text, room, "add %s", option);
}

static int check_classes(const seeds_request *request, const char *photo_name, const claims *all,
                         const seeds *got, failure *why)
{
    if ((got->foreground && got->background) || request->mask_given) return EXIT_DONE;
    /* With a box, the colour model can begin with a guess at the object. */
    const bool boxed = request->box_given || all->boxed;
    if (!got->foreground && boxed && got->background && got->unknown) return EXIT_DONE;
    const bool foreground = !got->foreground;
    const char *name = request->file_count ? request->files[0] : photo_name;
    char how[400];
    if (boxed && !got->foreground && !got->background)
        return fail(why, EXIT_SEEDS, "%s: the box covers the whole photo, which says nothing; draw it closer, or add "
                    "--fg and --bg \"X,Y X,Y\"", photo_name);
    if (got->conflicts && request->conflict != CONFLICT_ERROR)
        return fail(
            why, EXIT_SEEDS,
            "%s: no %s seed is left after %lld conflicts; choose another --seed-conflict, or "
            "correct the seeds",
            name, foreground ? "foreground" : "background", (long long)got->conflicts);
    how_to(all, got, foreground, how, sizeof how);
    return fail(
        why, EXIT_SEEDS, "%s: has no %s seed%s; %s", name, foreground ? "foreground" : "background",
        !foreground && boxed ? ", and the box covers the whole photo" : "", how);
}

static void note_colors(const char *name, const image *photo, const seeds *got, notes *log)
{
    const size_t pixels = (size_t)got->width * (size_t)got->height;
    const bool painted = memchr(got->label, TILECUT_BACKGROUND, pixels) != NULL;
    seeds_colors colors = {.count = {0}};
    seeds_count_colors(photo, got->label, 0, pixels, painted, &colors);
    seeds_note_oddities(name, got->unknown, &colors, log);
}

static bool is_picture(const char *format)
{
    return strcmp(format, "strokes") != 0 && strcmp(format, "box") != 0;
}

const char *seeds_joint_format(const claims *all)
{
    const char *format = NULL;
    for (int i = 0; i < all->part_count; i++) {
        const char *f = all->part[i].format;
        if (!format || (!is_picture(format) && is_picture(f)))
            format = f;
        else if (is_picture(f) && strcmp(format, f) != 0)
            return "several";
    }
    return format ? format : "none";
}

bool seeds_are_clicks(const seeds_request *request)
{
    bool foreground = false, background = false, points = true;
    if (request->file_count || request->box_given || request->volume_box_given || request->mask_given) return false;
    for (int i = 0; i < request->stroke_count; i++) {
        foreground |= request->strokes[i].foreground;
        background |= !request->strokes[i].foreground;
        points &= request->strokes[i].count == 1;
    }
    return foreground && (points || !background);
}

static int combine(picture_reader *reader, const seeds_request *request, const image *photo, const char *photo_name,
                   picture *by_color, int *kept, claims *all, seeds *out, notes *log, failure *why)
{
    const char *name = request->file_count ? request->files[0] : photo_name;
    int status = read_pictures(reader, request, photo, photo_name, all, by_color, kept, log, why);
    if (!status) status = seeds_apply_strokes(request, photo_name, all, log, why);
    if (!status) status = seeds_apply_box(request, photo_name, all, log, why);
    if (!status && *kept)
        status = seeds_read_colors(request, by_color, *kept, photo, photo_name, all, out, log, why);
    if (status) return status;
    if (seeds_are_clicks(request)) seeds_apply_border(request, all, log);
    out->format = seeds_joint_format(all);
    status = settle_all(request, all, out, why);
    if (!status) status = check_classes(request, photo_name, all, out, why);
    if (status) return status;
    out->label = all->bits; /* settled in the same memory */
    seeds_note_guess(request, name, out, log);
    note_colors(name, photo, out, log);
    return EXIT_DONE;
}

int seeds_read(const seeds_request *request, const image *photo, const char *photo_name, seeds *out,
               notes *log, failure *why)
{
    return seeds_read_from(image_read, request, photo, photo_name, out, log, why);
}

int seeds_read_from(picture_reader *reader, const seeds_request *request, const image *photo,
                    const char *photo_name, seeds *out, notes *log, failure *why)
{
    memset(out, 0, sizeof *out);
    int status = check_request(request, photo_name, why), kept = 0;
    if (status) return status;
    const size_t pixels = (size_t)photo->width * (size_t)photo->height;
    const size_t parts = (size_t)request->file_count + 3; /* --fg, --bg, --box */
    claims all = {.width = photo->width, .height = photo->height, .whole_height = photo->height, .end = pixels,
                  .clash = -1};
    picture *by_color = calloc(parts, sizeof *by_color);
    all.bits = machine_large_pages(calloc(pixels, 1), pixels);
    all.part = calloc(parts, sizeof *all.part);
    const bool ranked = request->conflict == CONFLICT_LAST;
    if (ranked) all.rank = calloc(pixels, sizeof *all.rank);
    out->width = photo->width;
    out->height = photo->height;
    if (!by_color || !all.bits || !all.part || (ranked && !all.rank))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", photo_name);
    else
        status = combine(reader, request, photo, photo_name, by_color, &kept, &all, out, log, why);
    for (int i = 0; i < kept; i++)
        image_free(&by_color[i].image);
    free(by_color);
    free(all.rank);
    if (status) {
        free(all.bits);
        free(all.part);
        memset(out, 0, sizeof *out);
        return status;
    }
    out->part = all.part;
    out->part_count = all.part_count; // NOLINT(clang-analyzer-unix.Malloc): all.bits is out->label now
    return EXIT_DONE;
}
