/* SPDX-License-Identifier: MIT */
#include "batch_run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "batch_gate.h"
#include "folders.h"
#include "machine.h"
#include "scan_job.h"
#include "signals.h"

enum { MOST_WORKERS = 256 };

/* ---- one job ---------------------------------------------------------------------------------- */

static int make_folders(const batch_item *item, failure *why)
{
    for (int i = 0; i < BATCH_RESULTS; i++) {
        const int error = folders_make(item->result[i]);
        if (error == ENOMEM)
            return fail(why, EXIT_RESOURCES, "%s: not enough memory for its folder's name", item->photo);
        if (error)
            return fail(why, EXIT_RUNTIME, "%s: not written: its folder cannot be made: %s", item->result[i],
                        strerror(error));
    }
    return EXIT_DONE;
}

static int cut_item(ticket *t, bool alone, tilecut_params *params, failure *why)
{
    batch_enter_cut(t, alone, params);
    const int status = job_cut(&t->job, params, why);
    batch_leave_cut(t, params, status == EXIT_DONE);
    return status;
}

static int build_and_cut(ticket *t, failure *why)
{
    tilecut_params params = *t->batch->plan->params;
    params.cancel = NULL; /* a signal does not cancel this cut: jobs in progress are finished */
    int status = cut_item(t, false, &params, why);
    /* If GPU memory ran out, other jobs may have held it, so try again alone. */
    if (status == EXIT_RESOURCES && batch_uses_device(&params)) status = cut_item(t, true, &params, why);
    if (!status) why->status = EXIT_DONE;
    const double building = t->job.run.cut.model_ms + t->job.run.cut.graph_ms;
    if (!status) t->ms[BATCH_BUILD] += building, t->ms[BATCH_CUT] -= building;
    return status;
}

static int do_volume(ticket *t, const batch_item *item, failure *why)
{
    const batch_plan *const plan = t->batch->plan;
    scan_job volume;
    tilecut_params params = *plan->params;
    scan_job_init(&volume, &t->job, plan->scan);
    params.cancel = NULL; /* a signal does not cancel this cut: jobs in progress are finished */
    pthread_mutex_lock(&t->batch->lock);
    params.threads = batch_threads(t->batch);
    pthread_mutex_unlock(&t->batch->lock);
    int status = scan_check_options(plan->given, item->photo, why);
    for (int i = 0; !status && i < item->setting_count; i++) {
        struct option_given one = {batch_setting_row(item->setting[i].name), item->setting[i].value};
        status = scan_check_options(&(option_log){&one, 1}, item->photo, why);
    }
    if (!status) status = scan_job_do(&volume, &params, why);
    scan_free(&volume.scan);
    batch_spent(t, BATCH_CUT);
    return status;
}

static int do_job(ticket *t, const batch_item *item, failure *why)
{
    t->mark = machine_ms();
    int status = t->batch->plan->make_folders ? make_folders(item, why) : EXIT_DONE;
    if (!status && scan_is_among(t->batch->plan->scan, item->photo, (const char *const *)item->seeds, item->seed_count))
        return do_volume(t, item, why);
    if (!status) status = scan_check_none(t->batch->plan->given, item->photo, why);
    if (!status) status = job_plan(&t->job, why);
    if (!status) status = job_read(&t->job, why);
    batch_spent(t, BATCH_READ);
    if (!status) status = build_and_cut(t, why);
    if (!status) status = job_write(&t->job, why);
    batch_spent(t, BATCH_WRITE);
    return status;
}

/* ---- printing ---------------------------------------------------------------------------------- */

/* Writes a finished line at once, so that a reader rarely sees half a line. The caller holds the lock. */
static void put_json(batch *b, const ticket *t, const failure *why)
{
    json line = {0};
    if (b->log.descriptor < 0 || b->broken.status) return;
    run_put_json(&line, &t->job.run, why);
    b->stop |= json_log_put(&b->log, &line, &b->broken) != EXIT_DONE;
}

static void report_failure(batch *b, ticket *t, const failure *why)
{
    const common *const asked = b->plan->common;
    const run *const r = &t->job.run;
    char name[PRINTABLE_ROOM];
    batch_result *const sum = &b->result;

    pthread_mutex_lock(&b->lock);
    progress_clear(&b->bar);
    for (int i = 0; i < r->notes.count && !asked->quiet; i++) fprintf(stderr, "tilecut: note: %s\n", r->notes.text[i]);
    if (why->status) fprintf(stderr, "tilecut: %s\n", why->text);
    if (asked->verbose && r->skipped) fprintf(stderr, "tilecut: %s: up to date\n", printable_name(r->output, name));
    if (asked->verbose && !why->status && !r->skipped)
        fprintf(stderr, "tilecut: %s: %dx%d, read %.1f ms, graph %.1f ms, cut %.1f ms (%s), written %.1f ms\n",
                printable_name(r->output, name), r->width, r->height, t->ms[BATCH_READ], t->ms[BATCH_BUILD],
                t->ms[BATCH_CUT], r->cut.solver, t->ms[BATCH_WRITE]);
    put_json(b, t, why);
    sum->done += !why->status && !r->skipped;
    sum->skipped += r->skipped;
    sum->failed += why->status != EXIT_DONE;
    for (int i = 0; i < BATCH_STAGES; i++) sum->ms[i] += t->ms[i];
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
    if (!b->stop && !signals_number() && b->next < b->plan->list->count) item = &b->plan->list->item[b->next++];
    if (!item) b->working--;
    pthread_mutex_unlock(&b->lock);
    return item;
}

/* Takes the photo's own --band, which has to be about its mask or its seeds. */
static int take_band(inputs *in, const batch_item *item, failure *why)
{
    seeds_request request = inputs_seeds(in);
    request.file_count = item->seed_count;
    if (item->seed_count != in->files.count) request.formats = NULL;
    if (!request.band_given) return EXIT_DONE;
    return item->given ? inputs_take_reach(in, true, why) : seeds_check_band(&request, why);
}

/* Combines the photo's own options with those of the batch. */
static int prepare(ticket *t, const batch_item *item, failure *why)
{
    batch *const b = t->batch;
    const batch_plan *const plan = b->plan;
    failure what = {0};
    int status = batch_settings_make(&t->settings, plan->inputs, plan->model, plan->style, item->setting,
                                     item->setting_count, &what);
    style_outputs to = {.cutout = item->result[BATCH_CUTOUT] != NULL, .alpha = item->result[BATCH_ALPHA] != NULL,
                        .missing = "PATTERN"};
    for (int i = 0; i < BATCH_RESULTS; i++) to.file[i] = item->result[i];
    if (!status) status = take_band(&t->settings.inputs, item, &what);
    if (!status && item->setting_count)
        status = job_check_style(&t->settings.style, &to, &t->settings.inputs, &what);
    if (status) fail(why, status, "%s: %s", item->photo, what.text);
    t->settings.inputs.mask = item->given;
    t->settings.inputs.request.limits.named = item->shared;
    t->settings.inputs.request.limits.object = item->object;
    t->settings.inputs.another = true;
    t->settings.inputs.beside += model_memory(&t->settings.model);
    t->settings.inputs.free_memory = b->budget; /* the memory limit of the batch, not what other jobs have left free */
    t->settings.inputs.request.limits.admit = batch_enter;
    t->settings.inputs.request.limits.admit_context = t;
    t->request = (job_request){&b->quiet, &t->settings.inputs, &t->settings.model, &t->settings.style};
    return status;
}

static void note_results(void *context, const outputs *all)
{
    const ticket *const t = context;
    if (*t->key) batch_state_note(all, t->key);
}

/* True if all results exist and are up to date. Also removes temporary files that killed runs have left beside them. */
static bool is_done(ticket *t, const batch_item *item)
{
    const batch_plan *const plan = t->batch->plan;
    if (!batch_state_key(plan->state, item, t->key)) t->key[0] = '\0';
    if (!plan->resume || !*t->key || !batch_state_done(plan->state, item, t->key)) return false;
    for (int i = 0; i < BATCH_RESULTS; i++)
        if (item->result[i]) folders_visit(item->result[i]);
    return true;
}

static void do_item(batch *b, const batch_item *item)
{
    const job_files files = {.photo = item->photo, .seeds = {(const char **)item->seeds, item->seed_count},
                             .mask = item->result[BATCH_MASK], .cutout = item->result[BATCH_CUTOUT],
                             .alpha = item->result[BATCH_ALPHA], .overlay = item->result[BATCH_OVERLAY],
                             .sure = item->result[BATCH_SURE]};
    ticket t = {.batch = b};
    failure why = {0};

    const int status = prepare(&t, item, &why);
    job_init(&t.job, &t.request, &files);
    t.job.outputs.made = note_results;
    t.job.outputs.context = &t;
    if (!status && is_done(&t, item))
        t.job.run.skipped = true;
    else if (!status && do_job(&t, item, &why) != EXIT_DONE && !why.status)
        fail(&why, EXIT_RUNTIME, "%s: failed", item->photo);
    report_failure(b, &t, &why);
    job_free(&t.job);
    batch_settings_free(&t.settings);
    batch_leave(&t);
}

static void *batch_worker(void *context)
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
        if (pthread_create(&thread[started], NULL, batch_worker, b)) break;
    pthread_mutex_lock(&b->lock);
    b->working -= count - 1 - started;
    pthread_mutex_unlock(&b->lock);
    batch_worker(b); /* this thread is a worker, too */
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    b->result.workers = started + 1;
    if (b->broken.status) *why = b->broken;
    return b->broken.status;
}

int batch_run(const batch_plan *plan, batch_result *result, failure *why)
{
    batch b = {.plan = plan, .engine = *plan->engine, .budget = inputs_memory(plan->inputs),
               .quiet = {.quiet = true, .device = plan->common->device, .solver = plan->common->solver,
                         .json = plan->common->json}, .threads = plan->params->threads,
               .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    b.engine.lock = &b.lock;
    const int workers = engine_workers(plan->common, plan->params);
    const int most = workers < MOST_WORKERS ? workers : MOST_WORKERS;
    const double start = machine_ms();
    failure unread;

    *result = b.result;
    STEP(json_log_open(&b.log, plan->common->json, why));
    progress_init(&b.bar, plan->list->count, plan->common->quiet);
    /* Keeping freed memory spares each job the wait for new pages, and all threads the wait for unmapping. With a
     * memory limit, memory is too scarce to keep. */
    if (!plan->inputs->max_memory) machine_keep_memory();
    signals_hold(true);
    const int status = run_workers(&b, plan->list->count < most ? plan->list->count : most, why);
    signals_hold(false);
    progress_clear(&b.bar);
    (void)json_log_close(&b.log, status ? &unread : why);
    /* Both measures can be too large: the jobs' sum counts overlapping jobs twice, the batch's time includes processor
     * work. So take the smaller one. */
    if (b.result.device_ms > b.device_ms) b.result.device_ms = b.device_ms;
    *result = b.result;
    result->left = plan->list->count - result->done - result->skipped - result->failed;
    result->wall_ms = machine_ms() - start;
    return why->status;
}
