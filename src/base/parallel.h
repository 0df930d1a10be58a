/* SPDX-License-Identifier: MIT
 *
 * parallel.h - the two ways the library uses threads: a loop whose turns are independent, and a team that goes in step.
 */
#ifndef TC_PARALLEL_H
#define TC_PARALLEL_H

#include <stdint.h>

/* Calls body(context, i, worker) once for each i in 0 .. count-1 on up to `threads` threads (the caller is
 * one of them, worker 0) and returns when all are done. Turns are handed out in increasing order. When
 * threads cannot be started, those that could, at worst the caller alone, do all the work. */
void tc_parallel(int threads, int count, void (*body)(void *context, int i, int worker), void *context);

enum { TC_MAX_THREADS = 256 };

/* Threads that take the same steps together. */
typedef struct tc_team tc_team;

/* Calls body(context, team, worker) on up to `threads` threads at a time, worker = 0 .. size - 1, and returns when
 * all are done. When threads cannot be started, the team is smaller. */
void tc_parallel_team(int threads, void (*body)(void *context, tc_team *team, int worker), void *context);

int tc_team_size(const tc_team *team);

/* Returns when all of the team have called it. What each wrote before, all see after. Takes a third of a microsecond
 * when all come at the same time; who has to wait longer falls asleep. */
void tc_team_meet(tc_team *team);

/* Divides `rows` >= parts * least rows into parts next to each other, first[i] .. first[i + 1] - 1, that weigh about
 * the same and have `least` rows or more. first: [parts + 1]. */
void tc_share_rows(const int64_t *weight, int rows, int parts, int least, int *first);

/* Wall-clock milliseconds from an arbitrary start. */
double tc_now_ms(void);

/* Those since *since, which becomes now. */
double tc_lap_ms(double *since);

#endif
