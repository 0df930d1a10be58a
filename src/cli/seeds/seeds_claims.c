/* SPDX-License-Identifier: MIT
 *
 * seeds_claims.c - turns claims into labels, for photos, scans and parts of both: counts them, settles conflicts, and
 * checks that they define a cut. Parts sum their counts, so that all parts come to the same decision and message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "seeds_parts.h"

int seeds_begin_claims(const seeds_request *request, const seeds_rows *rows, uint8_t *bits, bool ranked,
                       const char *name, claims *all, failure *why)
{
    const size_t width = (size_t)rows->width, pixels = width * (size_t)rows->height;
    const bool last = request->conflict == CONFLICT_LAST;
    *all = (claims){.width = rows->width, .height = rows->height, .above = rows->above, .slice = rows->slice,
                    .whole_height = rows->whole_height, .own = width * (size_t)rows->first, .last = last, .clash = -1,
                    .end = width * (size_t)(rows->first + rows->own), .bits = bits, .lent = bits};
    memcpy(all->scale, rows->scale, sizeof all->scale);
    if (!bits) all->bits = machine_large_pages(calloc(pixels, 1), pixels);
    all->part = calloc((size_t)request->file_count + 3, sizeof *all->part); /* --fg, --bg, --box */
    if (last && ranked) all->rank = calloc(pixels, sizeof *all->rank);
    if (all->bits && all->part && (!last || !ranked || all->rank)) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", name);
}

void seeds_end_claims(claims *all, int status, seeds *out)
{
    free(all->rank);
    out->label = all->lent && status ? NULL : all->bits;
    out->part = all->part;
    out->part_count = all->part_count;
    if (status) seeds_free(out);
}

/* ---- Conflicts ----------------------------------------------------------------------------------- */

/* Finds the first clash among all parts, by a binary search for its index in the whole. */
static int first_clash(const seeds_rows *rows, claims *all, failure *why)
{
    const int64_t own = all->clash < 0 ? INT64_MAX : all->clash + all->above * all->width;
    int64_t least = 0;
    if (!rows->sum) return EXIT_DONE;
    for (int bit = 46; bit >= 0; bit--) { /* finds the largest index before which there is no clash */
        int64_t smaller = own < least + (INT64_C(1) << bit);
        STEP(seeds_sum(rows, &smaller, 1, why));
        if (!smaller) least += INT64_C(1) << bit;
    }
    const bool here = own == least;
    int64_t report[3] = {here ? all->clash_part : 0, here ? all->clash_before : 0, here ? all->clash_foreground : 0};
    STEP(seeds_sum(rows, report, 3, why));
    all->clash = least - all->above * all->width;
    all->clash_part = (int)report[0], all->clash_before = (int)report[1], all->clash_foreground = report[2] != 0;
    return EXIT_DONE;
}

static int refuse_conflict(const seeds_rows *rows, claims *all, int64_t conflicts, failure *why)
{
    static const char holds[] = "say which holds with --seed-conflict fg, bg, drop or last";
    char place[SEEDS_PLACE];
    STEP(first_clash(rows, all, why));
    const seeds_part *const here = &all->part[all->clash_part];
    const seeds_part *const before = all->clash_before < 0 ? NULL : &all->part[all->clash_before];
    const char *const unit = all->slice ? "voxels" : "pixels";
    const bool box_here = !strcmp(here->format, "box"), boxed = box_here || (before && !strcmp(before->format, "box"));
    const seeds_part *const painted = box_here && before ? before : here;
    (void)seeds_place(all, all->clash, place);
    if (boxed)
        return fail(why, EXIT_SEEDS, "%s: %lld %s are foreground but lie outside the box (first at %s); enlarge --box, "
                    "or %s", painted->name, (long long)conflicts, unit, place, holds);
    return fail(why, EXIT_SEEDS, "%s: %lld %s are claimed by both classes (first at %s: %s here, the other in %s); "
                "correct one, or %s", here->name, (long long)conflicts, unit, place,
                all->clash_foreground ? "foreground" : "background", before ? before->name : "the seeds before", holds);
}

/* ---- Classes ------------------------------------------------------------------------------------- */

/* Writes how to mark a class in the format that was read, for a message that the class is missing. */
static void how_to(const claims *all, const seeds *got, bool foreground, char *text, size_t room)
{
    const char *format = got->format;
    const seeds_color *color = foreground ? &got->fg_color : &got->bg_color;
    const char *const option = all->slice ? (foreground ? "--fg \"X,Y,Z X,Y,Z\""
                                                        : "--bg \"X,Y,Z X,Y,Z\" or --box X,Y,Z,W,H,D")
                                          : (foreground ? "--fg \"X,Y X,Y\"" : "--bg \"X,Y X,Y\" or --box X,Y,W,H");
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
                 foreground ? "no shape covers a pixel, or all are labelled background; correct them, or add %s"
                            : "--seeds-format box takes the boxes around its shapes, mask refines them; or label "
                              "shapes background, or add %s",
                 option);
        return;
    }
    const char *value = NULL;
    for (int i = 0; i < SEEDS_UNNAMED; i++)
        if (!strcmp(seeds_kinds[i].name, format))
            value = foreground ? seeds_kinds[i].foreground : seeds_kinds[i].background;
    if (value)
        snprintf(text, room, "in --seeds-format %s it is %s; paint some, or add %s", format, value,
                 option);
    else
        snprintf(text, room, "add %s", option);
}

static int check_classes(const seeds_request *request, const char *photo_name, const claims *all, const seeds *got,
                         failure *why)
{
    if ((got->foreground && got->background) || request->mask_given) return EXIT_DONE;
    if (request->mask_learns && (got->foreground || got->background)) return EXIT_DONE;
    /* with a box, the colour model can begin with a guess at the object */
    const bool boxed = all->boxed, foreground = !got->foreground;
    if (foreground && boxed && got->background && got->unknown) return EXIT_DONE;
    const char *const name = request->file_count ? request->files[0] : photo_name;
    char advice[400];
    if (boxed && foreground && !got->background)
        return fail(why, EXIT_SEEDS, "%s: the box covers the whole %s, which is too small for a border; add "
                    "--fg and --bg \"X,Y%s X,Y%s\"", photo_name, all->slice ? "volume" : "photo",
                    all->slice ? ",Z" : "", all->slice ? ",Z" : "");
    if (got->conflicts && request->conflict != CONFLICT_ERROR)
        return fail(why, EXIT_SEEDS, "%s: no %s seed is left after %lld conflicts; choose another --seed-conflict, or "
                    "correct the seeds", name, foreground ? "foreground" : "background", (long long)got->conflicts);
    how_to(all, got, foreground, advice, sizeof advice);
    return fail(why, EXIT_SEEDS, "%s: has no %s seed%s; %s", name, foreground ? "foreground" : "background",
                foreground || !all->boxed ? ""
                : all->slice              ? ", and the box covers the whole volume"
                                          : ", and the box covers the whole photo", advice);
}

/* If a box covers the whole photo, labels a strip along the border as background, unless strokes of both classes say
 * enough. */
static int leave_strip(const seeds_request *request, const seeds_rows *rows, const char *name, claims *all, seeds *got,
                       notes *log, failure *why)
{
    const bool whole = all->boxed && !all->outside && !(got->foreground && got->background);
    if (request->mask_given || request->mask_learns) return EXIT_DONE;
    if (!whole && (!all->near_border || got->foreground)) return EXIT_DONE;
    if (whole) {
        int64_t strip = seeds_label_strip(all);
        STEP(seeds_sum(rows, &strip, 1, why));
        got->background += strip, got->unknown -= strip;
        if (!strip) return EXIT_DONE;
    }
    note(log, "%s: the box covers the whole %s, so a strip along its border counts as background; a closer box or "
         "strokes say more", name, all->slice ? "volume" : "photo");
    return EXIT_DONE;
}

/* ---- All ----------------------------------------------------------------------------------------- */

static bool is_picture(const char *format)
{
    return strcmp(format, "strokes") != 0 && strcmp(format, "box") != 0;
}

/* Returns the common format of the pictures, if there are any. */
static const char *joint_format(const claims *all)
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

/* Replaces claims by labels, and counts the part's own pixels with each label. */
static void label_claims(const seeds_request *request, claims *all, seeds *out)
{
    const size_t pixels = (size_t)all->width * (size_t)all->height;
    int64_t count[TILECUT_OUTSIDE + 1] = {0};
    uint8_t *const bits = all->bits;
    size_t end; /* the end of a run of equal claims */
    for (size_t p = seeds_next_marked(bits, 0, pixels); p < pixels; p = seeds_next_marked(bits, end, pixels)) {
        const uint8_t claimed = bits[p], label = claims_settle(claimed, request->conflict); /* unclaimed: unknown, 0 */
        for (end = p + 1; end < pixels && bits[end] == claimed;) end++;
        const size_t first = p > all->own ? p : all->own, last = end < all->end ? end : all->end;
        const int64_t own = last > first ? (int64_t)(last - first) : 0;
        memset(bits + p, label, end - p);
        if (claims_clash(claimed)) out->conflicts += own;
        count[label] += own;
    }
    out->foreground = count[TILECUT_FOREGROUND];
    out->background = count[TILECUT_BACKGROUND] + count[TILECUT_OUTSIDE];
    out->unknown = (int64_t)(all->end - all->own) - out->foreground - out->background;
    all->outside = count[TILECUT_OUTSIDE];
}

/* Replaces the counts of this part by the sums over all parts. */
static int add_up(const seeds_rows *rows, claims *all, seeds *out, failure *why)
{
    int64_t *const whole[] = {&out->foreground, &out->background, &out->unknown, &out->conflicts, &all->overruled,
                              &all->outside};
    enum { COUNTS = sizeof whole / sizeof *whole };
    int64_t count[COUNTS];
    for (int i = 0; i < COUNTS; i++) count[i] = *whole[i];
    int status = seeds_sum(rows, count, COUNTS, why);
    for (int i = 0; i < COUNTS; i++) *whole[i] = count[i];
    for (int i = 0; i < all->part_count && !status; i++) {
        seeds_part *const part = &all->part[i];
        int64_t of[3] = {part->foreground, part->background, part->ignored};
        status = seeds_sum(rows, of, 3, why);
        part->foreground = of[0], part->background = of[1], part->ignored = of[2];
    }
    return status;
}

int seeds_conclude(const seeds_request *request, const seeds_rows *rows, const char *name, claims *all, seeds *out,
                   notes *log, failure *why)
{
    const enum seeds_conflict conflict = request->conflict;
    out->format = joint_format(all);
    out->label = all->bits; /* labels have replaced the claims in the same memory */
    label_claims(request, all, out);
    STEP(add_up(rows, all, out, why));
    if (out->conflicts && (conflict == CONFLICT_ERROR || conflict == CONFLICT_LAST))
        return refuse_conflict(rows, all, out->conflicts, why);
    for (int i = 0; i < all->part_count; i++)
        if (all->part[i].ignored && all->part[i].format == seeds_kinds[SEEDS_TRIMAP].name)
            note(log, "%s: %lld %s lie between the trimap's values and were taken as unknown", all->part[i].name,
                 (long long)all->part[i].ignored, all->slice ? "voxels" : "pixels");
    if (conflict == CONFLICT_DROP) out->dropped = out->conflicts;
    if (conflict == CONFLICT_LAST) out->conflicts = all->overruled;
    STEP(leave_strip(request, rows, name, all, out, log, why));
    STEP(check_classes(request, name, all, out, why));
    seeds_note_labels(request, all, request->file_count ? request->files[0] : name, out, log);
    return EXIT_DONE;
}
