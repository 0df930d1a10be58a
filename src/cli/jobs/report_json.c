/* SPDX-License-Identifier: MIT
 *
 * report_json.c - writes a run, or a part of one, as JSON; see report.h.
 */
#include <math.h>

#include "machine.h"
#include "report.h"

static void put_photo(json *j, const run *r)
{
    JSON_MEMBERS(j, r, image, output, skipped);
    if (!r->width) {
        json_nulls(j, "width height channels depth");
        return;
    }
    JSON_MEMBERS(j, r, width, height, channels, depth);
}

static void put_numbers(json *j, const char *key, const double *values, int count)
{
    json_open(j, key, '[');
    for (int i = 0; i < count; i++) json_real(j, NULL, values[i]);
    json_close(j, ']');
}

/* Writes the members that only volumes have. */
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
    if (r->window[3]) {
        json_open(j, "window", '[');
        for (int i = 0; i < 6; i++) json_integer(j, NULL, r->window[i]);
        json_close(j, ']');
    } else {
        json_null(j, "window");
    }
}

static void put_parts(json *j, const seeds *all)
{
    json_open(j, "parts", '[');
    for (int i = 0; i < all->part_count; i++) {
        const seeds_part *part = &all->part[i];
        json_open(j, NULL, '{');
        JSON_MEMBERS(j, part, name, format, foreground, background, ignored);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_seeds(json *j, const seeds *all)
{
    if (!json_open_if(j, "seeds", all)) return;
    JSON_MEMBERS(j, all, format, foreground, background, unknown, dropped, conflicts);
    put_parts(j, all);
    json_close(j, '}');
}

/* Writes the member about the mask that the run began from or corrected. */
static void put_start(json *j, const run *r)
{
    if (!json_open_if(j, "start", r->start)) return;
    json_text(j, "name", r->start);
    json_text(j, "use", r->correcting ? "previous" : "mask");
    json_text(j, "format", r->start_format);
    json_integer(j, "foreground", r->start_inside);
    JSON_MEMBERS(j, r, added, removed);
    if (!r->correcting) {
        json_real(j, "moved", r->moved.mean);
        json_real(j, "moved_at_most", r->moved.most);
        json_real(j, "changed", r->moved.changed);
        json_real(j, "on_edges_before", r->moved.edges_before);
        json_real(j, "on_edges", r->moved.edges);
        json_bool(j, "changed_too_much", r->moved.too_much);
        json_integer(j, "doubted", r->cut.doubted);
    }
    json_close(j, '}');
}

void put_decisions(json *j)
{
    tilecut_decision decisions[TILECUT_DECISIONS];
    const int count = tilecut_decisions(decisions, TILECUT_DECISIONS);
    if (!count) return;
    json_open(j, "decisions", '[');
    for (int i = 0; i < count; i++) {
        const tilecut_decision *const d = &decisions[i];
        json_open(j, NULL, '{');
        JSON_MEMBERS(j, d, next, reason, rounds, active, cuda_rate, cpu_rate, threshold, bytes);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* Writes the member about the clean-up. Flow, cut and energy are those of the minimum cut before it. */
static void put_cleaned(json *j, const run *r)
{
    const tilecut_cleaned *c = &r->cleaned;
    if (!json_open_if(j, "cleaned", r->was_cleaned || r->was_snapped)) return;
    JSON_MEMBERS(j, c, regions_dropped, pixels_dropped, holes_filled, pixels_filled);
    json_integer(j, "pixels_snapped", r->snapped.added + r->snapped.removed);
    json_bool(j, "minimum_cut", run_is_minimum(r));
    json_close(j, '}');
}

static void put_crop(json *j, const run *r)
{
    if (!json_open_if(j, "crop", r->cropped)) return;
    JSON_MEMBERS(j, &r->crop, x, y, width, height);
    json_close(j, '}');
}

static void put_cut_in_parts(json *j, const parts_facts *p)
{
    char device[RUN_DEVICE];
    if (!json_open_if(j, "parts", p->count)) return;
    JSON_MEMBERS(j, p, count, in_turn);
    json_bool(j, "written_by_all", p->together);
    JSON_MEMBERS(j, p, waves, meetings);
    json_integer(j, "sent_bytes", p->sent);
    json_integer(j, "solves", p->solves);
    json_integer(j, "direct_bytes", p->direct);
    json_open(j, "devices", '[');
    for (int i = 0; i < p->count && i < PARTS_MOST; i++) {
        const tilecut_report gpu = {.device = "cuda", .device_index = p->gpu[i] - 1};
        json_text(j, NULL, p->gpu[i] ? run_device(&gpu, device) : "cpu");
    }
    json_close(j, ']');
    json_close(j, '}');
}

static void put_matte(json *j, const run *r)
{
    if (!json_open_if(j, "matte", r->matte)) return;
    json_text(j, "band", r->matte);
    json_integer(j, "pixels", r->matte_band);
    json_close(j, '}');
}

void put_learnt(json *j, const tilecut_report *cut)
{
    JSON_MEMBERS(j, cut, lambda, beta, quantum, connectivity, colors, iterations);
}

void put_proof(json *j, const tilecut_report *cut)
{
    JSON_MEMBERS(j, cut, flow, cut);
    json_bool(j, "certified", cut->certified != 0);
    json_real(j, "energy", cut->energy);
}

void put_doubt(json *j, const tilecut_doubt *doubt, bool volume)
{
    json_open(j, "confidence", '{');
    json_real(j, "unsure", doubt->unsure);
    if (json_open_if(j, "stroke", doubt->x >= 0)) {
        JSON_MEMBERS(j, doubt, x, y);
        if (volume) json_integer(j, "z", doubt->z);
        json_text(j, "label", doubt->label == TILECUT_FOREGROUND ? "foreground" : "background");
        json_real(j, "gain", doubt->gain);
        json_close(j, '}');
    }
    json_close(j, '}');
}

static void put_cut(json *j, const run *r)
{
    char device[RUN_DEVICE];
    const double pixels = (double)r->width * (double)r->height * (r->slices ? r->slices : 1);
    const tilecut_report *cut = &r->cut;
    const int64_t foreground = cut->foreground + r->snapped.added - r->snapped.removed - r->cleaned.pixels_dropped +
                               r->cleaned.pixels_filled;
    put_learnt(j, cut);
    json_text(j, "solver", cut->solver);
    json_text(j, "device", run_device(cut, device));
    json_bool(j, "fallback", r->fell_back);
    json_integer(j, "threads", cut->threads);
    put_decisions(j);
    put_proof(j, cut);
    json_integer(j, "islands", cut->islands);
    put_cleaned(j, r);
    json_real(j, "foreground_fraction", (double)foreground / pixels);
    json_text(j, "mask_sha256", r->mask_sha256);
    put_crop(j, r);
}

void put_cut_times(json *j, const tilecut_report *cut)
{
    json_ms(j, "model", cut->model_ms);
    json_ms(j, "graph", cut->graph_ms);
    json_ms(j, "copy", cut->copy_ms);
    json_ms(j, "solve", cut->solve_ms);
    json_ms(j, "certify", cut->certify_ms);
}

static void put_times(json *j, const run *r)
{
    json_open(j, "ms", '{');
    json_ms(j, "read", r->read_ms);
    json_ms(j, "seeds", r->seeds_ms);
    put_cut_times(j, &r->cut);
    json_ms(j, "matte", r->matte_ms);
    json_ms(j, "write", r->write_ms);
    json_ms(j, "total", machine_ms() - r->start_ms);
    json_close(j, '}');
}

void run_put_json(json *to, const run *r, const failure *error)
{
    json_begin(to);
    put_photo(to, r);
    put_volume(to, r);
    put_seeds(to, r->seeds);
    put_start(to, r);
    if (r->solved)
        put_cut(to, r);
    else
        json_nulls(to, "lambda beta quantum connectivity colors iterations solver device fallback threads flow cut "
                       "certified energy islands cleaned foreground_fraction mask_sha256 crop");
    if (r->doubted) put_doubt(to, &r->doubt, r->slices > 0);
    put_cut_in_parts(to, &r->parts);
    put_matte(to, r);
    put_times(to, r);
    json_real(to, "bytes_per_pixel", r->solved ? r->cut.bytes_per_pixel : NAN);
    json_integer(to, "peak_bytes", (int64_t)machine_peak());
    json_warnings(to, &r->notes);
    json_error(to, error);
}

int run_write_json(const run *r, const failure *error, failure *why)
{
    json j = {0};
    if (!r->common->json) return EXIT_DONE;
    run_put_json(&j, r, error);
    return json_write(&j, r->common->json, why);
}
