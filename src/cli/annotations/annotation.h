/* SPDX-License-Identifier: MIT
 *
 * annotation.h - annotation files describe masks and seeds by shapes instead of pixels. Many tools write them, as JSON,
 * XML or text. There is one table of formats; a format is one file annotation_*.c and one row in annotations.def.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "georeference.h"
#include "image.h"
#include "json.h"
#include "json_reader.h"
#include "shapes.h"

/* Keeps what the first reading of a text has found, so that reading the same text again for another picture can skip
 * parts of it. The result is the same as without a memo. Zero-initialise; annotation_memo_free() at the end. */
typedef struct annotation_memo {
    const struct annotation_format *format; /* NULL: not known yet */
    json_mark begin, end; /* where COCO's list of annotations lies; begin.at is NULL until it has been read */
    bytes places, ids;    /* the place of each annotation, and the ids of their pictures; owned */
} annotation_memo;

/* Names of labels, each once, in the order of the file. Zero-initialise; bytes_free(&names) at the end. */
typedef struct annotation_labels {
    bytes names; /* the names, each with a 0 at the end */
    bool lacks;  /* true: memory ran out                */
} annotation_labels;

/* Says which shapes of a file to read. */
typedef struct annotation_request {
    const char *name;  /* the annotation file's name, for messages                                    */
    const char *photo; /* the photo's path, because a file may describe several photos; NULL: unknown */
    const char *id;    /* the picture's number from another file, as "#7"; NULL: use the one in the photo's name */
    const char *label; /* only shapes with this label, and background; NULL: all shapes */
    struct annotation_labels *labels; /* NULL, or a list to which the labels of all shapes and categories are added */
    int width, height; /* the photo's size in pixels, for formats that use fractions of it; 0: unknown */
    const georeference *place; /* where the photo lies on earth; NULL: not known             */
    int object;        /* number of the only object to read, counted from 1; 0: all */
    shape_rules rules;
    bool of_mask;      /* `photo` is a mask of the photo; its name may be longer than the photo's, as photo_gt.png */
    bytes *names;      /* NULL, or a list to which annotation_names() adds the names of the file's pictures */
    bool by_name;      /* true: the file must name the photo; it may list no shapes for it */
    /* NULL: a list of results that does not name the photo is an error. Otherwise such a list counts as empty, and
     * *missed becomes true. */
    bool *missed;
    annotation_memo *memo; /* what earlier readings of this text have found; NULL: the text is read only once */
} annotation_request;

/* Reads the shapes that a file has for a photo, in the order of the file. EXIT_INPUT: the file has an error; the
 * sentence names its line. EXIT_SEEDS: no shape in the file is on the photo or has the label, or the request does
 * not say which of several pictures is meant (with by_name this last case is EXIT_INPUT). After a failure `out`
 * is empty. After EXIT_DONE it is empty if all shapes were left out, or with by_name if the file lists no shapes
 * for the photo. */
int annotation_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                    failure *why);

/* Appends the name and the number of each picture that the file names to `names`: two texts per picture, each with a 0
 * at the end. The number has the form "#7" or is empty. Pictures come in the order of the file, with repetitions; a
 * file may name none. Returns EXIT_INPUT or EXIT_RESOURCES on failure. */
int annotation_names(const char *name, shape_rules rules, const uint8_t *data, size_t size, bytes *names, failure *why);

void annotation_memo_free(annotation_memo *memo);

/* How many objects the file has on the photo; 0 if it cannot be read. */
int annotation_objects(const annotation_request *request, const uint8_t *data, size_t size);

/* Converts coordinates on earth to places in the photo. Returns EXIT_SEEDS, or with by_name EXIT_INPUT, if the
 * coordinates lie away from the photo, or if the file describes a picture of another size. */
int annotation_fit(const annotation_request *request, shapes *all, int width, int height, failure *why);

/* Paints the shapes into `out` in their order: 255 for an object, 128 for pixels to be ignored, 0 for background and
 * elsewhere. Lines cover no pixels; a note says how many there are. EXIT_SEEDS: the shapes of objects cover no pixel.
 * EXIT_INPUT: no shape could be read. */
int annotation_paint(const annotation_request *request, const shapes *all, int width, int height, uint8_t *out,
                     notes *log, failure *why);

/* ---- Writing ---- */

/* One object of a label map: the pixels that have `value`. */
typedef struct annotation_object {
    const char *label;
    uint8_t value;
} annotation_object;

/* Describes the mask that is written. */
typedef struct annotation_about {
    const char *photo; /* the photo's file name, without folders */
    const char *label; /* the object's label, where the mask is not 0 */
    int width, height;
    const georeference *place; /* where the mask lies on earth; NULL: not known */
    const uint16_t *alpha; /* alpha of each pixel, for outlines through pixels; NULL: outlines run between pixels */
    const annotation_object *object; /* a label map's objects, in place of `label`; only some formats hold several */
    int objects;
    uint8_t *room;     /* scratch buffer of annotation_encode() */
} annotation_about;

typedef struct annotation_format annotation_format;

/* Name of the index-th format that can be written, as --format accepts it; NULL past the end. Static. */
const char *annotation_name(int index);

/* Chooses the format of the file `path`: by the format's name in `as`, or, if `as` is NULL, by the extension. EXIT_DONE
 * with *format NULL: no annotation format has this extension, so the file is a picture. EXIT_USAGE: `path` ends with
 * .json, which several formats use. */
int annotation_choose(const char *path, const char *as, const annotation_format **format, failure *why);

/* True if files of the format contain outlines; false if `format` is NULL. */
bool annotation_has_outlines(const annotation_format *format);

/* True if one file of the format can hold several objects. */
bool annotation_holds_many(const annotation_format *format);

/* Appends the annotation file of a mask to `sink`. `mask` has width * height bytes; foreground is every value but 0.
 * EXIT_RESOURCES: no memory. */
int annotation_encode(const annotation_format *format, const annotation_about *about, const uint8_t *mask, bytes *sink,
                      failure *why);

/* One line per format for `tilecut info` and the help; NULL past the end. */
const char *annotation_format_line(int index);

/* ---- For annotation_*.c ---- */

struct annotation_format {
    const char *name;       /* the name that --format accepts, such as "labelme"              */
    const char *line;       /* for annotation_format_line()                                   */
    const char *extensions; /* file extensions, as " .labelme.json ", with blanks around each */
    const char *keys;       /* keys of the outermost JSON object that reveal this format, as " shapes "; NULL: none */
    const char *items;      /* like `keys`, for the first object of a file that is a list; NULL: none               */
    bool (*fits)(json_reader *r); /* recognises a format that has no keys of its own; or NULL */
    bool named;             /* true: files of this format name their pictures                              */
    const char *roots;      /* names of the outermost XML element, as " svg "; NULL: the format is not XML */
    /* Adds the wanted shapes to `out`. NULL: the format is not JSON, or can only be written. */
    int (*read)(const annotation_request *request, json_reader *r, shapes *out, notes *log);
    /* Like read(), for a format that is not JSON. */
    int (*read_text)(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                     failure *why);
    bool many;              /* true: write() calls annotation_take() for each object, and so can write several */
    int (*write)(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why);
    bool without_outlines;  /* true: the written files contain no outlines */
};

/* Gets the label and the mask of object i of those to be written, counted from 0. The mask is valid until the next
 * call. Returns false if there is no object i. */
bool annotation_take(const annotation_about *about, const uint8_t *mask, int i, const char **label,
                     const uint8_t **its_mask);

#define ANNOTATION(variable) extern const annotation_format annotation_##variable;
#include "annotations.def"
#undef ANNOTATION

/* True if a shape with this label (NULL: no label) is wanted. *role becomes object, background or ignored. */
bool annotation_wants(const annotation_request *request, const char *label, shape_role *role);

/* Calls read(context), which adds the shapes of the value at r. If it returns EXIT_INPUT, the value is not a
 * readable shape: the shape is left out and counted, and reading goes on behind it. With rules.strict the file
 * is refused instead. */
int annotation_try(const annotation_request *request, json_reader *r, shapes *out, int (*read)(void *), void *context);
/* Like annotation_try(), for files that are not JSON. `status` is what the function that read the shape has returned.
 * Removes a shape that cannot be read, back to the mark `before`. */
int annotation_tried(const annotation_request *request, int status, shapes *out, shapes_mark before, failure *why);

/* Chooses the photo among the pictures that a file describes. Call annotation_offer() for each picture, then
 * annotation_decide() once, then annotation_is_chosen() for each picture. Two pictures of the same name count as one.
 * Zero-initialise; annotation_pictures_free() at the end. */
typedef struct annotation_pictures {
    char *photo; /* the photo's full path; owned */
    char *name, *rival; /* the name that fits best, and another one that fits equally well; owned */
    int best;
    bool several, no_memory;
    bytes *names;         /* request->names */
    const char *id;       /* number of the picture that is offered next; NULL: the picture has a name only */
} annotation_pictures;

/* Returns how well a name fits the photo; 0 if it does not. The file's name counts most, then the number of folders
 * above it that agree. `name` may be a path or an address, or "#7" if only the picture's number is known. */
int annotation_rank(const annotation_request *request, annotation_pictures *all, const char *name);
void annotation_offer(annotation_pictures *all, const char *name, int rank);
int annotation_decide(const annotation_request *request, const annotation_pictures *all, notes *log, failure *why);
bool annotation_is_chosen(const annotation_pictures *all, const char *name);
void annotation_pictures_free(annotation_pictures *all);

/* Both append the coordinates of a JSON array "[x, y, ...]" to the newest ring. annotation_read_pairs() reads a flat
 * list of pairs; annotation_read_position() reads one pair, and skips the numbers that follow x and y. */
int annotation_read_pairs(json_reader *r, shapes *out);
int annotation_read_position(json_reader *r, shapes *out);
/* Adds the pixels of a picture that are not black. `text` is the picture in base64, or a "data:" address that contains
 * it. The picture's upper left corner lies at x = at[0], y = at[1]. Its size must be at[2] x at[3] pixels, give or take
 * one; 0 allows any size. */
int annotation_read_picture(json_reader *r, const json_mark *text, const int at[4], shapes *out);
int annotation_no_memory(const json_reader *r); /* fails with EXIT_RESOURCES and a sentence */

/* Closes the outermost object and moves the JSON text to `sink`. Pass room = false if memory for the
 * outline ran out. */
int annotation_write_end(json *j, bytes *sink, bool room, failure *why);

/* Reads a coordinate. EXIT_INPUT: the coordinate lies outside of any picture. */
int annotation_coordinate(json_reader *r, double *value);

/* Reads the width or height of a picture, 1 .. 65536 pixels. null is read as 0. */
int annotation_side(json_reader *r, int *side);

/* Returns the part of a path after its last folder: "folder/cat.jpg" -> "cat.jpg". */
const char *annotation_base(const char *path);
