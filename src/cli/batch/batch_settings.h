/* SPDX-License-Identifier: MIT
 *
 * batch_settings.h - options for one photo of a batch: those about seeds, style, clean-up and model, with the names
 * that they have on the command line.
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

/* The row of an option that a photo may have of its own; NULL: it may not. */
const option *batch_setting_row(const char *name);

/* Makes `settings` a copy of the batch's options with the photo's settings on top. Free it with batch_settings_free(),
 * also after a failure: EXIT_USAGE with the name of the option, or EXIT_RESOURCES. */
int batch_settings_make(batch_settings *settings, const inputs *in, const model *m, const job_style *style,
                   const batch_setting *setting, int count, failure *why);
void batch_settings_free(batch_settings *settings);
