/* SPDX-License-Identifier: MIT
 *
 * test_options.c - command lines parsed by tables: accepted ones, refused ones, and strict checks of values.
 */
#include "options.h" /* must precede check.h, which defines a macro fail() */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

typedef struct fields {
    bool flag, other;
    double real;
    int count, few;
    int64_t many;
    const char *text, *fruit, *maybe;
    option_list list;
} fields;

static const char *fruit(int index)
{
    static const char *const names[] = {"apple", "cherry", NULL};
    return names[index];
}

static const option rows[] = {
    OPTION_HEADING("Some"),
    {.name = "flag", .letter = 'f', .help = "a flag", .at = offsetof(fields, flag)},
    {.name = "other", .letter = 'x', .help = "another", .at = offsetof(fields, other)},
    {.name = "real", .letter = 'r', .argument = "F", .help = "a number", .kind = OPTION_REAL,
     .least = -5, .most = 9, .wanted = "a number from -5 to 9", .at = offsetof(fields, real)},
    {.name = "few", .argument = "N", .help = "a few", .kind = OPTION_INT, .least = 3, .most = 9,
     .wanted = "3 to 9", .at = offsetof(fields, few)},
    {.name = "many", .argument = "N", .help = "many", .kind = OPTION_INT64, .most = INT64_MAX,
     .wanted = "a whole number", .at = offsetof(fields, many)},
    {.name = "fruit", .argument = "NAME", .help = "a fruit", .kind = OPTION_NAME, .wanted = "a fruit",
     .at = offsetof(fields, fruit), .choice = fruit},
    {.name = "maybe", .argument = "NAME", .help = "a fruit, or not", .kind = OPTION_NAME_OR_AUTO,
     .wanted = "a fruit or auto", .at = offsetof(fields, maybe), .choice = fruit},
    {.name = "count", .argument = "N", .help = "a count", .parse = option_count, .at = offsetof(fields, count)},
    {.name = "text", .letter = 't', .argument = "T", .help = "a text", .parse = option_text,
     .at = offsetof(fields, text)},
    {.name = "list", .letter = 'l', .argument = "L", .help = "texts", .parse = option_texts, .repeatable = true,
     .at = offsetof(fields, list)},
    OPTIONS_END
};

enum { MOST = 16 };

static fields got;
static failure why;
static char *words[MOST];
static int left; /* number of operands */

/* Parses words separated by blanks; '_' stands for an empty word. */
static bool parse(const char *line)
{
    static char copy[256];
    const syntax usage = {.verb = "test", .synopsis = "FILE", .about = "Tests.", .operands_min = 0,
                          .operands_max = 2, .operands = "at most two FILEs", .sets = {{rows, &got}}};
    int status = -1;
    free(got.list.items);
    got = (fields){0};
    why = (failure){0};
    left = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word && left < MOST; word = strtok(NULL, " "))
        words[left++] = strcmp(word, "_") ? word : word + 1;
    const bool good = options_parse(&usage, &left, words, &status, &why);
    ck_assert_msg(status == (good ? EXIT_DONE : EXIT_USAGE), "%s: status %d", line, status);
    ck_assert_msg(good == !why.text[0], "%s: '%s'", line, why.text);
    return good;
}

static void refused(const char *line, const char *text)
{
    ck_assert_msg(!parse(line), "'%s' was accepted", line);
    ck_assert_msg(strstr(why.text, text), "'%s': '%s' does not contain '%s'", line, why.text, text);
}

TEST(every_spelling)
{
    static const char *const lines[] = {
        "-f -r 1.5 -t word a b", "--flag --real 1.5 --text word a b", "a --flag --real=1.5 b --text=word",
        "-fr1.5 -tword a b", "-fr=1.5 -t=word -- a b", "a b -fr 1.5 -t word", "-f -f -r 15e-1 -tword -- a b"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ck_assert_msg(parse(lines[i]), "%s: %s", lines[i], why.text);
        ck_assert(got.flag && !got.other && got.real == 1.5);
        ck_assert_str_eq(got.text, "word");
        ck_assert_int_eq(left, 2);
        ck_assert_str_eq(words[0], "a");
        ck_assert_str_eq(words[1], "b");
    }
}

TEST(dashes_that_are_no_options)
{
    ck_assert(parse("-t - -") && left == 1);
    ck_assert_str_eq(got.text, "-");
    ck_assert_str_eq(words[0], "-");
    ck_assert(parse("-- --flag -f") && left == 2 && !got.flag);
    ck_assert(parse("-r -5") && got.real == -5);
    ck_assert(parse("--text --nothing-of-ours"));
    ck_assert_str_eq(got.text, "--nothing-of-ours");
}

TEST(lists_keep_their_order)
{
    ck_assert(parse("-l one --list=two -lthree") && got.list.count == 3);
    ck_assert_str_eq(got.list.items[0], "one");
    ck_assert_str_eq(got.list.items[1], "two");
    ck_assert_str_eq(got.list.items[2], "three");
}

TEST(refusals_name_the_option)
{
    refused("--flagg", "did you mean --flag?");
    refused("--rael 3", "did you mean --real?");
    refused("--cou=3", "did you mean --count?");
    refused("--nothing-like-it", "'tilecut help test' lists them");
    refused("-q", "-q: no such option");
    refused("-fq", "-q: no such option");
    refused("--flag=1", "--flag: takes no argument");
    refused("--real", "--real: needs an argument");
    refused("-r --flag", "--real: needs an argument, but the option --flag follows");
    refused("--real=1 --real=2", "--real: given more than once");
    refused("-r nan", "--real: 'nan' is not a number from -5 to 9");
    refused("--text=", "--text: '' is not anything");
    refused("a b c", "c: one word too many");
    refused("--count 0", "--count: '0' is not a whole number from 1 to 2147483647");
    refused("--count 2147483648", "--count: '2147483648' is not a whole number from 1 to 2147483647");
}

TEST(kinds_without_a_parser)
{
    ck_assert(parse("--few 3 --many 9223372036854775807 --fruit cherry --maybe apple --real 9"));
    ck_assert(got.few == 3 && got.many == INT64_MAX && got.real == 9);
    ck_assert_str_eq(got.fruit, "cherry");
    ck_assert_str_eq(got.maybe, "apple");
    ck_assert(parse("--maybe auto --few 9 --many 0 --real -5") && !got.maybe && got.few == 9 && got.real == -5);
    refused("--few 2", "--few: '2' is not 3 to 9");
    refused("--few 10", "--few: '10' is not 3 to 9");
    refused("--many -1", "--many: '-1' is not a whole number");
    refused("--real 9.1", "--real: '9.1' is not a number from -5 to 9");
    refused("--real -5.1", "--real: '-5.1' is not");
    refused("--fruit auto", "--fruit: 'auto' is not a fruit");
    refused("--maybe chery", "--maybe: 'chery' is not a fruit or auto; did you mean cherry?");
}

/* Only the first error is reported, but the words after it are still read, because --json may be among them. */
TEST(words_after_a_refusal_are_read)
{
    refused("--real nan --count x --text word", "--real");
    ck_assert_str_eq(got.text, "word");
}

TEST(numbers_are_read_strictly)
{
    static const char *const bad[] = {"", " 1", "1 ", "1x", "0x10", "nan", "inf", "-inf", "1e999", "1e", "--1",
                                      "1,5", "infinity", ".", "+"};
    double real = 7;
    int64_t whole = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(!parse_real(bad[i], &real) && real == 7, "'%s'", bad[i]);
        ck_assert_msg(!parse_integer(bad[i], -9, 9, &whole) && whole == 7, "'%s'", bad[i]);
    }
    ck_assert(parse_real("-1.5e-3", &real) && real == -1.5e-3);
    ck_assert(parse_real("+.5", &real) && real == .5);
    ck_assert(!parse_integer("1.0", -9, 9, &whole) && !parse_integer("10", -9, 9, &whole));
    ck_assert(!parse_integer("99999999999999999999", INT64_MIN, INT64_MAX, &whole));
    ck_assert(parse_integer("-9223372036854775808", INT64_MIN, INT64_MAX, &whole) && whole == INT64_MIN);
}

TEST(sizes)
{
    static const struct { const char *text; uint64_t bytes; } good[] = {
        {"65536", 65536}, {"1K", 1024}, {"1k", 1024}, {"800M", 800u << 20}, {"1.5G", 3ull << 29},
        {"2GiB", 2ull << 30}, {"2GB", 2ull << 30}, {"1T", 1ull << 40}, {"100B", 100}};
    static const char *const bad[] = {"",    "M",   "-1M",       "1X",  "1MM",  "0",
                                      "0.1", "1e3", "nan", "99999999T", "1 M", "1.2.3"};
    uint64_t bytes = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(!option_size(good[i].text, &bytes), "%s", good[i].text);
        ck_assert_msg(bytes == good[i].bytes, "%s: %llu", good[i].text, (unsigned long long)bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(option_size(bad[i], &bytes) != NULL, "'%s'", bad[i]);
}

TEST(nearest_words)
{
    static const struct { const char *word, *best; } cases[] = {
        {"segmnt", "segment"}, {"seg", "segment"}, {"segmetn", "segment"}, {"chekc", "check"}, {"xyz", NULL},
        {"", NULL}, {"s", NULL}, {"check", "check"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nearest near = {.word = cases[i].word};
        nearest_try(&near, "segment");
        nearest_try(&near, "check");
        if (cases[i].best) {
            ck_assert_msg(near.best != NULL, "%s", cases[i].word);
            ck_assert_str_eq(near.best, cases[i].best);
        } else {
            ck_assert_msg(near.best == NULL, "%s: %s", cases[i].word, near.best);
        }
    }
}

TEST(help_shows_every_row)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const syntax usage = {.verb = "test", .synopsis = "FILE\n--other FILE", .about = "Tests.",
                          .epilogue = "The end.", .sets = {{rows, &got}, {common_options, &got}}};
    options_help(&usage, true, out);
    fclose(out);
    for (const option *row = rows; row->name || row->help; row++)
        ck_assert_msg(strstr(text, row->name ? row->name : row->help), "%s", row->help);
    ck_assert(strstr(text, "usage: tilecut test FILE\n       tilecut test --other FILE\n"));
    ck_assert(strstr(text, "-h, --help") && strstr(text, "The end.") && strstr(text, "--real F"));
    free(text);
}

int main(void)
{
    const int failed = run_suite((test_suite){.name = "options"});
    free(got.list.items);
    return failed;
}
