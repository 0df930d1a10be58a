/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_batch_gate.c - where the cuts of a batch with --device auto go once the GPU is awake: to the GPU while it has
 * room, then to the CPU while processors are free and the GPU has enough to do. No cut is made, so no GPU is needed.
 */
#include "batch_gate.h" /* must precede check.h, which defines a macro fail() */

#include <time.h>

#include "machine.h"
#include "run_suite.h"

enum { JOBS = 200, FEW = 12, ON_DEVICE = 16, THREADS = 24, BESIDE = THREADS - ON_DEVICE / 2 };

static batch all;
static batch_list list;
static common asked;
static tilecut_params shared;
static batch_plan plan;
static ticket job_of[JOBS];
static tilecut_params cut[JOBS];

/* Every cut is of 0.4 Mpx and takes 80 ms on a thread; the GPU is awake. */
static void begin(void)
{
    shared = tilecut_params_default();
    shared.threads = THREADS;
    asked = (common){0};
    list = (batch_list){.count = JOBS};
    plan = (batch_plan){.list = &list, .common = &asked, .params = &shared};
    all = (batch){.plan = &plan, .threads = THREADS, .working = THREADS,
                  .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER,
                  .engine = {.open = true, .awake = true, .learned = true, .known = calibration_builtin()}};
    all.engine.known.measured = true;
    all.engine.known.row[0].cpu_ns = 200;
    for (int i = 0; i < JOBS; i++) {
        job_of[i] = (ticket){.batch = &all, .job.photo = {.width = 800, .height = 500}};
        cut[i] = shared;
    }
}

/* Lets job `i` begin to cut. Returns true if it goes to the GPU. */
static bool begins_on_gpu(int i)
{
    all.next = i + 1;
    batch_enter_cut(&job_of[i], false, &cut[i]);
    return batch_uses_device(&cut[i]);
}

/* Ends the cut of job `i`, which took 30 ms on the GPU, 16 at a time, or 80 on the CPU. */
static void ends(int i)
{
    job_of[i].cut_since = machine_ms() - (batch_uses_device(&cut[i]) ? 30 : 80);
    batch_leave_cut(&job_of[i], &cut[i], true);
}

TEST(processors_cut_what_would_wait_for_the_gpu)
{
    for (int i = 0; i < ON_DEVICE; i++) ck_assert(begins_on_gpu(i));
    for (int i = ON_DEVICE; i < ON_DEVICE + BESIDE; i++) ck_assert(!begins_on_gpu(i));
    ck_assert_int_eq(all.on_device, ON_DEVICE);
    ck_assert_int_eq(all.on_cpu, BESIDE);
    all.device_since = machine_ms() - 2;
    ends(3); /* there is room again for the next one */
    ck_assert(begins_on_gpu(ON_DEVICE + BESIDE));
    ends(ON_DEVICE);
    ck_assert(!begins_on_gpu(ON_DEVICE + BESIDE + 1));
    ck_assert_int_eq(all.device_cuts, 1);
    ck_assert_int_eq(all.cpu_cuts, 1);
}

static void *begin_last(void *unused)
{
    (void)unused;
    batch_enter_cut(&job_of[JOBS - 1], false, &cut[JOBS - 1]);
    return NULL;
}

/* The GPU does a cut in 2 ms, so it has done the last 17 sooner than a thread one of them. */
TEST(the_last_ones_wait_for_the_gpu)
{
    pthread_t last;
    for (int i = 0; i < ON_DEVICE; i++) ck_assert(begins_on_gpu(i));
    all.device_since = machine_ms();
    all.device_cuts = 50, all.device_ms = 100;
    all.cpu_cuts = 10, all.cpu_ms = 800;
    ck_assert(!begins_on_gpu(JOBS - 60));
    all.next = JOBS;
    ck_assert_int_eq(pthread_create(&last, NULL, begin_last, NULL), 0);
    for (bool waits = false; !waits && job_of[JOBS - 1].cut_since <= 0;) {
        pthread_mutex_lock(&all.lock);
        waits = all.waiting == 1;
        pthread_mutex_unlock(&all.lock);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    ends(0);
    pthread_join(last, NULL);
    ck_assert(batch_uses_device(&cut[JOBS - 1]));
    ck_assert_int_eq(all.on_cpu, 1);
}

TEST(a_named_device_or_number_of_threads_is_kept)
{
    engine_auto *const engine = &all.engine;
    ck_assert_int_eq(batch_spare_workers(&asked, engine, 4), 4);
    ck_assert_int_eq(batch_spare_workers(&asked, engine, 64), ON_DEVICE);
    asked.threads = 4;
    ck_assert_int_eq(batch_spare_workers(&asked, engine, 4), 0);
    asked.threads = 0;
    engine->open = false; /* --device cuda: the CPU cuts nothing */
    ck_assert_int_eq(batch_spare_workers(&asked, engine, 4), 0);
    for (int i = 0; i < ON_DEVICE; i++) {
        cut[i].solver = "cuda";
        ck_assert(begins_on_gpu(i));
    }
    ck_assert_int_eq(all.on_cpu, 0);
}

/* Runs a batch of photos that are not there. Returns how many workers there were. */
static int workers_of_a_batch(void)
{
    static batch_item item[FEW];
    static const inputs in = {0};
    static const model colors = {0};
    static const job_style style = {0};
    static const scan_options space = {0};
    static const option_log given = {0};
    batch_result result = {0};
    failure why = {0};
    for (int i = 0; i < FEW; i++) item[i].photo = "no such photo.png";
    list = (batch_list){.item = item, .count = FEW};
    shared.threads = 4;
    asked.quiet = true;
    plan.inputs = &in, plan.model = &colors, plan.style = &style, plan.scan = &space, plan.given = &given;
    plan.engine = &all.engine;
    ck_assert_int_eq(batch_run(&plan, &result, &why), EXIT_DONE);
    ck_assert_int_eq(result.failed, FEW);
    ck_assert_int_eq(result.left, 0);
    return result.workers;
}

TEST(spare_workers_end_with_the_batch)
{
    all.engine.awake = false; /* nobody wakes it: they wait until the last job has ended */
    ck_assert_int_eq(workers_of_a_batch(), 4);
    all.engine.awake = true;
    ck_assert_int_eq(workers_of_a_batch(), 8);
    all.engine.open = false;
    ck_assert_int_eq(workers_of_a_batch(), 4);
}

int main(void) { return run_suite((test_suite){.name = "batch_gate", .seconds = 10, .set_up = begin}); }
