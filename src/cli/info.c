/* SPDX-License-Identifier: MIT
 *
 * info.c - the verb `info`: what this build is and can do. Its lists come from the tables of the library
 * and of the formats.
 */
#include <stdio.h>
#include <string.h>

#include "graph_file.h"
#include "image.h"
#include "json.h"
#include "machine.h"
#include "options.h"
#include "tilecut.h"
#include "verbs.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

#if defined(__OPTIMIZE__)
#define OPTIMIZED "optimised"
#else
#define OPTIMIZED "not optimised"
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED ", address sanitizer"
#else
#define SANITIZED ""
#endif

/* A table of the library as the library shows it. */
typedef const char *table_column(int index);

static void print_table(const char *title, table_column *name, table_column *summary)
{
    printf("%s\n", title);
    for (int i = 0; name(i); i++) printf("  %-12s %s\n", name(i), summary(i));
}

/* The device's name, or why there is none. */
static const char *cuda_line(char *line, size_t size)
{
    if (!tilecut_cuda_built()) return "not in this build";
    return tilecut_cuda_device(line, size) == TILECUT_OK ? line : tilecut_error_detail();
}

static int print_text(const notes *log, failure *why)
{
    char line[256];
    printf("tilecut %s\n", tilecut_version());
    print_table("solvers", tilecut_solver_name, tilecut_solver_summary);
    print_table("colour models", tilecut_colors_name, tilecut_colors_summary);
    printf("devices\n  %-12s %d of %d threads by default\n", "cpu", machine_threads(NULL),
           machine_processors());
    printf("  %-12s %s\n", "cuda", cuda_line(line, sizeof line));
    printf("formats\n");
    for (int i = 0; image_format_line(i); i++) printf("  %s\n", image_format_line(i));
    printf("graphs\n");
    for (int i = 0; graph_format_line(i); i++) printf("  %s\n", graph_format_line(i));
    printf("build\n  %-12s %s\n  %-12s %s%s\n", "compiler", COMPILER, "options", OPTIMIZED, SANITIZED);
    printf("  %-12s %s\n", "cuda", tilecut_cuda_built() ? "yes" : "no");
    for (int i = 0; log && i < log->count; i++) fprintf(stderr, "tilecut: note: %s\n", log->text[i]);
    if (fflush(stdout) || ferror(stdout))
        return fail(why, EXIT_RUNTIME, "standard output: could not be written");
    return EXIT_DONE;
}

static void json_table(json *j, const char *key, table_column *name, table_column *summary)
{
    json_open(j, key, '[');
    for (int i = 0; name(i); i++) {
        json_open(j, NULL, '{');
        json_text(j, "name", name(i));
        json_text(j, "summary", summary(i));
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* "PNG   read, write   ..." -> its name and the rest. */
static void json_format(json *j, const char *line)
{
    char name[32];
    const size_t length = strcspn(line, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    json_open(j, NULL, '{');
    json_text(j, "name", name);
    json_text(j, "summary", line + length + strspn(line + length, " "));
    json_close(j, '}');
}

static int print_json(const char *path, failure *why)
{
    const uint64_t memory = machine_memory();
    json j = {0};
    json_open(&j, NULL, '{');
    json_text(&j, "version", tilecut_version());
    json_table(&j, "solvers", tilecut_solver_name, tilecut_solver_summary);
    json_table(&j, "colors", tilecut_colors_name, tilecut_colors_summary);
    json_open(&j, "devices", '[');
    json_open(&j, NULL, '{');
    json_text(&j, "name", "cpu");
    json_integer(&j, "processors", machine_processors());
    json_integer(&j, "threads", machine_threads(NULL));
    if (memory != UINT64_MAX) json_integer(&j, "memory_available", (int64_t)memory);
    json_close(&j, '}');
    json_close(&j, ']');
    json_open(&j, "formats", '[');
    for (int i = 0; image_format_line(i); i++) json_format(&j, image_format_line(i));
    json_close(&j, ']');
    json_open(&j, "graphs", '[');
    for (int i = 0; graph_format_line(i); i++) json_format(&j, graph_format_line(i));
    json_close(&j, ']');
    json_open(&j, "build", '{');
    json_text(&j, "compiler", COMPILER);
    json_text(&j, "options", OPTIMIZED SANITIZED);
    json_bool(&j, "cuda", tilecut_cuda_built());
    json_close(&j, '}');
    json_close(&j, '}');
    const int status = json_write(&j, path, why);
    json_free(&j);
    return status;
}

int verb_info(int argc, char **argv, failure *why)
{
    common my = {0};
    notes log = {0};
    int status;
    const syntax usage = {
        .verb = "info", .synopsis = "[options]",
        .about = "Says what this build is: version, solvers, colour models, devices, formats.",
        .sets = {{common_options, &my}}};
    if (!options_parse(&usage, &argc, argv, &status, why)) return status;
    if (my.json && (status = print_json(my.json, why)) != EXIT_DONE) return status;
    if (my.json && !strcmp(my.json, "-")) return EXIT_DONE;
    machine_threads(&log);
    status = print_text(my.quiet ? NULL : &log, why);
    notes_free(&log);
    return status;
}
