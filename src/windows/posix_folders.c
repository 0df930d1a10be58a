/* SPDX-License-Identifier: MIT
 *
 * posix_folders.c - lists folders, and matches names with patterns (posix.h).
 */
#include <dirent.h>

#include "utf16.h"

struct posix_folder {
    HANDLE search, itself;
    int descriptor; /* descriptor of the folder; -1: none yet */
    bool more;      /* true: `found` has not been returned yet */
    char path[PATH_MAX];
    WIN32_FIND_DATAW found;
    struct posix_dirent entry;
};

posix_folder *posix_opendir(const char *path)
{
    wchar_t pattern[PATH_MAX];
    posix_folder *const f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->descriptor = -1;
    const size_t length = (size_t)snprintf(f->path, sizeof f->path, "%s/*", path);
    if (length < sizeof f->path && wide_path(f->path, pattern)) {
        f->search = FindFirstFileW(pattern, &f->found);
        f->path[length - 2] = '\0';
        f->more = true;
        if (f->search != INVALID_HANDLE_VALUE) return f;
        (void)wide_failed();
    }
    free(f);
    return NULL;
}

struct posix_dirent *posix_readdir(posix_folder *f)
{
    if (!f->more && !FindNextFileW(f->search, &f->found)) return NULL;
    f->more = false;
    wide_to_text(f->found.cFileName, false, f->entry.d_name, sizeof f->entry.d_name);
    return &f->entry;
}

int posix_dirfd(posix_folder *f)
{
    const HANDLE handle = f->descriptor < 0 ? wide_look_at(f->path, false) : INVALID_HANDLE_VALUE;
    if (handle != INVALID_HANDLE_VALUE) f->descriptor = _open_osfhandle((intptr_t)handle, O_RDONLY);
    return f->descriptor;
}

int posix_closedir(posix_folder *f)
{
    if (f->descriptor >= 0) posix_close(f->descriptor);
    FindClose(f->search);
    free(f);
    return 0;
}

int posix_alphasort(const struct posix_dirent **a, const struct posix_dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int posix_scandir(const char *path, struct posix_dirent ***out, int (*wanted)(const struct posix_dirent *),
                  int (*order)(const struct posix_dirent **, const struct posix_dirent **))
{
    posix_folder *const f = posix_opendir(path);
    size_t count = 0, room = 0;
    *out = NULL;
    if (!f) return -1;
    for (const struct posix_dirent *entry; (entry = posix_readdir(f));) {
        if (wanted && !wanted(entry)) continue;
        if (count == room) {
            struct posix_dirent **const larger = realloc(*out, (room = room ? 2 * room : 16) * sizeof *larger);
            if (!larger) break;
            *out = larger;
        }
        if (!((*out)[count] = malloc(sizeof *entry))) break;
        *(*out)[count++] = *entry;
    }
    posix_closedir(f);
    if (count) qsort(*out, count, sizeof **out, (int (*)(const void *, const void *))order);
    return (int)count;
}

/* Reads a set that begins with '['. Returns the position behind its ']', or NULL if there is none. */
static const char *in_set(const char *set, char c, bool *in)
{
    const bool others = *set == '!' || *set == '^';
    *in = false;
    set += others;
    for (const char *first = set; *set && (*set != ']' || set == first); set++) {
        const bool range = set[1] == '-' && set[2] && set[2] != ']';
        *in = *in || (c >= *set && c <= set[range ? 2 : 0]);
        set += range ? 2 : 0;
    }
    *in = *in != others;
    return *set ? set + 1 : NULL;
}

int posix_fnmatch(const char *pattern, const char *name, int flags)
{
    for (; *pattern; name++) {
        bool in;
        const char *const after = *pattern == '[' ? in_set(pattern + 1, *name, &in) : NULL;
        if (*pattern == '*') {
            while (*pattern == '*') pattern++;
            for (;; name++) {
                if (!posix_fnmatch(pattern, name, flags)) return 0;
                if (!*name) return 1;
            }
        }
        if (!*name) return 1;
        if (after) {
            if (!in) return 1;
            pattern = after;
        } else if (*pattern == '?') {
            pattern++;
        } else {
            if (*pattern == '\\' && pattern[1]) pattern++;
            if (*pattern++ != *name) return 1;
        }
    }
    return *name != '\0';
}
