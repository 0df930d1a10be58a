/* SPDX-License-Identifier: MIT
 *
 * video.c - the verb `video`: frames in, masks out, one frame at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "engine.h"
#include "film.h"
#include "film_windows.h"
#include "frame_report.h"
#include "machine.h"
#include "marks.h"
#include "masks_out.h"
#include "model.h"
#include "objects.h"
#include "outputs.h"
#include "verbs.h"
#include "video_options.h"

static const char EPILOGUE[] =
    "Strokes are of the first frame, or of the one whose number, from 0, is before their name:\n"
    "-s 40:later.png. Box, points and --mask are of the first frame. Between frames with strokes the\n"
    "object is followed: colours stay as learnt, the last mask is a soft prior, and contrast says what\n"
    "has moved. Memory is that of one frame. With --window several frames are cut at once, where\n"
    "patches of the object are found again; masks then come that much later. --json writes a line a\n"
    "frame.\n"
    "\n"
    "  ffmpeg -i cat.mp4 -f yuv4mpegpipe - | tilecut video -s first.png -o masks.y4m\n"
    "  ... | tilecut video --size 1280x720 -s 0:a.png -s 40:b.png > masks.gray\n"
    "  tilecut video frames/ -s first.png -o masks/\n";

/* ---- a run ------------------------------------------------------------------------------------- */

typedef struct run_state {
    const wanted *my;
    film film;
    objects objects;
    label_source maps;
    windows windows;
    marks marks;
    tilecut_params params;
    masks_out out, sure;
    followed *what;      /* [objects] of the frame */
    uint8_t *how_sure;   /* confidence in each pixel of the frame's mask, for `sure`; NULL: not wanted */
    tilecut_doubt doubt;
    json_log log;
} run_state;

static tilecut_image image_of(const film *f)
{
    return (tilecut_image){.width = f->width, .height = f->height, .channels = f->channels, .depth = 8,
                           .pixels = f->pixels};
}

/* Reads the label maps of the frame. */
static int read_label_maps(run_state *r, int64_t frame, seeds *painted, mask_file *begin, notes *log, failure *why)
{
    const char *const file = marks_file(&r->marks, frame), *const mask = frame ? NULL : r->my->in.mask;
    const size_t pixels = (size_t)r->film.width * (size_t)r->film.height;
    int status = file ? objects_read(&r->objects, &r->maps, file, frame, &painted->label, log, why) : EXIT_DONE;
    if (!status && mask) status = objects_read(&r->objects, &r->maps, mask, frame, &begin->foreground, log, why);
    if (status || !painted->label) return status;
    painted->format = "labels";
    for (size_t p = 0; p < pixels; p++)
        *(painted->label[p] == r->objects.background ? &painted->background : &painted->foreground) +=
            painted->label[p] != 0;
    return mask ? EXIT_DONE : objects_check(&r->objects, painted->label, frame, why);
}

/* Reads the seeds of the frame. */
static int read_marks(run_state *r, frame_report *report, seeds *painted, mask_file *begin, notes *log, failure *why)
{
    const film *const f = &r->film;
    const image photo = {.width = f->width, .height = f->height, .channels = f->channels, .depth = 8,
                         .pixels = f->pixels, .orientation = 1, .format = f->format->name};
    const double start = machine_ms();
    int status = EXIT_DONE;
    const char *const name = f->list.count ? f->list.name[report->frame] : file_input_name(f->path);
    const marked_frame frame = {report->frame, &photo, name, objects_known(&r->objects)};
    if (r->objects.labelled) status = read_label_maps(r, frame.number, painted, begin, log, why);
    else if (marks_on(&r->marks, frame.number)) status = marks_read(&r->marks, &frame, painted, begin, log, why);
    if (painted->label) report->painted = painted;
    report->seeds_ms = machine_ms() - start;
    return status;
}

/* Returns where to store how uncertain a frame is. NULL: nobody reads it, and it takes longer than the rest of
 * --confidence. */
static tilecut_doubt *doubt_wanted(run_state *r)
{
    return common_wants_report(&r->my->common) ? &r->doubt : NULL;
}

/* Reads the seeds of the frame, and cuts it. */
static int cut_frame(run_state *r, frame_report *report, seeds *painted, followed *what, notes *log, failure *why)
{
    objects *const o = &r->objects;
    const tilecut_image frame = image_of(&r->film);
    mask_file begin = {0};
    int status = read_marks(r, report, painted, &begin, log, why);
    for (int i = 0; !status && i < o->count; i++)
        status = follow_frame(&o->of[i], &frame, objects_seeds(o, i, painted->label),
                              objects_prior(o, i, begin.foreground), &r->what[i], why);
    mask_file_free(&begin);
    if (!status) status = objects_settle(o, painted->label, r->what, what, why);
    if (status || !r->how_sure) return status;
    if (what->cut) report->doubt = doubt_wanted(r);
    return follow_confidence(&o->of[0], r->how_sure, doubt_wanted(r), why);
}

static int put_mask(run_state *r, frame_report *report, failure *why)
{
    const double start = machine_ms();
    int status = masks_out_put(&r->out, &r->film, report->frame, objects_result(&r->objects), why);
    if (!status && r->how_sure) status = masks_out_put(&r->sure, &r->film, report->frame, r->how_sure, why);
    report->write_ms = machine_ms() - start;
    report->image = r->film.list.count ? r->film.list.name[report->frame] : NULL;
    report->output = !status && *r->out.path ? r->out.path : NULL;
    return status;
}

/* Reports the frame. `status` is the result of its work, `why` the reason of a failure. */
static int report_frame(run_state *r, frame_report *report, int status, failure *why)
{
    failure ignored = {0};
    report->mask = status ? NULL : objects_result(&r->objects);
    report->labelled = r->objects.labelled ? &r->objects : NULL;
    if (r->my->common.verbose && !status) frame_report_print(report);
    const int logged = frame_report_put(&r->log, report, status ? why : NULL, status ? &ignored : why);
    return status ? status : logged;
}

/* Cuts and writes a frame that has been read. */
static int work_frame(run_state *r, double began, failure *why)
{
    notes log = r->film.log; /* the notes from reading the frame */
    seeds painted = {0};
    followed what = {0};
    frame_report report = {.film = r->film.path, .window = 1, .frame = r->film.frames - 1, .width = r->film.width,
                         .height = r->film.height, .what = &what, .notes = &log, .read_ms = machine_ms() - began};
    const bool had = objects_known(&r->objects);
    r->film.log = (notes){0};
    int status = cut_frame(r, &report, &painted, &what, &log, why);
    if (!status && had && what.cut && !what.foreground && what.changed)
        note(&log, "frame %lld: nothing of the object is left; masks stay empty until strokes come",
             (long long)report.frame);
    notes_show(&log, r->my->common.quiet);
    if (!status) status = put_mask(r, &report, why);
    report.total_ms = machine_ms() - began;
    status = report_frame(r, &report, status, why);
    seeds_free(&painted);
    notes_free(&log);
    return status;
}

/* Takes the masks of all objects in the next frame, and prepares the outputs of that frame. */
static int take_masks(run_state *r, const uint8_t *painted, followed *what, failure *why)
{
    objects *const o = &r->objects;
    int status = EXIT_DONE;
    for (int i = 0; !status && i < o->count; i++) {
        status = windows_take(&r->windows, i, &o->of[i], &r->what[i], why);
        if (!status) status = follow_clean(&o->of[i], objects_seeds(o, i, painted), &r->what[i], why);
    }
    return status ? status : objects_settle(o, painted, r->what, what, why);
}

/* Writes and reports the masks that are ready. */
static int write_ready(run_state *r, int ready, failure *why)
{
    int status = EXIT_DONE;
    for (; !status && ready > 0; ready--) {
        waiting *const of = windows_first(&r->windows);
        followed what = {0};
        frame_report report = {.film = r->film.path, .frame = r->windows.taken, .width = r->film.width,
                             .height = r->film.height, .what = &what, .notes = &of->log, .read_ms = of->read_ms,
                             .seeds_ms = of->seeds_ms, .painted = of->marked ? &of->painted : NULL,
                             .window = r->windows.window};
        status = r->how_sure ? windows_confidence(&r->windows, r->how_sure, doubt_wanted(r), why) : EXIT_DONE;
        if (!status) status = take_masks(r, of->painted.label, &what, why);
        if (r->how_sure && what.cut) report.doubt = doubt_wanted(r);
        if (!status) status = put_mask(r, &report, why);
        report.total_ms = of->total_ms + report.write_ms;
        status = report_frame(r, &report, status, why);
        windows_done(&r->windows);
    }
    return status;
}

/* Adds a frame that has been read to the next window. */
static int add_frame(run_state *r, double began, failure *why)
{
    const film *const f = &r->film;
    objects *const o = &r->objects;
    waiting *const one = windows_next(&r->windows);
    frame_report report = {.frame = f->frames - 1};
    mask_file begin = {0};
    int ready = 0;
    one->read_ms = machine_ms() - began;
    one->log = f->log;
    r->film.log = (notes){0};
    int status = read_marks(r, &report, &one->painted, &begin, &one->log, why);
    one->seeds_ms = report.seeds_ms;
    one->marked = one->painted.label != NULL;
    notes_show(&one->log, r->my->common.quiet);
    const tilecut_image frame = image_of(f);
    for (int i = 0; !status && i < o->count; i++) {
        const uint8_t *const labels = objects_seeds(o, i, one->painted.label);
        const uint8_t *const prior = objects_prior(o, i, begin.foreground);
        status = windows_add(&r->windows, i, &frame, labels, prior, &ready, why);
        o->of[i].known = o->of[i].known || labels || prior;
    }
    if (!o->labelled && !cleanup_wanted(&r->my->cleanup)) { /* the film has a copy of these seeds, so they are needed
                                                               only for cleaning masks later */
        free(one->painted.label);
        one->painted.label = NULL;
    }
    mask_file_free(&begin);
    one->total_ms = machine_ms() - began;
    return status ? status : write_ready(r, ready, why);
}

static int end_windows(run_state *r, failure *why)
{
    int ready = 0, status = EXIT_DONE;
    for (int i = 0; !status && i < r->objects.count; i++)
        status = windows_add(&r->windows, i, NULL, NULL, NULL, &ready, why);
    return status ? status : write_ready(r, ready, why);
}

static int work_all(run_state *r, failure *why)
{
    const double start = machine_ms();
    int status = EXIT_DONE;
    for (bool more = true; !status && more;) {
        const double began = machine_ms();
        status = film_next(&r->film, &more, why);
        if (!status && more) status = r->windows.film ? add_frame(r, began, why) : work_frame(r, began, why);
    }
    if (!status && r->windows.film) status = end_windows(r, why);
    const char *const name = file_input_name(r->film.path);
    if (!status && !r->film.frames) status = fail(why, EXIT_INPUT, "%s: has no frames", name);
    if (!status) status = marks_left(&r->marks, r->film.frames, name, why);
    const double ms = machine_ms() - start;
    if (!status && r->my->common.verbose)
        fprintf(stderr, "tilecut: %lld frames in %.1f s (%.1f frames/s)\n", (long long)r->film.frames, ms / 1e3,
                (double)r->film.frames / (ms / 1e3));
    return status;
}

/* Refuses outputs that would overwrite inputs. */
static int check_outputs(const run_state *r, const char *path, failure *why)
{
    const wanted *const my = r->my;
    const frame_list *const frames = &r->film.list;
    const char **const read = malloc(((size_t)r->marks.count + (size_t)frames->count + 3) * sizeof *read);
    outputs all = {.makes = r->out.folder ? r->out.name : NULL};
    int count = 0;
    if (!read) return fail(why, EXIT_RESOURCES, "not enough memory for names");
    if (my->in.mask) read[count++] = my->in.mask;
    if (my->legend) read[count++] = my->legend;
    for (int i = 0; i < r->marks.count; i++) read[count++] = r->marks.item[i].file;
    int status = masks_out_check(&r->out, frames, read, count, why);
    if (!status && my->sure) status = masks_out_check(&r->sure, frames, read, count, why);
    if (!status && my->sure) status = masks_out_check_report(&r->sure, my->common.json, why);
    if (!status) status = masks_out_check_report(&r->out, my->common.json, why);
    if (!frames->count) read[count++] = path;
    for (int i = 0; i < frames->count; i++) read[count++] = frames->name[i];
    if (!status) status = masks_out_check_apart(&r->out, &r->sure, why);
    if (!r->out.folder) outputs_add(&all, "--output", r->out.name, true);
    if (!r->sure.folder) outputs_add(&all, "--confidence", my->sure, true);
    outputs_add(&all, "--json", my->common.json, false);
    if (!status) status = outputs_check(&all, read, count, why);
    outputs_free(&all);
    free(read);
    return status;
}

/* Checks everything that can be refused before the film is read. */
static int plan(run_state *r, const char *path, failure *why)
{
    const wanted *const my = r->my;
    if (my->in.mask && !strcmp(my->in.mask, "-") && !r->film.list.count)
        return fail(why, EXIT_USAGE, "--mask: - is standard input, where the film comes from; name a file");
    int status = marks_init(&r->marks, &my->in, why);
    if (!status && my->labelled) status = marks_alone(&r->marks, why);
    return status ? status : check_outputs(r, path, why);
}

static int frames_ahead(const run_state *r)
{
    enum { MOST = 32 };
    if (r->my->ahead >= 0) return r->my->ahead;
    const int64_t gap = marks_gap(&r->marks);
    return gap < 1 ? 1 : gap < MOST ? (int)gap : MOST;
}

static int open_film(run_state *r, const char *path, failure *why)
{
    wanted my = *r->my;
    image_limits limits = my.in.request.limits;
    limits.max_pixels = my.in.max_pixels;
    limits.max_bytes = inputs_memory(&my.in);
    const tilecut_film_shape shape = {.size = sizeof shape, .window = my.window, .ahead = frames_ahead(r)};
    int status = film_open(&r->film, path, &my.shape, &limits, why);
    r->maps = (label_source){&r->my->in, my.legend, my.background, &r->film};
    if (!status && my.labelled) status = objects_find(&r->objects, &r->maps, &r->marks, why);
    const uint64_t films = my.labelled ? (uint64_t)r->objects.count : 1;
    my.in.beside = objects_bytes(&r->objects) + (my.sure ? 1u : 0) +
                   (my.window ? films * windows_bytes(&shape, my.sure != NULL) : 0);
    const image frame = {.width = r->film.width, .height = r->film.height, .channels = r->film.channels, .depth = 8};
    if (!status && inputs_check_memory(&my.in, path, &frame, my.model.connectivity, why)) return why->status;
    const follow like = {.params = r->params, .cleanup = &r->my->cleanup, .carry = my.carry < 0 ? 1 : my.carry,
                         .islands = my.model.islands};
    if (!status) status = objects_begin(&r->objects, &like, r->film.width, r->film.height, why);
    r->what = status ? NULL : calloc((size_t)r->objects.count, sizeof *r->what);
    return status || r->what ? status : fail(why, EXIT_RESOURCES, "not enough memory for what is followed");
}

/* Converts a number that the user gave, because the library takes zero as "not given". */
static double or_none(double given)
{
    return given < 0 ? 0 : given > 0 ? given : TILECUT_NONE;
}

static int open_windows(run_state *r, failure *why)
{
    const wanted *const my = r->my;
    const int overlap = my->overlap > 0 ? my->overlap : my->overlap == 0 || my->window == 1 ? TILECUT_NONE : 0;
    const tilecut_film_shape shape = {.size = sizeof shape, .width = r->film.width, .height = r->film.height,
                                      .channels = r->film.channels, .window = my->window, .overlap = overlap,
                                      .ahead = frames_ahead(r), .time = or_none(my->time), .carry = or_none(my->carry)};
    return windows_begin(&r->windows, r->objects.count, &shape, &r->params, why);
}

/* Opens the outputs: masks and confidences. */
static int open_outputs(run_state *r, failure *why)
{
    const size_t pixels = (size_t)r->film.width * (size_t)r->film.height;
    if (r->objects.labelled) r->out.palette = (const uint8_t(*)[3])r->objects.legend.of.color;
    int status = masks_out_open(&r->out, why);
    if (status || !r->my->sure) return status;
    status = masks_out_open(&r->sure, why);
    r->how_sure = status ? NULL : malloc(pixels);
    return status || r->how_sure ? status : fail(why, EXIT_RESOURCES, "not enough memory for --confidence");
}

static int end_outputs(run_state *r, bool good, failure *why)
{
    failure ignored = {0};
    const int status = masks_out_end(&r->out, good, why);
    const int other = masks_out_end(&r->sure, good && !status, status ? &ignored : why);
    return status ? status : other;
}

static int video(const wanted *my, const char *const *films, int count, failure *why)
{
    const char *const path = count ? films[0] : "-";
    run_state r = {.my = my, .log = {.descriptor = -1}, .film = {.descriptor = -1}};
    notes log = {0};
    failure ignored = {0};
    int status = video_options_check(my, why);
    if (!status) status = masks_out_plan(&r.out, "--output", my->output, my->format, my->invert, why);
    if (!status && my->sure) status = masks_out_plan(&r.sure, "--confidence", my->sure, NULL, false, why);
    if (!status) status = frame_list_find(&r.film.list, films, count, why);
    if (!status) status = plan(&r, path, why);
    r.params = tilecut_params_default();
    if (!status) status = engine_choose(&my->common, &r.params, &log, why);
    notes_show(&log, my->common.quiet);
    notes_free(&log);
    model_apply(&my->model, &r.params);
    if (!status) status = open_film(&r, path, why);
    if (!status && my->window) status = open_windows(&r, why);
    if (!status) status = open_outputs(&r, why);
    if (!status) status = json_log_open(&r.log, my->common.json, why);
    if (!status) status = work_all(&r, why);
    const int ended = end_outputs(&r, !status, status ? &ignored : why);
    if (!status) status = ended;
    const int closed = json_log_close(&r.log, status ? &ignored : why);
    free(r.how_sure);
    windows_end(&r.windows);
    objects_end(&r.objects);
    free(r.what);
    film_close(&r.film);
    marks_free(&r.marks);
    return status ? status : closed;
}

int verb_video(int argc, char **argv, failure *why)
{
    wanted my = {.carry = -1, .overlap = -1, .ahead = -1, .time = -1};
    int status;
    const syntax usage = {
        .verb = "video", .synopsis = "[FILM] -s [FRAME:]SEEDS -o MASKS [options]",
        .about = "Follows an object through a film: raw frames, y4m or pictures in, a mask for each frame out.\n"
                 "FILM is a file or a pipe; - or none: standard input. Frames that are pictures are a folder, a\n"
                 "name with %04d or *, or several names.",
        .epilogue = EPILOGUE, .operands_min = 0, .operands_max = -1, .operands = "the FILM",
        .sets = {{video_options, &my}, {cleanup_options, &my.cleanup}, {input_options, &my.in},
                 {model_options, &my.model}, {engine_options, &my.common}, {common_options, &my.common}},
        .log = &my.given};
    inputs_init(&my.in);
    model_init(&my.model);
    if (options_parse(&usage, &argc, argv, &status, why)) status = video(&my, (const char *const *)argv, argc, why);
    inputs_free(&my.in);
    free(my.given.items);
    return status;
}
