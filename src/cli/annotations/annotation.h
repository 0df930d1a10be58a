/* SPDX-License-Identifier: MIT
 *
 * annotation.h - annotation files describe masks and seeds by shapes instead of pixels: JSON, XML or text of
 * many tools. One table of formats; a format is one file annotation_*.c and one row in annotations.def.
 */
#ifndef CLI_ANNOTATION_H
#define CLI_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"
#include "georeference.h"
#include "json.h"
#include "json_reader.h"
#include "shapes.h"

/* What the first reading of a file has found, for further ones of the same text about other pictures: they need not
 * read all of it again, and say the same. Zero-initialise; annotation_memo_free() at the end. */
typedef struct annotation_memo {
    const struct annotation_format *format; /* NULL: not known yet */
    json_mark begin, end; /* of COCO's list of annotations; begin.at NULL: not listed yet */
    bytes places, ids;    /* where each of them is, and the texts of their pictures; owned */
} annotation_memo;

/* Names of labels, each once, in the order of the file. Zero-initialise; bytes_free(&names) at the end. */
typedef struct annotation_labels {
    bytes names; /* each with a 0 at the end */
    bool lacks;  /* memory ran out           */
} annotation_labels;

/* Which shapes of a file are wanted. */
typedef struct annotation_request {
    const char *name;  /* of the file, for messages                                     */
    const char *photo; /* its path, because a file may describe several; NULL: unknown  */
    const char *id;    /* "#7": the number that another file gives the picture; NULL: that of the photo's name */
    const char *label; /* only shapes with this label, and background; NULL: all shapes */
    struct annotation_labels *labels; /* NULL, or the labels of all shapes and categories are added to this */
    int width, height; /* of the photo, for formats that count in shares of it; 0: unknown */
    const georeference *place; /* of the photo on earth; NULL: it has none                 */
    int object;        /* only this one of the file's objects, counted from 1; 0: all */
    bool strict;       /* one shape that cannot be read refuses the file; else it is left out with a note */
    bool of_mask;      /* `photo` is a mask of it, which may have another name */
    bytes *names;      /* NULL, or to this the names of its pictures are added: see annotation_names() */
    bool by_name;      /* the file has to name the photo, and may say that there is nothing in it */
    bool *missed;          /* NULL, or what a list of results does not name has nothing on it, and this becomes true */
    annotation_memo *memo; /* of this text; NULL: it is read once */
} annotation_request;

/* Reads the shapes that a file has for a photo, in their order. EXIT_INPUT with the line of an error. EXIT_SEEDS if
 * nothing in the file is about the photo, or has the label, or if it is not told which of several pictures is meant
 * (that is EXIT_INPUT with by_name);
 * `out` is then empty. It is also empty after EXIT_DONE if all shapes were left out, or with request->by_name. */
int annotation_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                    failure *why);

/* Appends to `names` of each picture that the file names its name and its number as "#7", both with a 0 at the end;
 * the number may be empty, and so may the list. In the order of the file, with repetitions. EXIT_INPUT,
 * EXIT_RESOURCES. */
int annotation_names(const char *name, const uint8_t *data, size_t size, bytes *names, failure *why);

void annotation_memo_free(annotation_memo *memo);

/* How many objects it has for the photo; 0 if it cannot be read. */
int annotation_objects(const annotation_request *request, const uint8_t *data, size_t size);

/* Makes coordinates on earth places in the photo. EXIT_SEEDS, or with by_name EXIT_INPUT, if they are not about where
 * the photo lies, or if the file describes a picture of another size. */
int annotation_fit(const annotation_request *request, shapes *all, int width, int height, failure *why);

/* Sets `out` to 255 where the last shape on a pixel is an object's, to 128 where it is to be ignored, and to 0
 * elsewhere. Lines cover nothing; a note gives their number. EXIT_SEEDS: no shape of an object covers anything;
 * EXIT_INPUT: none could be read. */
int annotation_paint(const annotation_request *request, const shapes *all, int width, int height, uint8_t *out,
                     notes *log, failure *why);

/* ---- Writing ---- */

/* One object of a label map: where that has `value`. */
typedef struct annotation_object {
    const char *label;
    uint8_t value;
} annotation_object;

/* What a mask shows. */
typedef struct annotation_about {
    const char *photo; /* name of its file, without folders */
    const char *label; /* of the object, where the mask is not 0 */
    int width, height;
    const georeference *place; /* of the mask on earth; NULL: it has none */
    const uint16_t *alpha; /* of its pixels: outlines follow it between pixels; NULL: they follow edges of pixels */
    const annotation_object *object; /* of a label map, which several formats can hold: so many in place of `label` */
    int objects;
    uint8_t *room;     /* annotation_encode()'s */
} annotation_about;

typedef struct annotation_format annotation_format;

/* Name of the index-th format that can be written, as --format accepts it; NULL past the end. Static. */
const char *annotation_name(int index);

/* Chooses the format in which `path` is written, by its extension or by `as`, the name of a format or NULL. NULL with
 * EXIT_DONE: no annotation format, so it is a picture. EXIT_USAGE: `path` ends with .json, which several formats
 * use. */
int annotation_choose(const char *path, const char *as, const annotation_format **format, failure *why);

/* Whether its files have outlines. */
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
    const char *extensions; /* " .labelme.json ", blank at both ends and between               */
    const char *keys;       /* " shapes ": JSON with one of these keys outermost; NULL: none       */
    const char *items;      /* the same of the first object in a list                              */
    bool (*fits)(json_reader *r); /* tells by more than that; NULL: it does not                    */
    bool named;             /* its files name their pictures                                       */
    const char *roots;      /* " svg ": XML with one of these elements outermost; NULL: none       */
    /* Adds the wanted shapes to `out`. NULL: the format is no JSON, or only written. */
    int (*read)(const annotation_request *request, json_reader *r, shapes *out, notes *log);
    /* The same for a format that is no JSON. */
    int (*read_text)(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                     failure *why);
    bool many;              /* write() asks annotation_take() for the objects                      */
    int (*write)(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why);
    bool without_outlines;  /* what it writes has none */
};

/* Takes object i of what is written, 0 and up: its label, and its mask, which lasts until the next one is taken. False:
 * there are no more. */
bool annotation_take(const annotation_about *about, const uint8_t *mask, int i, const char **label,
                     const uint8_t **its_mask);

#define ANNOTATION(variable) extern const annotation_format annotation_##variable;
#include "annotations.def"
#undef ANNOTATION

/* Whether a shape with this label (NULL: no label) is wanted, and which class it marks. */
bool annotation_wants(const annotation_request *request, const char *label, shape_role *role);

/* Calls read(context), which adds the shapes of the value at r. If that value is no shape (EXIT_INPUT), it is left out
 * and counted, and reading goes on behind it; with request->strict it is refused. */
int annotation_try(const annotation_request *request, json_reader *r, shapes *out, int (*read)(void *), void *context);
/* The same for what read() has returned, in files that are no JSON. */
int annotation_tried(const annotation_request *request, int status, shapes *out, shapes_mark before, failure *why);

/* Chooses among the pictures that a file describes. First offer all of them, then decide, then ask for each. Two
 * pictures of the same name are one. Zero-initialise; annotation_pictures_free() at the end. */
typedef struct annotation_pictures {
    char *photo; /* the photo's full path; owned */
    char *name, *rival; /* the best one, and another that is as good; owned */
    int best;
    bool several, no_memory;
    bytes *names;         /* request->names */
    const char *id;       /* of the picture that is offered next; NULL: it has none, or that is its name */
} annotation_pictures;

/* How well a name fits the photo: 0 not at all. First the file's name counts, then how many folders above it. `name`
 * may be a path or an address; "#7" is a picture of which only the number is known. */
int annotation_rank(const annotation_request *request, annotation_pictures *all, const char *name);
void annotation_offer(annotation_pictures *all, const char *name, int rank);
int annotation_decide(const annotation_request *request, const annotation_pictures *all, notes *log, failure *why);
bool annotation_is_chosen(const annotation_pictures *all, const char *name);
void annotation_pictures_free(annotation_pictures *all);

/* Appends an array of coordinates "[x, y, ...]" to the newest ring. annotation_read_pairs() reads a flat list of
 * pairs; annotation_read_position() reads one pair, and skips numbers after x and y. */
int annotation_read_pairs(json_reader *r, shapes *out);
int annotation_read_position(json_reader *r, shapes *out);
/* Adds the pixels that are not black in a picture in base64, or its "data:" address; its upper left corner is x, y. */
int annotation_read_picture(json_reader *r, const json_mark *text, int x, int y, shapes *out);
int annotation_no_memory(const json_reader *r); /* EXIT_RESOURCES, with a sentence */

/* Ends the outermost object and hands its text to `sink`; `room`: false if memory for the outline ran out. */
int annotation_write_end(json *j, bytes *sink, bool room, failure *why);

/* EXIT_INPUT if the number is outside of any picture. */
int annotation_coordinate(json_reader *r, double *value);

/* Reads a side of a picture, 1 .. 65536; 0 for null. */
int annotation_side(json_reader *r, int *side);

/* "folder/cat.jpg" -> "cat.jpg" */
const char *annotation_base(const char *path);

#endif
