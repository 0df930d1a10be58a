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
extern const char option_no_memory[]; /* the text that a parser returns when memory runs out */

/* The type of an option's argument, for options without a parser of their own. The comments name the C type of the
 * field. */
enum option_kind {
    OPTION_PARSED,      /* `parse` reads it, or it is a flag without argument */
    OPTION_INT,         /* an int: a whole number within the row's limits */
    OPTION_INT64,       /* an int64_t: a whole number within the row's limits */
    OPTION_REAL,        /* a double: a number within the row's limits */
    OPTION_NAME,        /* a const char *: one of the row's choices */
    OPTION_NAME_OR_AUTO /* const char *: one of the row's choices, or "auto", which becomes NULL */
};

/* Says if an option may be used when a volume is cut. By default it is refused there. */
enum option_volumes { VOLUMES_NOT, VOLUMES_TOO, VOLUMES_ONLY };

typedef struct option {
    const char *name;       /* long name of the option, without dashes; NULL: the row is a heading, whose text is in
                               `help` */
    char letter;            /* short name, or 0                                                       */
    enum option_volumes volumes; /* for photos only (the default), for both, or for volumes only */
    const char *argument;   /* name of the argument for the help, such as "FILE"; NULL: the option is a flag, which sets
                               a bool */
    const char *help;       /* description of the option, with its default; '
                               ' begins a new line */
    const char *brief;      /* a short description for the first screen of help; NULL: the option is not shown there */
    option_parser *parse;   /* its own parser; NULL for a flag, and where `kind` is enough */
    enum option_kind kind;
    int64_t least, most;    /* smallest and largest value allowed */
    const char *wanted;     /* the phrase that follows "is not" in a refusal, like one that a parser returns */
    size_t at;              /* offset of the field in the structure that the table fills */
    bool optional;          /* true: the argument is a whole number and may be left out; `parse` then gets NULL */
    bool repeatable;        /* the option may be given more than once; otherwise a second use is refused, except for
                               flags */
    /* For an argument that names a row of some table: choice(i) is the name of row i, choice_summary(i) one line about
     * it, both NULL past the end. --help lists them, and a misspelt name gets the nearest one suggested. */
    const char *(*choice)(int index);
    const char *(*choice_summary)(int index);
} option;

#define OPTION_HEADING(text) {.help = (text)}
#define OPTION_MAX_MEMORY(type)                                                                                       \
    {.name = "max-memory", .volumes = VOLUMES_TOO, .argument = "SIZE",                                                 \
     .help = "refuse what needs more, e.g. 800M\n(default what is free)",                                              \
     .parse = option_size, .at = offsetof(type, max_memory)}
#define OPTION_STRICT(type, field)                                                                                     \
    {.name = "strict",                                                                                                 \
     .help = "refuse annotations with a shape that cannot be read (default: leave it out, with a note)",               \
     .at = offsetof(type, field)}
#define OPTIONS_END {.name = NULL, .help = NULL}

/* A table of options, and the structure that it fills. */
typedef struct option_set {
    const option *rows;     /* at most 64 */
    void *into;
} option_set;

enum { OPTION_SETS = 13 };

/* The options given, in order: their rows and their arguments from argv, NULL for a flag. `items` is owned. */
typedef struct option_log {
    struct option_given {
        const option *row;
        const char *value;
    } *items;
    int count;
} option_log;

typedef struct syntax {
    const char *verb;       /* "segment"                                                              */
    const char *synopsis;   /* what follows the verb in the usage line, such as "IMAGE -s SEEDS -o MASK [options]"; may
                               have several lines */
    const char *about;      /* for --help: what the verb does, in one or more lines */
    const char *examples;   /* shown on a first screen with the options that have a `brief` text; NULL: help is a single
                               screen */
    const char *epilogue;   /* text of --help after the options; may be NULL */
    int operands_min, operands_max; /* allowed number of operands; a negative maximum means any number */
    const char *operands;   /* the operands expected, for error messages: "one IMAGE" */
    option_set sets[OPTION_SETS]; /* the tables, in the order in which help shows them; a NULL in `rows` ends them
                                     early */
    option_log *log;        /* where the given options are recorded; NULL: nowhere */
    const char *const *lacking; /* NULL, or pairs that end with a NULL: the name of an option of other verbs, and why
                                   this verb lacks it */
} syntax;

/* Reads the words argv[0 .. *argc - 1] after the verb. If it returns true, argv[0 .. *argc - 1] are the operands. If it
 * returns false, the program must end with *status: EXIT_DONE if help was printed, or EXIT_USAGE with a sentence in
 * `why`. */
bool options_parse(const syntax *verb, int *argc, char **argv, int *status, failure *why);

/* Returns the row with that long name in one table, or NULL. */
const option *options_find(const option *rows, const char *name);

/* Sets the field of `row` in `into` as the option --NAME VALUE would; a flag takes yes or no. Returns EXIT_USAGE or
 * EXIT_RESOURCES on failure. */
int options_set(const option *row, void *into, const char *value, failure *why);

/* Prints the help of `verb` to `out`: all of it, or only the first screen. */
void options_help(const syntax *verb, bool all, FILE *out);

/* ---- what every verb shares ---- */

typedef struct common {
    bool quiet, verbose;
    const char *json;       /* file of the JSON report; "-": standard output; NULL: no report */
    int threads;            /* number of threads; 0: engine_choose() chooses it */
    const char *device;     /* the device: "cpu", "cuda", "cuda:N", "cuda:N,M", ...; NULL: not given, which means
                               "auto" */
    const char *solver;     /* NULL: "auto"                                           */
} common;

/* True if the user wants a report of the run. */
static inline bool common_wants_report(const common *asked) { return asked->json || asked->verbose; }

extern const option common_options[]; /* the options -h, -q, -v and --json, which fill a struct common */
extern const option threads_options[]; /* only the option --threads, for verbs without devices */
extern const option engine_options[]; /* the options --threads, --device and --solver, which fill a struct common */

/* ---- parsers; the comment says the type of the field ---- */
option_parser option_text;        /* reads a const char *: any text that is not empty */
option_parser option_file;        /* reads a const char *: a path or "-" */
option_parser option_texts;       /* option_list: repeatable, not empty         */
option_parser option_nonnegative; /* double, finite, >= 0                       */
option_parser option_positive;    /* double, finite, > 0                        */
option_parser option_count;       /* int, 1 .. INT_MAX                          */
option_parser option_size;        /* reads a uint64_t, bytes above 0: 800M, 1.5G, 65536 */
option_parser option_connectivity; /* int: 4 or 8                              */

/* Sets the field of `row` from `text`, by the row's parser or by its kind. Returns NULL, or a phrase as a parser
 * does. */
const char *option_take(const option *row, const char *text, void *field);

/* The arguments of a repeatable option, in order. `items` is owned; the strings belong to argv. */
typedef struct option_list {
    const char **items;
    int count;
} option_list;

/* Finds the candidate nearest to `word` by edit distance; `best` is NULL if none is close enough to suggest. */
typedef struct nearest {
    const char *word, *best;
    int distance;
} nearest;
void nearest_try(nearest *near, const char *candidate);
