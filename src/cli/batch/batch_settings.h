/* SPDX-License-Identifier: MIT
 *
 * batch_settings.h - the options that one photo of a batch may have: those about seeds, style, clean-up and model,
 * under their names on the command line.
 */
#pragma once

#include "batch_list.h"
#include "job.h"

/* The structures that a photo's options fill. */
typedef struct batch_settings {
    inputs inputs;
    model model;
    job_style style;
} batch_settings;

/* Returns the row of an option that one photo may have; NULL if there is no such option. */
const option *batch_setting_row(const char *name);

/* Makes `settings` a copy of the batch's options, changed by the photo's settings. Call batch_settings_free() even
 * after a failure. EXIT_USAGE with the name of the option, EXIT_RESOURCES. */
int batch_settings_make(batch_settings *settings, const inputs *in, const model *m, const job_style *style,
                   const batch_setting *setting, int count, failure *why);
void batch_settings_free(batch_settings *settings);
