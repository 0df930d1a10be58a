/* SPDX-License-Identifier: MIT
 *
 * seeds.h - turns seed pictures, boxes and strokes into one byte per pixel (TILECUT_UNKNOWN and friends of
 * tilecut.h): the formats, how they are recognised, and what is refused. It knows the syntax of the command line only
 * in the value parsers at the end.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

#define VALUES(NAME, name, summary, sentence, foreground, background) SEEDS_##NAME,
#define WHOLE(NAME, name, summary, foreground, background) SEEDS_##NAME,
enum seeds_format {
#include "seeds.def"
    SEEDS_UNNAMED
};
#undef VALUES
#undef WHOLE

/* A row of seeds.def. */
typedef struct seeds_kind {
    const char *name, *summary;
    int (*label)(int value, int depth); /* TILECUT_UNKNOWN and friends, -1: the value has no meaning. It is a sample of
                                           `depth` bits, of a trimap its high byte. NULL: one does not suffice */
    const char *sentence, *foreground, *background;
} seeds_kind;

extern const seeds_kind seeds_kinds[]; /* by enum seeds_format */
const char *seeds_format_name_at(int index);    /* NULL past the end */
const char *seeds_format_summary_at(int index);

enum seeds_conflict { CONFLICT_ERROR, CONFLICT_FOREGROUND, CONFLICT_BACKGROUND, CONFLICT_DROP, CONFLICT_LAST };

typedef struct seeds_color {
    bool given;
    uint8_t rgb[3];
} seeds_color;

/* A stroke: `count` points (x, y pairs), joined by lines of the given brush radius; one point is a dot. In a volume
 * points have a z, too. */
typedef struct seeds_stroke {
    bool foreground;
    double *points; /* 2 * count, owned; 3 * count in a volume */
    int count;
    bool spatial;   /* of a volume */
} seeds_stroke;

typedef int picture_reader(const char *path, const image_limits *limits, image *out, notes *log, failure *why);

typedef struct seeds_request {
    const char *const *files;          /* seed pictures, in order; not owned */
    int file_count;
    const enum seeds_format *formats;  /* the format of each file; NULL, or SEEDS_UNNAMED: `format`. Not owned */
    enum seeds_format format;
    const char *label;           /* in annotation files, use only shapes of that label and of background; NULL: all */
    bool mask_given;             /* a mask comes with the seeds, so no class and no source is required */
    bool mask_taught;            /* a mask comes with the seeds, which teach anew: one class of them is required */
    seeds_color fg_color, bg_color;
    int tolerance;               /* per channel, 0..255; default 64 */
    enum seeds_conflict conflict;
    int band;                    /* width of the band of format `mask`, in pixels; default 20 */
    bool box_given;
    double box[4];               /* x, y, width, height */
    bool volume_box_given;
    double volume_box[6];        /* x, y, z, width, height, depth */
    seeds_stroke *strokes;       /* owned; brush radius is shared */
    int stroke_count;
    double brush;                /* radius in pixels; default 3 */
    image_limits limits;
    picture_reader *reader;      /* how pictures are opened; NULL: image_read() */
} seeds_request;

/* One source of seeds: a seed picture or annotations, the strokes of the command line, or the box. */
typedef struct seeds_part {
    const char *name;            /* file as in the request, "--fg", "--bg" or "--box"; not owned */
    const char *format;          /* as read: "trimap", "color", ..., "annotation", "strokes", "box"; static */
    int64_t foreground, background, ignored; /* pixels; ignored: painted, but in neither colour */
} seeds_part;

typedef struct seeds {
    int width, height;
    uint8_t *label;              /* width * height, TILECUT_UNKNOWN .. TILECUT_OUTSIDE; owned */
    const char *format;          /* the format of the pictures, "several" if they differ; "strokes" or "box" without
                                    a picture, "none" with a mask only; static */
    int64_t foreground, background, unknown; /* pixels; background includes what a box gave */
    int64_t conflicts, dropped;  /* pixels claimed by both classes; how many were left unknown by CONFLICT_DROP or,
                                    with CONFLICT_LAST, got another label from a later source */
    seeds_part *part;            /* in the order in which they were applied; owned */
    int part_count;
    seeds_color fg_color, bg_color; /* of `color` and `diff`: the colours that were used; `given` if one was */
} seeds;

/* Sets all fields to their defaults. */
void seeds_request_init(seeds_request *request);
void seeds_request_free(seeds_request *request);

/* Reads and combines all sources for `photo`, which messages call `photo_name`. Refusals are EXIT_SEEDS, EXIT_INPUT
 * for unreadable files, and EXIT_USAGE for values that can never be right (an empty box, a tolerance of 300, no
 * source at all). Their sentence names the format that would help. Notes go to `log`. On failure `*out` is empty. */
int seeds_read(const seeds_request *request, const image *photo, const char *photo_name, seeds *out,
               notes *log, failure *why);
void seeds_free(seeds *seeds);

/* Whether nothing is given but strokes of the foreground, or single points of both classes: then the border of the
 * photo is background, too. */
bool seeds_are_clicks(const seeds_request *request);

/* Rows above .. above + height - 1 of a photo. Among them, `own` rows from `first` on are counted. sum() replaces each
 * of `count` values by its sum over all parts of the photo, and fails if another part has failed; NULL: there is no
 * other part, or nobody asks. */
typedef struct seeds_rows {
    int width;
    int64_t height, above, whole_height, first, own;
    int (*sum)(void *context, int64_t *values, size_t count);
    void *context;
    int slice;       /* of a volume, whose rows go on from slice to slice: rows of a slice; 0: a photo */
    double scale[3]; /* of a volume: distances between voxels along x, y, z, in units of the least     */
    const georeference *place; /* of the whole photo on earth; NULL: it has none                       */
} seeds_rows;

/* The seeds of these rows: strokes, a box, annotation files, and pictures that name their format, trimap, grabcut or
 * labels, of which only these rows are read. Counts and refusals are those of the whole photo. */
int seeds_read_rows(const seeds_request *request, const seeds_rows *rows, const char *photo_name, seeds *out,
                    notes *log, failure *why);

/* How file i is to be read. */
enum seeds_format seeds_format_of(const seeds_request *request, int i);

/* Notes what is odd about seeds that suffice, as seeds_read() does: `photo` has the same rows. */
int seeds_note_rows(const seeds_request *request, const seeds_rows *rows, const char *photo_name, const image *photo,
                    const seeds *got, notes *log, failure *why);

/* Parse the names of --seeds-format and --seed-conflict; false: there is no such name. */
bool seeds_format_parse(const char *text, enum seeds_format *out);
bool seeds_conflict_parse(const char *text, enum seeds_conflict *out);
/* "#RRGGBB", "#RGB", or a name of color_names.def */
bool seeds_color_parse(const char *text, seeds_color *out);
/* Parses "X,Y X,Y ...", or "X,Y,Z X,Y,Z ..." of a volume, to a stroke with at least one point; false: malformed or not
 * finite. Blanks may stand around commas. */
bool seeds_stroke_parse(const char *text, bool foreground, seeds_stroke *out);
/* Parses "X,Y,W,H": finite, W and H > 0. Blanks may stand around commas, and for them. */
bool seeds_box_parse(const char *text, double box[4]);
/* For a scan of one slice, which is a picture, too: gives points X,Y a z of 0, and a box X,Y,W,H that slice.
 * The strokes are copied to one piece of memory, request->strokes, which the caller frees. False: no memory. */
bool seeds_lift(seeds_request *request);

/* Parses "X,Y,Z,W,H,D" by the same rules as seeds_box_parse(). */
bool seeds_volume_box_parse(const char *text, double box[6]);
/* EXIT_USAGE if a stroke or box has coordinates of a volume. */
int seeds_check_flat(const seeds_request *request, const char *photo_name, failure *why);
