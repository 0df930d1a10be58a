/* SPDX-License-Identifier: MIT
 *
 * posix_sockets.c - sockets, and a close() that distinguishes them from files (posix.h).
 */
#include "posix.h"

#include <winsock2.h>

/* Added to the numbers of sockets that posix_dup() returns: Windows gives files and sockets the same small numbers. */
enum { OWN = 1 << 30 };

int posix_dup(int socket);                  /* src/windows/sys/socket.h */
int posix_shutdown(int socket, int how);
int serve_listen(int *port); /* src/cli/serve/serve.h */
int serve_listen(int *port)
{
    WSADATA about;
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int size = sizeof here;
    if (WSAStartup(MAKEWORD(2, 2), &about)) return -1;
    const SOCKET got = socket(AF_INET, SOCK_STREAM, 0);
    const BOOL on = TRUE; /* no other program may use this port, which is the default on other systems */
    if (got == INVALID_SOCKET) return -1;
    setsockopt(got, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&on, sizeof on);
    if (bind(got, (const struct sockaddr *)&here, size) || listen(got, SOMAXCONN) ||
        getsockname(got, (struct sockaddr *)&here, &size)) {
        closesocket(got);
        return -1;
    }
    *port = ntohs(here.sin_port);
    return (int)got;
}

int posix_dup(int socket)
{
    WSAPROTOCOL_INFOW about;
    if (WSADuplicateSocketW((SOCKET)socket, GetCurrentProcessId(), &about)) return -1;
    const SOCKET copy = WSASocketW(FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, &about, 0, 0);
    return copy == INVALID_SOCKET ? -1 : (int)copy | OWN;
}

int posix_shutdown(int socket, int how)
{
    return shutdown((SOCKET)(socket & ~OWN), how);
}

int posix_close(int file)
{
    return file & OWN ? closesocket((SOCKET)(file & ~OWN)) : _close(file);
}
