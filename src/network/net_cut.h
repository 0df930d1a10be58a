/* SPDX-License-Identifier: MIT
 *
 * net_cut.h - from the residual network that a solver leaves to the one answer, and its proof. Whatever a solver did,
 * the cut is found here and judged by the capacities of the caller.
 */
#ifndef TC_NET_CUT_H
#define TC_NET_CUT_H

#include "net.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_net_proof {
    int64_t flow, cut, sink_side;
    bool conserved; /* what enters any node but a terminal leaves it: a flow, not only a preflow */
} tc_net_proof;

/* side[v]: 0 if v still reaches the sink over slots with room, else 255. ENOMEM. */
tilecut_status tc_net_cut(const tc_net *net, const tilecut_network *network, uint8_t *side);

/* Proves that what the arcs carry is a preflow of the caller's network and worth the cost of the cut `side`, so that
 * both are best. ENOMEM; ERANGE for a flow without limit; EUNPROVEN. */
tilecut_status tc_net_certify(const tc_net *net, const tilecut_network *network, const uint8_t *side,
                              tc_net_proof *proof);

/* What each arc of the caller carries. */
void tc_net_hand_out(const tc_net *net, const tilecut_network *network, int64_t *flow);

#ifdef __cplusplus
}
#endif
#endif
