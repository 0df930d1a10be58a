/* SPDX-License-Identifier: MIT
 *
 * batch.c - the verb `batch`: many photos in one process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotated.h"
#include "batch_coco.h"
#include "batch_list.h"
#include "batch_run.h"
#include "batch_shard.h"
#include "engine.h"
#include "file.h"
#include "folders.h"
#include "mpi_bound.h"
#include "segment_form.h"
#include "signals.h"
#include "verbs.h"

typedef struct wanted {
    common common;
    inputs in;
    model model;
    job_style style;
    scan_options scan;
    const char *list, *folder, *given_masks, *name, *cutout, *alpha, *overlay, *sure, *coco; /* NULL: not given */
    bool refine, recursive, resume, fail_fast;
    bool labels; /* listed for the help only: --labels selects another implementation of the verb */
    batch_shard shard;
    option_log given;
} wanted;

static const option batch_options[] = {
    OPTION_HEADING("Batch"),
    {.name = "output-dir", .letter = 'O', .volumes = VOLUMES_TOO, .argument = "DIR",
     .brief = "folder of the masks; made if it does not exist",
     .help = "folder of the masks; made if it does not exist",
     .parse = option_text, .at = offsetof(wanted, folder)},
    {.name = "mask", .argument = "PATTERN", .brief = "masks of another tool",
     .help = "a given mask for each photo, as --mask of segment: a pattern, a folder of masks with the photos' "
             "names, or one file of shapes that names the photos (COCO and others)",
     .parse = option_text, .at = offsetof(wanted, given_masks)},
    {.name = "refine", .brief = "refine these masks",
     .help = "refine these masks, as the verb refine does; photos without a mask are left out",
     .at = offsetof(wanted, refine)},
    {.name = "labels", .help = "with --refine, the masks are label maps, refined label by label; 'tilecut help batch "
             "--labels' lists the options for that",
     .at = offsetof(wanted, labels)},
    {.name = "name", .volumes = VOLUMES_TOO, .argument = "PATTERN",
     .brief = "names of the masks (default {stem}.png)",
     .help = "names of the masks in the folder (default {stem}.png)", .parse = option_text,
     .at = offsetof(wanted, name)},
    {.name = "cutout", .argument = "PATTERN", .brief = "also cutouts: cut/{stem}.png",
     .help = "also the photo with the mask as its transparency; below the folder, unless the path is absolute",
     .parse = option_text, .at = offsetof(wanted, cutout)},
    {.name = "alpha", .argument = "PATTERN", .help = "also the alpha of the cutout in grey (see --edge)",
     .parse = option_text, .at = offsetof(wanted, alpha)},
    {.name = "overlay", .argument = "PATTERN", .brief = "also photos with the outline drawn",
     .help = "also the photo with outline and strokes drawn",
     .parse = option_text, .at = offsetof(wanted, overlay)},
    {.name = "confidence", .volumes = VOLUMES_TOO, .argument = "PATTERN", .brief = "also how sure the masks are",
     .help = "also how sure the mask is, in grey, as segment does", .parse = option_text, .at = offsetof(wanted, sure)},
    {.name = "coco", .argument = "FILE", .brief = "also all masks in one COCO file",
     .help = "also all masks in one COCO file, at the end of the batch: all.coco.json, or all.rle.json for run "
             "lengths", .parse = option_text, .at = offsetof(wanted, coco)},
    {.name = "recursive", .letter = 'r', .volumes = VOLUMES_TOO,
     .brief = "folders, and all folders below them",
     .help = "in folders, also what lies below them",
     .at = offsetof(wanted, recursive)},
    {.name = "list", .volumes = VOLUMES_TOO, .argument = "FILE",
     .brief = "a table of photos with their seeds and options",
     .help = "a table of photo, seeds and mask, separated by tabs; what is left out follows from -s, -O and --name; "
             "see below", .parse = option_file, .at = offsetof(wanted, list)},
    {.name = "resume", .volumes = VOLUMES_TOO,
     .brief = "skip photos that are done",
     .help = "skip photos whose results are complete and were made from the same contents with the same options "
             "(recorded in .tilecut-state)",
     .at = offsetof(wanted, resume)},
    {.name = "shard", .volumes = VOLUMES_TOO, .argument = "I/N",
     .help = "only the I-th of N parts of these photos, for several machines: 1/N to N/N, or I+1/N if I counts from "
             "0; decided by the masks' names",
     .parse = batch_shard_parse, .at = offsetof(wanted, shard)},
    {.name = "fail-fast", .volumes = VOLUMES_TOO,
     .help = "after a failure begin no further photo", .at = offsetof(wanted, fail_fast)},
    OPTIONS_END
};

static const char EPILOGUE[] =
    "Patterns for -s, --mask, --name, --cutout, --alpha, --overlay, --confidence:\n"
    "  {stem} {name} {ext}     the photo's name without extension, with it, and that\n"
    "  {dir}                   the folder of the photo, as it was named\n"
    "  {sub}                   its folder below the one that -r went through\n"
    "  {object}                in --name: each object of --mask by its number\n"
    "\n"
    "A pattern that ends in / is a folder, and stands for {stem}.png in it.\n"
    "\n"
    "A list's first line may name columns: image, seeds, mask, cutout, alpha, overlay, confidence, refine\n"
    "(the mask to begin from), and any option of seeds, results and model for that photo alone: box, fg,\n"
    "bg, lambda ... (yes and no for those without a value). Or each line is a JSON object with these keys.\n"
    "\n"
    "One job's failure is reported and counted, and the others go on; then the exit status is 1. --json\n"
    "writes an object a line, as the jobs end. The first SIGINT lets jobs in flight finish.\n";

static int read_list(const wanted *my, const batch_names *names, batch_list *list, failure *why)
{
    enum { LONGEST = 1 << 30 };
    bytes text = {0};
    int status = file_read(my->list, LONGEST, &text, why);
    if (!status) status = batch_list_parse(list, names, file_input_name(my->list), text.data, text.size, why);
    bytes_free(&text);
    return status;
}

/* Under mpirun, gives each process its share of the photos, unless a shard was named, and its share of the
 * processors. */
static int share(wanted *my, failure *why)
{
    const char *const report = my->common.json;
    const int of = mpi_variable("OMPI_COMM_WORLD_SIZE", 0), number = mpi_variable("OMPI_COMM_WORLD_RANK", -1) + 1;
    if (of > 1 && my->list && !strcmp(my->list, "-"))
        return fail(why, EXIT_USAGE, "--list: standard input reaches one of %d processes of mpirun only; name a file "
                    "that all of them can read", of);
    if (my->shard.of || of < 2 || number < 1 || number > of) return EXIT_DONE;
    my->shard = (batch_shard){number, of};
    (void)mpi_take_processors(my->common.threads);
    if (my->coco)
        return fail(why, EXIT_USAGE, "--coco: %d processes of mpirun would each write %s; call batch --resume --coco "
                    "without mpirun afterwards", of, my->coco);
    if (!report || !strcmp(report, "-")) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--json: %d processes of mpirun would each write %s; --json - gives the lines of all",
                my->shard.of, report);
}

/* Refuses names of results whose picture format is unknown, before a folder is made for them. Masks may also be
 * volumes. If photos have options of their own, the names are checked photo by photo. */
static int check_formats(const wanted *my, const batch_names *names, const batch_list *list, failure *why)
{
    const char *const as = my->style.format, *const *const pattern = names->result;
    static const enum image_purpose purpose[] = {IMAGE_MASK, IMAGE_CUTOUT, IMAGE_GREY, IMAGE_PICTURE, IMAGE_GREY};
    const bool opaque = my->style.background.color.given || my->style.background.picture;
    failure ignored;
    for (int i = 0; i < list->count; i++)
        if (list->item[i].setting_count) return EXIT_DONE;
    for (size_t i = 0; i < BATCH_RESULTS; i++) {
        const char *const name = pattern[i];
        const bool mask = i == BATCH_MASK, of_volume = mask || i == BATCH_SURE;
        if (!name || !*name || name[strlen(name) - 1] == '/') continue; /* "cutouts/" */
        if (strstr(name, "{name}") || strstr(name, "{ext}")) continue;
        if (of_volume && !scan_can_write(name, 0, &ignored)) continue;
        if (mask && !annotated_can_write(name, as, &ignored)) continue;
        STEP(image_can_write_as(name, as, purpose[i], purpose[i] == IMAGE_CUTOUT && !opaque ? 2 : 1, why));
    }
    return EXIT_DONE;
}

/* Takes --mask-cell and --band, and refuses them if no photo has a mask that they are about. */
static int take_reach(wanted *my, const batch_list *list, failure *why)
{
    const seeds_request request = inputs_seeds(&my->in);
    bool masks = my->given_masks != NULL, unknown = false;
    for (int i = 0; i < list->count; i++) {
        const batch_item *const item = &list->item[i];
        masks |= item->given != NULL;
        for (int k = 0; k < item->setting_count; k++)
            unknown |= !strcmp(item->setting[k].name, "seeds-format") && !strcmp(item->setting[k].value, "mask");
    }
    if (!masks && !unknown) STEP(seeds_check_band(&request, why));
    return inputs_take_reach(&my->in, masks, why);
}

static int make_list(wanted *my, int argc, char **argv, batch_list *list, failure *why)
{
    const batch_names names = {.seeds = my->in.files.items, .seed_count = my->in.files.count, .folder = my->folder,
                               .given = my->given_masks, .label = my->in.request.label,
                               .rules = my->in.request.limits.rules, .given_only = my->refine,
                               .result = {my->name ? my->name : "{stem}.png", my->cutout, my->alpha, my->overlay,
                                          my->sure}};
    int status = batch_names_check(&names, why);
    if (!status && my->refine && !my->given_masks && !my->list)
        status = fail(why, EXIT_USAGE, "--refine: which masks is not told; name them with --mask");
    if (!status && !argc && !my->list)
        status = fail(why, EXIT_USAGE, "nothing to do: name photos, folders with -r, or a list with --list");
    if (!status && my->list) status = read_list(my, &names, list, why);
    for (int i = 0; !status && i < argc; i++) status = batch_list_take(list, &names, argv[i], my->recursive, why);
    if (!status) status = take_reach(my, list, why);
    style_outputs to = {.cutout = my->cutout != NULL, .alpha = my->alpha != NULL, .missing = "PATTERN"};
    for (int i = 0; i < list->count; i++) {
        to.cutout = to.cutout || list->item[i].result[BATCH_CUTOUT];
        to.alpha = to.alpha || list->item[i].result[BATCH_ALPHA];
    }
    if (!status) status = job_check_style(&my->style, &to, &my->in, why);
    if (!status) status = check_formats(my, &names, list, why);
    if (!status && my->coco) status = batch_coco_check(list, &my->style, my->coco, why);
    if (!status) status = batch_list_check(list, my->list, my->folder, my->common.json, my->coco, why);
    if (!status && !list->count)
        status = batch_list_empty(list, argc ? argv[0] : file_input_name(my->list), argc > 0, why);
    if (!status) batch_shard_take(&my->shard, my->folder, list);
    return status;
}

static void print_time_shares(const batch_result *r)
{
    static const char *const doing[BATCH_STAGES] = {"reading", "building graphs", "solving", "writing",
                                                    "waiting for memory", "waiting for the GPU"};
    const double all = r->wall_ms * r->workers / 100;
    double idle = 100;
    int most = 0;
    if (!(all > 0)) return;
    fprintf(stderr, "tilecut: %d worker%s: ", r->workers, r->workers == 1 ? "" : "s");
    for (int i = 0; i < BATCH_STAGES; i++) {
        fprintf(stderr, "%s %.0f %%, ", doing[i], r->ms[i] / all);
        idle -= r->ms[i] / all;
        if (r->ms[i] > r->ms[most]) most = i;
    }
    fprintf(stderr, "idle %.0f %%; bound by %s\n", idle > 0 ? idle : 0, doing[most]);
    if (r->device_ms > 0)
        fprintf(stderr, "tilecut: the GPU was idle at least %.0f %% of the time\n",
                100 - 100 * r->device_ms / r->wall_ms);
}

static int sum_up(const wanted *my, const batch_result *r, failure *why)
{
    if (!my->common.quiet) {
        fprintf(stderr, "tilecut: %d done, %d skipped, %d failed", r->done, r->skipped, r->failed);
        if (r->left) fprintf(stderr, ", %d not begun", r->left);
        fprintf(stderr, " in %.1f s", r->wall_ms / 1e3);
        if (r->done) fprintf(stderr, " (%.1f images/s)", r->done / (r->wall_ms / 1e3));
        fputc('\n', stderr);
    }
    if (my->common.verbose) print_time_shares(r);
    why->text[0] = '\0'; /* everything has been printed */
    if (signals_number()) return why->status = signals_status();
    return why->status = r->failed ? EXIT_RUNTIME : EXIT_DONE;
}

static int run_batch(const wanted *my, const batch_list *list, failure *why)
{
    tilecut_params params = tilecut_params_default();
    batch_result result = {0};
    notes log = {0};
    engine_auto engine;
    const batch_plan plan = {.list = list, .common = &my->common, .inputs = &my->in, .model = &my->model,
                             .style = &my->style, .scan = &my->scan, .given = &my->given, .params = &params,
                             .engine = &engine, .state = batch_state_create(&my->given, false), .resume = my->resume,
                             .fail_fast = my->fail_fast, .make_folders = my->folder != NULL};
    int status = engine_choose(&my->common, &params, &log, why);
    engine_auto_init(&engine, &my->common, my->refine ? CALIBRATION_HOST :
                     my->model.connectivity == 8 ? CALIBRATION_EIGHT : CALIBRATION_PHOTO, &log);
    notes_show(&log, my->common.quiet);
    notes_free(&log);
    if (!status && !plan.state) status = fail(why, EXIT_RESOURCES, "not enough memory for a batch");
    if (!status) status = batch_run(&plan, &result, why);
    batch_state_free(plan.state);
    if (!status && my->coco && !signals_number()) {
        status = batch_coco_write(list, &my->style, my->in.request.label, my->coco, &log, why);
        notes_show(&log, my->common.quiet);
        notes_free(&log);
    }
    return status ? status : sum_up(my, &result, why);
}

int verb_batch(int argc, char **argv, failure *why)
{
    wanted my = {0};
    batch_list list = {0};
    int status;
    const syntax usage = {
        .verb = "batch", .synopsis = "IMAGES... -s 'seeds/{stem}.png' -O DIR [options]\n--list FILE [options]",
        .about = "Cuts many photos in one process: reading, cutting and writing overlap, and memory is bounded.",
        .examples = "  tilecut batch photos -s 'seeds/{stem}.png' -O masks --resume\n"
                    "  tilecut batch photos --refine --mask results.json -O masks --cutout cutouts/\n"
                    "  tilecut batch --list jobs.tsv -O masks",
        .epilogue = EPILOGUE, .operands_min = 0, .operands_max = -1, .operands = "IMAGES",
        .sets = {{batch_options, &my}, {refine_options, &my.in}, {style_options, &my.style},
                 {cleanup_options, &my.style.cleanup}, {input_options, &my.in}, {scan_option_rows, &my.scan},
                 {model_options, &my.model}, {engine_options, &my.common}, {common_options, &my.common}},
        .log = &my.given};
    if (labels_are_meant(argc, argv)) return batch_labels(argc, argv, why);
    inputs_init(&my.in);
    model_init(&my.model);
    if (options_parse(&usage, &argc, argv, &status, why)) {
        status = share(&my, why);
        if (!status) status = make_list(&my, argc, argv, &list, why);
        if (!status) notes_show(&list.notes, my.common.quiet);
        if (!status) status = run_batch(&my, &list, why);
    }
    if (my.shard.of) folders_keep_made();
    batch_list_free(&list);
    inputs_free(&my.in);
    free(my.given.items);
    return status;
}
