/* SPDX-License-Identifier: MIT
 *
 * colors.c - the table of colour models.
 */
#include "colors.h"

#include <string.h>

#include "table.h"

tilecut_status tc_colors_none_learn(tc_training_set *training, tc_color_costs *costs)
{
    (void)training, (void)costs;
    return TILECUT_OK;
}

const tc_colors tc_color_models[] = {
#define COLORS(name_, summary_, ...) \
    {.name = #name_, .summary = summary_, .learn = tc_colors_##name_##_learn, __VA_ARGS__},
#include "colors.def"
#undef COLORS
    {.name = NULL},
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
    return model->learn != tc_colors_none_learn;
}

TC_TEXT_OF_ROW(tilecut_colors_name, tc_color_models, name)
TC_TEXT_OF_ROW(tilecut_colors_summary, tc_color_models, summary)
