/* SPDX-License-Identifier: MIT
 *
 * palette.c - see palette.h.
 */
#include "palette.h"

#include <stdlib.h>

#include "colors.h"
#include "colors_math.h"
#include "status.h"

/* Marks the bins of all pixels in `seen`; returns how many there are. */
static size_t mark_bins(const tilecut_image *image, int bits, uint32_t *bin, uint32_t *seen)
{
    size_t count = 0;
    for (int y = 0; y < image->height; y++) {
        tc_color_bins(image, bits, y, bin);
        for (int x = 0; x < image->width; x++) count += !seen[bin[x]], seen[bin[x]] = 1;
    }
    return count;
}

tilecut_status tc_palette_init(tc_palette **palette, const tilecut_image *image, int bits)
{
    const size_t bins = (size_t)1 << (image->channels * bits);
    tc_palette *p = calloc(1, sizeof *p);
    uint32_t *row = malloc((size_t)image->width * sizeof *row);
    tilecut_status status = TILECUT_OK;

    *palette = NULL;
    if (p) p->entry = calloc(bins, sizeof *p->entry);
    if (!p || !row || !p->entry) goto failed;
    *p = (tc_palette){.holders = 1, .bits = bits, .entry = p->entry, .count = mark_bins(image, bits, row, p->entry)};
    p->bin = malloc(p->count * sizeof *p->bin);
    p->x = malloc(3 * p->count * sizeof *p->x);
    if (!p->bin || !p->x) goto failed;
    p->y = p->x + p->count, p->z = p->y + p->count;
    for (size_t b = 0, i = 0; b < bins; b++) {
        double color[3];
        if (!p->entry[b]) continue;
        tc_gmm_color(image->channels, bits, (uint32_t)b, color);
        p->bin[i] = (uint32_t)b;
        p->x[i] = color[0], p->y[i] = color[1], p->z[i] = color[2];
        p->entry[b] = (uint32_t)i++;
    }
    *palette = p;
    p = NULL;
    goto done;
failed:
    status = tc_fail(TILECUT_ENOMEM, "no memory for the colours of the image");
done:
    tc_palette_drop(p);
    free(row);
    return status;
}

tc_palette *tc_palette_hold(tc_palette *palette)
{
    if (palette) palette->holders++;
    return palette;
}

void tc_palette_drop(tc_palette *palette)
{
    if (!palette || --palette->holders > 0) return;
    free(palette->bin);
    free(palette->entry);
    free(palette->x);
    free(palette);
}
