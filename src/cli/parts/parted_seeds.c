/* SPDX-License-Identifier: MIT
 *
 * parted_seeds.c - reads the seeds of a photo in parts: each part reads those of its own rows and halo. All parts
 * together check whether they suffice and whether they contradict each other.
 */
#include <string.h>

#include "machine.h"
#include "parted.h"

/* Refuses seeds without foreground if the options need it: without colours, and for --connected. */
static int check_classes(parted *p)
{
    const parted_request *const r = p->request;
    const char *const colors = r->model->colors, *const photo = r->photo;
    if (p->seeds.foreground) return EXIT_DONE;
    if (colors && !strcmp(colors, "none"))
        return fail(&p->why, EXIT_SEEDS, "%s: a box alone does not tell the object from what is around it without a "
                    "colour model; leave --colors none out, or mark the object with --fg \"X,Y X,Y\"", photo);
    if (r->cleanup->connected)
        return fail(&p->why, EXIT_SEEDS, "%s: has no foreground seed for --connected to keep; mark the object with "
                    "--fg or in the seeds, or use --keep-largest", photo);
    return EXIT_DONE;
}

/* Adds notes about seeds that suffice but look like mistakes. */
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
    if (!status) status = check_classes(p);
    if (status) return status;
    status = note_oddities(p, &request, &rows);
    run_seeds_stage(&p->run, &p->seeds, machine_ms() - start);
    return status;
}
