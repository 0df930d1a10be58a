/* SPDX-License-Identifier: MIT
 *
 * serve.h - a server on the loopback interface for one desk, until the page says that it is done. HTTP is
 * libmicrohttpd's; what this adds is who may ask (guard.h), what there is (pages.h and desk_calls), and limits on
 * everything: bytes of a request, connections, and how long one may take to send or to listen.
 */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "desk.h"
#include "failure.h"

/* The library that serves, with its version; NULL: this program was built without one. */
const char *serve_library(void);

/* Serves `desk` on 127.0.0.1 at `port` (0: any that is free), calls ready(context, url) with the address that opens
 * it, and returns when desk->done, with desk->status. EXIT_RUNTIME: the port is taken, or no server could start;
 * EXIT_RESOURCES: there is no serve_library(). */
int serve(desk *d, int port, void (*ready)(void *context, const char *url), void *context, failure *why);

#endif
