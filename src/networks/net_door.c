/* SPDX-License-Identifier: MIT
 *
 * net_door.c - the functions of tilecut_network.h for flows: check, build, solve, cut, certify, return the results.
 */
#include <stdlib.h>
#include <string.h>

#include "net_cut.h"
#include "net_merge.h"
#include "net_solver.h"
#include "parallel.h"
#include "sized.h"
#include "status.h"

tilecut_status tilecut_network_create(tilecut_network **network, const tilecut_network_arcs *arcs)
{
    tilecut_status status = TILECUT_OK;
    tilecut_network *made = NULL;
    if (!network || !arcs) return tc_fail(TILECUT_EINVAL, "%s is NULL", network ? "arcs" : "network");
    *network = NULL;
    made = calloc(1, sizeof *made);
    if (!made) return tc_fail(TILECUT_ENOMEM, "no memory for a network");
    TRY(tc_sized_read(&made->arcs, sizeof made->arcs, sizeof made->arcs, arcs, "tilecut_network_arcs"));
    TRY(tc_net_check(made));
    *network = made;
    made = NULL;
done:
    tilecut_network_destroy(made);
    return status;
}

void tilecut_network_destroy(tilecut_network *network)
{
    if (!network) return;
    free(network->role);
    free(network);
}

/* The state of one call. */
typedef struct visit {
    tilecut_network copy; /* a copy of the caller's network for this call */
    const tilecut_network *network;
    tc_net_merge merge;
    const tc_net_solver *solver;
    tc_net_run run;
    tc_net net;
    size_t bytes;  /* size of the largest network that was built */
    uint8_t *side; /* copied to the caller only after success */
    tc_net_proof proof;
    tilecut_network_report report;
} visit;

static tilecut_status enter_network(visit *v, const tilecut_network_params *own_params)
{
    tilecut_network_params params = {0};
    NEED(tc_net_params(own_params, &params));
    v->run.threads = (int)params.threads;
    v->run.cancel = params.cancel;
    v->run.wants_label = true;
    /* chosen when the network has been built */
    if (!params.solver || !strcmp(params.solver, "auto")) return TILECUT_OK;
    v->solver = tc_net_solver_find(params.solver);
    return v->solver ? TILECUT_OK : tc_fail(TILECUT_EINVAL, "no solver of networks is called '%s'", params.solver);
}

static void report_flow(visit *v)
{
    tilecut_network_report *result = &v->report;
    const int64_t arcs = v->network->arcs.arcs;
    result->flow = v->proof.flow;
    result->cut = v->proof.cut;
    result->sink_side = v->proof.sink_side;
    result->solver = v->solver->name;
    result->threads = v->solver->can & TC_NET_THREADED ? v->run.threads : 1;
    result->certified = 1;
    result->pushes = v->run.pushes;
    result->relabels = v->run.relabels;
    result->rounds = v->run.rounds;
    result->bytes_per_arc = (double)(v->bytes + v->run.bytes) / (double)(arcs ? arcs : 1);
}

/* Certifies the flow. `whole` says that excess has been returned to the source, so flow must be conserved at every
 * node. */
static tilecut_status prove(visit *v, bool whole)
{
    const tilecut_status status = tc_net_certify(&v->net, v->network, v->side, v->run.threads, &v->proof);
    if (status != TILECUT_OK || !whole || v->proof.conserved) return status;
    return tc_fail(TILECUT_EUNPROVEN, "the flow is not conserved at every node");
}

static void unmerge(visit *v, const tilecut_network *network)
{
    tc_net_merge_free(&v->merge);
    v->copy = *network;
}

/* Builds the network, and the smaller one if nodes can be merged. */
static tilecut_status build_network(visit *v, const tilecut_network *network)
{
    NEED(tc_net_init(&v->net, network, v->run.threads));
    v->bytes = tc_net_bytes(&v->net);
    NEED(tc_net_merge_find(&v->merge, &v->net, network, v->run.threads));
    if (!v->merge.into) return TILECUT_OK;
    tc_net_free(&v->net);
    v->copy.into = v->merge.into;
    v->copy.kept = v->merge.kept;
    NEED(tc_net_init(&v->net, &v->copy, v->run.threads));
    const int64_t cut = tc_net_level_cut(&v->net);
    if (cut >= 0 && cut < network->ceiling) v->copy.ceiling = cut;
    if (v->copy.ceiling < v->merge.limit) {
        tc_net_lower(&v->net, v->copy.ceiling, v->run.threads);
        return TILECUT_OK;
    }
    tc_net_free(&v->net);
    unmerge(v, network);
    return tc_net_init(&v->net, network, v->run.threads);
}

/* Finds the cut. Uses the solver's labels if there are any, and frees them. */
static tilecut_status cut_network(visit *v)
{
    if (!v->run.label) return tc_net_cut(&v->net, v->network, v->side, v->run.threads);
    tc_net_cut_by(&v->net, v->network, v->run.label, v->side, v->run.threads);
    free(v->run.label);
    v->run.label = NULL;
    return TILECUT_OK;
}

/* Finds the flow inside merged nodes. If their arcs cannot carry it, solves again without merging. */
static tilecut_status spread_flow(visit *v, const tilecut_network *network, bool wants_flow)
{
    bool held = true;
    if (v->merge.into) NEED(tc_net_merge_spread(&v->merge, &v->net, &v->copy, v->run.threads, &held));
    v->copy.inner = v->merge.inner;
    if (held && v->merge.into && wants_flow) {
        NEED(tc_net_certify(&v->net, v->network, v->side, v->run.threads, &v->proof));
        held = v->proof.conserved;
    }
    if (held) return TILECUT_OK;
    tc_net_free(&v->net);
    unmerge(v, network);
    NEED(tc_net_init(&v->net, network, v->run.threads));
    NEED(v->solver->solve(&v->net, &v->run));
    NEED(cut_network(v));
    if (wants_flow && !(v->solver->can & TC_NET_FLOW)) NEED(tc_net_return_excess(&v->net, &v->run));
    return TILECUT_OK;
}

static tilecut_status solve_network(visit *v, const tilecut_network *network, bool wants_flow)
{
    double clock = tc_now_ms();
    NEED(build_network(v, network));
    v->report.build_ms = tc_lap_ms(&clock);
    if (v->solver) NEED(v->solver->solve(&v->net, &v->run));
    else NEED(tc_net_solve_auto(&v->net, &v->run, &v->solver));
    v->report.solve_ms = tc_lap_ms(&clock);
    NEED(cut_network(v));
    v->report.certify_ms = tc_lap_ms(&clock);
    if (wants_flow && !(v->solver->can & TC_NET_FLOW)) NEED(tc_net_return_excess(&v->net, &v->run));
    NEED(spread_flow(v, network, wants_flow));
    v->report.flow_ms = tc_lap_ms(&clock);
    NEED(prove(v, wants_flow));
    v->report.certify_ms += tc_lap_ms(&clock);
    return TILECUT_OK;
}

tilecut_status tilecut_network_solve(const tilecut_network *network, const tilecut_network_params *params,
                                     uint8_t *side, int64_t *flow, tilecut_network_report *report)
{
    tilecut_status status = TILECUT_OK;
    visit v = {0};
    tc_thread_pool *pool = NULL;
    if (!network) return tc_fail(TILECUT_EINVAL, "network is NULL");
    v.copy = *network;
    v.network = &v.copy;
    TRY(tc_sized_check(report, "tilecut_network_report"));
    TRY(enter_network(&v, params));
    v.side = malloc((size_t)network->arcs.nodes);
    if (!v.side) return tc_fail(TILECUT_ENOMEM, "no memory for %lld nodes", (long long)network->arcs.nodes);
    pool = tc_thread_pool_open(v.run.threads);
    TRY(solve_network(&v, network, flow != NULL));
    report_flow(&v);
    if (side) memcpy(side, v.side, (size_t)network->arcs.nodes);
    if (flow) tc_net_hand_out(&v.net, v.network, flow);
    tc_sized_write(report, sizeof *report, &v.report, sizeof v.report);
done:
    tc_thread_pool_close(pool);
    tc_net_free(&v.net);
    tc_net_merge_free(&v.merge);
    free(v.run.label);
    free(v.side);
    return status;
}
