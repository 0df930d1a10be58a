/* SPDX-License-Identifier: MIT */
#include "batch_settings.h"

#include <stdlib.h>
#include <string.h>

/* True for options that one photo cannot have: lists have a column for seeds, and limits hold for all jobs together. */
static bool is_for_all(const char *name)
{
    return !strcmp(name, "seeds") || !strcmp(name, "max-pixels") || !strcmp(name, "max-memory");
}

/* Finds the row of an option; *into becomes the structure that the option fills. NULL: one photo cannot
 * have this option. */
static const option *find(batch_settings *settings, const char *name, void **into)
{
    const option_set sets[] = {{input_options, &settings->inputs}, {style_options, &settings->style},
                               {cleanup_options, &settings->style.cleanup}, {model_options, &settings->model}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets && !is_for_all(name); i++) {
        const option *const row = options_find(sets[i].rows, name);
        *into = sets[i].into;
        if (row) return row;
    }
    return NULL;
}

const option *batch_setting_row(const char *name)
{
    static batch_settings unused;
    void *into;
    return find(&unused, name, &into);
}

/* Copies the batch's strokes, so that the photo's own strokes can be added to the copy. */
static bool copy_strokes(seeds_request *request)
{
    const seeds_stroke *const from = request->strokes;
    const int count = request->stroke_count;
    request->strokes = NULL;
    request->stroke_count = 0;
    if (!count) return true;
    request->strokes = calloc((size_t)count, sizeof *request->strokes);
    if (!request->strokes) return false;
    for (; request->stroke_count < count; request->stroke_count++) {
        seeds_stroke *const own = &request->strokes[request->stroke_count];
        const size_t axes = from[request->stroke_count].spatial ? 3 : 2;
        const size_t size = axes * (size_t)from[request->stroke_count].count * sizeof *own->points;
        *own = from[request->stroke_count];
        own->points = malloc(size);
        if (!own->points) return false;
        memcpy(own->points, from[request->stroke_count].points, size);
    }
    return true;
}

int batch_settings_make(batch_settings *settings, const inputs *in, const model *m, const job_style *style,
                   const batch_setting *setting, int count, failure *why)
{
    int status = EXIT_DONE;
    *settings = (batch_settings){.inputs = *in, .model = *m, .style = *style};
    if (!copy_strokes(&settings->inputs.request))
        return fail(why, EXIT_RESOURCES, "not enough memory for the strokes of a job");
    settings->style.edge.said = NULL; /* a photo's own edge option replaces the batch's */
    settings->inputs.request.band_given = false; /* the batch's --band is about those photos that have masks */
    for (int i = 0; !status && i < count; i++) {
        void *into;
        const option *const row = find(settings, setting[i].name, &into);
        status = row ? options_set(row, into, setting[i].value, why)
                     : fail(why, EXIT_USAGE, "--%s: no option of a photo", setting[i].name);
    }
    return status;
}

void batch_settings_free(batch_settings *settings)
{
    seeds_request_free(&settings->inputs.request);
}
