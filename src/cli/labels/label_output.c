/* SPDX-License-Identifier: MIT */
#include "label_output.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "annotation.h"
#include "image.h"
#include "paint.h"
#include "tilecut_volume.h"

/* ---- A file of all labels ----------------------------------------------------------------------- */

int label_output_check(const char *path, const char *as, bool spatial, failure *why)
{
    const annotation_format *format = NULL;
    if (spatial && as) return fail(why, EXIT_USAGE, "--format: is for photos; a volume's extension names its format");
    if (spatial) return scan_can_write(path, 0, why);
    STEP(annotation_choose(path, as, &format, why));
    if (!format) return image_can_write_as(path, as, IMAGE_GREY, 1, why);
    if (annotation_holds_many(format)) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "%s: holds one object; name a .png, .labelme.json, .coco.json or .geojson", path);
}

/* Returns the name of label i; if it has none, writes its number to `room` and returns that. */
static const char *name_of(const label_result *r, int i, char room[8])
{
    snprintf(room, 8, "%d", i);
    return *r->legend->of.name[i] ? r->legend->of.name[i] : room;
}

static int encode_shapes(const label_result *r, const annotation_format *format, bytes *sink, failure *why)
{
    annotation_object object[256];
    char number[256][8];
    annotation_about about = {.photo = annotation_base(file_input_name(r->path)), .width = r->photo->width,
                              .height = r->photo->height, .place = r->place, .object = object};
    for (int i = 1; i < 255; i++)
        if (r->seeds[i] && i != r->background)
            object[about.objects++] = (annotation_object){name_of(r, i, number[i]), (uint8_t)i};
    return annotation_encode(format, &about, r->labels, sink, why);
}

static bool is_segmentation(const char *path)
{
    const size_t length = strlen(path), end = strlen(".seg.nrrd");
    return length > end && !strcasecmp(path + length - end, ".seg.nrrd");
}

/* Encodes a volume's label map. In 3D Slicer's segmentations every label needs a name, so labels without one get their
 * number as name. */
static int encode_volume(const label_result *r, const char *path, bytes *sink, failure *why)
{
    scan_names names = r->legend->of;
    scan labels = {.width = r->volume->width, .height = r->volume->height, .depth = r->volume->depth,
                   .type = TILECUT_VOXEL_U8, .voxels = (void *)(uintptr_t)r->labels, .slope = 1};
    for (int i = 1; i < 255; i++)
        if (!*names.name[i]) snprintf(names.name[i], sizeof names.name[i], "%d", i);
    if (is_segmentation(path)) labels.names = &names;
    return scan_encode(path, &labels, r->volume, sink, why);
}

int label_output_encode(const label_result *r, const char *path, const char *as, bytes *sink, failure *why)
{
    const annotation_format *format = NULL;
    if (r->volume) return encode_volume(r, path, sink, why);
    STEP(annotation_choose(path, as, &format, why));
    if (format) return encode_shapes(r, format, sink, why);
    const image_view view = {.width = r->photo->width, .height = r->photo->height, .channels = 1, .depth = 8,
                             .pixels = r->labels, .place = r->place,
                             .palette = (const uint8_t(*)[3])r->legend->of.color};
    return image_encode_as(path, as, IMAGE_GREY, &view, sink, why);
}

int label_output_table(const label_result *r, bytes *sink, failure *why)
{
    char line[160], number[8];
    const char *const pixels = r->volume ? "voxels" : "pixels";
    int length = snprintf(line, sizeof line, "index\tname\tcolor\t%s\n", pixels);
    bool room = bytes_append(sink, line, (size_t)length);
    for (int i = 1; room && i < 255; i++) {
        const uint8_t *const c = r->legend->of.color[i];
        if (!r->seeds[i]) continue;
        length = snprintf(line, sizeof line, "%d\t%s\t#%02x%02x%02x\t%" PRId64 "\n", i, name_of(r, i, number), c[0],
                          c[1], c[2], r->found[i]);
        room = bytes_append(sink, line, (size_t)length);
    }
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory for the table of labels");
}

void label_output_areas(json *j, const label_legend *legend, const int64_t *seeds, const int64_t *found,
                        const char *unit)
{
    json_open(j, "areas", '[');
    for (int i = 1; i < 256; i++) {
        if (seeds ? !seeds[i] : found[i] < 0) continue;
        json_open(j, NULL, '{');
        json_integer(j, "label", i);
        json_text(j, "name", *legend->of.name[i] ? legend->of.name[i] : NULL);
        if (seeds) json_integer(j, "seeds", seeds[i]);
        json_integer(j, unit, found[i]);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void label_output_shares(const label_result *r, char *text, size_t size)
{
    enum { MOST = 8 };
    char number[8];
    int64_t all = 0;
    int named = 0;
    size_t used = 0;
    for (int i = 0; i < 256; i++) all += r->found[i];
    *text = '\0';
    for (int i = 1; i < 255; i++) {
        if (!r->found[i] || named++ >= MOST) continue;
        const int length = snprintf(text + used, size - used, "%s%s %.3g %%", used ? ", " : "", name_of(r, i, number),
                                    100 * (double)r->found[i] / (double)all);
        if (length < 0 || (size_t)length >= size - used) return;
        used += (size_t)length;
    }
    if (named > MOST) snprintf(text + used, size - used, " and %d more", named - MOST);
}

/* ---- A cutout a label --------------------------------------------------------------------------- */

int label_output_name_cutouts(const label_result *r, const char *folder, outputs *all, output *cutouts[256],
                              char *names[256], failure *why)
{
    char number[8], ending[80];
    for (int i = 1; i < 255; i++) {
        const char *path = folder;
        if (!r->seeds[i] || i == r->background) continue;
        snprintf(ending, sizeof ending, "_%s.png", name_of(r, i, number));
        for (char *c = ending; *c; c++)
            if (*c == '/' || *c == '\\' || iscntrl((unsigned char)*c)) *c = '_';
        const int status = outputs_name(&path, r->path, ending, &names[i], why);
        if (status) return status;
        if (!names[i]) return fail(why, EXIT_USAGE, "--cutouts: %s is no folder; a cutout a label goes there", folder);
        cutouts[i] = outputs_add(all, "--cutouts", path, true);
    }
    return EXIT_DONE;
}

/* Makes `mask` and `seeds` of one label against all others. */
static void single_out(const label_result *r, const uint8_t *labels, int label, uint8_t *mask, uint8_t *seeds)
{
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    for (size_t p = 0; p < pixels; p++) {
        const int seed = labels[p];
        mask[p] = r->labels[p] == label ? 255 : 0;
        seeds[p] = (uint8_t)(!seed           ? TILECUT_UNKNOWN
                             : seed == label ? TILECUT_FOREGROUND
                                             : TILECUT_BACKGROUND);
    }
}

static int cut_one(const label_result *r, const label_cutting *from, const masked_photo *of, output *to, failure *why)
{
    const bool soft = from->edge->kind != EDGE_HARD;
    const matting_request how = {from->edge, from->threads, true, from->memory};
    matte edge = {0};
    image painted = {0};
    int64_t band;
    int status = soft ? matting_make(of, r->photo, &how, &edge, &band, why) : EXIT_DONE;
    if (!status) status = paint_cutout(of->photo, of->mask, soft ? &edge : NULL, NULL, false, &painted, why);
    matte_free(&edge);
    if (status) return status;
    const image_view view = image_as_view(&painted);
    status = image_encode(to->path, IMAGE_CUTOUT, &view, &to->data, why);
    image_free(&painted);
    return status;
}

int label_output_cut(const label_result *r, const label_cutting *from, output *const cutouts[256], failure *why)
{
    const size_t pixels = (size_t)r->photo->width * (size_t)r->photo->height;
    uint8_t *const mask = malloc(2 * pixels);
    int status = mask ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its cutouts", r->path);
    for (int i = 1; !status && i < 255; i++) {
        if (!cutouts[i]) continue;
        single_out(r, from->seeds, i, mask, mask + pixels);
        status = cut_one(r, from, &(masked_photo){from->photo, mask, mask + pixels}, cutouts[i], why);
    }
    free(mask);
    return status;
}
