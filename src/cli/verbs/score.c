/* SPDX-License-Identifier: MIT
 *
 * score.c - the verb `score`: compares a mask, or a folder of masks, with ground truth.
 */
#include "score.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "json.h"
#include "label_score.h"
#include "options.h"
#include "outputs.h"
#include "scan.h"
#include "scan_score.h"
#include "verbs.h"
#include "yolo_lines.h"

typedef struct wanted {
    common common;
    bool labels, recursive;
    shape_rules rules;
} wanted;

static const option score_options[] = {
    OPTION_HEADING("What is compared"),
    {.name = "labels", .help = "compare two label maps, label by label: Dice and intersection over union; 255 in "
             "TRUTH is not judged, 0 has no row", .at = offsetof(wanted, labels)},
    {.name = "recursive", .letter = 'r', .help = "in folders, also what lies below them",
     .at = offsetof(wanted, recursive)},
    OPTION_STRICT(wanted, rules.strict),
    OPTION_YOLO(wanted, rules.yolo),
    OPTIONS_END
};

static bool is_folder(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void json_score(json *j, const score *s)
{
    JSON_MEMBERS(j, s, error_rate, iou, boundary_f, labelled, wrong);
}

/* Prints the figures of a single pair; for several pairs, prints their means under the same keys, and the pairs. */
static int print_json(const char *path, const char *mask, const char *truth, const score_table *table, failure *why)
{
    json j = {0};
    json_begin(&j);
    json_text(&j, "mask", mask);
    json_text(&j, "truth", truth);
    json_score(&j, &table->mean);
    if (table->count) {
        json_open(&j, "pairs", '[');
        for (int i = 0; i < table->count; i++) {
            json_open(&j, NULL, '{');
            json_text(&j, "mask", table->row[i].name);
            json_score(&j, &table->row[i].score);
            json_close(&j, '}');
        }
        json_close(&j, ']');
    }
    return json_write(&j, path, why);
}

static void print_row(const char *name, const score *s)
{
    char shown[PRINTABLE_ROOM], boundary[16] = "-";
    if (!isnan(s->boundary_f)) snprintf(boundary, sizeof boundary, "%.4f", s->boundary_f);
    printf("%8.3f %% %8.4f %8s %12lld  %s\n", 100 * s->error_rate, s->iou, boundary, (long long)s->labelled,
           printable_name(name, shown));
}

static int print_text(const char *mask, const score_table *table, failure *why)
{
    char mean[64];
    printf("%10s %8s %8s %12s  mask\n", "error", "iou", "F", "labelled");
    for (int i = 0; i < table->count; i++) print_row(table->row[i].name, &table->row[i].score);
    snprintf(mean, sizeof mean, "mean of %d", table->count);
    print_row(table->count ? mean : mask, &table->mean);
    return file_finish_lines(why);
}

static bool is_volume(const char *mask, const char *truth)
{
    return scan_recognise(truth) || scan_is_certain(mask);
}

/* Of two folders. */
static int score_one(const char *mask, const char *truth, score *out, notes *log, failure *why)
{
    if (is_volume(mask, truth)) return scan_score_files(mask, truth, out, log, why);
    return score_files(&(score_pair_of){.mask = mask, .truth = truth}, out, log, why);
}

static int score_either(const char *mask, const char *truth, bool folders, bool deep, score_table *table, notes *log,
                        failure *why)
{
    static const score_kind volumes = {scan_is_named, score_one};
    if (folders && is_folder(mask) != is_folder(truth)) {
        const bool swapped = is_folder(mask);
        return score_annotations(swapped ? truth : mask, swapped ? mask : truth, swapped, deep, table, log, why);
    }
    if (folders) return score_folders(mask, truth, deep, &volumes, table, log, why);
    if (strcmp(mask, "-") == 0 && strcmp(truth, "-") == 0)
        return fail(why, EXIT_USAGE, "-: only one of MASK and TRUTH can come from standard input");
    bool drawn;
    const int status = score_drawn(mask, truth, &drawn, table, log, why);
    if (status || drawn) return status;
    if (is_volume(mask, truth)) return scan_score_files(mask, truth, &table->mean, log, why);
    return score_files(&(score_pair_of){.mask = mask, .truth = truth, .rules = table->rules}, &table->mean, log, why);
}

/* ---- Label maps -------------------------------------------------------------------------------- */

static int print_labels_json(const char *path, const char *map, const char *truth, const label_score *s, failure *why)
{
    json j = {0};
    json_begin(&j);
    json_text(&j, "mask", map);
    json_text(&j, "truth", truth);
    json_real(&j, "error_rate", s->judged ? (double)s->wrong / (double)s->judged : 0);
    json_real(&j, "dice", s->dice);
    json_real(&j, "iou", s->iou);
    json_integer(&j, "labelled", s->judged);
    json_integer(&j, "wrong", s->wrong);
    json_open(&j, "labels", '[');
    for (int i = 1; i < 255; i++) {
        if (!s->truth[i] && !s->found[i]) continue;
        json_open(&j, NULL, '{');
        json_integer(&j, "label", i);
        json_real(&j, "dice", label_dice(s, i));
        json_real(&j, "iou", label_iou(s, i));
        json_integer(&j, "found", s->found[i]);
        json_integer(&j, "truth", s->truth[i]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    return json_write(&j, path, why);
}

static int print_labels(const label_score *s, failure *why)
{
    printf("%8s %8s %8s %12s %12s\n", "label", "dice", "iou", "found", "truth");
    for (int i = 1; i < 255; i++)
        if (s->truth[i] || s->found[i])
            printf("%8d %8.4f %8.4f %12lld %12lld\n", i, label_dice(s, i), label_iou(s, i), (long long)s->found[i],
                   (long long)s->truth[i]);
    printf("%8s %8.4f %8.4f %12lld wrong of %lld\n", "mean", s->dice, s->iou, (long long)s->wrong,
           (long long)s->judged);
    return file_finish_lines(why);
}

static int score_labels(const wanted *my, const char *map, const char *truth, notes *log, failure *why)
{
    const char *const to = my->common.json;
    label_score found;
    if (is_folder(map) || is_folder(truth))
        return fail(why, EXIT_USAGE, "--labels: compares two files, and %s is a folder", is_folder(map) ? map : truth);
    int status = label_score_files(map, truth, &found, log, why);
    if (!status && to) status = print_labels_json(to, map, truth, &found, why);
    if (!status && !(to && strcmp(to, "-") == 0)) status = print_labels(&found, why);
    return status;
}

/* Refuses, before anything is read, a report that would overwrite a file to be compared. */
static int check_report(const char *report, const char *mask, const char *truth, bool folders, bool deep,
                        failure *why)
{
    const char *const read[] = {mask, truth};
    outputs all = {0};
    char path[PATH_MAX];
    outputs_add(&all, "--json", report, false);
    const int status = outputs_check(&all, read, 2, why);
    outputs_free(&all);
    if (status || !report || !folders || !strcmp(report, "-") || !realpath(report, path)) return status;
    for (char *slash = strrchr(path, '/'); slash; slash = deep ? strrchr(path, '/') : NULL) {
        *slash = '\0';
        for (int i = 0; i < 2; i++)
            if (file_same(*path ? path : "/", read[i]))
                return fail(why, EXIT_USAGE, "%s: --json would overwrite what is compared; name another file", report);
    }
    return status;
}

int verb_score(int argc, char **argv, failure *why)
{
    wanted my = {0};
    notes log = {0};
    score_table table = {0};
    int status;
    const syntax usage = {
        .verb = "score", .synopsis = "MASK TRUTH [options]",
        .about =
            "Compares a mask with ground truth (0 background, 255 foreground, 128 not judged), or a folder\n"
            "of masks with a folder of truths: NAME.png goes with NAME.png or NAME_gt.png, with -r in the\n"
            "folders below, too. In the place of one of the folders may be a file of shapes that names its\n"
            "pictures (COCO, Label Studio, CVAT, VIA), and two files of shapes are compared picture by\n"
            "picture.\n"
            "error is the share of judged pixels that are wrong, iou the intersection over union of the\n"
            "foreground, F the boundary measure: harmonic mean of precision and recall of boundary pixels,\n"
            "matched within 0.0075 of the diagonal. Volumes are compared voxel by voxel, without F; folders may\n"
            "hold both.",
        .operands_min = 2, .operands_max = 2, .operands = "MASK and TRUTH",
        .sets = {{score_options, &my}, {common_options, &my.common}}};
    if (!options_parse(&usage, &argc, argv, &status, why)) return status;
    struct stat about;
    for (int i = 0; i < 2; i++)
        if (strcmp(argv[i], "-") && stat(argv[i], &about))
            return fail(why, EXIT_INPUT, "%s: there is no such file", *argv[i] ? argv[i] : "''");
    const bool folders = is_folder(argv[0]) || is_folder(argv[1]);
    table.rules = my.rules;
    status = check_report(my.common.json, argv[0], argv[1], folders, my.recursive, why);
    if (!status) status = my.labels ? score_labels(&my, argv[0], argv[1], &log, why)
                                    : score_either(argv[0], argv[1], folders, my.recursive, &table, &log,
                                                   why);
    if (!status) notes_show(&log, my.common.quiet);
    const char *const report = my.labels ? NULL : my.common.json;
    if (!status && report) status = print_json(report, argv[0], argv[1], &table, why);
    if (!status && !my.labels && !(report && strcmp(report, "-") == 0)) status = print_text(argv[0], &table, why);
    notes_free(&log);
    score_table_free(&table);
    return status;
}
