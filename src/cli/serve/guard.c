/* SPDX-License-Identifier: MIT
 *
 * guard.c - see guard.h.
 */
#include "guard.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool guard_init(guard *g)
{
    uint8_t random[GUARD_TOKEN / 2];
    *g = (guard){0};
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (size_t i = 0; i < sizeof random; i++) snprintf(g->token + 2 * i, 3, "%02x", random[i]);
    return true;
}

void guard_set_port(guard *g, int port)
{
    g->port = port;
    snprintf(g->cookie, sizeof g->cookie, "tilecut-%d", port);
}

/* Compares all characters in any case, so that the time does not reveal how much of a guess was right. */
static bool is_token(const guard *g, const char *text)
{
    unsigned differs = 0;
    if (!text || strlen(text) != GUARD_TOKEN) return false;
    for (int i = 0; i < GUARD_TOKEN; i++) differs |= (unsigned)(text[i] ^ g->token[i]);
    return differs == 0;
}

/* Whether `text` is `scheme` and then NAME:PORT of this server. */
static bool is_here(const guard *g, const char *text, const char *scheme)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char here[64];
    for (size_t i = 0; text && i < sizeof names / sizeof *names; i++) {
        snprintf(here, sizeof here, "%s%s:%d", scheme, names[i], g->port);
        if (!strcmp(text, here)) return true;
    }
    return false;
}

int guard_check(const guard *g, const guard_request *r, const char **why)
{
    const bool reads = !strcmp(r->method, "GET") || !strcmp(r->method, "HEAD"), changes = !strcmp(r->method, "POST");
    *why = "this server answers to 127.0.0.1 and localhost only";
    if (r->hosts != 1 || !is_here(g, r->host, "")) return 403;
    *why = "only GET and POST are served";
    if (!reads && !changes) return 405;
    *why = "another page may not ask for this";
    if (r->origins > 1 || (r->origin && !is_here(g, r->origin, "http://"))) return 403;
    if (changes && !r->origin) return 403;
    if (changes && r->site && strcmp(r->site, "same-origin")) return 403;
    *why = "open the address that tilecut has printed";
    if (!is_token(g, r->cookie) && !(reads && !strcmp(r->path, "/") && is_token(g, r->token))) return 403;
    *why = "a request has the type application/octet-stream";
    if (changes && (!r->type || strcmp(r->type, "application/octet-stream"))) return 415;
    return 0;
}
