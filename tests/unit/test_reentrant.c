/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_reentrant.c - eight threads use the library at once, with different images, seeds, models and solvers. Each gets
 * the same masks, flows and error messages as when it runs alone. Under ThreadSanitizer (`make sanitize`) this also
 * shows that they share nothing.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "solver.h"

enum { THREADS = 8, ROUNDS = 6, W = 90, H = 70, N = W * H };

typedef struct job {
    int number, round;
    uint8_t pixels[3 * N], seeds[N], mask[N];
    tilecut_report report;
    tilecut_status status, refused;
    char sentence[200];
} job;

static const char *solver_of(int number)
{
    int cpu = 0;
    for (int i = 0; tc_solvers[i].name; i++)
        if (!(tc_solvers[i].can & TC_ON_CUDA) && cpu++ == number % 6) return tc_solvers[i].name;
    return "auto";
}

static void job_init(job *j, int number, int round)
{
    uint64_t state = (uint64_t)(100 * number + round);
    const int middle = W / 4 + random_below(&state, W / 2);
    *j = (job){.number = number, .round = round};
    for (int p = 0; p < N; p++) {
        for (int c = 0; c < 3; c++)
            j->pixels[3 * p + c] = (uint8_t)(random_below(&state, 70) + (p % W < middle ? 40 * c : 150 - 30 * c));
        const int x = p % W;
        j->seeds[p] = x == 2 + number % 5 ? TILECUT_FOREGROUND : x > W - 4 ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
}

/* Cuts, edits and cuts again in a session. Then makes a call that is refused, and keeps its error message. */
static void *work(void *context)
{
    job *j = context;
    static const char *const colors[] = {"gmm", "hist", "none"};
    const tilecut_image image = {0, W, H, 3, 8, 0, j->pixels};
    tilecut_params params = tilecut_params_default();
    tilecut_session *session = NULL;
    tilecut_graph *graph = NULL;
    params.solver = j->number % 7 == 6 ? "auto" : solver_of(j->number);
    params.colors = colors[j->number % 3];
    params.lambda = 10 + 9 * j->round;
    params.threads = 1 + j->number % 2;
    j->status = tilecut_segment(&image, j->seeds, &params, j->mask, NULL);
    if (j->status == TILECUT_OK) j->status = tilecut_graph_from_image(&graph, &image, j->seeds, &params);
    if (j->status == TILECUT_OK) j->status = tilecut_session_create(&session, graph);
    if (j->status == TILECUT_OK) j->status = tilecut_session_solve(session, &params, j->mask, NULL);
    for (int p = 0; p < N; p += 13) j->seeds[p] = p % W < 8 ? TILECUT_FOREGROUND : j->seeds[p];
    if (j->status == TILECUT_OK) j->status = tilecut_session_reseed(session, j->seeds, NULL);
    if (j->status == TILECUT_OK) j->status = tilecut_session_solve(session, &params, j->mask, &j->report);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);

    const tilecut_image wrong = {0, W, H, 100 + j->number, 8, 0, j->pixels};
    uint8_t unused[1];
    j->refused = tilecut_segment(&wrong, j->seeds, &params, unused, NULL);
    snprintf(j->sentence, sizeof j->sentence, "%s", tilecut_error_detail());
    return NULL;
}

TEST(eight_threads_get_what_one_gets)
{
    static job alone[THREADS], together[THREADS];
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            job_init(&alone[i], i, round);
            job_init(&together[i], i, round);
            work(&alone[i]);
            ck_assert_msg(alone[i].status == TILECUT_OK, "round %d, %d: %s", round, i, alone[i].sentence);
        }
        for (int i = 0; i < THREADS; i++)
            ck_assert_int_eq(pthread_create(&thread[i], NULL, work, &together[i]), 0);
        for (int i = 0; i < THREADS; i++) ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
        for (int i = 0; i < THREADS; i++) {
            char wanted[20];
            const job *one = &alone[i], *all = &together[i];
            snprintf(wanted, sizeof wanted, "of %d channels", 100 + i);
            ck_assert_int_eq(all->status, TILECUT_OK);
            ck_assert_msg(memcmp(one->mask, all->mask, N) == 0, "round %d, %d: another mask", round, i);
            ck_assert_int_eq(one->report.flow, all->report.flow);
            ck_assert_int_eq(one->report.foreground, all->report.foreground);
            ck_assert_str_eq(one->report.solver, all->report.solver);
            ck_assert_int_eq(all->refused, TILECUT_EINVAL);
            ck_assert_msg(strstr(all->sentence, wanted) != NULL, "%d was told: %s", i, all->sentence);
        }
    }
}

int main(void) { return run_suite((test_suite){.name = "reentrant", .seconds = 300}); }
