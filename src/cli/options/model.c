/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <string.h>

#include "memory.h"

#define WEIGHT_MOST INT64_C(1000000000000)
static const char weight_wanted[] = "a number from 0 to 1e12";

static const char *parse_sigma(const char *text, void *field)
{
    double value = 0;
    if (strcmp(text, "auto") && !(parse_real(text, &value) && value >= 1e-3 && value <= 1e6))
        return "auto or a number of grey levels from 0.001 to 1e6";
    *(double *)field = value;
    return NULL;
}

static const char *parse_iterations(const char *text, void *field)
{
    int64_t value;
    if (!parse_integer(text, 0, TILECUT_MAX_ITERATIONS, &value)) return "a whole number from 0 to 30";
    *(int *)field = value ? (int)value : -1;
    return NULL;
}

static const char *parse_connectivity(const char *text, void *field)
{
    int64_t value;
    if (!parse_integer(text, 4, 26, &value) || (value != 4 && value != 8 && value != 6 && value != 26))
        return "4 or 8, or of volumes 6 or 26";
    *(int *)field = (int)value;
    return NULL;
}

#define UNSET (-1.0) /* the weight is unset: strokes choose it */

const option model_options[] = {
    OPTION_HEADING("Model"),
    {.name = "lambda", .volumes = VOLUMES_TOO, .argument = "F", .brief = "how smooth the outline is (default 50)",
     .help = "weight of the boundary term: how smooth the outline is (default 50; in a volume half the distance "
             "between strokes of both classes, in voxels, at most 50)",
     .kind = OPTION_REAL, .most = WEIGHT_MOST, .wanted = weight_wanted, .at = offsetof(model, lambda)},
    {.name = "spatial", .volumes = VOLUMES_TOO, .argument = "F",
     .help = "weight of the distances to the strokes, if there is a colour model (default 2, or 3 where strokes say "
             "that the object is small; in a volume 10; 0: off)",
     .kind = OPTION_REAL, .most = WEIGHT_MOST, .wanted = weight_wanted, .at = offsetof(model, spatial)},
    {.name = "sigma", .volumes = VOLUMES_TOO, .argument = "F",
     .help = "contrast scale in grey levels; auto: from the photo\n(default auto)",
     .parse = parse_sigma, .at = offsetof(model, sigma)},
    {.name = "colors", .volumes = VOLUMES_TOO, .argument = "NAME",
     .help = "colour model, learnt from the seeds (default: the first)",
     .kind = OPTION_NAME, .wanted = "a colour model ('tilecut info' lists them)", .at = offsetof(model, colors),
     .choice = tilecut_colors_name, .choice_summary = tilecut_colors_summary},
    {.name = "iterations", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "learn the colours from the cut and cut again, at most N times (default 5 with a box, else 3; in a "
             "volume 0)",
     .parse = parse_iterations, .at = offsetof(model, iterations)},
    {.name = "effort", .argument = "N",
     .help = "1: search in the photo itself, from one first guess;\n2: search in a smaller copy, from two guesses, "
             "and in a\nbox from four; 3: like 2, and in a box also try to drop\nsingle colours (default 3)",
     .kind = OPTION_INT, .least = 1, .most = TILECUT_MAX_EFFORT, .wanted = "1, 2 or 3",
     .at = offsetof(model, effort)},
    {.name = "islands", .volumes = VOLUMES_TOO, .help = "keep foreground regions without a foreground stroke",
     .at = offsetof(model, islands)},
    {.name = "connectivity", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "neighbours of a pixel, 4 or 8 (default 4), or of a voxel, 6 or 26 (default 6)",
     .parse = parse_connectivity, .at = offsetof(model, connectivity)},
    OPTIONS_END
};

void model_init(model *m)
{
    *m = (model){.lambda = UNSET, .spatial = UNSET, .connectivity = 4};
}

uint64_t model_memory(const model *m)
{
    return m->iterations > 0 ? MEMORY_ITERATIONS : 0;
}

void model_apply(const model *m, tilecut_params *params)
{
    params->colors = m->colors;
    params->connectivity = m->connectivity;
    params->lambda = m->lambda == UNSET ? 0 : m->lambda > 0 ? m->lambda : TILECUT_NONE;
    params->sigma = m->sigma;
    params->spatial = m->spatial == UNSET ? 0 : m->spatial > 0 ? m->spatial : TILECUT_NONE;
    params->iterations = m->iterations;
    params->effort = m->effort;
    params->islands = m->islands;
}
