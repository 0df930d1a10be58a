/* SPDX-License-Identifier: MIT */
#include "label_legend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 5, LINE = 512 };

void label_legend_init(label_legend *legend)
{
    *legend = (label_legend){.listed = {false}};
    for (int i = 0; i < 256; i++)
        for (int bit = 0; bit < 8; bit++)
            legend->of.color[i][bit % 3] |= (uint8_t)((i >> bit & 1) << (7 - bit / 3));
}

/* Splits a line in place. Returns the number of fields, at most FIELDS; further ones are ignored. */
static int split(char *line, char *field[FIELDS])
{
    const char *const between = strchr(line, '\t') ? "\t" : " ";
    int count = 0;
    for (char *rest, *word = strtok_r(line, between, &rest); word && count < FIELDS;
         word = strtok_r(NULL, between, &rest))
        field[count++] = word;
    return count;
}

/* Returns `text` as a whole number from 0 to `most`; -1 if it is anything else. */
static int number_of(const char *text, int most)
{
    char *end;
    const long number = strtol(text, &end, 10);
    return end == text || *end || number < 0 || number > most ? -1 : (int)number;
}

static bool take_color(char *const field[FIELDS], int count, uint8_t color[3])
{
    unsigned hex;
    char behind;
    if (count < 3) return true; /* the label keeps the default colour of its number */
    if (*field[2] == '#') {
        if (strlen(field[2]) != 7 || sscanf(field[2] + 1, "%6x%c", &hex, &behind) != 1) return false;
        for (int k = 0; k < 3; k++) color[k] = (uint8_t)(hex >> (16 - 8 * k));
        return true;
    }
    for (int k = 0; k < 3; k++) {
        const int level = count > 2 + k ? number_of(field[2 + k], 255) : -1;
        if (level < 0) return false;
        color[k] = (uint8_t)level;
    }
    return true;
}

static int take_line(const char *name, int number, char *line, label_legend *legend, failure *why)
{
    char *field[FIELDS] = {NULL}, shown[80];
    snprintf(shown, sizeof shown, "%.79s", line);
    const int count = split(line, field), label = count ? number_of(field[0], 254) : -1;
    if (!count || (number == 1 && !strcmp(field[0], "index"))) return EXIT_DONE;
    if (label < 0 || count < 2 || strlen(field[1]) >= sizeof *legend->of.name ||
        !take_color(field, count, legend->of.color[label]))
        return fail(why, EXIT_INPUT, "%s: line %d: '%s' is no label; a line has a number from 0 to 254, a name and a "
                    "colour, as in: 2 cup #c02010", name, number, shown);
    if (legend->listed[label])
        return fail(why, EXIT_INPUT, "%s: line %d: has the number %d, which an earlier line has", name, number, label);
    legend->listed[label] = true;
    if (label) strcpy(legend->of.name[label], field[1]);
    return EXIT_DONE;
}

int label_legend_read(const char *path, label_legend *legend, failure *why)
{
    bytes text = {0};
    int status = file_read(path, 1 << 20, &text, why);
    if (!status && !bytes_append(&text, "", 1))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for it", file_input_name(path));
    char *at = (char *)text.data + (status ? 0 : utf8_mark(text.data, text.size));
    for (int number = 1; !status && *at; number++) {
        const size_t length = strcspn(at, "\r\n");
        char line[LINE];
        if (length >= LINE) {
            status = fail(why, EXIT_INPUT, "%s: line %d: has more than %d bytes", file_input_name(path), number,
                          LINE - 1);
            break;
        }
        memcpy(line, at, length);
        line[length] = '\0';
        if (strncmp(line, "# ", 2) != 0) status = take_line(file_input_name(path), number, line, legend, why);
        at += length;
        at += *at == '\r' && at[1] == '\n' ? 2 : *at != '\0';
    }
    bytes_free(&text);
    return status;
}

int label_legend_find(const label_legend *legend, const uint8_t color[3], int first)
{
    for (int i = first; i < 256; i++)
        if (legend->listed[i] && !memcmp(legend->of.color[i], color, 3)) return i;
    return -1;
}
