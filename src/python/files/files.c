/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotated.h"
#include "score.h"
#include "seeds.h"
#include "yolo_lines.h"

static int report(const failure *why, int status, char *sentence, size_t room)
{
    if (status) snprintf(sentence, room, "%s", why->text);
    return status;
}

/* Writes the error sentence like report(); without an error, writes the notes, a line each, as far as there is room.
 * Empties `log`. */
static int report_all(const failure *why, notes *log, int status, char *sentence, size_t room)
{
    size_t used = 0;
    *sentence = '\0';
    for (int i = 0; !status && i < log->count && used + 1 < room; i++) {
        snprintf(sentence + used, room - used, "%s%s", i ? "\n" : "", log->text[i]);
        used = strlen(sentence);
    }
    notes_free(log);
    return report(why, status, sentence, room);
}

static image image_of(const files_picture *picture)
{
    return (image){.width = picture->width, .height = picture->height, .channels = picture->channels,
                   .depth = picture->depth, .pixels = picture->pixels, .orientation = 1, .format = "array"};
}

/* ---- Pictures ------------------------------------------------------------------------------------ */

/* Removes the alpha samples and moves the others together. */
static void drop_alpha(image *picture)
{
    const size_t sample = (size_t)picture->depth / 8, pixel = (size_t)picture->channels * sample;
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    if (picture->channels % 2 != 0) return;
    for (size_t p = 0; p < pixels; p++)
        memmove(picture->pixels + p * (pixel - sample), picture->pixels + p * pixel, pixel - sample);
    picture->channels--;
}

int files_image(const char *path, files_picture *out, char *sentence, size_t room)
{
    image picture;
    failure why = {0};
    notes log = {0};
    const int status = image_read(path, NULL, &picture, &log, &why);
    if (report_all(&why, &log, status, sentence, room)) return status;
    drop_alpha(&picture);
    *out = (files_picture){picture.width, picture.height, picture.channels, picture.depth, picture.pixels};
    picture.pixels = NULL;
    image_free(&picture);
    return EXIT_DONE;
}

void files_free(files_picture *picture)
{
    free(picture->pixels);
    picture->pixels = NULL;
}

/* ---- Seeds --------------------------------------------------------------------------------------- */

static int request_of(const files_reading *reading, seeds_request *request, failure *why)
{
    seeds_request_init(request);
    if (reading->format && !seeds_format_parse(reading->format, &request->format))
        return fail(why, EXIT_USAGE, "format: '%s' is no way to read seeds", reading->format);
    if (reading->conflict && !seeds_conflict_parse(reading->conflict, &request->conflict))
        return fail(why, EXIT_USAGE, "conflict: '%s' is not error, fg, bg, drop or last", reading->conflict);
    if (reading->fg_color && !seeds_color_parse(reading->fg_color, &request->fg_color))
        return fail(why, EXIT_USAGE, "fg_color: '%s' is not a colour such as #00ff00", reading->fg_color);
    if (reading->bg_color && !seeds_color_parse(reading->bg_color, &request->bg_color))
        return fail(why, EXIT_USAGE, "bg_color: '%s' is not a colour such as #ff0000", reading->bg_color);
    if (reading->yolo && yolo_parse(reading->yolo, &request->limits.rules.yolo))
        return fail(why, EXIT_USAGE, "yolo: '%s' is not boxes, polygons or tracks", reading->yolo);
    request->limits.rules.strict = reading->strict;
    if (reading->tolerance >= 0) request->tolerance = reading->tolerance;
    if (reading->band >= 0) request->band = reading->band, request->band_given = true;
    if (reading->brush >= 0) request->brush = reading->brush;
    request->label = reading->label;
    request->box_given = reading->box != NULL;
    if (reading->box) memcpy(request->box, reading->box, sizeof request->box);
    return EXIT_DONE;
}

int files_seeds(const files_picture *photo, const char *photo_name, const files_reading *reading, uint8_t *labels,
                char *sentence, size_t room)
{
    const image picture = image_of(photo);
    seeds_request request;
    seeds got = {0};
    failure why = {0};
    notes log = {0};
    int status = request_of(reading, &request, &why);
    request.files = reading->paths;
    request.file_count = reading->count;
    if (!status) status = seeds_read(&request, &picture, photo_name, &got, &log, &why);
    if (!status) memcpy(labels, got.label, (size_t)photo->width * (size_t)photo->height);
    seeds_free(&got);
    seeds_request_free(&request);
    return report_all(&why, &log, status, sentence, room);
}

/* ---- Masks --------------------------------------------------------------------------------------- */

int files_write(const char *path, const files_picture *mask, const char *format, const char *label, const char *photo,
                char *sentence, size_t room)
{
    const annotation_about about = {.photo = photo ? annotation_base(photo) : "", .label = label ? label : "object"};
    const image picture = image_of(mask);
    const image_view view = {.width = picture.width, .height = picture.height, .channels = 1, .depth = 8,
                             .pixels = picture.pixels};
    bytes file = {0};
    failure why = {0};
    int status = annotated_can_write(path, format, &why);
    if (!status) status = annotated_encode(path, format, &about, &view, &file, &why);
    if (!status) status = file_write(path, file.data, file.size, &why);
    bytes_free(&file);
    return report(&why, status, sentence, room);
}

/* ---- Scores -------------------------------------------------------------------------------------- */

int files_score(const files_picture *mask, const files_picture *truth, files_figures *out, char *sentence, size_t room)
{
    const image one = image_of(mask), other = image_of(truth);
    score found;
    failure why = {0};
    const int status = score_pair(&one, "mask", &other, "truth", &found, &why);
    if (!status)
        *out = (files_figures){found.labelled, found.wrong, found.error_rate, found.iou, found.boundary_f};
    return report(&why, status, sentence, room);
}
