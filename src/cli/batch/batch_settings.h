/* SPDX-License-Identifier: MIT
 *
 * batch_settings.h - options that hold for one photo of a batch: those of seeds, style, clean-up and model, under the
 * names that they have on the command line.
 */
#ifndef CLI_BATCH_SETTINGS_H
#define CLI_BATCH_SETTINGS_H

#include "batch_list.h"
#include "job.h"

/* What the options of a photo are about. */
typedef struct batch_how {
    inputs inputs;
    model model;
    job_style style;
} batch_how;

/* Whether a photo may have an option of that name, and whether it may have several. */
bool batch_setting_known(const char *name, bool *repeatable);

/* `how` becomes a copy of the batch's own with the photo's settings on top; batch_how_free() when done, also after a
 * failure: EXIT_USAGE with the name of the option, EXIT_RESOURCES. */
int batch_how_make(batch_how *how, const inputs *in, const model *m, const job_style *style,
                   const batch_setting *setting, int count, failure *why);
void batch_how_free(batch_how *how);

#endif
