/* SPDX-License-Identifier: MIT
 *
 * colors.h - colour models: how well a colour fits the foreground and the background. A model is learnt from
 * labelled pixels and handed on as a table over a lattice of colours, so that evaluating it is one look-up
 * with the same bits on every processor. To add one: colors_x.c and a row in colors.def.
 */
#ifndef TC_COLORS_H
#define TC_COLORS_H

#include <stdbool.h>

#include "mixture.h"
#include "palette.h"
#include "tilecut.h"

/* Costs of labelling a colour, in model units: -log P(colour | model), >= 0 and finite. */
typedef struct tc_color_costs {
    int channels; /* 1 or 3                                                                          */
    int bits;     /* of each channel that count: a lattice of 2^(channels * bits) colours            */
    size_t count; /* of colours that have an entry                                                   */
    const tc_palette *palette;      /* those of the lattice that have one; NULL: all of them         */
    float *foreground, *background; /* [count]; owned. NULL: the model has nothing to say            */
    float *common; /* [count] what a model left out of both because only the difference counts; owned; NULL: 0 */
} tc_color_costs;

/* What a model learns from. */
typedef struct tc_lesson {
    const tilecut_image *image;
    const uint8_t *labels; /* pixels labelled TILECUT_FOREGROUND and, for the background, TILECUT_BACKGROUND or,
                              where there is none, TILECUT_OUTSIDE                                              */
    bool guessed;          /* there is a box: the labels inside it are a guess, to be improved on                */
    const uint8_t *seeds;  /* whose strokes count beside the labels, which contain them                          */
    double share[2];       /* of the weight of foreground and background: what the strokes' own colours have     */
    int start;             /* which of several attempts at a first model                                       */
    bool learnt;           /* `mixture` is there: from other labels of the same image                          */
    tc_mixture mixture[2]; /* foreground, background: kept from lesson to lesson by the model that uses it      */
    tc_palette *palette;   /* held; NULL until a model has use for one                                          */
} tc_lesson;

/* How a device learns a model, if it does. A row that says nothing is learnt on the host alone. */
typedef enum tc_device_colors {
    TC_NOT_ON_DEVICE = 0,
    TC_DEVICE_NO_COLORS, /* there is nothing to learn */
    TC_DEVICE_HISTOGRAMS,
    TC_DEVICE_MIXTURES
} tc_device_colors;

typedef struct tc_colors {
    const char *name, *summary;
    /* Fills `costs`, which comes in zeroed. */
    tilecut_status (*learn)(tc_lesson *lesson, tc_color_costs *costs);
    /* Fills `costs`, zeroed, for all colours of the lattice, from what was learnt. NULL: learn() does so. */
    tilecut_status (*cost_all)(const tc_lesson *lesson, tc_color_costs *costs);
    int starts; /* how many are worth a try where the labels are a guess: more than 1 if lesson->start matters */
    int parts;  /* that the foreground is made of; 0: it is all one                                          */
    int (*part)(const tc_lesson *lesson, uint32_t bin); /* the one that this colour is most likely of          */
    tc_device_colors on_device;
} tc_colors;

#define COLORS(name, summary, ...) tilecut_status tc_colors_##name##_learn(tc_lesson *lesson, tc_color_costs *costs);
#include "colors.def"
#undef COLORS
tilecut_status tc_colors_gmm_cost_all(const tc_lesson *lesson, tc_color_costs *costs);
int tc_colors_gmm_part(const tc_lesson *lesson, uint32_t bin);

extern const tc_colors tc_color_models[]; /* ends with a row whose name is NULL */

bool tc_colors_learn(const tc_colors *model); /* false for "none" */
const tc_colors *tc_colors_find(const char *name); /* NULL: no such name; a NULL name is the first row */
tilecut_status tc_color_costs_init(tc_color_costs *costs, int channels, int bits, const tc_palette *palette);
void tc_color_costs_free(tc_color_costs *costs);

/* The entry of a bin, and the bin of an entry. */
static inline size_t tc_color_entry(const tc_color_costs *costs, uint32_t bin)
{
    return costs->palette ? costs->palette->entry[bin] : bin;
}

static inline size_t tc_color_bin(const tc_color_costs *costs, size_t entry)
{
    return costs->palette ? costs->palette->bin[entry] : entry;
}

/* Lattice bins of `count` pixels of row `y`: the top `bits` bits of each channel, red highest. */
void tc_color_bins(const tilecut_image *image, int bits, int y, uint32_t *bin);

/* Bytes of a row's samples; from row to row. */
static inline size_t tc_image_row_bytes(const tilecut_image *image)
{
    return (size_t)image->width * (size_t)image->channels * (size_t)(image->depth / 8);
}

static inline size_t tc_image_stride(const tilecut_image *image)
{
    return image->stride ? image->stride : tc_image_row_bytes(image);
}

/* First byte of row y. */
const void *tc_image_row(const tilecut_image *image, int y);

#endif
