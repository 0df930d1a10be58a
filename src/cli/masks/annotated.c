/* SPDX-License-Identifier: MIT */
#include "annotated.h"

bool annotated_has_outlines(const char *path, const char *as)
{
    const annotation_format *format;
    failure ignored;
    return annotation_choose(path, as, &format, &ignored) == EXIT_DONE && annotation_has_outlines(format);
}

bool annotated_is_smooth(const char *path, const char *as, outline_kind kind)
{
    const annotation_format *format;
    failure ignored;
    if (annotation_choose(path, as, &format, &ignored) != EXIT_DONE || !annotation_has_outlines(format)) return false;
    return kind == OUTLINE_SMOOTH || (kind == OUTLINE_USUAL && format == &annotation_svg);
}

int annotated_text(const annotation_request *request, const bytes *text, image *out, notes *log, failure *why)
{
    const int width = request->width, height = request->height;
    shapes all;
    *out = (image){.orientation = 1, .format = "JSON"};
    STEP(annotation_read(request, text->data, text->size, &all, log, why));
    int status = annotation_fit(request, &all, width, height, why);
    if (!status) status = image_allocate(request->name, width, height, 1, 8, out, why);
    if (!status) status = annotation_paint(request, &all, width, height, out->pixels, log, why);
    shapes_free(&all);
    if (status) image_free(out);
    return status;
}

int annotated_mask(const annotation_request *request, image *pic, notes *log, failure *why)
{
    image out;
    STEP(annotated_text(request, &pic->text, &out, log, why));
    image_free(pic);
    *pic = out;
    return EXIT_DONE;
}

int annotated_can_write(const char *path, const char *as, failure *why)
{
    const annotation_format *format;
    STEP(annotation_choose(path, as, &format, why));
    return format ? EXIT_DONE : image_can_write_as(path, as, IMAGE_MASK, 1, why);
}

int annotated_encode(const char *path, const char *as, const annotation_about *about, const image_view *mask,
                     bytes *sink, failure *why)
{
    const annotation_format *format;
    annotation_about what = *about;
    STEP(annotation_choose(path, as, &format, why));
    if (!format) return image_encode_as(path, as, IMAGE_MASK, mask, sink, why);
    what.width = mask->width;
    what.height = mask->height;
    what.place = mask->place;
    return annotation_encode(format, &what, mask->pixels, sink, why);
}
