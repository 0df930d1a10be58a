/* SPDX-License-Identifier: MIT
 *
 * batch_walk.c - finds the pictures in a folder and in the folders below it.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch_list.h"
#include "file.h"
#include "folders.h"
#include "image.h"
#include "scan.h"

typedef struct walk {
    batch_list *list;
    const batch_names *names;
    size_t root; /* length of the first folder's name   */
    bool deep;   /* true: also walk through the folders below */
    failure *why;
} walk;

static int walk_folder(const walk *w, const char *folder);

static bool is_wanted(const char *name)
{
    return image_has_extension(name) || scan_is_named(name);
}

static int visit(const walk *w, const char *folder, const char *name)
{
    struct stat about;
    int status = EXIT_DONE;
    const size_t length = strlen(folder);
    char *const path = folders_join(folder, name);
    if (!path) return fail(w->why, EXIT_RESOURCES, "not enough memory to list %s", folder);
    if (lstat(path, &about)) {
        status = EXIT_DONE; /* the file was removed after the folder was listed */
    } else if (S_ISDIR(about.st_mode)) {
        if (w->deep && (!w->names->folder || !file_same(path, w->names->folder))) status = walk_folder(w, path);
    } else if (is_wanted(name) && stat(path, &about)) {
        note(&w->list->notes, "%s: is a link to a file that is not there; passed over", path);
    } else if (is_wanted(name) && S_ISREG(about.st_mode)) {
        const char *sub = folder + (length > w->root ? w->root : length);
        while (*sub == '/') sub++;
        const int before = w->list->count;
        status = batch_list_add(w->list, w->names, sub, &(batch_words){.photo = path}, w->why);
        for (int i = before; !status && i < w->list->count; i++) w->list->item[i].walked = true;
    }
    free(path);
    return status;
}

static int walk_folder(const walk *w, const char *folder)
{
    struct dirent **entry;
    int status = EXIT_DONE;
    const int count = scandir(folder, &entry, folders_visible, alphasort);
    if (count < 0) return fail(w->why, EXIT_INPUT, "%s: cannot be read as a folder: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (!status) status = visit(w, folder, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    return status;
}

int batch_list_take(batch_list *list, const batch_names *names, const char *path, bool deep, failure *why)
{
    const walk w = {list, names, strlen(path), deep, why};
    struct stat about;
    if (!stat(path, &about) && S_ISDIR(about.st_mode)) return walk_folder(&w, path);
    return batch_list_add(list, names, "", &(batch_words){.photo = path}, why);
}
