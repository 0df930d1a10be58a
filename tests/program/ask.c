/* SPDX-License-Identifier: MIT
 *
 * ask.c - a client of the server of `tilecut edit` that can misbehave.
 *
 *   ask PORT send                   sends standard input and prints the answer; exits with 3 if there is no end of the
 *                                   answer within 20 seconds
 *   ask PORT slow COUNT             opens COUNT connections that send a byte every 100 ms; prints how many of them
 *                                   were closed within 15 seconds
 *   ask PORT random COUNT COOKIE SEED   sends COUNT requests with parts missing, doubled, cut and changed; half of
 *                                   them have the cookie COOKIE
 */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int dial(int port)
{
    const struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&there, sizeof there)) {
        if (fd >= 0) close(fd);
        return -1;
    }
    return fd;
}

/* Reads until the other end closes. Returns 3 if that takes longer than `ms`. */
static int drain(int fd, int ms, FILE *out)
{
    char data[65536];
    for (;;) {
        struct pollfd on = {.fd = fd, .events = POLLIN};
        if (poll(&on, 1, ms) <= 0) return 3;
        const ssize_t got = recv(fd, data, sizeof data, 0);
        if (got <= 0) return 0;
        if (out) fwrite(data, 1, (size_t)got, out);
    }
}

static int send_input(int port)
{
    char data[65536];
    size_t got;
    const int fd = dial(port);
    if (fd < 0) return 2;
    while ((got = fread(data, 1, sizeof data, stdin)) > 0)
        for (size_t at = 0; at < got;) {
            const ssize_t sent = send(fd, data + at, got - at, MSG_NOSIGNAL);
            /* the server has closed the connection, so print its answer */
            if (sent < 0) return drain(fd, 20000, stdout);
            at += (size_t)sent;
        }
    const int status = drain(fd, 20000, stdout);
    close(fd);
    return status;
}

static int send_slowly(int port, int count)
{
    static const char text[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ";
    int fds[256], cut = 0;
    if (count > 256) return 2;
    for (int i = 0; i < count; i++) fds[i] = dial(port);
    for (int turn = 0; turn < 150 && cut < count; turn++) {
        const struct timespec pause = {.tv_nsec = 100000000};
        const char byte = turn < (int)sizeof text - 1 ? text[turn] : 'x';
        for (int i = 0; i < count; i++) {
            char got;
            if (fds[i] < 0) continue;
            if (send(fds[i], &byte, 1, MSG_NOSIGNAL) == 1 && recv(fds[i], &got, 1, MSG_DONTWAIT) != 0) continue;
            close(fds[i]);
            fds[i] = -1;
            cut++;
        }
        nanosleep(&pause, NULL);
    }
    printf("%d\n", cut);
    return 0;
}

static unsigned dice(unsigned *state, unsigned sides)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % sides;
}

static const char *pick(unsigned *state, const char *const *from, unsigned count) { return from[dice(state, count)]; }

#define PICK(state, array) pick(state, array, sizeof array / sizeof *array)

static size_t make_request(unsigned *state, int port, const char *cookie, char *to, size_t room)
{
    static const char *const methods[] = {"GET", "POST", "POST", "POST", "HEAD", "PUT", "OPTIONS", "X", ""};
    static const char *const paths[] = {"/", "/editor.js", "/api/open", "/api/sketch", "/api/sketch", "/api/cut",
                                        "/api/cutout", "/api/save", "/api/none", "/../../etc/passwd", "*", "//"};
    static const char *const hosts[] = {"127.0.0.1", "127.0.0.1", "localhost", "evil.example"};
    static const char *const bodies[] = {
        "", "\n", "tab\t0\n\n", "tab\t1\noptions\t\n\n", "tab\t2\noptions\t\n\n",
        "tab\t2\nrect\t0 0 3 1\noptions\t\n\n\2\1\1", "tab\t1\nrect\t0 0 2 2\noptions\t\n\n\1\2\1\2",
        "tab\t1\nrect\t-1 0 2147483647 9\noptions\t--lambda nan\n\nxx",
        "tab\t99999999999999999999\noptions\t--help\n\n",
        "tab\t1\nrect\t3 3 1 1\noptions\t--fill-holes 3 --keep-largest --colors none\n\n\2",
        "tab\t1\noptions\t--feather 32\n\n"};
    const char *const body = PICK(state, bodies), *const host = PICK(state, hosts);
    const size_t length = strlen(body);
    int used = snprintf(to, room, "%s %s HTTP/1.%u\r\nHost: %s:%d\r\nConnection: close\r\n", PICK(state, methods),
                        PICK(state, paths), dice(state, 3), host, port + (dice(state, 9) == 0));
    if (dice(state, 5)) used += snprintf(to + used, room - (size_t)used, "Origin: http://%s:%d\r\n", host, port);
    if (dice(state, 2)) used += snprintf(to + used, room - (size_t)used, "Cookie: tilecut-%d=%s\r\n", port, cookie);
    if (dice(state, 5))
        used += snprintf(to + used, room - (size_t)used, "Content-Type: application/octet-stream\r\n");
    if (dice(state, 6)) used += snprintf(to + used, room - (size_t)used, "Content-Length: %zu\r\n", length);
    used += snprintf(to + used, room - (size_t)used, "\r\n%s", body);
    size_t size = (size_t)used;
    for (unsigned i = dice(state, 4); i > 0; i--) to[dice(state, (unsigned)size)] = (char)dice(state, 256);
    if (dice(state, 6) == 0) size = dice(state, (unsigned)size) + 1;
    return size;
}

static int send_random(int port, int count, const char *cookie, unsigned seed)
{
    unsigned state = seed;
    int answered = 0;
    for (int i = 0; i < count; i++) {
        char text[4096], got[16] = "";
        const size_t size = make_request(&state, port, cookie, text, sizeof text);
        const int fd = dial(port);
        if (fd < 0) return 2; /* the server is gone */
        send(fd, text, size, MSG_NOSIGNAL);
        shutdown(fd, SHUT_WR);
        struct pollfd on = {.fd = fd, .events = POLLIN};
        if (poll(&on, 1, 20000) > 0 && recv(fd, got, sizeof got - 1, 0) > 8 && !memcmp(got, "HTTP/1", 6)) answered++;
        close(fd);
    }
    printf("%d\n", answered);
    return 0;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    if (argc < 3) return 2;
    const int port = atoi(argv[1]);
    if (!strcmp(argv[2], "send")) return send_input(port);
    if (!strcmp(argv[2], "slow") && argc > 3) return send_slowly(port, atoi(argv[3]));
    if (!strcmp(argv[2], "random") && argc > 5)
        return send_random(port, atoi(argv[3]), argv[4], (unsigned)atoi(argv[5]));
    return 2;
}
