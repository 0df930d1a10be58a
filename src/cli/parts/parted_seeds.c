/* SPDX-License-Identifier: MIT
 *
 * parted_seeds.c - the seeds of a photo in parts: each part reads those of its own rows and of its rim. Whether they
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

int parted_read_seeds(parted *p)
{
    const parted_request *const r = p->request;
    const double start = machine_ms();
    const seeds_rows rows = {.width = (int)p->width, .height = p->count, .above = p->from, .whole_height = p->height,
                             .first = p->first - p->from, .own = p->rows};
    seeds_request request = r->in->request;
    request.files = (const char *const *)r->in->files.items;
    request.file_count = r->in->files.count;
    request.formats = r->in->formats;
    int status = seeds_read_rows(&request, &rows, r->photo, &p->seeds, &p->run.notes, &p->why);
    if (status) return status;
    int64_t count[] = {p->seeds.foreground, p->seeds.background, p->seeds.unknown, p->seeds.conflicts,
                       p->seeds.overruled};
    if (!parted_sum(p, count, sizeof count / sizeof *count)) return p->status;
    p->seeds.foreground = count[0];
    p->seeds.background = count[1];
    p->seeds.unknown = count[2];
    p->seeds.conflicts = count[3];
    status = check_conflicts(p);
    if (!status) status = check_classes(p);
    if (r->in->request.conflict == CONFLICT_DROP) p->seeds.dropped = count[3];
    if (r->in->request.conflict == CONFLICT_LAST) p->seeds.conflicts = count[4];
    run_seeds_stage(&p->run, &p->seeds, machine_ms() - start);
    return status;
}
