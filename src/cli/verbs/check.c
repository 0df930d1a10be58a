/* SPDX-License-Identifier: MIT
 *
 * check.c - the verb `check`: reads photo and seeds as `segment` would, with the same refusals, and prints to standard
 * output how it understood them. Cuts only to suggest a stroke.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "inputs.h"
#include "machine.h"
#include "matting.h"
#include "outputs.h"
#include "pixel.h"
#include "report.h"
#include "scan_job.h"
#include "verbs.h"

typedef struct wanted {
    common common;
    inputs in;
    scan_options scan;
    option_log given;
    bool suggest;
} wanted;

static const option check_options[] = {
    OPTION_HEADING("Check"),
    {.name = "suggest", .volumes = VOLUMES_TOO,
     .help = "cut the photo or the scan, and say where a stroke would help most",
     .at = offsetof(wanted, suggest)},
    OPTIONS_END
};

static int no_memory(const char *name, failure *why)
{
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to cut it", name);
}

/* Cuts with the default parameters, and finds where the mask is most uncertain. */
static int suggest_in_photo(const char *path, const image *photo, const seeds *all, const tilecut_params *params,
                            run *r, failure *why)
{
    const char *const name = file_input_name(path);
    const double start = machine_ms();
    uint8_t *const mask = malloc(image_area(photo)), *copy = NULL;
    tilecut_graph *graph = NULL;
    tilecut_doubt doubt = {0};
    tilecut_image view;
    if (!mask || !matting_opaque(photo, &view, &copy, NULL)) {
        free(mask);
        return no_memory(name, why);
    }
    tilecut_status status = tilecut_graph_from_image(&graph, &view, all->label, params);
    if (status == TILECUT_OK) status = tilecut_graph_segment(graph, params, mask, NULL);
    if (status == TILECUT_OK) status = tilecut_confidence(graph, mask, params, NULL, &doubt);
    tilecut_graph_destroy(graph);
    free(mask);
    free(copy);
    if (status != TILECUT_OK) return engine_failure(status, name, why);
    run_doubt_stage(r, &doubt, machine_ms() - start);
    return EXIT_DONE;
}

/* Does the same for a scan that was read. */
static int suggest_in_volume(scan_job *j, const tilecut_volume *volume, const tilecut_params *params, failure *why)
{
    const char *const name = file_input_name(j->base->files.photo);
    const double start = machine_ms();
    const uint8_t *const label = j->base->seeds.label;
    tilecut_doubt doubt = {0};
    uint8_t *const mask = malloc(scan_count(&j->scan));
    if (!mask) return no_memory(name, why);
    tilecut_status status = tilecut_volume_segment(volume, label, params, mask, NULL);
    if (status == TILECUT_OK) status = tilecut_volume_confidence(volume, label, mask, params, NULL, &doubt);
    free(mask);
    if (status != TILECUT_OK) return engine_failure(status, name, why);
    run_doubt_stage(&j->base->run, &doubt, machine_ms() - start);
    return EXIT_DONE;
}

static void print_suggestion(const run *r)
{
    const tilecut_doubt *const d = &r->doubt;
    char slice[16] = "";
    if (r->slices) snprintf(slice, sizeof slice, ",%d", d->z);
    if (!r->doubted) return;
    if (d->x < 0) printf("suggest  nothing: no region is in doubt\n");
    else
        printf("suggest  a stroke at %d,%d%s: of the object if that is object, else of the background; the mask has "
               "%s there\n", d->x, d->y, slice, d->label == TILECUT_FOREGROUND ? "background" : "object");
}

static void print_seeds(const run *r, const seeds *all, const char *what)
{
    char text[640];
    if (r->start)
        printf("mask     %s, read as %s: %" PRId64 " foreground %s, to be %s\n", file_input_name(r->start),
               r->start_format, r->start_inside, what, r->correcting ? "corrected" : "refined");
    for (int i = 0; i < all->part_count; i++) {
        describe_seeds_part(all, &all->part[i], text, sizeof text);
        printf("seeds    %s\n", text);
    }
    printf("together %" PRId64 " foreground, %" PRId64 " background, %" PRId64 " unknown %s", all->foreground,
           all->background, all->unknown, what);
    if (all->conflicts) printf(", %" PRId64 " claimed by both", all->conflicts);
}

static int print_findings(const wanted *my, const run *r, const image *photo, const seeds *all, failure *why)
{
    char text[640];
    describe_photo(r->image, photo, text, sizeof text);
    printf("photo    %s\n", text);
    if (photo->orientation != 1)
        printf("         EXIF orientation %d, %s\n", photo->orientation,
               my->in.request.limits.exif_ignore ? "ignored" : "applied");
    print_seeds(r, all, "pixels");
    printf("\nmemory   about %.0f MB to cut it, %.0f MB %s\n", (double)inputs_need(&my->in, photo, 4) / 1e6,
           (double)inputs_memory(&my->in) / 1e6, my->in.max_memory ? "allowed" : "free");
    print_suggestion(r);
    return file_finish_lines(why);
}

/* Reads the mask to refine or to correct, if there is one. */
static int check_mask(const wanted *my, const char *path, const image *photo, run *r, failure *why)
{
    const double start = machine_ms();
    mask_file mask;
    STEP(inputs_read_mask(&my->in, path, photo, &mask, &r->notes, why));
    if (mask.foreground) run_mask_stage(r, &my->in, &mask, machine_ms() - start);
    mask_file_free(&mask);
    return EXIT_DONE;
}

/* Refuses options that have no meaning without other ones, or together. */
static int check_options_of_masks(wanted *my, const char *path, failure *why)
{
    STEP(inputs_check(&my->in, path, why));
    STEP(inputs_take_reach(&my->in, my->in.mask != NULL, why));
    if (!my->suggest || (!my->in.mask && !my->in.previous)) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--suggest: cuts from seeds alone; leave %s out, or give segment --confidence a file",
                my->in.mask ? "--mask" : "--previous");
}

static int check_photo(wanted *my, const char *path, run *r, image *photo, seeds *all, failure *why)
{
    tilecut_params params = tilecut_params_default();
    double start = machine_ms();
    int status = engine_choose(&my->common, &params, &r->notes, why);
    if (!status) status = check_options_of_masks(my, path, why);
    if (!status) status = scan_check_none(&my->given, path, why);
    if (!status) status = inputs_read_photo(&my->in, path, 4, photo, &r->notes, why);
    if (status) return status;
    run_photo_stage(r, path, photo, machine_ms() - start);
    status = inputs_check_memory(&my->in, path, photo, 4, why);
    start = machine_ms();
    if (!status) status = inputs_read_seeds(&my->in, &my->in.files, path, photo, all, &r->notes, why);
    if (status) return status;
    run_seeds_stage(r, all, machine_ms() - start);
    STEP(check_mask(my, path, photo, r, why));
    run_show_notes(r);
    if (my->suggest) status = suggest_in_photo(path, photo, all, &params, r, why);
    if (status || (my->common.json && !strcmp(my->common.json, "-"))) return status;
    return print_findings(my, r, photo, all, why);
}

static int print_volume(const run *r, const scan *s, const seeds *all, failure *why)
{
    char text[640];
    scan_describe(r->image, s, text, sizeof text);
    printf("volume   %s\nrange    %.6g is black, %.6g white\n", text, r->range[0], r->range[1]);
    if (s->placed)
        for (int row = 0; row < 3; row++)
            printf("%-8s %c = %.6g x %+.6g y %+.6g z %+.6g mm\n", row ? "" : "place", "RAS"[row], s->place[row][0],
                   s->place[row][1], s->place[row][2], s->place[row][3]);
    print_seeds(r, all, "voxels");
    putchar('\n');
    print_suggestion(r);
    return file_finish_lines(why);
}

static int check_volume(wanted *my, const char *path, run *r, seeds *all, failure *why)
{
    const job_files files = {.photo = path, .seeds = my->in.files};
    const job_request request = {.common = &my->common, .inputs = &my->in};
    tilecut_params params = tilecut_params_default();
    job base = {.files = files};
    scan_job volume;
    job_init(&base, &request, &files);
    base.run = *r;
    scan_job_init(&volume, &base, &my->scan);
    int status = scan_check_options(&my->given, path, why);
    if (!status) status = engine_choose(&my->common, &params, &base.run.notes, why);
    if (!status) status = check_options_of_masks(my, path, why);
    if (my->suggest) my->in.beside += MEMORY_SCAN_SURE;
    if (!status) status = job_read(&base, why);
    if (!status) status = base.kind->look(&base, why);
    if (!status && my->suggest) status = suggest_in_volume(&volume, &base.volume, &params, why);
    mask_file_free(&base.start);
    *r = base.run;
    *all = base.seeds;
    r->seeds = status ? NULL : all;
    if (!status && !(my->common.json && !strcmp(my->common.json, "-")))
        status = print_volume(r, &volume.scan, all, why);
    scan_free(&volume.scan);
    return status;
}

/* Refuses a report that would overwrite an input. */
static int check_json(const wanted *my, const char *photo, failure *why)
{
    outputs only = {0};
    outputs_add(&only, "--json", my->common.json, false);
    if (!photo) return outputs_check(&only, my->in.files.items, my->in.files.count, why);
    return outputs_check_photo(&only, photo, my->in.files.items, my->in.files.count,
                               (outputs_beside){my->in.mask, my->in.previous}, why);
}

int verb_check(int argc, char **argv, failure *why)
{
    wanted my = {0};
    run r;
    image photo = {0};
    seeds all = {0};
    failure ignored = {0};
    int status;
    const syntax usage = {
        .verb = "check", .synopsis = "IMAGE -s SEEDS [options]",
        .about = "Reads the photo or the scan and its seeds as 'segment' would and says how it understands them;\n"
                 "cuts nothing, unless --suggest is given.",
        .operands_min = 1, .operands_max = 1, .operands = "one IMAGE, and seeds by -s",
        .sets = {{check_options, &my}, {mask_options, &my.in}, {refine_options, &my.in}, {learn_options, &my.in},
                 {input_options, &my.in}, {scan_option_rows, &my.scan}, {engine_options, &my.common},
                 {common_options, &my.common}},
        .log = &my.given};
    inputs_init(&my.in);
    run_init(&r, &my.common);
    const bool parsed = options_parse(&usage, &argc, argv, &status, why);
    const bool volume = parsed && scan_is_meant(&my.scan, &my.in, argv[0]) &&
                        !scan_is_photo(&my.scan, &my.given, argv[0]);
    if (argc > 0) r.image = argv[0];
    const bool safe = check_json(&my, r.image, parsed ? why : &ignored) == EXIT_DONE;
    if (parsed && !safe) status = why->status;
    else if (volume) status = check_volume(&my, argv[0], &r, &all, why);
    else if (parsed) status = check_photo(&my, argv[0], &r, &photo, &all, why);
    if (my.common.json && safe && (status == EXIT_DONE || why->text[0])) {
        const int written = run_write_json(&r, status ? why : NULL, status ? &ignored : why);
        if (!status) status = written;
    }
    image_free(&photo);
    seeds_free(&all);
    run_free(&r);
    free(my.given.items);
    inputs_free(&my.in);
    return status;
}
