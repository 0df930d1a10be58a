/* SPDX-License-Identifier: MIT
 *
 * score_folders.c - pairs the masks of one folder with the truths of another, and computes the mean over the pairs.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "annotation.h"
#include "folders.h"
#include "image.h"
#include "score.h"

static const char SUFFIX[] = "_gt";

typedef struct names {
    bytes all;
    char **name; /* names in sorted order; owned; the strings are in `all` */
    bool *used;
    int count;
} names;

static void names_free(names *list)
{
    for (int i = 0; i < list->count; i++) free(list->name[i]);
    bytes_free(&list->all);
    free(list->used);
}

/* Returns the length of a name without its extension; without both extensions for .nii.gz. */
static size_t stem_length(const char *name)
{
    const size_t length = strlen(name), packed = length > 3 && !strcmp(name + length - 3, ".gz") ? 3 : 0;
    for (size_t i = length - packed; i-- > 1;)
        if (name[i] == '.') return i;
    return length - packed;
}

static bool names_add(names *list, const char *name)
{
    char *const own = strdup(name);
    if (!own || !bytes_append(&list->all, &own, sizeof own)) return free(own), false;
    list->name = (char **)(void *)list->all.data;
    list->count++;
    return true;
}

/* Adds the pictures of the folder `root`/`below` as paths relative to `root`; `deep` includes subfolders. Returns 0 or
 * errno. */
static int names_walk(const char *root, const char *below, bool deep, const score_kind *more, names *list)
{
    struct dirent **all;
    char *const folder = folders_join(root, below);
    const int count = folder ? scandir(folder, &all, folders_visible, alphasort) : -1;
    int error = count < 0 ? folder ? errno : ENOMEM : 0;
    for (int i = 0; i < count; i++) {
        const char *const name = all[i]->d_name;
        char *const one = *below ? folders_join(below, name) : strdup(name);
        char *const path = one ? folders_join(root, one) : NULL;
        struct stat about;
        if (!error && !path) error = ENOMEM;
        if (!error && deep && !lstat(path, &about) && S_ISDIR(about.st_mode))
            error = names_walk(root, one, deep, more, list);
        else if (!error && (image_has_extension(name) || (more && more->is_named(name))) && !names_add(list, one))
            error = ENOMEM;
        free(one);
        free(path);
        free(all[i]);
    }
    if (count >= 0) free(all);
    free(folder);
    return error;
}

static int names_read(const char *folder, bool deep, const score_kind *more, names *list, failure *why)
{
    *list = (names){.count = 0};
    const int error = names_walk(folder, "", deep, more, list);
    if (error == ENOMEM || (!error && !(list->used = calloc((size_t)list->count + 1, sizeof *list->used))))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory to list it", folder);
    if (error) return fail(why, EXIT_INPUT, "%s: cannot be read as a folder: %s", folder, strerror(error));
    if (!list->count)
        return fail(why, EXIT_INPUT, "%s: holds no picture%s%s", folder, more ? " or volume" : "",
                    deep ? "" : "; -r takes those of the folders in it, too");
    return EXIT_DONE;
}

/* Rates how well a truth's name fits a mask's; 0: not at all, otherwise lower is better. The order is: NAME_gt with the
 * same extension, NAME_gt, the same name, the same name with another extension. NAME_gt comes first because folders
 * often hold photos beside their truths. */
static int rank(const char *truth, const char *mask)
{
    const size_t truth_stem = stem_length(truth), stem = stem_length(mask), mark = strlen(SUFFIX);
    const bool same_extension = strcmp(truth + truth_stem, mask + stem) == 0;
    if (truth_stem < stem || strncmp(truth, mask, stem) != 0) return 0;
    if (truth_stem == stem + mark && strncmp(truth + stem, SUFFIX, mark) == 0) return same_extension ? 1 : 2;
    if (truth_stem == stem) return same_extension ? 3 : 4;
    return 0;
}

/* Finds the truth for `mask`: *found is its index, or -1 if there is none. */
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

/* Two folders, and how to read the files in them. */
typedef struct folders {
    const char *masks, *truths;
    const score_kind *more;
    notes *log;
} folders;

static int score_row_read(const folders *of, const char *mask, const char *truth, score_row *row, failure *why)
{
    char *mask_path = folders_join(of->masks, mask), *truth_path = folders_join(of->truths, truth);
    int status;
    if (mask_path && truth_path)
        status = of->more ? of->more->files(mask_path, truth_path, &row->score, of->log, why)
                          : score_files(&(score_pair_of){.mask = mask_path, .truth = truth_path}, &row->score,
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

int score_folders(const char *masks, const char *truths, bool deep, const score_kind *more, score_table *out,
                  notes *log, failure *why)
{
    const folders of = {masks, truths, more, log};
    names mask = {.count = 0}, truth = {.count = 0};
    *out = (score_table){.rules = out->rules};
    int status = names_read(masks, deep, more, &mask, why);
    if (!status) status = names_read(truths, deep, more, &truth, why);
    if (!status) status = pair_up(&of, &mask, &truth, out, why);
    names_free(&mask);
    names_free(&truth);
    if (status) score_table_free(out);
    return status;
}

/* ---- A file of shapes against a folder ------------------------------------------------------------ */

/* Returns the path of a picture without the mark "_gt" of a truth; NULL if memory ran out. */
static char *photo_of(const char *folder, const char *name)
{
    const size_t stem = stem_length(name), mark = strlen(SUFFIX);
    const bool marked = stem > mark && strncmp(name + stem - mark, SUFFIX, mark) == 0;
    char *const path = folders_join(folder, name);
    char *const at = path && marked ? path + strlen(path) - strlen(name) + stem - mark : NULL;
    if (at) memmove(at, at + mark, strlen(at + mark) + 1);
    return path;
}

/* A file of shapes, and the folder with the pictures to compare it with. */
typedef struct drawn {
    const char *file, *folder;
    bytes text; /* of the file; owned */
    annotation_memo memo;
    bool swapped; /* true: the file is the truth, and the folder has the masks */
    shape_rules rules;
    int missed;   /* number of pictures that a list of results does not name */
    notes *log;
} drawn;

/* Scores picture `name`. Sets *about if the file with shapes knows the picture. */
static int score_named(drawn *of, const char *name, score_row *row, bool *about, failure *why)
{
    bool none = false;
    char *const path = folders_join(of->folder, name), *const photo = photo_of(of->folder, name);
    const score_pair_of pair = {.mask = of->swapped ? path : of->file, .truth = of->swapped ? of->file : path,
                                .photo = photo, .missed = &none, .text = &of->text, .drawn_truth = of->swapped,
                                .memo = &of->memo, .rules = of->rules};
    int status = path && photo ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", name);
    if (!status) status = score_files(&pair, &row->score, of->log, why);
    free(path);
    free(photo);
    *about = status != EXIT_SEEDS;
    if (status == EXIT_SEEDS) *why = (failure){0};
    if (status) return *about ? status : EXIT_DONE;
    of->missed += none;
    row->name = strdup(name);
    return row->name ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", name);
}

static int score_all_named(drawn *of, names *all, score_table *out, failure *why)
{
    bytes known = {0};
    int status = annotation_names(of->file, of->rules, of->text.data, of->text.size, &known, why);
    out->row = calloc((size_t)all->count, sizeof *out->row);
    if (!status && !out->row) status = fail(why, EXIT_RESOURCES, "%s: not enough memory to score it", of->folder);
    for (int i = 0; i < all->count && !status; i++) {
        status = score_named(of, all->name[i], &out->row[out->count], &all->used[i], why);
        out->count += !status && all->used[i];
    }
    if (!status && (!out->count || (of->missed == out->count && known.size)))
        status = known.size && *known.data == '#'
                     ? fail(why, EXIT_INPUT, "%s: knows its pictures by numbers (image_id), and no name in %s has one "
                            "of these", of->file, of->folder)
                     : fail(why, EXIT_INPUT, "%s: names no picture of %s", of->file, of->folder);
    bytes_free(&known);
    if (status) return status;
    score_note_missed(of->file, of->folder, of->missed, of->log);
    note_unpaired(of->folder, all, false, "shape", of->log);
    score_table_mean(out);
    return EXIT_DONE;
}

int score_annotations(const char *file, const char *folder, bool swapped, bool deep, score_table *out, notes *log,
                      failure *why)
{
    enum { LONGEST = 1 << 30 };
    drawn of = {.file = file, .folder = folder, .swapped = swapped, .rules = out->rules, .log = log};
    names all = {.count = 0};
    *out = (score_table){.rules = out->rules};
    int status = file_read_if(file, LONGEST, image_json.probe, &of.text, why);
    if (!status && !image_json.probe(of.text.data, of.text.size))
        status = fail(why, EXIT_INPUT, "%s: is a folder but %s is not; give two files or two folders", folder, file);
    if (!status) status = names_read(folder, deep, NULL, &all, why);
    if (!status) status = score_all_named(&of, &all, out, why);
    bytes_free(&of.text);
    annotation_memo_free(&of.memo);
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
