/* SPDX-License-Identifier: MIT
 *
 * info.c - the verb `info`: describes this build and its abilities. Its lists come from the library's tables and from
 * the table of image formats.
 */
#include <stdio.h>
#include <string.h>

#include "annotation.h"
#include "calibration.h"
#include "graph_file.h"
#include "network_file.h"
#include "scan.h"
#include "image.h"
#include "json.h"
#include "machine.h"
#include "options.h"
#include "job_part.h"
#include "tilecut.h"
#include "serve.h"
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

/* Returns one column of row `index` in a table of the library. */
typedef const char *table_column(int index);

/* NAME_WIDTH is the length of the longest name of a solver. */
enum { NAME_WIDTH = 13, CAN_WIDTH = 11 };

static void print_table(const char *title, table_column *name, table_column *summary)
{
    printf("%s\n", title);
    for (int i = 0; name(i); i++) printf("  %-*s %s\n", NAME_WIDTH, name(i), summary(i));
}

/* Skips `length` characters of `line` and the blanks after them. */
static const char *past(const char *line, size_t length)
{
    return line + length + strspn(line + length, " ");
}

static const char *graph_line(int index)
{
    int grids = 0;
    while (graph_format_line(grids)) grids++;
    return index < grids ? graph_format_line(index) : network_format_line(index - grids);
}

enum { TABLES = 4 };
static const struct {
    const char *name, *(*line)(int index);
} tables[TABLES] = {{"formats", image_format_line}, {"volumes", scan_format_line},
                    {"annotations", annotation_format_line}, {"graphs", graph_line}};

/* Prints a line of a table of formats in columns: "PNG   read, write   1 to 16 bits". */
static void print_format(const char *line)
{
    const size_t name = strcspn(line, " ");
    const char *const can = past(line, name), *const gap = strstr(can, "  ");
    const size_t wide = gap ? (size_t)(gap - can) : strlen(can);
    printf("  %-*.*s %-*.*s %s\n", NAME_WIDTH, (int)name, line, CAN_WIDTH, (int)wide, can, past(can, wide));
}

/* Returns the name of CUDA device `index`, or the reason why it cannot be used. */
static const char *cuda_line(int index, char *line, size_t size)
{
    if (!tilecut_cuda_built()) return "not in this build";
    return tilecut_cuda_device(index, line, size) == TILECUT_OK ? line : tilecut_error_detail();
}

/* Lists the devices by the names for --device; if there are none, prints why. */
static void print_cuda_devices(void)
{
    const int count = tilecut_cuda_devices();
    char line[256], name[24] = "cuda";
    for (int i = 0; i < (count ? count : 1); i++) {
        if (count) snprintf(name, sizeof name, "cuda:%d", i);
        printf("  %-*s %s\n", NAME_WIDTH, name, cuda_line(i, line, sizeof line));
    }
}

/* Returns where the figures for --device auto come from. */
static const char *calibration_line(const calibration *known)
{
    return known->measured ? "measured on this machine" : "none: --device auto guesses; see --calibrate";
}

static int print_text(const calibration *known, const notes *log, failure *why)
{
    char nccl[NCCL_LINE];
    printf("tilecut %s\n", tilecut_version());
    print_table("solvers", tilecut_solver_name, tilecut_solver_summary);
    print_table("colour models", tilecut_colors_name, tilecut_colors_summary);
    printf("devices\n  %-*s %d of %d threads by default\n", NAME_WIDTH, "cpu", machine_threads(NULL),
           machine_processors());
    print_cuda_devices();
    printf("  %-*s %s\n", NAME_WIDTH, "calibration", calibration_line(known));
    for (int i = 0; known->measured && i < known->rows; i++) {
        const calibration_row *const row = &known->row[i];
        printf("  %-*s %d thread%s: %.0f ns a pixel", NAME_WIDTH, "", row->threads, row->threads == 1 ? "" : "s",
               row->cpu_ns);
        if (known->gpu) printf(", %.0f with the GPU", row->gpu_ns);
        putchar('\n');
    }
    if (known->measured && known->gpu)
        printf("  %-*s waking the GPU %.0f ms, each cut %.1f ms and %.1f ns a pixel of its time\n", NAME_WIDTH, "",
               known->wake_ms, known->fixed_ms, known->device_ns);
    for (int t = 0; t < TABLES; t++) {
        printf("%s\n", tables[t].name);
        for (int i = 0; tables[t].line(i); i++) print_format(tables[t].line(i));
    }
    printf("build\n  %-*s %s\n  %-*s %s%s\n", NAME_WIDTH, "compiler", COMPILER, NAME_WIDTH, "options", OPTIMIZED,
           SANITIZED);
    printf("  %-*s %s\n", NAME_WIDTH, "cuda", tilecut_cuda_built() ? "yes" : "no");
    printf("  %-*s %s\n", NAME_WIDTH, "mpi", job_part_mpi_line());
    printf("  %-*s %s\n", NAME_WIDTH, "nccl", job_part_nccl_line(nccl));
    const char *missing, *const server = serve_library(&missing);
    printf("  %-*s %s%s\n", NAME_WIDTH, "edit", server ? "" : "no, ", server ? server : missing);
    if (log) notes_show(log, false);
    return file_finish_lines(why);
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

/* Splits "PNG   read, write   ..." into the name and the rest, and writes both. */
static void json_format(json *j, const char *line)
{
    char name[32];
    const size_t length = strcspn(line, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    json_open(j, NULL, '{');
    json_text(j, "name", name);
    json_text(j, "summary", past(line, length));
    json_close(j, '}');
}

static void json_calibration(json *j, const calibration *known)
{
    if (!json_open_if(j, "calibration", known->measured)) return;
    json_text(j, "machine", known->machine);
    json_open(j, "threads", '[');
    for (int i = 0; i < known->rows; i++) {
        json_open(j, NULL, '{');
        json_integer(j, "threads", known->row[i].threads);
        json_real(j, "cpu_ns", known->row[i].cpu_ns);
        if (known->gpu) json_real(j, "gpu_ns", known->row[i].gpu_ns);
        json_close(j, '}');
    }
    json_close(j, ']');
    if (known->gpu) JSON_MEMBERS(j, known, wake_ms, fixed_ms, device_ns);
    json_close(j, '}');
}

static void json_cuda_devices(json *j)
{
    char line[256], name[24];
    for (int i = 0; i < tilecut_cuda_devices(); i++) {
        snprintf(name, sizeof name, "cuda:%d", i);
        const bool usable = tilecut_cuda_device(i, line, sizeof line) == TILECUT_OK;
        json_open(j, NULL, '{');
        json_text(j, "name", name);
        json_bool(j, "usable", usable);
        json_text(j, "model", usable ? line : NULL);
        json_close(j, '}');
    }
}

static int print_json(const calibration *known, const char *path, failure *why)
{
    const uint64_t memory = machine_memory();
    char nccl[NCCL_LINE];
    json j = {0};
    json_begin(&j);
    json_table(&j, "solvers", tilecut_solver_name, tilecut_solver_summary);
    json_table(&j, "colors", tilecut_colors_name, tilecut_colors_summary);
    json_open(&j, "devices", '[');
    json_open(&j, NULL, '{');
    json_text(&j, "name", "cpu");
    json_integer(&j, "processors", machine_processors());
    json_integer(&j, "threads", machine_threads(NULL));
    if (memory != UINT64_MAX) json_integer(&j, "memory_available", (int64_t)memory);
    json_close(&j, '}');
    json_cuda_devices(&j);
    json_close(&j, ']');
    json_calibration(&j, known);
    for (int t = 0; t < TABLES; t++) {
        json_open(&j, tables[t].name, '[');
        for (int i = 0; tables[t].line(i); i++) json_format(&j, tables[t].line(i));
        json_close(&j, ']');
    }
    json_open(&j, "build", '{');
    json_text(&j, "compiler", COMPILER);
    json_text(&j, "options", OPTIMIZED SANITIZED);
    json_bool(&j, "cuda", tilecut_cuda_built());
    json_text(&j, "mpi", job_part_mpi_line());
    json_text(&j, "nccl", job_part_nccl_line(nccl));
    const char *missing;
    json_text(&j, "edit", serve_library(&missing));
    json_close(&j, '}');
    return json_write(&j, path, why);
}

typedef struct wanted {
    common common;
    bool calibrate;
} wanted;

static const option info_options[] = {
    OPTION_HEADING("Options"),
    {.name = "calibrate", .help = "measure how long cuts take on the CPU and on the GPU (some seconds), and save "
             "that for --device auto", .at = offsetof(wanted, calibrate)},
    OPTIONS_END
};

/* If the user asked for it, measures this machine, saves the result and uses it from then on. */
static int learn_machine(const wanted *my, calibration *known, notes *log, failure *why)
{
    char path[1024];
    if (!my->calibrate) {
        *known = calibration_load_file(log);
        return EXIT_DONE;
    }
    int status = calibrate(known, log, why);
    if (!status) status = calibration_save(known, path, sizeof path, why);
    if (!status && !my->common.quiet) fprintf(stderr, "tilecut: wrote %s\n", path);
    return status;
}

int verb_info(int argc, char **argv, failure *why)
{
    wanted my = {0};
    notes log = {0};
    calibration known;
    int status;
    const syntax usage = {
        .verb = "info", .synopsis = "[options]",
        .about = "Says what this build is: version, solvers, colour models, devices, formats.",
        .sets = {{info_options, &my}, {common_options, &my.common}}};
    if (!options_parse(&usage, &argc, argv, &status, why)) return status;
    machine_threads(&log);
    status = learn_machine(&my, &known, &log, why);
    if (!status && my.common.json) status = print_json(&known, my.common.json, why);
    if (!status && (!my.common.json || strcmp(my.common.json, "-")))
        status = print_text(&known, my.common.quiet ? NULL : &log, why);
    notes_free(&log);
    return status;
}
