/* SPDX-License-Identifier: MIT
 *
 * test_graph.c - graphs in files: every format reads back what it wrote. Damaged files are refused with a message and
 * never cause a crash. test_graph_formats.c tests the contents of DIMACS and .bbk files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph_scene.h"
#include "random_graph.h"
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

/* Returns all capacities of a graph in one block, with the rows that tilecut_graph_row() gives. */
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

/* ---- there and back --------------------------------------------------------------------------- */

/* Draws a graph. A .bbk file does not name its shape, so for .bbk the shape must follow from the links. */
static void draw(random_graph *random, uint64_t seed, const char *extension)
{
    if (strcmp(extension, "bbk")) random_graph_draw(random, seed, 40, 40);
    else random_graph_init(random, seed, 3 + (int)(seed % 37), 2 + (int)(seed % 23), seed % 2 ? 4 : 8);
}

LOOP_TEST(comes_back_as_written, 0, EXTENSIONS)
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

/* Reads DIMACS files without the comment that gives the shape. */
TEST(shape_is_found_from_arcs)
{
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        random_graph random;
        tilecut_graph *graph;
        saved_graph saved;
        failure why = {0};
        bytes file = {0};
        const int width = 3 + (int)(seed % 9), height = 3 + (int)(seed % 4);
        /* this kind of graph has symmetric links */
        random_graph_init(&random, seed * 6 + 5, width, height, seed % 2 ? 8 : 4);
        for (int i = 0; i < width * height; i++)
            for (int k = 0; k < random.connectivity / 2; k++)
                ((int32_t *)random.arrays.to[k])[i] += 1; /* makes sure that no link has the capacity 0 */
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

LOOP_TEST(grid_header_is_checked, 0, 2)
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

LOOP_TEST(grid_of_the_other_byte_order, 0, 4)
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

LOOP_TEST(grid_of_floats, 0, 4)
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
    file.data[28] = 1; /* works in either byte order, since the other bytes stay 0 */
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

/* ---- hostile files ---------------------------------------------------------------------------- */

/* Any change to a file gives a graph or an error message, never a crash. */
LOOP_TEST(damage_never_crashes, 0, 12)
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

TEST(extensions_decide)
{
    failure why = {0};
    ck_assert(graph_extension("a/b.max") && graph_extension("X.MAX") && graph_extension("x.bbk"));
    ck_assert(!graph_extension("max") && !graph_extension("x.max/y") && !graph_extension("x.m"));
    ck_assert(!graph_extension("x.") && !graph_extension("-") && !graph_extension("x.png"));
    ck_assert_int_eq(graph_can_write("-", &why), EXIT_DONE);
    ck_assert_int_eq(graph_can_write("x.png", &why), EXIT_USAGE);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    const int failed = run_suite((test_suite){.name = "graph", .seconds = 300});
    rmdir(folder);
    return failed;
}
