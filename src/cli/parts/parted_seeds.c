/* SPDX-License-Identifier: MIT
 *
 * parted_seeds.c - the seeds of a photo in parts: each part reads those of its own rows and of its halo. Whether they
 * suffice, and whether they contradict each other, is for all parts together to say.
 */
#include <string.h>

#include "machine.h"
#include "parted.h"

/* Refuses what contradicts itself. */
static int check_conflicts(parted *p)
{
    const enum seeds_conflict how = p->request->in->request.conflict;
    if (!p->seeds.conflicts || (how != CONFLICT_ERROR && how != CONFLICT_LAST)) return EXIT_DONE;
    return fail(&p->why, EXIT_SEEDS, "%s: %lld pixels are claimed by both classes%s; correct one, or say which holds "
                "with --seed-conflict fg, bg, drop or last", p->request->photo, (long long)p->seeds.conflicts,
                p->seeds.boxed ? ", or are foreground outside of the box" : "");
}

/* Refuses what gives no cut. A box gives background, and a guess at the object for the colours to begin with. */
static int check_classes(parted *p)
{
    const parted_request *const r = p->request;
    const bool boxed = p->seeds.boxed, none = !p->seeds.foreground;
    const char *const colors = r->model->colors, *const photo = r->photo;
    if (boxed && none && !p->seeds.background)
        return fail(&p->why, EXIT_SEEDS, "%s: the box covers the whole photo, which says nothing; draw it closer, or "
                    "add --fg and --bg \"X,Y X,Y\"", photo);
    if (!p->seeds.background || (none && !(boxed && p->seeds.unknown)))
        return fail(&p->why, EXIT_SEEDS, "%s: has no %s seed in any part; mark some", photo,
                    none ? "foreground" : "background");
    if (none && colors && !strcmp(colors, "none"))
        return fail(&p->why, EXIT_SEEDS, "%s: a box alone does not tell the object from what is around it without a "
                    "colour model; leave --colors none out, or mark the object with --fg \"X,Y X,Y\"", photo);
    if (none && r->cleanup->connected)
        return fail(&p->why, EXIT_SEEDS, "%s: has no foreground seed for --connected to keep; mark the object with "
                    "--fg or in the seeds, or use --keep-largest", photo);
    return EXIT_DONE;
}

/* Notes what is odd about seeds that suffice. */
static int note_oddities(parted *p, const seeds_request *request, const seeds_rows *rows)
{
    const image photo = {.width = (int)p->width, .height = p->count, .channels = p->channels, .depth = p->depth,
                         .pixels = p->pixels};
    return seeds_note_rows(request, rows, p->request->photo, &photo, &p->seeds, &p->run.notes, &p->why);
}

int parted_read_seeds(parted *p)
{
    const parted_request *const r = p->request;
    const double start = machine_ms();
    const seeds_rows rows = {.width = (int)p->width, .height = p->count, .above = p->from, .whole_height = p->height,
                             .first = p->first - p->from, .own = p->rows, .sum = parted_sums, .context = p};
    seeds_request request = r->in->request;
    request.files = (const char *const *)r->in->files.items;
    request.file_count = r->in->files.count;
    request.formats = r->in->formats;
    int status = seeds_read_rows(&request, &rows, r->photo, &p->seeds, &p->run.notes, &p->why);
    if (!status) status = check_conflicts(p);
    if (!status) status = check_classes(p);
    if (status) return status;
    if (request.conflict == CONFLICT_DROP) p->seeds.dropped = p->seeds.conflicts;
    if (request.conflict == CONFLICT_LAST) p->seeds.conflicts = p->seeds.overruled;
    status = note_oddities(p, &request, &rows);
    run_seeds_stage(&p->run, &p->seeds, machine_ms() - start);
    return status;
}
