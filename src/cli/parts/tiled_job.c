/* SPDX-License-Identifier: MIT */
#include "tiled_job.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "machine.h"
#include "mpi_bound.h"
#include "tiled_job_turns.h"
#include "region.h"

/* ---- One part --------------------------------------------------------------------------------- */

void tiled_job_share(job_part *p, int layers)
{
    const int parts = p->exchange->parts, number = p->exchange->part;
    p->layers = layers;
    tilecut_part_rows(layers, parts, number, &p->first, &p->rows);
    p->from = p->first - (number > 0);
    p->count = p->rows + (number > 0) + (number + 1 < parts);
}

tilecut_part tiled_job_part(const job_part *p)
{
    return (tilecut_part){.height = p->layers, .first = p->first, .rows = p->rows, .exchange = p->exchange,
                          .store = p->slot ? spill_file(turn_slot_spill(p->slot)) : 0};
}

/* Checks that the photo is not too large. */
static int check_photo(job_part *p, const region_shape *shape)
{
    const tiled_job *const r = p->request;
    const int64_t most = r->job->inputs->max_pixels, pixels = shape->width * shape->height;
    if (most && pixels > most)
        return fail(&p->why, EXIT_INPUT, "%s: is %" PRId64 "x%" PRId64 ", which is %" PRId64 " pixels; at most %"
                    PRId64 " are accepted", r->photo, shape->width, shape->height, pixels, most);
    return EXIT_DONE;
}

/* Sets the photo's shape and the rows of this part, and checks that memory suffices for all parts of this process. */
static int place(job_part *p, const region_shape *shape)
{
    const tiled_job *const r = p->request;
    STEP(check_photo(p, shape));
    p->width = shape->width;
    p->channels = shape->channels;
    p->depth = shape->depth;
    p->tiles = shape->tiled;
    p->orientation = shape->orientation;
    if (!r->job->style->bare) p->place = shape->place, memcpy(p->density, shape->density, sizeof p->density);
    tiled_job_share(p, (int)shape->height);
    if (p->layers < p->exchange->parts)
        return fail(&p->why, EXIT_USAGE, "%s: has %d rows, fewer than %d parts; use fewer parts", r->photo, p->layers,
                    p->exchange->parts);
    return tiled_job_check_memory(p, shape);
}

/* Allocates memory; if parts work in turn, it lies in the part's temporary file. close_part() frees it. */
static void *take(const job_part *p, size_t size)
{
    return p->slot ? spill_take(turn_slot_spill(p->slot), size) : machine_large_pages(malloc(size), size);
}

/* Reads the part's own rows and its halo. If the photo has alpha, counts the transparent pixels of all parts and notes
 * their number.
 */
static int read_pixels(job_part *p, region_reader *reader, bool alpha)
{
    const size_t row = (size_t)p->width * (size_t)p->channels * (size_t)(p->depth / 8);
    const int above = p->first - p->from, below = p->count - above - p->rows;
    int status = region_read(reader, p->from, above, p->pixels, &p->why);
    int64_t seen = -region_transparent(reader);
    if (!status) status = region_read(reader, p->first, p->rows, p->pixels + (size_t)above * row, &p->why);
    seen += region_transparent(reader);
    if (!status)
        status = region_read(reader, p->first + p->rows, below, p->pixels + (size_t)(above + p->rows) * row, &p->why);
    if (status || !alpha) return status;
    if (!tiled_job_sum(p, &seen, 1)) return p->status;
    if (seen)
        note(&p->run->notes, "%s: is transparent in %" PRId64 " pixels; their colours are used as if they were opaque",
             p->request->photo, seen);
    return EXIT_DONE;
}

static int read_rows(job_part *p)
{
    const char *const photo = p->request->photo;
    const double start = machine_ms();
    region_reader *reader;
    region_shape shape;
    int status = region_open(photo, p->request->job->inputs->request.limits.exif_ignore, &shape, &reader, &p->why);
    if (status) return status;
    status = place(p, &shape);
    const size_t pixels = (size_t)p->width * (size_t)p->count;
    if (!status) {
        p->pixels = take(p, pixels * (size_t)p->channels * (size_t)(p->depth / 8));
        p->mask = take(p, pixels);
        if (!p->pixels || !p->mask)
            status = fail(&p->why, EXIT_RESOURCES, "%s: not enough %s for its rows", photo,
                          p->slot ? "room on the disk" : "memory");
    }
    if (!status) status = read_pixels(p, reader, shape.alpha);
    if (!status) region_note_oddities(reader, &p->found);
    region_close(reader);
    if (status) return status;
    const image whole = {.width = (int)p->width, .height = (int)p->layers, .channels = p->channels + shape.alpha,
                         .depth = p->depth, .format = shape.format};
    run_photo_stage(p->run, photo, &whole, machine_ms() - start);
    return EXIT_DONE;
}

int tiled_job_choose(const tiled_job *r, int part, tilecut_params *how, notes *log, failure *why)
{
    const char *const here = tiled_job_by_mpi() ? getenv("OMPI_COMM_WORLD_LOCAL_RANK") : NULL;
    char name[DEVICE_NAME];
    common own = *r->job->common;
    own.device = devices_of_part(&r->devices, here ? atoi(here) : part, own.device, name);
    return engine_choose(&own, how, log, why);
}

static int cut(job_part *p)
{
    const tiled_job *const r = p->request;
    const tilecut_part part = tiled_job_part(p);
    const tilecut_image rows = {.width = (int)p->width, .height = p->count, .channels = p->channels, .depth = p->depth,
                                .pixels = p->pixels};
    tilecut_params how = tilecut_params_default();
    int status = tiled_job_choose(r, p->exchange->part, &how, &p->run->notes, &p->why);
    if (status) return tiled_job_leave(p, status);
    if (p->exchange->part == 0) tiled_job_note_devices(r, &p->run->notes);
    for (int i = 0; i < p->found.count; i++) note(&p->run->notes, "%s", p->found.text[i]);
    run_show_notes(p->run);
    model_apply(r->job->model, &how);
    p->threads = how.threads;
    how.threads = tiled_job_threads(p, false);
    const tilecut_status done =
        tilecut_part_segment(&part, &rows, p->seeds.label, &how, p->mask, &p->run->cut, &p->more);
    if (done == TILECUT_OK) {
        p->run->solved = true;
        run_cut_stages(p->run);
    }
    return tiled_job_end_cut(p, done);
}

/* Does all the work of one part. Sets p->status and p->why. If this part fails, makes all other parts fail. */
static void work_on_photo(job_part *p)
{
    static const common silent = {.quiet = true};
    p->run = &p->own_run;
    run_init(p->run, p->exchange->part == 0 ? p->request->job->common : &silent);
    p->run->image = p->request->photo;
    p->run->output = p->request->output;
    if (p->taken)
        run_stage(p->run, "part", 0, "%d processors, more than mpirun bound it to; --bind-to keeps to those", p->taken);
    int status = tiled_job_compare_files(p);
    if (!status) status = read_rows(p);
    if (!status) status = tiled_job_read_seeds(p);
    if (!status) status = tiled_job_open_mask(p);
    if (status) (void)tiled_job_leave(p, status);
    else p->status = cut(p);
    if (!p->status && !tiled_job_clean(p)) {
        status = tiled_job_write(p);
        if (status) (void)tiled_job_leave(p, status);
    }
    tiled_job_close_mask(p);
}

/* ---- All parts of this process ----------------------------------------------------------------- */

/* Copies the first part's data about a failed run, for --json. */
static void copy_failure(const job_part *first, run *to)
{
    const run *const r = &first->own_run;
    to->width = r->width;
    to->height = r->height;
    to->channels = r->channels;
    to->depth = r->depth;
    to->read_ms = r->read_ms;
    for (int i = 0; i < r->notes.count; i++) note(&to->notes, "%s", r->notes.text[i]);
    to->notes_shown = to->notes.count; /* keeps these notes from being printed again */
}

static void close_part(job_part *p)
{
    if (!p->slot) free(p->pixels), free(p->mask);
    seeds_free(&p->seeds);
    notes_free(&p->found);
    run_free(&p->own_run);
}

static void report_failure(const failure_report *report, const failure *why)
{
    if (report && report->write) report->write(report->context, why);
}

int tiled_job_end_together(mpi_exchange *mpi, int status, const failure *own, failure *why)
{
    /* if a pipe was closed, the error has no text */
    if (mpi->speaks() && own->text[0]) fprintf(stderr, "tilecut: %s\n", own->text);
    fflush(stderr);
    status = mpi->end(status);
    *why = (failure){.status = status};
    return status;
}

/* Ends a process that has no exchange with the others. The first process of each host returns, to print its error; the
 * others wait a second for that and then return an empty `why`. */
static int end_alone(int status, const failure_report *report, failure *why)
{
    const char *const here = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    if (!here || !atoi(here)) {
        report_failure(report, why);
        return status;
    }
    sleep(1);
    *why = (failure){.status = status};
    return status;
}

int tiled_job_refuse(int status, const failure_report *report, failure *why)
{
    const failure own = *why;
    failure none = {0};
    mpi_exchange mpi;
    if (status && !tiled_job_by_mpi()) report_failure(report, why);
    if (!status || !own.text[0] || !tiled_job_by_mpi()) return status;
    if (mpi_open(&mpi, &none)) return end_alone(status, report, why);
    mpi.exchange.leave(mpi.exchange.context);
    if (mpi.speaks()) report_failure(report, &own);
    return tiled_job_end_together(&mpi, status, &own, why);
}

int tiled_job_by_ranks(const tiled_job *request, job_part *p, failure *why)
{
    mpi_exchange mpi;
    failure ignored = {0};
    p->request = request;
    p->taken = mpi_take_processors(request->job->common->threads);
    const int status = mpi_open(&mpi, why);
    if (status) return status;
    p->exchange = &mpi.exchange; /* the pointer is valid until the work is done */
    p->work(p);
    p->exchange = NULL;
    if (p->status && mpi.speaks() && request->report.write) report_failure(&request->report, &p->why);
    else if (p->status && request->job->common->json && mpi.speaks()) {
        p->run->common = request->job->common; /* only part 0 has the options so far, and another part may report */
        (void)run_write_json(p->run, &p->why, &ignored);
    }
    return tiled_job_end_together(&mpi, p->status, &p->why, why);
}

static void *work(void *context)
{
    job_part *const p = context;
    if (p->slot) turn_slot_begin(p->slot);
    p->work(p);
    if (p->slot) turn_slot_end(p->slot);
    return NULL;
}

static job_part *part_at(const part_threads *threads, int i)
{
    return (job_part *)(void *)((char *)threads->parts + (size_t)i * threads->size);
}

static int judge(const part_threads *threads, int count, failure *why)
{
    for (int i = 0; i < count; i++) {
        const job_part *const p = part_at(threads, i);
        if (!p->status || p->echo) continue;
        *why = p->why;
        return p->status;
    }
    return EXIT_DONE;
}

static int run_all(const part_threads *threads, int count, failure *why)
{
    pthread_t thread[PARTS_MOST];
    int started = 0;
    for (; started < count && started < PARTS_MOST; started++)
        if (pthread_create(&thread[started], NULL, work, part_at(threads, started)) != 0) break;
    if (started < count) {
        const tilecut_exchange *const next = part_at(threads, started)->exchange;
        next->leave(next->context);
    }
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    if (started == count) return judge(threads, count, why);
    return fail(why, EXIT_RESOURCES, "only %d of %d threads could be started", started, count);
}

int tiled_job_by_threads(const tiled_job *request, const part_threads *threads, failure *why)
{
    const int count = request->parts;
    tilecut_exchange *exchanges = NULL;
    turns *order = NULL;
    int status = tiled_job_open_exchange(request, &exchanges, why);
    if (!status && threads->in_turn) status = turns_open(&order, exchanges, request->output, why);
    for (int i = 0; !status && i < count; i++) {
        turn_slot *const own = order ? turns_slot(order, i) : NULL;
        *part_at(threads, i) = (job_part){.request = request, .slot = own, .work = threads->work,
                                       .exchange = own ? turn_slot_exchange(own) : &exchanges[i]};
    }
    if (!status) status = run_all(threads, count, why);
    turns_close(order);
    tiled_job_close_exchange(request, exchanges);
    return status;
}

static int segment_by_threads(const tiled_job *request, failure *why)
{
    const int count = request->parts;
    job_part *const parts = calloc((size_t)count, sizeof *parts);
    if (!parts) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", count);
    const part_threads threads = {parts, sizeof *parts, count > 1 && tiled_job_must_take_turns(request), work_on_photo};
    const int status = tiled_job_by_threads(request, &threads, why);
    if (status && parts->run) copy_failure(&parts[0], request->failed);
    for (int i = 0; i < count; i++) close_part(&parts[i]);
    free(parts);
    return status;
}

int tiled_job_segment(const tiled_job *request, failure *why)
{
    if (tiled_job_by_mpi()) {
        if (request->parts)
            return fail(why, EXIT_USAGE, "--parts: under mpirun each process is one part; leave it out");
        if (request->exchange) return fail(why, EXIT_USAGE, "--exchange: under mpirun rows go by MPI; leave it out");
        job_part p = {.work = work_on_photo};
        const int status = tiled_job_by_ranks(request, &p, why);
        close_part(&p);
        return status;
    }
    return segment_by_threads(request, why);
}
