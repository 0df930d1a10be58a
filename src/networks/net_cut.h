/* SPDX-License-Identifier: MIT
 *
 * net_cut.h - finds the canonical cut in the residual network that a solver leaves, and proves it. This code is the
 * same for all solvers, and it uses the caller's capacities.
 */
#pragma once

#include "net.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_net_proof {
    int64_t flow, cut, sink_side;
    bool conserved; /* true: at every inner node inflow equals outflow: it is a flow, not only a preflow */
} tc_net_proof;

/* Sets side[v] to 0 if v still reaches the sink over slots with residual capacity, else to 255. Errors: ENOMEM. */
tilecut_status tc_net_cut(const tc_net *net, const tilecut_network *network, uint8_t *side, int threads);

/* Computes the cut from labels: net->nodes for nodes that do not reach the sink, smaller numbers for all others. */
void tc_net_cut_by(const tc_net *net, const tilecut_network *network, const int32_t *label, uint8_t *side, int threads);

/* Proves that the arcs carry a preflow of the caller's network, and that its value equals the cost of the cut `side`.
 * Then both are optimal. Errors: ENOMEM; ERANGE for a flow without limit; EUNPROVEN. */
tilecut_status tc_net_certify(const tc_net *net, const tilecut_network *network, const uint8_t *side, int threads,
                              tc_net_proof *proof);

/* Writes the flow of each of the caller's arcs. */
void tc_net_hand_out(const tc_net *net, const tilecut_network *network, int64_t *flow);

#ifdef __cplusplus
}
#endif
