/* SPDX-License-Identifier: MIT
 *
 * nearness.h - the spatial term: evidence from a pixel's distances to the strokes and to the border.
 */
#pragma once

#include <stdbool.h>

#include "comm.h"
#include "energy_math.h"
#include "tilecut.h"

/* Levels of nearness. Level 0 is the strongest evidence for the foreground. */
enum { TC_NEARNESS_LEVELS = 255 };

/* The evidence for the foreground, in nats at a weight of 1, lies between WORST and BEST. MOST is the larger of their
 * magnitudes. */
#define TC_NEARNESS_BEST 0.4
#define TC_NEARNESS_WORST (-3.35)
#define TC_NEARNESS_MOST 3.35

static TC_BOTH inline double tc_nearness_favour(int level)
{
    return TC_NEARNESS_BEST - (TC_NEARNESS_BEST - TC_NEARNESS_WORST) * level / (TC_NEARNESS_LEVELS - 1);
}

/* Added to the evidence in a volume. In a volume only a few slices have strokes. Half way between two such slices, the
 * inside of an object is as far from its own strokes as from those around it, so nearness is no evidence there. */
#define TC_NEARNESS_SPACE 0.1

/* Returns lambda for a volume whose foreground strokes are `gap` away from the background's, in steps of the smallest
 * spacing. The weight of a surface relative to its inside should grow with the size of the object, which lies between
 * these strokes. Half the gap is rounded down on a scale whose steps are factors of sqrt(2), so that a few more strokes
 * seldom change all links. The largest value is 50, as for a photo. */
static inline double tc_lambda_of_gap(double gap)
{
    const double step = sqrt(2), least = 1.0 / 16;
    double lambda = least;
    while (lambda * step <= 0.5 * gap && lambda * step < 50) lambda *= step;
    return lambda;
}

/* The extent of strokes in a volume is at least this many gaps. The object lies between its own strokes and those of
 * the background, so a click with a ring of background far around it marks a large object (docs/lab/volumes.md). */
#define TC_DOT_REACH 2.0

/* No colours are learnt from background strokes that are farther from the foreground's than this many gaps: such
 * strokes mark regions far from the object, and may cover much of the scan. */
#define TC_FAR_STROKES 2

/* Levels of the evidence that strokes give for the pixels around them, which replaces the term above. Level 0 is the
 * strongest evidence for the foreground, TC_EVIDENCE_MIDDLE is no evidence, and TC_EVIDENCE_LEVELS - 1 is the strongest
 * evidence for the background. The evidence lies between -TC_EVIDENCE_NATS and TC_EVIDENCE_NATS nats
 * (docs/lab/quality.md). */
enum { TC_EVIDENCE_MIDDLE = 63, TC_EVIDENCE_LEVELS = 2 * TC_EVIDENCE_MIDDLE + 1 };
#define TC_EVIDENCE_NATS 5.0

static TC_BOTH inline double tc_evidence_favour(int level)
{
    return TC_EVIDENCE_NATS * (TC_EVIDENCE_MIDDLE - level) / TC_EVIDENCE_MIDDLE;
}

/* STEP: the length of a step to an adjacent pixel, in chamfer distances; FAR: the distance where there is no seed. */
enum { TC_NEARNESS_STEP = 5, TC_NEARNESS_FAR = 1 << 29 };

/* Costs of steps: five times their lengths, rounded (7 and 11 for sqrt(2) and sqrt(5)), at most TC_NEARNESS_FAR.
 * Knight's moves are steps only in an image. A volume has none, so that its distances stay the same when it is
 * turned. */
typedef struct tc_near_steps {
    int32_t x, y, xy, wide, tall;  /* wide: two columns and a row; tall: a column and two rows */
    int32_t z, xz, yz, xyz;        /* steps to another slice                                   */
} tc_near_steps;

/* Computes s^2 of the formula of tc_nearness(), below; `seeded` is the bounding box of all foreground seeds. */
static TC_BOTH inline double tc_squared_extent(const tc_extent *seeded, int width, int height)
{
    const double w = seeded->x1 - seeded->x0 + 1, h = seeded->y1 - seeded->y0 + 1, squared = w * w + h * h;
    const double least = ((double)width * width + (double)height * height) / (50 * 50);
    return TC_NEARNESS_STEP * TC_NEARNESS_STEP * (squared > least ? squared : least);
}

/* Computes m of that formula. */
static TC_BOTH inline double tc_nearness_margin(int width, int height)
{
    return 0.1 * (width < height ? width : height);
}

/* Computes e of that formula, along one axis of `length` pixels. */
static TC_BOTH inline int tc_border_distance(int x, int length)
{
    return x < length - 1 - x ? x : length - 1 - x;
}

/* Returns the level of a pixel with distances d_F and d_B, not both 0. `background` says whether there are background
 * seeds. */
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
    int width, height;  /* height: all rows                                                   */
    int slice_rows;     /* rows of a slice; 0: an image                                       */
    double spacing[3];  /* lengths of steps along x, y and z; the smallest is 1; in an image all are 1 */
} tc_nearness_lattice;

/* The costs of steps in a lattice; `space` if it has several slices. */
tc_near_steps tc_near_steps_of(const tc_nearness_lattice *lattice, bool space);

/* The mean distance in steps from `count` foreground seeds to the nearest background seed; `sum` is the sum of their
 * chamfer distances. */
static inline double tc_gap_of(int64_t sum, int64_t count)
{
    return count ? (double)sum / (double)count / TC_NEARNESS_STEP : 0;
}

/* The chamfer distance beyond which a background stroke is far from the foreground's. */
static inline double tc_far_of(double gap)
{
    return TC_FAR_STROKES * TC_NEARNESS_STEP * gap;
}

/* Computes s^2 of the formula of tc_nearness() for a volume whose foreground seeds have the bounding box `seeded`. The
 * lattice is the whole volume, in all parts. */
double tc_extent_in_space(const tc_nearness_lattice *lattice, const tc_block *seeded, double gap);

/* Computes the distances of chamfer.h over the whole lattice, in fifths of a step of length 1. */
void tc_nearness_distances(uint16_t *distance, const tc_nearness_lattice *lattice);

/* Further facts about the strokes, besides the levels of nearness. */
typedef struct tc_nearness_strokes {
    double gap;     /* out: mean distance from a foreground seed to the nearest background seed, in steps */
    uint8_t *seeds; /* in: the seeds themselves; background seeds beyond TC_FAR_STROKES gaps are changed to
                       TILECUT_OUTSIDE, from which no colours are learnt. NULL: nothing is changed */
} tc_nearness_strokes;

/* Writes the level of each pixel. It stands for the evidence
 *
 *     0.4 - d_F / (d_F + d_B) - min(d_F^2 / s^2, 9) / 4 - max(0, 1 - e / m) / 2
 *
 * where d_F and d_B are the distances to the nearest foreground and background seed, s is the diagonal of the box
 * around all foreground seeds (at least a fiftieth of the image's diagonal), e is the distance to the border of the
 * image, and m is a tenth of the image's shorter side. So three kinds of pixels tend to be background: pixels half way
 * between the classes, pixels whose distance to the foreground's strokes is large compared with the strokes' length,
 * and pixels along the border. The weights were fitted on photographs (docs/guide/quality.md).
 *
 * In a volume of several slices, distances are computed in space from the spacing, s is at least TC_DOT_REACH gaps
 * between the classes' strokes, and the last term is left out: a photographer frames the object, but a scan often ends
 * within it.
 *
 * There must be foreground seeds; without background seeds the second term is 0. `level` has one byte per pixel.
 * Distances are integer chamfer distances (Borgefors 1986; each step is five times its length, rounded, so 5, 7 and 11
 * in an image), and are the same on every machine. If the lattice is split into parts, the own rows of this part are
 * written, and zeros around them.
 *
 * `strokes` may be NULL; see tc_nearness_strokes. */
tilecut_status tc_nearness(const uint8_t *seeds, const tc_nearness_lattice *lattice, int threads, tc_comm *comm,
                           uint8_t *level, tc_nearness_strokes *strokes);
