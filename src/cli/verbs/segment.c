/* SPDX-License-Identifier: MIT
 *
 * segment.c - the verb `segment`: makes a mask, and other outputs, from a photo and seeds. It is one job (job.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "inputs.h"
#include "job.h"
#include "machine.h"
#include "model.h"
#include "outputs.h"
#include "pixel.h"
#include "job_part.h"
#include "report.h"
#include "scan_job.h"
#include "scan_parts.h"
#include "segment_form.h"
#include "verbs.h"

typedef struct wanted {
    common common;
    inputs in;
    model model;
    job_style style;
    scan_options scan;
    const char *output, *cutout, *alpha, *sure, *overlay, *graph, *preview; /* NULL: not asked for */
    option_log given;
    int parts; /* 0: not given */
    const segment_form *form;
    bool suggest;
    bool labels; /* listed for the help only: --labels selects another implementation of `refine` */
    const char *exchange;
    char *named[5]; /* names of files in folders that the user named; owned */
    bool volume; /* true: IMAGE is a scan */
    devices_waking waking;
    device_list devices; /* the GPUs of --device, or those that auto has chosen */
} wanted;

static const option output_options[] = {
    OPTION_HEADING("Output"),
    {.name = "output", .letter = 'o', .volumes = VOLUMES_TOO, .argument = "FILE",
     .brief = "the mask, white where the object is; or a folder",
     .help = "the mask: 8-bit grey, 0 background, 255 foreground; the\nextension names "
             "the format (default: standard output, if no other\nresult is asked for). In a folder: photo_mask.png,\n"
             "and so on for the four below",
     .parse = option_file, .at = offsetof(wanted, output)},
    {.name = "cutout", .argument = "FILE",
     .brief = "the object on a transparent background",
     .help = "the photo with the mask as its transparency\n(PNG, TIFF, WebP, AVIF, TGA)",
     .parse = option_file, .at = offsetof(wanted, cutout)},
    {.name = "alpha", .argument = "FILE", .help = "the alpha of the cutout in grey (see --edge)",
     .parse = option_file, .at = offsetof(wanted, alpha)},
    {.name = "confidence", .volumes = VOLUMES_TOO, .argument = "FILE",
     .brief = "how sure the mask is, in grey",
     .help = "how sure the mask is, in grey: 255 sure, 128 as good as guessed. -v says where a stroke helps most",
     .parse = option_file, .at = offsetof(wanted, sure)},
    {.name = "overlay", .argument = "FILE",
     .brief = "the photo with the outline drawn, to look at",
     .help = "the photo to look at: background dimmed, outline and strokes drawn (PNG, JPEG, TIFF, WebP, AVIF, BMP, "
             "TGA)",
     .parse = option_file,
     .at = offsetof(wanted, overlay)},
    {.name = "save-graph", .argument = "FILE",
     .help = "also write the graph that was cut: .max (DIMACS),\n.bbk or .tcg (tilecut's own)", .parse = option_file,
     .at = offsetof(wanted, graph)},
    {.name = "parts", .volumes = VOLUMES_TOO, .argument = "N",
     .help = "cut the photo in N parts, each a thread that reads its own rows, or a volume by its slices; if memory "
             "is enough for one only, in turn, from disk; under mpirun each process is a part",
     .parse = option_count, .at = offsetof(wanted, parts)},
    {.name = "exchange", .volumes = VOLUMES_TOO, .argument = "NAME",
     .help = "how parts on GPUs send rows to each other",
     .kind = OPTION_NAME, .wanted = "peer, nccl or host", .at = offsetof(wanted, exchange),
     .choice = job_part_exchange_name, .choice_summary = job_part_exchange_summary},
    OPTIONS_END
};

static const option preview_options[] = {
    {.name = "preview", .volumes = VOLUMES_ONLY, .argument = "FILE",
     .help = "for a volume: slices side by side, with outline and strokes drawn",
     .parse = option_file, .at = offsetof(wanted, preview)},
    OPTIONS_END
};

static const option suggest_options[] = {
    OPTION_HEADING("Check"),
    {.name = "suggest", .volumes = VOLUMES_TOO,
     .help = "cut the photo or the scan, and say where a stroke would help most",
     .at = offsetof(wanted, suggest)},
    OPTIONS_END
};

static const option label_options[] = {
    OPTION_HEADING("Masks"),
    {.name = "labels", .brief = "MASK is a label map",
     .help = "MASK is a label map: each label is refined as a mask, and\neach pixel gets one; "
             "'tilecut help refine --labels' has its options",
     .at = offsetof(wanted, labels)},
    OPTIONS_END
};

/* Returns the path of the mask: standard output if no file is named for it and no other picture is wanted; --json does
 * not count. */
static const char *mask_path(const wanted *my)
{
    const char *const report = my->common.json;
    if (my->output || my->form->checks) return my->output;
    if (my->cutout || my->alpha || my->sure || my->overlay || my->graph || my->preview || (report && !strcmp(report,
                                                                                                 "-"))) return NULL;
    return report && isatty(STDOUT_FILENO) ? NULL : "-";
}

static calibration_work kind_of(const wanted *my)
{
    if (my->in.previous || my->in.mask || my->model.connectivity == 26) return CALIBRATION_HOST;
    if (my->volume) return CALIBRATION_VOLUME;
    if (my->in.request.box_given && !my->in.request.stroke_count && !my->in.files.count) return CALIBRATION_BOX;
    return my->model.connectivity == 8 ? CALIBRATION_EIGHT : CALIBRATION_PHOTO;
}

static bool in_parts(const wanted *my)
{
    const bool ranks = job_part_by_mpi() && !my->form->checks;
    return my->parts > 0 || ranks || devices_listed(my->common.device) || my->devices.count;
}

/* Ends `check`: prints what was read, unless the report of --json goes to standard output, and writes that report. */
static int end_check(const wanted *my, job *work, scan_job *volume, const tilecut_params *how, failure *why)
{
    const checked what = {.job = work, .scan = volume, .parts = my->parts ? my->parts : my->devices.count,
                          .suggest = my->suggest};
    tilecut_params params = *how;
    model_apply(&my->model, &params);
    STEP(check_report(&what, &params, why));
    return my->common.json ? run_write_json(&work->run, NULL, why) : EXIT_DONE;
}

/* Refuses --suggest where it does not apply. */
static int check_suggest(const wanted *my, failure *why)
{
    const char *const refused = my->in.mask ? "mask" : my->in.previous ? "previous" : in_parts(my) ? "parts" : NULL;
    if (!my->suggest || !refused) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--suggest: cuts the whole from seeds alone; leave --%s out, or give segment "
                "--confidence a file", refused);
}

/* For image_limits.admit: wakes the GPU that is named, or that auto will choose, while the rest of the file is read. */
static void wake_ahead(void *context, uint64_t need, uint64_t count)
{
    wanted *const my = context;
    const common *const asked = &my->common;
    engine_auto engine;
    (void)need;
    if (my->waking.begun || in_parts(my)) return;
    devices_wake_named(asked->device, &my->waking); /* of a scan; for a photo it was done before */
    engine_auto_init(&engine, asked, kind_of(my), NULL);
    if (engine_auto_would_wake(&engine, count, asked->threads ? asked->threads : machine_threads(NULL)))
        devices_wake(&(device_list){.count = 1, .index = {0}}, &my->waking);
}

static int segment_volume(wanted *my, job *work, failure *why)
{
    scan_job volume;
    scan_job_init(&volume, work, &my->scan);
    volume.parts = my->parts;
    int status = scan_check_options(&my->given, work->files.photo, why);
    if (!status) status = scan_parts_check(&volume, why);
    if (!status) status = scan_take_devices(&volume, &my->common, &my->model, my->exchange, why);
    if (!status) status = inputs_check(&my->in, work->files.photo, why);
    if (!status) status = inputs_take_reach(&my->in, my->in.mask != NULL, why);
    if (!status) status = check_suggest(my, why);
    if (my->suggest) my->in.beside += MEMORY_SCAN_SURE;
    if (!status) status = scan_parts_do(&volume, why);
    tilecut_params params = tilecut_params_default();
    if (!status && my->form->checks) status = engine_choose(&my->common, &params, &work->run.notes, why);
    if (!status && my->form->checks) status = end_check(my, work, &volume, &params, why);
    scan_free(&volume.scan);
    return status;
}

/* Returns an option that needs the whole photo at once and so does not work in parts, or NULL. */
static const char *needs_all(const wanted *my)
{
    const job_style *const style = &my->style;
    const bool soft = style->edge.said && style->edge.kind != EDGE_HARD;
    const struct { bool given; const char *name; } whole[] = {
        {my->cutout, "cutout"}, {my->alpha, "alpha"}, {my->sure, "confidence"},
        {my->overlay, "overlay"}, {my->graph, "save-graph"},
        {my->in.previous, "previous"},
        {style->crop, "crop"}, {style->snap, "snap"}, {soft, style->edge.said}, {style->keep_colors, "keep-colors"},
        {style->keep_hidden, "keep-hidden"}, {scale_wanted(&style->size), "resize"},
        {style->background.color.given || style->background.picture, "background"}};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (whole[i].given) return whole[i].name;
    return NULL;
}

static job_division division_of(const wanted *my, job *work)
{
    return (job_division){.job = work, .parts = my->parts, .devices = my->devices, .exchange = my->exchange};
}

/* Plans the job that is cut in parts. Under mpirun a missing folder is reported later, when all processes write
 * together, so that only one error is printed. */
static int plan_parts(job *work, failure *why)
{
    failure found = {0};
    work->kind = &job_of_photo_part;
    work->outputs.piped = job_part_by_mpi();
    const int status = job_plan(work, &found);
    if (!status || (status == EXIT_RUNTIME && job_part_by_mpi())) return EXIT_DONE;
    *why = found;
    return status;
}

/* Refuses options that have no meaning without other ones, or with a photo. */
static int check_options(wanted *my, const char *photo, failure *why)
{
    int status = inputs_check(&my->in, photo, why);
    if (!status) status = inputs_take_reach(&my->in, my->in.mask != NULL, why);
    if (!status && my->preview)
        status = fail(why, EXIT_USAGE, "--preview: shows slices of a volume; of a photo --overlay shows the mask");
    if (!status) status = scan_check_none(&my->given, photo, why);
    if (!status) status = check_suggest(my, why);
    if (!status && my->style.invert && !mask_path(my) && !my->form->checks)
        status = fail(why, EXIT_USAGE, "--invert: turns the mask round; --output FILE is missing");
    if (!status && my->style.crop && !mask_path(my) && !my->cutout && !my->alpha)
        status = fail(why, EXIT_USAGE, "--crop: crops mask and cutout; --output FILE or --cutout FILE is missing");
    if (status) return status;
    const style_outputs to = {my->cutout != NULL, my->alpha != NULL, "FILE", my->graph, my->model.connectivity,
                              {my->output, my->cutout, my->alpha, my->sure, my->overlay}};
    return job_check_style(&my->style, &to, &my->in, why);
}

static int check_in_parts(wanted *my, job *work, failure *why)
{
    const char *const to = work->files.mask, *const refused = needs_all(my), *const device = my->common.device;
    if (refused)
        return fail(why, EXIT_USAGE, "--%s: needs the whole photo, and it is cut in parts; leave one of them out",
                    refused);
    if (my->in.mask)
        return fail(why, EXIT_USAGE, "%s: a mask is refined in the whole photo at once; it is not for --parts and "
                    "mpirun", file_input_name(my->in.mask));
    if (!strcmp(work->files.photo, "-"))
        return fail(why, EXIT_USAGE, "standard input: each part reads the photo by itself; name a file");
    if (check_options(my, work->files.photo, why)) return why->status;
    if (my->parts > 256) return fail(why, EXIT_USAGE, "--parts: %d; up to 256 are possible", my->parts);
    if (my->exchange && !my->devices.count && (!device || strncmp(device, "cuda", 4)))
        return fail(why, EXIT_USAGE, "--exchange: is between GPUs; name them, as in --device cuda:0,1");
    const int status = to ? job_can_write_mask(&my->style, to, why) : EXIT_DONE;
    return status ? status : plan_parts(work, why);
}

static int segment_in_parts(wanted *my, job *work, failure *why)
{
    int status = check_in_parts(my, work, why);
    const int parts = job_part_by_mpi() ? 0 : my->parts ? my->parts : DEVICES_MOST;
    if (!status && devices_listed(my->common.device))
        status = devices_read(my->common.device, parts, &my->devices, why);
    if (status) return status;
    job_division division = division_of(my, work);
    devices_waking waking = {.begun = false};
    if (!my->parts && !job_part_by_mpi()) division.parts = my->devices.count;
    if (!job_part_by_mpi() && my->devices.count) devices_wake(&my->devices, &waking);
    else if (!job_part_by_mpi()) devices_wake_named(my->common.device, &waking);
    status = photo_parts_segment(&division, why);
    devices_awake(&waking);
    const tilecut_params params = tilecut_params_default();
    return status || !my->form->checks ? status : end_check(my, work, NULL, &params, why);
}

/* Without a list of GPUs, lets auto choose several. */
static void choose_devices(wanted *my, job *work)
{
    const job_division division = division_of(my, work);
    if (in_parts(my) || my->common.solver || my->common.device || needs_all(my) || !work->files.photo) return;
    photo_part_choose_devices(&division, &work->run.notes, &my->devices);
}

/* Reads the photo and its seeds. For a photo that is too large, the error names a way that would work. */
static int read_all(const wanted *my, job *work, failure *why)
{
    enum { LARGE = 1 << 22 }; /* pixels */
    const int status = job_read(work, why);
    if (!status && (int64_t)work->photo.width * work->photo.height >= LARGE) machine_return_memory();
    if (status == EXIT_RESOURCES && !needs_all(my) && !my->in.request.box_given) job_part_advise(work, why);
    return status;
}

/* Returns the memory of the boxes in parts: a box is tried in several ways, each with its own seeds, masks and guesses.
 * For clicks the border of the photo is a box, and a file of shapes may have boxes. */
static uint64_t box_memory(const inputs *in)
{
    bool boxed = in->request.box_given || (!in->files.count && seeds_are_clicks(&in->request, false));
    for (int i = 0; i < in->files.count; i++) {
        const enum seeds_format named = in->formats ? in->formats[i] : SEEDS_UNNAMED;
        const enum seeds_format format = named == SEEDS_UNNAMED ? in->request.format : named;
        boxed |= format == SEEDS_AUTO || format == SEEDS_BOX;
    }
    return boxed ? MEMORY_BOX : 0;
}

/* For results whose path is a folder, makes a file name in it. */
static int name_in_folders(wanted *my, const char *photo, bool volume, failure *why)
{
    const char *const format = my->style.format ? my->style.format : "png";
    const bool picture = image_format_named(format) != NULL;
    const bool drawn = !strcmp(format, "svg") || !strcmp(format, "geojson");
    const struct { const char **path, *ending, *extension; } results[] = {
        {&my->output, "mask", volume ? "nii.gz" : picture || drawn ? format : "json"},
        {&my->cutout, "cutout", picture ? format : "png"}, {&my->alpha, "alpha", picture ? format : "png"},
        {&my->sure, "confidence", volume ? "nii.gz" : picture ? format : "png"},
        {volume ? &my->preview : &my->overlay, volume ? "preview" : "overlay", picture ? format : "png"}};
    char ending[48];
    int status = EXIT_DONE;
    for (size_t i = 0; !status && i < sizeof results / sizeof *results; i++) {
        snprintf(ending, sizeof ending, "_%s.%s", results[i].ending, results[i].extension);
        status = outputs_name(results[i].path, photo, ending, &my->named[i], why);
    }
    return status;
}

static int segment(wanted *my, job *work, failure *why)
{
    tilecut_params params = tilecut_params_default();
    choose_devices(my, work);
    if (in_parts(my)) {
        my->in.beside += model_memory(&my->model);
        my->in.beside += box_memory(&my->in);
        return segment_in_parts(my, work, why);
    }
    if (my->exchange)
        return fail(why, EXIT_USAGE, "--exchange: is between the GPUs of parts; name them, as in --device cuda:0,1");
    int status = check_options(my, work->files.photo, why);
    my->in.beside += model_memory(&my->model);
    if (my->in.learn) my->in.beside += MEMORY_LEARN;
    if ((my->sure || my->suggest) && my->in.beside < MEMORY_SURE) my->in.beside = MEMORY_SURE;
    if (!status) status = job_plan(work, why);
    if (!status && !my->form->checks) devices_wake_named(my->common.device, &my->waking);
    if (!status) status = read_all(my, work, why);
    if (!status) status = engine_choose(&my->common, &params, &work->run.notes, why);
    if (!status && my->form->checks) return end_check(my, work, NULL, &params, why);
    if (!status) job_plan_device(work, kind_of(my), image_area(&work->photo), &params);
    if (!status) status = job_cut(work, &params, why);
    return status ? status : job_write(work, why);
}

/* A run that fails. */
typedef struct failing {
    const wanted *my;
    job *work;
} failing;

static void report_failure(void *context, const failure *why)
{
    const wanted *const my = ((failing *)context)->my;
    job *const work = ((failing *)context)->work;
    const char *const named[] = {work->run.image, my->style.background.picture, my->in.mask, my->in.previous,
                                 my->output, my->cutout, my->alpha, my->sure, my->overlay, my->graph, my->preview};
    failure ignored = {0};
    if (my->common.json && outputs_may_report(my->common.json, my->in.files.items, my->in.files.count) &&
        outputs_may_report(my->common.json, named, sizeof named / sizeof *named))
        run_write_json(&work->run, why, &ignored);
}

int segment_as(const segment_form *form, int argc, char **argv, failure *why)
{
    wanted my = {.form = form};
    job work = {0};
    int status;
    static const option none[] = {OPTIONS_END};
    const syntax usage = {
        .verb = form->verb, .synopsis = form->synopsis, .about = form->about,
        .examples = form->examples,
        .operands_min = form->refines ? 2 : 1, .operands_max = form->refines ? 2 : 1,
        .operands = form->refines ? "one IMAGE and one MASK"
                                  : "one IMAGE, and a click (--fg), a box (--box) or seeds (-s)",
        .sets = {{input_options, &my.in}, {form->refines ? none : mask_options, &my.in},
                 {form->refines ? label_options : learn_options, form->refines ? (void *)&my : &my.in},
                 {refine_options, &my.in}, {output_options, &my},
                 {style_options, &my.style}, {cleanup_options, &my.style.cleanup}, {model_options, &my.model},
                 {scan_option_rows, &my.scan}, {preview_options, &my},
                 {form->checks ? suggest_options : (const option *)none, &my},
                 {engine_options, &my.common},
                 {common_options, &my.common}},
        .log = &my.given};
    inputs_init(&my.in);
    model_init(&my.model);
    bool parsed = options_parse(&usage, &argc, argv, &status, why);
    const bool volume = parsed && scan_is_meant(&my.scan, &my.in, argv[0]) &&
                        !scan_is_photo(&my.scan, &my.given, argv[0]);
    if (form->refines && argc > 1) my.in.mask = argv[1];
    if (parsed && (status = name_in_folders(&my, argv[0], volume, why)) != EXIT_DONE) parsed = false;
    const job_request request = {&my.common, &my.in, &my.model, &my.style};
    const job_files files = {.photo = argc > 0 ? argv[0] : NULL, .seeds = my.in.files,
                             .mask = mask_path(&my), .cutout = my.cutout, .alpha = my.alpha, .sure = my.sure,
                             .overlay = my.overlay, .preview = my.preview, .graph = my.graph, .json = my.common.json};
    job_init(&work, &request, &files);
    my.volume = volume;
    if (!form->checks) my.in.request.limits.admit = wake_ahead, my.in.request.limits.admit_context = &my;
    work.checked = form->checks;
    if (parsed) status = (volume ? segment_volume : segment)(&my, &work, why);
    failing both = {&my, &work};
    status = job_part_refuse(status, &(failure_report){report_failure, &both}, why);
    devices_awake(&my.waking);
    job_free(&work);
    inputs_free(&my.in);
    for (size_t i = 0; i < sizeof my.named / sizeof *my.named; i++) free(my.named[i]);
    free(my.given.items);
    return status;
}

int verb_segment(int argc, char **argv, failure *why)
{
    static const segment_form form = {
        .verb = "segment", .synopsis = "IMAGE --fg X,Y -o MASK [options]\nIMAGE -s SEEDS -o MASK [options]",
        .about = "Cuts an object out of a photo. Say where it is by a click or strokes (--fg, --bg), a box (--box)\n"
                 "or a picture of strokes (-s). IMAGE may be - for standard input, or a volume: NIfTI, NRRD,\n"
                 "MetaImage, DICOM, raw, TIFF of several pages, or another file that 'tilecut info' lists.",
        .examples = "  tilecut photo.jpg --fg 180,330 -o mask.png\n"
                    "  tilecut photo.jpg --box 70,12,420,385 --fg \"180,85 188,150\" -o mask.png\n"
                    "  tilecut photo.jpg -s strokes.png --cutout portrait.png --matte auto"};
    return segment_as(&form, argc, argv, why);
}
