/* SPDX-License-Identifier: MIT
 *
 * edit.c - the verb `edit`: the user paints on a photo in the browser, and this program cuts it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "browser.h"
#include "desk.h"
#include "file.h"
#include "file_write.h"
#include "inputs.h"
#include "serve.h"
#include "verbs.h"

typedef struct wanted {
    common common;
    inputs in;
    const char *output, *cutout, *strokes, *labels, *legend; /* NULL: not asked for */
    int port;
    bool stay;
    browser browser;
    option_log given;
    scan_options scan;
    const char **words; /* the options that say how to read a scan, as words; owned, ends with NULL */
} wanted;

static const option map_options[] = {
    {.name = "labels", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "a label map of several objects to correct, as 'tilecut labels --previous' does",
     .parse = option_file, .at = offsetof(wanted, labels)},
    {.name = "legend", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "names and colours of its labels: lines \"2 cup #c02010\"",
     .parse = option_file, .at = offsetof(wanted, legend)},
    OPTIONS_END
};

static const option page_options[] = {
    OPTION_HEADING("Output, written when the page says so"),
    {.name = "output", .letter = 'o', .volumes = VOLUMES_TOO, .argument = "FILE", .help = "the mask",
     .parse = option_file, .at = offsetof(wanted, output)},
    {.name = "cutout", .argument = "FILE",
     .help = "the photo with the mask as its transparency\n(PNG, TIFF, WebP, AVIF, TGA)",
     .parse = option_file, .at = offsetof(wanted, cutout)},
    {.name = "save-strokes", .volumes = VOLUMES_TOO, .argument = "FILE",
     .help = "the strokes, which -s FILE:trimap reads, or for a scan -s FILE:labels",
     .parse = option_file, .at = offsetof(wanted, strokes)},
    OPTION_HEADING("Browser"),
    {.name = "port", .volumes = VOLUMES_TOO, .argument = "N", .help = "port on 127.0.0.1 (default 0: any that is "
             "free)",
     .kind = OPTION_INT, .most = 65535, .wanted = "a port from 0 to 65535", .at = offsetof(wanted, port)},
    {.name = "no-browser", .volumes = VOLUMES_TOO, .help = "only print the address", .at = offsetof(wanted, stay)},
    OPTIONS_END
};

/* ---- files ------------------------------------------------------------------------------------ */

static int add_output(desk *d, output **out, const char *name, const char *path, failure *why)
{
    if (!path) return EXIT_DONE;
    if (!strcmp(path, "-")) return fail(why, EXIT_USAGE, "%s: takes the name of a file, not standard output", name);
    if (file_is_special(path))
        return fail(why, EXIT_USAGE, "%s: %s takes a file; a pipe or a device could keep the page waiting", path, name);
    *out = outputs_add(&d->outputs, name, path, true);
    return EXIT_DONE;
}

static int can_write(bool volume, const char *path, enum image_purpose purpose, int channels, failure *why)
{
    if (!path) return EXIT_DONE;
    return volume ? scan_can_write(path, 0, why) : image_can_write(path, purpose, channels, why);
}

static int plan_outputs(const wanted *my, const char *photo, bool volume, desk *d, failure *why)
{
    int status = add_output(d, &d->mask_out, "--output", my->output, why);
    if (!status) status = can_write(volume, my->output, IMAGE_MASK, 1, why);
    if (!status) status = add_output(d, &d->cutout_out, "--cutout", my->cutout, why);
    if (!status) status = can_write(volume, my->cutout, IMAGE_CUTOUT, 4, why);
    if (!status) status = add_output(d, &d->strokes_out, "--save-strokes", my->strokes, why);
    if (!status) status = can_write(volume, my->strokes, IMAGE_GREY, 1, why);
    if (status) return status;
    return outputs_check_photo(&d->outputs, photo, my->in.files.items, my->in.files.count,
                               (outputs_beside){my->in.mask, my->labels ? my->labels : my->in.previous}, why);
}

/* ---- a label map ------------------------------------------------------------------------------ */

/* Refuses options that cannot be combined with a label map. */
static int check_labels(const wanted *my, failure *why)
{
    const seeds_request *const r = &my->in.request;
    const char *const other = my->in.previous     ? "--previous"
                              : my->in.mask        ? "--mask"
                              : my->in.files.count ? "--seeds"
                              : r->stroke_count    ? "--fg and --bg"
                              : r->box_given || r->volume_box_given ? "--box" : NULL;
    if (!my->labels && my->legend)
        return fail(why, EXIT_USAGE, "--legend: names the labels of a label map; give it by --labels");
    if (!my->labels || !other) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--labels: is corrected by strokes in the page; leave %s out", other);
}

/* Reads the label map of --labels, for the photo or the scan that is edited. */
static int read_labels(const wanted *my, const char *path, desk *d, label_seeds *map, notes *log, failure *why)
{
    const image *const photo = d->scan ? NULL : &d->photo;
    const scan *const volume = d->scan ? &d->scan->job->scan : NULL;
    desk_legend *const legend = d->scan ? &d->scan->legend : &d->legend;
    const option_log nothing = {.count = 0};
    const image_limits limits = {.max_bytes = inputs_memory(&my->in)};
    const label_request request = {.before = my->labels, .legend = my->legend, .given = &nothing, .limits = &limits};
    const int status = label_seeds_read(&request, photo, volume, path, map, log, why);
    return status ? status : desk_legend_take(legend, map, file_input_name(my->labels), why);
}

static int take_photo_labels(const wanted *my, const char *path, desk *d, notes *log, failure *why)
{
    label_seeds map = {0};
    if (!my->labels) return EXIT_DONE;
    const int status = read_labels(my, path, d, &map, log, why);
    d->map = map.before; /* NULL after a failure */
    map.before = NULL;
    d->prior_name = my->labels;
    label_seeds_free(&map);
    return status;
}

static int take_scan_labels(const wanted *my, const char *path, desk *d, notes *log, failure *why)
{
    label_seeds map = {0};
    if (!my->labels) return EXIT_DONE;
    int status = read_labels(my, path, d, &map, log, why);
    if (!status && !scan_desk_prior(d->scan, scan_desk_keep(d->scan, map.before)))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for it", file_input_name(my->labels));
    label_seeds_free(&map);
    return status;
}

/* ---- the desk --------------------------------------------------------------------------------- */

/* Converts the box to whole pixels by the rule for seeds: a pixel is inside if its centre is. */
static void take_box(desk *d, const double box[4])
{
    const int left = (int)ceil(fmax(box[0] - 0.5, 0)), right = (int)ceil(fmin(box[0] + box[2] - 0.5, d->photo.width)),
              top = (int)ceil(fmax(box[1] - 0.5, 0)), bottom = (int)ceil(fmin(box[1] + box[3] - 0.5, d->photo.height));
    d->boxed = true;
    d->box[0] = left, d->box[1] = top, d->box[2] = right - left, d->box[3] = bottom - top;
}

static int read_photo(wanted *my, const char *path, desk *d, notes *log, failure *why)
{
    image photo = {0};
    seeds first = {0};
    mask_file start = {0};
    const seeds_request *const request = &my->in.request;
    const bool seeded = my->in.files.count || request->stroke_count || request->box_given;
    int status = seeds_check_flat(request, file_input_name(path), why);
    if (!status) status = inputs_read_photo(&my->in, path, 4, &photo, log, why);
    if (!status && seeded)
        status = inputs_read_seeds(&my->in, &my->in.files, path, &photo, &first, log, why);
    if (!status) status = inputs_read_mask(&my->in, path, &photo, &start, log, why);
    if (!status) status = desk_take(d, &photo, first.label, why);
    if (!status) status = take_photo_labels(my, path, d, log, why);
    d->corrects = my->in.previous || my->labels;
    d->learns = my->in.learn || my->labels;
    if (!status && start.foreground)
        status = desk_prior(d, start.foreground, d->corrects ? my->in.previous : my->in.mask, why);
    if (!status && request->box_given) take_box(d, request->box);
    image_free(&photo);
    seeds_free(&first);
    mask_file_free(&start);
    return status;
}

static int choose_engine(const wanted *my, desk *d, notes *log, failure *why)
{
    char reason[200];
    engine_auto engine;
    d->whole = tilecut_params_default();
    STEP(engine_choose(&my->common, &d->whole, log, why));
    d->whole.cancel = NULL;
    d->memory = inputs_memory(&my->in);
    d->small = d->whole;
    if (d->scan) return EXIT_DONE;
    d->whole.prior_reach = d->small.prior_reach = my->in.mask_reach;
    if (my->in.mask_reach > 0) d->small.prior_reach = my->in.mask_reach / d->sketch.factor;
    d->small.threads = 1; /* a sketch takes some hundredths of a second, too short for more threads to help */
    engine_auto_init(&engine, &my->common, CALIBRATION_PHOTO, log);
    if (!engine.open) return EXIT_DONE;
    const uint64_t area = (uint64_t)d->photo.width * (uint64_t)d->photo.height;
    const uint64_t small = (uint64_t)d->sketch.small.width * (uint64_t)d->sketch.small.height;
    engine_auto_plan(&engine, area, 1, &d->whole, reason, sizeof reason);
    engine_auto_plan(&engine, small, 1, &d->small, reason, sizeof reason);
    return EXIT_DONE;
}

static int prepare(void *context, desk *d, failure *why)
{
    notes log = {0};
    const int status = choose_engine(context, d, &log, why);
    notes_free(&log);
    return status;
}

/* Without a photo, refuses options that need one. */
static int check_without_photo(const wanted *my, failure *why)
{
    const seeds_request *const request = &my->in.request;
    const char *const name = my->output                               ? "--output"
                             : my->cutout                             ? "--cutout"
                             : my->strokes                            ? "--save-strokes"
                             : my->in.files.count                     ? "--seeds"
                             : my->labels                             ? "--labels"
                             : my->in.mask                            ? "--mask"
                             : my->in.previous                        ? "--previous"
                             : request->box_given                     ? "--box"
                             : !request->stroke_count                 ? NULL
                             : request->strokes[0].foreground         ? "--fg"
                                                                      : "--bg";
    return name ? fail(why, EXIT_USAGE, "%s: belongs to a photo, and none is named; name it, or open it in the page "
                       "and save there", name) : seeds_check_band(request, why);
}

/* ---- the browser ------------------------------------------------------------------------------ */

/* Prints the address to standard output, where a script can read it, and opens the browser. */
static int show(void *context, const char *url, failure *why)
{
    wanted *const my = context;
    const bool screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    printf("%s\n", url);
    const int status = file_finish_lines(why); /* without the printed address nobody can use the page */
    if (status) return status;
    const bool opened = !my->stay && screen && browser_open(&my->browser, url);
    if (my->common.quiet) return EXIT_DONE;
    if (opened) fprintf(stderr, "tilecut: opens in the browser; if not, open this address there; Control+C ends\n");
    else fprintf(stderr, "tilecut: open this address in a browser; Control+C ends\n");
    return EXIT_DONE;
}

/* ---- a scan ---------------------------------------------------------------------------------- */

/* A scan that is edited, and all data read for it. */
typedef struct opened {
    scan_desk table; /* must be the first field, because a pointer to it is turned into one to this struct */
    inputs in;       /* owns nothing */
    job_request request;
    job base;
    scan_job work;
} opened;

static void close_scan(scan_desk *table)
{
    opened *const o = (opened *)(void *)table;
    scan_desk_free(table);
    scan_free(&o->work.scan);
    job_free(&o->base);
    free(o);
}

/* Reads the scan `path` with the seeds and masks of the options, or a scan that the page has sent, `file` of `size`
 * bytes, without them. The caller closes *out, even after a failure; it is NULL if memory ran out. */
static int open_scan(const wanted *my, const char *path, const uint8_t *file, size_t size, opened **out, failure *why)
{
    opened *const o = *out = calloc(1, sizeof *o);
    if (!o) return fail(why, EXIT_RESOURCES, "%s: not enough memory to edit it", path);
    o->in = my->in;
    if (file) {
        o->in.files = (option_list){.count = 0};
        o->in.request.stroke_count = 0;
        o->in.request.box_given = o->in.request.volume_box_given = false;
        o->in.mask = o->in.previous = NULL;
        o->in.learn = false;
    }
    o->in.request.mask_given = true; /* seeds are optional here */
    o->in.beside += MEMORY_SCAN_DESK;
    o->request = (job_request){.common = &my->common, .inputs = &o->in};
    const job_files files = {.photo = path, .seeds = o->in.files};
    job_init(&o->base, &o->request, &files);
    scan_job_init(&o->work, &o->base, &my->scan);
    o->work.file = file, o->work.file_size = size, o->work.in_grey = true;
    int status = job_read(&o->base, why);
    if (!status) status = scan_desk_begin(&o->table, &o->work, why);
    o->table.given = my->words;
    return status;
}

/* Reads a photo or a scan that the page has sent. A TIFF of several grey pages is a scan. */
static int read_sent(void *context, const char *name, const uint8_t *file, size_t size, desk_file_read *out,
                     failure *why)
{
    const wanted *const my = context;
    opened *sent = NULL;
    notes log = {0};
    const bool photo = scan_is_flat(name) || !(scan_is_named(name) || scan_is_content(file, size));
    int status = photo ? EXIT_INPUT : open_scan(my, name, file, size, &sent, why);
    if (!status) out->scan = &sent->table;
    else if (sent) close_scan(&sent->table);
    if (status == EXIT_INPUT && !scan_is_named(name))
        status = inputs_decode_photo(&my->in, name, file, size, &out->photo, &log, why);
    notes_free(&log);
    return status;
}

/* Collects the words of the options that only scans have. */
static int keep_words(wanted *my, failure *why)
{
    int count = 0;
    my->words = calloc(2 * (size_t)my->given.count + 1, sizeof *my->words);
    if (!my->words) return fail(why, EXIT_RESOURCES, "not enough memory for the options");
    for (int i = 0; i < my->given.count; i++) {
        if (my->given.items[i].row->volumes != VOLUMES_ONLY) continue;
        my->words[count++] = my->given.items[i].row->name;
        my->words[count++] = my->given.items[i].value;
    }
    return EXIT_DONE;
}

/* True if `path` is a scan. A TIFF of several grey pages is one, unless an option shows that its first page is
 * meant. */
static bool is_scan(const wanted *my, const char *path)
{
    const seeds_request *const r = &my->in.request;
    const bool flat = my->in.files.count || r->stroke_count || r->box_given || my->in.mask || my->in.previous ||
                      my->cutout;
    return scan_is_meant(&my->scan, &my->in, path) || (!flat && scan_recognise(path));
}

static int edit_scan(wanted *my, const char *path, desk *d, failure *why)
{
    opened *o = NULL;
    int status = scan_check_options(&my->given, path, why);
    if (!status && my->in.mask)
        status = fail(why, EXIT_USAGE, "--mask: is refined in a volume by tilecut refine; give what comes of it by "
                      "--previous");
    if (!status) status = inputs_check(&my->in, path, why);
    if (!status) status = inputs_take_reach(&my->in, false, why);
    if (!status) status = plan_outputs(my, path, true, d, why);
    if (!status) status = open_scan(my, path, NULL, 0, &o, why);
    if (!o) return status;
    d->scan = &o->table;
    if (!status && my->output) status = scan_can_write(my->output, o->table.whole.depth, why);
    if (!status && my->strokes) status = scan_can_write(my->strokes, o->table.whole.depth, why);
    if (!status && o->base.start.foreground &&
        !scan_desk_prior(d->scan, scan_desk_keep(d->scan, o->base.start.foreground)))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for it", my->in.previous);
    if (!status) status = take_scan_labels(my, path, d, &o->base.run.notes, why);
    d->corrects = my->in.previous || my->labels;
    d->learns = my->in.learn || my->labels;
    d->prior_name = my->labels ? my->labels : my->in.previous;
    if (!status)
        status = scan_note_one_grey(&o->work.scan, NULL, o->base.run.range, file_input_name(path), &o->base.run.notes);
    if (!status) status = desk_take_scan(d, d->scan, why);
    if (!status) status = choose_engine(my, d, &o->base.run.notes, why);
    run_show_notes(&o->base.run);
    return status ? status : serve(d, my->port, show, my, why);
}

/* Edits a photo. path NULL: the page asks the user for it. */
static int edit_photo(wanted *my, const char *path, desk *d, failure *why)
{
    notes log = {0};
    int status = path ? scan_check_none(&my->given, path, why) : EXIT_DONE;
    if (!status) status = path ? inputs_check(&my->in, path, why) : check_without_photo(my, why);
    if (!status) status = inputs_take_reach(&my->in, my->in.mask != NULL, why);
    if (!status && path) status = plan_outputs(my, path, false, d, why);
    if (!status && path) status = read_photo(my, path, d, &log, why);
    if (!status) status = choose_engine(my, d, &log, why);
    notes_show(&log, my->common.quiet);
    if (!status) status = serve(d, my->port, show, my, why);
    notes_free(&log);
    return status;
}

int verb_edit(int argc, char **argv, failure *why)
{
    wanted my = {0};
    desk d = {0};
    const char *missing;
    int status;
    const syntax usage = {
        .verb = "edit", .synopsis = "[IMAGE] [-s SEEDS] [-o MASK] [options]",
        .about = "Opens the photo in the browser, to click on the object and see the cut; without IMAGE the\n"
                 "page asks for one. IMAGE may be a volume, shown in three planes. The page is served on\n"
                 "127.0.0.1 alone; its address, with a token, is printed and works once. 'Save and finish' in the\n"
                 "page ends the program.\n"
                 "It refuses --json: 'tilecut segment --json' describes a cut with the strokes that were saved.",
        .operands_min = 0, .operands_max = 1, .operands = "one IMAGE",
        .sets = {{input_options, &my.in}, {mask_options, &my.in}, {learn_options, &my.in}, {refine_options, &my.in},
                 {map_options, &my},
                 {page_options, &my}, {scan_option_rows, &my.scan}, {engine_options, &my.common},
                 {common_options, &my.common}},
        .log = &my.given};
    inputs_init(&my.in);
    desk_init(&d);
    if (!options_parse(&usage, &argc, argv, &status, why)) goto done;
    if (!serve_library(&missing)) status = serve(NULL, 0, NULL, NULL, why);
    const char *const path = argc ? argv[0] : NULL, *const slash = path ? strrchr(path, '/') : NULL;
    d.name = slash && slash[1] ? slash + 1 : path;
    d.common = &my.common;
    d.read = read_sent;
    d.prepare = prepare;
    d.close = close_scan;
    d.context = &my;
    if (!status && my.common.json)
        status = fail(why, EXIT_USAGE, "--json: hours of painting are no run to describe; save the strokes, and give "
                      "them to 'tilecut segment --json'");
    if (!status) status = check_labels(&my, why);
    if (!status) status = keep_words(&my, why);
    if (!status && path && is_scan(&my, path)) status = edit_scan(&my, path, &d, why);
    else if (!status) status = edit_photo(&my, path, &d, why);
done:
    browser_close(&my.browser);
    desk_free(&d);
    inputs_free(&my.in);
    free(my.words);
    free(my.given.items);
    return status;
}
