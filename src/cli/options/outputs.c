/* SPDX-License-Identifier: MIT */
#include "outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_write.h"

output *outputs_add(outputs *all, const char *option, const char *path, bool picture)
{
    if (!path || all->count == OUTPUTS_MOST) return NULL;
    output *item = &all->item[all->count++];
    *item = (output){.option = option, .path = path, .picture = picture};
    return item;
}

/* ---- names in folders -------------------------------------------------------------------------- */

const char *outputs_extension(const char *name)
{
    const size_t length = strlen(name);
    const char *const last = strrchr(name, '.');
    if (length > 7 && !strcmp(name + length - 7, ".nii.gz")) return name + length - 7;
    return last && last != name ? last : name + length;
}

int outputs_name(const char **path, const char *photo, const char *ending, char **owned, failure *why)
{
    struct stat about;
    const size_t length = *path ? strlen(*path) : 0;
    const bool slash = length > 0 && (*path)[length - 1] == '/';
    *owned = NULL;
    if (!length || (!slash && (stat(*path, &about) || !S_ISDIR(about.st_mode)))) return EXIT_DONE;
    if (!strcmp(photo, "-"))
        return fail(why, EXIT_USAGE, "%s: is a folder, and a photo from standard input has no name for a file in it; "
                    "name the file", *path);
    const char *name = photo, *end = photo + strlen(photo);
    while (end > photo + 1 && end[-1] == '/') end--; /* of a folder of DICOM files */
    for (const char *at = photo; at < end; at++)
        if (*at == '/' && at + 1 < end) name = at + 1;
    const char *const dot = *end ? end : outputs_extension(name);
    const size_t stem = (size_t)(dot - name);
    const size_t size = length + 1 + stem + strlen(ending) + 1;
    *owned = malloc(size);
    if (!*owned) return fail(why, EXIT_RESOURCES, "not enough memory for the name of a file in %s", *path);
    snprintf(*owned, size, "%s%s%.*s%s", *path, slash ? "" : "/", (int)stem, name, ending);
    *path = *owned;
    return EXIT_DONE;
}

/* ---- are two paths the same? ------------------------------------------------------------------ */

/* Resolves the longest part of `path` that exists: absolute, without links, "." and "..". Returns the rest of the path,
 * or NULL on failure. */
static const char *resolve_start(const char *path, char out[PATH_MAX])
{
    char start[PATH_MAX];
    size_t cut = strlen(path);
    if (cut >= sizeof start) return NULL;
    strcpy(start, path);
    while (!realpath(cut ? start : ".", out)) {
        if (!cut) return NULL;
        while (cut > 1 && path[cut - 1] == '/') cut--;
        while (cut && path[cut - 1] != '/') cut--;
        start[cut] = '\0';
    }
    return path + cut;
}

/* Makes `path` absolute and resolves links, "." and ".."; the part that does not exist yet is appended as it is. */
static bool resolve(const char *path, char out[PATH_MAX])
{
    const char *name = resolve_start(path, out);
    if (!name) return false;
    size_t length = strlen(out);
    while (*name) {
        const size_t letters = strcspn(name, "/");
        const bool slash = out[length - 1] != '/';
        if (length + slash + letters >= PATH_MAX) return false;
        if (letters && !(letters == 1 && *name == '.')) {
            if (slash) out[length++] = '/';
            memcpy(out + length, name, letters);
            length += letters;
            out[length] = '\0';
        }
        name += letters + (name[letters] == '/');
    }
    return true;
}

/* Finds the file that writing to `path` would create or replace. Unlike realpath(), this also follows a link to a file
 * that does not exist yet. */
bool outputs_resolve(const char *path, char out[PATH_MAX])
{
    char target[PATH_MAX], next[PATH_MAX];
    if (!resolve(path, out)) return false;
    for (int links = 0; links < 40; links++) {
        const ssize_t length = readlink(out, target, sizeof target - 1);
        if (length < 0) return true;
        target[length] = 0;
        const size_t folder = target[0] == '/' ? 0 : (size_t)(strrchr(out, '/') - out) + 1;
        if (folder + (size_t)length >= sizeof next) return false;
        memcpy(next, out, folder);
        memcpy(next + folder, target, (size_t)length + 1);
        if (!resolve(next, out)) return false;
    }
    return false;
}

/* Pipes, terminals and /dev/null are not regular files: writing to them overwrites nothing. */
static bool is_regular(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISREG(about.st_mode);
}

static bool same_path(const char *a, const char *b)
{
    char whole_a[PATH_MAX], whole_b[PATH_MAX];
    if (file_same(a, b)) return is_regular(a);
    return outputs_resolve(a, whole_a) && outputs_resolve(b, whole_b) && !strcmp(whole_a, whole_b);
}

/* ---- checking --------------------------------------------------------------------------------- */

/* "-" stands for standard input or output, which may be redirected from or to a file, as in `tilecut - ... <
 * cat.png`. */
static const char *input_path(const char *path) { return strcmp(path, "-") ? path : "/dev/stdin"; }
static const char *output_path(const char *path) { return strcmp(path, "-") ? path : "/dev/stdout"; }
static const char *shown(const char *path) { return strcmp(path, "-") ? path : "standard output"; }

/* True if this run will create the folder. */
static bool is_created(const char *makes, const char *folder)
{
    char outer[PATH_MAX], inner[PATH_MAX];
    if (!makes || errno != ENOENT || !outputs_resolve(makes, outer) || !outputs_resolve(folder, inner)) return false;
    const size_t length = strlen(outer);
    return !strncmp(inner, outer, length) && (!inner[length] || inner[length] == '/');
}

static int check_place(const output *item, const outputs *all, failure *why)
{
    struct stat about;
    char folder[PATH_MAX];
    if (!strcmp(item->path, "-")) {
        if (item->picture && !all->piped && isatty(STDOUT_FILENO))
            return fail(why, EXIT_USAGE, "%s: standard output is a terminal, and pictures are not shown there; "
                        "name a file, or redirect with > or |", item->option);
        return EXIT_DONE;
    }
    const char *const kind = stat(item->path, &about) ? NULL : file_refused_kind(&about);
    if (kind)
        return fail(why, EXIT_RUNTIME, "%s: is a %s; %s takes the name of a file", item->path, kind, item->option);
    if (strlen(item->path) >= sizeof folder) return EXIT_DONE; /* file_write() will refuse such a long path */
    strcpy(folder, item->path);
    char *slash = strrchr(folder, '/');
    if (!slash) return EXIT_DONE;
    slash[slash == folder] = 0;
    if (stat(folder, &about) && is_created(all->makes, folder)) return EXIT_DONE;
    if (stat(folder, &about))
        return fail(why, EXIT_RUNTIME, "%s: there is no folder %s to write it to", item->path, folder);
    if (!S_ISDIR(about.st_mode)) return fail(why, EXIT_RUNTIME, "%s: %s is not a folder", item->path, folder);
    return EXIT_DONE;
}

int outputs_check(outputs *all, const char *const *inputs, int input_count, failure *why)
{
    struct stat about;
    for (int i = 0; i < all->count; i++) {
        output *item = &all->item[i];
        for (int k = 0; k < input_count; k++)
            if (same_path(output_path(item->path), input_path(inputs[k])))
                return fail(why, EXIT_USAGE, "%s: %s would overwrite this input; name another file",
                            shown(item->path), item->option);
        for (int k = 0; k < i; k++) {
            const char *const other = all->item[k].option;
            if (strcmp(item->path, all->item[k].path) != 0 &&
                !same_path(output_path(item->path), output_path(all->item[k].path)))
                continue;
            if (!strcmp(other, item->option))
                return fail(why, EXIT_USAGE, "%s: two results of %s would be written there; change a name",
                            shown(item->path), other);
            return fail(why, EXIT_USAGE, "%s: %s and %s would both be written there; name two files",
                        shown(item->path), other, item->option);
        }
        const int status = check_place(item, all, why);
        if (status != EXIT_DONE) return status;
        item->existed = !strcmp(item->path, "-") || !stat(item->path, &about);
    }
    return EXIT_DONE;
}

bool outputs_may_report(const char *report, const char *const *others, int count)
{
    outputs only = {0};
    failure ignored = {0};
    if (!outputs_add(&only, "--json", report, false)) return false;
    for (int i = 0; i < count; i++)
        if (others[i] && strcmp(others[i], "-") && outputs_check(&only, &others[i], 1, &ignored)) return false;
    return !outputs_check(&only, NULL, 0, &ignored);
}

int outputs_check_lines(const outputs *all, const char *option, failure *why)
{
    for (int i = 0; option && i < all->count; i++)
        if (!strcmp(all->item[i].path, "-"))
            return fail(why, EXIT_USAGE, "standard output: %s and %s would both be written there; name a file for %s",
                        all->item[i].option, option, all->item[i].option);
    return EXIT_DONE;
}

int outputs_check_photo(outputs *all, const char *photo, const char *const *seeds, int count,
                        const outputs_beside beside, failure *why)
{
    enum { BESIDE = sizeof(outputs_beside) / sizeof(char *) };
    const char **const read = malloc(((size_t)count + 1 + BESIDE) * sizeof *read);
    int files = 0;
    if (!read) return fail(why, EXIT_RESOURCES, "%s: not enough memory for the names of its files", photo);
    read[files++] = photo;
    for (int i = 0; i < count; i++) read[files++] = seeds[i];
    for (int i = 0; i < BESIDE; i++)
        if (beside[i]) read[files++] = beside[i];
    const int status = outputs_check(all, read, files, why);
    free(read);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------- */

int outputs_write(outputs *all, const output *later, failure *why)
{
    if (all->made) all->made(all->context, all);
    for (int i = 0; i < all->count; i++) {
        output *item = &all->item[i];
        if (item->done || item == later) continue;
        const int status = file_write(item->path, item->data.data, item->data.size, why);
        if (status != EXIT_DONE) return status;
        item->done = true;
    }
    return EXIT_DONE;
}

void outputs_undo(outputs *all)
{
    for (int i = 0; i < all->count; i++)
        if (all->item[i].done && !all->item[i].existed) {
            char path[PATH_MAX]; /* the file that a link leads to, not the link */
            if (realpath(all->item[i].path, path)) unlink(path);
            all->item[i].done = false;
        }
}

void outputs_free(outputs *all)
{
    for (int i = 0; i < all->count; i++) bytes_free(&all->item[i].data);
    all->count = 0;
}
