/* SPDX-License-Identifier: MIT
 *
 * batch_run.c - see batch_run.h.
 */
#include "batch_run.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"
#include "progress.h"
#include "signals.h"

enum { MOST_WORKERS = 256, ON_DEVICE = 2 /* jobs at a GPU at once: one computes while another copies */ };

typedef struct batch {
    const batch_plan *plan;
    common quiet;           /* the jobs' own: the batch does the talking    */
    job_request request;
    uint64_t budget;        /* bytes                                        */
    int threads;            /* to share among jobs in flight                */
    int json;               /* descriptor, or -1                            */
    pthread_mutex_t lock;   /* of all that follows                          */
    pthread_cond_t changed; /* memory was given back, the device is free    */
    int next, working;
    uint64_t taken;
    int on_device;
    engine_auto engine;     /* who solves, if that is left to us            */
    bool stop;
    failure broken;         /* what ends the batch as a whole: status != EXIT_DONE */
    progress bar;
    batch_result result;
} batch;

/* A job, and what the batch keeps for it. */
typedef struct ticket {
    batch *batch;
    inputs inputs; /* with this ticket as gate keeper */
    job_request request;
    job job;
    uint64_t taken;
    double read_ms, cut_ms, write_ms;
} ticket;

/* ---- gates ------------------------------------------------------------------------------------ */

/* Called when the header of a photo has told how much memory its job needs. Alone it always gets in: what is
 * more than the limit was refused before. */
static void enter(void *context, uint64_t size)
{
    ticket *const t = context;
    batch *const b = t->batch;
    pthread_mutex_lock(&b->lock);
    while (b->taken && size > b->budget - (b->taken < b->budget ? b->taken : b->budget))
        pthread_cond_wait(&b->changed, &b->lock);
    t->taken += size;
    b->taken += size;
    pthread_mutex_unlock(&b->lock);
}

static void leave(ticket *t)
{
    batch *const b = t->batch;
    pthread_mutex_lock(&b->lock);
    b->taken -= t->taken;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

static bool uses_device(const tilecut_params *params)
{
    const char *const solver = params->solver;
    for (int i = 0; solver && tilecut_solver_name(i); i++)
        if (!strcmp(solver, tilecut_solver_name(i))) return !strcmp(tilecut_solver_device(i), "cuda");
    return false;
}

/* Where one cut is done, and with how many threads: those of workers that have nothing left to do are shared
 * out. --device auto takes it that the jobs to come are like this one. */
static tilecut_params enter_cut(batch *b, const image *photo)
{
    const uint64_t pixels = (uint64_t)photo->width * (uint64_t)photo->height;
    tilecut_params params = *b->plan->params;
    char reason[200];
    params.cancel = NULL; /* what is in flight is finished */
    pthread_mutex_lock(&b->lock);
    if (b->engine.open)
        engine_auto_plan(&b->engine, pixels, b->plan->list->count - b->next + 1, &params, reason, sizeof reason);
    if (uses_device(&params)) {
        while (b->on_device == ON_DEVICE) pthread_cond_wait(&b->changed, &b->lock);
        b->on_device++;
    }
    params.threads = b->threads / (b->working > 0 ? b->working : 1);
    if (params.threads < 1) params.threads = 1;
    pthread_mutex_unlock(&b->lock);
    return params;
}

static void leave_cut(batch *b, const tilecut_params *params, bool fell_back)
{
    pthread_mutex_lock(&b->lock);
    if (uses_device(params)) b->on_device--;
    if (fell_back) b->engine.open = false; /* once is enough */
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

/* ---- one job ---------------------------------------------------------------------------------- */

static bool newer(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

static bool up_to_date(const char *result, const batch_item *item)
{
    struct stat made, from;
    if (!result) return true;
    if (stat(result, &made) || stat(item->photo, &from) || newer(&from, &made)) return false;
    for (int i = 0; i < item->seed_count; i++)
        if (stat(item->seeds[i], &from) || newer(&from, &made)) return false;
    return true;
}

/* Makes the folder of `path`, and those it is in. */
static void make_folder(const char *path)
{
    char *const own = strdup(path);
    for (char *at = own; own && *at; at++) {
        if (*at != '/' || at == own) continue;
        *at = '\0';
        if (mkdir(own, 0777) && errno != EEXIST) break; /* writing will say what is wrong */
        *at = '/';
    }
    free(own);
}

static void make_folders(const batch_item *item)
{
    make_folder(item->mask);
    if (item->cutout) make_folder(item->cutout);
    if (item->overlay) make_folder(item->overlay);
}

static int do_job(ticket *t, const batch_item *item, failure *why)
{
    double start = machine_ms(), now;
    if (t->batch->plan->make_folders) make_folders(item);
    int status = job_plan(&t->job, why);
    if (!status) status = job_read(&t->job, why);
    t->read_ms = (now = machine_ms()) - start, start = now;
    if (!status) {
        const tilecut_params params = enter_cut(t->batch, &t->job.photo);
        start = machine_ms(); /* waiting for the device is nobody's work */
        status = job_cut(&t->job, &params, why);
        leave_cut(t->batch, &params, t->job.run.fell_back);
        t->cut_ms = (now = machine_ms()) - start, start = now;
    }
    if (!status) status = job_write(&t->job, why);
    t->write_ms = machine_ms() - start;
    return status;
}

/* ---- telling ---------------------------------------------------------------------------------- */

/* Each line in one write, so that a reader at the other end never sees half of one for long. With the lock held. */
static void put_line(batch *b, const bytes *line)
{
    size_t sent = 0;
    while (sent < line->size && !b->broken.status) {
        const ssize_t n = write(b->json, line->data + sent, line->size - sent);
        if (n > 0)
            sent += (size_t)n;
        else if (n == 0 || errno != EINTR)
            b->stop = fail(&b->broken, EXIT_RUNTIME, "%s: not written: %s",
                           file_output_name(b->plan->common->json), strerror(errno)) != EXIT_DONE;
    }
}

static void put_json(batch *b, const ticket *t, const failure *why)
{
    json line = {0};
    if (b->json < 0) return;
    run_put_json(&line, &t->job.run, why);
    if (!line.failed && bytes_append(&line.out, "\n", 1))
        put_line(b, &line.out);
    else
        b->stop = fail(&b->broken, EXIT_RESOURCES, "not enough memory for the JSON of a job") != EXIT_DONE;
    json_free(&line);
}

static void tell(batch *b, ticket *t, const failure *why)
{
    const common *const asked = b->plan->common;
    const run *const r = &t->job.run;
    batch_result *const sum = &b->result;

    pthread_mutex_lock(&b->lock);
    progress_clear(&b->bar);
    for (int i = 0; i < r->notes.count && !asked->quiet; i++)
        fprintf(stderr, "tilecut: note: %s\n", r->notes.text[i]);
    if (why->status) fprintf(stderr, "tilecut: %s\n", why->text);
    if (asked->verbose && r->skipped) fprintf(stderr, "tilecut: %s: up to date\n", r->output);
    if (asked->verbose && !why->status && !r->skipped)
        fprintf(stderr, "tilecut: %s: %dx%d, read %.1f ms, cut %.1f ms (%s), written %.1f ms\n", r->output, r->width,
                r->height, t->read_ms, t->cut_ms, r->cut.solver, t->write_ms);
    put_json(b, t, why);
    sum->done += !why->status && !r->skipped;
    sum->skipped += r->skipped;
    sum->failed += why->status != EXIT_DONE;
    sum->read_ms += t->read_ms;
    sum->cut_ms += t->cut_ms;
    sum->write_ms += t->write_ms;
    if (r->solved && !strcmp(r->cut.device, "cuda")) sum->device_ms += r->cut.copy_ms + r->cut.solve_ms;
    if (why->status && b->plan->fail_fast) b->stop = true;
    progress_show(&b->bar, sum->done + sum->skipped + sum->failed);
    pthread_mutex_unlock(&b->lock);
}

/* ---- workers ---------------------------------------------------------------------------------- */

static const batch_item *next_item(batch *b)
{
    const batch_item *item = NULL;
    pthread_mutex_lock(&b->lock);
    if (!b->stop && !signals_caught && b->next < b->plan->list->count) item = &b->plan->list->item[b->next++];
    if (!item) b->working--;
    pthread_mutex_unlock(&b->lock);
    return item;
}

static void do_item(batch *b, const batch_item *item)
{
    const job_files files = {.photo = item->photo, .seeds = (const char *const *)item->seeds,
                             .seed_count = item->seed_count, .mask = item->mask, .cutout = item->cutout,
                             .overlay = item->overlay};
    ticket t = {.batch = b, .inputs = *b->plan->inputs, .request = b->request};
    failure why = {0};

    t.inputs.free_memory = b->budget; /* not what other jobs have left of it */
    t.inputs.request.limits.admit = enter;
    t.inputs.request.limits.admit_context = &t;
    t.request.inputs = &t.inputs;
    job_init(&t.job, &t.request, &files);
    if (b->plan->resume && up_to_date(item->mask, item) && up_to_date(item->cutout, item) &&
        up_to_date(item->overlay, item))
        t.job.run.skipped = true;
    else if (do_job(&t, item, &why) != EXIT_DONE && !why.status)
        fail(&why, EXIT_RUNTIME, "%s: failed", item->photo);
    tell(b, &t, &why);
    job_free(&t.job);
    leave(&t);
}

static void *work(void *context)
{
    batch *const b = context;
    for (const batch_item *item; (item = next_item(b)) != NULL;) do_item(b, item);
    return NULL;
}

static int run_workers(batch *b, int count, failure *why)
{
    pthread_t thread[MOST_WORKERS];
    int started = 0;
    b->working = count;
    for (; started < count - 1; started++)
        if (pthread_create(&thread[started], NULL, work, b)) break;
    pthread_mutex_lock(&b->lock);
    b->working -= count - 1 - started;
    pthread_mutex_unlock(&b->lock);
    work(b); /* this thread is one of them */
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    b->result.workers = started + 1;
    if (b->broken.status) *why = b->broken;
    return b->broken.status;
}

static int open_json(batch *b, failure *why)
{
    const char *const path = b->plan->common->json;
    b->json = !path ? -1 : strcmp(path, "-") ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                                             : STDOUT_FILENO;
    if (!path || b->json >= 0) return EXIT_DONE;
    return fail(why, EXIT_RUNTIME, "%s: not written: %s", path, strerror(errno));
}

int batch_run(const batch_plan *plan, batch_result *result, failure *why)
{
    batch b = {.plan = plan, .engine = *plan->engine, .budget = inputs_memory(plan->inputs),
               .quiet = {.quiet = true, .device = plan->common->device, .solver = plan->common->solver},
               .threads = plan->params->threads, .lock = PTHREAD_MUTEX_INITIALIZER,
               .changed = PTHREAD_COND_INITIALIZER};
    const int most = b.threads < MOST_WORKERS ? b.threads : MOST_WORKERS;
    const double start = machine_ms();

    b.request = (job_request){&b.quiet, NULL, plan->model, plan->style};
    *result = b.result;
    if (open_json(&b, why)) return why->status;
    progress_init(&b.bar, plan->list->count, plan->common->quiet);
    signals_hold(true);
    const int status = run_workers(&b, plan->list->count < most ? plan->list->count : most, why);
    signals_hold(false);
    progress_clear(&b.bar);
    if (b.json >= 0 && b.json != STDOUT_FILENO && close(b.json) && !status)
        fail(why, EXIT_RUNTIME, "%s: not written: %s", plan->common->json, strerror(errno));
    *result = b.result;
    result->left = plan->list->count - result->done - result->skipped - result->failed;
    result->wall_ms = machine_ms() - start;
    return why->status;
}
