/* SPDX-License-Identifier: MIT
 *
 * photo_part.c - reads and cuts one part of a photo, see photo_part.h. Each part reads its own rows, their halo, and
 * the seeds on them. All parts together check whether the seeds suffice and whether they contradict each other.
 */
#include "photo_part.h"

#include <inttypes.h>
#include <stdlib.h>

#include "job_part_turns.h"
#include "machine.h"
#include "pixel.h"

/* ---- Reading ---------------------------------------------------------------------------------- */

/* Sets the shape of the photo's rows and their number, and checks that memory suffices for all parts of this
 * process. */
static int place(job_part *p, const region_shape *shape)
{
    job *const j = p->job;
    const int64_t most = j->request->inputs->max_pixels, pixels = shape->width * shape->height;
    if (most && pixels > most)
        return fail(&p->why, EXIT_INPUT, "%s: is %" PRId64 "x%" PRId64 ", which is %" PRId64 " pixels; at most %"
                    PRId64 " are accepted", j->files.photo, shape->width, shape->height, pixels, most);
    job_part_share(p, (int)shape->height);
    j->photo = (image){.width = (int)shape->width, .height = p->count, .channels = shape->channels,
                       .depth = shape->depth, .density = {shape->density[0], shape->density[1]},
                       .place = shape->place, .orientation = shape->orientation, .format = shape->format};
    if (p->layers < p->exchange->parts)
        return fail(&p->why, EXIT_USAGE, "%s: has %d rows, fewer than %d parts; use fewer parts", j->files.photo,
                    p->layers, p->exchange->parts);
    const memory_lattice lattice = job_lattice(j, shape);
    return job_part_check_memory(p, &lattice);
}

/* Allocates memory; if parts work in turn, it lies in the part's temporary file. */
static void *take(const job_part *p, size_t size)
{
    return p->slot ? spill_take(turn_slot_spill(p->slot), size) : machine_large_pages(malloc(size), size);
}

static int allocate(job_part *p)
{
    job *const j = p->job;
    const image *const rows = &j->photo;
    const size_t pixels = image_area(rows);
    j->photo.pixels = take(p, pixels * (size_t)rows->channels * (size_t)(rows->depth / 8));
    j->mask = take(p, pixels);
    if (j->photo.pixels && j->mask) return EXIT_DONE;
    return fail(&p->why, EXIT_RESOURCES, "%s: not enough %s for its rows", j->files.photo,
                p->slot ? "room on the disk" : "memory");
}

/* Reads the part's own rows and its halo. If the photo has alpha, counts the transparent pixels of all parts and notes
 * their number. */
static int read_pixels(job_part *p, region_reader *reader, bool alpha)
{
    job *const j = p->job;
    const size_t row = (size_t)j->photo.width * (size_t)j->photo.channels * (size_t)(j->photo.depth / 8);
    const int above = p->first - p->from, below = p->count - above - p->rows;
    uint8_t *const pixels = j->photo.pixels;
    STEP(region_read(reader, p->from, above, pixels, &p->why));
    int64_t seen = -region_transparent(reader);
    STEP(region_read(reader, p->first, p->rows, pixels + (size_t)above * row, &p->why));
    seen += region_transparent(reader);
    STEP(region_read(reader, p->first + p->rows, below, pixels + (size_t)(above + p->rows) * row, &p->why));
    if (!alpha) return EXIT_DONE;
    if (!job_part_sum(p, &seen, 1)) return p->status;
    if (seen)
        note(&j->run.notes, "%s: is transparent in %" PRId64 " pixels; their colours are used as if they were opaque",
             j->files.photo, seen);
    return EXIT_DONE;
}

static int read_rows(job *j, failure *why)
{
    job_part *const p = j->part;
    photo_part *const own = j->part;
    const double start = machine_ms();
    region_reader *reader;
    region_shape shape;
    STEP(region_open(j->files.photo, j->request->inputs->request.limits.exif_ignore, &shape, &reader, why));
    int status = place(p, &shape);
    if (!status) status = allocate(p);
    if (!status) status = read_pixels(p, reader, shape.alpha);
    if (!status) region_note_oddities(reader, &own->found);
    region_close(reader);
    if (status) return status;
    own->tiles = shape.tiled;
    image whole = j->photo;
    whole.height = p->layers, whole.channels += shape.alpha;
    run_photo_stage(&j->run, j->files.photo, &whole, machine_ms() - start);
    return EXIT_DONE;
}

static int read_seeds(job *j, failure *why)
{
    const job_part *const p = j->part;
    const image *const photo = &j->photo;
    const seeds_rows rows = {.width = photo->width, .height = p->count, .above = p->from, .whole_height = p->layers,
                             .first = p->first - p->from, .own = p->rows, .sum = job_part_sums, .context = j->part,
                             .place = photo->place.placed ? &photo->place : NULL, .orientation = photo->orientation};
    const seeds_colors colors = {seeds_color_of_image, photo};
    seeds_request request = inputs_seeds(j->request->inputs);
    if (!request.limits.max_pixels) request.limits.max_pixels = INT64_MAX / 2; /* as for the photo */
    STEP(seeds_read_rows(&request, &rows, j->files.photo, &j->seeds, &j->run.notes, why));
    return seeds_note_colors(&request, &rows, j->files.photo, &colors, &j->seeds, &j->run.notes, why);
}

/* ---- Cutting ---------------------------------------------------------------------------------- */

static int look_at_rows(job *j, failure *why)
{
    photo_part *const own = j->part;
    (void)why;
    j->view = (tilecut_image){.width = j->photo.width, .height = j->photo.height, .channels = j->photo.channels,
                              .depth = j->photo.depth, .pixels = j->photo.pixels};
    if (own->part.exchange->part == 0) job_part_note_devices(own->part.request, &j->run.notes);
    for (int i = 0; i < own->found.count; i++) note(&j->run.notes, "%s", own->found.text[i]);
    run_show_notes(&j->run);
    return EXIT_DONE;
}

/* The failure is in part->why, where `why` points. */
static int cut_rows(job *j, const tilecut_params *params, failure *why)
{
    job_part *const p = j->part;
    const tilecut_part part = job_part_of(p);
    tilecut_params how = *params;
    (void)why;
    how.threads = job_part_threads(p, false);
    const tilecut_status done =
        tilecut_part_segment(&part, &j->view, j->seeds.label, &how, j->mask, &j->run.cut, &p->more);
    if (done == TILECUT_OK) run_cut_stages(&j->run);
    return job_part_end_cut(p, done);
}

static int clean_rows(job *j, failure *why)
{
    const cleanup_lattice rows = {.width = j->photo.width, .height = j->photo.height};
    (void)why;
    return job_part_clean(j->part, &rows);
}

/* Options that a photo in parts does not have. */
static int nothing(job *j, failure *why)
{
    (void)j, (void)why;
    return EXIT_DONE;
}

const job_kind job_of_photo_part = {.plan = job_plan_outline, .measure = job_measure, .read = read_rows,
                                    .seeds = read_seeds, .mask = nothing, .look = look_at_rows, .cut = cut_rows,
                                    .clean = clean_rows, .encode = photo_part_finish, .describe = job_describe};

/* ---- One part, and all of them ----------------------------------------------------------------- */

static int do_steps(job_part *p)
{
    job *const j = p->job;
    photo_part *const own = j->part;
    tilecut_params params = tilecut_params_default();
    int64_t done = 0;
    STEP(job_part_compare_files(p));
    STEP(job_read(j, &p->why));
    if (p->request->job->checked) {
        STEP(j->kind->look(j, &p->why));
        return job_part_sum(p, &done, 1) ? EXIT_DONE : p->status;
    }
    STEP(photo_part_open_mask(own));
    STEP(job_part_choose(p->request, p->exchange->part, &params, &j->run.notes, &p->why));
    STEP(job_cut(j, &params, &p->why));
    STEP(photo_part_write(own));
    if (!job_part_sum(p, &done, 1)) return p->status; /* after this sum, all parts have written */
    if (p->exchange->part == 0) STEP(job_write(j, &p->why));
    return job_part_sum(p, &done, 1) ? EXIT_DONE : p->status;
}

static void work(job_part *p)
{
    photo_part *const own = (photo_part *)(void *)p;
    job *const j = p->job;
    j->kind = &job_of_photo_part;
    job_part_do(p, do_steps);
    photo_part_close_mask(own);
    notes_free(&own->found);
    if (p->slot) j->photo.pixels = j->mask = NULL; /* they lie in the part's file and end with it */
}

int photo_parts_segment(const job_division *request, failure *why)
{
    photo_part own = {.part = {.work = work}};
    if (job_part_by_mpi()) {
        if (request->parts)
            return fail(why, EXIT_USAGE, "--parts: under mpirun each process is one part; leave it out");
        if (request->exchange) return fail(why, EXIT_USAGE, "--exchange: under mpirun rows go by MPI; leave it out");
        return job_part_by_ranks(request, &own.part, why);
    }
    const bool in_turn = job_part_must_take_turns(request);
    return job_part_by_threads(request, &(part_threads){&own, sizeof own, in_turn, work}, why);
}
