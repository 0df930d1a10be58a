/* SPDX-License-Identifier: MIT
 *
 * report.c - see report.h.
 */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"

void run_init(run *r, const common *common_options_of_run)
{
    *r = (run){.common = common_options_of_run, .start_ms = machine_ms()};
}

void run_free(run *r)
{
    notes_free(&r->notes);
}

/* ---- lines ------------------------------------------------------------------------------------ */

/* Copies a file's name, which may hold any bytes, as fail() would show it on one line. */
static void printable(const char *text, char *line, size_t room)
{
    failure shown;
    fail(&shown, EXIT_DONE, "%s", text);
    snprintf(line, room, "%s", shown.text);
}

void run_stage(const run *r, const char *stage, double ms, const char *format, ...)
{
    char text[1024], line[640];
    va_list arguments;
    if (!r->common->verbose) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printable(text, line, sizeof line);
    fprintf(stderr, "%-8s %9.2f ms  %s\n", stage, ms, line);
}

void describe_photo(const char *path, const image *photo, char *text, size_t room)
{
    static const char *const kinds[] = {"", "grey", "grey + alpha", "RGB", "RGB + alpha"};
    char line[1024];
    snprintf(line, sizeof line, "%s: %s, %dx%d, %s, %d bits a sample", file_input_name(path), photo->format,
             photo->width, photo->height, kinds[photo->channels], photo->depth);
    printable(line, text, room);
}

void run_photo_stage(run *r, const char *path, const image *photo, double ms)
{
    char text[640];
    r->width = photo->width;
    r->height = photo->height;
    r->channels = photo->channels;
    r->depth = photo->depth;
    r->read_ms = ms;
    describe_photo(path, photo, text, sizeof text);
    run_stage(r, "read", ms, "%s", text);
}

void describe_seeds_part(const seeds *all, const seeds_part *part, char *text, size_t room)
{
    const bool colors = !strcmp(part->format, "color") || !strcmp(part->format, "diff");
    const uint8_t *f = all->fg_color.rgb, *b = all->bg_color.rgb;
    char line[1024], pair[64] = "", ignored[64] = "";
    if (colors && all->fg_color.given && all->bg_color.given)
        snprintf(pair, sizeof pair, " (foreground #%02x%02x%02x, background #%02x%02x%02x)", f[0], f[1], f[2],
                 b[0], b[1], b[2]);
    if (part->ignored)
        snprintf(ignored, sizeof ignored, ", %" PRId64 " in other colours", part->ignored);
    snprintf(line, sizeof line, "%s read as %s%s: %" PRId64 " foreground, %" PRId64 " background%s", part->name,
             part->format, pair, part->foreground, part->background, ignored);
    printable(line, text, room);
}

void run_seeds_stage(run *r, const seeds *all, double ms)
{
    char text[640];
    r->seeds = all;
    r->seeds_ms = ms;
    run_stage(r, "seeds", ms, "%" PRId64 " foreground, %" PRId64 " background, %" PRId64 " unknown pixels",
              all->foreground, all->background, all->unknown);
    for (int i = 0; i < all->part_count && r->common->verbose; i++) {
        describe_seeds_part(all, &all->part[i], text, sizeof text);
        fprintf(stderr, "%22s %s\n", "", text);
    }
}

void show_decisions(const common *asked, const tilecut_report *cut)
{
    for (int i = 0; i < cut->decisions && asked->verbose; i++) {
        const tilecut_decision *const d = &cut->decision[i];
        fprintf(stderr, "%22s round %d: %" PRId64 " active; GPU %.4g, CPU %.4g a ms; moving pays from %.4g; %" PRId64
                " bytes; on with %s: %s\n", "", d->rounds, d->active, d->cuda_rate, d->cpu_rate, d->threshold,
                d->bytes, d->next, d->reason);
    }
}

void run_mask_stage(run *r, const inputs *in, const mask_file *mask, double ms)
{
    r->start = in->mask ? in->mask : in->previous;
    r->start_format = mask->format;
    r->correcting = !in->mask;
    r->start_inside = mask->inside;
    r->seeds_ms += ms;
    run_stage(r, "mask", ms, "%s read as %s: %" PRId64 " foreground pixels, %s", file_input_name(r->start),
              mask->format, mask->inside, in->mask ? "wished for" : "to be corrected");
}

/* Whether the mask is still the minimum cut: no clean-up step changed a pixel. (If one step undid another, this still
 * says no.) */
static bool run_is_minimum(const run *r)
{
    return !r->cleaned.pixels_dropped && !r->cleaned.pixels_filled && !r->cut.islands;
}

const char *run_device(const tilecut_report *cut, char name[RUN_DEVICE])
{
    if (cut->device_index == 0) return cut->device;
    snprintf(name, RUN_DEVICE, "%s:%d", cut->device, cut->device_index);
    return name;
}

void run_cut_stages(const run *r)
{
    char device[RUN_DEVICE];
    const tilecut_report *cut = &r->cut;
    run_stage(r, "model", cut->model_ms, "colours %s, lambda %g, beta %.6g, quantum %g", cut->colors,
              cut->lambda, cut->beta, cut->quantum);
    for (int i = 0; i <= cut->iterations && cut->iteration_energy[0] != 0; i++)
        if (r->common->verbose)
            fprintf(stderr, "tilecut: %s %d: energy %.6f\n", i ? "iteration" : "before iteration", i ? i : 1,
                    cut->iteration_energy[i]);
    run_stage(r, "graph", cut->graph_ms, "%d neighbours, %.1f bytes a pixel", cut->connectivity,
              cut->bytes_per_pixel);
    run_stage(r, "solve", cut->solve_ms, "%s on %s, %d thread%s", cut->solver, run_device(cut, device), cut->threads,
              cut->threads == 1 ? "" : "s");
    show_decisions(r->common, cut);
    run_stage(r, "certify", cut->certify_ms, "flow %" PRId64 " = cut %" PRId64 ", energy %.6g", cut->flow,
              cut->cut, cut->energy);
}

void run_cleanup_stage(const run *r, double ms)
{
    const cleaned *c = &r->cleaned;
    run_stage(r, "clean-up", ms, "%" PRId64 " regions of %" PRId64 " pixels dropped, %" PRId64 " holes of %" PRId64
              " filled; %s", c->regions_dropped, c->pixels_dropped, c->holes_filled, c->pixels_filled,
              run_is_minimum(r) ? "the mask is the minimum cut" : "the mask is no longer the minimum cut");
}

void run_show_notes(run *r)
{
    for (; r->notes_shown < r->notes.count; r->notes_shown++)
        if (!r->common->quiet) fprintf(stderr, "tilecut: note: %s\n", r->notes.text[r->notes_shown]);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void put_photo(json *j, const run *r)
{
    static const char *const keys[] = {"width", "height", "channels", "depth"};
    const int values[] = {r->width, r->height, r->channels, r->depth};
    json_text(j, "image", r->image);
    json_text(j, "output", r->output);
    json_bool(j, "skipped", r->skipped);
    for (int i = 0; i < 4; i++) {
        if (r->width)
            json_integer(j, keys[i], values[i]);
        else
            json_null(j, keys[i]);
    }
}

static void put_numbers(json *j, const char *key, const double *values, int count)
{
    json_open(j, key, '[');
    for (int i = 0; i < count; i++) json_real(j, NULL, values[i]);
    json_close(j, ']');
}

/* What only volumes have. */
static void put_volume(json *j, const run *r)
{
    const bool ranged = r->slices && r->range[0] < r->range[1];
    if (r->slices) json_integer(j, "slices", r->slices);
    else json_null(j, "slices");
    json_text(j, "voxels", r->slices ? r->voxels : NULL);
    if (r->slices) put_numbers(j, "spacing", r->spacing, 3);
    else json_null(j, "spacing");
    if (ranged) put_numbers(j, "range", r->range, 2);
    else json_null(j, "range");
}

static void put_parts(json *j, const seeds *all)
{
    json_open(j, "parts", '[');
    for (int i = 0; i < all->part_count; i++) {
        const seeds_part *part = &all->part[i];
        json_open(j, NULL, '{');
        json_text(j, "name", part->name);
        json_text(j, "format", part->format);
        json_integer(j, "foreground", part->foreground);
        json_integer(j, "background", part->background);
        json_integer(j, "ignored", part->ignored);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_seeds(json *j, const seeds *all)
{
    if (!all) {
        json_null(j, "seeds");
        return;
    }
    json_open(j, "seeds", '{');
    json_text(j, "format", all->format);
    json_integer(j, "foreground", all->foreground);
    json_integer(j, "background", all->background);
    json_integer(j, "unknown", all->unknown);
    json_integer(j, "dropped", all->dropped);
    json_integer(j, "conflicts", all->conflicts);
    put_parts(j, all);
    json_close(j, '}');
}

/* Writes the member about the mask that the run began from or corrected. */
static void put_start(json *j, const run *r)
{
    if (!r->start) {
        json_null(j, "start");
        return;
    }
    json_open(j, "start", '{');
    json_text(j, "name", r->start);
    json_text(j, "use", r->correcting ? "previous" : "mask");
    json_text(j, "format", r->start_format);
    json_integer(j, "foreground", r->start_inside);
    json_integer(j, "added", r->added);
    json_integer(j, "removed", r->removed);
    json_close(j, '}');
}

static void put_no_cut(json *j)
{
    static const char *const keys[] = {
        "lambda", "beta", "quantum", "connectivity", "colors", "iterations", "solver", "device", "fallback",
        "threads", "flow", "cut", "certified", "energy", "islands", "cleaned", "foreground_fraction",
        "mask_sha256", "crop"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) json_null(j, keys[i]);
}

void put_decisions(json *j, const tilecut_report *cut)
{
    if (!cut->decisions) return;
    json_open(j, "decisions", '[');
    for (int i = 0; i < cut->decisions; i++) {
        const tilecut_decision *const d = &cut->decision[i];
        json_open(j, NULL, '{');
        json_text(j, "next", d->next);
        json_text(j, "reason", d->reason);
        json_integer(j, "rounds", d->rounds);
        json_integer(j, "active", d->active);
        json_real(j, "cuda_rate", d->cuda_rate);
        json_real(j, "cpu_rate", d->cpu_rate);
        json_real(j, "threshold", d->threshold);
        json_integer(j, "bytes", d->bytes);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* Writes the member about the clean-up. Flow, cut and energy are those of the minimum cut before it. */
static void put_cleaned(json *j, const run *r)
{
    const cleaned *c = &r->cleaned;
    if (!r->was_cleaned) {
        json_null(j, "cleaned");
        return;
    }
    json_open(j, "cleaned", '{');
    json_integer(j, "regions_dropped", c->regions_dropped);
    json_integer(j, "pixels_dropped", c->pixels_dropped);
    json_integer(j, "holes_filled", c->holes_filled);
    json_integer(j, "pixels_filled", c->pixels_filled);
    json_bool(j, "minimum_cut", run_is_minimum(r));
    json_close(j, '}');
}

static void put_crop(json *j, const run *r)
{
    if (!r->cropped) {
        json_null(j, "crop");
        return;
    }
    json_open(j, "crop", '{');
    json_integer(j, "x", r->crop.x);
    json_integer(j, "y", r->crop.y);
    json_integer(j, "width", r->crop.width);
    json_integer(j, "height", r->crop.height);
    json_close(j, '}');
}

static void put_cut_in_parts(json *j, const parts_facts *p)
{
    if (!p->count) {
        json_null(j, "parts");
        return;
    }
    json_open(j, "parts", '{');
    json_integer(j, "count", p->count);
    json_bool(j, "in_turn", p->in_turn);
    json_bool(j, "written_by_all", p->together);
    json_integer(j, "waves", p->waves);
    json_integer(j, "meetings", p->meetings);
    json_integer(j, "sent_bytes", p->sent);
    json_integer(j, "solves", p->solves);
    json_close(j, '}');
}

static void put_matte(json *j, const run *r)
{
    if (!r->matte) {
        json_null(j, "matte");
        return;
    }
    json_open(j, "matte", '{');
    json_text(j, "band", r->matte);
    json_integer(j, "pixels", r->matte_band);
    json_close(j, '}');
}

void put_learnt(json *j, const tilecut_report *cut)
{
    json_real(j, "lambda", cut->lambda);
    json_real(j, "beta", cut->beta);
    json_real(j, "quantum", cut->quantum);
    json_integer(j, "connectivity", cut->connectivity);
    json_text(j, "colors", cut->colors);
    json_integer(j, "iterations", cut->iterations);
}

void put_proof(json *j, const tilecut_report *cut)
{
    json_integer(j, "flow", cut->flow);
    json_integer(j, "cut", cut->cut);
    json_bool(j, "certified", cut->certified != 0);
    json_real(j, "energy", cut->energy);
}

static void put_cut(json *j, const run *r)
{
    char device[RUN_DEVICE];
    const tilecut_report *cut = &r->cut;
    const int64_t foreground = cut->foreground - r->cleaned.pixels_dropped + r->cleaned.pixels_filled;
    put_learnt(j, cut);
    json_text(j, "solver", cut->solver);
    json_text(j, "device", run_device(cut, device));
    json_bool(j, "fallback", r->fell_back);
    json_integer(j, "threads", cut->threads);
    put_decisions(j, cut);
    put_proof(j, cut);
    json_integer(j, "islands", cut->islands);
    put_cleaned(j, r);
    json_real(j, "foreground_fraction", (double)foreground / ((double)r->width * (double)r->height * (r->slices
                                                                                                      ? r->slices
                                                                                                          : 1)));
    json_text(j, "mask_sha256", r->mask_sha256);
    put_crop(j, r);
}

static void put_times(json *j, const run *r)
{
    const tilecut_report *cut = &r->cut;
    const struct { const char *key; double ms; } times[] = {
        {"read", r->read_ms}, {"seeds", r->seeds_ms}, {"model", cut->model_ms}, {"graph", cut->graph_ms},
        {"copy", cut->copy_ms}, {"solve", cut->solve_ms}, {"certify", cut->certify_ms}, {"matte", r->matte_ms},
        {"write", r->write_ms}, {"total", machine_ms() - r->start_ms}};
    json_open(j, "ms", '{');
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) json_ms(j, times[i].key, times[i].ms);
    json_close(j, '}');
}

void run_put_json(json *to, const run *r, const failure *error)
{
    json_open(to, NULL, '{');
    json_text(to, "version", tilecut_version());
    put_photo(to, r);
    put_volume(to, r);
    put_seeds(to, r->seeds);
    put_start(to, r);
    if (r->solved)
        put_cut(to, r);
    else
        put_no_cut(to);
    put_cut_in_parts(to, &r->parts);
    put_matte(to, r);
    put_times(to, r);
    if (r->solved)
        json_real(to, "bytes_per_pixel", r->cut.bytes_per_pixel);
    else
        json_null(to, "bytes_per_pixel");
    json_integer(to, "peak_bytes", (int64_t)machine_peak());
    json_warnings(to, &r->notes);
    json_error(to, error);
    json_close(to, '}');
}

int run_write_json(const run *r, const failure *error, failure *why)
{
    json j = {0};
    if (!r->common->json) return EXIT_DONE;
    run_put_json(&j, r, error);
    const int status = json_write(&j, r->common->json, why);
    json_free(&j);
    return status;
}
