/* SPDX-License-Identifier: MIT */
#include "job_part.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "machine.h"
#include "mpi_bound.h"
#include "job_part_turns.h"

/* ---- One part --------------------------------------------------------------------------------- */

void job_part_share(job_part *p, int layers)
{
    const int parts = p->exchange->parts, number = p->exchange->part;
    p->layers = layers;
    tilecut_part_rows(layers, parts, number, &p->first, &p->rows);
    p->from = p->first - (number > 0);
    p->count = p->rows + (number > 0) + (number + 1 < parts);
}

tilecut_part job_part_of(const job_part *p)
{
    return (tilecut_part){.height = p->layers, .first = p->first, .rows = p->rows, .exchange = p->exchange,
                          .store = p->slot ? spill_file(turn_slot_spill(p->slot)) : 0};
}

int job_part_choose(const job_division *r, int part, tilecut_params *how, notes *log, failure *why)
{
    const char *const here = job_part_by_mpi() ? getenv("OMPI_COMM_WORLD_LOCAL_RANK") : NULL;
    char name[DEVICE_NAME];
    common own = *r->job->request->common;
    own.device = devices_of_part(&r->devices, here ? atoi(here) : part, own.device, name);
    return engine_choose(&own, how, log, why);
}

/* Gives part `number` its job. */
static void begin(job_part *p, int number)
{
    static const common quiet = {.quiet = true};
    const job *const first = p->request->job;
    if (number && p->request->parts) job_init(&p->own, first->request, &first->files);
    p->job = number && p->request->parts ? &p->own : p->request->job;
    if (number) p->job->run.common = &quiet;
    p->job->part = p;
}

void job_part_do(job_part *p, int (*steps)(job_part *p))
{
    if (p->taken)
        run_stage(&p->job->run, "part", 0, "%d processors, more than mpirun bound it to; --bind-to keeps to those",
                  p->taken);
    const int status = steps(p);
    if (status && !p->status) (void)job_part_leave(p, status); /* else the others know of the failure */
}

/* ---- All parts of this process ----------------------------------------------------------------- */

static void report_failure(const failure_report *report, const failure *why)
{
    if (report && report->write) report->write(report->context, why);
}

int job_part_end_together(mpi_exchange *mpi, int status, const failure *own, failure *why)
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

int job_part_refuse(int status, const failure_report *report, failure *why)
{
    const failure own = *why;
    failure none = {0};
    mpi_exchange mpi;
    if (status && !job_part_by_mpi()) report_failure(report, why);
    if (!status || !own.text[0] || !job_part_by_mpi()) return status;
    if (mpi_open(&mpi, &none)) return end_alone(status, report, why);
    mpi.exchange.leave(mpi.exchange.context);
    if (mpi.speaks()) report_failure(report, &own);
    return job_part_end_together(&mpi, status, &own, why);
}

int job_part_by_ranks(const job_division *request, job_part *p, failure *why)
{
    mpi_exchange mpi;
    failure ignored = {0};
    p->request = request;
    p->taken = mpi_take_processors(request->job->request->common->threads);
    const int status = mpi_open(&mpi, why);
    if (status) return status;
    p->exchange = &mpi.exchange; /* the pointer is valid until the work is done */
    begin(p, mpi.exchange.part);
    p->work(p);
    p->exchange = NULL;
    p->job->part = NULL;
    p->job->run.common = request->job->request->common; /* only part 0 had the options, and another part may report */
    if (p->status && mpi.speaks() && request->report.write) report_failure(&request->report, &p->why);
    else if (p->status && mpi.speaks()) (void)run_write_json(&p->job->run, &p->why, &ignored);
    return job_part_end_together(&mpi, p->status, &p->why, why);
}

static void *work(void *context)
{
    job_part *const p = context;
    if (p->slot) turn_slot_begin(p->slot);
    p->work(p);
    if (p->slot) turn_slot_end(p->slot);
    return NULL;
}

/* All parts of this process: `count` structs of `size` bytes, each of which begins with a job_part. */
typedef struct all_parts {
    char *memory;
    size_t size;
    int count;
} all_parts;

static job_part *part_at(const all_parts *all, int i)
{
    return (job_part *)(void *)(all->memory + (size_t)i * all->size);
}

static int judge(const all_parts *all, failure *why)
{
    for (int i = 0; i < all->count; i++) {
        const job_part *const p = part_at(all, i);
        if (!p->status || p->echo) continue;
        *why = p->why;
        return p->status;
    }
    return EXIT_DONE;
}

static int run_all(const all_parts *all, failure *why)
{
    pthread_t thread[PARTS_MOST];
    const int count = all->count;
    int started = 0;
    for (; started < count && started < PARTS_MOST; started++)
        if (pthread_create(&thread[started], NULL, work, part_at(all, started)) != 0) break;
    if (started < count) {
        const tilecut_exchange *const next = part_at(all, started)->exchange;
        next->leave(next->context);
    }
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    if (started == count) return judge(all, why);
    return fail(why, EXIT_RESOURCES, "only %d of %d threads could be started", started, count);
}

int job_part_by_threads(const job_division *request, const part_threads *threads, failure *why)
{
    const int count = request->parts;
    const all_parts all = {calloc((size_t)count, threads->size), threads->size, count};
    tilecut_exchange *exchanges = NULL;
    turns *order = NULL;
    if (!all.memory) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", count);
    int status = job_part_open_exchange(request, &exchanges, why);
    if (!status && threads->in_turn) status = turns_open(&order, exchanges, request->job->files.mask, why);
    for (int i = 0; !status && i < count; i++) {
        turn_slot *const own = order ? turns_slot(order, i) : NULL;
        job_part *const p = memcpy(part_at(&all, i), threads->first, all.size);
        *p = (job_part){.request = request, .slot = own, .work = threads->work,
                        .exchange = own ? turn_slot_exchange(own) : &exchanges[i]};
        begin(p, i);
    }
    if (!status) status = run_all(&all, why);
    for (int i = 1; i < count; i++)
        if (part_at(&all, i)->job) job_free(&part_at(&all, i)->own);
    memcpy(threads->first, all.memory, all.size);
    free(all.memory);
    request->job->part = NULL;
    turns_close(order);
    job_part_close_exchange(request, exchanges);
    return status;
}
