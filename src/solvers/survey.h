/* SPDX-License-Identifier: MIT
 *
 * survey.h - cheap statistics of a grid before it is solved. They are taken from one row of pixels in each row of
 * tiles, or in some of these; in a volume, from some of its slices.
 */
#pragma once

#include "grid.h"
#include "tuning.h"

typedef struct tc_survey {
    int64_t pixels;    /* number of pixels surveyed               */
    int64_t sources;   /* surveyed pixels that have positive excess */
    int64_t terminals; /* surveyed pixels that have any excess */
    int64_t closed;    /* links to the right and down (two per pixel) that have no capacity */
} tc_survey;

tc_survey tc_survey_grid(const tc_grid *grid);

/* Adds a pixel to the survey: only the sign of `excess` matters; `right` and `down` say whether these links have
 * capacity. */
static inline void tc_survey_pixel(tc_survey *s, int excess, bool right, bool down)
{
    s->pixels++;
    s->sources += excess > 0;
    s->terminals += excess != 0;
    s->closed += !right + !down;
}

/* Chooses the rows to survey in a grid of that size: `first`, and then every `step`-th row. */
static inline void tc_survey_rows(int width, int height, int *first, int *step)
{
    const int64_t all = (int64_t)width * ((height + TC_TILE - 1) / TC_TILE);
    *first = TC_TILE / 2;
    *step = TC_TILE * (all > TC_SURVEY_ENOUGH ? (int)(all / TC_SURVEY_ENOUGH) : 1);
}

/* True if few pixels have terminals: less than a quarter. */
static inline bool tc_survey_few(const tc_survey *s)
{
    return s->pixels > 0 && 4 * s->terminals < s->pixels;
}

/* True if walls lie between the few terminals, so that paths are long. Mazes have 5 to 60 % of their links closed,
 * pictures below 1 %. */
static inline bool tc_survey_walled(const tc_survey *s)
{
    return tc_survey_few(s) && 40 * s->closed >= 2 * s->pixels;
}
