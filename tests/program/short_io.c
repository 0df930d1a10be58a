/* SPDX-License-Identifier: MIT
 *
 * short_io.c - faults.sh loads this into the program. Every read() and write() moves at most 61 bytes, and every third
 * one is interrupted before it moves any, as can happen with pipes, terminals and signals.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 61 };

static _Thread_local unsigned calls;

static int interrupted(void)
{
    errno = EINTR;
    return ++calls % 3 == 0;
}

ssize_t read(int file, void *to, size_t size)
{
    if (interrupted()) return -1;
    return syscall(SYS_read, file, to, size < MOST ? size : MOST);
}

ssize_t write(int file, const void *from, size_t size)
{
    if (interrupted()) return -1;
    return syscall(SYS_write, file, from, size < MOST ? size : MOST);
}
