/* SPDX-License-Identifier: MIT
 *
 * score_folders.c - pairs the masks of one folder with the truths of another, and computes the mean over the pairs.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "folders.h"
#include "image.h"
#include "score.h"

static const char SUFFIX[] = "_gt";

typedef struct names {
    char **name; /* sorted; owned */
    bool *used;
    int count;
} names;

static void names_free(names *list)
{
    for (int i = 0; i < list->count; i++) free(list->name[i]);
    free(list->name);
    free(list->used);
}

/* Without the extension; of .nii.gz without both. */
static size_t stem_length(const char *name)
{
    const size_t length = strlen(name), packed = length > 3 && !strcmp(name + length - 3, ".gz") ? 3 : 0;
    for (size_t i = length - packed; i-- > 1;)
        if (name[i] == '.') return i;
    return length - packed;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int names_read(const char *folder, const score_kind *more, names *list, failure *why)
{
    struct dirent **all;
    const int count = scandir(folder, &all, visible, alphasort);
    *list = (names){0};
    if (count < 0) return fail(why, EXIT_INPUT, "%s: cannot be read as a folder: %s", folder, strerror(errno));
    list->name = calloc((size_t)count + 1, sizeof *list->name);
    list->used = calloc((size_t)count + 1, sizeof *list->used);
    bool room = list->name && list->used;
    for (int i = 0; i < count; i++) {
        const char *const name = all[i]->d_name;
        if (room && (image_has_extension(name) || (more && more->is_named(name)))) {
            room = (list->name[list->count] = strdup(name)) != NULL;
            list->count += room;
        }
        free(all[i]);
    }
    free(all);
    if (!room) return fail(why, EXIT_RESOURCES, "%s: not enough memory to list it", folder);
    if (!list->count) return fail(why, EXIT_INPUT, "%s: holds no picture%s", folder, more ? " or volume" : "");
    return EXIT_DONE;
}

/* How well a truth's name fits a mask's; 0: not at all, otherwise lower is better. The order is: NAME_gt with the
 * same extension, NAME_gt, the same name, the same name with another extension. NAME_gt comes first because a folder
 * often holds photos beside their truths. */
static int rank(const char *truth, const char *mask)
{
    const size_t truth_stem = stem_length(truth), stem = stem_length(mask), mark = strlen(SUFFIX);
    const bool same_extension = strcmp(truth + truth_stem, mask + stem) == 0;
    if (truth_stem < stem || strncmp(truth, mask, stem) != 0) return 0;
    if (truth_stem == stem + mark && strncmp(truth + stem, SUFFIX, mark) == 0) return same_extension ? 1 : 2;
    if (truth_stem == stem) return same_extension ? 3 : 4;
    return 0;
}

/* The index of the truth for `mask`; -1 if there is none. */
static int find_truth(const char *mask, const char *truths, const names *list, int *found, failure *why)
{
    int best = 5, same = 0;
    *found = -1;
    for (int i = 0; i < list->count; i++) {
        const int r = rank(list->name[i], mask);
        if (!r || r > best) continue;
        same = r == best ? same + 1 : 1;
        best = r;
        *found = i;
    }
    if (same > 1)
        return fail(why, EXIT_INPUT, "%s: holds %d files that may be the truth of %s; keep one", truths, same, mask);
    return EXIT_DONE;
}

/* Two folders, and how what is in them is read. */
typedef struct folders {
    const char *masks, *truths;
    const image_limits *limits;
    const score_kind *more;
    notes *log;
} folders;

static int score_row_read(const folders *of, const char *mask, const char *truth, score_row *row, failure *why)
{
    char *mask_path = folders_join(of->masks, mask), *truth_path = folders_join(of->truths, truth);
    int status;
    if (mask_path && truth_path)
        status = of->more ? of->more->files(mask_path, truth_path, &row->score, of->log, why)
                          : score_files(&(score_pair_of){mask_path, truth_path, NULL, NULL}, of->limits, &row->score,
                                        of->log, why);
    else
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", mask);
    free(mask_path);
    free(truth_path);
    if (status) return status;
    row->name = strdup(mask);
    return row->name ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", mask);
}

static void note_unpaired(const char *folder, const names *list, bool only_marked, const char *other, notes *log)
{
    int count = 0;
    const char *first = NULL;
    for (int i = 0; i < list->count; i++) {
        const size_t stem = stem_length(list->name[i]), mark = strlen(SUFFIX);
        const bool marked = stem > mark && strncmp(list->name[i] + stem - mark, SUFFIX, mark) == 0;
        if (list->used[i] || (only_marked && !marked)) continue;
        if (!count++) first = list->name[i];
    }
    if (count) note(log, "%s: %d pictures without a %s were left out (first: %s)", folder, count, other, first);
}

void score_note_missed(const char *results, const char *truth, int count, notes *log)
{
    if (count)
        note(log, "%s: has no result for %d pictures of %s, which counts as nothing found", results, count, truth);
}

void score_table_mean(score_table *table)
{
    score *mean = &table->mean;
    int with_boundary = 0;
    if (!table->row) return;
    for (int i = 0; i < table->count; i++) with_boundary += !isnan(table->row[i].score.boundary_f);
    if (!with_boundary) mean->boundary_f = NAN;
    for (int i = 0; i < table->count; i++) {
        const score *s = &table->row[i].score;
        mean->labelled += s->labelled;
        mean->wrong += s->wrong;
        mean->error_rate += s->error_rate / table->count;
        mean->iou += s->iou / table->count;
        if (!isnan(s->boundary_f)) mean->boundary_f += s->boundary_f / with_boundary;
    }
}

static int pair_up(const folders *of, names *mask, names *truth, score_table *out, failure *why)
{
    const char *const masks = of->masks, *const truths = of->truths;
    const bool same_folder = file_same(masks, truths);
    bool any_marked = false;
    out->row = calloc((size_t)mask->count, sizeof *out->row);
    if (!out->row) return fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", masks);
    for (int i = 0; i < mask->count; i++) {
        int found, status = find_truth(mask->name[i], truths, truth, &found, why);
        if (status) return status;
        if (found < 0 || (same_folder && strcmp(mask->name[i], truth->name[found]) == 0)) continue;
        mask->used[i] = truth->used[found] = true;
        if (rank(truth->name[found], mask->name[i]) <= 2) any_marked = true;
        status = score_row_read(of, mask->name[i], truth->name[found], &out->row[out->count], why);
        if (status) return status;
        out->count++;
    }
    if (!out->count)
        return fail(why, EXIT_INPUT, "%s: no picture has a truth in %s; NAME.png goes with NAME.png or NAME%s.png",
                    masks, truths, SUFFIX);
    if (!same_folder) note_unpaired(masks, mask, false, "truth", of->log);
    note_unpaired(truths, truth, any_marked, "mask", of->log);
    score_table_mean(out);
    return EXIT_DONE;
}

int score_folders(const char *masks, const char *truths, const image_limits *limits, const score_kind *more,
                  score_table *out, notes *log, failure *why)
{
    const folders of = {masks, truths, limits, more, log};
    names mask = {0}, truth = {0};
    *out = (score_table){0};
    int status = names_read(masks, more, &mask, why);
    if (!status) status = names_read(truths, more, &truth, why);
    if (!status) status = pair_up(&of, &mask, &truth, out, why);
    names_free(&mask);
    names_free(&truth);
    if (status) score_table_free(out);
    return status;
}

/* ---- A file of shapes against a folder ------------------------------------------------------------ */

/* The path of picture NAME.png without the mark of a truth. NULL: no memory. */
static char *photo_of(const char *folder, const char *name)
{
    const size_t stem = stem_length(name), mark = strlen(SUFFIX);
    const bool marked = stem > mark && strncmp(name + stem - mark, SUFFIX, mark) == 0;
    char *const path = folders_join(folder, name);
    char *const at = path && marked ? path + strlen(path) - strlen(name) + stem - mark : NULL;
    if (at) memmove(at, at + mark, strlen(at + mark) + 1);
    return path;
}

/* *about: the file knows the picture. *missed counts those that a list of results does not name; NULL: the file is the
 * truth. */
static int score_named(const folders *of, const char *file, const char *name, score_row *row, bool *about, int *missed,
                       failure *why)
{
    const bool swapped = !missed;
    bool none = false;
    const char *const folder = swapped ? of->masks : of->truths;
    char *const path = folders_join(folder, name), *const photo = photo_of(folder, name);
    const score_pair_of pair = {swapped ? path : file, swapped ? file : path, photo, &none};
    int status = path && photo ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", name);
    if (!status) status = score_files(&pair, of->limits, &row->score, of->log, why);
    free(path);
    free(photo);
    *about = status != EXIT_SEEDS;
    if (status == EXIT_SEEDS) *why = (failure){0};
    if (status) return *about ? status : EXIT_DONE;
    if (missed) *missed += none;
    row->name = strdup(name);
    return row->name ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", name);
}

int score_annotations(const char *file, const char *folder, bool swapped, const image_limits *limits, score_table *out,
                      notes *log, failure *why)
{
    enum { LONGEST = 1 << 30 };
    const folders of = {folder, folder, limits, NULL, log};
    names all = {0};
    bytes text = {0}, known = {0};
    int missed = 0;
    *out = (score_table){0};
    int status = file_read_if(file, LONGEST, image_json.probe, &text, why);
    if (!status && !image_json.probe(text.data, text.size))
        status = fail(why, EXIT_INPUT, "%s: is a folder but %s is not; give two files or two folders", folder, file);
    if (!status) status = annotation_names(file, text.data, text.size, &known, why);
    bytes_free(&text);
    if (!status) status = names_read(folder, NULL, &all, why);
    if (!status) out->row = calloc((size_t)all.count, sizeof *out->row);
    if (!status && !out->row) status = fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", folder);
    for (int i = 0; i < all.count && out->row && !status; i++) {
        status = score_named(&of, file, all.name[i], &out->row[out->count], &all.used[i], swapped ? NULL : &missed,
                             why);
        out->count += !status && all.used[i];
    }
    if (!status && (!out->count || (missed == out->count && known.size)))
        status = fail(why, EXIT_INPUT, "%s: names no picture of %s", file, folder);
    bytes_free(&known);
    if (!status) score_note_missed(file, folder, missed, log);
    if (!status) note_unpaired(folder, &all, false, "shape", log);
    if (!status) score_table_mean(out);
    names_free(&all);
    if (status) score_table_free(out);
    return status;
}

void score_table_free(score_table *table)
{
    if (!table) return;
    for (int i = 0; i < table->count; i++) free(table->row[i].name);
    free(table->row);
    *table = (score_table){0};
}
