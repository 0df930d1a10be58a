/* SPDX-License-Identifier: MIT
 *
 * calibrate.c - `tilecut info --calibrate`: measures the time of a cut on the CPU and on the GPU.
 *
 * Two instances of one megapixel are cut, an easy one (hussein) and a hard one (random); photographs lie between them.
 * A figure is the geometric mean over the two instances, each the better of two runs.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "calibration.h"
#include "engine.h"
#include "synthetic.h"
#include "machine.h"

enum { SIZE = 1024, RUNS = 2, KINDS = 2 };

typedef struct subject {
    instance it;
    tilecut_graph *graph;
    uint8_t *mask;
} subject;

static void subject_free(subject *s)
{
    tilecut_graph_destroy(s->graph);
    instance_free(&s->it);
    free(s->mask);
}

static int subject_make(const char *kind, int size, subject *s, failure *why)
{
    const family_request request = {.size = size, .seed = 1, .lambda = -1};
    const tilecut_params params = tilecut_params_default();
    *s = (subject){0};
    STEP(instance_make(family_find(kind), &request, &s->it, why));
    s->mask = malloc((size_t)size * (size_t)size);
    if (!s->mask) return fail(why, EXIT_RESOURCES, "not enough memory to calibrate");
    return engine_failure(instance_graph(&s->it, &params, &s->graph), kind, why);
}

/* Makes one cut. *ms becomes its time, and *device_ms the part in which the GPU was busy, both in milliseconds. */
static int cut_once(subject *s, const char *solver, int threads, double *ms, double *device_ms, failure *why)
{
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {0};
    params.solver = solver;
    params.threads = threads;
    const double start = machine_ms();
    const tilecut_status status = tilecut_graph_solve(s->graph, &params, s->mask, &report);
    *ms = machine_ms() - start;
    *device_ms = report.copy_ms + report.solve_ms;
    return engine_failure(status, "calibrating", why);
}

/* Measures nanoseconds per pixel: the geometric mean over the two instances. */
static int measure(subject subjects[KINDS], const char *solver, int threads, double *ns, double *device_ns,
                   failure *why)
{
    double product = 1, device_product = 1;
    for (int k = 0; k < KINDS; k++) {
        double best = INFINITY, device_best = INFINITY;
        for (int run = 0; run < RUNS; run++) {
            double ms, device_ms;
            const int status = cut_once(&subjects[k], solver, threads, &ms, &device_ms, why);
            if (status != EXIT_DONE) return status;
            best = fmin(best, ms);
            device_best = fmin(device_best, device_ms);
        }
        product *= best * 1e6 / ((double)SIZE * SIZE);
        device_product *= device_best * 1e6 / ((double)SIZE * SIZE);
    }
    *ns = sqrt(product);
    *device_ns = sqrt(device_product);
    return EXIT_DONE;
}

/* Measures the time to wake the GPU, by which the first cut is longer than the second, and the fixed time of every cut,
 * which is the second cut's. */
static int wake(calibration *c, const char *solver, failure *why)
{
    double first = 0, second = 0, device;
    subject small;
    int status = subject_make("hussein", FAMILY_SIZE_MIN, &small, why);
    if (!status) status = cut_once(&small, solver, 1, &first, &device, why);
    if (!status) status = cut_once(&small, solver, 1, &second, &device, why);
    subject_free(&small);
    c->wake_ms = first > second ? first - second : 0;
    c->fixed_ms = second;
    return status;
}

static int measure_rows(calibration *c, subject subjects[KINDS], failure *why)
{
    const int most = machine_processors();
    double device_ns, ignored;
    int status = EXIT_DONE;
    for (int threads = 1; !status && c->rows < CALIBRATION_ROWS; c->rows++) {
        calibration_row *const row = &c->row[c->rows];
        row->threads = threads;
        status = measure(subjects, NULL, threads, &row->cpu_ns, &ignored, why);
        if (!status && c->gpu) status = measure(subjects, ENGINE_GPU_SOLVER, threads, &row->gpu_ns, &device_ns, why);
        if (!status && c->gpu && threads == 1) c->device_ns = device_ns;
        if (threads == most) {
            c->rows++;
            break;
        }
        threads = 2 * threads < most ? 2 * threads : most;
    }
    return status;
}

/* How long a small cut takes on the machines where the built-in figures were measured (docs/lab/gpu.md). */
static const struct {
    int threads;
    double ms;
} usual[] = {{1, 12}, {2, 8}, {4, 5}};

/* Returns the milliseconds of a small cut, 0 if it fails. */
static double time_small_cut(int threads)
{
    enum { SMALL = 512 };
    double ms = 0, ignored;
    failure trouble = {0};
    subject small;
    int status = subject_make("hussein", SMALL, &small, &trouble);
    if (!status) status = cut_once(&small, NULL, threads, &ms, &ignored, &trouble);
    subject_free(&small);
    return status ? 0 : ms;
}

double calibrate_processor(int threads)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static double known; /* of the number of threads that was asked for first */
    pthread_mutex_lock(&lock);
    size_t row = 0;
    while (row + 1 < sizeof usual / sizeof *usual && usual[row + 1].threads <= threads) row++;
    if (!(known > 0)) known = time_small_cut(threads) / usual[row].ms;
    if (!(known > 0)) known = 1;
    const double times = known;
    pthread_mutex_unlock(&lock);
    return times;
}

int calibrate(calibration *out, notes *log, failure *why)
{
    subject subjects[KINDS] = {0};
    int status = EXIT_DONE;
    *out = (calibration){.measured = true};
    machine_name("", out->machine, sizeof out->machine);
    if (tilecut_cuda_built() && machine_has_gpu()) {
        failure trouble = {0};
        out->gpu = wake(out, ENGINE_GPU_SOLVER, &trouble) == EXIT_DONE;
        if (!out->gpu) note(log, "the GPU was not measured: %s", trouble.text);
    }
    status = subject_make("hussein", SIZE, &subjects[0], why);
    if (!status) status = subject_make("random", SIZE, &subjects[1], why);
    if (!status) status = measure_rows(out, subjects, why);
    for (int k = 0; k < KINDS; k++) subject_free(&subjects[k]);
    return status;
}
