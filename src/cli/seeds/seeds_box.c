/* SPDX-License-Identifier: MIT
 *
 * seeds_box.c - the box of the command line, and the border of a photo. Pixel x spans x .. x + 1, and a box covers the
 * pixels whose centres lie in it, so integer coordinates cover whole pixels.
 */
#include <math.h>
#include <stdio.h>

#include "seeds_parts.h"

/* Turns the box in a photo into a box in a volume of one slice. */
static void box_of(const seeds_request *request, const claims *all, double box[6])
{
    const double *const flat = request->box;
    if (all->slice) memcpy(box, request->volume_box, sizeof request->volume_box);
    else memcpy(box, (double[]){flat[0], flat[1], 0, flat[2], flat[3], 1}, 6 * sizeof *box);
}

/* "1,2,3,4" */
static void print_box(const double box[6], bool volume, char text[160])
{
    if (volume)
        snprintf(text, 160, "%.12g,%.12g,%.12g,%.12g,%.12g,%.12g", box[0], box[1], box[2], box[3], box[4], box[5]);
    else snprintf(text, 160, "%.12g,%.12g,%.12g,%.12g", box[0], box[1], box[3], box[4]);
}

/* Computes the size of the whole along x, y and z, and a hundredth of each, rounded up. For a photo it is 0 where the
 * library leaves sides near the border as they are, because there are less than 50 pixels (TILECUT_OUTSIDE). */
static void sizes_of(const claims *all, int64_t size[3], int64_t hundredth[3])
{
    const int64_t side = all->slice ? all->slice : all->whole_height;
    const int64_t of[3] = {all->width, side, all->whole_height / side};
    for (int k = 0; k < 3; k++) size[k] = of[k], hundredth[k] = all->slice || of[k] >= 50 ? (of[k] + 99) / 100 : 0;
}

static int frame_of(const double box[6], const char *name, const claims *all, seeds_frame *out, notes *log,
                    failure *why)
{
    int64_t size[3], hundredth[3];
    char text[160], whole[SEEDS_PLACE];
    bool beyond = false;
    sizes_of(all, size, hundredth);
    print_box(box, all->slice > 0, text);
    for (int k = 0; k < 3; k++) {
        const double end = box[k] + box[k + 3];
        if (!isfinite(box[k]) || !isfinite(box[k + 3]))
            return fail(why, EXIT_USAGE, "--box: needs %s", all->slice ? "six finite numbers X,Y,Z,W,H,D"
                                                                       : "four finite numbers X,Y,W,H");
        if (box[k + 3] <= 0)
            return fail(why, EXIT_USAGE, "--box: %s is empty; its sides must be above 0", text);
        if (box[k] >= (double)size[k] || end <= 0)
            return fail(why, EXIT_SEEDS, "--box: %s lies outside %s, which is %s", text, name, seeds_size(all, whole));
        /* limited before the conversion, because the numbers may be huge */
        out->from[k] = (int64_t)ceil(fmax(box[k] - 0.5, 0));
        out->to[k] = (int64_t)ceil(fmin(end - 0.5, (double)size[k]));
        beyond |= box[k] < 0 || end > (double)size[k];
    }
    for (int k = 0; k < 3; k++)
        if (out->from[k] >= out->to[k])
            return fail(why, EXIT_SEEDS, "--box: %s holds no %s of %s", text, all->slice ? "voxel" : "pixel", name);
    double clipped[6];
    for (int k = 0; k < 3; k++)
        clipped[k] = (double)out->from[k], clipped[k + 3] = (double)(out->to[k] - out->from[k]);
    print_box(clipped, all->slice > 0, text);
    if (beyond) note(log, "--box: reaches beyond %s, which is %s; clipped to %s", name, seeds_size(all, whole), text);
    return EXIT_DONE;
}

/* Finds the columns *from to *to - 1 of row `row` that lie inside the frame. */
static void columns_inside(const seeds_frame *frame, const claims *all, int64_t row, int64_t *from, int64_t *to)
{
    const int64_t side = all->slice ? all->slice : all->whole_height, at = row + all->above;
    const int64_t y = at % side, z = at / side;
    const bool inside = y >= frame->from[1] && y < frame->to[1] && z >= frame->from[2] && z < frame->to[2];
    *from = inside ? frame->from[0] : all->width;
    *to = inside ? frame->to[0] : all->width;
}

int64_t seeds_label_strip(claims *all)
{
    seeds_frame within;
    int64_t size[3], hundredth[3], labelled = 0;
    sizes_of(all, size, hundredth);
    for (int k = 0; k < 3; k++) {
        const int64_t wide = all->slice ? hundredth[k] : 1; /* in a photo without strokes the library widens the
                                                               strip */
        within.from[k] = size[k] > 2 * wide ? wide : 0;
        within.to[k] = size[k] - within.from[k];
    }
    for (int64_t row = 0; row < all->height; row++) {
        int64_t from, to;
        columns_inside(&within, all, row, &from, &to);
        for (int64_t x = 0; x < all->width; x++) {
            const size_t p = (size_t)row * (size_t)all->width + (size_t)x;
            if ((x >= from && x < to) || all->bits[p] != TILECUT_UNKNOWN) continue;
            all->bits[p] = TILECUT_OUTSIDE;
            labelled += claims_own(all, p);
        }
    }
    return labelled;
}

/* Claims what lies outside of the frame; with `unclaimed`, only pixels that no other source has claimed. */
static void claim_outside(const seeds_frame *frame, claims *all, bool unclaimed)
{
    for (int64_t row = 0; row < all->height; row++) {
        int64_t from, to;
        columns_inside(frame, all, row, &from, &to);
        for (int64_t x = 0; x < all->width; x++) {
            const size_t p = (size_t)row * (size_t)all->width + (size_t)x;
            if ((x < from || x >= to) && !(unclaimed && all->bits[p])) claim(all, p, CLAIM_OUTSIDE);
        }
    }
}

static int apply_box(const seeds_request *request, const char *name, claims *all, notes *log, failure *why)
{
    double box[6];
    int64_t size[3], hundredth[3];
    seeds_frame frame;
    if (!(all->slice ? request->volume_box_given : request->box_given)) return EXIT_DONE;
    box_of(request, all, box);
    STEP(frame_of(box, name, all, &frame, log, why));
    all->boxed = all->near_border = true;
    sizes_of(all, size, hundredth);
    for (int k = 0; k < 3; k++)
        all->near_border &= frame.from[k] <= hundredth[k] && size[k] - frame.to[k] <= hundredth[k];
    all->source = 0; /* a box has the lowest rank: all other sources overrule it */
    claims_begin(all, "--box", "box");
    claim_outside(&frame, all, false);
    return EXIT_DONE;
}

/* Claims the border of the photo, or the faces of a scan of several slices, as background, except where they are
 * painted. An axis of one or two voxels of such a scan has no faces. */
static void apply_border(const seeds_request *request, claims *all, notes *log)
{
    seeds_frame within;
    int64_t size[3], hundredth[3];
    sizes_of(all, size, hundredth);
    for (int k = 0; k < 3; k++) {
        within.from[k] = claims_deep(all) ? size[k] > 2 : k < 2;
        within.to[k] = size[k] - within.from[k];
    }
    claims_begin(all, "border", "box");
    all->source = 0; /* only pixels that no other source has claimed */
    claim_outside(&within, all, true);
    for (int i = 0; i < request->stroke_count; i++)
        if (!request->strokes[i].foreground) {
            note(log, "all strokes are single points, so the border of the %s counts as background, too; a longer "
                 "stroke or --box %s says more", all->slice ? "slice" : "photo",
                 all->slice ? "X,Y,Z,W,H,D" : "X,Y,W,H");
            return;
        }
    if (claims_deep(all))
        note(log, "no background is named, so the faces of the scan count as background; --bg \"X,Y,Z X,Y,Z\" or --box "
             "X,Y,Z,W,H,D names it");
    else
        note(log, "no background is named, so the border of the %s counts as background; --bg \"X,Y X,Y\" or --box "
             "X,Y,W,H names it", all->slice ? "slice" : "photo");
}

int seeds_apply_drawn(const seeds_request *request, const char *name, claims *all, notes *log, failure *why)
{
    STEP(seeds_apply_strokes(request, name, all, log, why));
    STEP(apply_box(request, name, all, log, why));
    if (seeds_are_clicks(request, claims_deep(all))) apply_border(request, all, log);
    return EXIT_DONE;
}
