/* SPDX-License-Identifier: MIT
 *
 * guard.h - who may ask the loopback server for anything. The address is 127.0.0.1, but every page in the browser can
 * send requests there, and so can every program of this machine:
 *
 *   Host     names this server, so that a name that was turned round to 127.0.0.1 (DNS rebinding) is not served
 *   Origin   of a request that changes something is this server, so that other pages cannot send one
 *   token    128 random bits, in the address that is printed, then in a cookie with SameSite=Strict
 *
 * Pure functions of strings, but for the token.
 */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

#include <stdbool.h>

enum { GUARD_TOKEN = 32 }; /* hexadecimal digits */

typedef struct guard {
    int port;
    char token[GUARD_TOKEN + 1];
    char cookie[24]; /* its name; one for each port, since cookies do not tell ports apart */
} guard;

/* A new token. False: the system has no random numbers. */
bool guard_init(guard *g);
void guard_set_port(guard *g, int port);

/* What a request says of itself; NULL: it does not. */
typedef struct guard_request {
    const char *method, *path;
    const char *host, *origin, *site; /* headers Host, Origin, Sec-Fetch-Site       */
    const char *type;                 /* Content-Type                               */
    const char *cookie;               /* value of guard.cookie                      */
    const char *token;                /* of the address                             */
    int hosts, origins;               /* how many such headers there are            */
} guard_request;

/* 0: it may be served. Else the status of HTTP, with the sentence why. */
int guard_check(const guard *g, const guard_request *request, const char **why);

#endif
