/* SPDX-License-Identifier: MIT
 *
 * options.c - the parser of command lines driven by the tables of options.h. options_parse() walks the words;
 * find_*() look rows up; take_value() sets one field. The value parsers are in values.c, the printer of --help in
 * help.c.
 */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "tilecut.h"

/* ---- looking up ------------------------------------------------------------------------------- */

/* Where a row was found. It serves to notice a second use of the option. */
typedef struct place {
    const option *row;
    int set, index;
} place;

static bool is_end(const option *row) { return !row->name && !row->help; }

/* Finds the option with that long name or, if `name` is NULL, with that letter. */
static bool find(const syntax *verb, const char *name, size_t length, char letter, place *out)
{
    for (int s = 0; s < OPTION_SETS && verb->sets[s].rows; s++) {
        const option *rows = verb->sets[s].rows;
        for (int i = 0; !is_end(&rows[i]); i++) {
            if (!rows[i].name) continue;
            if (name ? strlen(rows[i].name) != length || memcmp(rows[i].name, name, length)
                     : !letter || rows[i].letter != letter)
                continue;
            *out = (place){&rows[i], s, i};
            return true;
        }
    }
    return false;
}

const option *options_find(const option *rows, const char *name)
{
    for (const option *row = rows; !is_end(row); row++)
        if (row->name && !strcmp(row->name, name)) return row;
    return NULL;
}

/* True if `word` is spelled like an existing option. Then it is probably not the argument of another option. */
static bool looks_like_option(const syntax *verb, const char *word)
{
    place found;
    if (word[0] != '-' || !word[1]) return false;
    if (word[1] == '-') {
        const char *name = word + 2;
        return !*name || find(verb, name, strcspn(name, "="), 0, &found);
    }
    return !word[2] && find(verb, NULL, 0, word[1], &found);
}

static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    int row[LONGEST + 1];
    const size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST) return LONGEST;
    for (size_t j = 0; j <= n; j++) row[j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            const int above = row[j];
            int best = corner + (a[i - 1] != b[j - 1]);
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
            corner = above;
        }
    }
    return row[n];
}

void nearest_try(nearest *near, const char *candidate)
{
    /* A suggestion may differ in a third of the word's letters. A word that is only cut short counts as nearly
     * right. */
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): `word` is always set by callers
    const size_t length = strlen(near->word);
    int distance = edit_distance(near->word, candidate);
    if (length >= 3 && !strncmp(near->word, candidate, length)) distance = 1;
    const int limit = length < 3 ? 1 : (int)(length + 2) / 3;
    if (distance > limit || (near->best && distance >= near->distance)) return;
    near->best = candidate;
    near->distance = distance;
}

/* ---- refusals --------------------------------------------------------------------------------- */

static bool refuse_unknown(const syntax *verb, const char *word, failure *why)
{
    char name[48];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    nearest near = {.word = name[1] == '-' ? name + 2 : name + 1};
    for (const char *const *lack = verb->lacking; lack && *lack; lack += 2)
        if (name[1] == '-' && !strcmp(*lack, near.word)) {
            fail(why, EXIT_USAGE, "%s: %s", name, lack[1]);
            return false;
        }
    if (*near.word && name[1] == '-')
        for (int s = 0; s < OPTION_SETS && verb->sets[s].rows; s++)
            for (const option *row = verb->sets[s].rows; !is_end(row); row++)
                if (row->name) nearest_try(&near, row->name);
    if (near.best)
        fail(why, EXIT_USAGE, "%s: no such option of 'tilecut %s'; did you mean --%s?", name, verb->verb, near.best);
    else
        fail(why, EXIT_USAGE, "%s: no such option of 'tilecut %s'; 'tilecut help %s%s' lists them",
             name, verb->verb, verb->verb, verb->examples ? " --all" : "");
    return false;
}

const char option_no_memory[] = "";

static bool refuse_value(const option *row, const char *text, const char *wanted, failure *why)
{
    if (wanted == option_no_memory) {
        fail(why, EXIT_RESOURCES, "--%s: not enough memory for '%s'", row->name, text);
        return false;
    }
    nearest near = {.word = text};
    for (int i = 0; row->choice && row->choice(i); i++) nearest_try(&near, row->choice(i));
    if (near.best)
        fail(why, EXIT_USAGE, "--%s: '%s' is not %s; did you mean %s?", row->name, text, wanted, near.best);
    else
        fail(why, EXIT_USAGE, "--%s: '%s' is not %s", row->name, text, wanted);
    return false;
}

int options_set(const option *row, void *into, const char *value, failure *why)
{
    static const char *const flags[] = {"no", "yes", "0", "1", "false", "true"};
    void *const field = (char *)into + row->at;
    if (row->argument) {
        const char *const wanted = option_take(row, value, field);
        if (wanted) refuse_value(row, value, wanted, why);
        return wanted ? why->status : EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(value, flags[i])) {
            *(bool *)field = i % 2;
            return EXIT_DONE;
        }
    return fail(why, EXIT_USAGE, "--%s: '%s' is not yes or no", row->name, value);
}

/* ---- walking the words ------------------------------------------------------------------------ */

typedef struct walk {
    const syntax *verb;
    char **argv;
    int argc, next;              /* next: index of the word to look at */
    uint64_t given[OPTION_SETS]; /* bit i is set if row i of that option table was used */
    bool help, all, version; /* all: --help shall print everything, not only the first screen */
    failure *why;
} walk;

static bool remember(const syntax *verb, const option *row, const char *value, failure *why)
{
    option_log *const log = verb->log;
    struct option_given *const items = log ? realloc(log->items, ((size_t)log->count + 1) * sizeof *items) : NULL;
    if (log && !items) {
        fail(why, EXIT_RESOURCES, "--%s: not enough memory for it", row->name);
        return false;
    }
    if (!log) return true;
    log->items = items;
    log->items[log->count++] = (struct option_given){row, value};
    return true;
}

/* Sets the field of option `at` from `value`, which is NULL for a flag. */
static bool take_value(walk *w, const place *at, const char *value)
{
    const option *row = at->row;
    const uint64_t bit = UINT64_C(1) << at->index;
    void *field = (char *)w->verb->sets[at->set].into + row->at;
    if (!strcmp(row->name, "help")) {
        w->help = true;
        w->all = w->next < w->argc && !strcmp(w->argv[w->next], "--all");
        return true;
    }
    if (!remember(w->verb, row, value, w->why)) return false;
    if (!row->argument) {
        *(bool *)field = true;
        return true;
    }
    if ((w->given[at->set] & bit) && !row->repeatable) {
        fail(w->why, EXIT_USAGE, "--%s: given more than once; give it once", row->name);
        return false;
    }
    w->given[at->set] |= bit;
    const char *wanted = option_take(row, value, field);
    return !wanted || refuse_value(row, value, wanted, w->why);
}

/* Returns the next word, the argument of `row`. If there is none, refuses and returns NULL. */
static const char *next_word(walk *w, const option *row)
{
    if (w->next >= w->argc)
        fail(w->why, EXIT_USAGE, "--%s: needs an argument: --%s %s", row->name, row->name, row->argument);
    else if (looks_like_option(w->verb, w->argv[w->next]))
        fail(w->why, EXIT_USAGE, "--%s: needs an argument, but the option %s follows; --%s=%s if that was meant",
             row->name, w->argv[w->next], row->name, w->argv[w->next]);
    else
        return w->argv[w->next++];
    return NULL;
}

/* Reads an argument that may be left out: returns the next word if it is a whole number, else NULL. */
static const char *next_number(walk *w)
{
    const char *const word = w->next < w->argc ? w->argv[w->next] : "";
    if (!*word || strspn(word, "0123456789") != strlen(word)) return NULL;
    w->next++;
    return word;
}

static bool take_long(walk *w, const char *word)
{
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");
    place at;
    if (!find(w->verb, name, length, 0, &at) && !strcmp(name, "version")) {
        w->version = true;
        return true;
    }
    if (!find(w->verb, name, length, 0, &at)) return refuse_unknown(w->verb, word, w->why);
    if (!at.row->argument) {
        if (!name[length]) return take_value(w, &at, NULL);
        fail(w->why, EXIT_USAGE, "--%s: takes no argument", at.row->name);
        return false;
    }
    if (at.row->optional && !name[length]) return take_value(w, &at, next_number(w));
    const char *value = name[length] ? name + length + 1 : next_word(w, at.row);
    return value && take_value(w, &at, value);
}

/* Reads a word of short options: -v, -qv, -oFILE, -o=FILE, or -o FILE. */
static bool take_letters(walk *w, const char *word)
{
    for (const char *c = word + 1; *c; c++) {
        place at;
        if (!find(w->verb, NULL, 0, *c, &at)) {
            const char shown[3] = {'-', *c, 0};
            /* "-lambda" is more likely a lost dash than the letter -l. */
            return refuse_unknown(w->verb, c == word + 1 ? word : shown, w->why);
        }
        if (at.row->argument) {
            const char *value = c[1] ? c + 1 + (c[1] == '=') : next_word(w, at.row);
            return value && take_value(w, &at, value);
        }
        if (!take_value(w, &at, NULL)) return false;
    }
    return true;
}

static bool check_operands(const syntax *verb, int count, char **operands, failure *why)
{
    if (count < verb->operands_min)
        fail(why, EXIT_USAGE, "%s: needs %s; usage: tilecut %s %.*s", verb->verb, verb->operands,
             verb->verb, (int)strcspn(verb->synopsis, "\n"), verb->synopsis);
    else if (verb->operands_max >= 0 && count > verb->operands_max)
        fail(why, EXIT_USAGE, "%s: one word too many; '%s' takes %s",
             operands[verb->operands_max], verb->verb,
             verb->operands_max ? verb->operands : "none");
    else
        return true;
    return false;
}

bool options_parse(const syntax *verb, int *argc, char **argv, int *status, failure *why)
{
    failure later; /* the first refusal is kept and the other words are still read, because --json may be among them */
    walk w = {.verb = verb, .argv = argv, .argc = *argc, .why = why};
    int operands = 0;
    bool only_operands = false, good = true;
    while (!w.help && !w.version && w.next < w.argc) {
        char *word = argv[w.next++];
        if (only_operands || word[0] != '-' || !word[1])
            argv[operands++] = word;
        else if (!strcmp(word, "--"))
            only_operands = true;
        else if (!(word[1] == '-' ? take_long(&w, word) : take_letters(&w, word))) {
            good = false;
            w.why = &later;
        }
    }
    *argc = operands;
    if (w.version && good) {
        printf("tilecut %s\n", tilecut_version());
        *status = file_finish_lines(why);
        return false;
    }
    if (w.help && good) {
        options_help(verb, w.all, stdout);
        *status = file_finish_lines(why);
        return false;
    }
    good = good && check_operands(verb, operands, argv, why);
    *status = good ? EXIT_DONE : why->status;
    return good;
}
