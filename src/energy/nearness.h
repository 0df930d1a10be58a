/* SPDX-License-Identifier: MIT
 *
 * nearness.h - the spatial term: evidence from a pixel's distances to the strokes and to the border.
 */
#pragma once

#include <stdbool.h>

#include "comm.h"
#include "energy_math.h"
#include "tilecut.h"

/* Levels of nearness; 0 is the level that speaks most for the foreground. */
enum { TC_NEARNESS_LEVELS = 255 };

/* The evidence for the foreground, in nats at a weight of 1, lies between WORST and BEST; MOST is the larger of their
 * magnitudes. */
#define TC_NEARNESS_BEST 0.4
#define TC_NEARNESS_WORST (-3.35)
#define TC_NEARNESS_MOST 3.35

static TC_BOTH inline double tc_nearness_favour(int level)
{
    return TC_NEARNESS_BEST - (TC_NEARNESS_BEST - TC_NEARNESS_WORST) * level / (TC_NEARNESS_LEVELS - 1);
}

/* Added to the evidence in a volume. Strokes are on a few slices of a volume. Half way between two such slices the
 * inside of an object is as far from its strokes as from those around it; so nearness says nothing there. */
#define TC_NEARNESS_SPACE 0.1

/* Lambda of a volume whose foreground strokes are `gap` away from the background's, in steps of the least spacing: what
 * a surface weighs against its inside grows with the size of the object, which lies between these strokes. Half the gap
 * is rounded down to a step of sqrt(2), so that a few strokes more seldom change all links; 50 is the most, as for a
 * photo. */
static inline double tc_lambda_of_gap(double gap)
{
    const double step = sqrt(2), least = 1.0 / 16;
    double lambda = least;
    while (lambda * step <= 0.5 * gap && lambda * step < 50) lambda *= step;
    return lambda;
}

/* The extent of strokes in a volume is at least this many gaps: the object lies between its strokes and those of the
 * background, so a click with a ring far around it is one on a large object (docs/lab/volumes.md). */
#define TC_DOT_REACH 2.0

/* No colours are learnt from background strokes farther from the foreground's than this many gaps: they tell what is
 * far from the object, and lie where that is much of the scan. */
#define TC_FAR_STROKES 2

/* Levels of the evidence that strokes give for the pixels around them, which replaces the term above: 0 is the
 * strongest for the foreground, TC_LEAN_MIDDLE is none, and TC_LEAN_LEVELS - 1 is the strongest for the background. It
 * is between -TC_LEAN_NATS and TC_LEAN_NATS nats (docs/lab/quality.md). */
enum { TC_LEAN_MIDDLE = 63, TC_LEAN_LEVELS = 2 * TC_LEAN_MIDDLE + 1 };
#define TC_LEAN_NATS 5.0

static TC_BOTH inline double tc_evidence_favour(int level)
{
    return TC_LEAN_NATS * (TC_LEAN_MIDDLE - level) / TC_LEAN_MIDDLE;
}

/* A step to an adjacent pixel in chamfer distances. */
enum { TC_NEARNESS_STEP = 5 };

/* s^2 in the formula of tc_nearness(), below; `seeded` is the box around all foreground seeds. */
static TC_BOTH inline double tc_squared_extent(const tc_extent *seeded, int width, int height)
{
    const double w = seeded->x1 - seeded->x0 + 1, h = seeded->y1 - seeded->y0 + 1, squared = w * w + h * h;
    const double least = ((double)width * width + (double)height * height) / (50 * 50);
    return TC_NEARNESS_STEP * TC_NEARNESS_STEP * (squared > least ? squared : least);
}

/* m in that formula. */
static TC_BOTH inline double tc_nearness_margin(int width, int height)
{
    return 0.1 * (width < height ? width : height);
}

/* e in that formula, along one axis of `length` pixels. */
static TC_BOTH inline int tc_rim_distance(int x, int length)
{
    return x < length - 1 - x ? x : length - 1 - x;
}

/* The level of a pixel with distances d_F and d_B, not both 0. `background`: there are background seeds. */
static TC_BOTH inline uint8_t tc_nearness_level(double to_fg, double to_bg, bool background, double extent, double rim,
                                                double margin)
{
    const double steps = (TC_NEARNESS_LEVELS - 1) / (TC_NEARNESS_BEST - TC_NEARNESS_WORST);
    const double spread = to_fg * to_fg / extent;
    double against = 0.25 * (spread < 9 ? spread : 9) + (rim < margin ? 0.5 * (1 - rim / margin) : 0);
    if (background) against += to_fg / (to_fg + to_bg);
    return (uint8_t)tc_round(steps * against);
}

/* The pixels of an image or of a volume; slices lie one below the other. */
typedef struct tc_nearness_lattice {
    int width, height;  /* all rows                                                           */
    int slice_rows;     /* rows of a slice; 0: an image                                       */
    double spacing[3];  /* lengths of steps along x, y and z; the least is 1, in an image all */
} tc_nearness_lattice;

/* Distances of chamfer.h over all of it, in fifths of a step of length 1. */
void tc_nearness_distances(uint16_t *distance, const tc_nearness_lattice *lattice);

/* What strokes tell beside the levels of nearness. */
typedef struct tc_nearness_strokes {
    double gap;     /* out: mean distance from a foreground seed to the nearest background seed, in steps */
    uint8_t *seeds; /* in: the seeds themselves; background seeds beyond TC_FAR_STROKES gaps become TILECUT_OUTSIDE,
                       from which no colours are learnt. NULL: they stay                                          */
} tc_nearness_strokes;

/* Writes the level of each pixel. It stands for the evidence
 *
 *     0.4 - d_F / (d_F + d_B) - min(d_F^2 / s^2, 9) / 4 - max(0, 1 - e / m) / 2
 *
 * where d_F and d_B are the distances to the nearest foreground and background seed, s is the diagonal of the box
 * around all foreground seeds (at least a fiftieth of the image's diagonal), e is the distance to the border of the
 * image, and m is a tenth of the image's shorter side. So three kinds of pixels are rather background: those half way
 * between the classes, those far from the foreground's strokes compared with their length, and those along the
 * border. The weights were fitted on photographs (docs/guide/quality.md).
 *
 * In a volume of several slices distances are those of space, by the spacing, s is at least TC_DOT_REACH gaps between
 * the classes' strokes, and the last term is left out: a photographer frames the object, but a scan often ends within
 * it.
 *
 * Foreground must occur; without background the second term is 0. level: a byte a pixel. Distances are chamfer
 * distances in integers (Borgefors 1986; five times the length of each step, rounded, so 5, 7 and 11 in an image), and
 * every machine computes the same. If the lattice is split into parts, the own rows of this part are written, and zeros
 * around them.
 *
 * strokes: may be NULL, see there. */
tilecut_status tc_nearness(const uint8_t *seeds, const tc_nearness_lattice *lattice, int threads, tc_comm *comm,
                           uint8_t *level, tc_nearness_strokes *strokes);
