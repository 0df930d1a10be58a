/* SPDX-License-Identifier: MIT
 *
 * apart.h - decoders of others in a process of their own: a file that makes one of them crash, come to a halt or take
 * memory without end costs one line and not the run. The two processes speak over a pair of sockets.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct apart {
    int socket;
    pid_t child;
    bool stuck; /* the child was killed, because it had come to a halt */
} apart;

/* Forks; the child calls work(socket, context), which does not return. False: errno says why. */
bool apart_start(apart *a, void (*work)(int socket, void *context), void *context);

/* Waits for an answer of `size` bytes. A child that uses no processor time for ten seconds is ended, and one that uses
 * more than `most` seconds for this answer (0: no limit). False: it is gone. */
bool apart_receive_answer(apart *a, double most, void *out, size_t size);

/* Closes the socket, which ends the child. Returns how it ended, as waitpid() says it. */
int apart_finish(apart *a);

/* Moves `size` bytes through a socket. False: the other end is gone. */
bool apart_send(int socket, const void *data, size_t size);
bool apart_receive(int socket, void *data, size_t size);

/* In the child: nothing of it shows, no words, no core file, no handler of the program, with which it ends. */
void apart_withdraw(void);

/* In the child: limits its memory from now on to `bytes` more, and what libraries and threads need. */
void apart_limit_memory(uint64_t bytes);

/* Writes the path of an object of ours that is loaded by its name: beside the program, or in ../lib/tilecut. False: it
 * is not there. */
bool apart_find_object(const char *name, char path[PATH_MAX]);
