/* SPDX-License-Identifier: MIT
 *
 * serve.h - a server on the loopback interface for one desk. It runs until the page says that it is done. libmicrohttpd
 * speaks HTTP. This file adds access control (guard.h), the pages and calls (pages.h and desk_calls), and limits on the
 * bytes of a request, on the number of connections, and on the time to send a request or read an answer.
 */
#pragma once

#include "desk.h"
#include "failure.h"

/* Returns the name and version of the library that serves. NULL: this program was built without one, or it cannot be
 * loaded; *missing then says which is the case. */
const char *serve_library(const char **missing);

/* Opens a socket that listens on 127.0.0.1, and stores its port in *port. Returns -1 if that fails. */
int serve_listen(int *port);

/* Serves `desk` on 127.0.0.1 at `port` (0: any free one). Calls ready(context, url, why) with the address to open, and
 * returns its status if that is not EXIT_DONE. Otherwise runs until desk->done is set, and returns desk->status.
 * EXIT_RUNTIME: the port is in use, or the server could not start. EXIT_RESOURCES: there is no library to serve
 * with. */
int serve(desk *d, int port, int (*ready)(void *context, const char *url, failure *why), void *context, failure *why);
