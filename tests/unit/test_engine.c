/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_engine.c - the choice of a solver when none is named: what --device auto decides, and when it falls back.
 */
#include "engine.h" /* must precede check.h, which defines a macro fail() */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"

static common asked;
static tilecut_params params;
static notes said;

static void begin(void)
{
    asked = (common){0};
    params = tilecut_params_default();
    params.threads = 4;
    said = (notes){0};
}

static void end(void)
{
    notes_free(&said);
}

/* An engine whose GPU counts as awake, so that a decision needs no real GPU. */
static engine_auto awake(void)
{
    return (engine_auto){.open = true, .awake = true, .known = calibration_builtin()};
}

TEST(closed_where_there_is_no_choice)
{
    engine_auto engine;
    char reason[200] = "?";
    if (!tilecut_cuda_built()) {
        engine_auto_init(&engine, &asked, CALIBRATION_PHOTO, &said);
        ck_assert(!engine.open);
    }
    asked.device = "cpu";
    engine_auto_init(&engine, &asked, CALIBRATION_PHOTO, &said);
    ck_assert(!engine.open);
    asked = (common){.solver = "push"};
    engine_auto_init(&engine, &asked, CALIBRATION_PHOTO, &said);
    ck_assert(!engine.open);
    asked = (common){.device = "auto"};
    engine_auto_init(&engine, &asked, CALIBRATION_HOST, &said);
    ck_assert(!engine.open);
    engine_auto_plan(&engine, 1u << 28, 1000, &params, reason, sizeof reason);
    ck_assert_ptr_null(params.solver);
    ck_assert_str_eq(reason, "");
    ck_assert_int_eq(said.count, 0);
}

TEST(what_is_awake_is_taken_sooner)
{
    engine_auto engine = awake();
    char reason[200];
    engine_auto_plan(&engine, 1000000, 1, &params, reason, sizeof reason);
    ck_assert_str_eq(params.solver, ENGINE_GPU_SOLVER);
    ck_assert_msg(!strncmp(reason, "cuda: 1 x 1.00 Mpx", 18) && strstr(reason, "a guess"), "%s", reason);
    engine_auto_plan(&engine, 4096, 1, &params, reason, sizeof reason); /* every call decides anew */
    ck_assert_ptr_null(params.solver);
    engine.awake = false;
    engine_auto_plan(&engine, 1000000, 1, &params, reason, sizeof reason);
    ck_assert_ptr_null(params.solver);
    ck_assert_msg(!strncmp(reason, "cpu: ", 5) && strstr(reason, "waking"), "%s", reason);
    ck_assert(engine.open);
}

TEST(the_gpu_is_woken_ahead_for_what_auto_will_give_it)
{
    char reason[200];
    int woken = 0, all = 0;
    for (calibration_work work = CALIBRATION_PHOTO; work < CALIBRATION_HOST; work++)
        for (uint64_t pixels = 4096; pixels < 1u << 28; pixels *= 2, all++) {
            engine_auto engine = awake();
            engine.work = work, engine.awake = false;
            const bool ahead = engine_auto_would_wake(&engine, pixels, params.threads);
            engine_auto_plan(&engine, pixels, 1, &params, reason, sizeof reason);
            ck_assert_msg(ahead == (params.solver || !engine.open), "%s", reason); /* not open: there is no GPU */
            woken += ahead;
            engine.open = false;
            ck_assert(!engine_auto_would_wake(&engine, pixels, params.threads));
        }
    ck_assert(woken > 0 && woken < all);
}

/* A small cut tells how fast this machine is, but only where that could change the choice. */
TEST(the_processor_is_timed_where_that_may_matter)
{
    const struct {
        uint64_t pixels;
        bool measured, timed;
    } cases[] = {{400000, false, false}, {12000000, false, true}, {12000000, true, false}, {1u << 30, false, false}};
    char reason[200];
    params.threads = 16;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        engine_auto engine = awake();
        engine.awake = false;
        engine.known.measured = cases[i].measured;
        (void)engine_auto_would_wake(&engine, cases[i].pixels, params.threads);
        ck_assert_int_eq(engine.timed, cases[i].timed);
        const double cpu = engine.known.row[0].cpu_ns, times = cpu / calibration_builtin().row[0].cpu_ns;
        const double wanted = engine.timed ? calibrate_processor(16) : 1; /* the same in all of the process */
        ck_assert(wanted > 0);
        ck_assert_double_eq_tol(times, wanted, 1e-9 * wanted);
        engine_auto_plan(&engine, cases[i].pixels, 1, &params, reason, sizeof reason);
        ck_assert(engine.known.row[0].cpu_ns == cpu);
    }
}

TEST(no_gpu_is_woken_to_divide_a_photo_that_fits_any)
{
    const uint64_t twelve_megapixels = 48 * UINT64_C(12000000);
    ck_assert(!engine_may_divide(twelve_megapixels, 1));
    ck_assert(!engine_may_divide(twelve_megapixels, 8));
    ck_assert(!engine_may_divide(twelve_megapixels, 0));
    ck_assert(!engine_may_divide(UINT64_C(1) << 40, 1));
    ck_assert(engine_may_divide(UINT64_C(1) << 40, 2));
    ck_assert(engine_may_divide(UINT64_C(1) << 40, 0));
}

TEST(while_the_gpu_wakes_small_jobs_go_to_the_cpu)
{
    engine_auto engine = awake();
    char reason[200];
    engine.known.measured = true;
    engine.awake = false;
    engine.waking = true;
    engine_auto_plan(&engine, 400000, 2000, &params, reason, sizeof reason);
    ck_assert_ptr_null(params.solver);
    ck_assert_msg(!strncmp(reason, "cpu: ", 5), "%s", reason);
    ck_assert(engine.open);
    engine.waking = false;
    engine.awake = true;
    engine_auto_plan(&engine, 400000, 1999, &params, reason, sizeof reason);
    ck_assert_msg(params.solver && !strcmp(params.solver, ENGINE_GPU_SOLVER), "%s", reason);
}

/* Plans the next of `jobs` photos of 0.4 Mpx, each on one of 16 threads. Returns true if it goes to the GPU. */
static bool goes_to_gpu(engine_auto *engine, int jobs)
{
    char reason[200];
    params.threads = 16;
    engine_auto_plan(engine, 400000, jobs, &params, reason, sizeof reason);
    params.threads = 1;
    return params.solver != NULL;
}

/* Simulates a batch of 320 photos without a calibration. The first plan is the CPU, which takes `cpu_ms` a photo on one
 * thread; the GPU takes `gpu_ms`. Returns true if the rest of the batch goes to the GPU. */
static bool batch_ends_on_gpu(double cpu_ms, double gpu_ms)
{
    engine_auto engine = awake();
    ck_assert(!goes_to_gpu(&engine, 320));
    engine_auto_learn(&engine, 400000, 1, &params, cpu_ms);
    const bool tried = goes_to_gpu(&engine, 319);
    if (!tried) return false;
    tilecut_params there = params;
    ck_assert(!goes_to_gpu(&engine, 318)); /* while the GPU works on that photo, the CPU continues */
    engine_auto_learn(&engine, 400000, 1, &params, cpu_ms);
    /* this time includes the waking of the GPU, so it does not count */
    engine_auto_learn(&engine, 400000, 1, &there, 700);
    ck_assert(goes_to_gpu(&engine, 316));
    there = params;
    engine_auto_learn(&engine, 400000, 1, &there, gpu_ms);
    const bool gpu = goes_to_gpu(&engine, 315);
    for (int left = 314; left > 250; left--) {
        engine_auto_learn(&engine, 400000, 1, &params, params.solver ? gpu_ms : cpu_ms);
        ck_assert_int_eq(goes_to_gpu(&engine, left), gpu); /* the decision stays */
    }
    return gpu;
}

TEST(a_batch_learns_from_its_first_photos)
{
    ck_assert(batch_ends_on_gpu(70, 3));   /* takes 1.4 s on 16 threads, but only 1 s on the GPU */
    ck_assert(!batch_ends_on_gpu(70, 30)); /* the GPU is slower */
    ck_assert(!batch_ends_on_gpu(10, 3));  /* the batch would end before the GPU is awake, so the GPU is not tried */
}

/* A calibration makes one cut at a time. In a batch 16 threads take longer, so the GPU pays sooner. */
TEST(a_batch_corrects_a_calibration)
{
    engine_auto engine = awake();
    engine.known.measured = true;
    ck_assert(!goes_to_gpu(&engine, 320));
    engine_auto_learn(&engine, 400000, 1, &params, 80);
    ck_assert_double_eq_tol(engine.known.row[0].cpu_ns, 80 * 1e6 / 400000, 1e-6);
    ck_assert(goes_to_gpu(&engine, 320) && !engine.trying);
    const double gpu_ns = engine.known.row[0].gpu_ns;
    params.solver = ENGINE_GPU_SOLVER;
    engine_auto_learn(&engine, 400000, 16, &params, 900); /* a time that includes what only the first cut on a GPU waits
                                                             for */
    ck_assert_double_eq(engine.known.row[0].gpu_ns, gpu_ns);
}

/* If the plan is the GPU and there is none, the CPU does the work, and only -v mentions it. */
TEST(nothing_to_wake)
{
    engine_auto engine = awake();
    char reason[200];
    if (tilecut_cuda_device(0, NULL, 0) == TILECUT_OK) return;
    engine.awake = false;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the call releases this lock, and takes it again */
    engine.lock = &lock;
    pthread_mutex_lock(&lock);
    engine_auto_plan(&engine, 1u << 26, 1, &params, reason, sizeof reason);
    ck_assert_int_eq(pthread_mutex_trylock(&lock), EBUSY);
    pthread_mutex_unlock(&lock);
    ck_assert_ptr_null(params.solver);
    ck_assert(!engine.open && !engine.awake);
    ck_assert_msg(!strncmp(reason, "cpu: ", 5), "%s", reason);
}

TEST(only_auto_falls_back)
{
    static const tilecut_status device_failed[] = {TILECUT_ENODEVICE, TILECUT_EDEVICE, TILECUT_ENOMEM};
    static const tilecut_status others[] = {TILECUT_EINVAL, TILECUT_ESEEDS, TILECUT_ERANGE, TILECUT_ECANCELLED,
                                            TILECUT_EUNPROVEN};
    for (size_t i = 0; i < sizeof device_failed / sizeof *device_failed; i++) {
        params.solver = ENGINE_GPU_SOLVER;
        ck_assert(engine_falls_back(&asked, device_failed[i], &params, &said));
        ck_assert_ptr_null(params.solver);
        ck_assert_int_eq(said.count, (int)i + 1);
        ck_assert(!engine_falls_back(&asked, device_failed[i], &params, &said)); /* a failure of the CPU is final */
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        params.solver = ENGINE_GPU_SOLVER;
        ck_assert(!engine_falls_back(&asked, others[i], &params, &said));
        ck_assert_str_eq(params.solver, ENGINE_GPU_SOLVER);
    }
    asked.device = "cuda";
    ck_assert(!engine_falls_back(&asked, TILECUT_EDEVICE, &params, &said));
    asked = (common){.solver = "cuda"};
    ck_assert(!engine_falls_back(&asked, TILECUT_EDEVICE, &params, &said));
    ck_assert_int_eq(said.count, 3);
}

TEST(a_gpu_gets_more_workers_than_processors)
{
    params.threads = 16;
    ck_assert_int_eq(engine_workers(&asked, &params), 16);
    params.solver = "push";
    ck_assert_int_eq(engine_workers(&asked, &params), 16);
    params.solver = "cuda";
    ck_assert_int_eq(engine_workers(&asked, &params), 24);
    params.threads = 1;
    ck_assert_int_eq(engine_workers(&asked, &params), 1);
    params.threads = asked.threads = 16;
    ck_assert_int_eq(engine_workers(&asked, &params), 16);
}

int main(void) { return run_suite((test_suite){.name = "engine", .set_up = begin, .tear_down = end}); }
