/* SPDX-License-Identifier: MIT
 *
 * sched.h - see pthread.h: there is nobody to give way to.
 */
#ifndef WEB_SCHED_H
#define WEB_SCHED_H

static inline int sched_yield(void) { return 0; }

#endif
