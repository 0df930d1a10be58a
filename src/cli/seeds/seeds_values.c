/* SPDX-License-Identifier: MIT
 *
 * seeds_values.c - the formats read by value: trimap, grabcut, labels, mask. Each gives the label of a pixel,
 * TILECUT_UNKNOWN and so on, or -1 for a value without meaning.
 */
#include <stdlib.h>

#include "distance.h"
#include "mask_file.h"
#include "seeds_parts.h"
#include "tilecut.h"

bool seeds_is_between(enum seeds_format format, int value)
{
    return format == SEEDS_TRIMAP && value > BLACK_MAX && value < WHITE_MIN &&
           (value < MIDDLE_MIN || value > MIDDLE_MAX);
}

void seeds_claim_label(claims *all, size_t p, int label)
{
    if (label == TILECUT_FOREGROUND) claim(all, p, CLAIM_FOREGROUND);
    if (label == TILECUT_BACKGROUND) claim(all, p, CLAIM_BACKGROUND);
}

void seeds_note_lossy(const char *name, notes *log)
{
    note(log, "%s: seeds saved as JPEG lose pixels at the edges of strokes; PNG keeps them exactly", name);
}

/* Claims pixels p to end - 1 of a picture, those of them that lie in these rows. A label UNKNOWN is only counted. */
static void claim_run(picture *pic, claims *all, size_t p, size_t end, int label)
{
    seeds_part *const part = &all->part[all->current];
    for (; p < end; p++) {
        const int64_t at = picture_index(pic, all, p);
        if (at < 0) continue;
        seeds_claim_label(all, (size_t)at, label);
        part->ignored += label == TILECUT_UNKNOWN && claims_own(all, (size_t)at);
    }
}

int seeds_refuse_color(const char *name, enum seeds_format format, bool palette, failure *why)
{
    if (format != SEEDS_TRIMAP)
        return fail(why, EXIT_SEEDS, "%s: is in colour, but --seeds-format %s reads numbers from a grey or palette "
                    "picture; name color, or leave the format out", name, seeds_kinds[format].name);
    return fail(why, EXIT_SEEDS, "%s: is in colour, but --seeds-format %s reads grey values; name color%s, or leave "
                "the format out", name, seeds_kinds[format].name, palette ? " or labels" : "");
}

int seeds_refuse_number(const char *name, enum seeds_format format, bool index, double number, const char *place,
                        failure *why)
{
    const seeds_kind *const kind = &seeds_kinds[format];
    if (!kind->sentence)
        return fail(why, EXIT_SEEDS, "%s: holds %g at %s, which fits no format of seeds; their values are whole "
                    "numbers from 0 to 255, such as 0, 1 and 2 in labels and 0, 128 and 255 in a trimap", name, number,
                    place);
    return fail(why, EXIT_SEEDS, "%s: holds %s%g at %s; in --seeds-format %s %s", name, index ? "index " : "", number,
                place, kind->name, kind->sentence);
}

/* Reads a trimap. The user named the format, so intermediate greys come from a soft brush or from JPEG; they are
 * unknown. */
static int read_trimap(picture *pic, claims *all, failure *why)
{
    if (!pic->contents.grey) return seeds_refuse_color(pic->name, pic->format, pic->image.index != NULL, why);
    claims_begin(all, pic->name, seeds_kinds[pic->format].name);
    for (size_t p = 0, end; p < image_area(&pic->image); p = end) {
        const uint32_t argb = picture_argb(&pic->image, p);
        const int value = argb_channel(argb, 1), label = seeds_label_trimap(value);
        end = p + pixels_alike(&pic->image, p);
        if (!argb_transparent(argb) && (label != TILECUT_UNKNOWN || seeds_is_between(pic->format, value)))
            claim_run(pic, all, p, end, label);
    }
    return EXIT_DONE;
}

static int refuse_number(const picture *pic, const claims *all, bool index, int number, size_t p, failure *why)
{
    const contents *const s = &pic->contents;
    char place[SEEDS_PLACE];
    (void)seeds_refuse_number(pic->name, pic->format, index, number, picture_place(pic, all, p, place), why);
    if (!(s->middle > 0 && s->between == 0 && s->grey)) return why->status;
    const failure before = *why;
    return fail(why, before.status, "%s; it looks like a trimap", before.text);
}

/* Reads grabcut or labels. They consist of exact numbers, so colours and JPEG are refused. */
static int read_numbers(picture *pic, claims *all, failure *why)
{
    const char *name = seeds_kinds[pic->format].name;
    const image *img = &pic->image;
    if (img->lossy)
        return fail(why, EXIT_SEEDS, "%s: is %s, which may not hold the exact numbers of --seeds-format %s; save it "
                    "as PNG", pic->name, img->format, name);
    if (!pic->contents.grey && !img->index) return seeds_refuse_color(pic->name, pic->format, false, why);
    const bool indices = picture_values_are_indices(img);
    claims_begin(all, pic->name, name);
    for (size_t p = 0, end; p < image_area(img); p = end) {
        const int v = picture_value(img, p, indices);
        const int label = seeds_kinds[pic->format].label(v);
        if (label < 0) return refuse_number(pic, all, indices, v, p, why);
        end = p + (indices ? 1 : pixels_alike(img, p));
        if (label != TILECUT_UNKNOWN && !argb_transparent(picture_argb(img, p))) claim_run(pic, all, p, end, label);
    }
    return EXIT_DONE;
}

static int check_mask(const picture *pic, failure *why)
{
    const contents *s = &pic->contents;
    if (!s->grey)
        return fail(why, EXIT_SEEDS,
                    "%s: is in colour; --seeds-format mask refines a grey mask of 0 background "
                    "and 255 foreground%s",
                    pic->name,
                    s->transparent     ? ", not a cutout"
                    : pic->image.index ? "; name labels for numbered classes"
                                       : "");
    int brightest = 255, darkest = 0;
    while (brightest > 0 && !s->level[brightest]) brightest--;
    while (darkest < 255 && !s->level[darkest]) darkest++;
    if (brightest < WHITE_MIN)
        return fail(why, EXIT_SEEDS,
                    "%s: has no foreground, its largest value is %d; a mask's foreground is 255%s",
                    pic->name, brightest,
                    brightest > 0 && brightest < 4 ? ", so scale it, or name labels or grabcut"
                                                   : "");
    if (darkest > BLACK_MAX)
        return fail(why, EXIT_SEEDS, "%s: has no background, its smallest value is %d; a mask's background is 0",
                    pic->name, darkest);
    return mask_file_check_levels(pic->name, s->level, EXIT_SEEDS, why);
}

/* Marks the pixels within the band of a nonzero one. In a volume the band is measured in voxels of the finest axis. */
static bool is_near(const picture *pic, const claims *all, const uint8_t *set, int band, uint8_t *near)
{
    const int slice = pic->stack.slice ? pic->stack.slice : all->slice;
    const int size[3] = {pic->image.width, slice, slice ? pic->image.height / slice : 1};
    return slice ? distance_within_space(set, size, pic->stack.slice ? pic->stack.scale : all->scale, band, near)
                 : distance_within(set, pic->image.width, pic->image.height, band, near);
}

/* Reads a mask. A pixel is unknown if it is nearer than the band to the other side of the edge, if it is transparent,
 * or if it is neither black nor white (a soft edge, which is taken to run along middle grey). */
static int read_mask(picture *pic, int band, claims *all, failure *why)
{
    const image *img = &pic->image;
    const size_t pixels = image_area(img);
    int64_t seen[TILECUT_OUTSIDE + 1] = {0}; /* pixels with each label */
    STEP(check_mask(pic, why));
    uint8_t *white = malloc(pixels), *near_white = malloc(pixels), *near_black = malloc(pixels);
    bool room = white && near_white && near_black;
    if (room) {
        for (size_t p = 0; p < pixels; p++) {
            white[p] = argb_channel(picture_argb(img, p), 1) >= 128;
            near_black[p] = !white[p];
        }
        room = is_near(pic, all, white, band, near_white) && is_near(pic, all, near_black, band, near_black);
    }
    if (room) {
        claims_begin(all, pic->name, "mask");
        for (size_t p = 0; p < pixels; p++) {
            const uint32_t argb = picture_argb(img, p);
            if (argb_transparent(argb) || (white[p] ? near_black[p] : near_white[p])) continue;
            const int label = seeds_label_trimap(argb_channel(argb, 1));
            seen[label]++;
            if (label != TILECUT_UNKNOWN) claim_run(pic, all, p, p + 1, label);
        }
    }
    free(white);
    free(near_white);
    free(near_black);
    if (!room) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its band", pic->name);
    if (band > 0 && (!seen[TILECUT_FOREGROUND] || !seen[TILECUT_BACKGROUND]))
        return fail(why, EXIT_SEEDS,
                    "%s: a band of %d pixels around its edge leaves no %s; use a smaller --band",
                    pic->name, band, seen[TILECUT_FOREGROUND] ? "background" : "foreground");
    return EXIT_DONE;
}

int seeds_read_values(picture *pic, int band, claims *all, failure *why)
{
    switch (pic->format) {
    case SEEDS_TRIMAP: return read_trimap(pic, all, why);
    case SEEDS_MASK: return read_mask(pic, band, all, why);
    default: return read_numbers(pic, all, why);
    }
}
