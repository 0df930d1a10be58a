/* SPDX-License-Identifier: MIT
 *
 * watch.h - connections that take too long: a client that sends its request byte by byte, or does not read its answer,
 * would hold one of few connections for ever. Each has a deadline; who misses it is cut off.
 */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <pthread.h>

enum { WATCH_MOST = 64 };

typedef struct watched {
    int socket;      /* a descriptor of our own for it; -1: the place is free */
    double deadline; /* of machine_ms(); 0: none, the program is at work      */
} watched;

typedef struct watch {
    pthread_mutex_t mutex;
    watched place[WATCH_MOST];
} watch;

void watch_init(watch *w);
void watch_free(watch *w);

/* A connection and its place, or NULL when there is none left: then it is closed. */
watched *watch_add(watch *w, int socket);
void watch_remove(watch *w, watched *one);

/* `ms` milliseconds from now; 0: as long as it takes. `one` may be NULL. */
void watch_set(watch *w, watched *one, double ms);

/* Cuts off those that are late. */
void watch_look(watch *w);

#endif
