/* SPDX-License-Identifier: MIT
 *
 * seeds_pair.c - decides which stroke colour is foreground and which is background. Green always means foreground, and
 * blue always background. Red is background beside green and foreground beside blue. If red is the only colour, it
 * stands for the class that the other sources lack; if they lack both classes or none, it is refused.
 */
#include "seeds_parts.h"

const uint32_t seeds_hue_rgb[HUES] = {0x00ff00, 0xff0000, 0x0000ff, 0xffffff, 0x000000};

static void take_hue(seeds_color *color, int hue)
{
    color->given = true;
    for (int c = 0; c < 3; c++) color->rgb[c] = (uint8_t)argb_channel(seeds_hue_rgb[hue], c);
}

static int refuse_three(const hues *seen, failure *why)
{
    return fail(why, EXIT_SEEDS, "%s: has green, red and blue strokes, which fits two readings; name them, as "
                "--fg-color #00ff00 --bg-color #ff0000", seen->name);
}

static int red_alone(const hues *seen, seeds_color *fg, seeds_color *bg, failure *why)
{
    if (seen->background && !seen->foreground)
        take_hue(fg, HUE_RED);
    else if (seen->foreground && !seen->background)
        take_hue(bg, HUE_RED);
    else
        return fail(why, EXIT_SEEDS, "%s: has red strokes alone, which are background beside green but foreground "
                    "beside blue; name --fg-color #ff0000 or --bg-color #ff0000", seen->name);
    return EXIT_DONE;
}

static int choose_both(const hues *seen, seeds_color *fg, seeds_color *bg, failure *why)
{
    const bool green = seen->count[HUE_GREEN] > 0, red = seen->count[HUE_RED] > 0,
               blue = seen->count[HUE_BLUE] > 0, white = seen->count[HUE_WHITE] > 0,
               black = seen->count[HUE_BLACK] > 0;
    if (green && red && blue) return refuse_three(seen, why);
    if (red && !green && !blue) return red_alone(seen, fg, bg, why);
    if (green || red || blue) {
        if (green)
            take_hue(fg, HUE_GREEN);
        else if (red)
            take_hue(fg, HUE_RED);
        if (blue)
            take_hue(bg, HUE_BLUE);
        else if (red)
            take_hue(bg, HUE_RED);
        return EXIT_DONE;
    }
    if (white) take_hue(fg, HUE_WHITE);
    if (black) take_hue(bg, HUE_BLACK);
    if (white || black) return EXIT_DONE;
    return fail(
        why, EXIT_SEEDS,
        "%s: has no strokes in a known pair of colours (green foreground and red background; red "
        "and blue; white and black on grey or transparency); it holds %s; name --fg-color and "
        "--bg-color",
        seen->name, seen->found[0] ? seen->found : "nothing but its canvas");
}

/* Chooses the colour of one class when the user has given that of the other: the only pure colour left that can mean
 * it. */
static int choose_other(const seeds_request *request, const hues *seen, const seeds_color *given,
                        bool want_foreground, seeds_color *other, failure *why)
{
    static const int as_foreground[] = {HUE_GREEN, HUE_RED, HUE_WHITE};
    static const int as_background[] = {HUE_RED, HUE_BLUE, HUE_BLACK};
    const int *may = want_foreground ? as_foreground : as_background;
    int found = 0;
    for (int i = 0; i < 3; i++) {
        const bool chromatic = i < 2;
        if (!seen->count[may[i]] || rgb_distance(seeds_hue_rgb[may[i]], rgb_of(given->rgb)) <= request->tolerance)
            continue;
        if (!chromatic && found) break;
        if (found++)
            return fail(why, EXIT_SEEDS,
                        "%s: has strokes in two colours that may be %s; name --%s-color too",
                        seen->name, want_foreground ? "foreground" : "background",
                        want_foreground ? "fg" : "bg");
        take_hue(other, may[i]);
    }
    return EXIT_DONE;
}

int seeds_choose_pair(const seeds_request *request, const hues *seen, seeds_color *fg, seeds_color *bg, failure *why)
{
    *fg = request->fg_color;
    *bg = request->bg_color;
    if (fg->given && bg->given) return EXIT_DONE;
    if (fg->given) return choose_other(request, seen, fg, false, bg, why);
    if (bg->given) return choose_other(request, seen, bg, true, fg, why);
    return choose_both(seen, fg, bg, why);
}
