/* SPDX-License-Identifier: MIT
 *
 * seeds.h - turns seed pictures, boxes and strokes into one byte per pixel (TILECUT_UNKNOWN and friends of tilecut.h):
 * the formats, how they are recognised, and what is refused. Only the value parsers at its end depend on the syntax of
 * the command line.
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
    int (*label)(int value); /* the label of a value: TILECUT_UNKNOWN and so on, or -1 if the value has no meaning.
                                `value` is a sample; for a trimap, only its high byte. NULL: a single value does not
                                give the label */
    const char *sentence, *foreground, *background;
} seeds_kind;

extern const seeds_kind seeds_kinds[]; /* by enum seeds_format */

/* Returns the number of the label that a value gives in a file of labels: 1 to 254; 0 if it is unknown; -1 if the value
 * has no meaning. `labels` of the table takes 1 and 2 of them, label maps take all. */
int seeds_label_number(double value);

const char *seeds_format_name_at(int index);    /* NULL past the end */
const char *seeds_format_summary_at(int index);

enum seeds_conflict { CONFLICT_ERROR, CONFLICT_FOREGROUND, CONFLICT_BACKGROUND, CONFLICT_DROP, CONFLICT_LAST };

typedef struct seeds_color {
    bool given;
    uint8_t rgb[3];
} seeds_color;

/* A stroke: `count` points, x and y in turn, joined by lines with the brush radius; a single point is a dot. In a
 * volume points also have a z. */
typedef struct seeds_stroke {
    bool foreground;
    double *points; /* 2 * count coordinates, or 3 * count in a volume; owned */
    int count;
    bool spatial;   /* of a volume */
} seeds_stroke;

typedef int picture_reader(const char *path, const image_limits *limits, image *out, notes *log, failure *why);

typedef struct seeds_request {
    const char *const *files;          /* files of seeds, in order; not owned */
    int file_count;
    const enum seeds_format *formats;  /* format of each file; NULL or SEEDS_UNNAMED: the file has the format `format`;
                                          not owned */
    enum seeds_format format;
    const char *label;           /* in annotation files, use only shapes with this label and background shapes; NULL:
                                    all shapes */
    bool mask_given;             /* a mask comes with the seeds, so neither class needs seeds */
    bool mask_learns;            /* a mask comes with the seeds and colours are learnt anew, so one class needs seeds */
    seeds_color fg_color, bg_color;
    int tolerance;               /* tolerance of colours per channel, 0..255; default 64 */
    enum seeds_conflict conflict;
    int band;                    /* width of the unknown band of format `mask`, in pixels; default 20 */
    bool band_given;             /* true: refused if no file is such a mask */
    bool box_given;
    double box[4];               /* x, y, width, height */
    bool volume_box_given;
    double volume_box[6];        /* box in a volume: x, y, z, width, height, depth */
    seeds_stroke *strokes;       /* owned; all have the same brush radius */
    int stroke_count;
    double brush;                /* radius of the brush in pixels; default 3 */
    image_limits limits;
    picture_reader *reader;      /* how to open pictures; NULL: image_read() */
} seeds_request;

/* One source of seeds: a seed picture or annotations, the strokes of the command line, or the box. */
typedef struct seeds_part {
    const char *name;            /* name of the file as in the request, or "--fg", "--bg" or "--box"; not owned */
    const char *format;          /* how it was read: "trimap", "color", ..., "annotation", "strokes", "box"; static */
    int64_t foreground, background, ignored; /* numbers of pixels; ignored: painted, but in no stroke's colour */
} seeds_part;

typedef struct seeds {
    int width, height;
    uint8_t *label;              /* width * height labels, TILECUT_UNKNOWN .. TILECUT_OUTSIDE; owned */
    const char *format;          /* the format of the pictures, "several" if they differ; without pictures "strokes" or
                                    "box", or "none" if there is only a mask; static */
    int64_t foreground, background, unknown; /* numbers of pixels; background includes those outside a box */
    int64_t conflicts, dropped;  /* pixels claimed for both classes; dropped: those left unknown by CONFLICT_DROP or,
                                    with CONFLICT_LAST, changed by a later source */
    seeds_part *part;            /* sources in the order in which they were applied; owned */
    int part_count;
    seeds_color fg_color, bg_color; /* the stroke colours that were used by `color` and `diff`; `given` is false if
                                       there was none */
} seeds;

/* Sets all fields of a request to their defaults. */
void seeds_request_init(seeds_request *request);
void seeds_request_free(seeds_request *request);

/* Reads and combines all sources for `photo`, which messages call `photo_name`. Refusals are EXIT_SEEDS; EXIT_INPUT for
 * unreadable files; and EXIT_USAGE for values that can never be right (an empty box, a tolerance of 300, no source at
 * all). The sentence of a refusal names the format that would help. Notes go to `log`. On failure `*out` is empty. */
int seeds_read(const seeds_request *request, const image *photo, const char *photo_name, seeds *out,
               notes *log, failure *why);
void seeds_free(seeds *seeds);

/* True if there are only foreground strokes, or in a photo only single points of both classes: then the border of the
 * photo, or the faces of the scan, also count as background. */
bool seeds_are_clicks(const seeds_request *request, bool volume);

/* The rows above .. above + height - 1 of a photo. Of these, `own` rows that begin with row `first` are counted. sum()
 * replaces each of `count` values by its sum over all parts of the photo, and fails if another part has failed; NULL:
 * there are no other parts, or sums are not needed. */
typedef struct seeds_rows {
    int width;
    int64_t height, above, whole_height, first, own;
    int (*sum)(void *context, int64_t *values, size_t count);
    void *context;
    int slice;       /* number of rows in a slice of a volume, whose slices lie one below the other; 0: a photo */
    double scale[3]; /* in a volume: distances between voxels along x, y, z, in units of the smallest one */
    const georeference *place; /* where the whole photo lies on earth; NULL: unknown */
    int orientation; /* EXIF orientation in the photo's file; 0: unknown */
} seeds_rows;

/* Reads the seeds of these rows, from the same sources as seeds_read(). Of a TIFF, PNG or binary PNM in a format that
 * is read by value, only these rows are in memory; other pictures are read whole, and for `diff` the photo
 * `photo_name`, too. Counts, notes and refusals are those of the whole photo. */
int seeds_read_rows(const seeds_request *request, const seeds_rows *rows, const char *photo_name, seeds *out,
                    notes *log, failure *why);

/* A file of seeds for a scan that is itself a volume. Its slices lie one below the other in `image`, in grey or in
 * colour. */
typedef struct seeds_stack seeds_stack;
struct seeds_stack {
    image image;     /* of 8 bits if all numbers fit, else of 16; its pixels belong to `state` */
    int slice;       /* rows of a slice; 0: the file is no volume, and nothing was opened */
    int64_t above;   /* rows of the file above these; not 0 only in a part */
    bool some;       /* these are only the part's own rows, so counts have to be summed over all parts */
    double scale[3]; /* distances between voxels along x, y, z, in units of the smallest one */
    int64_t strange; /* the first voxel that is no whole number of 8 bits, or of 16 where the file has such; -1: none */
    double number;   /* the value of that voxel */
    void *state;     /* of the functions below */
    /* Returns on which voxel of the scan voxel p of `image` lies: its index among the rows of seeds_read_space(), or
     * -1. Sets *beyond if it lies outside of the whole scan. The function is NULL if both have the same voxels. */
    int64_t (*place)(const seeds_stack *stack, size_t p, bool *beyond);
};

/* How volumes are read, which this folder does not know. open() and close() are called in pairs. */
typedef struct seeds_space {
    void *context;
    uint8_t *bits;    /* receives the labels, filled with 0; the caller's */
    bool ranked;      /* a file may be read by colour, after those that follow it */
    const image *scan; /* the scan as a picture, without pixels in a part or if `depth` is 0 */
    const char *stored; /* what its voxels are, such as "int16" */
    /* True if the file `path` is read as a volume and not as a picture. */
    bool (*is_volume)(const void *context, const char *path);
    /* Opens the file `path` if it is a volume. whole: all of it, in a part, too, as if it is in colour. */
    int (*open)(void *context, const char *path, bool whole, seeds_stack *out, notes *log, failure *why);
    void (*close)(seeds_stack *stack);
    /* Notes or refuses that `outside` of `marked` voxels of a file lie outside of the scan. */
    int (*check)(void *context, const char *name, int64_t outside, int64_t marked, notes *log, failure *why);
    /* Reads the whole scan in a part, for the format diff; it stays open as long as `context`. */
    int (*read_scan)(void *context, image *out, failure *why);
} seeds_space;

/* Reads the seeds of these rows of a scan, whose slices lie one below the other, from the same sources. A picture has
 * width x whole_height pixels. out->label is space->bits. */
int seeds_read_space(const seeds_request *request, const seeds_rows *rows, const seeds_space *space, const char *name,
                     seeds *out, notes *log, failure *why);

/* Returns at most how many bytes a pixel of the whole photo seeds_read_rows() has in memory for pictures that are read
 * whole. `sample`: bytes of a pixel of the photo. */
uint64_t seeds_bytes_of_whole(const seeds_request *request, uint64_t sample);

/* Returns the format in which file i is to be read. */
enum seeds_format seeds_format_of(const seeds_request *request, int i);

/* The colours of a photo or a scan: at() returns that of pixel or voxel p of its rows, as picture_argb() does. */
typedef struct seeds_colors {
    uint32_t (*at)(const void *of, size_t p);
    const void *of;
} seeds_colors;
uint32_t seeds_color_of_image(const void *photo, size_t p); /* at() of an image */

/* Adds a note if the seeds of both classes lie on the same colours of `photo`, as seeds_read() does. `photo` has the
 * same rows. */
int seeds_note_colors(const seeds_request *request, const seeds_rows *rows, const char *photo_name,
                      const seeds_colors *photo, const seeds *got, notes *log, failure *why);

/* Parse the names of --seeds-format and --seed-conflict; they return false if there is no such name. */
bool seeds_format_parse(const char *text, enum seeds_format *out);
bool seeds_conflict_parse(const char *text, enum seeds_conflict *out);
/* Parses "#RRGGBB", "#RGB", or a name of css_colors.def. */
bool seeds_color_parse(const char *text, seeds_color *out);
/* Parses "X,Y X,Y ...", or in a volume "X,Y,Z X,Y,Z ...", to a stroke of at least one point. Returns false if the text
 * is malformed or a number is not finite. Blanks may stand around commas. */
bool seeds_stroke_parse(const char *text, bool foreground, seeds_stroke *out);
/* Parses "X,Y,W,H": finite numbers, W and H > 0. Blanks may stand around the commas or in their place. */
bool seeds_box_parse(const char *text, double box[4]);
/* Adapts the request to a scan of one slice, which is a picture, too: gives points X,Y a z of 0, and turns a box
 * X,Y,W,H into one around that slice. The strokes are copied to one block of memory, request->strokes, which the caller
 * frees. Returns false if memory ran out. */
bool seeds_lift(seeds_request *request);

/* Parses "X,Y,Z,W,H,D" by the same rules as seeds_box_parse(). */
bool seeds_volume_box_parse(const char *text, double box[6]);
/* Returns EXIT_USAGE if a stroke or box has coordinates of a volume. */
int seeds_check_flat(const seeds_request *request, const char *photo_name, failure *why);
/* Returns EXIT_USAGE if a band is given, but no file of seeds has the format `mask`. */
int seeds_check_band(const seeds_request *request, failure *why);
