/* SPDX-License-Identifier: MIT
 *
 * help.c - prints --help from the tables of options.h: one screen of a verb that has examples, or all of it.
 */
#include <string.h>

#include "options.h"

static bool is_end(const option *row) { return !row->name && !row->help; }

enum { HELP_COLUMN = 30 }; /* where the descriptions begin */

/* Prints `text` from column HELP_COLUMN on, and further lines below. `column` is where the cursor is now. */
static void print_column(FILE *out, const char *text, int column)
{
    for (bool first = true; *text || first; first = false) {
        const int length = (int)strcspn(text, "\n");
        if (!first || column >= HELP_COLUMN) fprintf(out, "\n");
        fprintf(out, "%*s%.*s", !first || column >= HELP_COLUMN ? HELP_COLUMN : HELP_COLUMN - column, "", length, text);
        text += length;
        if (*text) text++;
    }
    fprintf(out, "\n");
}

/* The option and its text: all of it with the choices, or the brief one. */
static void print_row(FILE *out, const option *row, bool brief)
{
    int column = row->letter ? fprintf(out, "  -%c, --%s", row->letter, row->name)
                             : fprintf(out, "      --%s", row->name);
    if (row->argument) column += fprintf(out, " %s", row->argument);
    print_column(out, brief ? row->brief : row->help, column);
    if (brief) return;
    int width = 12;
    for (int i = 0; row->choice && row->choice(i); i++)
        if ((int)strlen(row->choice(i)) > width) width = (int)strlen(row->choice(i));
    for (int i = 0; row->choice && row->choice(i); i++) {
        const char *summary = row->choice_summary ? row->choice_summary(i) : "";
        fprintf(out, "%*s%-*s %s\n", HELP_COLUMN + 2, "", width, row->choice(i), summary ? summary : "");
    }
}

/* Of a verb that takes volumes: a paragraph with the options that hold for photos alone. */
static void print_photos_alone(const syntax *verb, FILE *out)
{
    enum { MARGIN = 98 };
    bool takes_volumes = false;
    int column = 0;
    for (int s = 0; s < OPTION_SETS && verb->sets[s].rows; s++)
        for (const option *row = verb->sets[s].rows; !is_end(row); row++)
            takes_volumes = takes_volumes || row->volumes == VOLUMES_ONLY;
    if (takes_volumes) column = fprintf(out, "\nFor photos alone, refused with a volume:") - 1;
    for (int s = 0; takes_volumes && s < OPTION_SETS && verb->sets[s].rows; s++)
        for (const option *row = verb->sets[s].rows; !is_end(row); row++) {
            if (!row->name || row->volumes != VOLUMES_NOT) continue;
            const bool fits = column + 3 + (int)strlen(row->name) <= MARGIN;
            column = fprintf(out, "%s--%s", fits ? " " : "\n", row->name) + (fits ? column : -1);
        }
    if (takes_volumes) fputc('\n', out);
}

static void print_usage(const syntax *verb, FILE *out)
{
    const char *line = verb->synopsis;
    for (bool first = true; *line; first = false) {
        const int length = (int)strcspn(line, "\n");
        fprintf(out, "%s tilecut %s %.*s\n", first ? "usage:" : "      ", verb->verb, length, line);
        line += length + (line[length] == '\n');
    }
    fprintf(out, "\n%s\n", verb->about);
    if (verb->examples) fprintf(out, "\n%s\n", verb->examples);
}

static void print_screen(const syntax *verb, FILE *out)
{
    int count = 0;
    print_usage(verb, out);
    fputc('\n', out);
    for (int s = 0; s < OPTION_SETS && verb->sets[s].rows; s++)
        for (const option *row = verb->sets[s].rows; !is_end(row); row++) {
            count += row->name != NULL;
            if (row->name && row->brief) print_row(out, row, true);
        }
    fprintf(out, "\nAll %d options, by chapters: tilecut help %s --all\n", count, verb->verb);
}

void options_help(const syntax *verb, bool all, FILE *out)
{
    if (verb->examples && !all) {
        print_screen(verb, out);
        return;
    }
    print_usage(verb, out);
    for (int s = 0; s < OPTION_SETS && verb->sets[s].rows; s++)
        for (const option *row = verb->sets[s].rows; !is_end(row); row++) {
            if (row->name) print_row(out, row, false);
            else fprintf(out, "\n%s\n", row->help);
        }
    print_photos_alone(verb, out);
    if (verb->epilogue) fprintf(out, "\n%s\n", verb->epilogue);
}
