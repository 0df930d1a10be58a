/* SPDX-License-Identifier: MIT
 *
 * test_graph_formats.c - graph files in formats of other programs, DIMACS and .bbk: their contents, and which of them
 * are refused with a message.
 */
#include "graph_scene.h" /* must precede check.h, which defines a macro fail() */

#include "run_suite.h"

/* ---- DIMACS ----------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    int64_t flow;
} dimacs_good[] = {
    /* A graph of two pixels in a row. */
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 5\na 2 3 3\na 3 4 9\n", 3},
    /* Source and sink in the middle of the numbering, comments, blank lines, CR LF, no final newline. */
    {"c hello\r\n\r\np max 4 3\r\nn 2 s\r\nc x\r\nn 3 t\r\na 2 1 5\r\na 1 4 3\r\na 4 3 9", 3},
    /* Parallel arcs add up. Arcs into the source, out of the sink, and loops have no effect. */
    {"p max 4 7\nn 1 s\nn 4 t\na 1 2 5\na 2 3 1\na 2 3 2\na 3 4 9\na 2 1 7\na 4 3 7\na 2 2 7\n", 3},
    /* An arc straight from the source to the sink. */
    {"p max 4 4\nn 1 s\nn 4 t\na 1 4 10\na 1 2 5\na 2 3 3\na 3 4 9\n", 13},
    /* Terminal capacities that stand for infinite. */
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 9000000000000000\na 2 3 3\na 3 4 9000000000000000\n", 3},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 9000000000\na 2 4 8000000000\na 2 3 3\n", 8000000000},
    /* One pixel without any arcs. */
    {"p max 3 0\nn 1 s\nn 2 t\n", 0},
    {"p max 3 2\nn 1 s\nn 2 t\na 1 3 4\na 3 2 7\n", 4},
    /* A column of pixels: its arcs fit a row as well, so it is read as a row. */
    {"p max 5 4\nn 1 s\nn 2 t\na 1 3 4\na 3 4 2\na 4 5 6\na 5 2 7\n", 2},
};

LOOP_TEST(dimacs_is_understood, 0, sizeof dimacs_good / sizeof *dimacs_good)
{
    saved_graph saved;
    failure why = {0};
    const char *text = dimacs_good[_i].text;
    ck_assert_msg(decode(text, strlen(text), &saved, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_str_eq(saved.format, "DIMACS");
    ck_assert_int_eq(flow_of(&saved.arrays) + saved.settled, dimacs_good[_i].flow);
    saved_graph_free(&saved);
}

static const struct {
    const char *text, *sentence;
} dimacs_bad[] = {
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 5\na 2 3 3\n", "line 5: the file ends after 2 of 3 arcs"},
    {"p max 4 1\nn 1 s\nn 4 t\na 1 2 5\na 2 3 3\n", "line 5: more arcs"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 -5\n", "line 4: a capacity that is below 0"},
    {"p max 4 1\nn 1 s\nn 4 t\na 1 2 5.5\n", "has fractions as capacities"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2       \n", "line 4: a capacity that is missing"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 3 4\n", "line 4: has words after the capacity"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 9 3    \n", "line 4: an arc of a node"},
    {"p max 4 3\nn 1 s\nn 4 t\na 0 2 3    \n", "line 4: an arc of a node"},
    {"p max 4 3\nn 1 s\nn 1 t             \n", "line 3: source and sink are one node"},
    {"p max 4 3\nn 1 s\nn 2 s             \n", "line 3: a second source"},
    {"p max 4 3\nn 1 s\nn 2 x             \n", "line 3: a node is 's'"},
    {"p max 4 3\nn 7 s                    \n", "line 2: a node line is"},
    {"p max 4 3\nn 1 s\na 1 2 3           \n", "line 3: an arc, but no line"},
    {"p max 4 0\nn 1 s\n", "without naming source and sink"},
    {"c\nc nothing else\n", "without a problem line"},
    {"c\nn 1 s\n", "line 2: comes before the problem line"},
    {"p max 4 0\np max 4 0\n", "line 2: a second problem line"},
    {"p min 4 0\n", "line 1: not a maximum-flow problem"},
    {"p max 2 0\n", "line 1: fewer than three nodes"},
    {"p max 99999999999 0\n", "line 1: more nodes than a grid can have"},
    {"p max 99999999999999999999 0\n", "line 1: a problem line is"},
    {"p max 100 99999999999\n", "line 1: announces more arcs than the file can hold"},
    {"p max 4 0\nx 1 2\n", "line 2: begins with none of"},
    {"p max 9 1\nn 1 s\nn 2 t\na 3 8 4\n", "not a grid"},
    {"c tilecut grid 3 3 4\np max 9 0\nn 1 s\nn 2 t\n", "a grid of 3x3 by its comment, but 7 nodes"},
    {"c tilecut grid 3 3 4\np max 11 1\nn 1 s\nn 2 t\na 3 7 1\n",
     "line 5: joins two pixels that are not neighbours"},
    {"c tilecut grid 3 3 4\np max 11 1\nn 1 s\nn 2 t\na 5 6 1\n",
     "line 5: joins two pixels that are not neighbours"},
    {"p max 4 1\nn 1 s\nn 4 t\na 2 3 9999999999\n", "line 4: its capacity"},
    {"p max 4 2\nn 1 s\nn 4 t\na 2 3 2000000000\na 2 3 2000000000\n", "line 5: its capacity"},
};

LOOP_TEST(dimacs_is_refused, 0, sizeof dimacs_bad / sizeof *dimacs_bad)
{
    saved_graph saved;
    failure why = {0};
    const char *text = dimacs_bad[_i].text;
    ck_assert_int_eq(decode(text, strlen(text), &saved, &why), EXIT_INPUT);
    ck_assert_msg(strstr(why.text, dimacs_bad[_i].sentence) != NULL, "said: %s", why.text);
    ck_assert_ptr_null(saved.cells);
}

/* ---- .bbk ------------------------------------------------------------------------------------- */

static void put(bytes *file, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)(value >> 8 * i);
        ck_assert(bytes_append(file, &byte, 1));
    }
}

/* Writes a 2 x 1 graph of flow 3 with capacities of the given type, in padded or packed records. */
static bytes tiny_bbk(int type, int size, bool padded)
{
    static const uint64_t terminal[2][3] = {{0, 5, 0}, {1, 0, 9}}, link[4] = {0, 1, 3, 2};
    bytes file = {0};
    uint64_t words[4];
    for (int i = 0; i < 4; i++) words[i] = link[i];
    ck_assert(bytes_append(&file, "BBQ", 3));
    put(&file, (uint64_t)type, 1);
    put(&file, (uint64_t)type, 1);
    put(&file, 2, 8);
    put(&file, 2, 8);
    put(&file, 1, 8);
    for (int record = 0; record < 3; record++) {
        const int ids = record < 2 ? 1 : 2;
        const uint64_t *values = record < 2 ? terminal[record] : words;
        for (int i = 0; i < ids; i++) put(&file, values[i], 8);
        for (int i = ids; i < ids + 2; i++) {
            uint64_t raw = values[i];
            const float narrow = (float)raw;
            const double real = (double)raw;
            if (type >= 8 && size == 4) {
                uint32_t word;
                memcpy(&word, &narrow, 4);
                raw = word;
            } else if (type >= 8)
                memcpy(&raw, &real, 8);
            put(&file, raw, size);
        }
        if (padded && 2 * size % 8) put(&file, 0xdeadbeef, 8 - 2 * size % 8);
    }
    return file;
}

LOOP_TEST(bbk_of_every_type_is_understood, 0, 22)
{
    static const int size[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8};
    const int type = _i / 2 < 10 ? _i / 2 : 8; /* the last type is 'float' in the meaning of Python */
    bytes file = tiny_bbk(type, size[_i / 2], _i % 2);
    saved_graph saved;
    failure why = {0};
    ck_assert_msg(decode((char *)file.data, file.size, &saved, &why) == EXIT_DONE, "type %d: %s", type,
                  why.text);
    ck_assert_int_eq(flow_of(&saved.arrays), 3);
    saved_graph_free(&saved);
    bytes_free(&file);
}

TEST(bbk_is_refused)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *sentence;
    } spoilt[] = {
        {0, 'b', "packed with snappy"}, /* the rest of the magic number is set below */
        {3, 10, "capacities of types"},
        {5, 0, "0 nodes"},
        {10, 1, "nodes; a grid has"},
        {13, 3, "do not fit"},
        {28, 0xff, "do not fit"},
        {29, 9, "terminal 0: a node that is not there"},
        {40, 0x80, "terminal 0: a capacity"},
        {61, 7, "link 0: a node that is not there"},
        {84, 0x80, "link 0: a capacity"},
    };
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
        bytes file = tiny_bbk(5, 4, false);
        saved_graph saved;
        failure why = {0};
        file.data[spoilt[i].at] = spoilt[i].value;
        if (!i) memcpy(file.data, "bbq", 3);
        ck_assert_int_eq(decode((char *)file.data, file.size, &saved, &why), EXIT_INPUT);
        ck_assert_msg(strstr(why.text, spoilt[i].sentence) != NULL, "%zu said: %s", i, why.text);
        bytes_free(&file);
    }
}

int main(void) { return run_suite((test_suite){.name = "graph formats", .seconds = 300}); }
