/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_calibration.c - the calibration that --device auto uses: its arithmetic, and files with wrong content.
 */
#include "calibration.h" /* must precede check.h, which defines a macro fail() */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run_suite.h"
#include "version.h"

#include "machine.h"
#include "tilecut.h"

static const char GOOD[] = "tilecut-calibration 1\n"
                           "machine some processor; 4 processors\n"
                           "version " TC_VERSION "\n"
                           "wake_ms 270\n"
                           "fixed_ms 1.5\n"
                           "device_ns 9\n"
                           "threads 1 100 25\n"
                           "threads 4 40 15\n"
                           "end\n";

static bool parse(const char *text, calibration *out)
{
    return calibration_parse(text, strlen(text), out);
}

TEST(a_good_file)
{
    calibration c;
    ck_assert(parse(GOOD, &c));
    ck_assert(c.measured && c.gpu);
    ck_assert_int_eq(c.rows, 2);
    ck_assert_int_eq(c.row[1].threads, 4);
    ck_assert(c.row[1].cpu_ns == 40 && c.row[1].gpu_ns == 15);
    ck_assert(c.wake_ms == 270 && c.fixed_ms == 1.5 && c.device_ns == 9);
    ck_assert_str_eq(c.machine, "some processor; 4 processors");
    ck_assert(parse("tilecut-calibration 1\nmachine m\nversion " TC_VERSION "\nthreads 1 100 0\nend\n", &c));
    ck_assert(!c.gpu);
}

/* Cuts the file off at every length, and repeats or drops each line. */
TEST(files_that_are_not_whole)
{
    calibration c;
    char text[sizeof GOOD * 2];
    for (size_t length = 0; length + 1 < sizeof GOOD - 1; length++)
        ck_assert_msg(!calibration_parse(GOOD, length, &c), "the first %zu bytes", length);
    for (const char *line = GOOD; *line; line = strchr(line, '\n') + 1) {
        const size_t before = (size_t)(line - GOOD), length = (size_t)(strchr(line, '\n') + 1 - line);
        if (strncmp(line, "threads 4", 9)) { /* the file is valid without this line */
            snprintf(text, sizeof text, "%.*s%s", (int)before, GOOD, line + length);
            ck_assert_msg(!parse(text, &c), "without %.*s", (int)length, line);
        }
        snprintf(text, sizeof text, "%.*s%.*s%s", (int)before, GOOD, (int)length, line, line);
        ck_assert_msg(!parse(text, &c), "twice %.*s", (int)length, line);
    }
}

TEST(hostile_values)
{
    static const char *const lines[] = {
        "threads 0 100 25", "threads 1.5 100 25", "threads 300 1 1", "threads -1 1 1", "threads 5 nan 1",
        "threads 5 inf 1", "threads 5 1e9 1", "threads 5 0 1", "threads 5 -3 1", "threads 5 3", "threads 5 3 1 7",
        "threads 5 3 0", "threads 4 3 1", "threads 2 3 1", "threads 99999999999999999999 1 1", "wake_ms 1", "rows 3",
        "", "  ", "threads", "end of it"};
    calibration c;
    char text[1024];
    const size_t body = strlen(GOOD) - strlen("end\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(text, sizeof text, "%.*s%s\nend\n", (int)body, GOOD, lines[i]);
        ck_assert_msg(!parse(text, &c), "%s", lines[i]);
    }
    ck_assert(!parse("tilecut-calibration 2\nmachine m\nversion " TC_VERSION "\nthreads 1 100 0\nend\n", &c));
    ck_assert(!parse("tilecut-calibration 1\nmachine m\nversion 9.9\nthreads 1 100 0\nend\n", &c));
    ck_assert(!parse("tilecut-calibration 1\nmachine m\nversion " TC_VERSION "\nthreads 2 100 0\nend\n", &c));
    ck_assert(!calibration_parse(memcpy(text, GOOD, 10), 10, &c));
}

/* Changes random bytes. If the file is still accepted, its figures are within their limits. */
TEST(random_damage)
{
    const unsigned seed = 20261121;
    srand(seed);
    for (int i = 0; i < 100000; i++) {
        char text[sizeof GOOD];
        calibration c;
        memcpy(text, GOOD, sizeof text);
        for (int k = rand() % 3; k >= 0; k--) text[(size_t)rand() % (sizeof GOOD - 1)] = (char)(rand() % 256);
        if (!calibration_parse(text, sizeof GOOD - 1, &c)) continue;
        ck_assert_msg(c.rows >= 1 && c.rows <= CALIBRATION_ROWS && c.row[0].threads == 1, "seed %u, turn %d", seed, i);
        for (int r = 0; r < c.rows; r++)
            ck_assert_msg(isfinite(c.row[r].cpu_ns) && c.row[r].cpu_ns > 0 && isfinite(c.row[r].gpu_ns) &&
                              c.row[r].gpu_ns >= 0 && c.row[r].threads <= 256,
                          "seed %u, turn %d", seed, i);
    }
}

static double on_cpu(const calibration *c, double mpx, int jobs, int threads)
{
    const calibration_load load = {.pixels = (uint64_t)(mpx * 1e6), .jobs = jobs, .threads = threads};
    return calibration_cpu_ms(c, &load);
}

static double on_gpu(const calibration *c, double mpx, int jobs, int threads, bool awake)
{
    const calibration_load load = {.pixels = (uint64_t)(mpx * 1e6), .jobs = jobs, .threads = threads, .awake = awake};
    return calibration_gpu_ms(c, &load);
}

TEST(arithmetic)
{
    calibration c;
    ck_assert(parse(GOOD, &c));
    ck_assert_double_eq_tol(on_cpu(&c, 1, 1, 1), 100, 1e-9);
    /* 3 threads were not measured, so the figure for 1 holds */
    ck_assert_double_eq_tol(on_cpu(&c, 1, 1, 3), 100, 1e-9);
    ck_assert_double_eq_tol(on_cpu(&c, 1, 1, 4), 40, 1e-9);
    ck_assert_double_eq_tol(on_cpu(&c, 1, 4, 4), 100, 1e-9); /* four photos are cut side by side, on one thread each */
    ck_assert_double_eq_tol(on_cpu(&c, 1, 10, 4), 300, 1e-9);
    ck_assert_double_eq_tol(on_gpu(&c, 1, 1, 4, false), 270 + 1.5 + 15, 1e-9);
    ck_assert_double_eq_tol(on_gpu(&c, 1, 1, 4, true), 1.5 + 15, 1e-9);
    ck_assert_double_eq_tol(on_gpu(&c, 1, 100, 4, true), 100 * 10.5, 1e-9); /* the GPU cuts one photo after the other */
    ck_assert_double_eq_tol(on_gpu(&c, 1, 10, 1, true), 265, 1e-9);
}

/* Checks decisions that the built-in figures must make on any machine: a small photo stays on the CPU, and a large
 * batch goes to the GPU. */
TEST(the_guess)
{
    const calibration c = calibration_builtin();
    for (int threads = 1; threads <= 64; threads *= 2) {
        ck_assert(on_cpu(&c, 0.05, 1, threads) < on_gpu(&c, 0.05, 1, threads, false));
        ck_assert(on_cpu(&c, 1, 1, threads) < on_gpu(&c, 1, 1, threads, false));
        ck_assert(on_cpu(&c, 16, 1, threads) > on_gpu(&c, 16, 1, threads, false));
    }
    ck_assert(on_cpu(&c, 1, 200, 4) > on_gpu(&c, 1, 200, 4, false));
}

static bool takes_gpu(calibration_work work, double mpx)
{
    const calibration c = calibration_builtin();
    const calibration_load load = {.pixels = (uint64_t)(mpx * 1e6), .work = work, .jobs = 1, .threads = 16};
    return calibration_gpu_ms(&c, &load) < calibration_cpu_ms(&c, &load);
}

/* The limits were measured with whole processes on 16 processors and an H200. */
TEST(what_else_is_cut)
{
    static const double least[] = {[CALIBRATION_EIGHT] = 4, [CALIBRATION_BOX] = 4, [CALIBRATION_VOLUME] = 2.1},
                        most[] = {[CALIBRATION_EIGHT] = 12, [CALIBRATION_BOX] = 12, [CALIBRATION_VOLUME] = 16.8};
    for (int work = CALIBRATION_EIGHT; work <= CALIBRATION_VOLUME; work++) {
        ck_assert_msg(!takes_gpu((calibration_work)work, least[work]), "%d", work);
        ck_assert_msg(takes_gpu((calibration_work)work, most[work]), "%d", work);
    }
    ck_assert(!takes_gpu(CALIBRATION_HOST, 1000));
}

/* ---- the file --------------------------------------------------------------------------------- */

static char folder[64];

static void begin(void)
{
    snprintf(folder, sizeof folder, "/tmp/test_calibration.XXXXXX");
    ck_assert(mkdtemp(folder) != NULL);
    setenv("XDG_CACHE_HOME", folder, 1);
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

static void put(const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/tilecut", folder);
    mkdir(path, 0777);
    ck_assert(calibration_path(path, sizeof path));
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void loads(bool measured, int count)
{
    notes log = {0};
    const calibration c = calibration_load_file(&log);
    ck_assert(c.measured == measured);
    ck_assert(c.rows > 0);
    ck_assert_int_eq(log.count, count);
    notes_free(&log);
}

TEST(kept_and_found_again)
{
    calibration c;
    char path[256];
    failure why;
    ck_assert(parse(GOOD, &c)); /* this calibration has a GPU, whether or not this machine has one */
    machine_name("", c.machine, sizeof c.machine);
    loads(false, 0);
    ck_assert_int_eq(calibration_save(&c, path, sizeof path, &why), EXIT_DONE);
    loads(true, 0);
    c.row[0].cpu_ns = 50;
    ck_assert_int_eq(calibration_save(&c, path, sizeof path, &why), EXIT_DONE);
    ck_assert(calibration_load_file(NULL).row[0].cpu_ns == 50);
    c.row[0].cpu_ns = NAN; /* an invalid figure is refused, and the old file stays */
    ck_assert_int_eq(calibration_save(&c, path, sizeof path, &why), EXIT_RUNTIME);
    ck_assert(calibration_load_file(NULL).row[0].cpu_ns == 50);
}

/* If a GPU can be used, a file without GPU figures is not used. */
TEST(measured_without_the_gpu)
{
    const bool here = tilecut_cuda_built() && machine_has_gpu();
    calibration c;
    char path[256];
    failure why;
    ck_assert(parse("tilecut-calibration 1\nmachine m\nversion " TC_VERSION "\nthreads 1 100 0\nend\n", &c));
    machine_name("", c.machine, sizeof c.machine);
    ck_assert_int_eq(calibration_save(&c, path, sizeof path, &why), EXIT_DONE);
    loads(!here, here);
}

TEST(ignored_with_one_note)
{
    char path[256];
    put("");
    loads(false, 1);
    put("#!/bin/sh\nrm -rf /\n");
    loads(false, 1);
    put(GOOD); /* stores the calibration of another machine */
    loads(false, 1);
    ck_assert(calibration_path(path, sizeof path));
    ck_assert_int_eq(remove(path), 0);
    ck_assert_int_eq(mkdir(path, 0777), 0); /* makes a folder with the name of the file */
    loads(false, 1);
    setenv("XDG_CACHE_HOME", "relative/folder", 1);
    setenv("HOME", folder, 1);
    loads(false, 0);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    loads(false, 0);
}

int main(void) { return run_suite((test_suite){.name = "calibration", .set_up = begin, .tear_down = end}); }
