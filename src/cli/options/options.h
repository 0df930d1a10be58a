/* SPDX-License-Identifier: MIT
 *
 * options.h - options from tables. A verb lays its options out as rows {name, letter, argument, help,
 * parser, offset of the field}; parsing, --help, refusals and "did you mean" follow from the table.
 *
 *     typedef struct mine { common common; double radius; const char *out; } mine;
 *
 *     static const option mine_options[] = {
 *         OPTION_HEADING("Options"),
 *         {.name = "radius", .letter = 'r', .argument = "F", .help = "size of the brush (default 3)",
 *          .parse = option_positive, .at = offsetof(mine, radius)},
 *         {.name = "output", .letter = 'o', .argument = "FILE", .help = "where to write",
 *          .parse = option_file, .at = offsetof(mine, out)},
 *         OPTIONS_END
 *     };
 *
 *     int verb_mine(int argc, char **argv, failure *why)
 *     {
 *         mine my = {.radius = 3};
 *         int status;
 *         const syntax usage = {
 *             .verb = "mine", .synopsis = "FILE [options]", .about = "Does this and that.",
 *             .operands_min = 1, .operands_max = 1, .operands = "one FILE",
 *             .sets = {{mine_options, &my}, {common_options, &my.common}}};
 *         if (!options_parse(&usage, &argc, argv, &status, why)) return status;
 *         ... argv[0] .. argv[argc - 1] are now the operands
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "failure.h"
#include "numbers.h"

/* Sets the field from `text` and returns NULL. If that fails, returns a static phrase that fits after "is not", such
 * as "a number of at least 0". */
typedef const char *option_parser(const char *text, void *field);
extern const char option_no_memory[]; /* what a parser returns when memory runs out */

/* What an option takes, where no parser of its own is needed. The comment says the type of the field. */
enum option_kind {
    OPTION_PARSED,      /* `parse` does it, or it is a flag                             */
    OPTION_INT,         /* int: a whole number in the row's limits                      */
    OPTION_INT64,       /* int64_t: the same                                            */
    OPTION_REAL,        /* double: a number in the limits                               */
    OPTION_NAME,        /* const char *: one of the row's choices                       */
    OPTION_NAME_OR_AUTO /* const char *: the same, or "auto", which leaves it NULL      */
};

/* Whether an option holds where a volume is cut. One that is not said to is refused there. */
enum option_volumes { VOLUMES_NOT, VOLUMES_TOO, VOLUMES_ONLY };

typedef struct option {
    const char *name;       /* long name without the dashes; NULL: a heading (its text is `help`)     */
    char letter;            /* short name, or 0                                                       */
    enum option_volumes volumes; /* of photos alone, of volumes too, or of volumes alone                  */
    const char *argument;   /* name of the argument, "FILE"; NULL: a flag, which has none and sets a bool */
    const char *help;       /* what it does, with its default; '\n' begins a new line                 */
    const char *brief;      /* the same in a few words, for the first screen; NULL: it is not there   */
    option_parser *parse;   /* NULL for a flag, and where `kind` says it all                          */
    enum option_kind kind;
    int64_t least, most;    /* limits, both allowed                                                   */
    const char *wanted;     /* what fits after "is not", as of a parser                               */
    size_t at;              /* offsetof the field in the structure that the table fills               */
    bool optional;          /* the argument, a whole number, may be left out; `parse` then gets NULL  */
    bool repeatable;        /* may be given more than once; otherwise a second use is refused (not of flags) */
    /* For an argument that names a row of some table: its names, and one line about each; NULL past the end. --help
     * lists them, and for a wrong name the nearest one is suggested. */
    const char *(*choice)(int index);
    const char *(*choice_summary)(int index);
} option;

#define OPTION_HEADING(text) {.help = (text)}
#define OPTION_MAX_MEMORY(type)                                                                                       \
    {.name = "max-memory", .volumes = VOLUMES_TOO, .argument = "SIZE",                                                 \
     .help = "refuse what needs more, e.g. 800M\n(default what is free)",                                              \
     .parse = option_size, .at = offsetof(type, max_memory)}
#define OPTIONS_END {.name = NULL, .help = NULL}

/* A table and the structure it fills. */
typedef struct option_set {
    const option *rows;     /* at most 64 */
    void *into;
} option_set;

enum { OPTION_SETS = 12 };

/* The options given, in order: their rows and the arguments from argv, NULL for a flag. `items` is owned. */
typedef struct option_log {
    struct option_given {
        const option *row;
        const char *value;
    } *items;
    int count;
} option_log;

typedef struct syntax {
    const char *verb;       /* "segment"                                                              */
    const char *synopsis;   /* what follows the verb: "IMAGE -s SEEDS -o MASK [options]"; lines by \n */
    const char *about;      /* for --help: one or more lines                                          */
    const char *examples;   /* for a first screen with the rows that are `brief`; NULL: all at once   */
    const char *epilogue;   /* for --help, after the options; may be NULL                             */
    int operands_min, operands_max; /* max < 0: any number                                            */
    const char *operands;   /* what is expected, for error messages: "one IMAGE"                      */
    option_set sets[OPTION_SETS]; /* ends early with rows NULL; help shows them in this order         */
    option_log *log;        /* records the options given; NULL: not wanted                            */
    const char *const *lacking; /* NULL, or pairs up to a NULL: an option of other verbs, why not of this one */
} syntax;

/* Reads the words argv[0 .. *argc - 1] after the verb. True: go on; argv[0 .. *argc - 1] are now the operands. False:
 * return *status. It is EXIT_DONE when help was asked for and printed, or EXIT_USAGE with a sentence in `why`. */
bool options_parse(const syntax *verb, int *argc, char **argv, int *status, failure *why);

/* The row with that long name in one table; NULL: there is none. */
const option *options_find(const option *rows, const char *name);

/* Sets the field of `row` in `into` as --NAME VALUE would; flags take yes or no. EXIT_USAGE, EXIT_RESOURCES. */
int options_set(const option *row, void *into, const char *value, failure *why);

/* Prints the help of `verb` to `out`: the first screen, or `all` that there is. */
void options_help(const syntax *verb, bool all, FILE *out);

/* ---- what every verb shares ---- */

typedef struct common {
    bool quiet, verbose;
    const char *json;       /* NULL: not wanted; "-": standard output                 */
    int threads;            /* 0: not given; engine_choose() then chooses             */
    const char *device;     /* NULL: not given = "auto"; else "cpu", "cuda", "cuda:N", "cuda:N,M", ... */
    const char *solver;     /* NULL: "auto"                                           */
} common;

/* Whether anybody reads what is told of a run. */
static inline bool common_tells(const common *asked) { return asked->json || asked->verbose; }

extern const option common_options[]; /* -h -q -v --json; fill a common               */
extern const option threads_options[]; /* --threads alone, for verbs without devices          */
extern const option engine_options[]; /* --threads --device --solver; fill a common   */

/* ---- parsers; the comment says the type of the field ---- */
option_parser option_text;        /* const char *: any words, not empty         */
option_parser option_file;        /* const char *: a path or "-", not empty     */
option_parser option_texts;       /* option_list: repeatable, not empty         */
option_parser option_nonnegative; /* double, finite, >= 0                       */
option_parser option_positive;    /* double, finite, > 0                        */
option_parser option_count;       /* int, 1 .. INT_MAX                          */
option_parser option_size;        /* uint64_t bytes: 800M, 1.5G, 65536; > 0     */
option_parser option_connectivity; /* int: 4 or 8                              */

/* Sets the field of `row`: by its parser, or as its kind says. Returns as a parser does. */
const char *option_take(const option *row, const char *text, void *field);

/* Words of a repeatable option, in order. `items` is owned, the words are argv's. */
typedef struct option_list {
    const char **items;
    int count;
} option_list;

/* Finds the word nearest to `word` by edit distance; `best` is NULL if none is near enough to suggest. */
typedef struct nearest {
    const char *word, *best;
    int distance;
} nearest;
void nearest_try(nearest *near, const char *candidate);
