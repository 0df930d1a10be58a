/* SPDX-License-Identifier: MIT
 *
 * colors.h - colour models: how well a colour fits the foreground and the background. A model is learnt from labelled
 * pixels and returned as a table over a lattice of colours. Evaluating it is then one look-up, with the same bits on
 * every processor. To add a model: colors_x.c and a row in colors.def.
 */
#pragma once

#include <stdbool.h>

#include "comm.h"
#include "mixture.h"
#include "tilecut.h"

/* The lattice colours that occur in an image: some thousands out of a quarter of a million. They are found once, and
 * all models that learn from that image share them. */
typedef struct tc_palette {
    int references;       /* reference count, atomic                                         */
    int channels, bits; /* bits per channel of the lattice, see tc_color_bins()           */
    size_t count;
    uint32_t *bin;     /* [count] in ascending order                                      */
    uint32_t *entry;   /* [bins] the palette entry of a bin; undefined for colours that do not occur */
    double *x, *y, *z; /* [count] the colours in CIELAB, from tc_gmm_color()              */
    uint32_t *pixel;   /* [pixels] the palette entry of each pixel; NULL: not stored      */
    uint32_t *steady;  /* [TC_COUNTS][count] the counts of counts.h that do not depend on labels, for seeds that do not
                          change; NULL: not counted yet */
    int32_t *spare[4]; /* [bins] unused tables for tc_palette_take(), 0 for colours that are not in the palette;
                          accessed atomically */
} tc_palette;

/* Makes the palette of an image, with one reference. If `image` is a part, the palette is that of the whole image. */
tilecut_status tc_palette_init(tc_palette **palette, const tilecut_image *image, int bits, int threads,
                               tc_comm *comm);
/* Makes the palette of all colours of the lattice, with one reference. */
tilecut_status tc_palette_whole(tc_palette **palette, int channels, int bits);
/* Returns a table of costs by bin, with 0 for colours that are not in the palette; NULL if there is no memory. The
 * second function takes the table back; it accepts NULL. */
int32_t *tc_palette_take(tc_palette *palette);
void tc_palette_give(tc_palette *palette, int32_t *table);

/* Stores the palette entry of each pixel of the image, which never changes, if the entries fit into a cache and there
 * is memory. */
void tc_palette_number(tc_palette *palette, const tilecut_image *image);
tc_palette *tc_palette_hold(tc_palette *palette); /* adds a reference and returns the palette; NULL is allowed */
void tc_palette_drop(tc_palette *palette);        /* removes a reference; with the last one the palette is freed */

/* Costs of labelling a colour, in model units: -log P(colour | model), >= 0 and finite. */
typedef struct tc_color_costs {
    int channels; /* 1 or 3                                                                          */
    int bits;     /* leading bits of each channel that are used: the lattice has 2^(channels * bits) colours */
    size_t count; /* the number of colours that have an entry                                        */
    const tc_palette *palette;      /* the colours that have an entry; NULL: all colours of the lattice */
    float *foreground, *background; /* [count]; owned. NULL: there is no colour term                 */
    float *common; /* [count] has been subtracted from both costs, because only their difference matters; owned;
                      NULL: 0 */
} tc_color_costs;

/* The input from which a model is learnt. */
typedef struct tc_training_set {
    const tilecut_image *image;
    const uint8_t *labels; /* labels of the pixels to learn from: TILECUT_FOREGROUND and TILECUT_BACKGROUND; if the
                              latter does not occur, TILECUT_OUTSIDE */
    bool guessed;          /* true: there is a box, and the labels inside it are a guess                        */
    const uint8_t *seeds;  /* the strokes; `labels` contains them, too, but they get a share of their own       */
    double share[2];       /* for foreground and background: the share of the class's weight that strokes have  */
    bool steady;           /* true: colours are learnt again from other labels, but with the same `seeds`         */
    bool far;              /* pixels labelled TILECUT_OUTSIDE are far from the object, and are not used for learning */
    int start;             /* the number of the attempt at a first model                                        */
    bool learnt;           /* true: `mixture` has been learnt from earlier labels of the same image             */
    tc_mixture mixture[2]; /* for foreground and background; a model that uses mixtures keeps them from one training to
                              the next */
    tc_palette *palette;   /* a counted reference (tc_palette_hold()); NULL until a model needs the palette      */
    tc_comm *comm;       /* see energy.h                                                                     */
    int threads;           /* the number of threads that count                                                  */
} tc_training_set;

/* How a GPU learns a model. A model with 0 is learnt on the host only. */
typedef enum tc_device_colors {
    TC_NOT_ON_DEVICE = 0,
    TC_DEVICE_NO_COLORS, /* the model has no colours, so there is nothing to learn */
    TC_DEVICE_HISTOGRAMS,
    TC_DEVICE_MIXTURES
} tc_device_colors;

typedef struct tc_colors {
    const char *name, *summary;
    /* Learns the model and fills `costs`, which are zero on entry. */
    tilecut_status (*learn)(tc_training_set *training, tc_color_costs *costs);
    /* Computes in advance what learn() needs from the image alone, with the given number of threads. NULL: there is
     * nothing to prepare. */
    tilecut_status (*prepare)(tc_training_set *training, const tilecut_image *image, int threads);
    /* Fills `costs`, zero on entry, for all colours of the lattice from the learnt model. NULL: learn() does that. */
    tilecut_status (*cost_all)(const tc_training_set *training, tc_color_costs *costs);
    int starts; /* how many first models to try if the labels are a guess; training->start is below it          */
    int parts;  /* number of parts (Gaussians) of the foreground's model; 0: it has no parts                  */
    int (*part)(const tc_training_set *training,
                uint32_t bin); /* returns the part to which this colour most likely belongs */
    tc_device_colors on_device;
} tc_colors;

#define COLORS(name, summary, ...)                                                                             \
    tilecut_status tc_colors_##name##_learn(tc_training_set *training, tc_color_costs *costs);
#include "colors.def"
#undef COLORS
tilecut_status tc_colors_gmm_cost_all(const tc_training_set *training, tc_color_costs *costs);
tilecut_status tc_colors_gmm_prepare(tc_training_set *training, const tilecut_image *image, int threads);
int tc_colors_gmm_part(const tc_training_set *training, uint32_t bin);

extern const tc_colors tc_color_models[]; /* ends with a row whose name is NULL */

bool tc_colors_learn(const tc_colors *model); /* false for "none" */
const tc_colors *tc_colors_find(const char *name); /* NULL if there is no such name; the name NULL stands for the first
                                                      row */
tilecut_status tc_color_costs_init(tc_color_costs *costs, int channels, int bits, const tc_palette *palette);
void tc_color_costs_free(tc_color_costs *costs);

/* The bin of an entry of the table. */
static inline size_t tc_color_bin(const tc_color_costs *costs, size_t entry)
{
    return costs->palette ? costs->palette->bin[entry] : entry;
}

/* Writes the lattice bins of the pixels of row `y`: the top `bits` bits of each channel, red highest. */
void tc_color_bins(const tilecut_image *image, int bits, int y, uint32_t *bin);

/* The number of bytes of a row's samples; then the number of bytes from one row to the next. */
static inline size_t tc_image_row_bytes(const tilecut_image *image)
{
    return (size_t)image->width * (size_t)image->channels * (size_t)(image->depth / 8);
}

static inline size_t tc_image_stride(const tilecut_image *image)
{
    return image->stride ? image->stride : tc_image_row_bytes(image);
}

/* The first byte of row y. */
const void *tc_image_row(const tilecut_image *image, int y);
