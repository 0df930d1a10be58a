/* SPDX-License-Identifier: MIT */
#include "frame_report.h"

#include <inttypes.h>
#include <string.h>

#include "label_output.h"
#include "machine.h"
#include "report.h"
#include "sha256.h"

static void put_painted(json *j, const seeds *painted)
{
    if (!json_open_if(j, "painted", painted)) return;
    JSON_MEMBERS(j, painted, format, foreground, background);
    json_close(j, '}');
}

/* Writes the members about the cut, or null if there was none. */
static void put_cut(json *j, const frame_report *r)
{
    const tilecut_report *const cut = &r->what->report;
    char device[RUN_DEVICE];
    if (!r->what->cut) {
        json_nulls(j, "lambda beta quantum connectivity colors iterations warm solver device threads flow cut "
                      "certified energy");
        return;
    }
    if (r->labelled) json_nulls(j, "lambda beta quantum connectivity colors iterations");
    else put_learnt(j, cut);
    json_bool(j, "warm", cut->warm != 0);
    json_text(j, "solver", cut->solver);
    json_text(j, "device", run_device(cut, device));
    json_integer(j, "threads", cut->threads);
    if (!r->labelled) {
        put_proof(j, cut);
        return;
    }
    json_nulls(j, "flow cut");
    json_bool(j, "certified", cut->certified != 0);
    json_nulls(j, "energy");
}

/* Writes the labels of the frame and their areas. */
static void put_areas(json *j, const frame_report *r)
{
    const objects *const o = r->labelled;
    int64_t pixels[256];
    if (!o || !r->mask) {
        json_nulls(j, "areas");
        return;
    }
    memset(pixels, -1, sizeof pixels);
    for (int i = 0; i < o->count; i++) pixels[o->number[i]] = 0;
    for (int64_t p = 0; p < (int64_t)r->width * r->height; p++) pixels[r->mask[p]]++;
    pixels[o->background] = -1;
    label_output_areas(j, &o->legend, NULL, pixels, "pixels");
}

static void put_mask(json *j, const frame_report *r)
{
    const double pixels = (double)r->width * (double)r->height;
    const followed *const what = r->what;
    char sum[SHA256_TEXT];
    json_integer(j, "islands", what->dropped + what->report.islands);
    json_integer(j, "cleaned", what->cleaned.pixels_dropped + what->cleaned.pixels_filled);
    json_integer(j, "changed", what->changed);
    json_real(j, "foreground_fraction", pixels > 0 ? (double)what->foreground / pixels : 0);
    if (r->mask) sha256(r->mask, (size_t)r->width * (size_t)r->height, sum);
    json_text(j, "mask_sha256", r->mask ? sum : NULL);
}

static void put_times(json *j, const frame_report *r)
{
    json_open(j, "ms", '{');
    json_ms(j, "read", r->read_ms);
    json_ms(j, "seeds", r->seeds_ms);
    put_cut_times(j, &r->what->report);
    json_ms(j, "write", r->write_ms);
    json_ms(j, "total", r->total_ms);
    json_close(j, '}');
}

static void put_frame(json *j, const frame_report *r, const failure *error)
{
    json_begin(j);
    JSON_MEMBERS(j, r, film, frame, width, height, window);
    put_painted(j, r->painted);
    put_cut(j, r);
    put_mask(j, r);
    put_areas(j, r);
    if (r->doubt) put_doubt(j, r->doubt, false);
    put_times(j, r);
    json_text(j, "image", r->image);
    json_text(j, "mask", r->output);
    json_integer(j, "peak_bytes", (int64_t)machine_peak());
    json_warnings(j, r->notes);
    json_error(j, error);
}

void frame_report_print(const frame_report *r)
{
    const tilecut_report *const cut = &r->what->report;
    if (!r->what->cut) {
        fprintf(stderr, "frame %-6" PRId64 " %8.2f ms  nothing is marked yet\n", r->frame, r->total_ms);
        return;
    }
    if (r->labelled) {
        fprintf(stderr, "frame %-6" PRId64 " %8.2f ms  %s%d objects, %s on %s, objects on %.2f %%\n", r->frame,
                r->total_ms, r->painted ? "learnt; " : "", r->labelled->count,
                cut->certified ? "all cuts certified" : "not certified", cut->device,
                100.0 * (double)r->what->foreground / ((double)r->width * (double)r->height));
        return;
    }
    char unsure[64] = "";
    if (r->doubt) snprintf(unsure, sizeof unsure, ", %.0f %% of the outline unsure", 100 * r->doubt->unsure);
    fprintf(stderr, "frame %-6" PRId64 " %8.2f ms  %s%s on %s, flow %" PRId64 " = cut %" PRId64
            ", foreground %.2f %%%s\n", r->frame, r->total_ms, r->painted ? "learnt; " : "", cut->solver, cut->device,
            cut->flow, cut->cut, 100.0 * (double)r->what->foreground / ((double)r->width * (double)r->height), unsure);
}

int frame_report_put(const json_log *log, const frame_report *r, const failure *error, failure *why)
{
    json j = {0};
    if (log->descriptor < 0) return EXIT_DONE;
    put_frame(&j, r, error);
    return json_log_put(log, &j, why);
}
