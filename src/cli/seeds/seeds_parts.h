/* SPDX-License-Identifier: MIT
 *
 * seeds_parts.h - shared by the files seeds*.c and those of many labels (src/cli/labels): claims on pixels, what a seed
 * picture holds, and the formats.
 *
 *   seeds.c            a photo, a scan or some rows of them: reads and combines all sources; calls all below
 *   seeds_request.c    defaults of a request, the memory of seeds, the check of their size
 *   seeds_kinds.c      the table of formats
 *   seeds_place.c      position of a pixel in the whole, and sums over all parts
 *   seeds_claims.c     turns claims into labels: counts, settles conflicts, refuses
 *   seeds_parse.c      values of the command line
 *   seeds_contents.c   counts what a picture holds, in one pass
 *   seeds_recognise.c  finds the format from these counts, or refuses and says what to do
 *   seeds_values.c     formats read by value: trimap, grabcut, labels, mask
 *   seeds_color.c      formats read by colour: color, diff
 *   seeds_pair.c       which stroke colour means which class
 *   seeds_strokes.c    strokes of the command line
 *   seeds_box.c        the box of the command line, and the border of a photo
 *   seeds_oddities.c   notes about valid seeds that look like mistakes
 *   seeds_shapes.c     annotation files
 *   seeds_row_picture.c  rows of a picture read by value, of two classes or of many labels
 */
#pragma once

#include <stddef.h>
#include <string.h>

#include "pixel.h"
#include "region.h"
#include "shapes.h"
#include "seeds.h"
#include "tilecut.h"

/* The classes that the sources read so far claim for a pixel; both may be claimed. */
enum {
    CLAIM_BACKGROUND = 1,
    CLAIM_FOREGROUND = 2,
    CLAIM_OUTSIDE = 4,
    BY_STROKE = 8,              /* a factor: a claim that a stroke has made is set a second time, multiplied by this, so
                                   that a pixel of several strokes is counted once */
    CLAIM_OVERRULED = 64        /* sources of different ranks claimed it for both classes, which has been counted */
};

/* The claims on some rows. A volume is a stack of slices, whose rows are numbered through: row y of slice z is row z *
 * slice + y. */
typedef struct claims {
    int width;
    int64_t height;             /* rows that are here */
    int64_t above, whole_height; /* rows of the whole above these, if these are only a part; and the height of the
                                    whole */
    int slice;                  /* rows of a slice in a volume; 0: a photo */
    double scale[3];            /* in a volume: distances between voxels along x, y, z, in units of the smallest one */
    size_t own, end;            /* pixels `own` .. end - 1 are counted: all, or a part's own without its halo */
    uint8_t *bits;              /* [width * height] bits of the claims on each pixel; owned unless `lent` */
    bool lent;
    seeds_part *part;           /* the sources in order; allocated for all of them; owned */
    int part_count, current;    /* new claims are made by source `current` */
    bool last;                  /* later sources overrule earlier ones */
    uint16_t *rank;             /* [pixels] rank of the last source that claimed it; NULL: claims come in the order of
                                   their sources; owned */
    uint16_t source;            /* rank of the current source; later sources have higher ranks */
    int64_t overruled;          /* pixels where a later source has decided the class */
    int64_t clash;              /* the first pixel that two sources claim for different classes, or -1 */
    int clash_part, clash_before; /* the later source of the two; the earlier one if it is unique, else -1 */
    bool clash_foreground;      /* the later of these two sources claims foreground */
    bool boxed;                 /* there are boxes; outside of them is background */
    bool near_border;           /* all sides of --box are within a hundredth of the border */
    int64_t outside;            /* pixels outside of boxes; counted when labels have replaced the claims */
    char found[160];            /* for error messages: the colours of the first picture read by colour, or why a shape
                                   was left out; or "" */
} claims;

/* Sets up the claims for these rows, or fails with EXIT_RESOURCES. `bits`, if not NULL, is memory of the caller, filled
 * with 0. `ranked`: sources may come in any order. */
int seeds_begin_claims(const seeds_request *request, const seeds_rows *rows, uint8_t *bits, bool ranked,
                       const char *name, claims *all, failure *why);

/* Passes labels and sources to `out`, or frees them if `status` is a failure. */
void seeds_end_claims(claims *all, int status, seeds *out);

/* seeds_place() writes the position of pixel p in the whole picture, as "12,34" or "12,34,5"; seeds_size() the
 * picture's size, as "640x480" or "64x64x20". p counts from the first of these rows, so it is negative above them. Both
 * return `text`. */
enum { SEEDS_PLACE = 72 };
const char *seeds_place(const claims *all, int64_t p, char text[SEEDS_PLACE]);
const char *seeds_size(const claims *all, char text[SEEDS_PLACE]);

/* True for a scan of more than one slice. */
static inline bool claims_deep(const claims *all)
{
    return all->slice && all->whole_height > all->slice;
}

/* True if a pixel is counted. */
static inline bool claims_own(const claims *all, size_t p)
{
    return p >= all->own && p < all->end;
}

/* Returns the index among these rows of pixel p of the whole, or -1 if it lies in other rows. */
static inline int64_t claims_index(const claims *all, size_t p)
{
    const size_t above = (size_t)all->above * (size_t)all->width, pixels = (size_t)all->height * (size_t)all->width;
    return p >= above && p - above < pixels ? (int64_t)(p - above) : -1;
}

/* Returns a count of the whole picture as the share of this part in it: parts sum their counts, so the first one has
 * all of it. */
static inline int64_t claims_share(const claims *all, int64_t count)
{
    return all->above || all->own ? 0 : count;
}

/* Begins the next source; later claims belong to it. */
static inline seeds_part *claims_begin(claims *all, const char *name, const char *format)
{
    seeds_part *part = &all->part[all->current = all->part_count++];
    *part = (seeds_part){.name = name, .format = format};
    return part;
}

/* Returns the rank of source `i`, 1 and up: first the pictures, then the strokes. */
static inline uint16_t seeds_source(int i)
{
    return (uint16_t)(i < UINT16_MAX - 1 ? i + 1 : UINT16_MAX);
}

/* Applies the rule that later sources win, in whatever order they are read, and a box never wins. Removes earlier
 * claims on the pixel. Returns true if `bit` is to be claimed. */
static inline bool claim_overrules(claims *all, size_t p, uint8_t bit)
{
    const uint8_t other = bit == CLAIM_FOREGROUND ? CLAIM_BACKGROUND | CLAIM_OUTSIDE : CLAIM_FOREGROUND;
    const bool contested = all->bits[p] & other, same = all->rank && all->rank[p] == all->source;
    if (contested && !same && !(all->bits[p] & CLAIM_OVERRULED)) {
        all->overruled += claims_own(all, p);
        all->bits[p] |= CLAIM_OVERRULED;
    }
    const bool claimed = all->bits[p] & (CLAIM_FOREGROUND | CLAIM_BACKGROUND);
    if (bit == CLAIM_OUTSIDE && (contested || (claimed && !all->rank))) return false;
    if (all->rank && all->rank[p] > all->source) return false;
    if (all->rank ? !same : contested) all->bits[p] &= CLAIM_OVERRULED;
    if (all->rank) all->rank[p] = all->source;
    return true;
}

static inline void claim(claims *all, size_t p, uint8_t bit)
{
    if (all->last && !claim_overrules(all, p, bit)) return;
    const uint8_t other = bit == CLAIM_FOREGROUND ? CLAIM_BACKGROUND | CLAIM_OUTSIDE : CLAIM_FOREGROUND;
    seeds_part *part = &all->part[all->current];
    if ((all->bits[p] & other) && claims_own(all, p) && (all->clash < 0 || (int64_t)p < all->clash)) {
        all->clash = (int64_t)p;
        all->clash_part = all->current;
        all->clash_before = all->part_count == 2 ? 1 - all->current : -1;
        all->clash_foreground = bit == CLAIM_FOREGROUND;
    }
    all->bits[p] |= bit;
    if (bit == CLAIM_FOREGROUND) part->foreground += claims_own(all, p);
    else part->background += claims_own(all, p);
}

/* Concludes the reading of seeds: replaces claims by labels, sums counts over all parts, and refuses seeds that
 * contradict each other or do not define a cut. `name` is the photo's. `out` receives the labels and the sources. */
int seeds_conclude(const seeds_request *request, const seeds_rows *rows, const char *name, claims *all, seeds *out,
                   notes *log, failure *why);

/* Returns the label of a pixel with these claims. */
static inline uint8_t claims_settle(uint8_t bits, enum seeds_conflict conflict)
{
    const bool foreground = bits & CLAIM_FOREGROUND, background = bits & (CLAIM_BACKGROUND | CLAIM_OUTSIDE);
    if (foreground && (!background || conflict == CONFLICT_FOREGROUND)) return TILECUT_FOREGROUND;
    if (foreground && conflict == CONFLICT_DROP) return TILECUT_UNKNOWN;
    return bits & CLAIM_BACKGROUND ? TILECUT_BACKGROUND : background ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
}

static inline bool claims_clash(uint8_t bits)
{
    return (bits & CLAIM_FOREGROUND) && (bits & (CLAIM_BACKGROUND | CLAIM_OUTSIDE));
}

/* Returns the first byte at or after `from` that is not 0, or `end`. Most pixels have no seed, so eight are skipped at
 * a time. */
static inline size_t seeds_next_marked(const uint8_t *marks, size_t from, size_t end)
{
    for (uint64_t word; from + sizeof word <= end; from += sizeof word) {
        memcpy(&word, marks + from, sizeof word);
        if (word) break;
    }
    while (from < end && !marks[from]) from++;
    return from;
}

/* The pixels in a box, clipped to the whole: from[k] to to[k] - 1 along axis k. */
typedef struct seeds_frame {
    int64_t from[3], to[3];
} seeds_frame;

/* Labels the unlabelled pixels at the border as outside of a box, along each axis of at least 3 pixels: a strip of one
 * pixel in a photo, of a hundredth of the size in a volume. Returns how many of the counted pixels it labelled. */
int64_t seeds_label_strip(claims *all);

/* ---- Pictures ---- */

enum { CONTENTS_COMMON = 8, CONTENTS_MANY = 2000, BLACK_MAX = 31, MIDDLE_MIN = 96, MIDDLE_MAX = 160, WHITE_MIN = 224 };

typedef struct contents {
    int64_t pixels, transparent; /* number of all pixels; number of those less than half opaque. All other fields count
                                    opaque pixels only */
    int strongest;               /* the largest alpha value, 0 .. 255 */
    bool grey;                   /* red = green = blue in all pixels (in a JPEG, within 8) */
    int64_t level[256];          /* if grey: number of pixels of each level */
    int64_t black, middle, white, between; /* if grey: number of pixels in each group of levels of a trimap */
    int colors;                  /* number of different colours, at most CONTENTS_MANY */
    struct { uint32_t rgb; int64_t count; } common[CONTENTS_COMMON]; /* the most frequent colours in descending order;
                                                                        count 0 past the end */
    bool raw_small;              /* grey samples (or palette indices) are 0..3 or the largest possible value, and mostly
                                    0..3 */
    int raw_max;                 /* the largest sample among those in 0..3 */
    int largest;                 /* the largest grey sample in the file, 0..255 or 0..65535 */
} contents;

bool contents_of_picture(const image *pic, contents *out); /* false: no memory */

/* Replaces the contents of a part's rows of a grey volume by those of the whole. Returns EXIT_RUNTIME or EXIT_RESOURCES
 * on failure. */
int contents_add_up(const seeds_rows *rows, const char *name, contents *s, failure *why);

/* If no sample of 16 bits is above 255, the samples are numbers of 8 bits, as some programs write labels: replaces them
 * by such, and returns true. Alpha keeps its meaning. Does nothing to a picture of 8 bits. */
bool contents_narrow(image *pic);

/* Writes "#00ff00 (3211 pixels), #c00000 (12 pixels)": up to three frequent colours, except `skip`, which is the canvas
 * or a value that is no colour. */
void contents_describe(const contents *s, uint32_t skip, char *text, size_t room);

#define NO_COLOR UINT32_C(0xffffffff)

/* True if the labels are palette indices, and not values of the palette's entries. */
bool picture_values_are_indices(const image *pic);
/* True if the picture holds numbers, as grey values or as indices of a palette, not colours. */
static inline bool shape_has_numbers(const region_shape *kind)
{
    return kind->palette || kind->channels < 3;
}
static inline int picture_value(const image *pic, size_t p, bool indices)
{
    return indices ? pic->index[p] : (int)sample_at(pic, p * (size_t)pic->channels);
}

typedef struct picture {
    const char *name;
    image image;                /* owned */
    contents contents;              /* not of annotations */
    shapes shapes;              /* the shapes of annotations, else empty; owned */
    seeds_stack stack;          /* where the voxels of a volume lie; slice 0: a picture */
    int64_t marked, outside;    /* of a volume: voxels that are seeds, and how many of them lie outside of the scan */
    enum seeds_format format;   /* named or recognised */
    int file;                   /* its number in the request */
    bool named;
    bool drawn;                 /* the file is one of annotations, perhaps without a readable shape */
} picture;

/* Returns the index among the rows of `all` of pixel p of a picture, which is a seed; -1: it lies in other rows. */
static inline int64_t picture_index(picture *pic, const claims *all, size_t p)
{
    bool beyond = false;
    const seeds_stack *const stack = &pic->stack;
    if (!stack->place) return claims_index(all, p + (size_t)stack->above * (size_t)all->width);
    const int64_t at = stack->place(stack, p, &beyond);
    pic->marked++, pic->outside += beyond;
    return at;
}

/* Writes the position of pixel p of a picture in its own file, as seeds_place() does. */
const char *picture_place(const picture *pic, const claims *all, size_t p, char text[SEEDS_PLACE]);

/* Sets picture->format from the picture's contents, or refuses the picture. */
int seeds_recognise(picture *pic, failure *why);

/* The functions that give the label of a value; see seeds_kind. */
#define VALUES(NAME, name, summary, sentence, foreground, background) int seeds_label_##name(int value);
#define WHOLE(NAME, name, summary, foreground, background)
#include "seeds.def"
#undef VALUES
#undef WHOLE
bool seeds_is_between(enum seeds_format format, int value); /* true if a value is between the three of a trimap, so that
                                                               the pixel is unknown */
void seeds_claim_label(claims *all, size_t p, int label);
/* Adds the note that JPEG loses pixels of strokes. */
void seeds_note_lossy(const char *name, notes *log);
/* True if the largest difference between a colour and the grey of its green is at most `tolerance`. */
static inline bool rgb_grey(uint32_t rgb, int tolerance)
{
    return rgb_distance(rgb, (uint32_t)argb_channel(rgb, 1) * 0x010101) <= tolerance;
}

/* Makes the claims of a picture in the format trimap, grabcut, labels or mask. */
int seeds_read_values(picture *pic, int band, claims *all, failure *why);

/* Refuse a picture with colours, and a number without meaning. `number` is a palette index (`index`) or a sample, at
 * the position `place`. */
int seeds_refuse_color(const char *name, enum seeds_format format, bool palette, failure *why);
int seeds_refuse_number(const char *name, enum seeds_format format, bool index, double number, const char *place,
                        failure *why);

/* Replaces the values by their sums over all parts of the photo, if there are others. EXIT_RUNTIME: another part has
 * failed. */
int seeds_sum(const seeds_rows *rows, int64_t *values, size_t count, failure *why);

/* The request for a photo, the photo, its rows, and where notes and a refusal go. */
typedef struct seeds_reading {
    const seeds_request *request;
    const seeds_rows *rows; /* the rows of the photo to read seeds for */
    const image *photo;     /* of some rows, it has no pixels */
    const seeds_space *space; /* how the files of a scan are read; NULL: of a photo */
    const char *photo_name;
    bool map;               /* the file is a map of many labels, for messages; false: seeds of two classes */
    notes *log;
    failure *why;
} seeds_reading;

/* Returns EXIT_SEEDS if a picture of seeds does not have the photo's size. Uses only width, height and orientation of
 * both. */
int seeds_check_size(const seeds_reading *r, const char *name, const image *got);

/* Makes the claims of file i of the request, a picture in a format read by value, for some rows. Only the size of the
 * photo is known. Errors that depend on sums over all parts are reported after summing. If rows of that file are not
 * free, sets *by_rows to false and reads nothing. */
int seeds_read_row_picture(const seeds_reading *r, int i, claims *all, bool *by_rows);

/* A picture of values that is read row by row. */
typedef struct row_picture {
    const char *name;
    region_shape kind;     /* with a palette, samples are its indices */
    region_reader *reader;
} row_picture;

/* Receives row y, counted from the first row that is read. */
typedef int row_taker(void *context, const image *row, int64_t y, failure *why);

/* Opens the picture `path` for seeds_take_rows(). If its rows are not free, all of it is in memory. If it is a file of
 * annotations, `text` receives them and the reader is NULL; they are refused if `text` is NULL. Call
 * seeds_close_rows() in any case. Returns EXIT_INPUT or EXIT_RESOURCES on failure. */
int seeds_open_rows(const char *path, const image_limits *limits, row_picture *out, bytes *text, notes *log,
                    failure *why);
/* Passes `height` rows to take(), which begin with row `above`. Stops at the first failure. */
int seeds_take_rows(const row_picture *from, int64_t above, int64_t height, row_taker *take, void *context,
                    failure *why);
/* Closes it; adds notes about the file to `log`, unless that is NULL. */
void seeds_close_rows(row_picture *from, notes *log);

/* Makes the claims of all pictures in the formats color and diff together, because the meaning of a colour depends on
 * all of them. painted: pixels of background and foreground in all other sources. */
int seeds_read_colors(const seeds_reading *r, picture *pictures, int count, const int64_t painted[2], claims *all,
                      seeds *out);

/* ---- Annotations ---- */

/* seeds_open_shapes() parses pic->image.text into pic->shapes or, for the format `mask`, into pic->image as a grey
 * picture. seeds_read_shapes() makes their claims. */
int seeds_open_shapes(const seeds_reading *r, picture *pic);
int seeds_read_shapes(const seeds_request *request, const picture *pic, claims *all, notes *log, failure *why);

/* ---- Stroke colours ---- */

enum { HUE_GREEN, HUE_RED, HUE_BLUE, HUE_WHITE, HUE_BLACK, HUES };

/* The number of pixels near each pure colour, in all pictures that are read by colour. */
typedef struct hues {
    int64_t count[HUES];        /* pixels near each colour; white and black count only if the canvas is grey or
                                   transparent */
    bool foreground, background; /* seeds of that class have come from another source already */
    const char *found;          /* description of the colours of the first picture */
    const char *name;           /* of the first picture */
} hues;

extern const uint32_t seeds_hue_rgb[HUES];

/* Decides which colour is foreground and which is background. `given` is false for a class without a colour. */
int seeds_choose_pair(const seeds_request *request, const hues *seen, seeds_color *fg, seeds_color *bg, failure *why);

/* ---- All sources ---- */

/* Adds notes about valid seeds. `name` is that of the first file, or of the photo. */
void seeds_note_labels(const seeds_request *request, const claims *all, const char *name, const seeds *got, notes *log);

/* ---- Command line ---- */

/* Returns EXIT_USAGE for values that can never be right, and for points and boxes with the wrong number of
 * dimensions. */
int seeds_check_request(const seeds_request *request, const char *name, bool volume, failure *why);

int seeds_apply_strokes(const seeds_request *request, const char *name, claims *all, notes *log, failure *why);
/* Passes the pixels of these rows that a stroke covers to put(), some of them several times. Returns how many; adds to
 * *outside the number of points outside the whole. */
typedef void seeds_put(void *context, size_t first, size_t count);
int64_t seeds_paint_stroke(const claims *all, const seeds_stroke *stroke, double radius, int *outside, seeds_put *put,
                           void *context);
/* Does the same for shape `number` of annotations, which is a SHAPE_LINE. Returns false if memory ran out. */
bool seeds_paint_line(const shapes *all, size_t number, const claims *rows, double radius, int *outside, seeds_put *put,
                      void *context);
/* Makes the claims of strokes and box, and of the border of the photo or the faces of the scan if there are only
 * clicks. */
int seeds_apply_drawn(const seeds_request *request, const char *name, claims *all, notes *log, failure *why);
