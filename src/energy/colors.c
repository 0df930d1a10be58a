/* SPDX-License-Identifier: MIT
 *
 * colors.c - the table of colour models.
 */
#include "colors.h"

#include <string.h>

static tilecut_status learn_nothing(tc_lesson *lesson, tc_color_costs *costs)
{
    (void)lesson, (void)costs;
    return TILECUT_OK;
}

const tc_colors tc_color_models[] = {
    {"gmm", "five Gaussians for each class, as in GrabCut", tc_colors_gmm_learn, 4, TC_MIXTURE_PARTS,
     tc_colors_gmm_part, TC_DEVICE_MIXTURES},
    {"hist", "smoothed colour histograms of the seeded pixels", tc_colors_hist_learn, 1, 0, NULL, TC_DEVICE_HISTOGRAMS},
    {"none", "no colour model: seeds and contrast alone", learn_nothing, 1, 0, NULL, TC_DEVICE_NO_COLORS},
    {NULL, NULL, NULL, 0, 0, NULL, TC_NOT_ON_DEVICE},
};

const tc_colors *tc_colors_find(const char *name)
{
    if (!name) return &tc_color_models[0];
    for (const tc_colors *row = tc_color_models; row->name; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

bool tc_colors_learn(const tc_colors *model)
{
    return model->learn != learn_nothing;
}

const char *tilecut_colors_name(int index)
{
    for (int i = 0; i < index; i++)
        if (!tc_color_models[i].name) return NULL;
    return index < 0 ? NULL : tc_color_models[index].name;
}

const char *tilecut_colors_summary(int index)
{
    return tilecut_colors_name(index) ? tc_color_models[index].summary : NULL;
}
