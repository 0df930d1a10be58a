/* SPDX-License-Identifier: MIT */
#include "spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAPPINGS = 8 };

struct spill {
    int file;
    struct {
        void *start; /* NULL: free */
        size_t size;
    } mapping[MAPPINGS];
};

/* Makes a file without a name, which vanishes when it is closed. `path` receives the name that it had before, for
 * messages. */
static int open_nameless(const char *output, char *path, size_t room)
{
    static const char name[] = "tilecut-XXXXXX";
    const char *const folder = getenv("TMPDIR"), *const slash = output ? strrchr(output, '/') : NULL;
    if (folder && *folder) snprintf(path, room, "%s/%s", folder, name);
    else if (slash) snprintf(path, room, "%.*s/%s", (int)(slash - output), output, name);
    else snprintf(path, room, "%s%s", output ? "./" : "/tmp/", name);
    const int file = mkstemp(path);
    if (file > 0) (void)unlink(path);
    return file;
}

int spill_open(spill **out, const char *output, failure *why)
{
    char path[4096];
    *out = calloc(1, sizeof **out);
    if (!*out) return fail(why, EXIT_RESOURCES, "not enough memory for a part");
    (*out)->file = open_nameless(output, path, sizeof path);
    if ((*out)->file > 0) return EXIT_DONE;
    const int error = errno;
    free(*out);
    *out = NULL;
    return fail(why, EXIT_RESOURCES, "%s: cannot be made for a part that waits: %s; name another folder in TMPDIR",
                path, strerror(error));
}

void spill_close(spill *s)
{
    if (!s) return;
    for (int i = 0; i < MAPPINGS; i++) spill_drop(s, s->mapping[i].start);
    close(s->file);
    free(s);
}

int spill_file(const spill *s)
{
    return s->file;
}

/* Allocates memory inside the file. The disk space is reserved at once: if the disk became full later, while pages are
 * written, a signal would end the program. */
void *spill_take(spill *s, size_t size)
{
    const off_t page = (off_t)sysconf(_SC_PAGESIZE);
    struct stat now;
    int slot = 0;
    while (slot < MAPPINGS && s->mapping[slot].start) slot++;
    if (slot == MAPPINGS || fstat(s->file, &now) != 0) return NULL;
    const off_t from = (now.st_size + page - 1) / page * page;
    if (posix_fallocate(s->file, from, (off_t)size) != 0) return NULL;
    void *const start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, s->file, from);
    if (start == MAP_FAILED) return NULL;
    s->mapping[slot].start = start;
    s->mapping[slot].size = size;
    return start;
}

void spill_drop(spill *s, const void *start)
{
    for (int i = 0; start && i < MAPPINGS; i++) {
        if (s->mapping[i].start != start) continue;
        munmap(s->mapping[i].start, s->mapping[i].size);
        s->mapping[i].start = NULL;
    }
}

void spill_rest(const spill *s)
{
    for (int i = 0; i < MAPPINGS; i++)
        if (s->mapping[i].start) (void)madvise(s->mapping[i].start, s->mapping[i].size, MADV_DONTNEED);
}
