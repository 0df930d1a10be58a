/* SPDX-License-Identifier: MIT
 *
 * watch.h - limits the time that connections take. Otherwise a client that sends its request byte by byte, or does not
 * read its answer, would hold one of the few connections for ever. Each connection has a deadline, and is cut off if it
 * misses it. Strangers are connections that have not shown yet that they may ask. They get little time, and if there
 * are too many, the oldest is cut off, so that they cannot keep the page out.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

enum {
    WATCH_MOST = 64,       /* connections          */
    WATCH_STRANGERS = 24,  /* of them, at most     */
    WATCH_STRANGE = 2000   /* milliseconds of each */
};

typedef struct watched {
    int socket;      /* a duplicate of the connection's descriptor; -1: unused    */
    bool stranger;
    double since;    /* when it was added, by machine_ms()                        */
    double deadline; /* 0: no limit, because the program is working               */
} watched;

typedef struct watch {
    pthread_mutex_t mutex;
    watched place[WATCH_MOST];
} watch;

void watch_init(watch *w);
void watch_free(watch *w);

/* Adds a connection, as a stranger. NULL: there is no room, and the connection is to be closed. */
watched *watch_add(watch *w, int socket);
void watch_remove(watch *w, watched *one);

/* Says that a connection has shown that it may ask. `one` may be NULL, here and below. */
void watch_know(watch *w, watched *one);

/* Sets the deadline to `ms` milliseconds from now, but for a stranger to WATCH_STRANGE at most; 0: no deadline. */
void watch_set(watch *w, watched *one, double ms);

/* Cuts off the connections that have missed their deadlines. */
void watch_look(watch *w);
