/* SPDX-License-Identifier: MIT
 *
 * refine.c - the verb `refine`: takes a photo and a mask made by another tool, and returns a mask that follows the
 * photo's edges, and strokes if there are any. It is `segment` with --mask or, for a label map, `labels` with --refine.
 */
#include "segment_form.h"
#include "verbs.h"

int verb_refine(int argc, char **argv, failure *why)
{
    static const segment_form form = {
        .verb = "refine", .synopsis = "IMAGE MASK -o MASK [options]", .refines = true,
        .about = "Moves the outline of a mask to the edges of the photo, also if the mask is too small or too large\n"
                 "all around. MASK is grey (0 and 255, or probabilities between) or a cutout, whose alpha is used.\n"
                 "Strokes (-s, --fg, --bg) correct the result: each only adds, or only takes away. IMAGE and MASK\n"
                 "may be volumes; then the outline moves by at most half a cell of the mask.",
        .examples = "  tilecut refine photo.jpg network.png -o mask.png\n"
                    "  tilecut refine photo.jpg drawn.json -o mask.png --cutout cutout.png\n"
                    "  tilecut refine photo.jpg network.png --bg \"412,85 418,76\" -o mask.png\n"
                    "  tilecut refine photo.jpg network.png --labels -o labels.png\n"
                    "  tilecut refine scan.nii net.nii --labels --label 2 --stroke 80,60,31 -o l.nii\n"
                    "  tilecut refine scan.nii.gz network.nii.gz -o mask.nii.gz"};
    return labels_are_meant(argc, argv) ? refine_labels(argc, argv, why) : segment_as(&form, argc, argv, why);
}
