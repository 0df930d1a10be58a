/* SPDX-License-Identifier: MIT
 *
 * score_metric.c - the scores of one mask against its truth.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "annotated.h"
#include "distance.h"
#include "mask_file.h"
#include "pixel.h"
#include "score.h"

static const double BOUNDARY_TOLERANCE = 0.0075; /* of the diagonal */

/* Returns the largest sample of the first channel. */
static uint32_t largest_of(const image *pic)
{
    uint32_t most = 0;
    for (size_t p = 0; p < image_area(pic); p++) {
        const uint32_t sample = sample_at(pic, p * (size_t)pic->channels);
        most = sample > most ? sample : most;
    }
    return most;
}

/* Returns the grey level of a pixel, 0 to 255; in a picture of only 0 and 1, 1 becomes 255. */
static int level_of(const image *pic, uint32_t largest, size_t p)
{
    const int level = argb_channel(picture_argb(pic, p), 0);
    return largest != 1 ? level : sample_at(pic, p * (size_t)pic->channels) ? 255 : 0;
}

static int check_levels(const image *mask, const char *name, failure *why)
{
    int64_t level[256] = {0};
    for (size_t p = 0; p < image_area(mask); p++) level[argb_channel(picture_argb(mask, p), 1)]++;
    return mask_file_check_levels(name, level, EXIT_INPUT, why);
}

static int check_mask(const image *mask, const char *name, failure *why)
{
    const uint32_t largest = largest_of(mask);
    for (size_t p = 0; p < image_area(mask); p++) {
        const uint32_t argb = picture_argb(mask, p);
        if (!argb_grey(argb) || argb_transparent(argb))
            return fail(why, EXIT_INPUT, "%s: is %s; a mask is grey, 0 background and 255 foreground", name,
                        argb_grey(argb) ? "transparent in places" : "in colour");
    }
    if (largest < 2 || largest > sample_max(mask) / 2) return check_levels(mask, name, why);
    return fail(why, EXIT_INPUT, "%s: has no foreground, its largest value is %u of %u; foreground is the upper half, "
                "or 1 in a mask of 0 and 1, and label maps are compared with --labels", name, largest,
                sample_max(mask));
}

static int check_truth(const image *truth, const char *name, failure *why)
{
    const uint32_t largest = largest_of(truth);
    int64_t judged = 0;
    for (size_t p = 0; p < image_area(truth); p++) {
        uint32_t argb = picture_argb(truth, p);
        if (largest == 1 && argb_grey(argb)) argb |= level_of(truth, largest, p) ? 0xffffff : 0;
        const uint32_t rgb = argb & 0xffffff;
        if (argb_transparent(argb) || (rgb != 0 && rgb != 0x808080 && rgb != 0xffffff)) {
            const int x = (int)(p % (size_t)truth->width), y = (int)(p / (size_t)truth->width);
            if (argb_grey(argb) && !argb_transparent(argb))
                return fail(why, EXIT_INPUT, "%s: holds %d at %d,%d; truth is 0 background, 255 foreground, 128 not "
                            "judged", name, argb_channel(argb, 0), x, y);
            return fail(why, EXIT_INPUT,
                        "%s: is %s; truth is grey, 0 background, 255 foreground, 128 not judged", name,
                        argb_grey(argb) ? "transparent in places" : "in colour");
        }
        judged += rgb != 0x808080;
    }
    if (!judged) return fail(why, EXIT_INPUT, "%s: is 128 everywhere, so nothing is judged", name);
    return EXIT_DONE;
}

static void trace_boundary(const uint8_t *inside, int width, int height, uint8_t *boundary)
{
    const size_t w = (size_t)width;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = (size_t)y * w + (size_t)x;
            // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): a picture has at least one pixel
            boundary[p] = inside[p] && ((x > 0 && !inside[p - 1]) || (x < width - 1 && !inside[p + 1]) ||
                                        (y > 0 && !inside[p - w]) || (y < height - 1 && !inside[p + w]));
        }
}

/* Computes the share of the boundary `of` that lies within `radius` of the boundary `to`; `scratch` has the same
 * size. */
static bool matched(const uint8_t *of, const uint8_t *to, int width, int height, double radius,
                    uint8_t *scratch, double *share)
{
    if (!distance_within(to, width, height, radius, scratch)) return false;
    int64_t all = 0, near = 0;
    for (size_t p = 0; p < (size_t)width * (size_t)height; p++) {
        all += of[p];
        near += of[p] && scratch[p];
    }
    *share = all ? (double)near / (double)all : -1; /* -1 means that there is no boundary */
    return true;
}

/* Computes the F measure of the boundaries. `mask` and `truth` hold 0 and 1 on entry, and their boundaries on
 * return. */
static bool boundary_f(uint8_t *mask, uint8_t *truth, int width, int height, double *out)
{
    const size_t pixels = (size_t)width * (size_t)height;
    const double radius = BOUNDARY_TOLERANCE * hypot(width, height);
    double precision, recall;
    uint8_t *scratch = malloc(pixels);
    if (!scratch) return false;
    trace_boundary(mask, width, height, scratch);
    memcpy(mask, scratch, pixels);
    trace_boundary(truth, width, height, scratch);
    memcpy(truth, scratch, pixels);
    const bool done = matched(mask, truth, width, height, radius, scratch, &precision) &&
                      matched(truth, mask, width, height, radius, scratch, &recall);
    free(scratch);
    if (!done) return false;
    if (precision < 0 && recall < 0)
        *out = 1;
    else
        *out = precision > 0 && recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
    return true;
}

/* Counts pixels, and writes the labels 0 and 1 to `m` and `t`. Where pixels are not judged, `t` copies `m`. */
static void compare(const image *mask, const image *truth, uint8_t *m, uint8_t *t, score *out)
{
    const uint32_t most = largest_of(mask), most_true = largest_of(truth);
    int64_t both = 0, either = 0;
    for (size_t p = 0; p < image_area(mask); p++) {
        const int in_truth = level_of(truth, most_true, p);
        m[p] = level_of(mask, most, p) >= 128;
        t[p] = in_truth == 128 ? m[p] : in_truth == 255;
        if (in_truth == 128) continue;
        out->labelled++;
        out->wrong += m[p] != t[p];
        both += m[p] && t[p];
        either += m[p] || t[p];
    }
    out->error_rate = (double)out->wrong / (double)out->labelled;
    out->iou = either ? (double)both / (double)either : 1;
}

int score_pair(const image *mask, const char *mask_name, const image *truth, const char *truth_name, score *out,
               failure *why)
{
    memset(out, 0, sizeof *out);
    if (mask->width != truth->width || mask->height != truth->height)
        return fail(why, EXIT_INPUT, "%s: is %dx%d but %s is %dx%d; a mask has the size of its truth",
                    mask_name, mask->width, mask->height, truth_name, truth->width, truth->height);
    int status = check_mask(mask, mask_name, why);
    if (!status) status = check_truth(truth, truth_name, why);
    if (status) return status;
    uint8_t *m = malloc(image_area(mask)), *t = malloc(image_area(mask));
    bool room = m && t;
    if (room) {
        compare(mask, truth, m, t, out);
        room = boundary_f(m, t, mask->width, mask->height, &out->boundary_f);
    }
    free(m);
    free(t);
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", mask_name);
}

/* Excludes the pixels that the mask marks as ignored from judging. */
static void ignore_unknown(image *mask, image *truth)
{
    for (size_t p = 0; p < image_area(mask); p++)
        if (mask->pixels[p] == 128)
            for (int c = 0; c < truth->channels - (truth->channels % 2 == 0); c++)
                sample_set(truth, p * (size_t)truth->channels + (size_t)c, truth->depth == 16 ? 0x8080 : 0x80);
}

/* Paints annotations as a picture with the size of the other file. */
static int paint_shapes(const score_pair_of *of, image *mask, image *truth, notes *log, failure *why)
{
    const bool shaped = of->text ? !of->drawn_truth : mask->text.data != NULL;
    const char *const path = shaped ? of->mask : of->truth, *const other = shaped ? of->truth : of->mask;
    image *const to = shaped ? mask : truth, *const like = shaped ? truth : mask, drawn;
    const bytes *const text = of->text ? of->text : &to->text;
    const annotation_request about = {.name = file_input_name(path), .photo = of->photo ? of->photo : other,
                                      .width = like->width, .height = like->height, .place = &like->place,
                                      .of_mask = true, .by_name = of->photo != NULL,
                                      .missed = shaped ? of->missed : NULL, .memo = of->memo,
                                      .rules = of->rules};
    if (mask->text.data && truth->text.data)
        return fail(why, EXIT_INPUT, "%s: is an annotation file like %s; read from standard input, it is compared with "
                    "pictures alone", of->mask, of->truth);
    if (!text->data) return EXIT_DONE;
    STEP(annotated_text(&about, text, &drawn, log, why));
    image_free(to);
    *to = drawn;
    if (shaped) ignore_unknown(mask, truth);
    return EXIT_DONE;
}

int score_files(const score_pair_of *of, score *out, notes *log, failure *why)
{
    static const image_limits with_shapes = {.annotations = true};
    image mask = {0}, truth = {0};
    int status = of->text && !of->drawn_truth ? EXIT_DONE : image_read(of->mask, &with_shapes, &mask, log, why);
    if (!status && !(of->text && of->drawn_truth)) status = image_read(of->truth, &with_shapes, &truth, log, why);
    if (!status) status = paint_shapes(of, &mask, &truth, log, why);
    if (!status) status = score_pair(&mask, of->mask, &truth, of->truth, out, why);
    image_free(&mask);
    image_free(&truth);
    return status;
}
