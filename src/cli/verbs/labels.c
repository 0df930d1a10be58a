/* SPDX-License-Identifier: MIT
 *
 * labels.c - the verb `labels`: divides a photo or a volume among several labels.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch_list.h"
#include "batch_state.h"
#include "engine.h"
#include "file.h"
#include "folders.h"
#include "json.h"
#include "label_output.h"
#include "label_seeds.h"
#include "machine.h"
#include "matting.h"
#include "model.h"
#include "outputs.h"
#include "scan_job.h"
#include "scan_options.h"
#include "segment_form.h"
#include "signals.h"
#include "tilecut_labels.h"
#include "verbs.h"

typedef struct wanted {
    common common;
    model model;
    scan_options scan;
    const char *folder, *map, *previous, *refine, *legend, *output, *format, *cutouts, *table; /* NULL: not given */
    double brush;
    int background, rounds;
    bool instances, recursive, resume, refines, maps_only;
    const char *key; /* for the state of a folder of results; NULL: none */
    uint64_t max_memory;
    option_log given;
} wanted;

static option_parser take_label, take_stroke;

/* Both are read from the list of what was given, as their order counts. */
static const char *take_label(const char *text, void *field)
{
    (void)field;
    return *text ? NULL : "the name of a label";
}

static const char *take_stroke(const char *text, void *field)
{
    (void)field;
    return *text ? NULL : "a list of points X,Y";
}

static const option seed_options[] = {
    OPTION_HEADING("Seeds"),
    {.name = "seeds", .letter = 's', .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "a label map: whole numbers, 0 and 255 unknown, others\nlabels; grey or with a palette, or a volume. "
             "Or shapes\nwith labels: LabelMe, COCO, GeoJSON and others",
     .parse = option_file, .at = offsetof(wanted, map)},
    {.name = "previous", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "a label map that the strokes of --label and --stroke\ncorrect: "
             "each only adds to its label, and only what is\nconnected to it; all else stays",
     .parse = option_file, .at = offsetof(wanted, previous)},
    {.name = "refine", .argument = "FILE",
     .help = "a label map of a network: each label is refined as the\nverb refine does with a mask",
     .parse = option_file, .at = offsetof(wanted, refine)},
    {.name = "label", .volumes = VOLUMES_TOO, .argument = "NAME",
     .help = "the label of the strokes that follow: a number from\n1 to 254, or a name, which gets the next free one",
     .parse = take_label, .repeatable = true},
    {.name = "stroke", .volumes = VOLUMES_TOO, .argument = "POINTS",
     .help = "a stroke of that label: \"X,Y X,Y ...\" (X,Y,Z in a volume)", .parse = take_stroke, .repeatable = true},
    {.name = "brush", .volumes = VOLUMES_TOO, .argument = "R", .help = "radius of strokes in pixels (default 3)",
     .parse = option_positive, .at = offsetof(wanted, brush)},
    {.name = "instances", .volumes = VOLUMES_TOO,
     .help = "each stroke, but those of the background, is an object\nof its own: a label for all seeds that touch",
     .at = offsetof(wanted, instances)},
    OPTIONS_END
};

static const option name_options[] = {
    {.name = "legend", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "names and colours of labels: lines \"2 cup #c02010\"; the\nlabel map may then be in these colours",
     .parse = option_file, .at = offsetof(wanted, legend)},
    {.name = "background-label", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "the label that is the background (default that of the\nname background, or the least)",
     .kind = OPTION_INT, .least = 1, .most = 254,
     .wanted = "a label from 1 to 254", .at = offsetof(wanted, background)},
    OPTIONS_END
};

static const option output_options[] = {
    OPTION_HEADING("Output"),
    {.name = "output", .letter = 'o', .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "the label map: each pixel its label, in PNG with a\npalette; of a volume in its place. "
             "Or shapes:\n.coco.json, .labelme.json, .geojson (default standard output)",
     .parse = option_file, .at = offsetof(wanted, output)},
    {.name = "format", .argument = "NAME", .help = "the format of --output, whatever its name",
     .parse = option_text, .at = offsetof(wanted, format)},
    {.name = "cutouts", .argument = "FOLDER",
     .help = "also a PNG of each object on a transparent background",
     .parse = option_file, .at = offsetof(wanted, cutouts)},
    {.name = "table", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "also a table: number, name, colour and size of each\nlabel, separated by tabs; it is a legend, too",
     .parse = option_file, .at = offsetof(wanted, table)},
    OPTION_MAX_MEMORY(wanted),
    OPTIONS_END
};

static const option many_options[] = {
    {.name = "output-dir", .letter = 'O', .volumes = VOLUMES_TOO, .argument = "DIR",
     .help = "of many IMAGES, and folders of them: the folder of the\nlabel maps, {stem}.png; "
             "names of files with labels are\nthen patterns, such as 'seeds/{stem}.png'",
     .parse = option_file, .at = offsetof(wanted, folder)},
    {.name = "recursive", .letter = 'r', .help = "of IMAGES that are folders, also what lies below them",
     .at = offsetof(wanted, recursive)},
    {.name = "resume",
     .help = "with -O, skip photos whose label map was made of the\nsame contents with the same options, and is whole",
     .at = offsetof(wanted, resume)},
    OPTIONS_END
};

static const option bound_options[] = {
    {.name = "bound-rounds", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "rounds for the lower bound; 0: none (default up to 20,\nuntil the gap is a tenth of a percent)",
     .kind = OPTION_INT, .least = 0, .most = TILECUT_MAX_BOUND_ROUNDS, .wanted = "a whole number from 0 to 100",
     .at = offsetof(wanted, rounds)},
    OPTIONS_END
};

/* Of the verb batch. */
static const option batch_options[] = {
    OPTION_HEADING("Label maps"),
    {.name = "labels", .help = "what --mask names are label maps, not masks of one object",
     .at = offsetof(wanted, refines)},
    {.name = "refine", .help = "refine them; photos without one are left out", .at = offsetof(wanted, maps_only)},
    {.name = "mask", .argument = "PATTERN", .help = "the label map of each photo, or a folder of them",
     .parse = option_text, .at = offsetof(wanted, refine)},
    OPTIONS_END
};

/* Of the verb refine. */
static const option form_options[] = {
    OPTION_HEADING("Label map"),
    {.name = "labels", .help = "MASK is a label map; without it, it is a mask of one object",
     .at = offsetof(wanted, refines)},
    OPTIONS_END
};

typedef struct work {
    wanted *my;
    const char *path, *name;
    image photo;
    tilecut_image view;
    output *to, *cutout[256], *table, *json;
    char *cutout_name[256]; /* owned */
    outputs outputs;
    uint8_t *opaque; /* its pixels without alpha; NULL if it has none */
    scan volume;
    bool spatial;
    label_seeds seeds;
    uint8_t *labels;
    tilecut_labels_report report;
    int64_t changed; /* of --previous or --refine */
    notes notes;
    bool labelled;
    double read_ms, cut_ms;
} work;

static void say(const work *w, const char *stage, double ms, const char *text)
{
    if (w->my->common.verbose) fprintf(stderr, "tilecut: %-8s %8.1f ms  %s\n", stage, ms, text);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static uint64_t memory_of(const wanted *my)
{
    return my->max_memory ? my->max_memory : machine_memory();
}

static int background_of(const work *w)
{
    return w->my->background ? w->my->background : label_seeds_background(&w->seeds);
}

/* The label map that is corrected or refined; NULL: there is none. */
static const char *before_of(const wanted *my)
{
    return my->previous ? my->previous : my->refine;
}

static int read_inputs(work *w, failure *why)
{
    image_limits limits = {.max_bytes = memory_of(w->my)};
    const scan_reading reading = {.limits = &limits, .shape = w->my->scan.shape};
    const double start = machine_ms();
    char text[640];
    const int status = w->spatial ? scan_read(w->path, &reading, &w->volume, &w->notes, why)
                                  : image_read(w->path, &limits, &w->photo, &w->notes, why);
    if (status) return status;
    if (w->spatial) scan_describe(w->path, &w->volume, text, sizeof text);
    else snprintf(text, sizeof text, "%s: %s, %dx%d", w->name, w->photo.format, w->photo.width, w->photo.height);
    say(w, "read", w->read_ms = machine_ms() - start, text);
    const char *const before = before_of(w->my);
    const label_request request = {.map = before ? before : w->my->map, .corrects = before != NULL,
                                   .legend = w->my->legend, .given = &w->my->given,
                                   .radius = w->my->brush, .limits = &limits, .place = &w->photo.place};
    const int read = label_seeds_read(&request, w->spatial ? NULL : &w->photo, w->spatial ? &w->volume : NULL, w->path,
                                      &w->seeds, &w->notes, why);
    return read || !w->my->instances ? read : label_seeds_split(&w->seeds, background_of(w), w->name, why);
}

/* Each label takes 4 bytes a pixel, cuts and learning some 100 more. */
static int check_memory(const work *w, failure *why)
{
    enum { BESIDE = 100 };
    const uint64_t pixels = (uint64_t)w->seeds.width * (uint64_t)w->seeds.height * (uint64_t)w->seeds.depth;
    uint64_t labels = 0;
    char what[60];
    for (int i = 1; i < 256; i++) labels += w->seeds.count[i] > 0;
    const uint64_t need = pixels * (BESIDE + 4 * labels), most = memory_of(w->my);
    if (!most || need <= most) return EXIT_DONE;
    snprintf(what, sizeof what, "is divided among %" PRIu64 " labels", labels);
    return fail_memory(w->name, what, need, most, why);
}

/* ---- Cutting ----------------------------------------------------------------------------------- */

/* Photo or volume in the form that the library takes. */
static int view_of(work *w, tilecut_volume *volume, failure *why)
{
    double range[2];
    int64_t missing;
    if (!w->spatial) return matting_opaque_noted(&w->photo, w->name, &w->view, &w->opaque, &w->notes, why);
    const int status = scan_count_missing(&w->volume, NULL, w->name, &missing, &w->notes, why);
    if (status) return status;
    if (!scan_view(&w->volume, &w->my->scan, NULL, range, volume))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its range of values", w->name);
    if (!missing) return EXIT_DONE;
    scan_fill_missing(&w->volume, NULL, (float)volume->low, w->seeds.value, (uint8_t)background_of(w));
    label_seeds_count(&w->seeds);
    return EXIT_DONE;
}

/* Corrects the labels of --previous, or refines those of --refine. */
static tilecut_status correct(work *w, const tilecut_volume *volume, const tilecut_params *params)
{
    const size_t pixels = (size_t)w->seeds.width * (size_t)w->seeds.height * (size_t)w->seeds.depth;
    memcpy(w->labels, w->seeds.before, pixels);
    const tilecut_status status =
        w->my->refine ? tilecut_labels_refine(&w->view, params, background_of(w), w->labels, &w->changed)
        : w->spatial  ? tilecut_volume_labels_correct(volume, w->seeds.value, params, w->labels, &w->changed)
                      : tilecut_labels_correct(&w->view, w->seeds.value, params, w->labels, &w->changed);
    w->report.certified = 1;
    for (size_t p = 0; p < pixels; p++) w->report.labels += !w->report.pixels[w->labels[p]]++ && w->labels[p];
    return status;
}

static int cut(work *w, failure *why)
{
    const wanted *const my = w->my;
    const tilecut_labels_params how = {.size = sizeof how, .background = background_of(w),
                                       .bound_rounds = my->rounds < 0 ? 0 : my->rounds ? my->rounds : TILECUT_NONE};
    tilecut_params params = tilecut_params_default();
    tilecut_volume volume = {0};
    char text[200];
    w->report.size = sizeof w->report;
    int status = engine_choose(&my->common, &params, &w->notes, why);
    if (!status) status = check_memory(w, why);
    if (!status && my->background && !w->seeds.count[my->background])
        status = fail(why, EXIT_USAGE, "--background-label: %d does not occur among the seeds", my->background);
    if (!status) status = view_of(w, &volume, why);
    if (status) return status;
    model_apply(&my->model, &params);
    w->labels = malloc((size_t)w->seeds.width * (size_t)w->seeds.height * (size_t)w->seeds.depth);
    if (!w->labels) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", w->name);
    const double start = machine_ms();
    const tilecut_status done =
        w->seeds.before ? correct(w, &volume, &params)
        : w->spatial ? tilecut_volume_labels(&volume, w->seeds.value, &params, &how, w->labels, &w->report)
                   : tilecut_labels(&w->view, w->seeds.value, &params, &how, w->labels, &w->report);
    if (done != TILECUT_OK) return engine_failure(done, w->name, why);
    if (w->seeds.before) snprintf(text, sizeof text, "%" PRId64 " pixels have another label", w->changed);
    else snprintf(text, sizeof text, "%d labels, %" PRId64 " cuts, all certified; at most %.2f %% above the minimum",
                  w->report.labels, w->report.cuts, w->report.gap);
    say(w, "cut", w->cut_ms = machine_ms() - start, text);
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

static void write_areas(json *j, const work *w)
{
    json_open(j, "areas", '[');
    for (int i = 1; i < 256; i++) {
        if (!w->seeds.count[i]) continue;
        json_open(j, NULL, '{');
        json_integer(j, "label", i);
        json_text(j, "name", *w->seeds.legend.of.name[i] ? w->seeds.legend.of.name[i] : NULL);
        json_integer(j, "seeds", w->seeds.count[i]);
        json_integer(j, w->spatial ? "voxels" : "pixels", w->report.pixels[i]);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* What was found, or null for a run that failed. */
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
        write_areas(j, w);
        return;
    }
    json_nulls(j, "changed");
    json_real(j, "energy", r->energy);
    json_real(j, "bound", r->bound);
    json_real(j, "gap_percent", r->gap);
    json_integer(j, "cuts", r->cuts);
    json_integer(j, "moves", r->moves);
    json_integer(j, "certain", r->certain);
    json_real(j, "lambda", r->lambda);
    json_real(j, "beta", r->beta);
    json_integer(j, "connectivity", r->connectivity);
    json_text(j, "colors", r->colors);
    json_text(j, "solver", r->solver);
    json_integer(j, "threads", r->threads);
    write_areas(j, w);
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
    json_close(&j, '}');
    return json_write(&j, w->my->common.json, why);
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

static int check_outputs(work *w, failure *why)
{
    const wanted *const my = w->my;
    const char *const path = my->output ? my->output : "-";
    if (w->spatial && my->cutouts)
        return fail(why, EXIT_USAGE, "--cutouts: is for photos, and %s is a volume", w->name);
    const int status = label_output_check(path, my->format, w->spatial, why);
    if (status) return status;
    w->to = outputs_add(&w->outputs, "--output", path, true);
    w->table = outputs_add(&w->outputs, "--table", my->table, false);
    w->json = outputs_add(&w->outputs, "--json", my->common.json, false);
    return check_paths(w, why);
}

/* Cutouts have the names of labels, which are known when seeds are read. */
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
    int status = label_output_encode(&result, w->to->path, w->my->format, &w->to->data, why);
    if (!status && w->table) status = label_output_table(&result, &w->table->data, why);
    if (!status && w->my->cutouts) status = label_output_cut(&result, w->cutout, why);
    return status;
}

/* What does not go with a label map that is corrected or refined. */
static int check_before(const work *w, failure *why)
{
    const wanted *const my = w->my;
    const char *const other = my->map ? "-s" : my->instances ? "--instances" : NULL;
    bool strokes = false;
    for (int i = 0; i < my->given.count; i++) strokes = strokes || !strcmp(my->given.items[i].row->name, "stroke");
    if (my->previous && other)
        return fail(why, EXIT_USAGE, "--previous: is corrected by --label and --stroke; leave %s out", other);
    if (my->refine && w->spatial)
        return fail(why, EXIT_USAGE, "--%s: is for photos, and %s is a volume", my->refines ? "labels" : "refine",
                    w->name);
    if (my->refine && (other || my->previous || strokes))
        return fail(why, EXIT_USAGE, "--refine: goes without seeds; leave %s out",
                    other ? other : my->previous ? "--previous" : "--stroke");
    return EXIT_DONE;
}

static int label(work *w, failure *why)
{
    int status = check_before(w, why);
    if (!status) status = check_outputs(w, why);
    if (!status) status = read_inputs(w, why);
    if (!status) status = name_cutouts(w, why);
    if (!status) status = cut(w, why);
    if (!status) status = encode(w, why);
    if (!status && w->my->key) batch_state_note(&w->outputs, w->my->key);
    if (!status) status = outputs_write(&w->outputs, w->json, why);
    if (!status && w->json) status = write_json(w, NULL, why);
    if (status) outputs_undo(&w->outputs);
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
    for (int i = 0; i < 256; i++) free(w->cutout_name[i]);
    outputs_free(&w->outputs);
}

/* One photo or volume. */
static int label_one(wanted *my, const char *path, failure *why)
{
    const char *const maps[] = {my->previous ? my->previous : my->map};
    const char *const named[] = {path,       my->map,    my->previous, my->refine,
                                 my->legend, my->output, my->table,    my->cutouts};
    work w = {.my = my, .path = path, .name = file_input_name(path)};
    failure ignored = {0};
    w.spatial = scan_is_among(&my->scan, path, maps, *maps ? 1 : 0);
    const int status = label(&w, why);
    if (status && outputs_may_report(my->common.json, named, 8)) write_json(&w, why, &ignored);
    notes_show(&w.notes, my->common.quiet);
    work_free(&w);
    return status;
}

/* ---- Many photos ------------------------------------------------------------------------------- */

static int make_list(const wanted *my, int argc, char **argv, batch_list *list, failure *why)
{
    const batch_names names = {.seeds = &my->map, .seed_count = my->map ? 1 : 0, .given = before_of(my),
                               .given_only = my->maps_only,
                               .folder = my->folder, .mask = "{stem}.png"};
    const char *const beside = my->output ? "-o" : my->common.json ? "--json" : my->table ? "--table" : NULL;
    int status = beside ? fail(why, EXIT_USAGE, "--output-dir: is for many photos, and %s for one", beside)
                        : batch_names_check(&names, why);
    if (!status && my->resume && my->cutouts)
        status = fail(why, EXIT_USAGE, "--resume: knows label maps only; leave --cutouts out");
    for (int i = 0; !status && i < argc; i++) {
        struct stat about;
        status = !stat(argv[i], &about) && S_ISDIR(about.st_mode)
                     ? batch_list_walk(list, &names, argv[i], my->recursive, why)
                     : batch_list_add(list, &names, "", &(batch_words){.photo = argv[i]}, why);
    }
    if (!status) status = batch_list_check(list, my->legend, NULL, NULL, why);
    if (status || list->count) return status;
    return fail(why, EXIT_INPUT, "%s: holds no picture that is not the seeds of another", argv[0]);
}

/* Makes `one`, what is wanted of one photo. *done: its label map is there already. */
static int want_one(const wanted *my, const batch_item *item, batch_state *state, char key[SHA256_TEXT], wanted *one,
                    bool *done, failure *why)
{
    *one = *my;
    one->map = item->seed_count ? item->seeds[0] : NULL;
    if (my->previous) one->previous = item->given;
    if (my->refine) one->refine = item->given;
    one->output = item->mask;
    one->key = batch_state_key(state, item, key) ? key : NULL;
    *done = my->resume && one->key && batch_state_done(state, item, key);
    const int trouble = *done ? 0 : folders_make(item->mask);
    if (*done) folders_visit(item->mask); /* removes what killed runs left there */
    return trouble ? fail(why, EXIT_RUNTIME, "%s: its folder cannot be made: %s", item->mask, strerror(trouble))
                   : EXIT_DONE;
}

/* Goes on with the others after a failure. */
static int label_many(const wanted *my, int argc, char **argv, failure *why)
{
    batch_list list = {0};
    int done = 0, skipped = 0, failed = 0, status = make_list(my, argc, argv, &list, why);
    batch_state *const state = batch_state_create(&my->given, true);
    if (!status && !state) status = fail(why, EXIT_RESOURCES, "not enough memory for a batch");
    notes_show(&list.notes, my->common.quiet);
    for (int i = 0; !status && i < list.count && !signals_number(); i++) {
        char key[SHA256_TEXT];
        failure wrong = {0};
        bool there;
        wanted one;
        int trouble = want_one(my, &list.item[i], state, key, &one, &there, &wrong);
        if (!trouble && !there) trouble = label_one(&one, list.item[i].photo, &wrong);
        if (trouble) fprintf(stderr, "tilecut: %s\n", wrong.text), failed++;
        else if (there) skipped++;
        else done++;
    }
    batch_state_free(state);
    batch_list_free(&list);
    if (status) return status;
    if (!my->common.quiet) fprintf(stderr, "tilecut: %d done, %d skipped, %d failed\n", done, skipped, failed);
    why->text[0] = '\0'; /* everything has been printed */
    return why->status = signals_number() ? signals_status() : failed ? EXIT_RUNTIME : EXIT_DONE;
}

static int label_all(wanted *my, int argc, char **argv, failure *why)
{
    if (my->folder) return label_many(my, argc, argv, why);
    if (my->resume || my->recursive)
        return fail(why, EXIT_USAGE, "%s: is for many photos; name a folder for their labels with -O",
                    my->resume ? "--resume" : "--recursive");
    if (argc == 1) return label_one(my, argv[0], why);
    return fail(why, EXIT_USAGE, "%d images are given; name a folder for their labels with -O", argc);
}

int verb_labels(int argc, char **argv, failure *why)
{
    wanted my = {.brush = 3, .rounds = -1};
    int status;
    const syntax usage = {.verb = "labels",
                          .synopsis = "IMAGE -s LABELMAP -o LABELMAP [options]\n"
                                      "IMAGES... -s 'seeds/{stem}.png' -O DIR [options]",
                          .about = "Divides a photo or a volume among several labels. Seeds are a label map "
                                   "(-s), or strokes with names\n"
                                   "(--label NAME --stroke POINTS); one of the labels is the background. Every "
                                   "step is an exact, certified\n"
                                   "cut, and the report says how far the labels may be from the best ones.",
                          .operands_min = 1,
                          .operands_max = -1,
                          .operands = "one IMAGE, and seeds by -s or --label and --stroke",
                          .sets = {{seed_options, &my},
                                   {name_options, &my},
                                   {output_options, &my},
                                   {many_options, &my},
                                   {model_options, &my.model},
                                   {bound_options, &my},
                                   {scan_option_rows, &my.scan},
                                   {engine_options, &my.common},
                                   {common_options, &my.common}},
                          .log = &my.given};
    model_init(&my.model);
    if (options_parse(&usage, &argc, argv, &status, why)) status = label_all(&my, argc, argv, why);
    free(my.given.items);
    return status;
}

bool labels_are_meant(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--labels")) return true;
    return false;
}

int refine_labels(int argc, char **argv, failure *why)
{
    wanted my = {.rounds = -1};
    int status;
    const syntax usage = {.verb = "refine --labels",
                          .synopsis = "IMAGE LABELMAP -o LABELMAP [options]",
                          .about = "Moves the borders of a label map to the edges of the photo: each label but the "
                                   "background as refine\ndoes it with a mask, and then one label a pixel. It is "
                                   "'tilecut labels IMAGE --refine LABELMAP'.",
                          .operands_min = 2,
                          .operands_max = 2,
                          .operands = "one IMAGE and one LABELMAP",
                          .sets = {{form_options, &my},
                                   {name_options, &my},
                                   {output_options, &my},
                                   {model_options, &my.model},
                                   {engine_options, &my.common},
                                   {common_options, &my.common}},
                          .log = &my.given};
    model_init(&my.model);
    if (options_parse(&usage, &argc, argv, &status, why)) {
        my.refine = argv[1];
        status = label_all(&my, 1, argv, why);
    }
    free(my.given.items);
    return status;
}

int batch_labels(int argc, char **argv, failure *why)
{
    wanted my = {.rounds = -1};
    int status;
    const syntax usage = {.verb = "batch --labels",
                          .synopsis = "IMAGES... --refine --mask 'maps/{stem}.png' -O DIR [options]",
                          .about = "Refines the label maps of many photos, one after the other, each as "
                                   "'tilecut refine --labels' does.\nIt is "
                                   "'tilecut labels IMAGES... --refine PATTERN -O DIR'.",
                          .operands_min = 1,
                          .operands_max = -1,
                          .operands = "IMAGES",
                          .sets = {{batch_options, &my},
                                   {many_options, &my},
                                   {name_options, &my},
                                   {output_options, &my},
                                   {model_options, &my.model},
                                   {engine_options, &my.common},
                                   {common_options, &my.common}},
                          .log = &my.given};
    model_init(&my.model);
    if (options_parse(&usage, &argc, argv, &status, why)) {
        if (!my.maps_only || !my.refine)
            status = fail(why, EXIT_USAGE, "--labels: refines label maps; %s is missing",
                          my.maps_only ? "--mask PATTERN, which names them," : "--refine");
        else if (!my.folder)
            status = fail(why, EXIT_USAGE, "--labels: needs a folder for the label maps; name it with -O");
        else status = label_many(&my, argc, argv, why);
    }
    free(my.given.items);
    return status;
}
