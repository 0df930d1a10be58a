/* SPDX-License-Identifier: MIT */
#include "guard.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

const char *const guard_header_names[GUARD_HEADERS] = {"Host",   "Origin",         "Sec-Fetch-Site",   "Content-Type",
                                                       "Cookie", "Content-Length", "Transfer-Encoding"};

static bool make_secret(char secret[GUARD_SECRET + 1])
{
    uint8_t random[GUARD_SECRET / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (size_t i = 0; i < sizeof random; i++) snprintf(secret + 2 * i, 3, "%02x", random[i]);
    return true;
}

bool guard_init(guard *g)
{
    *g = (guard){0};
    return make_secret(g->token) && make_secret(g->key);
}

void guard_set_port(guard *g, int port)
{
    g->port = port;
    snprintf(g->cookie, sizeof g->cookie, "tilecut-%d", port);
}

/* Compares all characters even after a difference, so that the time does not reveal how much of a guess was right. */
static bool is_secret(const char *secret, const char *text)
{
    unsigned differs = 0;
    if (!text || strlen(text) != GUARD_SECRET) return false;
    for (int i = 0; i < GUARD_SECRET; i++) differs |= (unsigned)(text[i] ^ secret[i]);
    return differs == 0;
}

/* True if `text` is `scheme` followed by NAME:PORT of this server. */
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

/* Returns a sentence about an error in the form of the request, or NULL. */
static const char *odd_form(const guard_request *r)
{
    const char *const length = r->header[GUARD_LENGTH], *const encoding = r->header[GUARD_ENCODING];
    for (int i = 0; i < GUARD_HEADERS; i++)
        if (r->count[i] > 1) return "a header is there twice";
    if (r->escaped) return "no address of the page has a %";
    if (length && encoding) return "a body has a length or comes in pieces, not both";
    if (length && (!*length || strspn(length, "0123456789") != strlen(length))) return "Content-Length is no number";
    if (encoding && strcasecmp(encoding, "chunked")) return "a body is not encoded";
    return NULL;
}

/* True if the request shows the key, or is the first request for the page with the token. */
static bool may_enter(guard *g, const guard_request *r, const char **why)
{
    if (is_secret(g->key, r->key)) return true;
    *why = "open the address that tilecut has printed";
    if (strcmp(r->method, "GET") || strcmp(r->path, "/") || !is_secret(g->token, r->token)) return false;
    *why = "this address works once, and has been opened; end tilecut and start it again for another one";
    return !__atomic_exchange_n(&g->used, 1, __ATOMIC_SEQ_CST);
}

int guard_check(guard *g, const guard_request *r, const char **why)
{
    const bool reads = !strcmp(r->method, "GET") || !strcmp(r->method, "HEAD"), changes = !strcmp(r->method, "POST");
    const char *const origin = r->header[GUARD_ORIGIN], *const site = r->header[GUARD_SITE],
                      *const type = r->header[GUARD_TYPE];
    *why = "this server answers to 127.0.0.1 and localhost only";
    if (r->count[GUARD_HOST] != 1 || !is_here(g, r->header[GUARD_HOST], "")) return 403;
    if ((*why = odd_form(r)) != NULL) return 400;
    *why = "only GET and POST are served";
    if (!reads && !changes) return 405;
    *why = "GET has no body";
    if (reads && (r->header[GUARD_ENCODING] || (r->header[GUARD_LENGTH] && strcmp(r->header[GUARD_LENGTH], "0"))))
        return 400;
    *why = "another page may not ask for this";
    if (origin && !is_here(g, origin, "http://")) return 403;
    if (changes && !origin) return 403;
    if (changes && site && strcmp(site, "same-origin")) return 403;
    if (!may_enter(g, r, why)) return 403;
    *why = "a request has the type application/octet-stream";
    if (changes && (!type || strcmp(type, "application/octet-stream"))) return 415;
    return 0;
}
