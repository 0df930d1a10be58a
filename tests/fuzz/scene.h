/* SPDX-License-Identifier: MIT
 *
 * scene.h - a small image or volume with arbitrary seeds and parameters, for fuzz targets that call the library.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "tilecut.h"

enum { SCENE_SIDE = 14, SCENE_AREA = SCENE_SIDE * SCENE_SIDE };

typedef struct scene {
    supply from;
    int width, height;
    tilecut_image image;
    tilecut_params params;
    double prior_weight; /* for a call with a prior */
    uint8_t pixels[3 * SCENE_AREA], seeds[SCENE_AREA], prior[SCENE_AREA], mask[SCENE_AREA], other[SCENE_AREA];
} scene;

/* True if a call has succeeded. Otherwise it must have a status that its arguments explain, and an error message. */
static inline bool scene_fine(tilecut_status status)
{
    MUST(status == TILECUT_OK || status == TILECUT_ESEEDS || status == TILECUT_ERANGE || status == TILECUT_EINVAL);
    MUST(status == TILECUT_OK || *tilecut_error_detail());
    return status == TILECUT_OK;
}

static inline double scene_number(supply *from)
{
    static const double all[] = {0, TILECUT_NONE, 1, 50, 0.5, 1e12, 1e-3, 2, 1e6, 3e11, 1e-300, 7};
    return all[take_below(from, sizeof all / sizeof *all)];
}

static inline void scene_params(scene *s)
{
    static const char *const solvers[] = {NULL, "auto", "bk", "cascade", "push", "wave", "nothere"};
    static const int connectivities[] = {0, 4, 8, 26, 5};
    supply *const from = &s->from;
    tilecut_params *const p = &s->params;
    p->solver = solvers[take_below(from, 7)];
    p->colors = take_below(from, 3) ? NULL : tilecut_colors_name((int)take_below(from, 4));
    if (take_below(from, 2)) {
        p->lambda = scene_number(from), p->sigma = scene_number(from), p->data_weight = scene_number(from);
        p->spatial = scene_number(from), s->prior_weight = scene_number(from);
    }
    p->connectivity = connectivities[take_below(from, 5)];
    p->iterations = (int)take_below(from, 5) - 1;
    p->effort = (int)take_below(from, 4);
    p->soft_seeds = !take_below(from, 5);
    p->islands = !take_below(from, 4);
    p->threads = 1 + !take_below(from, 8);
}

static inline void scene_draw(scene *s, const uint8_t *data, size_t size)
{
    memset(s, 0, sizeof *s);
    s->from = (supply){data, size};
    scene_params(s);
    s->width = 1 + (int)take_below(&s->from, SCENE_SIDE);
    s->height = 1 + (int)take_below(&s->from, SCENE_SIDE);
    const int channels = take_below(&s->from, 2) ? 3 : 1;
    const unsigned spread = take_below(&s->from, 3);
    const size_t area = (size_t)s->width * (size_t)s->height;
    for (size_t p = 0; p < area; p++) {
        const unsigned t = take(&s->from);
        s->seeds[p] = (uint8_t)(t < 160 ? 0 : t < 200 ? 1 : t < 240 ? 2 : t < 254 ? 3 : t);
        s->prior[p] = (uint8_t)(t * 7);
        for (unsigned c = 0; c < (unsigned)channels; c++)
            s->pixels[p * (size_t)channels + c] = (uint8_t)(t * 31 + c * 50 * spread);
    }
    if (area > 3 && take_below(&s->from, 4)) s->seeds[0] = TILECUT_BACKGROUND, s->seeds[area / 2] = TILECUT_FOREGROUND;
    s->image = (tilecut_image){.width = s->width, .height = s->height, .channels = channels, .depth = 8,
                               .pixels = s->pixels};
}
