/* SPDX-License-Identifier: MIT
 *
 * fail_memory.c - faults.sh loads this into the program to make one allocation fail. FAIL_AT=N is the N-th allocation
 * of the process; with FAIL_ON=1 all later ones fail as well. FAIL_SITES=FILE lists instead where each allocation was
 * called from, so that each place needs only one try. FAIL_MARK=FILE is created when an allocation has failed.
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { CALLERS = 7 };

static long fail_at, count;
static bool fail_on, ready, busy;
static int sites = -1;
static const char *mark;

__attribute__((constructor)) static void begin(void)
{
    void *callers[2];
    const char *at = getenv("FAIL_AT"), *list = getenv("FAIL_SITES");
    fail_at = at ? atol(at) : 0;
    fail_on = getenv("FAIL_ON") != NULL;
    mark = getenv("FAIL_MARK");
    if (list) {
        sites = open(list, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        backtrace(callers, 2); /* the first call of backtrace() loads a library, which allocates memory */
    }
    ready = true;
}

/* Writes one line: the number of the allocation, and a hash of its callers. */
static void note_site(void)
{
    void *callers[CALLERS];
    char line[64];
    uintptr_t hash = 5381;
    busy = true;
    const int depth = backtrace(callers, CALLERS);
    for (int i = 2; i < depth; i++) hash = hash * 33 ^ (uintptr_t)callers[i];
    const int length = snprintf(line, sizeof line, "%ld %lx\n", count, (unsigned long)hash);
    if (write(sites, line, (size_t)length) != length) _exit(99);
    busy = false;
}

static bool refused(void)
{
    if (!ready || busy) return false;
    count++;
    if (sites >= 0) note_site();
    if (count != fail_at && !(fail_on && fail_at && count > fail_at)) return false;
    if (mark) {
        const int file = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0) close(file);
        mark = NULL;
    }
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return refused() ? NULL : __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
    return refused() ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *const got = refused() ? NULL : __libc_memalign(alignment, size);
    if (!got) return ENOMEM;
    *block = got;
    return 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (refused()) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset); // NOLINT
}
