/* SPDX-License-Identifier: MIT
 *
 * segment.c - the verb `segment`: photo + seeds -> mask, and what else can be made of it. The whole run is
 * segment(), in the order in which it happens; everything that can be refused is refused before the work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "graph_file.h"
#include "inputs.h"
#include "machine.h"
#include "outputs.h"
#include "paint.h"
#include "report.h"
#include "verbs.h"

typedef struct wanted {
    common common;
    inputs in;
    const char *output, *cutout, *overlay, *graph; /* NULL: not asked for */
    bool invert;
    seeds_color background;
    const char *colors;
    double lambda, sigma, spatial;
    int connectivity;
} wanted;

/* ---- options ---------------------------------------------------------------------------------- */

static const char *parse_weight(const char *text, void *field)
{
    double value;
    if (!parse_real(text, &value) || value < 0 || value > 1e12) return "a number from 0 to 1e12";
    *(double *)field = value;
    return NULL;
}

static const char *parse_sigma(const char *text, void *field)
{
    double value = 0;
    if (strcmp(text, "auto") && !(parse_real(text, &value) && value >= 1e-3 && value <= 1e6))
        return "auto or a number of grey levels from 0.001 to 1e6";
    *(double *)field = value;
    return NULL;
}

static const char *parse_connectivity(const char *text, void *field)
{
    if (strcmp(text, "4") && strcmp(text, "8")) return "4 or 8";
    *(int *)field = *text - '0';
    return NULL;
}

static const char *parse_fill(const char *text, void *field)
{
    return seeds_color_parse(text, field) ? NULL : "a colour such as #ffffff";
}

static const option output_options[] = {
    OPTION_HEADING("Output"),
    {.name = "output", .letter = 'o', .argument = "FILE",
     .help = "the mask: 8-bit grey, 0 background, 255 foreground; the\nextension names "
             "the format (default: standard output)",
     .parse = option_file, .at = offsetof(wanted, output)},
    {.name = "invert", .help = "0 foreground, 255 background", .at = offsetof(wanted, invert)},
    {.name = "cutout", .argument = "FILE", .help = "the photo with the mask as its transparency (PNG, TGA)",
     .parse = option_file, .at = offsetof(wanted, cutout)},
    {.name = "background", .argument = "#RRGGBB", .help = "fill the background of the cutout instead",
     .parse = parse_fill, .at = offsetof(wanted, background)},
    {.name = "overlay", .argument = "FILE",
     .help = "dimmed background, contour and seeds drawn\n(PNG, JPEG, BMP, TGA)", .parse = option_file,
     .at = offsetof(wanted, overlay)},
    {.name = "save-graph", .argument = "FILE",
     .help = "also write the graph that was cut: .max (DIMACS),\n.bbk or .tcg (tilecut's own)", .parse = option_file,
     .at = offsetof(wanted, graph)},
    OPTION_HEADING("Model"),
    {.name = "lambda", .argument = "F", .help = "weight of the boundary term (default 50)", .parse = parse_weight,
     .at = offsetof(wanted, lambda)},
    {.name = "spatial", .argument = "F",
     .help = "weight of being nearer to the strokes of a class,\nwith a colour model (default 2; 0: off)",
     .parse = parse_weight, .at = offsetof(wanted, spatial)},
    {.name = "sigma", .argument = "F", .help = "contrast scale in grey levels; auto: from the photo\n(default auto)",
     .parse = parse_sigma, .at = offsetof(wanted, sigma)},
    {.name = "colors", .argument = "NAME", .help = "colour model, learnt from the seeds (default: the first)",
     .parse = option_colors, .at = offsetof(wanted, colors), .choice = tilecut_colors_name,
     .choice_summary = tilecut_colors_summary},
    {.name = "connectivity", .argument = "N", .help = "neighbours of a pixel, 4 or 8 (default 4)",
     .parse = parse_connectivity, .at = offsetof(wanted, connectivity)},
    OPTIONS_END
};

/* ---- the run ---------------------------------------------------------------------------------- */

/* What a run holds; zero-initialise, and free with work_free() wherever it ended. */
typedef struct work {
    run run;
    outputs outputs;
    output *mask_out, *cutout_out, *overlay_out, *graph_out, *json_out; /* NULL: not wanted */
    image photo;
    uint8_t *opaque;     /* pixels of the photo without its alpha; NULL if it has none */
    seeds seeds;
    tilecut_graph *graph;
    uint8_t *mask;
} work;

static void work_free(work *w)
{
    outputs_free(&w->outputs);
    image_free(&w->photo);
    free(w->opaque);
    seeds_free(&w->seeds);
    tilecut_graph_destroy(w->graph);
    free(w->mask);
    run_free(&w->run);
}

#define STEP(call)                                   \
    do {                                             \
        const int step_status = (call);              \
        if (step_status != EXIT_DONE) return step_status; \
    } while (0)

/* The mask goes to standard output when no file is named, unless something else does. */
static const char *mask_path(const wanted *my)
{
    const char *const others[] = {my->cutout, my->overlay, my->graph, my->common.json};
    if (my->output) return my->output;
    bool taken = false, any = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        any = any || others[i];
        taken = taken || (others[i] && !strcmp(others[i], "-"));
    }
    return taken || (any && isatty(STDOUT_FILENO)) ? NULL : "-";
}

static int plan_formats(const wanted *my, const work *w, int photo_channels, failure *why)
{
    const int color = photo_channels > 2 ? 3 : 1;
    if (w->mask_out) STEP(image_can_write(w->mask_out->path, IMAGE_MASK, 1, why));
    if (w->cutout_out)
        STEP(image_can_write(my->cutout, IMAGE_CUTOUT, my->background.given ? color : color + 1, why));
    if (w->overlay_out) STEP(image_can_write(my->overlay, IMAGE_PICTURE, 3, why));
    if (w->graph_out) STEP(graph_can_write(my->graph, why));
    return EXIT_DONE;
}

/* The inputs by name, for comparing with the outputs: photo first. NULL: no memory. */
static const char **list_inputs(const wanted *my, const char *photo)
{
    const char **list = malloc(((size_t)my->in.files.count + 1) * sizeof *list);
    if (!list) return NULL;
    list[0] = photo;
    for (int i = 0; i < my->in.files.count; i++) list[i + 1] = my->in.files.items[i];
    return list;
}

static int plan_outputs(const wanted *my, const char *photo, work *w, failure *why)
{
    const char **read = list_inputs(my, photo);
    if (!read) return fail(why, EXIT_RESOURCES, "not enough memory");
    w->mask_out = outputs_add(&w->outputs, "--output", mask_path(my), true);
    w->cutout_out = outputs_add(&w->outputs, "--cutout", my->cutout, true);
    w->overlay_out = outputs_add(&w->outputs, "--overlay", my->overlay, true);
    w->graph_out = outputs_add(&w->outputs, "--save-graph", my->graph, true);
    w->json_out = outputs_add(&w->outputs, "--json", my->common.json, false);
    const int status = outputs_check(&w->outputs, read, my->in.files.count + 1, why);
    free(read);
    if (status != EXIT_DONE) return status;
    if (my->background.given && !my->cutout)
        return fail(why, EXIT_USAGE, "--background: fills the background of the cutout; --cutout FILE is missing");
    return plan_formats(my, w, 1, why); /* again when the photo is known */
}

static int read_inputs(wanted *my, const char *path, work *w, failure *why)
{
    double start = machine_ms();
    STEP(inputs_read_photo(&my->in, path, my->connectivity, &w->photo, &w->run.notes, why));
    run_photo_stage(&w->run, path, &w->photo, machine_ms() - start);
    STEP(plan_formats(my, w, w->photo.channels, why));
    STEP(inputs_check_memory(&my->in, path, &w->photo, my->connectivity, why));
    start = machine_ms();
    STEP(inputs_read_seeds(&my->in, path, &w->photo, &w->seeds, &w->run.notes, why));
    run_seeds_stage(&w->run, &w->seeds, machine_ms() - start);
    return EXIT_DONE;
}

/* The photo as the library takes it: without alpha. */
static int opaque_view(const char *path, work *w, tilecut_image *out, failure *why)
{
    const image *photo = &w->photo;
    *out = (tilecut_image){.width = photo->width, .height = photo->height, .channels = photo->channels,
                           .depth = photo->depth, .pixels = photo->pixels};
    if (photo->channels % 2 != 0) return EXIT_DONE;
    const size_t pixels = (size_t)photo->width * (size_t)photo->height;
    const size_t sample = (size_t)photo->depth / 8, pixel = (size_t)photo->channels * sample;
    const size_t kept = pixel - sample;
    size_t transparent = 0;
    w->opaque = malloc(pixels * kept);
    if (!w->opaque) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its pixels", file_input_name(path));
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t *from = photo->pixels + p * pixel;
        memcpy(w->opaque + p * kept, from, kept);
        transparent += from[kept] != 0xff || from[pixel - 1] != 0xff;
    }
    if (transparent)
        note(&w->run.notes, "%s: is transparent in %zu pixels; their colours are used as if they were opaque",
             file_input_name(path), transparent);
    out->channels--;
    out->pixels = w->opaque;
    return EXIT_DONE;
}

static int cut(const wanted *my, const char *path, work *w, failure *why)
{
    tilecut_params params = tilecut_params_default();
    tilecut_image view;
    tilecut_status status;
    params.colors = my->colors;
    params.connectivity = my->connectivity;
    params.lambda = my->lambda;
    params.sigma = my->sigma;
    params.spatial = my->spatial;
    STEP(engine_choose(&my->common, &params, &w->run.notes, why));
    STEP(opaque_view(path, w, &view, why));
    run_show_notes(&w->run);
    w->mask = malloc((size_t)view.width * (size_t)view.height);
    if (!w->mask) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its mask", file_input_name(path));
    status = tilecut_graph_from_image(&w->graph, &view, w->seeds.label, &params);
    if (status == TILECUT_OK) status = tilecut_graph_solve(w->graph, &params, w->mask, &w->run.cut);
    if (status != TILECUT_OK) return engine_failure(status, file_input_name(path), why);
    w->run.solved = true;
    sha256(w->mask, (size_t)view.width * (size_t)view.height, w->run.mask_sha256);
    run_cut_stages(&w->run);
    return EXIT_DONE;
}

/* Paints with the true mask, then inverts it for its own file if asked to: it is not needed after that. */
static int encode_outputs(const wanted *my, work *w, failure *why)
{
    const image *photo = &w->photo;
    const size_t pixels = (size_t)photo->width * (size_t)photo->height;
    image painted = {0};
    int status = EXIT_DONE;
    if (w->cutout_out) {
        status = paint_cutout(photo, w->mask, my->background.given ? my->background.rgb : NULL, &painted, why);
        const image_view view = image_as_view(&painted);
        if (!status) status = image_encode(my->cutout, IMAGE_CUTOUT, &view, &w->cutout_out->data, why);
        image_free(&painted);
        if (status) return status;
    }
    if (w->overlay_out) {
        status = paint_overlay(photo, w->mask, w->seeds.label, &painted, why);
        const image_view view = image_as_view(&painted);
        if (!status) status = image_encode(my->overlay, IMAGE_PICTURE, &view, &w->overlay_out->data, why);
        image_free(&painted);
        if (status) return status;
    }
    if (w->mask_out) {
        const image_view view = {.width = photo->width, .height = photo->height, .channels = 1, .depth = 8,
                                 .pixels = w->mask};
        for (size_t p = 0; my->invert && p < pixels; p++) w->mask[p] ^= 0xff;
        status = image_encode(w->mask_out->path, IMAGE_MASK, &view, &w->mask_out->data, why);
    }
    return status;
}

static void say_what_was_written(const work *w)
{
    char names[512] = "";
    for (int i = 0; i < w->outputs.count; i++) {
        const size_t used = strlen(names);
        if (w->outputs.item[i].done)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", w->outputs.item[i].path);
    }
    run_stage(&w->run, "write", w->run.write_ms, "%s", names);
}

static int write_outputs(const wanted *my, work *w, failure *why)
{
    const double start = machine_ms();
    STEP(encode_outputs(my, w, why));
    if (w->graph_out) {
        STEP(graph_write(my->graph, w->graph, w->run.cut.quantum, why));
        w->graph_out->done = true;
    }
    if (w->json_out) w->json_out->done = true; /* comes last, when all times are known */
    const int status = outputs_write(&w->outputs, why);
    if (w->json_out) w->json_out->done = false;
    if (status != EXIT_DONE) return status;
    w->run.write_ms = machine_ms() - start;
    say_what_was_written(w);
    return run_write_json(&w->run, NULL, why);
}

static int segment(wanted *my, const char *path, work *w, failure *why)
{
    STEP(inputs_check(&my->in, path, why));
    STEP(plan_outputs(my, path, w, why));
    STEP(read_inputs(my, path, w, why));
    STEP(cut(my, path, w, why));
    const int status = write_outputs(my, w, why);
    if (status != EXIT_DONE) outputs_undo(&w->outputs);
    run_show_notes(&w->run);
    return status;
}

/* The JSON of a failed run, where it can do no harm: on a path that is neither read nor written otherwise. */
static void report_failure(const wanted *my, work *w, const failure *why)
{
    const char *const named[] = {w->run.image, my->output, my->cutout, my->overlay, my->graph};
    const int files = my->in.files.count, most = files + (int)(sizeof named / sizeof *named);
    const char **others = malloc((size_t)most * sizeof *others);
    outputs only = {0};
    failure ignored = {0};
    int count = 0;
    for (int i = 0; others && i < most; i++) {
        const char *name = i < files ? my->in.files.items[i] : named[i - files];
        if (name && strcmp(name, "-")) others[count++] = name;
    }
    outputs_add(&only, "--json", my->common.json, false);
    if (others && outputs_check(&only, others, count, &ignored) == EXIT_DONE)
        run_write_json(&w->run, why, &ignored);
    free(others);
}

int verb_segment(int argc, char **argv, failure *why)
{
    wanted my = {.lambda = 50, .spatial = 2, .connectivity = 4};
    work w = {0};
    int status;
    const syntax usage = {
        .verb = "segment", .synopsis = "IMAGE -s SEEDS -o MASK [options]",
        .about = "Cuts the object that the seeds mark out of the photo. IMAGE is a PNG, JPEG or PNM file, or - for\n"
                 "standard input. Seeds come from pictures (-s), points (--fg, --bg) or a box (--box).",
        .operands_min = 1, .operands_max = 1, .operands = "one IMAGE, and seeds by -s",
        .sets = {{input_options, &my.in}, {output_options, &my}, {engine_options, &my.common},
                 {common_options, &my.common}}};
    inputs_init(&my.in);
    run_init(&w.run, &my.common);
    const bool parsed = options_parse(&usage, &argc, argv, &status, why);
    if (argc > 0) w.run.image = argv[0];
    if (parsed) status = segment(&my, argv[0], &w, why);
    if (status != EXIT_DONE && my.common.json) report_failure(&my, &w, why);
    work_free(&w);
    inputs_free(&my.in);
    return status;
}
