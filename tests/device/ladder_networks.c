/* SPDX-License-Identifier: MIT
 *
 * ladder_networks.c - graphs of any shape on a device: the answers of all its solvers, and times compared with the CPU.
 */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "cuda_network.h"
#include "ladder.h"
#include "net_cut.h"
#include "parallel.h"
#include "random_network.h"

static bool on_device(int row)
{
    const char *device = tilecut_network_solver_device(row);
    return device && !strcmp(device, "cuda");
}

/* ---- Answers ---------------------------------------------------------------------------------- */

enum { ROWS_ASIDE = 8 };

/* True if the device's solvers give the flow and the cut of `highest`. The flow of each arc is checked as well. */
static bool network_right(const random_network *it, uint64_t seed, int *solved)
{
    const size_t nodes = (size_t)it->arcs.nodes;
    uint8_t *expected = malloc(nodes), *side = malloc(nodes);
    int64_t *flow = malloc(((size_t)it->arcs.arcs + 1) * sizeof *flow);
    tilecut_network_params params = {.solver = "highest"};
    tilecut_network_report want = {0}, got = {0};
    tilecut_network *network = NULL;
    bool good = expected && side && flow && tilecut_network_create(&network, &it->arcs) == TILECUT_OK;
    const tilecut_status status = good ? tilecut_network_solve(network, &params, expected, NULL, &want) : TILECUT_OK;
    for (int row = 0; good && tilecut_network_solver_name(row); row++) {
        if (!on_device(row)) continue;
        /* The papers' solvers take many times as long, because they copy everything again and again. So each network is
         * solved by only some of them. */
        if (strcmp(tilecut_network_solver_name(row), "network-cuda") && ((uint64_t)row + seed) % ROWS_ASIDE)
            continue;
        params.solver = tilecut_network_solver_name(row);
        const tilecut_status ended = tilecut_network_solve(network, &params, side, flow, &got);
        good = ended == status;
        if (ended != TILECUT_OK && !good) printf("  %s\n", tilecut_error_detail());
        if (status == TILECUT_OK)
            good = good && got.flow == want.flow && !memcmp(side, expected, nodes) &&
                   network_is_flow(&it->arcs, flow, got.flow);
        if (!good) printf("FAILED %s: seed %llu\n", params.solver, (unsigned long long)seed);
        *solved += good;
    }
    tilecut_network_destroy(network);
    free(expected);
    free(side);
    free(flow);
    return good;
}

int network_answers(int count)
{
    int failed = 0, solved = 0;
    for (int seed = 1; seed <= count; seed++) {
        static const int sizes[][2] = {{8, 20}, {60, 200}, {400, 1200}, {50, 5000}, {3000, 9000}};
        random_network it;
        random_network_draw(&it, (uint64_t)seed, sizes[seed % 5][0], sizes[seed % 5][1]);
        failed += !network_right(&it, (uint64_t)seed, &solved);
        random_network_free(&it);
    }
    printf("networks       %d random networks, %d answers right, %d networks wrong\n", count, solved, failed);
    return failed;
}

/* ---- Times ------------------------------------------------------------------------------------ */

static tilecut_flag enough;

static void raise_flag(int number)
{
    (void)number;
    tilecut_flag_raise(&enough);
}

static void limit(double seconds)
{
    const struct itimerval once = {.it_value = {.tv_sec = (time_t)seconds, .tv_usec = 1}};
    tilecut_flag_lower(&enough);
    signal(SIGALRM, raise_flag);
    setitimer(ITIMER_REAL, &once, NULL);
}

/* An instance as built, without merged nodes. Changes by a solver are undone. */
typedef struct timed {
    tilecut_network *network;
    tc_net net;
    tc_slot *slots; /* a copy of the slots before any solver has pushed flow */
    uint8_t *side, *expected;
    int64_t flow; /* the flow, or -1 if it is not known yet */
    double seconds;
    const char *what;
} timed;

/* Runs and times one call, and checks its answer. */
static bool time_one(timed *t, const tc_net_solver *row, const tc_net_schedule *plan, int threads, const char *name)
{
    tc_net_run run = {.threads = threads, .cancel = &enough};
    tc_net_proof proof = {0};
    memcpy(t->net.slot, t->slots, (size_t)t->net.first[t->net.nodes] * sizeof *t->slots);
    limit(t->seconds);
    const double start = tc_now_ms();
    tilecut_status status = plan ? tc_net_solve_cuda_at(&t->net, plan, &run) : row->solve(&t->net, &run);
    const double ms = tc_now_ms() - start;
    if (status == TILECUT_ECANCELLED) {
        printf("%-26s %-22s %2d threads  more than %g s\n", t->what, name, threads, t->seconds);
        return true;
    }
    uint8_t *const side = t->flow < 0 ? t->expected : t->side;
    if (status == TILECUT_OK) status = tc_net_cut(&t->net, t->network, side, 16);
    if (status == TILECUT_OK) status = tc_net_certify(&t->net, t->network, side, 16, &proof);
    if (status != TILECUT_OK) {
        printf("FAILED %s %s: %s\n", t->what, name, tilecut_error_detail());
        return false;
    }
    const size_t nodes = (size_t)t->network->arcs.nodes;
    const bool same = t->flow < 0 || (proof.flow == t->flow && !memcmp(side, t->expected, nodes));
    if (t->flow < 0) t->flow = proof.flow;
    printf("%-26s %-22s %2d threads  %10.2f ms, kernels %10.2f  rounds %8lld relabels %9lld  flow %lld %s\n", t->what,
           name, threads, ms, run.device_ms, (long long)run.rounds, (long long)run.relabels, (long long)proof.flow,
           same ? "agrees" : "DIFFERS");
    return same;
}

/* Times the solvers named in `only`; if it is empty, those that are fast enough and, with `all`, the papers' as
 * well. */
static int time_solvers(timed *t, const char *only, bool all)
{
    int failed = 0;
    for (const tc_net_solver *row = tc_net_solvers; row->name; row++) {
        const bool cuda = row->can & TC_NET_CUDA, best = !strcmp(row->name, "network-cuda");
        const bool usual = best || (cuda && all) || !strcmp(row->name, "highest") || !strcmp(row->name, "rounds");
        if (*only ? !strstr(only, row->name) : !usual) continue;
        failed += !time_one(t, row, NULL, row->can & TC_NET_THREADED ? 16 : 1, row->name);
        if (best) failed += !time_one(t, row, NULL, 1, row->name);
        if (!*only && row->can & TC_NET_THREADED) failed += !time_one(t, row, NULL, 1, row->name);
    }
    return failed;
}

/* Times the call of the library, which merges nodes first: network-cuda and `auto`. */
static int time_whole(const timed *t)
{
    static const char *const names[] = {"network-cuda", "auto", "network-cuda"};
    int failed = 0;
    for (int k = 0; k < 3; k++) {
        const tilecut_network_params params = {.solver = names[k], .threads = 16};
        tilecut_network_report report = {0};
        const bool good = tilecut_network_solve(t->network, &params, NULL, NULL, &report) == TILECUT_OK;
        printf("%-26s %-22s whole: build %.2f solve %.2f certify %.2f ms  flow %lld %s\n", t->what, names[k],
               report.build_ms, report.solve_ms, report.certify_ms, (long long)report.flow,
               good ? "" : tilecut_error_detail());
        failed += !good;
    }
    return failed;
}

/* Times network-cuda with other schedules. */
static int time_schedules(timed *t)
{
    static const struct {
        size_t at;
        const char *what;
        int value[4];
    } other[] = {{offsetof(tc_net_schedule, push_share), "share", {50, 100, 200, 400}},
                 {offsetof(tc_net_schedule, tries), "tries", {1, 2, 4, 8}},
                 {offsetof(tc_net_schedule, blocks), "blocks", {1, 2, 1, 2}},
                 {offsetof(tc_net_schedule, lanes), "lanes", {4, 8, 16, 32}},
                 {offsetof(tc_net_schedule, round_cost), "round_cost", {3000, 10000, 100000, 300000}}};
    int failed = 0;
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 4; i++) {
            tc_net_schedule plan = tc_net_schedule_default();
            char name[64];
            *(int *)((char *)&plan + other[k].at) = other[k].value[i];
            snprintf(name, sizeof name, "%s %d", other[k].what, other[k].value[i]);
            failed += !time_one(t, NULL, &plan, 1, name);
        }
    return failed;
}

const network_family *network_named(const char *what, arc_list *list, network_shape *shape)
{
    char name[32] = "";
    network_request request = {.seed = 1};
    failure why;
    long long size = 0, depth = 0, degree = 0;
    if (sscanf(what, "%31[^:]:%lldx%lldx%lld", name, &size, &depth, &degree) < 2) return NULL;
    request.size = size, request.depth = depth, request.degree = degree;
    const network_family *kind = network_family_find(name);
    if (!kind || network_request_check(kind, &request, &why) || network_make(kind, &request, list, shape, &why))
        return NULL;
    return kind;
}

static int time_instance(const char *what, double seconds, const char *only, bool all, bool tune)
{
    network_shape shape;
    arc_list list = {0};
    timed t = {.seconds = seconds, .what = what, .flow = -1};
    if (!network_named(what, &list, &shape)) return 1;
    const tilecut_network_arcs arcs = arcs_network(&list);
    int failed = 1;
    if (tilecut_network_create(&t.network, &arcs) == TILECUT_OK && tc_net_init(&t.net, t.network, 16) == TILECUT_OK) {
        const size_t bytes = (size_t)t.net.first[t.net.nodes] * sizeof *t.slots;
        t.slots = malloc(bytes + 1);
        t.side = malloc((size_t)arcs.nodes);
        t.expected = malloc((size_t)arcs.nodes);
        printf("%-26s %lld nodes, %lld arcs\n", what, (long long)arcs.nodes, (long long)arcs.arcs);
        if (t.slots && t.side && t.expected) {
            memcpy(t.slots, t.net.slot, bytes);
            failed = tune ? time_schedules(&t) : !strcmp(only, "whole") ? time_whole(&t) : time_solvers(&t, only, all);
        }
        tc_net_free(&t.net);
    }
    free(t.slots);
    free(t.side);
    free(t.expected);
    tilecut_network_destroy(t.network);
    arcs_clear(&list);
    return failed;
}

int network_times(int count, char **what)
{
    double seconds = 20;
    const char *only = "";
    bool all = false, tune = false;
    int failed = 0;
    for (int i = 0; i < count; i++) {
        if (!strcmp(what[i], "all")) all = true, tune = false;
        else if (!strcmp(what[i], "best")) all = tune = false;
        else if (!strcmp(what[i], "tune")) tune = true;
        else if (!strncmp(what[i], "with=", 5)) only = what[i] + 5, tune = false;
        else if (atof(what[i]) > 0) seconds = atof(what[i]);
        else failed += time_instance(what[i], seconds, only, all, tune);
    }
    return failed;
}
