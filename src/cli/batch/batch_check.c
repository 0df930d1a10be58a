/* SPDX-License-Identifier: MIT
 *
 * batch_check.c - makes sure that no result of a batch overwrites an input or another result. All paths are resolved
 * once and sorted, so thousands of jobs are compared quickly.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "batch_list.h"
#include "outputs.h"

/* One file of a job, with its resolved path. */
typedef struct place {
    char *path;
    const batch_item *item;
    const char *given;
    bool written, photo;
} place;

typedef struct places {
    place *place;
    size_t count;
} places;

static int by_path(const void *a, const void *b)
{
    const place *const one = a, *const two = b;
    const int order = strcmp(one->path, two->path);
    return order ? order : (one->item > two->item) - (one->item < two->item);
}

static bool add_place(places *all, const batch_item *item, const char *given, bool written, bool photo)
{
    char path[PATH_MAX];
    if (!given) return true;
    char *const own = strdup(outputs_resolve(given, path) ? path : given);
    if (!own) return false;
    all->place[all->count++] = (place){own, item, given, written, photo};
    return true; /* cppcheck-suppress memleak ; `all` owns it */
}

static bool add_item(places *all, const batch_item *item)
{
    bool room = add_place(all, item, item->photo, false, true);
    for (int i = 0; room && i < item->seed_count; i++) room = add_place(all, item, item->seeds[i], false, false);
    room = room && add_place(all, item, item->given, false, false);
    for (int i = 0; room && i < BATCH_RESULTS; i++) room = add_place(all, item, item->result[i], true, false);
    return room;
}

/* Collects the files of all jobs, sorted by path. `source` is the file that the list was read from, or NULL. */
static bool collect(const batch_list *list, const char *source, places *all)
{
    size_t most = 1;
    for (int i = 0; i < list->count; i++) most += (size_t)list->item[i].seed_count + 2 + BATCH_RESULTS;
    all->place = malloc((most + 1) * sizeof *all->place);
    if (all->place && source && strcmp(source, "-") && !add_place(all, NULL, source, false, false)) return false;
    for (int i = 0; all->place && i < list->count; i++)
        if (!add_item(all, &list->item[i])) return false;
    if (all->place) qsort(all->place, all->count, sizeof *all->place, by_path);
    return all->place != NULL;
}

static void places_free(places *all)
{
    for (size_t i = 0; all->place && i < all->count; i++) free(all->place[i].path);
    free(all->place);
}

/* Checks all uses of one path: at most one job may write there, and then no job may read it. */
static int check_same(const place *same, size_t count, failure *why)
{
    const place *written = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!same[i].written) continue;
        if (written)
            return fail(why, EXIT_USAGE, "%s: both %s and %s would be written there; use {sub}, {name} or other "
                        "patterns that tell them apart", same[i].given, written->item->photo, same[i].item->photo);
        written = &same[i];
    }
    for (size_t i = 0; written && i < count; i++)
        if (!same[i].written)
            return fail(why, EXIT_USAGE, "%s: a result of %s would overwrite this input; name another folder",
                        same[i].given, written->item->photo);
    return EXIT_DONE;
}

/* Finds pictures met while walking a folder that are seeds of another photo, and marks them by emptying their
 * photo's name. */
static void mark_seeds(const place *same, size_t count)
{
    bool seeds = false;
    for (size_t i = 0; i < count; i++) seeds = seeds || (!same[i].written && !same[i].photo);
    for (size_t i = 0; seeds && i < count; i++)
        if (same[i].photo && same[i].item->walked) same[i].item->photo[0] = '\0';
}

static size_t run_of(const places *all, size_t from)
{
    size_t end = from + 1;
    while (end < all->count && !strcmp(all->place[end].path, all->place[from].path)) end++;
    return end - from;
}

static int drop_seeds(batch_list *list, failure *why)
{
    places all = {0};
    int kept = 0;
    const bool room = collect(list, NULL, &all);
    for (size_t i = 0; room && i < all.count; i += run_of(&all, i)) mark_seeds(&all.place[i], run_of(&all, i));
    places_free(&all);
    if (!room) return fail(why, EXIT_RESOURCES, "not enough memory to compare the files of %d jobs", list->count);
    for (int i = 0; i < list->count; i++) {
        const batch_item item = list->item[i];
        list->item[i] = list->item[kept];
        list->item[kept] = item;
        kept += item.photo[0] != '\0';
    }
    for (int i = kept; i < list->count; i++) batch_item_free(&list->item[i]);
    list->count = kept;
    return EXIT_DONE;
}

/* The report is written while jobs run, so its file must not be an input or a result of any job. */
static int check_report(const places *all, const char *option, const char *folder, const char *json, failure *why)
{
    char path[PATH_MAX];
    outputs report = {.makes = folder};
    if (!json || !strcmp(json, "-")) return EXIT_DONE;
    for (size_t i = 0; outputs_resolve(json, path) && i < all->count; i++) {
        const place *const one = &all->place[i];
        if (strcmp(one->path, path)) continue;
        return one->written ? fail(why, EXIT_USAGE, "%s: %s and a result of %s would both be written there; name two "
                                   "files", json, option, one->item->photo)
                            : fail(why, EXIT_USAGE, "%s: %s would overwrite this input; name another file", json,
                                   option);
    }
    outputs_add(&report, option, json, false);
    const int status = outputs_check(&report, NULL, 0, why);
    outputs_free(&report);
    return status;
}

int batch_list_check(batch_list *list, const char *source, const char *folder, const char *json, const char *coco,
                     failure *why)
{
    places all = {0};
    int status = drop_seeds(list, why);
    if (status) return status;
    if (!collect(list, source, &all))
        status = fail(why, EXIT_RESOURCES, "not enough memory to compare the files of %d jobs", list->count);
    for (size_t i = 0; !status && i < all.count; i += run_of(&all, i))
        status = check_same(&all.place[i], run_of(&all, i), why);
    if (!status) status = check_report(&all, "--json", folder, json, why);
    if (!status) status = check_report(&all, "--coco", folder, coco, why);
    if (!status && json && coco && !strcmp(json, coco))
        status = fail(why, EXIT_USAGE, "%s: --json and --coco would both be written there; name two files", json);
    places_free(&all);
    return status;
}

int batch_list_empty(const batch_list *list, const char *first, bool words, failure *why)
{
    const notes *const out = &list->notes;
    if (out->count) return fail(why, EXIT_INPUT, "%s%s", out->text[0], out->count > 1 ? ", and so are all others" : "");
    return fail(why, EXIT_INPUT, "%s: holds no picture%s", first, words ? " that is not the seeds of another" : "");
}
