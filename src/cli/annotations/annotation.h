/* SPDX-License-Identifier: MIT
 *
 * annotation.h - annotation files describe masks and seeds by shapes instead of pixels: JSON, XML or text of
 * many tools. One table of formats; a format is one file annotation_*.c and one row in annotations.def.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "georeference.h"
#include "json.h"
#include "json_reader.h"
#include "shapes.h"

/* What the first reading of a text has found. When the same text is read again for another picture, not all of it has
 * to be read, and the result is the same. Zero-initialise; annotation_memo_free() at the end. */
typedef struct annotation_memo {
    const struct annotation_format *format; /* NULL: not known yet */
    json_mark begin, end; /* COCO's list of annotations; begin.at NULL: not read yet      */
    bytes places, ids;    /* the place of each annotation, and the ids of their pictures; owned */
} annotation_memo;

/* Names of labels, each once, in the order of the file. Zero-initialise; bytes_free(&names) at the end. */
typedef struct annotation_labels {
    bytes names; /* each with a 0 at the end */
    bool lacks;  /* memory ran out           */
} annotation_labels;

/* Which shapes of a file are wanted. */
typedef struct annotation_request {
    const char *name;  /* the file's name for messages                                                */
    const char *photo; /* the photo's path, because a file may describe several photos; NULL: unknown */
    const char *id;    /* "#7": the picture's number, known from another file; NULL: the one in the photo's name */
    const char *label; /* only shapes with this label, and background; NULL: all shapes */
    struct annotation_labels *labels; /* NULL, or a list to which the labels of all shapes and categories are added */
    int width, height; /* the photo's size, for formats that use fractions of it; 0: unknown */
    const georeference *place; /* where the photo lies on earth; NULL: not known             */
    int object;        /* only this one of the file's objects, counted from 1; 0: all */
    bool strict;       /* a shape that cannot be read makes the file an error; else it is left out with a note */
    bool of_mask;      /* `photo` is a mask of the photo, whose name may go on */
    bytes *names;      /* NULL, or a list to which annotation_names() adds the names of the file's pictures */
    bool by_name;      /* the file must name the photo, and may say that nothing is on it         */
    /* set if a list of results does not name the photo: it then counts as empty; NULL: that is an error */
    bool *missed;
    annotation_memo *memo; /* what was found in this text before; NULL: the text is read only once */
} annotation_request;

/* Reads the shapes that a file has for a photo, in their order. EXIT_INPUT: an error, with its line. EXIT_SEEDS:
 * nothing in the file is about the photo, or has the label; or nobody has said which of several pictures is meant (with
 * by_name this is EXIT_INPUT). Then `out` is empty. After EXIT_DONE it is empty if all shapes were left out, or with
 * by_name if the file says so. */
int annotation_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                    failure *why);

/* Appends to `names`, for each picture that the file names, its name and its number as "#7", both with a 0 at the end.
 * The number may be empty; a file may also name no picture at all. The order is that of the file, with repetitions.
 * EXIT_INPUT, EXIT_RESOURCES. */
int annotation_names(const char *name, const uint8_t *data, size_t size, bytes *names, failure *why);

void annotation_memo_free(annotation_memo *memo);

/* How many objects the file has on the photo; 0 if it cannot be read. */
int annotation_objects(const annotation_request *request, const uint8_t *data, size_t size);

/* Converts coordinates on earth to places in the photo. EXIT_SEEDS, or with by_name EXIT_INPUT, if they lie away from
 * the photo, or if the file describes a picture of another size. */
int annotation_fit(const annotation_request *request, shapes *all, int width, int height, failure *why);

/* Fills `out`: 255 where the last shape on a pixel belongs to an object, 128 where the pixel is to be ignored, and 0
 * elsewhere. Lines cover no pixels; a note says how many there are. EXIT_SEEDS: the shapes of objects cover no pixel;
 * EXIT_INPUT: no shape could be read. */
int annotation_paint(const annotation_request *request, const shapes *all, int width, int height, uint8_t *out,
                     notes *log, failure *why);

/* ---- Writing ---- */

/* One object of a label map: the pixels that have `value`. */
typedef struct annotation_object {
    const char *label;
    uint8_t value;
} annotation_object;

/* What a mask shows. */
typedef struct annotation_about {
    const char *photo; /* the photo's file name, without folders */
    const char *label; /* the object's label, where the mask is not 0 */
    int width, height;
    const georeference *place; /* where the mask lies on earth; NULL: not known */
    const uint16_t *alpha; /* of its pixels: outlines run through pixels along it; NULL: they run between pixels */
    const annotation_object *object; /* objects of a label map, in place of `label`; several formats can hold them */
    int objects;
    uint8_t *room;     /* annotation_encode()'s */
} annotation_about;

typedef struct annotation_format annotation_format;

/* Name of the index-th format that can be written, as --format accepts it; NULL past the end. Static. */
const char *annotation_name(int index);

/* Chooses the format of the file `path`: by the name of a format in `as`, or, if that is NULL, by the extension.
 * EXIT_DONE with format NULL: it is no annotation format, so the file is a picture. EXIT_USAGE: `path` ends with .json,
 * which several formats use. */
int annotation_choose(const char *path, const char *as, const annotation_format **format, failure *why);

/* Whether files of that format contain outlines. */
bool annotation_has_outlines(const annotation_format *format);

/* Whether a file of that format can hold several objects. */
bool annotation_holds_many(const annotation_format *format);

/* Appends the file to `sink`. `mask`: width * height bytes, not 0 where it is foreground. EXIT_RESOURCES: no memory. */
int annotation_encode(const annotation_format *format, const annotation_about *about, const uint8_t *mask, bytes *sink,
                      failure *why);

/* One line per format for `tilecut info` and the help; NULL past the end. */
const char *annotation_format_line(int index);

/* ---- For annotation_*.c ---- */

struct annotation_format {
    const char *name;       /* "labelme": as --format accepts it                               */
    const char *line;       /* for annotation_format_line()                                    */
    const char *extensions; /* " .labelme.json ", with a blank at both ends and between names  */
    const char *keys;       /* " shapes ": JSON with one of these keys outermost; NULL: none       */
    const char *items;      /* keys of the first object if the file is a list; NULL: none          */
    bool (*fits)(json_reader *r); /* for a format that its keys do not reveal, or NULL             */
    bool named;             /* files of this format name their pictures                            */
    const char *roots;      /* " svg ": XML whose outermost element is one of these; NULL: none    */
    /* Adds the wanted shapes to `out`. NULL: the format is not JSON, or can only be written. */
    int (*read)(const annotation_request *request, json_reader *r, shapes *out, notes *log);
    /* Like read(), for a format that is not JSON. */
    int (*read_text)(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                     failure *why);
    bool many;              /* write() gets the objects by annotation_take()                       */
    int (*write)(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why);
    bool without_outlines;  /* what it writes has none */
};

/* Gets object i of those that are written, counted from 0: its label, and its mask, which is valid until the next call.
 * False: there are no more objects. */
bool annotation_take(const annotation_about *about, const uint8_t *mask, int i, const char **label,
                     const uint8_t **its_mask);

#define ANNOTATION(variable) extern const annotation_format annotation_##variable;
#include "annotations.def"
#undef ANNOTATION

/* Whether a shape with this label (NULL: no label) is wanted. *role: object, background or ignored. */
bool annotation_wants(const annotation_request *request, const char *label, shape_role *role);

/* Calls read(context), which adds the shapes of the value at r. If it returns EXIT_INPUT, the value is not a readable
 * shape: it is left out and counted, and reading goes on after it; but with request->strict the file is refused. */
int annotation_try(const annotation_request *request, json_reader *r, shapes *out, int (*read)(void *), void *context);
/* Like annotation_try(), in files that are not JSON: `status` is what reading the shape has returned. */
int annotation_tried(const annotation_request *request, int status, shapes *out, shapes_mark before, failure *why);

/* Chooses among the pictures that a file describes. First call annotation_offer() for each, then annotation_decide(),
 * then annotation_is_chosen() for each. Two pictures of the same name count as one. Zero-initialise;
 * annotation_pictures_free() at the end. */
typedef struct annotation_pictures {
    char *photo; /* the photo's full path; owned */
    char *name, *rival; /* the name that fits best, and another that fits as well; owned */
    int best;
    bool several, no_memory;
    bytes *names;         /* request->names */
    const char *id;       /* number of the picture that is offered next; NULL: it has no number besides its name */
} annotation_pictures;

/* How well a name fits the photo; 0: not at all. The file's name counts most, then the number of folders above it that
 * agree. `name` may be a path or an address; "#7" is a picture of which only the number is known. */
int annotation_rank(const annotation_request *request, annotation_pictures *all, const char *name);
void annotation_offer(annotation_pictures *all, const char *name, int rank);
int annotation_decide(const annotation_request *request, const annotation_pictures *all, notes *log, failure *why);
bool annotation_is_chosen(const annotation_pictures *all, const char *name);
void annotation_pictures_free(annotation_pictures *all);

/* Appends an array of coordinates "[x, y, ...]" to the newest ring. annotation_read_pairs() reads a flat list of
 * pairs; annotation_read_position() reads one pair, and skips numbers after x and y. */
int annotation_read_pairs(json_reader *r, shapes *out);
int annotation_read_position(json_reader *r, shapes *out);
/* Adds those pixels of a picture that are not black. The text is the picture in base64, or a "data:" address of it. Its
 * upper left corner lies at x, y = at[0], at[1]; it has at[2] x at[3] pixels, or one more or less (0: any size). */
int annotation_read_picture(json_reader *r, const json_mark *text, const int at[4], shapes *out);
int annotation_no_memory(const json_reader *r); /* EXIT_RESOURCES, with a sentence */

/* Ends the outermost object and moves the JSON text to `sink`. `room`: false if memory for the outline ran out. */
int annotation_write_end(json *j, bytes *sink, bool room, failure *why);

/* Reads a coordinate. EXIT_INPUT: it lies outside of any picture. */
int annotation_coordinate(json_reader *r, double *value);

/* Reads a side of a picture, 1 .. 65536; 0 for null. */
int annotation_side(json_reader *r, int *side);

/* "folder/cat.jpg" -> "cat.jpg" */
const char *annotation_base(const char *path);
