/* SPDX-License-Identifier: MIT
 *
 * refine.c - the verb `refine`: takes a photo and another tool's mask, and returns a mask that follows the photo's
 * edges, and strokes if there are any. It is `segment` with --mask.
 */
#include "segment_form.h"
#include "verbs.h"

int verb_refine(int argc, char **argv, failure *why)
{
    static const segment_form form = {
        .verb = "refine", .synopsis = "IMAGE MASK -o MASK [options]", .refines = true,
        .about = "Refines a mask along the edges of the photo. MASK is grey, 0 and 255 or probabilities between, or\n"
                 "a cutout, whose alpha counts. It is a soft wish: seeds (-s, --fg, --bg, --box) win, and so do clear\n"
                 "edges near its own."};
    return segment_as(&form, argc, argv, why);
}
