/* SPDX-License-Identifier: MIT
 *
 * labels.c - the verb `labels`: divides a photo or a volume among several labels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch_list.h"
#include "batch_state.h"
#include "folders.h"
#include "job.h"
#include "label_job.h"
#include "segment_form.h"
#include "signals.h"
#include "job_part.h"
#include "tilecut_labels.h"
#include "verbs.h"
#include "yolo_lines.h"

static option_parser take_label, take_stroke;

/* These two only check their arguments. The values are read from the list of options given, because their order
 * counts. */
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
     .parse = option_file, .at = offsetof(label_wanted, map)},
    {.name = "previous", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "a label map that the strokes of -s, --label and --stroke correct: each adds only to its label, and "
             "only what is connected to it; all else stays",
     .parse = option_file, .at = offsetof(label_wanted, previous)},
    {.name = "refine", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "a label map of a network: each label is refined as 'tilecut refine' does with a mask; then strokes "
             "correct it",
     .parse = option_file, .at = offsetof(label_wanted, refine)},
    {.name = "instances", .volumes = VOLUMES_TOO,
     .help = "each stroke that is not background is an object of its own, with its own label; strokes that touch are "
             "one object",
     .at = offsetof(label_wanted, instances)},
    OPTIONS_END
};

static const option stroke_options[] = {
    {.name = "label", .volumes = VOLUMES_TOO, .argument = "NAME",
     .help = "the label of the strokes that follow: a number from\n1 to 254, or a name, which gets the next free one",
     .parse = take_label, .repeatable = true},
    {.name = "stroke", .volumes = VOLUMES_TOO, .argument = "POINTS",
     .help = "a stroke of that label: \"X,Y X,Y ...\" (X,Y,Z in a volume)", .parse = take_stroke, .repeatable = true},
    {.name = "brush", .volumes = VOLUMES_TOO, .argument = "R", .help = "radius of strokes in pixels (default 3)",
     .parse = option_positive, .at = offsetof(label_wanted, brush)},
    OPTION_STRICT(label_wanted, rules.strict),
    OPTION_YOLO(label_wanted, rules.yolo),
    OPTIONS_END
};

static const option name_options[] = {
    {.name = "legend", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "names and colours of labels: lines \"2 cup #c02010\"; the\nlabel map may then be in these colours",
     .parse = option_file, .at = offsetof(label_wanted, legend)},
    {.name = "background-label", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "the label that is the background (default: the one named background, else the smallest)",
     .kind = OPTION_INT, .least = 1, .most = 254,
     .wanted = "a label from 1 to 254", .at = offsetof(label_wanted, background)},
    OPTIONS_END
};

static const option output_options[] = {
    OPTION_HEADING("Output"),
    {.name = "output", .letter = 'o', .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "the label map, in PNG with a palette; for a volume in its place; or a folder for it. Or shapes: "
             ".coco.json, .labelme.json, .geojson (default standard output)",
     .parse = option_file, .at = offsetof(label_wanted, output)},
    OPTION_FORMAT(label_wanted),
    {.name = "cutouts", .argument = "FOLDER",
     .help = "also a PNG of each object on a transparent background",
     .parse = option_file, .at = offsetof(label_wanted, cutouts)},
    {.name = "edge", .argument = "KIND",
     .help = "edge of the cutouts, as in 'tilecut segment': hard, soft, or matte for hair (default soft)",
     .parse = edge_parse, .at = offsetof(label_wanted, edge)},
    {.name = "table", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "also a table of the labels: number, name, colour and size, separated by tabs; --legend reads it, too",
     .parse = option_file, .at = offsetof(label_wanted, table)},
    OPTION_MAX_MEMORY(label_wanted),
    OPTIONS_END
};

static const option many_options[] = {
    {.name = "output-dir", .letter = 'O', .volumes = VOLUMES_TOO, .argument = "DIR",
     .help = "for many IMAGES or folders: the folder of the label maps, {stem}.png; the files of seeds and maps are "
             "then patterns, such as 'seeds/{stem}.png'",
     .parse = option_file, .at = offsetof(label_wanted, folder)},
    {.name = "recursive", .letter = 'r', .help = "in folders, also what lies below them",
     .at = offsetof(label_wanted, recursive)},
    {.name = "resume",
     .help = "with -O, skip photos whose label map is complete and was made from the same contents with the same "
             "options",
     .at = offsetof(label_wanted, resume)},
    OPTIONS_END
};

static const option part_options[] = {
    {.name = "parts", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "cut in N parts, each a thread with its own rows or slices; under mpirun each process is one part. The "
             "labels are the same",
     .parse = option_count, .at = offsetof(label_wanted, parts)},
    OPTIONS_END
};

static const option bound_options[] = {
    {.name = "bound-rounds", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "rounds for the lower bound; 0: none (default up to 20,\nuntil the gap is a tenth of a percent)",
     .kind = OPTION_INT, .least = 0, .most = TILECUT_MAX_BOUND_ROUNDS, .wanted = "a whole number from 0 to 100",
     .at = offsetof(label_wanted, rounds)},
    OPTIONS_END
};

/* Of the verb batch. */
static const option batch_options[] = {
    OPTION_HEADING("Label maps"),
    {.name = "labels", .help = "what --mask names are label maps, not masks of one object",
     .at = offsetof(label_wanted, refines)},
    {.name = "refine", .help = "refine them; photos without one are left out", .at = offsetof(label_wanted, maps_only)},
    {.name = "mask", .argument = "PATTERN", .help = "the label map of each photo, or a folder of them",
     .parse = option_text, .at = offsetof(label_wanted, refine)},
    OPTIONS_END
};

/* Of the verb refine. */
static const option form_options[] = {
    OPTION_HEADING("Label map"),
    {.name = "labels", .volumes = VOLUMES_TOO, .help = "MASK is a label map; without it, it is a mask of one object",
     .at = offsetof(label_wanted, refines)},
    OPTIONS_END
};

static const char *const lacking[] = {
    "confidence",
    "says how sure a mask of one object is; 'tilecut segment' has it, with the other labels as background",
    NULL};

/* ---- Many photos ------------------------------------------------------------------------------- */

static int make_list(const label_wanted *my, int argc, char **argv, batch_list *list, failure *why)
{
    const batch_names names = {.seeds = &my->map, .seed_count = my->map ? 1 : 0, .given = label_map_before(my),
                               .given_only = my->maps_only, .folder = my->folder, .result = {"{stem}.png"}};
    if (my->parts || job_part_by_mpi())
        return fail(why, EXIT_USAGE, "--output-dir: is for many photos, and parts are of one");
    const char *const beside = my->output ? "-o" : my->common.json ? "--json" : my->table ? "--table" : NULL;
    int status = beside ? fail(why, EXIT_USAGE, "--output-dir: is for many photos, and %s for one", beside)
                        : batch_names_check(&names, why);
    if (!status && my->resume && my->cutouts)
        status = fail(why, EXIT_USAGE, "--resume: knows label maps only; leave --cutouts out");
    for (int i = 0; !status && i < argc; i++) status = batch_list_take(list, &names, argv[i], my->recursive, why);
    if (!status) status = batch_list_check(list, my->legend, NULL, NULL, NULL, why);
    if (status || list->count) return status;
    return batch_list_empty(list, argv[0], true, why);
}

/* Sets `one` to the request for one photo of many. *done: its label map exists already. */
static int want_one(const label_wanted *my, const batch_item *item, batch_state *state, char key[SHA256_TEXT],
                    label_wanted *one, bool *done, failure *why)
{
    *one = *my;
    one->map = item->seed_count ? item->seeds[0] : NULL;
    if (my->previous) one->previous = item->given;
    if (my->refine) one->refine = item->given;
    const char *const map = one->output = item->result[BATCH_MASK];
    one->key = batch_state_key(state, item, key) ? key : NULL;
    *done = my->resume && one->key && batch_state_done(state, item, key);
    const int trouble = *done ? 0 : folders_make(map);
    if (*done) folders_visit(map); /* removes temporary files that killed runs left there */
    if (!trouble) return EXIT_DONE;
    return fail(why, EXIT_RUNTIME, "%s: its folder cannot be made: %s", map, strerror(trouble));
}

/* Processes many photos. After a failure it goes on with the other photos. */
static int label_many(const label_wanted *my, int argc, char **argv, failure *why)
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
        label_wanted one;
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

static int label_all(label_wanted *my, int argc, char **argv, failure *why)
{
    if (my->folder) return label_many(my, argc, argv, why);
    if (my->resume || my->recursive)
        return fail(why, EXIT_USAGE, "%s: is for many photos; name a folder for their labels with -O",
                    my->resume ? "--resume" : "--recursive");
    if (argc == 1) return label_one(my, argv[0], why);
    return fail(why, EXIT_USAGE, "%d images are given; name a folder for their labels with -O", argc);
}

/* Processes the operands in one form of the verb. */
typedef int action(label_wanted *my, int argc, char **argv, failure *why);

static int run_form(const syntax *usage, label_wanted *my, int argc, char **argv, action *act, failure *why)
{
    int status;
    model_init(&my->model);
    if (options_parse(usage, &argc, argv, &status, why)) status = act(my, argc, argv, why);
    free(my->given.items);
    return status;
}

int verb_labels(int argc, char **argv, failure *why)
{
    label_wanted my = {.brush = 3, .rounds = -1};
    const syntax usage = {
        .verb = "labels", .synopsis = "IMAGE -s LABELMAP -o LABELMAP [options]\n"
                                      "IMAGES... -s 'seeds/{stem}.png' -O DIR [options]",
        .about = "Divides a photo or a volume among several labels. Seeds are a label map (-s), or strokes with names\n"
                 "(--label NAME --stroke POINTS); one of the labels is the background. Every step is an exact,\n"
                 "certified cut, and the report says how far the labels may be from the best ones.",
        .operands_min = 1, .operands_max = -1, .operands = "one IMAGE, and seeds by -s or --label and --stroke",
        .sets = {{seed_options, &my}, {stroke_options, &my}, {name_options, &my}, {output_options, &my},
                 {many_options, &my}, {model_options, &my.model}, {bound_options, &my}, {part_options, &my},
                 {scan_option_rows, &my.scan}, {engine_options, &my.common}, {common_options, &my.common}},
        .lacking = lacking, .log = &my.given};
    return run_form(&usage, &my, argc, argv, label_all, why);
}

bool labels_are_meant(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--labels")) return true;
    return false;
}

static int refine_one(label_wanted *my, int argc, char **argv, failure *why)
{
    (void)argc;
    my->refine = argv[1];
    return label_one(my, argv[0], why);
}

int refine_labels(int argc, char **argv, failure *why)
{
    label_wanted my = {.brush = 3, .rounds = -1};
    const syntax usage = {
        .verb = "refine --labels", .synopsis = "IMAGE LABELMAP -o LABELMAP [options]",
        .about = "Moves the borders of a label map to the edges of the photo or the volume: each label but the\n"
                 "background as refine does it with a mask, and then one label a pixel. Strokes (--label NAME\n"
                 "--stroke POINTS) correct what comes of that. It is 'tilecut labels IMAGE --refine LABELMAP'.",
        .operands_min = 2, .operands_max = 2, .operands = "one IMAGE and one LABELMAP",
        .sets = {{form_options, &my}, {stroke_options, &my}, {name_options, &my}, {output_options, &my},
                 {model_options, &my.model}, {scan_option_rows, &my.scan}, {engine_options, &my.common},
                 {common_options, &my.common}},
        .lacking = lacking, .log = &my.given};
    return run_form(&usage, &my, argc, argv, refine_one, why);
}

static int refine_many(label_wanted *my, int argc, char **argv, failure *why)
{
    if (!my->maps_only || !my->refine)
        return fail(why, EXIT_USAGE, "--labels: refines label maps; %s is missing",
                    my->maps_only ? "--mask PATTERN, which names them," : "--refine");
    if (!my->folder)
        return fail(why, EXIT_USAGE, "--labels: needs a folder for the label maps; name it with -O");
    return label_many(my, argc, argv, why);
}

int batch_labels(int argc, char **argv, failure *why)
{
    label_wanted my = {.rounds = -1};
    const syntax usage = {
        .verb = "batch --labels", .synopsis = "IMAGES... --refine --mask 'maps/{stem}.png' -O DIR [options]",
        .about = "Refines the label maps of many photos, one after the other, each as 'tilecut refine --labels' does.\n"
                 "It is 'tilecut labels IMAGES... --refine PATTERN -O DIR'.",
        .operands_min = 1, .operands_max = -1, .operands = "IMAGES",
        .sets = {{batch_options, &my}, {many_options, &my}, {name_options, &my}, {output_options, &my},
                 {model_options, &my.model}, {engine_options, &my.common}, {common_options, &my.common}},
        .lacking = lacking, .log = &my.given};
    return run_form(&usage, &my, argc, argv, refine_many, why);
}
