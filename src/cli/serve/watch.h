/* SPDX-License-Identifier: MIT
 *
 * watch.h - limits the time that connections take. A client that sends its request byte by byte, or does not read its
 * answer, would otherwise hold one of few connections for ever. Each connection has a deadline and is cut off when it
 * misses that.
 */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <pthread.h>

enum { WATCH_MOST = 64 };

typedef struct watched {
    int socket;      /* a duplicate of the connection's descriptor; -1: unused    */
    double deadline; /* by machine_ms(); 0: none, because the program is working  */
} watched;

typedef struct watch {
    pthread_mutex_t mutex;
    watched place[WATCH_MOST];
} watch;

void watch_init(watch *w);
void watch_free(watch *w);

/* Adds a connection. NULL: there is no room, and the connection is to be closed. */
watched *watch_add(watch *w, int socket);
void watch_remove(watch *w, watched *one);

/* Sets the deadline to `ms` milliseconds from now; 0: no deadline. `one` may be NULL. */
void watch_set(watch *w, watched *one, double ms);

/* Cuts off the connections that have missed their deadlines. */
void watch_look(watch *w);

#endif
