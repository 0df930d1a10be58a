/* SPDX-License-Identifier: MIT
 *
 * check.c - the verb `check`: `segment` that stops when everything has been read, and prints to standard output how it
 * understood the photo or the scan and the seeds, and what memory a cut takes. Cuts only to suggest a stroke.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "machine.h"
#include "matting.h"
#include "pixel.h"
#include "scan_job.h"
#include "segment_form.h"
#include "verbs.h"

/* Cuts, and finds where the mask is most uncertain. */
static int suggest(job *j, const tilecut_params *how, failure *why)
{
    const char *const name = file_input_name(j->files.photo);
    const tilecut_volume *const volume = &j->volume;
    const uint8_t *const label = j->seeds.label;
    const bool spatial = volume->voxels != NULL;
    const double start = machine_ms();
    uint8_t *const mask = malloc(spatial ? (size_t)volume->width * (size_t)volume->height * (size_t)volume->depth
                                         : image_area(&j->photo));
    const bool ready = mask && (spatial || matting_opaque(&j->photo, &j->view, &j->opaque, NULL));
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;
    tilecut_doubt doubt = {0};
    if (ready && spatial) {
        status = tilecut_volume_segment(volume, label, how, mask, NULL);
        if (status == TILECUT_OK) status = tilecut_volume_confidence(volume, label, mask, how, NULL, &doubt);
    } else if (ready) {
        status = tilecut_graph_from_image(&graph, &j->view, label, how);
        if (status == TILECUT_OK) status = tilecut_graph_segment(graph, how, mask, NULL);
        if (status == TILECUT_OK) status = tilecut_confidence(graph, mask, how, NULL, &doubt);
    }
    tilecut_graph_destroy(graph);
    free(mask);
    if (!ready) return fail(why, EXIT_RESOURCES, "%s: not enough memory to cut it", name);
    if (status != TILECUT_OK) return engine_failure(status, name, why);
    run_doubt_stage(&j->run, &doubt, machine_ms() - start);
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

static void print_photo(const job *j)
{
    image whole = j->photo; /* or the first part of it */
    char text[640];
    whole.height = j->run.height, whole.channels = j->run.channels;
    describe_photo(j->run.image, &whole, text, sizeof text);
    printf("photo    %s\n", text);
    if (whole.orientation > 1)
        printf("         EXIF orientation %d, %s\n", whole.orientation,
               j->request->inputs->request.limits.exif_ignore ? "ignored" : "applied");
}

/* `s` is the scan, or the first part of it. Its voxels need not be there any more. */
static void print_volume(const job *j, const scan *s)
{
    const run *const r = &j->run;
    char text[640];
    scan_describe(r->image, s, text, sizeof text);
    printf("volume   %s\nrange    %.6g is black, %.6g white\n", text, r->range[0], r->range[1]);
    for (int row = 0; row < 3 && s->placed; row++)
        printf("%-8s %c = %.6g x %+.6g y %+.6g z %+.6g mm\n", row ? "" : "place", "RAS"[row], s->place[row][0],
               s->place[row][1], s->place[row][2], s->place[row][3]);
}

/* Prints what a cut in parts takes in memory, and how many of the parts fit at once. */
static void print_memory_of_parts(const memory_lattice *l, int parts, uint64_t room)
{
    uint64_t most = 0;
    int fit = 0;
    for (int i = 0; i < parts; i++) {
        const uint64_t one = memory_at_once(l, parts, i, 1);
        if (one > most) most = one;
        if (fit == i && memory_at_once(l, parts, 0, i + 1) <= room) fit++;
    }
    printf("about %.0f MB for a part, %.0f MB for all %d at once, %.0f MB in turn", (double)most / 1e6,
           (double)memory_at_once(l, parts, 0, parts) / 1e6, parts, (double)memory_in_turn(l, parts) / 1e6);
    printf("; %d of %d fit at once", fit, parts);
}

static void print_memory(const checked *what)
{
    const job *const j = what->job;
    const inputs *const in = j->request->inputs;
    const uint64_t room = inputs_memory(in);
    memory_lattice l;
    const bool known = (what->scan || what->parts) && j->kind->measure(j, &l);
    if (what->parts ? !known : what->scan && !known) return;
    printf("memory   ");
    if (what->parts) print_memory_of_parts(&l, what->parts, room);
    else
        printf("about %.0f MB to cut it", (double)(known ? memory_whole(&l)
               : inputs_need(in, &j->photo, j->request->model->connectivity)) / 1e6);
    printf(", %.0f MB %s\n", (double)room / 1e6, in->max_memory ? "allowed" : "free");
}

int check_report(const checked *what, const tilecut_params *how, failure *why)
{
    job *const j = what->job;
    if (!what->parts) run_show_notes(&j->run);
    if (what->suggest) STEP(suggest(j, how, why));
    if (j->request->common->json && !strcmp(j->request->common->json, "-")) return EXIT_DONE;
    if (what->scan) print_volume(j, &what->scan->scan);
    else print_photo(j);
    print_seeds(&j->run, &j->seeds, what->scan ? "voxels" : "pixels");
    putchar('\n');
    print_memory(what);
    print_suggestion(&j->run);
    return file_finish_lines(why);
}

int verb_check(int argc, char **argv, failure *why)
{
    static const segment_form form = {
        .verb = "check", .synopsis = "IMAGE -s SEEDS [options]", .checks = true,
        .about = "Reads the photo or the scan and its seeds as 'segment' would, with the same options, and says how\n"
                 "it understands them and what memory a cut takes; cuts nothing without --suggest."};
    return segment_as(&form, argc, argv, why);
}
