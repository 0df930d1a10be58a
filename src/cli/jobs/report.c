/* SPDX-License-Identifier: MIT */
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

/* Copies a file's name, which may contain any bytes, in the form in which fail() shows it on one line. */
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
    if (part->ignored) snprintf(ignored, sizeof ignored, ", %" PRId64 " in other colours", part->ignored);
    snprintf(line, sizeof line, "%s read as %s%s: %" PRId64 " foreground, %" PRId64 " background%s", part->name,
             part->format, pair, part->foreground, part->background, ignored);
    printable(line, text, room);
}

static const char *point_of(const run *r)
{
    return r->slices ? "voxel" : "pixel";
}

void run_seeds_stage(run *r, const seeds *all, double ms)
{
    char text[640];
    r->seeds = all;
    r->seeds_ms = ms;
    run_stage(r, "seeds", ms, "%" PRId64 " foreground, %" PRId64 " background, %" PRId64 " unknown %ss",
              all->foreground, all->background, all->unknown, point_of(r));
    for (int i = 0; i < all->part_count && r->common->verbose; i++) {
        describe_seeds_part(all, &all->part[i], text, sizeof text);
        fprintf(stderr, "%22s %s\n", "", text);
    }
}

void show_decisions(const common *asked)
{
    tilecut_decision decisions[TILECUT_DECISIONS];
    const int count = tilecut_decisions(decisions, TILECUT_DECISIONS);
    for (int i = 0; i < count && asked->verbose; i++) {
        const tilecut_decision *const d = &decisions[i];
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
    run_stage(r, "mask", ms, "%s read as %s: %" PRId64 " foreground %ss, %s", file_input_name(r->start),
              mask->format, mask->inside, point_of(r), in->mask ? "to begin from" : "to be corrected");
}

void run_refined_stage(run *r, double ms)
{
    const tilecut_moved *const m = &r->moved;
    const char *const what = point_of(r);
    r->added = m->added, r->removed = m->removed;
    run_stage(r, "refine", ms, "outline moved by %.1f %ss in the mean, %.1f at most; %" PRId64 " %ss added, %" PRId64
              " removed; %.0f %% of it on edges, %.0f %% before", m->mean, what, m->most, m->added, what, m->removed,
              100 * m->edges, 100 * m->edges_before);
    if (m->too_much)
        note(&r->notes, "%s: refining changes %" PRId64 " %ss, more than half as many as the mask has; look at both, "
             "or bound it by %s", file_input_name(r->start), m->added + m->removed, what,
             r->slices ? "--mask-cell" : "--band");
    if (r->cut.doubted)
        note(&r->notes, "%s: what is learnt from it would change %" PRId64 " %ss and is not believed, so it stays "
             "but for its outline; if it is wrong, correct it by strokes", file_input_name(r->start), r->cut.doubted,
             what);
}

bool run_is_minimum(const run *r)
{
    return !r->cleaned.pixels_dropped && !r->cleaned.pixels_filled && !r->snapped.added && !r->snapped.removed &&
           !r->cut.islands;
}

const char *run_device(const tilecut_report *cut, char name[RUN_DEVICE])
{
    if (cut->device_index == 0) return cut->device;
    snprintf(name, RUN_DEVICE, "%s:%d", cut->device, cut->device_index);
    return name;
}

/* Adds a note if a box is the only seed and the mask shows no object: it is empty, full, or the ellipse in the box. */
static void note_plain_box(run *r)
{
    const seeds *const s = r->seeds;
    if (!s || r->start || s->foreground || !s->unknown) return;
    const bool all = r->cut.foreground == s->unknown;
    if (r->cut.foreground && !all && !r->cut.doubted) return;
    note(&r->notes, "%s: %s, because nothing in the box differs enough from what is around it; a larger box or strokes "
         "say more", file_input_name(r->image), all ? "all of the box is foreground"
                     : r->cut.doubted ? "the mask is no more than the ellipse in the box" : "nothing is foreground");
}

void run_cut_stages(run *r)
{
    char device[RUN_DEVICE];
    const tilecut_report *cut = &r->cut;
    run_stage(r, "model", cut->model_ms, "colours %s, lambda %g, beta %.6g, quantum %g", cut->colors,
              cut->lambda, cut->beta, cut->quantum);
    for (int i = 0; i <= cut->iterations && cut->iteration_energy[0] != 0; i++)
        if (r->common->verbose)
            fprintf(stderr, "tilecut: %s %d: energy %.6f\n", i ? "iteration" : "before iteration", i ? i : 1,
                    cut->iteration_energy[i]);
    if (r->window[3])
        run_stage(r, "window", 0, "%dx%dx%d voxels from %d,%d,%d on are cut and proven; all others are background",
                  r->window[3], r->window[4], r->window[5], r->window[0], r->window[1], r->window[2]);
    run_stage(r, "graph", cut->graph_ms, "%d neighbours, %.1f bytes a %s", cut->connectivity, cut->bytes_per_pixel,
              point_of(r));
    run_stage(r, "solve", cut->solve_ms, "%s on %s, %d thread%s", cut->solver, run_device(cut, device), cut->threads,
              cut->threads == 1 ? "" : "s");
    show_decisions(r->common);
    run_stage(r, "certify", cut->certify_ms, "flow %" PRId64 " = cut %" PRId64 ", energy %.6g", cut->flow,
              cut->cut, cut->energy);
    note_plain_box(r);
}

void run_cleanup_stage(const run *r, double ms)
{
    const tilecut_cleaned *c = &r->cleaned;
    run_stage(r, "clean-up", ms, "%" PRId64 " regions of %" PRId64 " %ss dropped, %" PRId64 " holes of %" PRId64
              " filled; %s", c->regions_dropped, c->pixels_dropped, point_of(r), c->holes_filled, c->pixels_filled,
              run_is_minimum(r) ? "the mask is the minimum cut" : "the mask is no longer the minimum cut");
}

void run_doubt_stage(run *r, const tilecut_doubt *doubt, double ms)
{
    char slice[16] = "";
    r->doubt = *doubt, r->doubted = true;
    if (r->slices) snprintf(slice, sizeof slice, ",%d", doubt->z);
    if (doubt->x < 0) run_stage(r, "confidence", ms, "no region is in doubt");
    else
        run_stage(r, "confidence", ms, "%.0f %% of the outline is unsure; a stroke helps most at %d,%d%s, where the "
                  "mask has %s", 100 * doubt->unsure, doubt->x, doubt->y, slice,
                  doubt->label == TILECUT_FOREGROUND ? "background" : "foreground");
}

void run_show_notes(run *r)
{
    for (; r->notes_shown < r->notes.count; r->notes_shown++)
        if (!r->common->quiet) fprintf(stderr, "tilecut: note: %s\n", r->notes.text[r->notes_shown]);
}
