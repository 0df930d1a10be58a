/* SPDX-License-Identifier: MIT
 *
 * guard.c - fuzz target: the headers of a request to the editor's server, in any form. A request is accepted only with
 * exactly one Host that is this server, no foreign Origin, no repeated header and one length. It needs the key or, once
 * for the page, the token; and to change anything, this server's Origin.
 */
#include "guard.h"

#include <string.h>

#include "fuzz.h"

enum { ROOM = 64, TEXTS = GUARD_HEADERS + 4 };

static const char *const words[] = {
    "GET", "HEAD", "POST", "PUT", "/", "/api/save", "127.0.0.1:80", "localhost:80", "localhost:8", "localhost:80:80",
    "http://127.0.0.1:80", "http://localhost:80", "http://evil", "null", "same-origin", "cross-site", "none",
    "application/octet-stream", "text/plain", "", "http://127.0.0.1:80/", "0", "7", "-7", "chunked", "CHUNKED", "gzip"};

enum { WORDS = sizeof words / sizeof *words };

/* Draws a word with a meaning, a secret or part of one, an empty word, or any bytes. */
static const char *draw(supply *from, const guard *g, char room[ROOM])
{
    const unsigned kind = take_below(from, WORDS + 24);
    if (kind < WORDS) return words[kind];
    if (kind < WORDS + 5) return g->token;
    if (kind < WORDS + 10) return g->key;
    if (kind < WORDS + 16) return NULL;
    const unsigned length = take_below(from, ROOM);
    for (unsigned i = 0; i < length; i++)
        room[i] = (char)(kind & 1 ? take(from) : (unsigned char)g->key[i % GUARD_SECRET]);
    room[length] = '\0';
    return room;
}

static bool is(const char *text, const char *one, const char *other)
{
    return text && (!strcmp(text, one) || !strcmp(text, other));
}

static void check(guard *g, const guard_request *r)
{
    const char *why = NULL;
    const bool used = g->used;
    const int refused = guard_check(g, r, &why);
    MUST(refused ? why && *why && refused >= 400 && refused < 500 : true);
    const bool token = r->token && !strcmp(r->token, g->token), key = r->key && !strcmp(r->key, g->key);
    MUST(g->used == used || (!used && token && !key && !strcmp(r->method, "GET") && !strcmp(r->path, "/")));
    if (refused) return;
    MUST(key || g->used != used);
    MUST(!r->escaped && is(r->header[GUARD_HOST], "127.0.0.1:80", "localhost:80"));
    const char *const origin = r->header[GUARD_ORIGIN];
    MUST(!origin || is(origin, "http://127.0.0.1:80", "http://localhost:80"));
    for (int i = 0; i < GUARD_HEADERS; i++) MUST(r->count[i] <= 1);
    MUST(!r->header[GUARD_LENGTH] || !r->header[GUARD_ENCODING]);
    if (is(r->method, "GET", "HEAD")) {
        MUST(!r->header[GUARD_ENCODING] && (!r->header[GUARD_LENGTH] || is(r->header[GUARD_LENGTH], "0", "0")));
        return;
    }
    MUST(!strcmp(r->method, "POST") && key && origin);
    MUST(is(r->header[GUARD_TYPE], "application/octet-stream", "application/octet-stream"));
    MUST(!r->header[GUARD_SITE] || !strcmp(r->header[GUARD_SITE], "same-origin"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static guard g;
    char room[TEXTS][ROOM];
    supply from = {data, size};
    if (!g.port) {
        MUST(guard_init(&g) && strcmp(g.token, g.key) != 0);
        guard_set_port(&g, 80);
    }
    g.used = (int)take_below(&from, 2);
    for (int requests = 0; requests < 4; requests++) {
        const char *const method = draw(&from, &g, room[0]), *const path = draw(&from, &g, room[1]);
        guard_request r = {.method = method ? method : "GET", .path = path ? path : "/"};
        r.key = draw(&from, &g, room[2]);
        r.token = draw(&from, &g, room[3]);
        r.escaped = take_below(&from, 6) == 0;
        for (int i = 0; i < GUARD_HEADERS; i++) {
            r.header[i] = draw(&from, &g, room[4 + i]);
            r.count[i] = !r.header[i] ? 0 : take_below(&from, 8) ? 1 : 2;
        }
        check(&g, &r);
    }
    return 0;
}
