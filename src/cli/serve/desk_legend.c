/* SPDX-License-Identifier: MIT */
#include "desk_legend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "label_output.h"
#include "tilecut_labels.h"

enum { MOST_LABELS = 254, NAME = 64 };

static bool is_code(int code)
{
    return code == TILECUT_BACKGROUND || code == TILECUT_FOREGROUND ||
           (code > TILECUT_OUTSIDE && code <= MOST_LABELS);
}

/* ---- Lines ------------------------------------------------------------------------------------- */

/* Reads the number at *line, which ends with a tab. Returns -1 if there is none; then *line stays where it is. */
static int next_number(const char **line, int base)
{
    char *end;
    const long number = strtol(*line, &end, base);
    if (end == *line || *end != '\t' || number < 0 || number > 0xffffff) return -1;
    *line = end + 1;
    return (int)number;
}

static bool take_line(const char *line, desk_legend *out, bool taken[256])
{
    const int code = next_number(&line, 10), number = next_number(&line, 10);
    const int color = *line == '#' ? (line++, next_number(&line, 16)) : -1;
    const char *const name = line;
    if (code < 0 || number < 0 || color < 0) return false;
    bool plain = strlen(name) < NAME;
    for (const char *c = name; *c; c++) plain &= !iscntrl((unsigned char)*c);
    if (!plain || !is_code(code) || out->there[code]) return false;
    if (number < (code != TILECUT_BACKGROUND) || number > MOST_LABELS || taken[number]) return false;
    taken[number] = out->there[code] = true;
    out->number[code] = (uint8_t)number;
    strcpy(out->of.of.name[number], name);
    for (int k = 0; k < 3; k++) out->of.of.color[number][k] = (uint8_t)(color >> (16 - 8 * k));
    return true;
}

int desk_legend_read(const uint8_t *text, size_t size, desk_legend *out, failure *why)
{
    bool taken[256] = {false}, good = true;
    desk_legend *const read = calloc(1, sizeof *read);
    if (!read) return fail(why, EXIT_RESOURCES, "not enough memory for the labels");
    label_legend_init(&read->of);
    for (size_t at = 0; good && at < size;) {
        const uint8_t *const end = memchr(text + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - text) - at : size - at;
        char line[160] = "";
        good = length < sizeof line;
        if (good) memcpy(line, text + at, length);
        good = good && take_line(line, read, taken);
        at += length + 1;
    }
    read->many = true;
    good = good && read->there[TILECUT_BACKGROUND];
    if (good) *out = *read;
    free(read);
    return good ? EXIT_DONE : fail(why, EXIT_USAGE, "the request does not name labels as the page does");
}

bool desk_legend_write(const desk_legend *l, bytes *to)
{
    char line[160];
    for (int code = 1; l->many && code <= MOST_LABELS; code++) {
        const int n = l->number[code];
        const uint8_t *const c = l->of.of.color[n];
        if (!l->there[code]) continue;
        const int length = snprintf(line, sizeof line, "%d\t%d\t#%02x%02x%02x\t%s\n", code, n, c[0], c[1], c[2],
                                    l->of.of.name[n]);
        if (!bytes_append(to, line, (size_t)length)) return false;
    }
    return true;
}

/* ---- A label map ------------------------------------------------------------------------------- */

int desk_legend_take(desk_legend *l, label_seeds *from, const char *name, failure *why)
{
    const size_t count = label_seeds_pixels(from);
    const int background = label_seeds_background(from);
    uint8_t code_of[256] = {0};
    int code = TILECUT_BACKGROUND;
    *l = (desk_legend){.many = true, .of = from->legend};
    code_of[background] = (uint8_t)code;
    l->there[code] = true, l->number[code] = (uint8_t)background;
    for (int number = 1; number < 255; number++) {
        if (!from->count[number] || number == background) continue;
        code += code == TILECUT_FOREGROUND ? 2 : 1;
        if (code > MOST_LABELS) return fail(why, EXIT_SEEDS, "%s: has more than 252 objects", name);
        code_of[number] = (uint8_t)code;
        l->there[code] = true, l->number[code] = (uint8_t)number;
        if (!*l->of.of.name[number]) snprintf(l->of.of.name[number], NAME, "Label %d", number);
    }
    if (!*l->of.of.name[background]) strcpy(l->of.of.name[background], "background");
    for (size_t i = 0; i < count; i++)
        from->before[i] = code_of[from->before[i]] ? code_of[from->before[i]] : TILECUT_BACKGROUND;
    return EXIT_DONE;
}

void desk_legend_settle(const desk_legend *l, uint8_t *voxels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        voxels[i] = voxels[i] == 255 ? TILECUT_FOREGROUND : l->there[voxels[i]] ? voxels[i] : TILECUT_BACKGROUND;
}

/* ---- Cutting and writing ----------------------------------------------------------------------- */

tilecut_status desk_legend_cut(const tilecut_volume *v, const uint8_t *painted, const uint8_t *prior,
                               const tilecut_params *how, uint8_t *labels, tilecut_report *report)
{
    const size_t count = (size_t)v->width * (size_t)v->height * (size_t)v->depth;
    const tilecut_labels_params none = {.size = sizeof none, .bound_rounds = TILECUT_NONE};
    if (prior) memcpy(labels, prior, count);
    const tilecut_status status = prior ? tilecut_volume_labels_correct(v, painted, how, labels, NULL)
                                        : tilecut_volume_labels(v, painted, how, &none, labels, NULL);
    if (status) return status;
    report->certified = 1;
    for (size_t i = 0; i < count; i++) report->foreground += labels[i] != TILECUT_BACKGROUND;
    return TILECUT_OK;
}

/* Returns an unused number, for background strokes if the background's own number also means unknown. */
static uint8_t free_number(const desk_legend *l)
{
    uint8_t most = 0;
    for (int code = 1; code <= MOST_LABELS; code++)
        if (l->there[code] && l->number[code] > most) most = l->number[code];
    return most < MOST_LABELS ? most + 1 : MOST_LABELS;
}

int desk_legend_encode(const desk_legend *l, const char *name, const scan *of, const uint8_t *codes, bool painted,
                       bytes *to, failure *why)
{
    const size_t count = scan_count(of);
    int64_t counts[256] = {0};
    label_legend legend = l->of;
    uint8_t number[256], *const numbers = malloc(count);
    if (!numbers) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    memcpy(number, l->number, sizeof number);
    if (painted && !number[TILECUT_BACKGROUND]) number[TILECUT_BACKGROUND] = free_number(l);
    for (size_t i = 0; i < count; i++) numbers[i] = codes[i] ? number[codes[i]] : 0;
    const label_result all = {.path = name, .volume = of, .labels = numbers, .legend = &legend, .seeds = counts,
                              .found = counts};
    const int status = label_output_encode(&all, name, NULL, to, why);
    free(numbers);
    return status;
}
