/* SPDX-License-Identifier: MIT
 *
 * apart.h - runs decoders from other libraries in a process of their own. If a file makes a decoder crash, hang or
 * allocate without bound, only that file fails, with one line, and the run goes on. The two processes talk over a pair
 * of sockets.
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
    bool stuck; /* true: the child hung and was killed */
} apart;

/* Forks a child that calls work(socket, context), which must not return. Returns false on failure, with the
 * reason in errno. */
bool apart_start(apart *a, void (*work)(int socket, void *context), void *context);

/* Waits for an answer of `size` bytes. Kills a child that uses no processor time for ten seconds, or more than `most`
 * seconds of it for this answer (0: no limit). Returns false if the child is gone. */
bool apart_receive_answer(apart *a, double most, void *out, size_t size);

/* Closes the socket, which makes the child end. Returns the child's status, as waitpid() gives it. */
int apart_finish(apart *a);

/* Send or receive exactly `size` bytes through a socket. Return false if the other end is gone. */
bool apart_send(int socket, const void *data, size_t size);
bool apart_receive(int socket, void *data, size_t size);

/* Call this in the child. It silences the child's output, forbids core files, removes the program's signal handlers,
 * and makes the child end together with the program. */
void apart_withdraw(void);

/* Call this in the child. Limits its memory to `bytes` more than it has, plus a fixed allowance for
 * libraries and threads. */
void apart_limit_memory(uint64_t bytes);

/* Finds one of the program's shared objects, beside the program or in ../lib/tilecut, and writes its path. Returns
 * false if there is none. */
bool apart_find_object(const char *name, char path[PATH_MAX]);
