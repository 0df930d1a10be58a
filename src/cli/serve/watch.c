/* SPDX-License-Identifier: MIT */
#include "watch.h"

#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include "machine.h"

void watch_init(watch *w)
{
    pthread_mutex_init(&w->mutex, NULL);
    for (int i = 0; i < WATCH_MOST; i++) w->place[i] = (watched){.socket = -1};
}

void watch_free(watch *w)
{
    for (int i = 0; i < WATCH_MOST; i++)
        if (w->place[i].socket >= 0) close(w->place[i].socket);
    pthread_mutex_destroy(&w->mutex);
}

/* Shuts a connection down. The server's own thread notices that and removes the connection. */
static void cut_off(watched *one)
{
    shutdown(one->socket, SHUT_RDWR);
    one->deadline = 0;
    one->stranger = false;
}

static void make_room(watch *w)
{
    watched *oldest = NULL;
    int strangers = 0;
    for (int i = 0; i < WATCH_MOST; i++) {
        watched *const one = &w->place[i];
        if (one->socket < 0 || !one->stranger) continue;
        strangers++;
        if (!oldest || one->since < oldest->since) oldest = one;
    }
    if (strangers >= WATCH_STRANGERS) cut_off(oldest);
}

/* Adds a duplicate of the descriptor. Otherwise the server might close its own, and another file might get that number,
 * before the connection is removed here. */
watched *watch_add(watch *w, int socket)
{
    watched *one = NULL;
    pthread_mutex_lock(&w->mutex);
    make_room(w);
    for (int i = 0; i < WATCH_MOST && !one; i++)
        if (w->place[i].socket < 0) one = &w->place[i];
    if (one) *one = (watched){.socket = dup(socket), .stranger = true, .since = machine_ms()};
    if (one && one->socket < 0) one = NULL;
    pthread_mutex_unlock(&w->mutex);
    return one;
}

void watch_remove(watch *w, watched *one)
{
    if (!one) return;
    pthread_mutex_lock(&w->mutex);
    close(one->socket);
    *one = (watched){.socket = -1};
    pthread_mutex_unlock(&w->mutex);
}

void watch_know(watch *w, watched *one)
{
    if (!one) return;
    pthread_mutex_lock(&w->mutex);
    one->stranger = false;
    pthread_mutex_unlock(&w->mutex);
}

void watch_set(watch *w, watched *one, double ms)
{
    if (!one) return;
    pthread_mutex_lock(&w->mutex);
    const double most = one->stranger && ms > WATCH_STRANGE ? WATCH_STRANGE : ms;
    one->deadline = most > 0 ? machine_ms() + most : 0;
    pthread_mutex_unlock(&w->mutex);
}

void watch_look(watch *w)
{
    const double now = machine_ms();
    pthread_mutex_lock(&w->mutex);
    for (int i = 0; i < WATCH_MOST; i++) {
        watched *const one = &w->place[i];
        if (one->socket >= 0 && one->deadline > 0 && now >= one->deadline) cut_off(one);
    }
    pthread_mutex_unlock(&w->mutex);
}
