/* SPDX-License-Identifier: MIT
 *
 * test_stack.c - no call of the library needs more than 64 KB of stack, neither in the caller's thread nor in its own
 * threads. Every function runs, with every CPU solver, in a thread with a stack of that size, followed by an
 * inaccessible page. TILECUT_STACK=1 prints how much each call needs.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "random_graph.h"
#include "run_suite.h"
#include "solver.h"

enum { STACK = 64 * 1024, GUARD = 64 * 1024, MOST = 350 * 350 };

#if RANDOM_SHARE > 1 || !defined(__OPTIMIZE__)
static const bool measurable = false; /* with sanitizers, stack frames are larger than in an ordinary build */
#else
static const bool measurable = true;
#endif

static uint8_t pixels[3 * MOST], seeds[MOST], mask[MOST];
static int32_t flow_cells[6][MOST];
static tilecut_image image = {.channels = 3, .depth = 8, .pixels = pixels};

/* Draws two noisy halves with a stroke in each, or with a box. */
static void draw_scene(int width, int height, bool box)
{
    uint64_t state = 7;
    image.width = width;
    image.height = height;
    for (int y = 0, p = 0; y < height; y++) {
        for (int x = 0; x < width; x++, p++) {
            const bool inside = 4 * x > width && 4 * x < 3 * width && 4 * y > height;
            const bool row = 8 * y > height && y < height - 9;
            for (int c = 0; c < 3; c++)
                pixels[3 * p + c] = (uint8_t)(random_below(&state, 90) + (inside ? 120 - 30 * c : 40 * c));
            if (box) seeds[p] = 6 * x > width && 6 * x < 5 * width && row ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
            else seeds[p] = inside && x % 30 == 0 ? TILECUT_FOREGROUND : y == 3 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
        }
    }
}

typedef struct job {
    tilecut_params params;
    random_graph *arrays;
    void (*call)(const struct job *job);
} job;

/* Check's own functions would use stack in the small thread. */
static void must(tilecut_status status)
{
    if (status != TILECUT_OK) abort();
}

static void call_segment(const job *j)
{
    must(tilecut_segment(&image, seeds, &j->params, mask, NULL));
}

static void call_session(const job *j)
{
    tilecut_graph *graph;
    tilecut_session *session;
    must(tilecut_graph_from_image(&graph, &image, seeds, &j->params));
    must(tilecut_graph_segment(graph, &j->params, mask, NULL));
    must(tilecut_session_create(&session, graph));
    must(tilecut_session_solve(session, &j->params, mask, NULL));
    seeds[5 * image.width + 5] = TILECUT_BACKGROUND;
    must(tilecut_session_reseed(session, seeds, NULL));
    must(tilecut_session_solve(session, &j->params, mask, NULL));
    must(tilecut_session_advance(session, &image, NULL, &j->params));
    must(tilecut_session_solve(session, &j->params, mask, NULL));
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
}

static void call_arrays(const job *j)
{
    tilecut_row row = {.source = flow_cells[0], .sink = flow_cells[1],
                       .to = {flow_cells[2], flow_cells[3], flow_cells[4], flow_cells[5]},
                       .from = {flow_cells[2], flow_cells[3], flow_cells[4], flow_cells[5]}};
    const tilecut_flow flow = {.source = flow_cells[0], .sink = flow_cells[1],
                               .to = {flow_cells[2], flow_cells[3], flow_cells[4], flow_cells[5]}};
    tilecut_graph *graph;
    must(tilecut_graph_create(&graph, &j->arrays->arrays));
    must(tilecut_graph_solve(graph, &j->params, mask, NULL));
    must(tilecut_graph_flow(graph, &j->params, mask, &flow, NULL));
    tilecut_graph_row(graph, 3, &row);
    tilecut_graph_destroy(graph);
}

/* Computes a band, its alpha and colours, of the scene's two halves. */
static void call_matting(const job *j)
{
    static uint8_t trimap[MOST], colors[3 * MOST];
    static uint16_t alpha[MOST];
    for (int p = 0; p < image.width * image.height; p++) {
        const int x = p % image.width, y = p / image.width;
        mask[p] = 4 * x > image.width && 4 * x < 3 * image.width && 4 * y > image.height ? 255 : 0;
    }
    must(tilecut_matte_band(&image, mask, seeds, j->params.threads, trimap));
    must(tilecut_matte(&image, trimap, j->params.threads, alpha));
    must(tilecut_matte_colors(&image, alpha, j->params.threads, colors));
}

static void *run(void *context)
{
    const job *const j = context;
    j->call(j);
    return NULL;
}

/* Runs a job on a stack of STACK bytes that ends at a guard page. Returns how many bytes of the stack it has
 * written. */
static size_t used_by(job *j)
{
    pthread_attr_t attributes;
    pthread_t thread;
    uint8_t *const memory = mmap(NULL, GUARD + STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t untouched = 0;

    ck_assert(memory != MAP_FAILED);
    ck_assert_int_eq(mprotect(memory + GUARD, STACK, PROT_READ | PROT_WRITE), 0);
    memset(memory + GUARD, 0xa5, STACK);
    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstack(&attributes, memory + GUARD, STACK), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, run, j), 0);
    pthread_join(thread, NULL);
    while (untouched < STACK && memory[GUARD + untouched] == 0xa5) untouched++;
    munmap(memory, GUARD + STACK);
    pthread_attr_destroy(&attributes);
    return STACK - untouched;
}

/* Calls one function of the library with one solver. */
static void check_call(const tc_solver *solver, int connectivity, int threads, const char *name,
                       void (*call)(const job *j))
{
    random_graph arrays;
    random_graph_init(&arrays, 3, image.width, image.height, connectivity);
    job j = {.params = tilecut_params_default(), .arrays = &arrays, .call = call};
    j.params.solver = solver->name;
    j.params.connectivity = connectivity;
    j.params.threads = threads;
    const size_t used = used_by(&j);
    if (getenv("TILECUT_STACK"))
        printf("%-8s %-18s %d neighbours, %d threads: %zu bytes\n", solver->name, name, connectivity, threads, used);
    ck_assert_msg(used < STACK, "%s, %s: %zu bytes", solver->name, name, used);
    random_graph_free(&arrays);
}

/* Makes the call with one thread and with several, and with all neighbourhoods of the solver. */
static void check_calls(const tc_solver *solver, const char *name, void (*call)(const job *j))
{
    for (int connectivity = 4; connectivity <= (solver->can & TC_SOLVES_8 ? 8 : 4); connectivity += 4)
        for (int threads = 1; threads <= 5; threads += 4) check_call(solver, connectivity, threads, name, call);
}

/* Gives the library's own threads an equally small stack. */
static void let_threads_be_small(void)
{
#ifdef __GLIBC__
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, STACK), 0);
    ck_assert_int_eq(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
#endif
}

static int count_solvers(void)
{
    int count = 0;
    while (tc_solvers[count].name) count++;
    return count;
}

LOOP_TEST(every_call_fits_a_stack_of_64_kb, 0, count_solvers())
{
    if (!measurable) {
        printf("skipped: the stack is not measured in a build without optimisation or with a sanitizer\n");
        return;
    }
    const tc_solver *const solver = &tc_solvers[_i];
    if (solver->can & TC_ON_CUDA) return;
    let_threads_be_small();
    draw_scene(70, 100, false);
    check_calls(solver, "segment, strokes", call_segment);
    check_calls(solver, "session", call_session);
    check_calls(solver, "arrays", call_arrays);
    draw_scene(70, 70, true);
    check_calls(solver, "segment, a box", call_segment);
}

static const tc_solver any = {.name = "auto", .can = TC_SOLVES_8};

/* In images of more than 120,000 pixels, a box is first cut in a smaller copy. */
TEST(a_box_in_a_larger_image_fits_it_too)
{
    if (!measurable) return;
    let_threads_be_small();
    draw_scene(350, 350, true);
    check_call(&any, 8, 5, "segment, a box", call_segment);
}

TEST(a_soft_edge_fits_it_too)
{
    if (!measurable) return;
    let_threads_be_small();
    draw_scene(96, 100, false);
    check_calls(&any, "matting", call_matting);
}

/* The long time limit is for valgrind, and for busy machines. */
int main(void) { return run_suite((test_suite){.name = "stack", .seconds = 600}); }
