/* SPDX-License-Identifier: MIT
 *
 * mman.h - maps new memory by calloc(), the only kind of mapping that the library needs.
 */
#ifndef WEB_SYS_MMAN_H
#define WEB_SYS_MMAN_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>

#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void *)-1)

static inline void *mmap(void *at, size_t size, int access, int flags, int file, off_t offset)
{
    (void)at, (void)access, (void)flags, (void)file, (void)offset;
    void *const memory = calloc(size, 1);
    return memory ? memory : MAP_FAILED;
}
static inline int munmap(void *memory, size_t size) { return (void)size, free(memory), 0; }

#endif
