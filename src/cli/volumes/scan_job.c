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
#include "engine.h"
#include "machine.h"
#include "scan_seeds.h"
#include "tilecut_parts.h"

/* ---- planning --------------------------------------------------------------------------------- */

/* Checks that volumes of so many slices can be written (0: not known yet). */
static int check_outputs(const job *base, int slices, failure *why)
{
    if (base->mask_out) STEP(scan_can_write(base->files.mask, slices, why));
    return base->sure_out ? scan_can_write(base->files.sure, slices, why) : EXIT_DONE;
}

int scan_job_plan(scan_job *j, failure *why)
{
    job *const base = j->base;
    const job_files *const files = &base->files;
    const inputs *const in = base->request->inputs;
    base->mask_out = outputs_add(&base->outputs, "--output", files->mask, true);
    base->sure_out = outputs_add(&base->outputs, "--confidence", files->sure, true);
    j->preview_out = outputs_add(&base->outputs, "--preview", j->preview, true);
    base->json_out = outputs_add(&base->outputs, "--json", files->json, false);
    STEP(outputs_check_photo(&base->outputs, files->photo, files->seeds.items, files->seeds.count,
                             (outputs_beside){in->mask, in->previous, NULL}, why));
    STEP(check_outputs(base, 0, why));
    return j->preview_out ? image_can_write(j->preview, IMAGE_PICTURE, 3, why) : EXIT_DONE;
}

/* ---- reading ---------------------------------------------------------------------------------- */

scan_reading scan_job_reading(const inputs *in, const scan_options *options, image_limits *limits)
{
    *limits = in->request.limits;
    limits->max_pixels = in->max_pixels;
    limits->max_bytes = inputs_memory(in);
    return (scan_reading){.limits = limits, .shape = options->shape};
}

/* Returns the request's inputs with the files of seeds for this scan. */
static inputs inputs_of(const scan_job *j)
{
    inputs mine = *j->base->request->inputs;
    if (j->base->files.seeds.count != mine.files.count) mine.formats = NULL;
    mine.files = j->base->files.seeds;
    return mine;
}

memory_lattice scan_job_lattice(const scan_job *j, const scan_extent *e)
{
    const inputs mine = inputs_of(j);
    const model *const how = j->base->request->model;
    const inputs *const in = j->base->request->inputs;
    const uint64_t masks = in->mask ? MEMORY_SCAN_MASK : in->previous ? MEMORY_SCAN_PREVIOUS :
                           j->base->files.sure ? MEMORY_SCAN_SURE : 0;
    const uint64_t iterations = how && how->iterations > 0 ? MEMORY_SCAN_ITERATIONS : 0;
    return (memory_lattice){.width = e->width, .height = e->height, .depth = e->depth, .sample = e->voxel,
                            .beside = in->beside + (masks > iterations ? masks : iterations),
                            .read_whole = scan_seeds_bytes_of_whole(&mine, e->voxel),
                            .connectivity = how && how->connectivity == 26 ? 26 : 6};
}

cleanup_lattice scan_job_layers(const scan_job *j, int slices)
{
    const model *const how = j->base->request->model;
    return (cleanup_lattice){j->scan.width, j->scan.height, slices, how && how->connectivity == 26 ? 26 : 6};
}

void scan_describe(const char *path, const scan *s, char *text, size_t room)
{
    const bool said = s->spacing[0] > 0;
    snprintf(text, room, "%s: %s, %dx%dx%d, %s, spacing %.6g x %.6g x %.6g%s", file_input_name(path), s->format->name,
             s->width, s->height, scan_slices(s), s->stored, said ? s->spacing[0] : 1, said ? s->spacing[1] : 1,
             said ? s->spacing[2] : 1, said ? "" : " (none is said)");
}

static void keep_figures(scan_job *j, double ms)
{
    run *const r = &j->base->run;
    const scan *const s = &j->scan;
    char text[640];
    r->width = s->width, r->height = s->height, r->slices = scan_slices(s);
    r->channels = 1, r->depth = 8 * (int)scan_voxel_bytes(s->type);
    memcpy(r->voxels, s->stored, sizeof r->voxels);
    for (int k = 0; k < 3; k++) r->spacing[k] = s->spacing[0] > 0 ? s->spacing[k] : 1;
    r->read_ms = ms;
    scan_describe(j->base->files.photo, s, text, sizeof text);
    run_stage(r, "read", ms, "%s", text);
}

int scan_count_missing(const scan *s, const scan_team *team, const char *name, int64_t *missing, notes *log,
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

void scan_fill_missing(scan *s, const scan_team *team, float value, uint8_t *label, uint8_t outside)
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
static void record_need(void *context, uint64_t need)
{
    const scan_job *const j = context;
    const int parts = j->team ? j->team->parts : j->parts;
    run_stage(&j->base->run, "part", 0, "%d of %d%s, needs %.1f MB of memory", j->team ? j->team->part : 0, parts,
              j->team ? "" : " and all others", (double)need / 1e6);
}

/* Returns how to read the scan: with room for the cut. */
static scan_reading reading_to_cut(scan_job *j, image_limits *limits, memory_plan *plan)
{
    scan_reading reading = scan_job_reading(j->base->request->inputs, j->options, limits);
    const int parts = j->team ? j->team->parts : j->parts;
    const scan_extent unknown = {0};
    reading.team = j->team, reading.spill = j->spill, reading.parts = parts;
    *plan = (memory_plan){.lattice = scan_job_lattice(j, &unknown), .parts = j->on_gpu && !j->team ? 0 : parts,
                          .first = j->team ? j->team->part : 0, .count = j->team ? 1 : parts};
    limits->need = memory_need, limits->plan = plan;
    if (j->spill) limits->max_bytes = 0; /* parts that work in turn have checked this before */
    else if (plan->parts) limits->admit = record_need, limits->admit_context = j;
    return reading;
}

/* Reads the initial mask, or the mask that the seeds correct. */
static int read_mask(scan_job *j, const scan_reading *reading, failure *why)
{
    job *const base = j->base;
    const inputs *const in = base->request->inputs;
    const double start = machine_ms();
    STEP(scan_mask_read(reading, in->mask ? in->mask : in->previous, &j->scan, file_input_name(base->files.photo),
                        &base->start, &base->run.notes, why));
    run_mask_stage(&base->run, in, &base->start, machine_ms() - start);
    return EXIT_DONE;
}

int scan_job_read(scan_job *j, failure *why)
{
    job *const base = j->base;
    const inputs *const in = base->request->inputs;
    const char *const path = base->files.photo, *const name = file_input_name(path);
    image_limits limits;
    memory_plan plan;
    const scan_reading reading = reading_to_cut(j, &limits, &plan);
    const inputs mine = inputs_of(j);
    double start = machine_ms();
    STEP(j->file ? scan_decode(name, j->file, j->file_size, &reading, &j->scan, &base->run.notes, why)
                 : scan_read(path, &reading, &j->scan, &base->run.notes, why));
    STEP(check_outputs(base, scan_slices(&j->scan), why));
    STEP(scan_count_missing(&j->scan, j->team, name, &j->missing, &j->base->run.notes, why));
    keep_figures(j, machine_ms() - start);
    start = machine_ms();
    STEP(scan_seeds_read(&mine, &reading, &j->scan, name, &base->seeds, &base->run.notes, why));
    run_seeds_stage(&base->run, &base->seeds, machine_ms() - start);
    return in->mask || in->previous ? read_mask(j, &reading, why) : EXIT_DONE;
}

/* ---- cutting ---------------------------------------------------------------------------------- */

enum { SAMPLE_MOST = 1 << 20, SAMPLE_WIDTH = 1 << 10 };

/* Takes every step-th voxel of the whole volume, as stored, in order. Each process fills in those of its own slices and
 * leaves 0 elsewhere. The processes then sum the samples, two in each 64-bit word; that is exact, because only one
 * process has a nonzero value at each place. */
static bool take_sample(const scan *s, const scan_team *team, size_t step, float *sample, size_t taken)
{
    const scan_own own = scan_own_of(s, team);
    const size_t slice = (size_t)s->width * (size_t)s->height, above = (size_t)s->above * slice;
    const size_t from = above + (size_t)own.first * slice, end = above + (size_t)own.end * slice;
    for (size_t i = (from + step - 1) / step; i < taken && i * step < end; i++)
        sample[i] = (float)scan_stored(s->voxels, s->type, i * step - above);
    return scan_sum(team, (int64_t *)(void *)sample, (taken + 1) / 2);
}

/* Finds the range of values from the sample, which is passed as a volume, filled up with voxels that do not count. */
static bool range_of_team(const scan *s, const scan_team *team, double range[2])
{
    const size_t count = (size_t)s->width * (size_t)s->height * (size_t)scan_slices(s);
    const size_t step = count / SAMPLE_MOST + 1, taken = (count + step - 1) / step;
    const size_t rows = (taken + SAMPLE_WIDTH - 1) / SAMPLE_WIDTH, all = rows * SAMPLE_WIDTH;
    float *const sample = calloc(all, sizeof *sample);
    bool done = sample && take_sample(s, team, step, sample, taken);
    for (size_t i = taken; done && i < all; i++) sample[i] = NAN;
    const tilecut_volume volume = {.width = SAMPLE_WIDTH, .height = (int)rows, .depth = 1, .type = TILECUT_VOXEL_F32,
                                   .voxels = sample};
    done = done && tilecut_volume_range(&volume, range) == TILECUT_OK;
    free(sample);
    return done;
}

/* Stored values. */
static bool find_stored_range(const scan *s, const scan_team *team, double range[2])
{
    const tilecut_volume volume = {.width = s->width, .height = s->height, .depth = s->depth, .type = s->type,
                                   .voxels = s->voxels};
    if (team && s->type != TILECUT_VOXEL_U8) return range_of_team(s, team, range);
    return tilecut_volume_range(&volume, range) == TILECUT_OK;
}

/* Converts two stored values to the values that they mean, the lower one first. */
static void scale_range(const scan *s, const double stored[2], double range[2])
{
    const double one = s->slope * stored[0] + s->offset, other = s->slope * stored[1] + s->offset;
    range[0] = fmin(one, other), range[1] = fmax(one, other);
}

bool scan_view(const scan *s, const scan_options *options, const scan_team *team, double range[2],
               tilecut_volume *out)
{
    double stored[2];
    *out = (tilecut_volume){.size = sizeof *out, .width = s->width, .height = s->height, .depth = s->depth,
                            .type = s->type, .voxels = s->voxels};
    memcpy(out->spacing, s->spacing, sizeof out->spacing);
    if (options->ranged) {
        memcpy(range, options->range, sizeof options->range);
        for (int k = 0; k < 2; k++) stored[k] = (range[k] - s->offset) / s->slope;
    } else {
        if (!find_stored_range(s, team, stored)) return false;
        scale_range(s, stored, range);
    }
    out->low = fmin(stored[0], stored[1]), out->high = fmax(stored[0], stored[1]);
    if (!(out->low < out->high)) out->low = out->high = 0; /* all voxels have the same value */
    return true;
}

int scan_note_one_grey(const scan *s, const scan_team *team, const double range[2], const char *name, notes *log)
{
    enum { GREYS = 256 };
    int64_t seen[GREYS] = {0};
    const scan_own own = scan_own_of(s, team);
    const size_t slice = (size_t)s->width * (size_t)s->height, end = slice * (size_t)own.end;
    const double scale = range[0] < range[1] ? (GREYS - 1) / (range[1] - range[0]) : 0;
    int levels = 0;
    for (size_t i = slice * (size_t)own.first; i < end && levels < 2; i++) {
        int64_t *const level = &seen[(int)fmin(fmax((scan_value(s, i) - range[0]) * scale, 0), GREYS - 1)];
        levels += !*level;
        *level = 1;
    }
    if (!scan_sum(team, seen, GREYS)) return EXIT_RUNTIME;
    levels = 0;
    for (int i = 0; i < GREYS; i++) levels += seen[i] > 0;
    if (levels == 1 && (!team || !team->part))
        note(log, "%s: all voxels have the same grey between %.6g (black) and %.6g (white), so strokes alone decide",
             name, range[0], range[1]);
    return EXIT_DONE;
}

int scan_job_make_labels(scan_job *j, failure *why)
{
    job *const base = j->base;
    base->mask = malloc(scan_count(&j->scan));
    if (base->mask) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", file_input_name(base->files.photo));
}

static tilecut_status cut_by(scan_job *j, const tilecut_volume *volume, const tilecut_params *how)
{
    job *const base = j->base;
    const inputs *const in = base->request->inputs;
    tilecut_params refining = *how;
    if (in->previous) {
        tilecut_corrected out = {0};
        memcpy(base->mask, base->start.foreground, scan_count(&j->scan));
        const tilecut_status status =
            tilecut_volume_correct(volume, base->seeds.label, how, in->learn ? TILECUT_BY_LEARNING : TILECUT_BY_STROKES,
                                   base->mask, &out, &base->run.cut);
        if (status == TILECUT_OK) job_keep_corrected(base, &out);
        return status;
    }
    refining.prior = base->start.foreground, refining.prior_reach = in->mask_reach;
    return tilecut_volume_segment(volume, base->seeds.label, &refining, base->mask, &base->run.cut);
}

static void plan_device(scan_job *j, tilecut_params *how)
{
    const job_request *const request = j->base->request;
    const bool masks = request->inputs->previous || request->inputs->mask, all = request->model->connectivity == 26;
    job_plan_device(j->base, masks || all ? CALIBRATION_HOST : CALIBRATION_VOLUME, scan_count(&j->scan), how);
}

static int cut_whole(scan_job *j, const tilecut_volume *volume, const tilecut_params *params, failure *why)
{
    job *const base = j->base;
    tilecut_params how = *params;
    STEP(scan_job_make_labels(j, why));
    plan_device(j, &how);
    tilecut_status status = cut_by(j, volume, &how);
    base->run.fell_back =
        status != TILECUT_OK && engine_falls_back(base->request->common, status, &how, &base->run.notes);
    if (base->run.fell_back) status = cut_by(j, volume, &how);
    return status == TILECUT_OK ? EXIT_DONE : engine_failure(status, file_input_name(base->files.photo), why);
}

int scan_job_view(scan_job *j, tilecut_volume *out, failure *why)
{
    if (!scan_view(&j->scan, j->options, j->team, j->base->run.range, out))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its range of values",
                    file_input_name(j->base->files.photo));
    if (j->missing) scan_fill_missing(&j->scan, j->team, (float)out->low, j->base->seeds.label, TILECUT_OUTSIDE);
    return EXIT_DONE;
}

/* Finds the window that the seeds need, if it is smaller than the scan. In a team no part can know that. */
static void find_window(scan_job *j, const tilecut_volume *volume)
{
    int *const window = j->base->run.window;
    const bool known = !j->team && tilecut_volume_window(volume, j->base->seeds.label, window) == TILECUT_OK;
    if (!known || (window[3] == volume->width && window[4] == volume->height && window[5] == volume->depth))
        memset(window, 0, sizeof j->base->run.window);
}

static int note_colors(scan_job *j, const tilecut_volume *volume, failure *why)
{
    job *const base = j->base;
    const option_list *const files = &base->files.seeds;
    const char *const name = files->count ? files->items[0] : file_input_name(base->files.photo);
    return scan_seeds_note(name, &j->scan, j->team, volume, &base->seeds, &base->run.notes, why);
}

int scan_job_look(scan_job *j, tilecut_volume *out, failure *why)
{
    run *const r = &j->base->run;
    STEP(scan_job_view(j, out, why));
    STEP(scan_note_one_grey(&j->scan, j->team, r->range, file_input_name(j->base->files.photo), &r->notes));
    STEP(note_colors(j, out, why));
    run_show_notes(r);
    return EXIT_DONE;
}

int scan_job_cut(scan_job *j, const tilecut_params *params, failure *why)
{
    job *const base = j->base;
    run *const r = &base->run;
    const scan *const s = &j->scan;
    tilecut_volume volume;
    tilecut_params how = *params;
    model_apply(base->request->model, &how);
    STEP(scan_job_look(j, &volume, why));
    STEP((j->cut ? j->cut : cut_whole)(j, &volume, &how, why));
    find_window(j, &volume);
    run_cut_stages(r);
    const cleanup_lattice slices = scan_job_layers(j, s->depth);
    if (!j->team) STEP(job_clean_up(base, &slices, why)); /* parts clean their labels together */
    STEP(job_find_confidence(base, scan_count(s), &volume, &how, why));
    STEP(job_compare_masks(base, &volume, why));
    if (!j->team) sha256(base->mask, scan_count(s), r->mask_sha256);
    r->solved = true;
    return EXIT_DONE;
}

/* ---- writing ---------------------------------------------------------------------------------- */

static int encode_outputs(scan_job *j, failure *why)
{
    job *const base = j->base;
    const scan *const s = &j->scan;
    if (j->preview_out)
        STEP(scan_preview(s, base->run.range, base->mask, base->seeds.label, j->preview, &j->preview_out->data, why));
    scan labels = {.width = s->width, .height = s->height, .depth = scan_slices(s), .type = TILECUT_VOXEL_U8,
                   .voxels = base->sure, .slope = 1};
    if (base->sure_out) STEP(scan_encode(base->sure_out->path, &labels, s, &base->sure_out->data, why));
    labels.voxels = base->mask;
    for (size_t i = 0; base->mask && base->request->style->invert && i < scan_count(&labels); i++)
        base->mask[i] ^= 0xff;
    if (!base->mask_out || base->mask_out->done) return EXIT_DONE;
    return scan_encode(base->mask_out->path, &labels, s, &base->mask_out->data, why);
}

static int write_outputs(scan_job *j, failure *why)
{
    job *const base = j->base;
    const double start = machine_ms();
    STEP(encode_outputs(j, why));
    STEP(outputs_write(&base->outputs, base->json_out, why));
    base->run.write_ms += machine_ms() - start;
    job_print_written(base);
    return base->files.json ? run_write_json(&base->run, NULL, why) : EXIT_DONE;
}

/* Makes the line that tells a person at a terminal what was found. It comes before --invert changes the labels. */
static void summarise(const scan_job *j, char *text, size_t room)
{
    const int side[3] = {j->scan.width, j->scan.height, j->scan.depth};
    const size_t count = scan_count(&j->scan);
    int first[3] = {side[0], side[1], side[2]}, last[3] = {0};
    size_t inside = 0;
    for (size_t i = 0; i < count; i++) {
        if (!j->base->mask[i]) continue;
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

int scan_job_write(scan_job *j, failure *why)
{
    const bool speaks = !j->team && j->base->mask && job_is_watched(j->base);
    char text[160];
    if (speaks) summarise(j, text, sizeof text);
    const int status = write_outputs(j, why);
    if (status) outputs_undo(&j->base->outputs);
    run_show_notes(&j->base->run);
    if (speaks && !status) job_print_line(j->base, text);
    return status;
}

int scan_job_do(scan_job *j, const tilecut_params *params, failure *why)
{
    STEP(scan_job_plan(j, why));
    STEP(scan_job_read(j, why));
    STEP(scan_job_cut(j, params, why));
    return scan_job_write(j, why);
}
