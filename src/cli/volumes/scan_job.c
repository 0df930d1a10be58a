/* SPDX-License-Identifier: MIT
 *
 * scan_job.c - see scan_job.h. Everything that can be refused is refused before the work begins.
 */
#include "scan_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "correct.h"
#include "machine.h"
#include "scan_seeds.h"
#include "tilecut_parts.h"

/* ---- planning --------------------------------------------------------------------------------- */

static scan_job *scan_of(const job *base)
{
    return base->of;
}

/* The scan has no slices yet, or has been read. */
static int plan_scan(job *base, failure *why)
{
    const int slices = scan_slices(&scan_of(base)->scan);
    if (base->mask_out) STEP(scan_can_write(base->files.mask, slices, why));
    if (base->sure_out) STEP(scan_can_write(base->files.sure, slices, why));
    return base->preview_out ? image_can_write(base->files.preview, IMAGE_PICTURE, 3, why) : EXIT_DONE;
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* Returns how to read the files of `in`, within its limits; fills in `limits`. */
static scan_reading reading_of(const inputs *in, const scan_options *options, image_limits *limits)
{
    *limits = in->request.limits;
    limits->max_pixels = in->max_pixels;
    limits->max_bytes = inputs_memory(in);
    return (scan_reading){.limits = limits, .shape = options->shape, .colors = true};
}

/* Returns the request's inputs with the files of seeds for this scan. */
static inputs inputs_of(const scan_job *j)
{
    inputs mine = *j->base->request->inputs;
    if (j->base->files.seeds.count != mine.files.count) mine.formats = NULL;
    mine.files = j->base->files.seeds;
    return mine;
}

/* Returns the size of a volume in the form that the estimate of memory needs. */
static memory_lattice lattice_of(const scan_job *j, const scan_extent *e)
{
    const inputs mine = inputs_of(j);
    const model *const how = j->base->request->model;
    const inputs *const in = j->base->request->inputs;
    const uint64_t masks = in->mask ? MEMORY_SCAN_MASK : j->base->files.sure ? MEMORY_SCAN_SURE : 0;
    const uint64_t iterations = how && how->iterations > 0 ? MEMORY_SCAN_ITERATIONS : 0;
    return (memory_lattice){.width = e->width, .height = e->height, .depth = e->depth, .sample = e->voxel,
                            .beside = in->beside + (masks > iterations ? masks : iterations),
                            .read_whole = scan_seeds_bytes_of_whole(&mine, e->voxel),
                            .connectivity = how && how->connectivity == 26 ? 26 : 6,
                            .corrects = in->previous != NULL};
}

static bool measure_scan(const job *base, memory_lattice *out)
{
    const scan_job *const j = scan_of(base);
    image_limits limits;
    const scan_reading reading = reading_of(base->request->inputs, j->options, &limits);
    scan_extent e;
    limits.max_bytes = 0;
    if (!scan_measure(base->files.photo, &reading, &e)) return false;
    *out = lattice_of(j, &e);
    return true;
}

cleanup_lattice scan_job_layers(const scan_job *j, int slices)
{
    const model *const how = j->base->request->model;
    return (cleanup_lattice){j->scan.width, j->scan.height, slices, how && how->connectivity == 26 ? 26 : 6};
}

void scan_describe(const char *path, const scan *s, char *text, size_t room)
{
    const bool said = s->spacing[0] > 0;
    snprintf(text, room, "%s: %s, %dx%dx%d, %s%s, spacing %.6g x %.6g x %.6g%s", file_input_name(path), s->format->name,
             s->width, s->height, scan_slices(s), s->stored, scan_channels(s) > 1 ? " in colour" : "",
             said ? s->spacing[0] : 1, said ? s->spacing[1] : 1, said ? s->spacing[2] : 1,
             said ? "" : " (none is said)");
}

static void keep_figures(scan_job *j, double ms)
{
    run *const r = &j->base->run;
    const scan *const s = &j->scan;
    char text[640];
    r->width = s->width, r->height = s->height, r->slices = scan_slices(s);
    r->channels = scan_channels(s), r->depth = 8 * (int)scan_voxel_bytes(s->type);
    memcpy(r->voxels, s->stored, sizeof r->voxels);
    for (int k = 0; k < 3; k++) r->spacing[k] = s->spacing[0] > 0 ? s->spacing[k] : 1;
    r->read_ms = ms;
    scan_describe(j->base->files.photo, s, text, sizeof text);
    run_stage(r, "read", ms, "%s", text);
}

int scan_count_missing(const scan *s, const tilecut_exchange *team, const char *name, int64_t *missing, notes *log,
                       failure *why)
{
    const scan_own own = scan_own_of(s, team);
    const size_t width = (size_t)s->width, height = (size_t)s->height, slice = width * height;
    const float *const value = s->voxels;
    *missing = 0;
    for (size_t i = 0; s->type == TILECUT_VOXEL_F32 && i < scan_count(s); i++) {
        if (isinf(value[i]))
            return fail(why, EXIT_INPUT, "%s: voxel %zu,%zu,%zu is infinite, or beyond what float holds (3.4e38); "
                        "every voxel has to be a number", name, i % width, i / width % height,
                        i / slice + (size_t)s->above);
        *missing += isnan(value[i]) && i >= slice * (size_t)own.first && i < slice * (size_t)own.end;
    }
    if (!scan_sum(team, missing, 1)) return EXIT_RUNTIME;
    if (*missing == (int64_t)slice * scan_slices(s))
        return fail(why, EXIT_INPUT, "%s: none of its voxels is a number", name);
    if (*missing && (!team || !team->part))
        note(log, "%s: %lld voxels are no numbers (NaN); they are taken for background", name, (long long)*missing);
    return EXIT_DONE;
}

void scan_fill_missing(scan *s, const tilecut_exchange *team, float value, uint8_t *label, uint8_t outside)
{
    float *const voxels = s->voxels;
    const scan_own own = scan_own_of(s, team);
    const size_t slice = (size_t)s->width * (size_t)s->height;
    const size_t first = slice * (size_t)own.first, end = slice * (size_t)own.end;
    for (size_t i = 0; i < scan_count(s); i++)
        if (isnan(voxels[i])) {
            voxels[i] = value;
            if (label && i >= first && i < end) label[i] = outside;
        }
}

/* For image_limits.admit: receives the bytes that this process will take, before it takes them. */
static void record_need(void *context, uint64_t need, uint64_t count)
{
    (void)count;
    const scan_job *const j = context;
    const int parts = j->team ? j->team->parts : j->parts;
    run_stage(&j->base->run, "part", 0, "%d of %d%s, needs %.1f MB of memory", j->team ? j->team->part : 0, parts,
              j->team ? "" : " and all others", (double)need / 1e6);
}

/* Finds out how to read the scan: with room for the cut. */
static void plan_reading(scan_job *j)
{
    const int parts = j->team ? j->team->parts : j->parts;
    const scan_extent unknown = {0};
    j->reading = reading_of(j->base->request->inputs, j->options, &j->limits);
    j->reading.colors = !j->in_grey;
    j->reading.team = j->team, j->reading.spill = j->spill, j->reading.parts = parts;
    j->plan = (memory_plan){.lattice = lattice_of(j, &unknown), .parts = j->on_gpu && !j->team ? 0 : parts,
                            .first = j->team ? j->team->part : 0, .count = j->team ? 1 : parts};
    j->limits.need = memory_need, j->limits.plan = &j->plan;
    if (j->spill) j->limits.max_bytes = 0; /* parts that work in turn have checked this before */
    else if (j->plan.parts) j->limits.admit = record_need, j->limits.admit_context = j;
}

static int read_scan(job *base, failure *why)
{
    scan_job *const j = scan_of(base);
    const char *const path = base->files.photo, *const name = file_input_name(path);
    const double start = machine_ms();
    plan_reading(j);
    STEP(j->file ? scan_decode(name, j->file, j->file_size, &j->reading, &j->scan, &base->run.notes, why)
                 : scan_read(path, &j->reading, &j->scan, &base->run.notes, why));
    STEP(plan_scan(base, why));
    if (!scan_settle_colors(&j->scan, j->team)) return fail(why, EXIT_RUNTIME, "%s: another part has failed", name);
    STEP(scan_count_missing(&j->scan, j->team, name, &j->missing, &base->run.notes, why));
    keep_figures(j, machine_ms() - start);
    return EXIT_DONE;
}

static int read_seeds(job *base, failure *why)
{
    scan_job *const j = scan_of(base);
    const inputs mine = inputs_of(j);
    return scan_seeds_read(&mine, &j->reading, &j->scan, file_input_name(base->files.photo), &base->seeds,
                           &base->run.notes, why);
}

static int read_mask(job *base, failure *why)
{
    scan_job *const j = scan_of(base);
    const inputs *const in = base->request->inputs;
    if (!in->mask && !in->previous) return EXIT_DONE;
    return scan_mask_read(&j->reading, in->mask ? in->mask : in->previous, &j->scan,
                          file_input_name(base->files.photo), &base->start, &base->run.notes, why);
}

/* ---- cutting ---------------------------------------------------------------------------------- */

/* Stored values. */
static tilecut_status find_stored_range(const scan *s, const tilecut_exchange *team, double range[2])
{
    const tilecut_volume volume = {.size = sizeof volume, .width = s->width, .height = s->height, .depth = s->depth,
                                   .type = s->type, .voxels = s->voxels, .channels = scan_channels(s)};
    tilecut_part part = {.height = scan_slices(s), .exchange = team};
    if (!team) return tilecut_volume_range(&volume, range);
    tilecut_part_rows(part.height, team->parts, team->part, &part.first, &part.rows);
    return tilecut_part_volume_range(&part, &volume, range);
}

/* Converts two stored values to the values that they mean, the lower one first. */
static void scale_range(const scan *s, const double stored[2], double range[2])
{
    const double one = s->slope * stored[0] + s->offset, other = s->slope * stored[1] + s->offset;
    range[0] = fmin(one, other), range[1] = fmax(one, other);
}

tilecut_status scan_view(const scan *s, const scan_options *options, const tilecut_exchange *team, double range[2],
                         tilecut_volume *out)
{
    double stored[2];
    *out = (tilecut_volume){.size = sizeof *out, .width = s->width, .height = s->height, .depth = s->depth,
                            .type = s->type, .voxels = s->voxels, .channels = scan_channels(s)};
    memcpy(out->spacing, s->spacing, sizeof out->spacing);
    if (options->ranged) {
        memcpy(range, options->range, sizeof options->range);
        for (int k = 0; k < 2; k++) stored[k] = (range[k] - s->offset) / s->slope;
    } else {
        const tilecut_status status = find_stored_range(s, team, stored);
        if (status != TILECUT_OK) return status;
        scale_range(s, stored, range);
    }
    out->low = fmin(stored[0], stored[1]), out->high = fmax(stored[0], stored[1]);
    if (!(out->low < out->high)) out->low = out->high = 0; /* all voxels have the same value */
    return TILECUT_OK;
}

int scan_note_one_grey(const scan *s, const tilecut_exchange *team, const double range[2], const char *name, notes *log)
{
    enum { GREYS = 256, MOST = 3 };
    int64_t seen[MOST * GREYS] = {0};
    const scan_own own = scan_own_of(s, team);
    const size_t channels = (size_t)scan_channels(s), slice = (size_t)s->width * (size_t)s->height * channels;
    const size_t end = slice * (size_t)own.end;
    const double scale = range[0] < range[1] ? (GREYS - 1) / (range[1] - range[0]) : 0;
    int levels = 0, most = 0;
    for (size_t i = slice * (size_t)own.first; i < end && levels < 2 * MOST; i++) {
        int64_t *const level = &seen[i % channels * GREYS +
                                     (size_t)fmin(fmax((scan_value(s, i) - range[0]) * scale, 0), GREYS - 1)];
        levels += !*level;
        *level = 1;
    }
    if (!scan_sum(team, seen, MOST * GREYS)) return EXIT_RUNTIME;
    for (int i = 0; i < MOST * GREYS; i++) {
        levels = i % GREYS ? levels : 0;
        levels += seen[i] > 0;
        most = levels > most ? levels : most;
    }
    if (most == 1 && (!team || !team->part))
        note(log, "%s: all voxels have the same %s between %.6g (black) and %.6g (white), so strokes alone decide",
             name, channels > 1 ? "colour" : "grey", range[0], range[1]);
    return EXIT_DONE;
}

int scan_job_make_labels(scan_job *j, failure *why)
{
    job *const base = j->base;
    const size_t count = scan_count(&j->scan);
    base->mask = j->spill ? spill_take(j->spill, count) : malloc(count);
    if (base->mask) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough %s for its labels", file_input_name(base->files.photo),
                j->spill ? "room on the disk" : "memory");
}

static tilecut_status segment(job *base, const tilecut_params *how)
{
    const inputs *const in = base->request->inputs;
    tilecut_params refining = *how;
    if (in->previous) {
        tilecut_corrected out = {0};
        memcpy(base->mask, base->start.foreground, scan_count(&scan_of(base)->scan));
        const tilecut_status status =
            tilecut_volume_correct(&base->volume, base->seeds.label, how, in->learn ? TILECUT_BY_LEARNING
                                   : TILECUT_BY_STROKES, base->mask, &out, &base->run.cut);
        if (status == TILECUT_OK) job_keep_corrected(base, &out);
        return status;
    }
    refining.prior = base->start.foreground, refining.prior_reach = in->mask_reach;
    return tilecut_volume_segment(&base->volume, base->seeds.label, &refining, base->mask, &base->run.cut);
}

static int cut_whole(scan_job *j, const tilecut_params *params, failure *why)
{
    const job_request *const request = j->base->request;
    const bool masks = request->inputs->previous || request->inputs->mask, all = request->model->connectivity == 26;
    tilecut_params how = *params;
    STEP(scan_job_make_labels(j, why));
    job_plan_device(j->base, masks || all ? CALIBRATION_HOST : CALIBRATION_VOLUME, scan_count(&j->scan), &how);
    return job_try(j->base, segment, &how, why);
}

int scan_job_view(scan_job *j, tilecut_volume *out, failure *why)
{
    if (scan_view(&j->scan, j->options, j->team, j->base->run.range, out) != TILECUT_OK)
        return fail(why, EXIT_RESOURCES, "%s: %s", file_input_name(j->base->files.photo), tilecut_error_detail());
    if (j->missing) scan_fill_missing(&j->scan, j->team, (float)out->low, j->base->seeds.label, TILECUT_OUTSIDE);
    return EXIT_DONE;
}

/* Finds the window that the seeds need, if it is smaller than the scan. In a team no part can know that. */
static void find_window(job *base)
{
    const tilecut_volume *const volume = &base->volume;
    int *const window = base->run.window;
    const bool known = !base->part && tilecut_volume_window(volume, base->seeds.label, window) == TILECUT_OK;
    if (!known || (window[3] == volume->width && window[4] == volume->height && window[5] == volume->depth))
        memset(window, 0, sizeof base->run.window);
}

static int look_at_scan(job *base, failure *why)
{
    scan_job *const j = scan_of(base);
    const option_list *const files = &base->files.seeds;
    const char *const name = file_input_name(base->files.photo);
    notes *const log = &base->run.notes;
    STEP(scan_job_view(j, &base->volume, why));
    STEP(scan_note_one_grey(&j->scan, j->team, base->run.range, name, log));
    STEP(scan_seeds_note(files->count ? files->items[0] : name, &j->scan, j->team, &base->volume, &base->seeds, log,
                         why));
    run_show_notes(&base->run);
    return EXIT_DONE;
}

static int cut_scan(job *base, const tilecut_params *how, failure *why)
{
    scan_job *const j = scan_of(base);
    STEP((j->cut ? j->cut : cut_whole)(j, how, why));
    find_window(base);
    run_cut_stages(&base->run);
    return EXIT_DONE;
}

/* The labels of parts are cleaned later, by all parts together. */
static int clean_scan(job *base, failure *why)
{
    const cleanup_lattice slices = scan_job_layers(scan_of(base), base->volume.depth);
    return base->part ? EXIT_DONE : job_clean_up(base, &slices, why);
}

/* ---- writing ---------------------------------------------------------------------------------- */

static int encode_scan(job *base, failure *why)
{
    const scan *const s = &scan_of(base)->scan;
    scan labels = {.width = s->width, .height = s->height, .depth = scan_slices(s), .type = TILECUT_VOXEL_U8,
                   .voxels = base->sure, .slope = 1};
    if (base->preview_out)
        STEP(scan_preview(s, base->run.range, base->mask, base->seeds.label, base->files.preview,
                          &base->preview_out->data, why));
    if (base->sure_out) STEP(scan_encode(base->sure_out->path, &labels, s, &base->sure_out->data, why));
    if (!base->mask_out || base->mask_out->done) return EXIT_DONE;
    labels.voxels = base->mask;
    for (size_t i = 0; base->request->style->invert && i < scan_count(&labels); i++) base->mask[i] ^= 0xff;
    return scan_encode(base->mask_out->path, &labels, s, &base->mask_out->data, why);
}

/* Says how large the object is. */
static void describe_mask(const job *base, char *text, size_t room)
{
    const scan *const s = &scan_of(base)->scan;
    const int side[3] = {s->width, s->height, s->depth};
    const size_t count = scan_count(s);
    int first[3] = {side[0], side[1], side[2]}, last[3] = {0};
    size_t inside = 0;
    for (size_t i = 0; i < count; i++) {
        if (!base->mask[i]) continue;
        size_t rest = i;
        inside++;
        for (int k = 0; k < 3; rest /= (size_t)side[k++]) {
            const int at = (int)(rest % (size_t)side[k]);
            if (at < first[k]) first[k] = at;
            if (at > last[k]) last[k] = at;
        }
    }
    if (!inside || inside == count)
        snprintf(text, room, "%s of the scan is object", inside ? "all" : "nothing");
    else
        snprintf(text, room, "the object has %zu voxels (%.3g %%), %dx%dx%d from %d,%d,%d", inside,
                 100.0 * (double)inside / (double)count, last[0] - first[0] + 1, last[1] - first[1] + 1,
                 last[2] - first[2] + 1, first[0], first[1], first[2]);
}

static const job_kind job_of_scan = {.plan = plan_scan, .measure = measure_scan, .read = read_scan, .seeds = read_seeds,
                                     .mask = read_mask, .look = look_at_scan, .cut = cut_scan, .clean = clean_scan,
                                     .encode = encode_scan, .describe = describe_mask};

void scan_job_init(scan_job *j, job *base, const scan_options *options)
{
    *j = (scan_job){.base = base, .options = options};
    base->kind = &job_of_scan;
    base->of = j;
}

int scan_job_do(scan_job *j, const tilecut_params *params, failure *why)
{
    STEP(job_plan(j->base, why));
    STEP(job_read(j->base, why));
    if (j->base->checked) return j->base->kind->look(j->base, why);
    STEP(job_cut(j->base, params, why));
    return job_write(j->base, why);
}
