/* SPDX-License-Identifier: MIT */
#include "scan_score.h"

#include <math.h>

#include "machine.h"

static double largest_of(const scan *s)
{
    double most = 0;
    for (size_t i = 0; i < scan_count(s); i++) most = scan_value(s, i) > most ? scan_value(s, i) : most;
    return most;
}

/* Returns the smallest value that is foreground: 128, or 1 in a file of 0 and 1. */
static double threshold(const scan *s)
{
    return largest_of(s) <= 1 ? 1 : 128;
}

/* Refuses label maps and probabilities, where other values are foreground. */
static int check_labels(const scan *labels, const char *name, failure *why)
{
    const double most = largest_of(labels);
    const bool bits = most <= 1, fits = bits || (most >= 128 && most <= 255);
    for (size_t i = 0; i < scan_count(labels); i++) {
        const double value = scan_value(labels, i);
        if (value < 0 || (bits && value != 0 && value != 1) || (!fits && value != 0))
            return fail(why, EXIT_INPUT, "%s: holds %g; a mask has 0 and 255, or 0 and 1, and label maps are compared "
                        "with --labels", name, value);
    }
    return EXIT_DONE;
}

size_t scan_pair_place(const scan_pair *pair, size_t i)
{
    const scan *const labels = &pair->labels, *const truth = &pair->truth;
    const int64_t at = (int64_t)i, width = truth->width, height = truth->height;
    const int64_t v[3] = {at % width, at / width % height, at / width / height};
    int64_t to[3];
    if (pair->map.same) return i;
    scan_map_voxel(&pair->map, v, to);
    return (size_t)((to[2] * labels->height + to[1]) * labels->width + to[0]);
}

/* True if the truth lies within the labels, which holds if two opposite corners do, and both have the same number of
 * voxels. */
static bool covers(const scan_pair *pair)
{
    const scan *const truth = &pair->truth;
    const int64_t corner[2][3] = {{0, 0, 0}, {truth->width - 1, truth->height - 1, truth->depth - 1}};
    int64_t to[3];
    return scan_map_voxel(&pair->map, corner[0], to) && scan_map_voxel(&pair->map, corner[1], to) &&
           scan_count(&pair->labels) == scan_count(truth);
}

int scan_pair_read(const char *labels_path, const char *truth_path, scan_pair *pair, notes *log, failure *why)
{
    const image_limits limits = {.max_bytes = machine_memory()};
    const scan_reading request = {.limits = &limits, .shape = {.optional = true}};
    const char *const name = file_input_name(labels_path), *const truth_name = file_input_name(truth_path);
    scan *const labels = &pair->labels, *const truth = &pair->truth;
    double apart;
    *pair = (scan_pair){.map = {.same = false}};
    int status = scan_read(labels_path, &request, labels, log, why);
    if (!status) status = scan_read(truth_path, &request, truth, log, why);
    if (status) return status;
    const scan_extent from = scan_extent_of(truth), to = scan_extent_of(labels);
    const bool found = scan_find_map(&from, &to, &pair->map, &apart);
    if (found && (pair->map.same || covers(pair))) return EXIT_DONE;
    if (apart != 0 || (labels->width == truth->width && labels->height == truth->height &&
                       labels->depth == truth->depth))
        return fail(why, EXIT_INPUT, "%s: has other voxels in the patient than %s; labels lie where their truth does",
                    name, truth_name);
    return fail(why, EXIT_INPUT, "%s: is %dx%dx%d but %s is %dx%dx%d; labels have the size of their truth", name,
                labels->width, labels->height, labels->depth, truth_name, truth->width, truth->height, truth->depth);
}

void scan_pair_free(scan_pair *pair)
{
    scan_free(&pair->labels);
    scan_free(&pair->truth);
}

static int compare(const scan_pair *pair, const char *name, score *out, failure *why)
{
    const scan *const labels = &pair->labels, *const truth = &pair->truth;
    const double foreground = threshold(labels), inside = threshold(truth);
    int64_t both = 0, either = 0;
    for (size_t i = 0; i < scan_count(truth); i++) {
        const double t = scan_value(truth, i);
        const bool is = scan_value(labels, scan_pair_place(pair, i)) >= foreground;
        const bool should = inside > 1 ? t == 255 : t == 1;
        if (inside > 1 && t == 128) continue;
        if (!should && t != 0)
            return fail(why, EXIT_INPUT, "%s: holds %g; a truth has 0, 255, and 128 where nothing is judged, or 0 and "
                        "1", name, t);
        out->labelled++;
        out->wrong += is != should;
        both += is && should;
        either += is || should;
    }
    if (!out->labelled) return fail(why, EXIT_INPUT, "%s: judges no voxel, all are 128", name);
    out->error_rate = (double)out->wrong / (double)out->labelled;
    out->iou = either ? (double)both / (double)either : 1;
    return EXIT_DONE;
}

int scan_score_files(const char *labels_path, const char *truth_path, score *out, notes *log, failure *why)
{
    scan_pair pair;
    *out = (score){.boundary_f = NAN};
    int status = scan_pair_read(labels_path, truth_path, &pair, log, why);
    if (!status) status = check_labels(&pair.labels, file_input_name(labels_path), why);
    if (!status) status = compare(&pair, file_input_name(truth_path), out, why);
    scan_pair_free(&pair);
    return status;
}
