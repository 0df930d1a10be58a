/* SPDX-License-Identifier: MIT
 *
 * net_reach.h - which nodes still reach the sink: a search back from it, breadth first, by all threads.
 */
#ifndef TC_NET_REACH_H
#define TC_NET_REACH_H

#include "net.h"

#ifdef __cplusplus
extern "C" {
#endif

/* side: [nodes] 0 for those that reach the sink over slots with residual capacity, else 255; queue: [nodes] of room. */
void tc_net_reach(const tc_net *net, int threads, uint8_t *side, int32_t *queue);

#ifdef __cplusplus
}
#endif
#endif
