/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "machine.h"
#include "signals.h"

const solver_table grid_solvers = {tilecut_solver_name, tilecut_solver_device};

const char *solver_device(const solver_table *table, const char *solver)
{
    for (int i = 0; solver && table->name(i); i++)
        if (!strcmp(solver, table->name(i))) return table->device(i);
    return NULL;
}

/* Chooses the device. A device that the user named is never replaced by another: if it is missing or does not suit the
 * solver, the run ends. */
static int choose_device(const common *asked, tilecut_params *params, failure *why)
{
    const char *device = asked->device, *of_solver = solver_device(&grid_solvers, asked->solver);
    /* Refuse this once here, not for each photo, because the option is wrong. */
    if (of_solver && !strcmp(of_solver, "cuda") && (!device || !strcmp(device, "auto")) &&
        tilecut_cuda_device(params->device, NULL, 0) != TILECUT_OK)
        return fail(why, EXIT_RESOURCES, "--solver: %s needs a CUDA device: %s", asked->solver, tilecut_error_detail());
    if (!device || !strcmp(device, "auto")) return EXIT_DONE;
    if (of_solver && strncmp(device, of_solver, strlen(of_solver)))
        return fail(why, EXIT_USAGE, "--solver: %s runs on %s, not on %s; leave out --solver or --device",
                    asked->solver, of_solver, device);
    if (!strcmp(device, "cpu")) return EXIT_DONE;
    if (devices_listed(device))
        return fail(why, EXIT_USAGE, "--device: %s: several GPUs cut one photo in parts, which only segment does; name "
                    "one of them", device);
    if (device[strlen("cuda")] == ':') params->device = atoi(device + strlen("cuda:"));
    if (tilecut_cuda_device(params->device, NULL, 0) != TILECUT_OK)
        return fail(why, EXIT_RESOURCES, "--device: %s is not available: %s; use cpu or auto", device,
                    tilecut_error_detail());
    if (!asked->solver) params->solver = "cuda";
    return EXIT_DONE;
}

int engine_choose(const common *asked, tilecut_params *params, notes *log, failure *why)
{
    params->solver = asked->solver;
    params->threads = asked->threads ? asked->threads : machine_threads(log);
    params->cancel = &signals_flag;
    return choose_device(asked, params, why);
}

int engine_workers(const common *asked, const tilecut_params *params)
{
    const char *const device = solver_device(&grid_solvers, params->solver);
    const bool sleep = !asked->threads && device && !strcmp(device, "cuda");
    return sleep ? params->threads + params->threads / 2 : params->threads;
}

/* ---- auto ------------------------------------------------------------------------------------- */

static bool is_auto(const common *asked)
{
    return !asked->solver && (!asked->device || !strcmp(asked->device, "auto"));
}

void engine_auto_init(engine_auto *engine, const common *asked, calibration_work work, notes *log)
{
    const bool suits = is_auto(asked) && work != CALIBRATION_HOST;
    *engine = (engine_auto){.open = suits && tilecut_cuda_built() && machine_has_gpu(), .work = work};
    if (engine->open) engine->known = calibration_load_file(log);
    if (!engine->known.gpu) engine->open = false; /* there was no GPU when this machine was measured */
}

/* Wakes the GPU, which takes up to a second. */
static bool wake_gpu(engine_auto *engine)
{
    engine->waking = true;
    if (engine->lock) pthread_mutex_unlock(engine->lock);
    const bool awake = tilecut_cuda_device(0, NULL, 0) == TILECUT_OK;
    if (engine->lock) pthread_mutex_lock(engine->lock);
    engine->waking = false;
    return awake;
}

/* A processor may take between these many times as long as the one on which the built-in figures were measured. */
#define FASTEST 0.5
#define SLOWEST 2.5

/* Built-in figures may be wrong by as much as processors differ. If that matters for a single cut that would have to
 * wake the GPU, a small cut is timed first. */
static void time_processor(engine_auto *engine, const calibration_load *load)
{
    calibration *const known = &engine->known;
    const double cpu = calibration_cpu_ms(known, load), gpu = calibration_gpu_ms(known, load);
    if (known->measured || engine->learned || engine->timed || load->jobs > 1 || load->awake) return;
    if (cpu * SLOWEST < gpu || cpu * FASTEST > gpu) return;
    engine->timed = true;
    const double times = calibrate_processor(load->threads);
    for (int i = 0; i < known->rows; i++) known->row[i].cpu_ns *= times;
}

bool engine_auto_would_wake(engine_auto *engine, uint64_t pixels, int threads)
{
    const calibration_load load = {.pixels = pixels, .work = engine->work, .jobs = 1, .threads = threads};
    if (engine->open) time_processor(engine, &load);
    return engine->open && calibration_gpu_ms(&engine->known, &load) < calibration_cpu_ms(&engine->known, &load);
}

bool engine_may_divide(uint64_t bytes, int devices)
{
    const uint64_t least = (uint64_t)2 << 30; /* the memory of the smallest GPUs that CUDA supports */
    return devices != 1 && bytes > least;
}

void engine_auto_plan(engine_auto *engine, uint64_t pixels, int jobs, tilecut_params *params, char *reason, size_t room)
{
    const calibration *const known = &engine->known;
    const calibration_load load = {.pixels = pixels, .work = engine->work, .jobs = jobs, .threads = params->threads,
                                   .awake = engine->awake};
    const calibration_load one = {.pixels = pixels, .work = engine->work, .jobs = 1, .threads = 1};
    params->solver = NULL;
    reason[0] = 0;
    if (!engine->open) return;
    time_processor(engine, &load);
    const double cpu = calibration_cpu_ms(known, &load), gpu = calibration_gpu_ms(known, &load);
    const bool try = !known->measured && engine->learned && !engine->trying && engine->tries < ENGINE_TRIES &&
                     cpu > known->wake_ms;
    const bool beside = engine->waking && !engine->awake && calibration_cpu_ms(known, &one) < known->wake_ms;
    const bool take = try || (gpu < cpu && !engine->trying && !beside);
    snprintf(reason, room, "%s: %d x %.2f Mpx take about %.0f ms on the CPU, %.0f on the GPU%s (%s)",
             take ? "cuda" : "cpu", jobs, (double)pixels * 1e-6, cpu, gpu, load.awake ? "" : ", waking it included",
             try ? "tried on one" : engine->learned ? "measured on the first ones"
                 : known->measured ? "calibrated"
                 : engine->timed ? "by a small cut; see tilecut info --calibrate"
                 : "a guess; see tilecut info --calibrate");
    if (!take) return;
    engine->trying = try; /* other cuts run on the CPU meanwhile */
    engine->tries += try;
    if (!engine->awake && !wake_gpu(engine)) {
        snprintf(reason, room, "cpu: %s", tilecut_error_detail());
        engine->open = false;
        return;
    }
    engine->awake = true;
    params->solver = ENGINE_GPU_SOLVER;
}

/* Returns the factor that corrects a figure: the first measurement replaces the figure, later ones are averaged in. */
static double learned_factor(double known, double seen, bool first)
{
    const double share = first ? 1 : 0.25;
    return known > 0 && seen > 0 ? 1 + share * (seen / known - 1) : 1;
}

void engine_auto_learn(engine_auto *engine, uint64_t pixels, int jobs, const tilecut_params *params, double ms)
{
    calibration *const known = &engine->known;
    const bool on_gpu = params->solver && !strcmp(params->solver, ENGINE_GPU_SOLVER);
    if (!engine->open || !pixels) return;
    const calibration_load one = {.pixels = pixels, .work = engine->work, .jobs = jobs,
                                  .threads = jobs * params->threads, .awake = true};
    if (!on_gpu && ms > 0) {
        const double factor = learned_factor(calibration_cpu_ms(known, &one), ms, !engine->learned);
        for (int i = 0; i < known->rows; i++) known->row[i].cpu_ns *= factor;
        engine->learned = true;
    }
    if (!on_gpu || known->measured) return; /* the first cuts on a GPU take longer, as it is not ready yet */
    const bool woke = engine->trying && engine->tries == 1;
    if (!woke && ms > 0) {
        const double factor = learned_factor(calibration_gpu_ms(known, &one), ms, engine->trying);
        for (int i = 0; i < known->rows; i++) known->row[i].gpu_ns *= factor;
        known->device_ns *= factor;
        known->fixed_ms *= factor;
    }
    engine->trying = false;
}

bool engine_falls_back(const common *asked, tilecut_status status, tilecut_params *params, notes *log)
{
    const char *const device = solver_device(&grid_solvers, params->solver);
    if (!is_auto(asked) || !device || strcmp(device, "cuda")) return false;
    if (status != TILECUT_ENODEVICE && status != TILECUT_EDEVICE && status != TILECUT_ENOMEM) return false;
    note(log, "%s; the CPU does it instead", tilecut_error_detail());
    params->solver = NULL;
    return true;
}

int engine_failure(tilecut_status status, const char *subject, failure *why)
{
    static const int exits[] = {
        [TILECUT_OK] = EXIT_DONE,
        [TILECUT_EINVAL] = EXIT_USAGE,
        [TILECUT_ESEEDS] = EXIT_SEEDS,
        [TILECUT_ENOMEM] = EXIT_RESOURCES,
        [TILECUT_ERANGE] = EXIT_INPUT,
        [TILECUT_ENODEVICE] = EXIT_RESOURCES,
        [TILECUT_EDEVICE] = EXIT_RESOURCES,
        [TILECUT_EUNPROVEN] = EXIT_UNPROVEN,
    };
    if (status == TILECUT_OK) return EXIT_DONE;
    if (status == TILECUT_ECANCELLED) return fail(why, signals_status(), "interrupted");
    const size_t known = sizeof exits / sizeof *exits;
    const int exit_status = (size_t)status < known ? exits[status] : EXIT_RUNTIME;
    const char *detail = tilecut_error_detail();
    return fail(why, exit_status, "%s%s%s", subject ? subject : "", subject ? ": " : "",
                *detail ? detail : tilecut_strerror(status));
}
