/* SPDX-License-Identifier: MIT
 *
 * parallel.h - the one way the library uses threads: a loop whose turns are independent.
 */
#ifndef TC_PARALLEL_H
#define TC_PARALLEL_H

/* Calls body(context, i, worker) once for each i in 0 .. count-1 on up to `threads` threads (the caller is
 * one of them, worker 0) and returns when all are done. Turns are handed out in increasing order. When
 * threads cannot be started, those that could, at worst the caller alone, do all the work. */
void tc_parallel(int threads, int count, void (*body)(void *context, int i, int worker), void *context);

enum { TC_MAX_THREADS = 256 };

/* Wall-clock milliseconds from an arbitrary start. */
double tc_now_ms(void);

/* Those since *since, which becomes now. */
double tc_lap_ms(double *since);

#endif
