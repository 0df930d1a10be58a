/* SPDX-License-Identifier: MIT
 *
 * seeds_recognise.c - finds the format of a seed picture. Only `trimap` and `color` are recognised, because both look
 * unmistakable, and `labels` in a volume, where ITK-SNAP and 3D Slicer write them. Everything else is refused, with the
 * name of the format that would help, because seeds read in the wrong way give a bad mask that looks like the program's
 * fault.
 */
#include "seeds_parts.h"

static int refuse_grey(const picture *pic, failure *why)
{
    const contents *s = &pic->contents;
    const int64_t opaque = s->pixels - s->transparent;
    const char *name = pic->name;
    if (s->raw_small && s->raw_max > 0)
        return fail(why, EXIT_SEEDS, "%s: its values 0..%d fit two readings; name --seeds-format labels (1 foreground, "
                    "2 background, 0 unknown) or --seeds-format grabcut (1 foreground, 0 background, 2 and 3 unknown)",
                    name, s->raw_max);
    if (s->colors == 1)
        return fail(why, EXIT_SEEDS, "%s: has no strokes, every pixel is #%06x; paint background 0, unknown 128, "
                    "foreground 255", name, (unsigned)s->common[0].rgb);
    if (s->black + s->white == opaque && s->black > 0 && s->white > 0)
        return fail(why, EXIT_SEEDS, "%s: holds only black and white, which fits two readings; if it is a mask to "
                    "refine, name --seeds-format mask; if these are strokes, unknown must be grey 128, or name what is "
                    "drawn, as --seeds-format color --fg-color #ffffff", name);
    if (s->black > 0 && s->middle > 0 && s->white > 0 && pic->image.lossy)
        return fail(why, EXIT_SEEDS, "%s: %.1f %% of it lies between the trimap's values 0, 128 and 255 because JPEG "
                    "blurs edges; save seeds as PNG", name, 100.0 * (double)s->between / (double)opaque);
    if (s->colors > 64)
        return fail(why, EXIT_SEEDS, "%s: is a grey picture of %d levels, not a trimap of 0, 128 and 255; if it is the "
                    "photo with strokes painted over, name --seeds-format diff (its --fg-color and --bg-color too)",
                    name, s->colors);
    char found[160];
    contents_describe(s, NO_COLOR, found, sizeof found);
    return fail(why, EXIT_SEEDS, "%s: %.1f %% of it lies between the trimap's values (0..31 background, 96..160 "
                "unknown, 224..255 foreground); it holds %s; use 0, 128 and 255, drawn without smoothing, or name "
                "--seeds-format", name, 100.0 * (double)s->between / (double)opaque, found);
}

static int refuse_color(const picture *pic, failure *why)
{
    const contents *s = &pic->contents;
    char found[160];
    contents_describe(s, NO_COLOR, found, sizeof found);
    if (s->transparent == 0 && s->colors >= CONTENTS_MANY)
        return fail(why, EXIT_SEEDS, "%s: is an opaque picture of thousands of colours; if it is the photo with "
                    "strokes painted over, name --seeds-format diff; else draw strokes on a transparent or "
                    "one-coloured canvas", pic->name);
    if (s->raw_small && s->raw_max > 0 && pic->image.index)
        return fail(why, EXIT_SEEDS, "%s: is a palette picture of indices up to %d in the colours %s; name "
                    "--seeds-format labels (index 1 foreground, 2 background) or --seeds-format color (strokes by "
                    "colour)", pic->name, s->raw_max, found);
    return fail(why, EXIT_SEEDS, "%s: neither transparency nor one colour covers half of it, so its canvas cannot be "
                "told; if it holds strokes by colour, name --seeds-format color; it holds %s", pic->name, found);
}

/* True if at most 0.5 % of the pixels lie between the groups of levels of a trimap. */
static bool groups_are_clear(const contents *s)
{
    return s->between * 200 <= s->pixels - s->transparent;
}

/* True if a volume, of one slice or several, holds 1 and 2, and nothing above: the first and the second label that were
 * painted. In a picture they could as well be GrabCut's; OpenCV writes no volumes. */
static bool is_labels(const picture *pic)
{
    const int64_t *const level = pic->contents.level;
    const bool volume = pic->image.volume || pic->stack.slice;
    return volume && pic->contents.grey && pic->image.depth == 8 && level[1] && level[2] &&
           level[0] + level[1] + level[2] == pic->contents.pixels;
}

int seeds_recognise(picture *pic, failure *why)
{
    const contents *s = &pic->contents;
    if (is_labels(pic)) return pic->format = SEEDS_LABELS, EXIT_DONE;
    const int64_t opaque = s->pixels - s->transparent;
    if (s->transparent > 0) {
        if (opaque == 0 && s->strongest > 0)
            return fail(why, EXIT_SEEDS, "%s: its strokes are too faint, none covers more than %d %% of what is below; "
                        "paint with an opaque brush (at least 50 %%)", pic->name, s->strongest * 100 / 255);
        if (opaque == 0)
            return fail(why, EXIT_SEEDS, "%s: has no strokes, every pixel is transparent; paint foreground and "
                        "background on it", pic->name);
        if (s->transparent * 2 < s->pixels && s->common[0].count * 2 < s->pixels) return refuse_color(pic, why);
        pic->format = SEEDS_COLOR;
        return EXIT_DONE;
    }
    if (s->grey) {
        const bool small = s->raw_small && s->raw_max > 0;
        if (small || s->colors == 1 || s->middle == 0 || s->black + s->white == 0 || !groups_are_clear(s))
            return refuse_grey(pic, why);
        pic->format = SEEDS_TRIMAP;
        return EXIT_DONE;
    }
    if (s->common[0].count * 2 < s->pixels) return refuse_color(pic, why);
    pic->format = SEEDS_COLOR;
    return EXIT_DONE;
}
