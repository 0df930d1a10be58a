/* SPDX-License-Identifier: MIT
 *
 * folders.c - see folders.h. Failures here (no memory, no permission) are ignored: the results are complete without
 * these steps.
 */
#include "folders.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct folder {
    dev_t device;
    ino_t inode;
    char *path;
    bool changed;
} folder;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static folder *known;
static size_t count, room;

/* The folders that this run has created, outer ones first. */
static char **made;
static size_t made_count;

bool folders_of(const char *path, char out[PATH_MAX])
{
    const char *const slash = strrchr(path, '/');
    const size_t length = !slash ? 1 : slash == path ? 1 : (size_t)(slash - path);
    if (length >= PATH_MAX) return false;
    memcpy(out, slash ? path : ".", length);
    out[length] = '\0';
    return true;
}

int folders_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

char *folders_join(const char *in, const char *name)
{
    const size_t length = strlen(in), slash = length && in[length - 1] != '/';
    char *const path = malloc(length + slash + strlen(name) + 1);
    if (!path) return NULL;
    strcpy(path, in);
    if (slash) strcpy(path + length, "/");
    strcpy(path + length + slash, name);
    return path;
}

static void remember_made(const char *path)
{
    pthread_mutex_lock(&lock);
    char **const more = realloc(made, (made_count + 1) * sizeof *more);
    if (more) made = more;
    if (more && (made[made_count] = strdup(path))) made_count++;
    pthread_mutex_unlock(&lock);
}

void folders_keep_made(void)
{
    pthread_mutex_lock(&lock);
    while (made_count > 0) free(made[--made_count]);
    pthread_mutex_unlock(&lock);
}

void folders_drop_made(void)
{
    for (size_t i = made_count; i-- > 0;) (void)rmdir(made[i]); /* removes only empty folders */
    folders_keep_made();
}

int folders_make(const char *path)
{
    char *const own = path ? strdup(path) : NULL;
    int error = own || !path ? 0 : ENOMEM;
    for (char *at = own; at && *at && !error; at++) {
        if (*at != '/' || at == own) continue;
        *at = '\0';
        error = mkdir(own, 0777) ? errno : 0;
        if (!error) remember_made(own);
        else if (error == EEXIST || !access(own, F_OK)) error = 0;
        *at = '/';
    }
    free(own);
    return error;
}

/* Finds a known folder, starting with the one that was added last. The caller holds the lock. */
static folder *find(const struct stat *about)
{
    for (size_t i = count; i-- > 0;)
        if (known[i].device == about->st_dev && known[i].inode == about->st_ino) return &known[i];
    return NULL;
}

/* Adds a folder. The caller holds the lock. Returns NULL if memory ran out. */
static folder *add_folder(const char *path, const struct stat *about)
{
    if (count == room) {
        const size_t more = room ? 2 * room : 8;
        folder *const larger = realloc(known, more * sizeof *larger);
        if (!larger) return NULL;
        known = larger;
        room = more;
    }
    char *const own = strdup(path);
    if (!own) return NULL;
    known[count] = (folder){.device = about->st_dev, .inode = about->st_ino, .path = own};
    return &known[count++];
}

static bool is_unfinished_folder(const char *name)
{
    const size_t prefix = strlen(FOLDERS_PREFIX);
    return !strncmp(name, FOLDERS_PREFIX, prefix) && strlen(name + prefix) == FOLDERS_LETTERS &&
           strspn(name + prefix, FOLDERS_ALPHABET) == FOLDERS_LETTERS;
}

/* Removes a temporary file, unless it is locked, because then another process is still writing it. Temporary names are
 * never used twice. */
static void remove_left(int at, const char *name)
{
    const int descriptor = openat(at, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (descriptor < 0) return;
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        unlinkat(at, name, 0);
    close(descriptor);
}

static void clean(const char *path)
{
    DIR *const listing = opendir(path);
    if (!listing) return;
    for (const struct dirent *entry; (entry = readdir(listing));)
        if (is_unfinished_folder(entry->d_name)) remove_left(dirfd(listing), entry->d_name);
    closedir(listing);
}

void folders_visit(const char *path)
{
    char name[PATH_MAX];
    struct stat about;
    if (!folders_of(path, name) || stat(name, &about) != 0) return;
    pthread_mutex_lock(&lock);
    const bool new = !find(&about) && add_folder(name, &about);
    pthread_mutex_unlock(&lock);
    if (new) clean(name);
}

static void sync_one(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    while (fsync(descriptor) != 0 && errno == EINTR) {}
    close(descriptor);
}

void folders_changed(const char *path)
{
    char name[PATH_MAX];
    struct stat about;
    if (!folders_of(path, name) || stat(name, &about) != 0) return;
    pthread_mutex_lock(&lock);
    folder *const one = find(&about);
    if (one) one->changed = true;
    pthread_mutex_unlock(&lock);
    if (!one) sync_one(name);
}

void folders_sync(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        if (known[i].changed) sync_one(known[i].path);
        free(known[i].path);
    }
    free(known);
    known = NULL;
    count = room = 0;
    pthread_mutex_unlock(&lock);
}
