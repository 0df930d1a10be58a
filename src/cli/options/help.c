/* SPDX-License-Identifier: MIT
 *
 * help.c - prints --help from the tables of options.h: one screen of a verb that has examples, or all of it.
 */
#include <string.h>

#include "options.h"

static bool is_end(const option *row) { return !row->name && !row->help; }

/* Columns of --help: where the descriptions of options begin, where the names and the descriptions of choices begin,
 * and where lines end. */
enum { HELP_COLUMN = 30, CHOICE_COLUMN = 8, CHOICE_TEXT = 28, MARGIN = 80 };

/* Prints the words of `text` up to `end`, wrapped, from column `indent` on. `column` is where the cursor is. */
static void print_words(FILE *out, const char *text, const char *end, int indent, int column)
{
    if (column > 0 && column >= indent) fputc('\n', out), column = 0;
    fprintf(out, "%*s", indent - column, "");
    column = indent;
    for (bool first = true; text < end; first = false) {
        const int length = (int)strcspn(text, " \n");
        if (!first && column + 1 + length > MARGIN) fprintf(out, "\n%*s", column = indent, "");
        else if (!first) column += fprintf(out, " ");
        column += fprintf(out, "%.*s", length, text);
        text += length + (int)strspn(text + length, " \n");
    }
    fputc('\n', out);
}

/* Prints a line that consists of spaces, a name and its meaning. A long meaning is wrapped below its own first word. */
static void print_meaning(FILE *out, const char *line, int length)
{
    int at = (int)strspn(line, " ");
    at += (int)strcspn(line + at, " \n");
    at += (int)strspn(line + at, " ");
    if (length <= MARGIN || at >= length) fprintf(out, "%.*s\n", length, line);
    else print_words(out, line + at, line + length, at, fprintf(out, "%.*s", at - 1, line));
}

/* Prints paragraphs, wrapped. Lines that begin with a space keep their breaks; only those that are too long are
 * wrapped. */
static void print_text(FILE *out, const char *text)
{
    while (*text) {
        const char *end = text;
        while (*end && *end != '\n' && *end != ' ') end += strcspn(end, "\n"), end += *end == '\n';
        if (end > text) print_words(out, text, end, 0, 0);
        for (text = end; *text == '\n' || *text == ' '; text += *text == '\n') {
            const int length = (int)strcspn(text, "\n");
            print_meaning(out, text, length);
            text += length;
        }
    }
}

/* Prints an option and its description: the brief one, or the full one with its choices. */
static void print_row(FILE *out, const option *row, bool brief)
{
    int column = row->letter ? fprintf(out, "  -%c, --%s", row->letter, row->name)
                             : fprintf(out, "      --%s", row->name);
    if (row->argument) column += fprintf(out, " %s", row->argument);
    const char *const text = brief ? row->brief : row->help;
    print_words(out, text, text + strlen(text), HELP_COLUMN, column);
    for (int i = 0; !brief && row->choice && row->choice(i); i++) {
        const char *const given = row->choice_summary ? row->choice_summary(i) : NULL;
        const char *const summary = given ? given : "";
        column = fprintf(out, "%*s%s", CHOICE_COLUMN, "", row->choice(i));
        print_words(out, summary, summary + strlen(summary), CHOICE_TEXT, column);
    }
}

/* For a verb that takes volumes, prints a paragraph with the options that apply to photos only. */
static void print_photos_alone(const syntax *verb, FILE *out)
{
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
    fputc('\n', out);
    print_text(out, verb->about);
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
    if (!verb->epilogue) return;
    fputc('\n', out);
    print_text(out, verb->epilogue);
}
