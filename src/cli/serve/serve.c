/* SPDX-License-Identifier: MIT
 *
 * serve.c - see serve.h. libmicrohttpd gives each connection its own thread, so a call may take as long as it needs. A
 * request passes these steps in order: guard, path, size, body, call.
 *
 * libmicrohttpd is loaded at run time, only when it is needed. It needs other libraries for TLS, and loading all of
 * them would take a third of the time in which any other verb starts. The static program contains it, without TLS.
 */
#include "serve.h"

#include <dlfcn.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "desk_parts.h"
#include "guard.h"
#include "pages.h"
#include "watch.h"

/* Time limits in milliseconds: ARRIVE for a request to arrive; LISTEN for the client to read an answer (photos are
 * large); REST for a pause between two requests. LOOK is how often these limits are checked. */
enum { ARRIVE = 5000, LISTEN = 60000, REST = 60000, LOOK = 200 };
enum { CONNECTIONS = WATCH_MOST, CONNECTION_BYTES = 32768, SILENCE = 10 /* seconds */ };

typedef struct server {
    desk *desk;
    guard guard;
    watch watch;
    bool report; /* true: the page has received the answer to its last request */
} server;

/* A request whose body is still arriving. */
typedef struct request {
    const desk_call *call;
    bytes body;
    bool ends; /* true: this is the last request of the page */
} request;

/* ---- The library ------------------------------------------------------------------------------ */

#define LIBRARY "libmicrohttpd.so.12"

#define CALLS(CALL) \
    CALL(MHD_add_response_header) \
    CALL(MHD_create_response_from_buffer) \
    CALL(MHD_destroy_response) \
    CALL(MHD_get_connection_info) \
    CALL(MHD_get_connection_values) \
    CALL(MHD_get_version) \
    CALL(MHD_lookup_connection_value) \
    CALL(MHD_queue_response) \
    CALL(MHD_start_daemon) \
    CALL(MHD_stop_daemon)

/* The library's functions. They are set once, before any thread starts. */
static struct {
#define CALL(name) __typeof__(name) *name;
    CALLS(CALL)
#undef CALL
} http;

/* Loads the library. Returns NULL, or a sentence that says why it cannot be loaded. */
static const char *load_library(void)
{
#ifdef TILECUT_STATIC
#define CALL(name) http.name = name;
    CALLS(CALL)
#undef CALL
    return NULL;
#else
    void *const library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool whole = library;
#define CALL(name) whole = whole && (*(void **)&http.name = dlsym(library, #name));
    CALLS(CALL)
#undef CALL
    return whole ? NULL : dlerror();
#endif
}

const char *serve_library(const char **missing)
{
    static char line[64];
    if (load_library()) {
        *missing = LIBRARY " cannot be loaded; Debian package libmicrohttpd12";
        return NULL;
    }
    snprintf(line, sizeof line, "libmicrohttpd %s", http.MHD_get_version());
    return line;
}

/* ---- answers ---------------------------------------------------------------------------------- */

static enum MHD_Result send_response(struct MHD_Connection *to, unsigned status, const char *type,
                                     struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; "
         "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    if (!response) return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        http.MHD_add_response_header(response, headers[i][0], headers[i][1]);
    http.MHD_add_response_header(response, "Content-Type", type);
    const enum MHD_Result result = http.MHD_queue_response(to, status, response);
    http.MHD_destroy_response(response);
    return result;
}

/* Refuses a request with a line of plain text. Closes the connection, so that the rest of a body is not read. */
static enum MHD_Result refuse_request(struct MHD_Connection *to, int status, const char *why)
{
    char text[256];
    const int size = snprintf(text, sizeof text, "tilecut: %s\n", why);
    struct MHD_Response *const response =
        http.MHD_create_response_from_buffer((size_t)size, text, MHD_RESPMEM_MUST_COPY);
    if (response) http.MHD_add_response_header(response, "Connection", "close");
    return send_response(to, (unsigned)status, "text/plain; charset=utf-8", response);
}

/* Sends what the call has written or, if it failed, lines with the status and the sentence. A cut that failed or was
 * overtaken is not an error of HTTP, because the request itself was right. */
static enum MHD_Result send_answer(struct MHD_Connection *to, answer *got)
{
    const bool refused = got->http != ANSWER_FAILED && got->http != ANSWER_OVERTAKEN;
    const unsigned status = refused ? (unsigned)got->http : MHD_HTTP_OK;
    if (got->http != 200) {
        bytes_free(&got->data);
        if (!message_add_number(&got->data, "status", got->why.status) ||
            !message_add(&got->data, got->http == ANSWER_OVERTAKEN ? "overtaken" : "error", got->why.text) ||
            !bytes_append(&got->data, "\n", 1))
            bytes_free(&got->data);
    }
    struct MHD_Response *const response =
        got->data.size ? http.MHD_create_response_from_buffer(got->data.size, got->data.data, MHD_RESPMEM_MUST_FREE)
                       : http.MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (!response) bytes_free(&got->data);
    return send_response(to, status, "application/x-tilecut", response);
}

/* Sends a page. In index.html, marks if a photo or a scan is edited, and sets the cookie. */
static enum MHD_Result send_page(const server *s, struct MHD_Connection *to, const page *found)
{
    static const char form[] = "data-form=\"\"", of_photo[] = "data-form=\"program\"",
                      of_scan[] = "data-form=\"program\" data-of=\"scan\"";
    const char *const here = desk_has_scan(s->desk) ? of_scan : of_photo;
    bytes text = {0};
    const unsigned char *const at = strcmp(found->path, "/")
                                        ? NULL : memmem(found->data, found->size, form, sizeof form - 1);
    const size_t before = at ? (size_t)(at - found->data) : found->size, after = before + sizeof form - 1;
    bool good = bytes_append(&text, found->data, before);
    if (at) good = good && bytes_append(&text, here, strlen(here)) &&
                   bytes_append(&text, found->data + after, found->size - after);
    struct MHD_Response *const response =
        good ? http.MHD_create_response_from_buffer(text.size, text.data, MHD_RESPMEM_MUST_FREE) : NULL;
    if (!response) bytes_free(&text);
    if (response && at) {
        char cookie[128];
        snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict", s->guard.cookie, s->guard.key);
        http.MHD_add_response_header(response, "Set-Cookie", cookie);
    }
    return send_response(to, MHD_HTTP_OK, found->type, response);
}

/* ---- requests --------------------------------------------------------------------------------- */

static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind, const char *key, const char *value)
{
    guard_request *const r = context;
    (void)kind;
    for (int i = 0; i < GUARD_HEADERS; i++)
        if (!strcasecmp(key, guard_header_names[i])) r->count[i]++, r->header[i] = value ? value : "";
    return MHD_YES;
}

/* Marks a request whose address contains a '%'. on_request() cannot see this, because its path ends at a %00. */
static char escaped;
static void *see_address(void *context, const char *address, struct MHD_Connection *from)
{
    (void)context, (void)from;
    return strchr(address, '%') ? &escaped : NULL;
}

static watched *place_of_secret(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *const info =
        http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static enum MHD_Result read_page(const server *s, struct MHD_Connection *from, const char *path)
{
    for (const page *p = pages; p->path; p++)
        if (!strcmp(p->path, path)) return send_page(s, from, p);
    return refuse_request(from, MHD_HTTP_NOT_FOUND, "there is no such page");
}

/* Handles the head of a request. Its body, if there is one, comes later. */
static enum MHD_Result begin_request(server *s, struct MHD_Connection *from, guard_request *r, request **out)
{
    const char *why = NULL;
    http.MHD_get_connection_values(from, MHD_HEADER_KIND, take_header, r);
    r->key = http.MHD_lookup_connection_value(from, MHD_COOKIE_KIND, s->guard.cookie);
    r->token = http.MHD_lookup_connection_value(from, MHD_GET_ARGUMENT_KIND, "token");
    const int refused = guard_check(&s->guard, r, &why);
    if (refused) return refuse_request(from, refused, why);
    watch_know(&s->watch, place_of_secret(from));
    watch_set(&s->watch, place_of_secret(from), ARRIVE);
    if (strcmp(r->method, "POST")) return read_page(s, from, r->path);
    const char *const length = r->header[GUARD_LENGTH];
    const desk_call *const call = desk_find_call(r->path);
    if (!call) return refuse_request(from, MHD_HTTP_NOT_FOUND, "there is no such call");
    if (length && strtoull(length, NULL, 10) > desk_limit(s->desk, call))
        return refuse_request(from, MHD_HTTP_CONTENT_TOO_LARGE, "the request is larger than any that the page sends");
    *out = calloc(1, sizeof **out);
    if (!*out) return MHD_NO;
    (*out)->call = call;
    return MHD_YES;
}

/* Collects the body. Counts bodies without a stated length as they come, and stops reading one that is too large. */
static enum MHD_Result collect(const server *s, request *r, const char *data, size_t *size)
{
    if (r->body.size + *size > desk_limit(s->desk, r->call) || !bytes_append(&r->body, data, *size)) return MHD_NO;
    *size = 0;
    return MHD_YES;
}

static enum MHD_Result run_call(server *s, struct MHD_Connection *from, request *r)
{
    answer got = {.http = 200};
    message m;
    watch_set(&s->watch, place_of_secret(from), 0);
    if (message_read(r->body.data, r->body.size, &m)) desk_run(s->desk, r->call, &m, &got);
    else got.http = 400, fail(&got.why, EXIT_USAGE, "the request is not what the page sends");
    watch_set(&s->watch, place_of_secret(from), LISTEN);
    pthread_mutex_lock(&s->desk->mutex);
    r->ends = s->desk->done && r->call->run == desk_finish; /* other requests may complete while the session ends */
    pthread_mutex_unlock(&s->desk->mutex);
    return send_answer(from, &got);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *from, const char *path, const char *method,
                                  const char *version, const char *data, size_t *size, void **state)
{
    server *const s = context;
    request *const r = *state;
    (void)version;
    if (!r || *state == &escaped) {
        guard_request asked = {.method = method, .path = path, .escaped = *state == &escaped};
        *state = NULL;
        return begin_request(s, from, &asked, (request **)state);
    }
    return *size ? collect(s, r, data, size) : run_call(s, from, r);
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode how)
{
    server *const s = context;
    request *const r = *state;
    (void)how;
    watch_set(&s->watch, place_of_secret(connection), REST);
    if (!r || *state == &escaped) return;
    if (r->ends) {
        pthread_mutex_lock(&s->desk->mutex);
        s->report = true;
        pthread_cond_broadcast(&s->desk->changed);
        pthread_mutex_unlock(&s->desk->mutex);
    }
    bytes_free(&r->body);
    free(r);
    *state = NULL;
}

static void on_connection(void *context, struct MHD_Connection *connection, void **place,
                          enum MHD_ConnectionNotificationCode what)
{
    server *const s = context;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        watch_remove(&s->watch, *place);
        return;
    }
    const union MHD_ConnectionInfo *const info =
        http.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *place = info ? watch_add(&s->watch, (int)info->connect_fd) : NULL;
    watch_set(&s->watch, *place, ARRIVE);
}

/* ---- the server ------------------------------------------------------------------------------- */

/* Waits until the page has received the answer that the session is over, but at most half a second after its end. */
static void wait_for_end(server *s)
{
    desk *const d = s->desk;
    int looks = 3;
    pthread_mutex_lock(&d->mutex);
    while (!s->report && (!d->done || looks-- > 0)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK * 1000000L;
        if (until.tv_nsec >= 1000000000L) until.tv_sec++, until.tv_nsec -= 1000000000L;
        pthread_cond_timedwait(&d->changed, &d->mutex, &until);
        pthread_mutex_unlock(&d->mutex);
        watch_look(&s->watch);
        pthread_mutex_lock(&d->mutex);
    }
    pthread_mutex_unlock(&d->mutex);
}

/* Drops messages of libmicrohttpd about clients that misbehave. */
static void drop_line(void *context, const char *format, va_list arguments)
{
    (void)context, (void)format, (void)arguments;
}

/* Starts the server. The port is set before any thread uses the guard. The daemon closes the socket. */
static struct MHD_Daemon *start(server *s, int port)
{
    const MHD_socket fd = (MHD_socket)serve_listen(&port);
    if (fd == MHD_INVALID_SOCKET) return NULL;
    guard_set_port(&s->guard, port);
    const unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ERROR_LOG;
    return http.MHD_start_daemon(flags, 0, NULL, NULL, on_request, s, MHD_OPTION_EXTERNAL_LOGGER, drop_line, NULL,
                                 MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
                                 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE,
                                 MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
                                 MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, see_address, s,
                                 MHD_OPTION_NOTIFY_COMPLETED, on_completed, s,
                                 MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_END);
}

int serve(desk *d, int port, int (*ready)(void *context, const char *url, failure *why), void *context, failure *why)
{
    server s = {.desk = d};
    char url[128];
    const char *const missing = load_library();
    if (missing)
        return fail(why, EXIT_RESOURCES, "edit: %s cannot be loaded (%s); install it (Debian package libmicrohttpd12), "
                    "or use the page of 'make web'", LIBRARY, missing);
    if (!guard_init(&s.guard)) return fail(why, EXIT_RUNTIME, "the system has no random numbers for a token");
    watch_init(&s.watch);
    struct MHD_Daemon *const daemon = start(&s, port);
    if (!daemon) {
        watch_free(&s.watch);
        return fail(why, EXIT_RUNTIME, "--port: %d of 127.0.0.1 cannot be served, is it taken? 0 finds a free one",
                    port);
    }
    snprintf(url, sizeof url, "http://127.0.0.1:%d/?token=%s", s.guard.port, s.guard.token);
    const int report = ready(context, url, why);
    if (!report) wait_for_end(&s);
    http.MHD_stop_daemon(daemon);
    watch_free(&s.watch);
    if (report) return report;
    if (d->status) *why = d->why;
    return d->status;
}
