/* SPDX-License-Identifier: MIT
 *
 * poll.h - waits for pipes (posix.h). Windows uses these names for sockets.
 */
#ifndef WINDOWS_POLL_H
#define WINDOWS_POLL_H

enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16 };

struct pollfd {
    int fd;
    short events, revents;
};

#define poll posix_poll
int posix_poll(struct pollfd *files, unsigned count, int ms);

#endif
