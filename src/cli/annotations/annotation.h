/* SPDX-License-Identifier: MIT
 *
 * annotation.h - files that say in shapes what pictures of masks and seeds say in pixels: LabelMe, COCO, GeoJSON, SVG.
 * One table of formats; a format is one file annotation_*.c and one row in annotations.def.
 */
#ifndef CLI_ANNOTATION_H
#define CLI_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "json_reader.h"
#include "shapes.h"

/* Which of a file's shapes are wanted. */
typedef struct annotation_request {
    const char *name;  /* of the file, for messages                                     */
    const char *photo; /* its name, as a file may be about several; NULL: not known     */
    const char *label; /* only shapes of that label, and of background; NULL: all       */
} annotation_request;

/* Reads the shapes that a JSON file has for a photo. EXIT_INPUT with the line where something is wrong, EXIT_SEEDS when
 * nothing in it is about the photo, or of the label; `out` is empty then. */
int annotation_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                    failure *why);

/* EXIT_SEEDS when the file is about a picture of another size. */
int annotation_check_size(const annotation_request *request, const shapes *all, int width, int height, failure *why);

/* The union of what shapes cover, background left out: 1 a pixel in `out`, else 0. Lines cover nothing; their number is
 * noted. EXIT_SEEDS: there is nothing that covers anything. */
int annotation_paint(const annotation_request *request, const shapes *all, int width, int height, uint8_t *out,
                     notes *log, failure *why);

/* ---- Writing ---- */

/* What a mask is of. */
typedef struct annotation_about {
    const char *photo; /* name of its file, without folders */
    const char *label; /* of the object                     */
    int width, height;
} annotation_about;

typedef struct annotation_format annotation_format;

/* Format `index` of those that can be written, by the name that --format takes; NULL past the end. Static. */
const char *annotation_name(int index);

/* Which format `path` would be written in, by its extension or by `as`, the name of a format or NULL. NULL, with
 * EXIT_DONE: none of these, so it is a picture. EXIT_USAGE: `path` ends with .json, which does not tell which. */
int annotation_choose(const char *path, const char *as, const annotation_format **format, failure *why);

/* Appends the file to `sink`. `mask`: width * height bytes, not 0 where it is foreground. EXIT_RESOURCES: no memory. */
int annotation_encode(const annotation_format *format, const annotation_about *about, const uint8_t *mask, bytes *sink,
                      failure *why);

/* One line per format for `tilecut info` and the help; NULL past the end. */
const char *annotation_format_line(int index);

/* ---- For annotation_*.c ---- */

struct annotation_format {
    const char *name;       /* "labelme": as --format takes it                                 */
    const char *line;       /* for annotation_format_line()                                    */
    const char *extensions; /* " .labelme.json ", blank at both ends and between               */
    const char *keys;       /* " shapes ": JSON with one of these keys outermost; NULL: not read */
    /* Adds what is wanted to `out`. NULL where it is only written. */
    int (*read)(const annotation_request *request, json_reader *r, shapes *out, notes *log);
    int (*write)(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why);
};

#define ANNOTATION(variable) extern const annotation_format annotation_##variable;
#include "annotations.def"
#undef ANNOTATION

/* Whether a shape of that label (NULL: it has none) is wanted, and whether it is background. */
bool annotation_wants(const annotation_request *request, const char *label, bool *background);

/* An array of coordinates "[x, y, ...]" appended as points of the ring begun last: `flat` as one list of pairs, else
 * one pair, of which what follows x and y is passed over. */
int annotation_read_pairs(json_reader *r, shapes *out);
int annotation_read_position(json_reader *r, shapes *out);

/* EXIT_INPUT where a number is beyond any picture. */
int annotation_coordinate(json_reader *r, double *value);

/* The sides of a picture, 1 .. 65536, or 0 for null. */
int annotation_side(json_reader *r, int *side);

/* "folder/cat.jpg" -> "cat.jpg" */
const char *annotation_base(const char *path);

#define STEP(call)                                        \
    do {                                                  \
        const int step_status = (call);                   \
        if (step_status != EXIT_DONE) return step_status; \
    } while (0)

#endif
