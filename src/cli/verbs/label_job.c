/* SPDX-License-Identifier: MIT */
#include "label_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch_state.h"
#include "engine.h"
#include "file.h"
#include "json.h"
#include "label_output.h"
#include "label_parts.h"
#include "label_seeds.h"
#include "machine.h"
#include "outputs.h"
#include "scan_job.h"
#include "job_part.h"

typedef struct work {
    label_wanted *my;
    const char *path, *name;
    image photo;
    tilecut_image view;
    output *to, *cutout[256], *table, *json;
    char *cutout_name[256]; /* owned */
    char *named;            /* path of a file in a folder that the user named; owned */
    outputs outputs;
    uint8_t *opaque; /* the photo's pixels without alpha; NULL if the photo has none */
    scan volume;
    bool spatial;
    label_seeds seeds;
    uint8_t *labels;
    tilecut_labels_report report;
    int64_t changed; /* number of pixels that --previous or --refine has changed */
    notes notes;
    bool labelled, met, silent; /* met: true under mpirun with several processes, of which only one prints */
    double read_ms, cut_ms;
    int threads; /* number of threads that the engine has chosen */
} work;

static void print_stage(const work *w, const char *stage, double ms, const char *text)
{
    if (w->my->common.verbose) fprintf(stderr, "tilecut: %-8s %8.1f ms  %s\n", stage, ms, text);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static uint64_t memory_of(const label_wanted *my)
{
    return my->max_memory ? my->max_memory : machine_memory();
}

static int background_of(const work *w)
{
    return w->my->background ? w->my->background : label_seeds_background(&w->seeds);
}

const char *label_map_before(const label_wanted *my)
{
    return my->previous ? my->previous : my->refine;
}

static int read_inputs(work *w, failure *why)
{
    image_limits limits = {.max_bytes = memory_of(w->my), .rules = w->my->rules};
    const scan_reading reading = {.limits = &limits, .shape = w->my->scan.shape, .colors = true};
    const double start = machine_ms();
    char text[640];
    const int status = w->spatial ? scan_read(w->path, &reading, &w->volume, &w->notes, why)
                                  : image_read(w->path, &limits, &w->photo, &w->notes, why);
    if (status) return status;
    if (w->spatial) (void)scan_settle_colors(&w->volume, NULL);
    if (w->spatial) scan_describe(w->path, &w->volume, text, sizeof text);
    else snprintf(text, sizeof text, "%s: %s, %dx%d", w->name, w->photo.format, w->photo.width, w->photo.height);
    print_stage(w, "read", w->read_ms = machine_ms() - start, text);
    const char *const before = label_map_before(w->my);
    const label_request request = {.before = before, .map = w->my->map,
                                   .legend = w->my->legend, .given = &w->my->given,
                                   .radius = w->my->brush, .limits = &limits,
                                   .shape = w->my->scan.shape, .place = &w->photo.place};
    const int read = label_seeds_read(&request, w->spatial ? NULL : &w->photo, w->spatial ? &w->volume : NULL, w->path,
                                      &w->seeds, &w->notes, why);
    if (!read && !w->my->background) label_seeds_note_background(&w->seeds, w->name, &w->notes);
    return read || !w->my->instances ? read : label_seeds_split(&w->seeds, background_of(w), w->name, why);
}

static int check_memory(const work *w, failure *why)
{
    const int neighbours = w->my->model.connectivity, given = w->my->common.threads;
    const image *const photo = &w->photo;
    const scan *const s = &w->volume;
    const memory_lattice l = {.width = w->seeds.width, .height = w->seeds.height, .depth = w->seeds.depth,
                              .connectivity = !w->spatial ? neighbours : neighbours == 26 ? 26 : 6,
                              .sample = w->spatial ? (uint64_t)scan_channels(s) * scan_voxel_bytes(s->type)
                                                   : (uint64_t)(photo->channels * photo->depth / 8),
                              .colored = !w->spatial && photo->channels > 2,
                              .wide = !w->spatial && photo->depth > 8};
    int labels = 0;
    char what[60];
    for (int i = 1; i < 256; i++) labels += w->seeds.count[i] > 0;
    const uint64_t need = memory_labels(&l, labels, given ? given : machine_threads(NULL)), most = memory_of(w->my);
    if (!most || need <= most) return EXIT_DONE;
    snprintf(what, sizeof what, "is divided among %d labels", labels);
    return fail_memory(w->name, what, need, most, why);
}

/* ---- Cutting ----------------------------------------------------------------------------------- */

/* Describes the photo or volume as the library takes it. */
static int view_of(work *w, tilecut_volume *volume, failure *why)
{
    double range[2];
    int64_t missing;
    if (!w->spatial) return matting_opaque_noted(&w->photo, w->name, &w->view, &w->opaque, &w->notes, why);
    STEP(scan_count_missing(&w->volume, NULL, w->name, &missing, &w->notes, why));
    const tilecut_status status = scan_view(&w->volume, &w->my->scan, NULL, range, volume);
    if (status != TILECUT_OK) return engine_failure(status, w->name, why);
    STEP(scan_note_one_grey(&w->volume, NULL, range, w->name, &w->notes));
    if (!missing) return EXIT_DONE;
    scan_fill_missing(&w->volume, NULL, (float)volume->low, w->seeds.value, (uint8_t)background_of(w));
    label_seeds_count(&w->seeds);
    return EXIT_DONE;
}

/* Corrects the labels of --previous, or refines those of --refine. */
static tilecut_status correct(work *w, const tilecut_volume *volume, const tilecut_params *params)
{
    const size_t pixels = label_seeds_pixels(&w->seeds);
    memcpy(w->labels, w->seeds.before, pixels);
    tilecut_status status = TILECUT_OK;
    if (w->my->refine)
        status = w->spatial ? tilecut_volume_labels_refine(volume, params, background_of(w), w->labels, NULL)
                            : tilecut_labels_refine(&w->view, params, background_of(w), w->labels, NULL);
    if (status == TILECUT_OK) /* without strokes nothing changes */
        status = w->spatial ? tilecut_volume_labels_correct(volume, w->seeds.value, params, w->labels, NULL)
                            : tilecut_labels_correct(&w->view, w->seeds.value, params, w->labels, NULL);
    w->report.certified = 1;
    for (size_t p = 0; p < pixels; p++) {
        w->report.labels += !w->report.pixels[w->labels[p]]++ && w->labels[p];
        w->changed += w->labels[p] != w->seeds.before[p];
    }
    return status;
}

static void report_failure(void *context, const failure *why);

/* Divides the photo or volume, as a whole or in parts. */
static int divide(work *w, const tilecut_volume *volume, const tilecut_params *params, failure *why)
{
    const label_wanted *const my = w->my;
    const tilecut_labels_params how = {.size = sizeof how, .background = background_of(w),
                                       .bound_rounds = my->rounds < 0 ? 0 : my->rounds ? my->rounds : TILECUT_NONE};
    const label_scene scene = {w->path, w->spatial ? NULL : &w->view, volume, w->seeds.value, params, &how,
                               {report_failure, w}};
    bool first = true;
    if (my->parts || job_part_by_mpi()) {
        w->met = job_part_by_mpi();
        const int status = label_parts_cut(&scene, my->parts, w->labels, &w->report, &first, why);
        w->silent = !first;
        return status;
    }
    const tilecut_status done =
        w->spatial ? tilecut_volume_labels(volume, w->seeds.value, params, &how, w->labels, &w->report)
                   : tilecut_labels(&w->view, w->seeds.value, params, &how, w->labels, &w->report);
    return done == TILECUT_OK ? EXIT_DONE : engine_failure(done, w->name, why);
}

static int cut(work *w, failure *why)
{
    const label_wanted *const my = w->my;
    tilecut_params params = tilecut_params_default();
    tilecut_volume volume = {0};
    char text[200];
    w->report.size = sizeof w->report;
    int status = engine_choose(&my->common, &params, &w->notes, why);
    w->threads = params.threads;
    if (!status) status = check_memory(w, why);
    if (!status && my->background && !w->seeds.count[my->background])
        status = fail(why, EXIT_USAGE, "--background-label: %d does not occur among the seeds", my->background);
    if (!status) status = view_of(w, &volume, why);
    if (status) return status;
    model_apply(&my->model, &params);
    w->labels = malloc(label_seeds_pixels(&w->seeds));
    if (!w->labels) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", w->name);
    const double start = machine_ms();
    if (w->seeds.before) {
        const tilecut_status done = correct(w, &volume, &params);
        if (done != TILECUT_OK) return engine_failure(done, w->name, why);
    } else STEP(divide(w, &volume, &params, why));
    if (w->silent) return EXIT_DONE;
    if (w->seeds.before) snprintf(text, sizeof text, "%" PRId64 " pixels have another label", w->changed);
    else snprintf(text, sizeof text, "%d labels, %" PRId64 " cuts, all certified; at most %.2f %% above the minimum",
                  w->report.labels, w->report.cuts, w->report.gap);
    print_stage(w, "cut", w->cut_ms = machine_ms() - start, text);
    w->labelled = true;
    return EXIT_DONE;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static label_result result_of(work *w)
{
    return (label_result){.path = w->path, .photo = w->spatial ? NULL : &w->view,
                          .place = w->photo.place.placed ? &w->photo.place : NULL,
                          .volume = w->spatial ? &w->volume : NULL, .labels = w->labels, .legend = &w->seeds.legend,
                          .seeds = w->seeds.count, .found = w->report.pixels, .background = background_of(w)};
}

/* Writes the members of the result, or null for a run that failed. */
static void write_found(json *j, const work *w)
{
    const tilecut_labels_report *const r = &w->report;
    if (!w->labelled) {
        json_nulls(j, "labels certified changed energy bound gap_percent cuts moves certain lambda beta connectivity "
                      "colors solver threads areas");
        return;
    }
    json_integer(j, "labels", r->labels);
    json_bool(j, "certified", r->certified);
    if (w->seeds.before) {
        json_integer(j, "changed", w->changed);
        json_nulls(j, "energy bound gap_percent cuts moves certain lambda beta connectivity colors "
                      "solver threads");
    } else {
        json_nulls(j, "changed");
        JSON_MEMBERS(j, r, energy, bound);
        json_real(j, "gap_percent", r->gap);
        JSON_MEMBERS(j, r, cuts, moves, certain, lambda, beta);
        JSON_MEMBERS(j, r, connectivity, colors, solver, threads);
    }
    label_output_areas(j, &w->seeds.legend, w->seeds.count, r->pixels, w->spatial ? "voxels" : "pixels");
}

static int write_json(const work *w, const failure *error, failure *why)
{
    json j = {0};
    json_begin(&j);
    json_text(&j, "image", w->path);
    write_found(&j, w);
    json_open(&j, "ms", '{');
    json_ms(&j, "read", w->read_ms);
    json_ms(&j, "model", w->report.model_ms);
    json_ms(&j, "solve", w->report.solve_ms);
    json_ms(&j, "bound", w->report.bound_ms);
    json_close(&j, '}');
    json_warnings(&j, &w->notes);
    json_error(&j, error);
    return json_write(&j, w->my->common.json, why);
}

static void report_failure(void *context, const failure *why)
{
    const work *const w = context;
    const label_wanted *const my = w->my;
    const char *const named[] = {w->path,    my->map,    my->previous, my->refine,
                                 my->legend, my->output, my->table,    my->cutouts};
    failure ignored = {0};
    if (my->common.json && outputs_may_report(my->common.json, named, 8)) (void)write_json(w, why, &ignored);
}

static int check_paths(work *w, failure *why)
{
    const char *const read[] = {w->path, w->my->map, w->my->previous, w->my->refine, w->my->legend};
    const char *given[5];
    int count = 0;
    for (int i = 0; i < 5; i++)
        if (read[i]) given[count++] = read[i];
    return outputs_check(&w->outputs, given, count, why);
}

/* If *path is a folder, replaces it by a file name in it for the label map. */
static int name_in_folder(work *w, const char **path, failure *why)
{
    const char *const format = w->my->format, *const shown = w->spatial ? "nii.gz" : format ? format : "png";
    char ending[32];
    const bool kept = w->spatial || image_format_named(shown) || !strcmp(shown, "geojson");
    snprintf(ending, sizeof ending, "_labels.%.16s", kept ? shown : "json");
    return outputs_name(path, w->path, ending, &w->named, why);
}

static int check_outputs(work *w, failure *why)
{
    const label_wanted *const my = w->my;
    const char *path = my->output ? my->output : "-";
    STEP(name_in_folder(w, &path, why));
    if (my->edge.said && !my->cutouts)
        return fail(why, EXIT_USAGE, "--edge: is about the cutouts; --cutouts FOLDER is missing");
    if (w->spatial && my->cutouts)
        return fail(why, EXIT_USAGE, "--cutouts: is for photos, and %s is a volume", w->name);
    STEP(label_output_check(path, my->format, w->spatial, why));
    w->to = outputs_add(&w->outputs, "--output", path, true);
    w->table = outputs_add(&w->outputs, "--table", my->table, false);
    w->json = outputs_add(&w->outputs, "--json", my->common.json, false);
    return check_paths(w, why);
}

/* Names the files of the cutouts after their labels, which are known only after reading the seeds. */
static int name_cutouts(work *w, failure *why)
{
    const label_result result = result_of(w);
    if (!w->my->cutouts) return EXIT_DONE;
    const int status =
        label_output_name_cutouts(&result, w->my->cutouts, &w->outputs, w->cutout, w->cutout_name, why);
    return status ? status : check_paths(w, why);
}

static int encode(work *w, failure *why)
{
    const label_result result = result_of(w);
    const label_cutting from = {&w->photo, w->seeds.value, &w->my->edge, w->threads, memory_of(w->my)};
    int status = label_output_encode(&result, w->to->path, w->my->format, &w->to->data, why);
    if (!status && w->table) status = label_output_table(&result, &w->table->data, why);
    if (!status && w->my->cutouts) status = label_output_cut(&result, &from, w->cutout, why);
    return status;
}

/* Refuses options that cannot be combined with parts, or with correcting or refining a label map. */
static int check_before(const work *w, failure *why)
{
    const label_wanted *const my = w->my;
    if ((my->parts || job_part_by_mpi()) && label_map_before(my))
        return fail(why, EXIT_USAGE, "--%s: needs all labels at once, and is not for --parts and mpirun",
                    my->previous ? "previous" : "refine");
    if (job_part_by_mpi() && !strcmp(w->path, "-"))
        return fail(why, EXIT_USAGE, "%s: cannot be read by all processes of mpirun; name a file", w->name);
    STEP(label_parts_check(my->parts, &my->common, why));
    const char *const other = my->instances ? "--instances" : NULL;
    if (my->previous && other)
        return fail(why, EXIT_USAGE, "--previous: is corrected by -s, --label and --stroke; leave %s out", other);
    if (my->refine && (other || my->previous))
        return fail(why, EXIT_USAGE, "--refine: is corrected by -s, --label and --stroke; leave %s out",
                    other ? other : "--previous");
    return EXIT_DONE;
}

/* Prints for the user, on a terminal, how much each label got. */
static void print_shares(work *w)
{
    const label_result result = result_of(w);
    char text[640], name[PRINTABLE_ROOM];
    if (w->my->common.quiet || w->my->folder || !isatty(STDOUT_FILENO) || !isatty(STDERR_FILENO)) return;
    label_output_shares(&result, text, sizeof text);
    printable_name(w->to->path, name);
    fprintf(stderr, "%s: %s\n", name, text);
}

static int label(work *w, failure *why)
{
    int status = check_before(w, why);
    if (!status) status = (w->spatial ? scan_check_links : scan_check_none)(&w->my->given, w->path, why);
    if (!status) status = check_outputs(w, why);
    if (!status) status = read_inputs(w, why);
    if (!status) status = name_cutouts(w, why);
    if (!status) status = cut(w, why);
    if (w->silent) return status;
    if (!status) status = encode(w, why);
    if (!status && w->my->key) batch_state_note(&w->outputs, w->my->key);
    if (!status) status = outputs_write(&w->outputs, w->json, why);
    if (!status && w->json) status = write_json(w, NULL, why);
    if (status) outputs_undo(&w->outputs);
    else print_shares(w);
    return status;
}

static void work_free(work *w)
{
    image_free(&w->photo);
    free(w->opaque);
    scan_free(&w->volume);
    label_seeds_free(&w->seeds);
    notes_free(&w->notes);
    free(w->labels);
    free(w->named);
    for (int i = 0; i < 256; i++) free(w->cutout_name[i]);
    outputs_free(&w->outputs);
}

/* True if the input is divided as a volume. */
static bool is_volume(const label_wanted *my, const char *path)
{
    const char *map = label_map_before(my) ? label_map_before(my) : my->map;
    seeds_stroke any = {.spatial = false}, one;
    const inputs in = {.files = {.items = &map, .count = map ? 1 : 0}, .request = {.strokes = &any, .stroke_count = 1}};
    for (int i = 0; i < my->given.count; i++) {
        const struct option_given *const g = &my->given.items[i];
        if (strcmp(g->row->name, "stroke") != 0 || !seeds_stroke_parse(g->value, true, &one)) continue;
        any.spatial |= one.spatial;
        free(one.points);
    }
    return scan_is_meant(&my->scan, &in, path) && !scan_is_photo(&my->scan, &my->given, path);
}

int label_one(label_wanted *my, const char *path, failure *why)
{
    work w = {.my = my, .path = path, .name = file_input_name(path), .spatial = is_volume(my, path)};
    int status = label(&w, why);
    if (!w.met) status = job_part_refuse(status, &(failure_report){report_failure, &w}, why);
    else if (status && why->text[0]) report_failure(&w, why); /* the failure of the process that went on */
    notes_show(&w.notes, my->common.quiet || w.silent);
    work_free(&w);
    return status;
}
