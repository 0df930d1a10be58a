/* SPDX-License-Identifier: MIT
 *
 * values.c - turns arguments of options into values, strictly: the whole word must be the value. It also has the tables
 * of the options that every verb shares.
 */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "tilecut.h"

static bool is_name(const option *row, const char *text, const char **field)
{
    *field = NULL;
    for (int i = 0; !*field && row->choice(i); i++)
        if (!strcmp(row->choice(i), text)) *field = row->choice(i);
    return *field || (row->kind == OPTION_NAME_OR_AUTO && !strcmp(text, "auto"));
}

const char *option_take(const option *row, const char *text, void *field)
{
    int64_t whole = 0;
    double real = 0;
    bool good = false;
    if (row->parse) return row->parse(text, field);
    if (row->kind == OPTION_NAME || row->kind == OPTION_NAME_OR_AUTO) good = is_name(row, text, field);
    else if (row->kind == OPTION_REAL)
        good = parse_real(text, &real) && real >= (double)row->least && real <= (double)row->most;
    else good = parse_integer(text, row->least, row->most, &whole);
    if (!good) return row->wanted;
    if (row->kind == OPTION_INT) *(int *)field = (int)whole;
    if (row->kind == OPTION_INT64) *(int64_t *)field = whole;
    if (row->kind == OPTION_REAL) *(double *)field = real;
    return NULL;
}

static const char *bounded_real(const char *text, double *field, bool zero_too, const char *wanted)
{
    double value;
    if (!parse_real(text, &value) || value < 0 || (!zero_too && !(value > 0))) return wanted;
    *field = value;
    return NULL;
}

const char *option_nonnegative(const char *text, void *field)
{
    return bounded_real(text, field, true, "a finite number of at least 0");
}

const char *option_positive(const char *text, void *field)
{
    return bounded_real(text, field, false, "a finite number above 0");
}

const char *option_count(const char *text, void *field)
{
    int64_t value;
    if (!parse_integer(text, 1, INT_MAX, &value)) return "a whole number from 1 to 2147483647";
    *(int *)field = (int)value;
    return NULL;
}

const char *option_size(const char *text, void *field)
{
    static const char *const wanted = "a size such as 800M, 1.5G or a number of bytes";
    static const char units[] = "KMGT";
    char number[32];
    const size_t length = strspn(text, ".0123456789");
    double value, unit = 1;
    if (!length || length >= sizeof number) return wanted;
    memcpy(number, text, length);
    number[length] = 0;
    const char *rest = text + length;
    if (*rest && strchr(units, toupper((unsigned char)*rest)))
        unit = ldexp(1, 10 * (int)(strchr(units, toupper((unsigned char)*rest++)) - units + 1));
    if (*rest == 'i') rest++;
    if (*rest == 'B') rest++;
    if (*rest || !parse_real(number, &value)) return wanted;
    value *= unit;
    if (!(value >= 1) || value >= ldexp(1, 63)) return wanted;
    *(uint64_t *)field = (uint64_t)value;
    return NULL;
}

/* ---- words ------------------------------------------------------------------------------------ */

const char *option_text(const char *text, void *field)
{
    if (!*text) return "anything; it is empty";
    *(const char **)field = text;
    return NULL;
}

const char *option_file(const char *text, void *field)
{
    if (!*text) return "the name of a file; it is empty";
    *(const char **)field = text;
    return NULL;
}

const char *option_texts(const char *text, void *field)
{
    option_list *list = field;
    if (!*text) return "anything; it is empty";
    const char **items = realloc(list->items, ((size_t)list->count + 1) * sizeof *items);
    if (!items) return option_no_memory;
    list->items = items;
    list->items[list->count++] = text;
    return NULL;
}

const char *option_connectivity(const char *text, void *field)
{
    if (strcmp(text, "4") && strcmp(text, "8")) return "4 or 8";
    *(int *)field = *text - '0';
    return NULL;
}

/* True if a word is a list of GPUs: "0", "0,1", "all". */
static bool is_gpus(const char *text)
{
    enum { MOST = 256 };
    char one[8];
    int64_t index;
    if (!strcmp(text, "all")) return true;
    for (int count = 0; count < MOST; count++) {
        const size_t length = strcspn(text, ",");
        if (length >= sizeof one) return false;
        memcpy(one, text, length);
        one[length] = '\0';
        if (!parse_integer(one, 0, 255, &index)) return false;
        if (!text[length]) return true;
        text += length + 1;
    }
    return false;
}

static const char *option_device(const char *text, void *field)
{
    if (strcmp(text, "auto") && strcmp(text, "cpu") && strcmp(text, "cuda") &&
        (strncmp(text, "cuda:", 5) || !is_gpus(text + 5)))
        return "a device: auto, cpu, cuda, cuda:N, cuda:N,M or cuda:all";
    *(const char **)field = text;
    return NULL;
}

/* ---- what every verb shares ------------------------------------------------------------------- */

const option common_options[] = {
    OPTION_HEADING("Everywhere"),
    {.name = "help", .letter = 'h', .volumes = VOLUMES_TOO, .help = "this text"},
    {.name = "quiet", .letter = 'q', .volumes = VOLUMES_TOO,
     .brief = "no notes, only errors",
     .help = "no notes, only errors", .at = offsetof(common, quiet)},
    {.name = "verbose", .letter = 'v', .volumes = VOLUMES_TOO, .help = "one timed line per stage on standard error",
     .at = offsetof(common, verbose)},
    {.name = "json", .volumes = VOLUMES_TOO, .argument = "FILE",
     .brief = "what was done, as JSON",
     .help = "describe the run as one JSON object (-: standard output)",
     .parse = option_file, .at = offsetof(common, json)},
    OPTIONS_END
};

#define THREADS_ROW \
    {.name = "threads", .volumes = VOLUMES_TOO, .argument = "N", \
     .help = "worker threads (default: what affinity, control groups\nand OMP_NUM_THREADS allow)", \
     .kind = OPTION_INT, .least = 1, .most = 256, .wanted = "a number of threads from 1 to 256", \
     .at = offsetof(common, threads)}

const option threads_options[] = {
    OPTION_HEADING("Engine"),
    THREADS_ROW,
    OPTIONS_END
};

const option engine_options[] = {
    OPTION_HEADING("Engine"),
    THREADS_ROW,
    {.name = "device", .volumes = VOLUMES_TOO, .argument = "D",
     .help = "auto, cpu, cuda or cuda:N (default auto: the GPU if it is\n"
             "faster, start included, see info --calibrate); a "
             "named\ndevice is never replaced by another; segment cuts one\nphoto on several by cuda:0,1 or cuda:all",
     .parse = option_device, .at = offsetof(common, device)},
    {.name = "solver", .volumes = VOLUMES_TOO, .argument = "NAME",
     .help = "the maximum-flow solver; every one gives the same mask\n(default auto: chosen from the graph)",
     .kind = OPTION_NAME_OR_AUTO, .wanted = "a solver ('tilecut info' lists them) or auto",
     .at = offsetof(common, solver), .choice = tilecut_solver_name, .choice_summary = tilecut_solver_summary},
    OPTIONS_END
};
