/* SPDX-License-Identifier: MIT
 *
 * mask_file.c - see mask_file.h. A file whose meaning is uncertain is refused, with a sentence that says what to do.
 */
#include "mask_file.h"

#include <stdlib.h>
#include <string.h>

#include "annotated.h"
#include "pixel.h"
#include "seeds_parts.h"

void mask_file_free(mask_file *mask)
{
    free(mask->foreground);
    memset(mask, 0, sizeof *mask);
}

static int check_size(const char *name, const image *got, const image *photo, const char *photo_name, failure *why)
{
    if (got->width == photo->width && got->height == photo->height) return EXIT_DONE;
    const bool turned = got->width == photo->height && got->height == photo->width;
    const bool scaled = (int64_t)got->width * photo->height == (int64_t)got->height * photo->width;
    return fail(why, EXIT_SEEDS, "%s: is %dx%d but %s is %dx%d; %s", name, got->width, got->height, photo_name,
                photo->width, photo->height,
                turned ? "the mask is turned by a quarter, turn it back (see --exif)"
                : scaled ? "a mask must have the photo's size, scale it"
                         : "a mask must have the photo's size");
}

/* ---- Readings --------------------------------------------------------------------------------- */

static bool has_alpha(const image *pic, const contents *s)
{
    return pic->channels % 2 == 0 && s->transparent > 0;
}

/* True if any pixel is at all transparent. */
static bool is_soft(const image *pic)
{
    if (pic->channels % 2) return false;
    for (size_t p = 0; p < image_area(pic); p++)
        if (picture_argb(pic, p) >> 24 < 255) return true;
    return false;
}

static void read_alpha(const image *pic, uint8_t *out)
{
    for (size_t p = 0; p < image_area(pic); p++) out[p] = (uint8_t)(picture_argb(pic, p) >> 24);
}

int mask_file_check_levels(const char *name, const int64_t level[256], int status, failure *why)
{
    enum { SMALL = 63, RARE = 100 };
    int64_t small = 0, between = 0;
    int first = 0;
    for (int v = 1; v < 255; v++) {
        *(v > SMALL ? &between : &small) += level[v];
        if (!first && level[v]) first = v;
    }
    if (between || small <= level[255] / RARE || !level[255]) return EXIT_DONE;
    return fail(why, status, "%s: holds 0, %d and 255, as a label map does whose 255 is not judged; in a mask 255 is "
                "foreground, and %d is not: make it one of 0 and 255", name, first, first);
}

/* Reads grey samples. In a mask of only 0 and 1, 1 counts as 255. */
static void read_grey(const char *name, const image *pic, const contents *s, uint8_t *out, notes *log)
{
    const bool bits = s->largest == 1;
    if (bits) note(log, "%s: holds 0 and 1 alone; 1 is taken for foreground", name);
    for (size_t p = 0; p < image_area(pic); p++)
        out[p] = bits ? (uint8_t)(sample_at(pic, p * (size_t)pic->channels) ? 255 : 0)
                      : (uint8_t)argb_channel(picture_argb(pic, p), 1);
}

/* Reads a palette with colours: its indices are numbers of objects, and all but index 0 are foreground. */
static void read_palette(const char *name, const image *pic, mask_file *out, notes *log)
{
    bool used[256] = {false};
    for (size_t p = 0; p < image_area(pic); p++) {
        out->foreground[p] = pic->index[p] ? 255 : 0;
        used[pic->index[p]] = true;
    }
    for (int i = 1; i < 256; i++) out->objects += used[i];
    if (out->objects > 1)
        note(log, "%s: its palette numbers %d objects; all of them are taken for foreground; "
             "'tilecut refine --labels' tells them apart", name, out->objects);
}

/* True if the picture consists of one colour and black. */
static bool is_color_on_black(const contents *s)
{
    return s->colors == 2 && (s->common[0].rgb == 0 || s->common[1].rgb == 0);
}

static void read_color(const image *pic, uint8_t *out)
{
    for (size_t p = 0; p < image_area(pic); p++) out[p] = picture_argb(pic, p) & 0xffffff ? 255 : 0;
}

/* Refuses 16-bit samples of at most 255, unless they are those of a mask, 0 and 1 or 0 and 255: they may be
 * probabilities next to 0. */
static int check_depth(const char *name, const image *pic, const contents *s, failure *why)
{
    bool binary = true;
    if (pic->depth == 8 || !s->grey || s->largest <= 1 || s->largest > 255) return EXIT_DONE;
    for (size_t p = 0; binary && p < image_area(pic); p++) {
        const uint32_t v = sample_at(pic, p * (size_t)pic->channels);
        binary = v == 0 || v == 255;
    }
    if (binary) return EXIT_DONE;
    return fail(why, EXIT_SEEDS, "%s: has 16-bit samples of at most %d, which is black; save these values as 8 bits",
                name, s->largest);
}

static int read_values(const char *name, image *pic, contents *s, mask_file *out, notes *log, failure *why)
{
    const bool alpha = has_alpha(pic, s) || (!s->grey && is_soft(pic));
    if (!alpha) {
        STEP(check_depth(name, pic, s, why));
        if (contents_narrow(pic) && !contents_of_picture(pic, s))
            return fail(why, EXIT_RESOURCES, "%s: not enough memory to read the mask", name);
        if (s->grey) STEP(mask_file_check_levels(name, s->level, EXIT_SEEDS, why));
    }
    if (alpha) out->format = "alpha", read_alpha(pic, out->foreground);
    else if (s->grey) out->format = "grey", read_grey(name, pic, s, out->foreground, log);
    else if (pic->index) out->format = "palette", read_palette(name, pic, out, log);
    else if (is_color_on_black(s)) out->format = "colour", read_color(pic, out->foreground);
    else
        return fail(why, EXIT_SEEDS, "%s: is in colour, which says nothing as a mask; give a grey picture, 0 "
                    "background and 255 foreground, or a cutout whose alpha is the mask; strokes go to -s", name);
    return EXIT_DONE;
}

int mask_file_read(const char *path, const seeds_request *request, const image *photo, const char *photo_name,
                   mask_file *out, notes *log, failure *why)
{
    const char *const name = file_input_name(path);
    const image_limits *const limits = &request->limits;
    const annotation_request about = {.name = name, .photo = photo_name, .label = request->label, .width = photo->width,
                                      .height = photo->height, .place = &photo->place, .rules = limits->rules,
                                      .by_name = limits->named, .object = limits->object};
    image_limits with_shapes = *limits;
    image pic = {0};
    contents seen;
    *out = (mask_file){0};
    with_shapes.annotations = true;
    int status = image_read(path, &with_shapes, &pic, log, why);
    const bool annotated = pic.text.data != NULL;
    if (annotated) status = annotated_mask(&about, &pic, log, why);
    if (!status) status = check_size(name, &pic, photo, photo_name, why);
    if (!status) out->foreground = malloc(image_area(&pic));
    if (!status && (!out->foreground || !contents_of_picture(&pic, &seen)))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to read the mask", name);
    if (!status) status = read_values(name, &pic, &seen, out, log, why);
    if (annotated) out->format = "annotation";
    for (size_t p = 0; !status && p < image_area(&pic); p++) out->inside += out->foreground[p] >= 128;
    image_free(&pic);
    if (status) mask_file_free(out);
    return status;
}
