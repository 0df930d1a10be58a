/* SPDX-License-Identifier: MIT
 *
 * guard.h - decides which requests the loopback server answers. Its address is 127.0.0.1, but every page in the
 * browser and every program on this machine can send requests there. Three checks:
 *
 *   Host     must name this server. This stops DNS rebinding, where a foreign name is made to point to 127.0.0.1
 *   Origin   must be this server in requests that change something, so that other pages cannot send them
 *   token    128 random bits, which come with the printed address and then in a cookie with SameSite=Strict
 *
 * All functions only look at strings, except for the making of the token.
 */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <stdbool.h>

enum { GUARD_TOKEN = 32 }; /* hexadecimal digits */

typedef struct guard {
    int port;
    char token[GUARD_TOKEN + 1];
    char cookie[24]; /* its name, which contains the port: cookies are not separate for each port */
} guard;

/* Makes a new token. False: the system has no random numbers. */
bool guard_init(guard *g);
void guard_set_port(guard *g, int port);

/* What a request says about itself; NULL: that part is missing. */
typedef struct guard_request {
    const char *method, *path;
    const char *host, *origin, *site; /* headers Host, Origin, Sec-Fetch-Site       */
    const char *type;                 /* Content-Type                               */
    const char *cookie;               /* value of guard.cookie                      */
    const char *token;                /* in the address                             */
    int hosts, origins;               /* number of Host and Origin headers          */
} guard_request;

/* 0: the request may be answered. Otherwise the HTTP status to refuse it with, and *why says the reason. */
int guard_check(const guard *g, const guard_request *request, const char **why);

#endif
