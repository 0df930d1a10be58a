/* SPDX-License-Identifier: MIT
 *
 * push_front.h - push-relabel in rounds, of those nodes with excess whose labels are the highest, by all threads.
 */
#ifndef TC_PUSH_FRONT_H
#define TC_PUSH_FRONT_H

#include "net_solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_front_ways {
    int32_t few;  /* nodes that a round should have                                                             */
    int32_t look; /* after so many rounds it leaves off if they are small or slow, and at once if less than half of
                   * the threads come; 0: it never does                                                         */
} tc_front_ways;

/* As tc_push_high(). *left: it has left off, and what is missing can be done by that with the same `excess`. */
tilecut_status tc_push_front(tc_net *net, int64_t *excess, int32_t target, int32_t closed, tc_net_run *run,
                             tc_front_ways ways, bool *left);

#ifdef __cplusplus
}
#endif
#endif
