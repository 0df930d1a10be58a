/* SPDX-License-Identifier: MIT
 *
 * seeds_oddities.c - adds notes about valid seeds that look like a mistake.
 */
#include <math.h>
#include <string.h>

#include "seeds_parts.h"

/* Colours of the photo under the seeds of each class: histograms of 16 x 16 x 16 bins. */
enum { BINS = 4096 };
typedef struct seen_colors {
    int64_t bin[2][BINS], count[2];
} seen_colors;

/* Adds the pixels `from` to `end` - 1. painted: the background was painted, and does not come from a box. */
static void count_colors(const seeds_colors *photo, const uint8_t *label, size_t from, size_t end, bool painted,
                         seen_colors *out)
{
    const uint8_t background = painted ? TILECUT_BACKGROUND : TILECUT_OUTSIDE;
    for (size_t p = seeds_next_marked(label, from, end); p < end; p = seeds_next_marked(label, p + 1, end)) {
        if (label[p] != TILECUT_FOREGROUND && label[p] != background) continue;
        const uint32_t rgb = photo->at(photo->of, p);
        const int of = label[p] == background;
        out->bin[of][(rgb >> 12 & 0xf00) | (rgb >> 8 & 0xf0) | (rgb >> 4 & 0xf)]++;
        out->count[of]++;
    }
}

/* Returns how similar the colours of both classes are, as the intersection of their histograms; -1 if there are too few
 * pixels to judge. */
static double overlap(const seen_colors *c)
{
    enum { FEW = 32 };
    double common = 0;
    if (c->count[0] < FEW || c->count[1] < FEW) return -1;
    for (int b = 0; b < BINS; b++)
        common += fmin((double)c->bin[0][b] / (double)c->count[0], (double)c->bin[1][b] / (double)c->count[1]);
    return common;
}

void seeds_note_labels(const seeds_request *request, const claims *all, const char *name, const seeds *got, notes *log)
{
    const bool guessed = !got->foreground && !request->mask_given && !request->mask_learns;
    if (guessed && (request->file_count || request->stroke_count))
        note(log, "%s: no foreground seed; the object is guessed from the box", name);
    if (!got->unknown)
        note(log, "%s: every %s is labelled, so nothing is left to decide", name, all->slice ? "voxel" : "pixel");
}

uint32_t seeds_color_of_image(const void *photo, size_t p)
{
    return picture_argb(photo, p);
}

int seeds_note_colors(const seeds_request *request, const seeds_rows *rows, const char *photo_name,
                      const seeds_colors *photo, const seeds *got, notes *log, failure *why)
{
    const char *const name = request->file_count ? request->files[0] : photo_name;
    const size_t width = (size_t)rows->width, from = width * (size_t)rows->first, own = width * (size_t)rows->own;
    seen_colors colors = {.count = {0}};
    int64_t painted = memchr(got->label + from, TILECUT_BACKGROUND, own) != NULL;
    if (seeds_sum(rows, &painted, 1, why)) return why->status;
    count_colors(photo, got->label, from, from + own, painted > 0, &colors);
    if (seeds_sum(rows, colors.bin[0], 2 * BINS, why)) return why->status;
    if (seeds_sum(rows, colors.count, 2, why)) return why->status;
    const double common = overlap(&colors);
    if (common >= 0.9)
        note(log, "%s: foreground and background seeds lie on the same colours (%.0f %% in common), so colour cannot "
             "tell them apart; is one of them misplaced?", name, 100 * common);
    return EXIT_DONE;
}
