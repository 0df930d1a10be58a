/* SPDX-License-Identifier: MIT
 *
 * listen.c - the socket of the server (serve.h).
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve.h"

int serve_listen(int *port)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (const struct sockaddr *)&here, size) || listen(fd, SOMAXCONN) ||
        getsockname(fd, (struct sockaddr *)&here, &size)) {
        close(fd);
        return -1;
    }
    *port = ntohs(here.sin_port);
    return fd;
}
