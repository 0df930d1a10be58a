/* SPDX-License-Identifier: MIT
 *
 * socket.h - sockets as numbers that close() knows (posix.h).
 */
#ifndef WINDOWS_SYS_SOCKET_H
#define WINDOWS_SYS_SOCKET_H

#define SHUT_RDWR 2
#define dup posix_dup
#define shutdown posix_shutdown
int posix_dup(int socket); /* a second number for the same socket, for shutdown() and close() */
int posix_shutdown(int socket, int how);

#endif
