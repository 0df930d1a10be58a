/* SPDX-License-Identifier: MIT
 *
 * test_graph.c - graphs in files: every format reads back what it wrote. Damaged files are refused with a sentence
 * and never crash.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph_file.h"
#include "random_graph.h"

#include <check.h> /* last: it has a macro of the name fail */

#include "run_suite.h"

static const char *const extensions[] = {"tcg", "max", "bbk"};
enum { EXTENSIONS = 3, ROUNDS = 60 };

/* ---- helpers ---------------------------------------------------------------------------------- */

static char folder[] = "/tmp/tilecut-test-graph-" "XX" "XX" "XX";

static const char *path_of(const char *extension)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/graph.%s", folder, extension);
    return path;
}

/* All capacities of a graph as one block: rows as tilecut_graph_row() gives them. */
static int32_t *all_rows(const tilecut_graph *graph, size_t *size)
{
    int width, height, connectivity;
    tilecut_graph_size(graph, &width, &height, &connectivity);
    const size_t planes = 2 + 2 * TILECUT_LINKS, line = (size_t)width;
    *size = planes * line * (size_t)height;
    int32_t *cells = calloc(*size, sizeof *cells);
    ck_assert_ptr_nonnull(cells);
    for (int y = 0; y < height; y++) {
        int32_t *at = cells + planes * line * (size_t)y;
        tilecut_row row = {.source = at, .sink = at + line};
        for (size_t k = 0; k < TILECUT_LINKS; k++) {
            row.to[k] = at + line * (2 + k);
            row.from[k] = at + line * (2 + TILECUT_LINKS + k);
        }
        tilecut_graph_row(graph, y, &row);
    }
    return cells;
}

static void assert_same_graph(const tilecut_graph *a, const tilecut_graph *b, uint64_t seed)
{
    size_t m, n;
    int32_t *left = all_rows(a, &m), *right = all_rows(b, &n);
    ck_assert_msg(m == n && !memcmp(left, right, m * sizeof *left), "seed %llu",
                  (unsigned long long)seed);
    free(left);
    free(right);
}

static int64_t flow_of(const tilecut_arrays *arrays)
{
    tilecut_graph *graph;
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    uint8_t *mask = malloc((size_t)arrays->width * (size_t)arrays->height);
    params.solver = "bk";
    ck_assert_int_eq(tilecut_graph_create(&graph, arrays), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, mask, &report), TILECUT_OK);
    tilecut_graph_destroy(graph);
    free(mask);
    return report.flow;
}

static int decode(const char *text, size_t size, saved_graph *out, failure *why)
{
    /* A copy of the exact size, so that the address sanitizer sees a step too far. */
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    const int status = graph_decode("file", copy, size, 0, NULL, out, why);
    free(copy);
    return status;
}

/* ---- there and back --------------------------------------------------------------------------- */

/* Shapes that .bbk, which cannot say them, shows by its links. */
static void draw(random_graph *random, uint64_t seed, const char *extension)
{
    if (strcmp(extension, "bbk")) random_graph_draw(random, seed, 40, 40);
    else random_graph_init(random, seed, 3 + (int)(seed % 37), 2 + (int)(seed % 23), seed % 2 ? 4 : 8);
}

START_TEST(comes_back_as_written)
{
    const char *extension = extensions[_i % EXTENSIONS];
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        random_graph random;
        tilecut_graph *graph, *again;
        saved_graph saved;
        bytes file = {0};
        failure why = {0};
        draw(&random, seed, extension);
        ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
        ck_assert_msg(graph_write(path_of(extension), graph, 0.125, &why) == EXIT_DONE, "%s", why.text);
        ck_assert(graph_load(path_of(extension), 0, &file, &why) == EXIT_DONE);
        ck_assert_msg(graph_decode(path_of(extension), file.data, file.size, 0, NULL, &saved, &why) == EXIT_DONE,
                      "seed %llu: %s", (unsigned long long)seed, why.text);
        bytes_free(&file);
        ck_assert_double_eq(saved.quantum, strcmp(extension, "bbk") ? 0.125 : 1);
        ck_assert_int_eq(tilecut_graph_create(&again, &saved.arrays), TILECUT_OK);
        ck_assert_int_eq(saved.settled, 0);
        assert_same_graph(graph, again, seed);
        tilecut_graph_destroy(graph);
        tilecut_graph_destroy(again);
        saved_graph_free(&saved);
        random_graph_free(&random);
    }
    unlink(path_of(extension));
}
END_TEST

/* DIMACS without the comment that says the shape. */
START_TEST(shape_is_found_from_arcs)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        random_graph random;
        tilecut_graph *graph;
        saved_graph saved;
        failure why = {0};
        bytes file = {0};
        const int width = 3 + (int)(seed % 9), height = 3 + (int)(seed % 4);
        random_graph_init(&random, seed * 6 + 5, width, height, seed % 2 ? 8 : 4); /* symmetric kind */
        for (int i = 0; i < width * height; i++)
            for (int k = 0; k < random.connectivity / 2; k++)
                ((int32_t *)random.arrays.to[k])[i] += 1; /* all there */
        ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
        ck_assert_int_eq(graph_write(path_of("max"), graph, 1, &why), EXIT_DONE);
        ck_assert_int_eq(file_read(path_of("max"), 0, &file, &why), EXIT_DONE);
        char *text = (char *)file.data;
        char *shape = memmem(text, file.size, "tilecut grid", 12);
        memcpy(shape, "another grid", 12);
        ck_assert_msg(decode(text, file.size, &saved, &why) == EXIT_DONE, "%s", why.text);
        ck_assert_int_eq(saved.width, width);
        ck_assert_int_eq(saved.height, height);
        ck_assert_int_eq(flow_of(&saved.arrays), flow_of(&random.arrays));
        bytes_free(&file);
        tilecut_graph_destroy(graph);
        saved_graph_free(&saved);
        random_graph_free(&random);
    }
    unlink(path_of("max"));
}
END_TEST

/* ---- DIMACS ----------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    int64_t flow;
} dimacs_good[] = {
    /* Two pixels in a row. */
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 5\na 2 3 3\na 3 4 9\n", 3},
    /* Source and sink in the middle of the numbers, comments, blank lines, CR LF, no end of line. */
    {"c hello\r\n\r\np max 4 3\r\nn 2 s\r\nc x\r\nn 3 t\r\na 2 1 5\r\na 1 4 3\r\na 4 3 9", 3},
    /* Parallel arcs add up; arcs into the source and out of the sink are idle; a loop too. */
    {"p max 4 7\nn 1 s\nn 4 t\na 1 2 5\na 2 3 1\na 2 3 2\na 3 4 9\na 2 1 7\na 4 3 7\na 2 2 7\n", 3},
    /* Straight from source to sink. */
    {"p max 4 4\nn 1 s\nn 4 t\na 1 4 10\na 1 2 5\na 2 3 3\na 3 4 9\n", 13},
    /* Terminals that stand for infinite. */
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 9000000000000000\na 2 3 3\na 3 4 9000000000000000\n", 3},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 9000000000\na 2 4 8000000000\na 2 3 3\n", 8000000000},
    /* No arcs at all, one pixel. */
    {"p max 3 0\nn 1 s\nn 2 t\n", 0},
    {"p max 3 2\nn 1 s\nn 2 t\na 1 3 4\na 3 2 7\n", 4},
    /* A column: no two numbers in a row differ by one beyond it, so it reads as a row. */
    {"p max 5 4\nn 1 s\nn 2 t\na 1 3 4\na 3 4 2\na 4 5 6\na 5 2 7\n", 2},
};

START_TEST(dimacs_is_understood)
{
    saved_graph saved;
    failure why = {0};
    const char *text = dimacs_good[_i].text;
    ck_assert_msg(decode(text, strlen(text), &saved, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_str_eq(saved.format, "DIMACS");
    ck_assert_int_eq(flow_of(&saved.arrays) + saved.settled, dimacs_good[_i].flow);
    saved_graph_free(&saved);
}
END_TEST

static const struct {
    const char *text, *sentence;
} dimacs_bad[] = {
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 5\na 2 3 3\n", "line 5: the file ends after 2 arcs; it announces 3"},
    {"p max 4 1\nn 1 s\nn 4 t\na 1 2 5\na 2 3 3\n", "line 5: more arcs"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 -5\n", "line 4: an arc line is"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 5.5\n", "line 4: an arc line is"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2       \n", "line 4: an arc line is"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 2 3 4\n", "line 4: an arc line is"},
    {"p max 4 3\nn 1 s\nn 4 t\na 1 9 3    \n", "line 4: an arc of a node"},
    {"p max 4 3\nn 1 s\nn 4 t\na 0 2 3    \n", "line 4: an arc of a node"},
    {"p max 4 3\nn 1 s\nn 1 t             \n", "line 3: source and sink are one node"},
    {"p max 4 3\nn 1 s\nn 2 s             \n", "line 3: a second source"},
    {"p max 4 3\nn 1 s\nn 2 x             \n", "line 3: a node is 's'"},
    {"p max 4 3\nn 7 s                    \n", "line 2: a node line is"},
    {"p max 4 3\nn 1 s\na 1 2 3           \n", "line 3: an arc before source and sink"},
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

START_TEST(dimacs_is_refused)
{
    saved_graph saved;
    failure why = {0};
    const char *text = dimacs_bad[_i].text;
    ck_assert_int_eq(decode(text, strlen(text), &saved, &why), EXIT_INPUT);
    ck_assert_msg(strstr(why.text, dimacs_bad[_i].sentence) != NULL, "said: %s", why.text);
    ck_assert_ptr_null(saved.cells);
}
END_TEST

/* ---- .bbk ------------------------------------------------------------------------------------- */

static void put(bytes *file, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)(value >> 8 * i);
        ck_assert(bytes_append(file, &byte, 1));
    }
}

/* A 2 x 1 graph of flow 3 with capacities of the given type; padded or packed records. */
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

START_TEST(bbk_of_every_type_is_understood)
{
    static const int size[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8};
    const int type = _i / 2 < 10 ? _i / 2 : 8; /* the last: 'float' as Python means it */
    bytes file = tiny_bbk(type, size[_i / 2], _i % 2);
    saved_graph saved;
    failure why = {0};
    ck_assert_msg(decode((char *)file.data, file.size, &saved, &why) == EXIT_DONE, "type %d: %s", type,
                  why.text);
    ck_assert_int_eq(flow_of(&saved.arrays), 3);
    saved_graph_free(&saved);
    bytes_free(&file);
}
END_TEST

START_TEST(bbk_is_refused)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *sentence;
    } spoilt[] = {
        {0, 'b', "packed with snappy"}, /* and the rest of the magic below */
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
END_TEST

/* ---- the grid format -------------------------------------------------------------------------- */

static bytes tiny_grid(uint64_t seed)
{
    random_graph random;
    tilecut_graph *graph;
    failure why = {0};
    bytes file = {0};
    random_graph_init(&random, seed, 7, 5, seed % 2 ? 4 : 8);
    ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
    ck_assert_int_eq(graph_write(path_of("tcg"), graph, 0.5, &why), EXIT_DONE);
    ck_assert_int_eq(file_read(path_of("tcg"), 0, &file, &why), EXIT_DONE);
    unlink(path_of("tcg"));
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
    return file;
}

START_TEST(grid_header_is_checked)
{
    bytes file = tiny_grid((uint64_t)_i);
    saved_graph saved;
    failure why = {0};
    for (size_t i = 0; i < 64; i++) {
        file.data[i] ^= 0x11;
        ck_assert_msg(decode((char *)file.data, file.size, &saved, &why) == EXIT_INPUT, "byte %zu", i);
        file.data[i] ^= 0x11;
    }
    for (size_t size = 0; size < file.size; size++)
        ck_assert_msg(decode((char *)file.data, size, &saved, &why) == EXIT_INPUT, "size %zu", size);
    ck_assert_int_eq(decode((char *)file.data, file.size, &saved, &why), EXIT_DONE);
    saved_graph_free(&saved);
    bytes_free(&file);
}
END_TEST

static void swap_bytes(uint8_t *at, int size)
{
    for (int i = 0; i < size / 2; i++) {
        const uint8_t byte = at[i];
        at[i] = at[size - 1 - i];
        at[size - 1 - i] = byte;
    }
}

static uint64_t header_check(const uint8_t *data)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 56; i++) hash = (hash ^ data[i]) * 0x100000001b3u;
    return hash;
}

START_TEST(grid_of_the_other_byte_order)
{
    bytes file = tiny_grid((uint64_t)_i);
    saved_graph here, there;
    failure why = {0};
    ck_assert_int_eq(decode((char *)file.data, file.size, &here, &why), EXIT_DONE);
    for (size_t i = 8; i < 40; i += 4) swap_bytes(file.data + i, 4);
    for (size_t i = 40; i < 56; i += 8) swap_bytes(file.data + i, 8);
    for (size_t i = 64; i < file.size; i += 4) swap_bytes(file.data + i, 4);
    const uint64_t check = header_check(file.data);
    memcpy(file.data + 56, &check, 8);
    swap_bytes(file.data + 56, 8);
    ck_assert_msg(decode((char *)file.data, file.size, &there, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_double_eq(there.quantum, 0.5);
    ck_assert_int_eq(memcmp(here.cells, there.cells, file.size - 64), 0);
    saved_graph_free(&here);
    saved_graph_free(&there);
    bytes_free(&file);
}
END_TEST

START_TEST(grid_of_floats)
{
    bytes file = tiny_grid((uint64_t)_i);
    saved_graph whole, real;
    failure why = {0};
    ck_assert_int_eq(decode((char *)file.data, file.size, &whole, &why), EXIT_DONE);
    for (size_t i = 64; i < file.size; i += 4) {
        int32_t value;
        memcpy(&value, file.data + i, 4);
        const float as_float = (float)value;
        memcpy(file.data + i, &as_float, 4);
    }
    file.data[28] = 1; /* little-endian here or not, the other bytes stay 0 */
    const uint64_t check = header_check(file.data);
    memcpy(file.data + 56, &check, 8);
    ck_assert_msg(decode((char *)file.data, file.size, &real, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_int_eq(memcmp(whole.cells, real.cells, file.size - 64), 0);
    saved_graph_free(&real);
    static const float bad[] = {0.5f, -1, 4e9f, -0.0f};
    for (int i = 0; i < 4; i++) {
        memcpy(file.data + 72, &bad[i], 4);
        const int status = decode((char *)file.data, file.size, &real, &why);
        ck_assert_int_eq(status, i < 3 ? EXIT_INPUT : EXIT_DONE);
        saved_graph_free(&real);
    }
    saved_graph_free(&whole);
    bytes_free(&file);
}
END_TEST

/* ---- hostile files ---------------------------------------------------------------------------- */

/* Any change to a file gives a graph or a sentence, never a crash. */
START_TEST(damage_never_crashes)
{
    const char *extension = extensions[_i % EXTENSIONS];
    uint64_t state = (uint64_t)_i;
    random_graph random;
    tilecut_graph *graph;
    failure why = {0};
    bytes file = {0};
    random_graph_init(&random, (uint64_t)_i, 6, 4, _i % 2 ? 4 : 8);
    ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
    ck_assert_int_eq(graph_write(path_of(extension), graph, 1, &why), EXIT_DONE);
    ck_assert_int_eq(file_read(path_of(extension), 0, &file, &why), EXIT_DONE);
    for (int round = 0; round < 2000; round++) {
        uint8_t *copy = malloc(file.size);
        saved_graph saved;
        memcpy(copy, file.data, file.size);
        for (int i = random_below(&state, 4); i >= 0; i--)
            copy[random_below(&state, round % 2 ? 64 : (int)file.size)] = (uint8_t)random_next(&state);
        const size_t size = round % 3 ? file.size : (size_t)random_below(&state, (int)file.size);
        const int status = decode((char *)copy, size, &saved, &why);
        ck_assert(status == EXIT_DONE || (status == EXIT_INPUT && why.text[0]) ||
                  status == EXIT_RESOURCES);
        saved_graph_free(&saved);
        free(copy);
    }
    bytes_free(&file);
    unlink(path_of(extension));
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
}
END_TEST

START_TEST(extensions_decide)
{
    failure why = {0};
    ck_assert(graph_extension("a/b.max") && graph_extension("X.MAX") && graph_extension("x.bbk"));
    ck_assert(!graph_extension("max") && !graph_extension("x.max/y") && !graph_extension("x.m"));
    ck_assert(!graph_extension("x.") && !graph_extension("-") && !graph_extension("x.png"));
    ck_assert_int_eq(graph_can_write("-", &why), EXIT_DONE);
    ck_assert_int_eq(graph_can_write("x.png", &why), EXIT_USAGE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("graph");
    TCase *tests = tcase_create("files");
    if (!mkdtemp(folder)) return 1;
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, comes_back_as_written, 0, EXTENSIONS);
    tcase_add_test(tests, shape_is_found_from_arcs);
    tcase_add_loop_test(tests, dimacs_is_understood, 0, sizeof dimacs_good / sizeof *dimacs_good);
    tcase_add_loop_test(tests, dimacs_is_refused, 0, sizeof dimacs_bad / sizeof *dimacs_bad);
    tcase_add_loop_test(tests, bbk_of_every_type_is_understood, 0, 22);
    tcase_add_test(tests, bbk_is_refused);
    tcase_add_loop_test(tests, grid_header_is_checked, 0, 2);
    tcase_add_loop_test(tests, grid_of_the_other_byte_order, 0, 4);
    tcase_add_loop_test(tests, grid_of_floats, 0, 4);
    tcase_add_loop_test(tests, damage_never_crashes, 0, 12);
    tcase_add_test(tests, extensions_decide);
    suite_add_tcase(suite, tests);
    const int failed = run_suite(suite);
    rmdir(folder);
    return failed;
}
