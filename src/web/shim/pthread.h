/* SPDX-License-Identifier: MIT
 *
 * pthread.h - replaces threads in WebAssembly, which runs in one worker. Starting a thread always fails; the library's
 * loops and teams are prepared for that, and the calling thread does all the work. So no thread ever waits.
 */
#ifndef WEB_PTHREAD_H
#define WEB_PTHREAD_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h> /* <sys/types.h> may declare these types without the functions */

#define pthread_t web_thread
#define pthread_mutex_t web_mutex
#define pthread_cond_t web_cond
typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_cond_t;
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0

static inline int pthread_create(pthread_t *thread, const void *how, void *(*work)(void *), void *argument)
{
    (void)thread, (void)how, (void)work, (void)argument;
    return EAGAIN;
}
static inline int pthread_join(pthread_t thread, void **result) { return (void)thread, (void)result, 0; }
static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *how) { return (void)mutex, (void)how, 0; }
static inline int pthread_mutex_destroy(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_cond_init(pthread_cond_t *next, const void *how) { return (void)next, (void)how, 0; }
static inline int pthread_cond_destroy(pthread_cond_t *next) { return (void)next, 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_mutex_trylock(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *mutex) { return (void)mutex, 0; }
static inline int pthread_cond_wait(pthread_cond_t *next, pthread_mutex_t *mutex) { return (void)next, (void)mutex, 0; }
static inline int pthread_cond_signal(pthread_cond_t *next) { return (void)next, 0; }
static inline int pthread_cond_broadcast(pthread_cond_t *next) { return (void)next, 0; }

#endif
