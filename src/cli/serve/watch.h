/* SPDX-License-Identifier: MIT
 *
 * watch.h - limits the time that connections take. Otherwise a client that sends its request byte by byte, or does not
 * read its answer, would hold one of the few connections for ever. Each connection has a deadline, after which it is
 * closed. A stranger is a connection that has not yet shown a valid secret. Strangers get little time, and if there are
 * too many, the oldest is closed, so that they cannot keep the page out.
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
    int socket;      /* a duplicate of the connection's descriptor; -1: the entry is unused */
    bool stranger;
    double since;    /* when the connection was added, by machine_ms() */
    double deadline; /* when it is cut off, by machine_ms(); 0: never, because the program is working on an answer */
} watched;

typedef struct watch {
    pthread_mutex_t mutex;
    watched place[WATCH_MOST];
} watch;

void watch_init(watch *w);
void watch_free(watch *w);

/* Adds a connection as a stranger. Returns NULL if there is no room; the connection must then be closed. */
watched *watch_add(watch *w, int socket);
void watch_remove(watch *w, watched *one);

/* Records that a connection has shown a valid secret. `one` may be NULL, here and below. */
void watch_know(watch *w, watched *one);

/* Sets the deadline to `ms` milliseconds from now; 0: no deadline. A connection that has not yet shown a valid secret
 * gets at most WATCH_STRANGE. */
void watch_set(watch *w, watched *one, double ms);

/* Closes the connections that have missed their deadlines. */
void watch_look(watch *w);
