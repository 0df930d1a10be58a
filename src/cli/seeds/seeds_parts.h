/* SPDX-License-Identifier: MIT
 *
 * seeds_parts.h - shared by the files seeds*.c only: claims on pixels, the contents of a seed picture, and the formats.
 *
 *   seeds.c            a photo: reads and combines all sources; calls all below
 *   seeds_request.c    what is asked for, and the memory of seeds
 *   seeds_kinds.c      the table of formats
 *   seeds_place.c      where a pixel is in the whole, and sums over all parts
 *   seeds_claims.c     claims of photos, scans and parts: counts, settles conflicts, refuses
 *   seeds_parse.c      values of the command line
 *   seeds_contents.c   counts what a picture holds, in one pass
 *   seeds_recognise.c  finds the format from these, or refuses and says what to do
 *   seeds_values.c     formats read by value: trimap, grabcut, labels, mask
 *   seeds_color.c      formats read by colour: color, diff
 *   seeds_pair.c       which stroke colour means which class
 *   seeds_strokes.c    strokes of the command line
 *   seeds_box.c        its box, and the border of a photo
 *   seeds_oddities.c   notes on seeds that suffice but are odd
 *   seeds_shapes.c     annotation files
 *   seeds_rows.c       of some rows of a photo: strokes, box, annotations, and pictures read by value
 *   seeds_row_picture.c  the last of these
 */
#pragma once

#include <stddef.h>
#include <string.h>

#include "pixel.h"
#include "shapes.h"
#include "seeds.h"
#include "tilecut.h"

/* The classes that the sources read so far claim for a pixel; both may be claimed. */
enum {
    CLAIM_BACKGROUND = 1,
    CLAIM_FOREGROUND = 2,
    CLAIM_OUTSIDE = 4,
    BY_STROKE = 8,              /* factor on a claim: a stroke made the claim, and it may cross itself */
    CLAIM_OVERRULED = 64        /* sources of different ranks claimed it for both classes, and it was counted */
};

/* A volume is a stack of slices, so its rows go on from slice to slice: row y of slice z is row z * slice + y. */
typedef struct claims {
    int width;
    int64_t height;             /* rows that are here */
    int64_t above, whole_height; /* rows of the whole above these, if they are only a part of it; and of the whole */
    int slice;                  /* rows of a slice; 0: a photo */
    double scale[3];            /* of a volume: distances between voxels along x, y, z, in units of the least */
    size_t own, end;            /* pixels own to end - 1 are counted: all, unless they are a part of the whole */
    uint8_t *bits;              /* [width * height] claims, as above; owned */
    seeds_part *part;           /* the sources in order, with room for all; owned */
    int part_count, current;    /* claims are those of source `current` */
    bool last;                  /* later sources overrule earlier ones */
    uint16_t *rank;             /* [pixels] rank of the last source that claimed it; NULL: claims come in the order of
                                   their sources; owned */
    uint16_t source;            /* rank of the current source; later sources have higher ranks */
    int64_t overruled;          /* pixels of which a later source has settled the class */
    int64_t clash;              /* the first pixel that two sources claim for different classes, or -1 */
    int clash_part, clash_before; /* the source that came later; the earlier one if it is unique, else -1 */
    bool clash_foreground;      /* the later source claims foreground */
    bool boxed;                 /* there are boxes, whose outside is background */
    bool near_border;           /* --box has all sides within a hundredth of the border */
    int64_t outside;            /* pixels outside of boxes, once labels have taken the place of claims */
    char found[160];            /* for error messages: colours of the first picture read by colour, why a shape was left
                                   out; or "" */
} claims;

/* Sets up claims for these rows, or fails with EXIT_RESOURCES; bits (not NULL) are the caller's memory, filled with 0.
 * ranked: sources may come out of order. */
int seeds_begin_claims(const seeds_request *request, const seeds_rows *rows, uint8_t *bits, bool ranked,
                       const char *name, claims *all, failure *why);

/* Hands labels and sources to `out`, or frees them if the status is a failure. */
void seeds_end_claims(claims *all, int status, seeds *out);

/* Write the place of pixel p in the whole picture, as "12,34" or "12,34,5", and the picture's size, as "640x480" or
 * "64x64x20". p counts from the first of these rows, so it is negative above them. Both return `text`. */
enum { SEEDS_PLACE = 72 };
const char *seeds_place(const claims *all, int64_t p, char text[SEEDS_PLACE]);
const char *seeds_size(const claims *all, char text[SEEDS_PLACE]);

/* Whether a pixel is counted. */
static inline bool claims_own(const claims *all, size_t p)
{
    return p >= all->own && p < all->end;
}

/* Begins the next source: claims from now on belong to it. */
static inline seeds_part *claims_begin(claims *all, const char *name, const char *format)
{
    seeds_part *part = &all->part[all->current = all->part_count++];
    *part = (seeds_part){.name = name, .format = format};
    return part;
}

/* The rank of source `i`, 1 and up: first the pictures, then the strokes. */
static inline uint16_t seeds_source(int i)
{
    return (uint16_t)(i < UINT16_MAX - 1 ? i + 1 : UINT16_MAX);
}

/* Applies the rule that later sources win, in whichever order they come, and a box never does: removes earlier claims.
 * Returns whether `bit` is to be claimed. */
static inline bool claim_overrules(claims *all, size_t p, uint8_t bit)
{
    const uint8_t other = bit == CLAIM_FOREGROUND ? CLAIM_BACKGROUND | CLAIM_OUTSIDE : CLAIM_FOREGROUND;
    const bool contested = all->bits[p] & other, same = all->rank && all->rank[p] == all->source;
    if (contested && !same && !(all->bits[p] & CLAIM_OVERRULED)) {
        all->overruled += claims_own(all, p);
        all->bits[p] |= CLAIM_OVERRULED;
    }
    if (contested && bit == CLAIM_OUTSIDE) return false;
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

/* Ends the work: counts, over all parts, in place of claims labels, and refuses seeds that contradict each other or
 * cannot give a cut. `name`: of the photo. `out` takes the labels and the sources. */
int seeds_conclude(const seeds_request *request, const seeds_rows *rows, const char *name, claims *all, seeds *out,
                   notes *log, failure *why);

/* The label of a pixel with these claims. */
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

/* The first byte from `from` on that is not 0, or `end`. Most pixels have no seed, so eight are skipped at a time. */
static inline size_t seeds_next_marked(const uint8_t *marks, size_t from, size_t end)
{
    for (uint64_t word; from + sizeof word <= end; from += sizeof word) {
        memcpy(&word, marks + from, sizeof word);
        if (word) break;
    }
    while (from < end && !marks[from]) from++;
    return from;
}

/* The pixels in a box, clipped to the whole: along each axis the first inside and the first behind. */
typedef struct seeds_frame {
    int64_t from[3], to[3];
} seeds_frame;

/* Claims for the background what lies outside of a frame and nothing else has claimed. */
void seeds_claim_free(const seeds_frame *within, claims *all);

/* Labels the border as outside of a box where nobody has labelled it, along each axis of 3 pixels and more: one pixel
 * of a photo, and a hundredth of a volume. Returns how many pixels of those that are counted. */
int64_t seeds_label_strip(claims *all);

/* ---- Pictures ---- */

enum { CONTENTS_COMMON = 8, CONTENTS_MANY = 2000, BLACK_MAX = 31, MIDDLE_MIN = 96, MIDDLE_MAX = 160, WHITE_MIN = 224 };

typedef struct contents {
    int64_t pixels, transparent; /* of all pixels; of pixels less than half opaque. All other fields count opaque
                                    pixels only */
    int strongest;               /* the largest alpha, 0 .. 255                          */
    bool grey;                   /* red = green = blue everywhere (within 8 in a JPEG)   */
    int64_t level[256];          /* pixels of each grey level, if grey                   */
    int64_t black, middle, white, between; /* groups of the trimap, if grey              */
    int colors;                  /* number of colours, at most CONTENTS_MANY               */
    struct { uint32_t rgb; int64_t count; } common[CONTENTS_COMMON]; /* most frequent first; count 0 past the end */
    bool raw_small;              /* grey samples (or palette indices) are 0..3 or the largest value, mostly 0..3 */
    int raw_max;                 /* the largest sample in 0..3                            */
    int largest;                 /* the largest grey sample as stored, 0..255 or 0..65535 */
} contents;

bool contents_of_picture(const image *pic, contents *out); /* false: no memory */

/* Refuses 16-bit samples that hold values of 8 bits, as label files do: read at full depth, all of it is black. */
int contents_check_depth(const char *name, const image *pic, const contents *s, failure *why);

/* "#00ff00 (3211 pixels), #c00000 (12 pixels)": up to three frequent colours, except `skip`, which is the canvas or a
 * value that is no colour. */
void contents_describe(const contents *s, uint32_t skip, char *text, size_t room);

#define NO_COLOR UINT32_C(0xffffffff)

/* Whether labels are palette indices; they are not if the palette itself holds the values. */
bool picture_values_are_indices(const image *pic);
static inline int picture_value(const image *pic, size_t p, bool indices)
{
    return indices ? pic->index[p] : (int)sample_at(pic, p * (size_t)pic->channels);
}

typedef struct picture {
    const char *name;
    image image;                /* owned */
    contents contents;              /* not of annotations */
    shapes shapes;              /* of annotations, else empty; owned */
    enum seeds_format format;   /* named or recognised */
    uint16_t source;            /* see claims */
    bool named;
    bool drawn;                 /* an annotation file; it may be without a shape that can be read */
} picture;

/* Sets picture->format from its contents, or refuses. */
int seeds_recognise(picture *pic, failure *why);

/* Labels of values, as of seeds_kind. */
#define VALUES(NAME, name, summary, sentence, foreground, background) int seeds_label_##name(int value, int depth);
#define WHOLE(NAME, name, summary, foreground, background)
#include "seeds.def"
#undef VALUES
#undef WHOLE
bool seeds_is_between(enum seeds_format format, int value); /* whether a trimap's value is none of its three, so the
                                                               pixel is unknown */
void seeds_claim_label(claims *all, size_t p, int label);

/* Makes the claims of a picture in the format trimap, grabcut, labels or mask. */
int seeds_read_values(const picture *pic, int band, claims *all, failure *why);

/* What is refused there, and for rows. `number`: an index of a palette or a sample, at pixel p of the newest source. */
int seeds_refuse_color(const char *name, enum seeds_format format, bool palette, failure *why);
int seeds_refuse_number(const claims *all, enum seeds_format format, bool index, double number, size_t p,
                        failure *why);

/* Replaces values by their sums over all parts of the photo, if there are others. EXIT_RUNTIME: one has failed. */
int seeds_sum(const seeds_rows *rows, int64_t *values, size_t count, failure *why);

/* The request for a photo, and where notes and a refusal go. */
typedef struct seeds_reading {
    const seeds_request *request;
    const image *photo;
    const char *photo_name;
    notes *log;
    failure *why;
} seeds_reading;

/* EXIT_SEEDS if a picture of seeds has not the photo's size; of both width, height and orientation are looked at. */
int seeds_check_size(const seeds_reading *r, const char *name, const image *got);

/* Makes the claims of file i of the request, a picture in `format`, for some rows; and reports what is known only once
 * counts are summed over all parts. Of the photo the size is known. */
int seeds_read_row_picture(const seeds_reading *r, int i, enum seeds_format format, const seeds_rows *rows,
                           claims *all);

/* Makes the claims of all pictures in the formats color and diff together, because the meaning of colours depends on
 * all of them. */
int seeds_read_colors(const seeds_reading *r, const picture *pictures, int count, claims *all, seeds *out);

/* ---- Annotations ---- */

/* Reads pic->image.text into pic->shapes. For the format `mask`, into pic->image as a grey picture. */
int seeds_open_shapes(const seeds_reading *r, picture *pic);
int seeds_read_shapes(const seeds_request *request, const picture *pic, claims *all, notes *log, failure *why);

/* ---- Stroke colours ---- */

enum { HUE_GREEN, HUE_RED, HUE_BLUE, HUE_WHITE, HUE_BLACK, HUES };

/* The number of pixels near each pure colour, over all pictures read by colour. */
typedef struct hues {
    int64_t count[HUES];        /* white and black only if the canvas is grey or transparent */
    bool foreground, background; /* other sources have painted that class already */
    const char *found;          /* description of the first picture's colours */
    const char *name;           /* of the first picture */
} hues;

extern const uint32_t seeds_hue_rgb[HUES];

/* Decides which colour is foreground and which is background. `given` is false for a class without a colour. */
int seeds_choose_pair(const seeds_request *request, const hues *seen, seeds_color *fg, seeds_color *bg, failure *why);

/* ---- All sources ---- */

/* What the colours of a photo are under seeds of each class: histograms of 16 x 16 x 16 bins. */
enum { SEEDS_BINS = 4096 };
typedef struct seeds_colors {
    int64_t bin[2][SEEDS_BINS], count[2];
} seeds_colors;

/* Adds pixels from `from` on, to before `end`. painted: the background is what was painted, not what a box gave. */
void seeds_count_colors(const image *photo, const uint8_t *label, size_t from, size_t end, bool painted,
                        seeds_colors *out);

/* Notes on seeds that suffice. `name`: of the first file, or of the photo. */
void seeds_note_oddities(const char *name, int64_t unknown, const seeds_colors *colors, notes *log);
void seeds_note_guess(const seeds_request *request, const char *name, const seeds *got, notes *log);

/* ---- Command line ---- */

/* EXIT_USAGE for values that can never be right, and for points and a box of another number of dimensions. */
int seeds_check_request(const seeds_request *request, const char *name, bool volume, failure *why);

int seeds_apply_strokes(const seeds_request *request, const char *name, claims *all, notes *log, failure *why);
/* Hands the pixels of these rows that a stroke covers to put(), some of them several times. Returns how many; counts
 * points outside the whole in *outside. */
typedef void seeds_put(void *context, size_t first, size_t count);
int64_t seeds_paint_stroke(const claims *all, const seeds_stroke *stroke, double radius, int *outside, seeds_put *put,
                           void *context);
/* Like the above for shape `number` of annotations, which is a SHAPE_LINE. False: no memory. */
bool seeds_paint_line(const shapes *all, size_t number, const claims *rows, double radius, int *outside, seeds_put *put,
                      void *context);
/* For seeds_are_clicks(): the border of the photo is background, except where it is painted. */
void seeds_apply_border(const seeds_request *request, claims *all, notes *log);
int seeds_apply_box(const seeds_request *request, const char *name, claims *all, notes *log, failure *why);
