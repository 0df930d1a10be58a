/* SPDX-License-Identifier: MIT
 *
 * batch_line.c - see batch_line.h. The JSON form is in batch_json.c.
 */
#include "batch_line.h"

#include <stdlib.h>
#include <string.h>

#include "batch_settings.h"

static const char *const files[] = {"image", "seeds", "mask", "cutout", "alpha", "overlay", "confidence", "refine"};

void batch_line_free(batch_line *line)
{
    for (int i = 0; i < line->count; i++) {
        free(line->cell[i].column);
        free(line->cell[i].value);
    }
    free(line->cell);
    *line = (batch_line){0};
}

int batch_no_memory(failure *why)
{
    return fail(why, EXIT_RESOURCES, "not enough memory for a line of the list");
}

int batch_line_put(batch_line *line, const char *column, const char *value, failure *why)
{
    if (!*value) return EXIT_DONE;
    struct batch_cell *const cell = realloc(line->cell, ((size_t)line->count + 1) * sizeof *cell);
    if (cell) line->cell = cell;
    if (!cell) return batch_no_memory(why);
    cell[line->count] = (struct batch_cell){strdup(column), strdup(value)};
    line->count++;
    if (cell[line->count - 1].column && cell[line->count - 1].value) return EXIT_DONE;
    return batch_no_memory(why);
}

bool batch_column_known(const char *name, bool *repeatable)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!strcmp(name, files[i])) {
            *repeatable = !strcmp(name, "seeds");
            return true;
        }
    const option *const row = batch_setting_row(name);
    *repeatable = row && row->repeatable;
    return row != NULL;
}

/* Checks the values of settings when the line is read, so that an error names the line and comes before any
 * job runs. */
static int check_settings(const batch_words *words, failure *why)
{
    inputs in;
    model m;
    const job_style style = {0};
    batch_settings settings;
    failure what = {0};
    inputs_init(&in);
    model_init(&m);
    const int status = batch_settings_make(&settings, &in, &m, &style, words->setting, words->setting_count, &what);
    batch_settings_free(&settings);
    if (!status) return EXIT_DONE;
    if (status == EXIT_RESOURCES) return fail(why, status, "%s", what.text);
    return fail(why, EXIT_INPUT, "%s: %s", words->from, what.text);
}

static int add_words(const batch_line *line, batch_setting *setting, const char **pictures, batch_list *list,
                     const batch_names *names, const char *from, failure *why)
{
    batch_words words = {.seeds = pictures, .setting = setting, .from = from};
    const char **const file[] = {&words.photo, NULL, &words.result[BATCH_MASK], &words.result[BATCH_CUTOUT],
                                 &words.result[BATCH_ALPHA], &words.result[BATCH_OVERLAY], &words.result[BATCH_SURE],
                                 &words.given};
    for (int i = 0; i < line->count; i++) {
        size_t which = 0;
        while (which < sizeof files / sizeof *files && strcmp(line->cell[i].column, files[which])) which++;
        if (which == sizeof files / sizeof *files)
            setting[words.setting_count++] = (batch_setting){line->cell[i].column, line->cell[i].value};
        else if (file[which])
            *file[which] = line->cell[i].value;
        else
            pictures[words.seed_count++] = line->cell[i].value;
    }
    if (!words.photo)
        return fail(why, EXIT_INPUT, "%s: names no photo; a line is photo, seeds and mask, with tabs between", from);
    const int status = check_settings(&words, why);
    return status ? status : batch_list_add(list, names, "", &words, why);
}

int batch_line_add(const batch_line *line, batch_list *list, const batch_names *names, const char *from, failure *why)
{
    const size_t most = (size_t)line->count + 1;
    batch_setting *const setting = malloc(most * sizeof *setting);
    const char **const pictures = malloc(most * sizeof *pictures);
    const int status = setting && pictures ? add_words(line, setting, pictures, list, names, from, why)
                                           : batch_no_memory(why);
    free(setting);
    free(pictures);
    return status;
}
