/* SPDX-License-Identifier: MIT */
#include "stored.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The space of a file is reserved on the disk at this point: if the disk became full when pages are written, a signal
 * would end the program. */
static void *map_file(tc_stored *out, size_t size, int file)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct stat now;
    if (fstat(file, &now) != 0) return MAP_FAILED;
    out->at = (int64_t)(((size_t)now.st_size + page - 1) / page * page);
    if (posix_fallocate(file, (off_t)out->at, (off_t)size) != 0) return MAP_FAILED;
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)out->at);
}

void *tc_stored_take(tc_stored *out, size_t size, int file)
{
    *out = (tc_stored){.size = size, .file = file};
    void *const start = file ? map_file(out, size, file)
                             : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start != MAP_FAILED) out->start = start;
    return out->start;
}

void tc_stored_release_pages(const tc_stored *s)
{
#ifdef __linux__
    if (s->start && s->file) (void)madvise(s->start, s->size, MADV_DONTNEED);
#else
    (void)s;
#endif
}

void tc_stored_free(tc_stored *s)
{
    const int64_t end = s->at + (int64_t)s->size;
    struct stat now;
    if (!s->start) return;
    munmap(s->start, s->size);
    if (s->file && fstat(s->file, &now) == 0 && now.st_size == end) (void)!ftruncate(s->file, (off_t)s->at);
    *s = (tc_stored){0};
}
