/* SPDX-License-Identifier: MIT
 *
 * guard.h - decides which requests the loopback server answers. Its address is 127.0.0.1, but every page in the
 * browser and every program on this machine can send requests there. Four checks:
 *
 *   form     each header that is checked occurs at most once, and a header gives the length of the body. Requests that
 *            two programs could understand in different ways are refused
 *   Host     must name this server. This stops DNS rebinding, where a foreign name is made to point to 127.0.0.1
 *   Origin   must be this server in requests that change something, so that other pages cannot send them
 *   secrets  128 random bits, the token, are part of the printed address and open the page once. The browser then gets
 *            another 128 bits, the key, in a cookie with SameSite=Strict. Every later request must show this key
 *
 * The functions only compare strings, except that guard_init() makes the secrets and the token can be used only once.
 */
#pragma once

#include <stdbool.h>

enum { GUARD_SECRET = 32 }; /* hexadecimal digits */

typedef struct guard {
    int port;
    char token[GUARD_SECRET + 1];
    char key[GUARD_SECRET + 1];
    char cookie[24]; /* the port is part of the cookie's name, because browsers do not separate cookies by port */
    int used; /* 1: the token has opened the page. Written only by __atomic_exchange_n(), from any thread */
} guard;

/* Makes new secrets. Returns false if the system has no random numbers. */
bool guard_init(guard *g);
void guard_set_port(guard *g, int port);

/* The headers that are checked. GUARD_HEADERS is their number. */
enum guard_header {
    GUARD_HOST,
    GUARD_ORIGIN,
    GUARD_SITE,
    GUARD_TYPE,
    GUARD_COOKIES,
    GUARD_LENGTH,
    GUARD_ENCODING,
    GUARD_HEADERS
};
extern const char *const guard_header_names[GUARD_HEADERS];

/* The parts of a request; NULL: the part is missing. */
typedef struct guard_request {
    const char *method, *path;
    const char *header[GUARD_HEADERS];
    int count[GUARD_HEADERS];
    const char *key;   /* value of the cookie                 */
    const char *token; /* the token in the address, or NULL */
    bool escaped;      /* true: the address has a character written as %XX */
} guard_request;

/* Returns 0 if the request may be answered. Otherwise returns the HTTP status of the refusal, and sets *why to its
 * reason. Of several requests with the token only the first is answered. */
int guard_check(guard *g, const guard_request *request, const char **why);
