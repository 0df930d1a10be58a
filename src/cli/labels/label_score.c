/* SPDX-License-Identifier: MIT */
#include "label_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "label_map.h"
#include "scan.h"

typedef struct numbers {
    int size[3];
    uint8_t *at; /* [voxels] label numbers; owned */
} numbers;

static int refuse(const char *name, double number, failure *why)
{
    return fail(why, EXIT_SEEDS, "%s: holds %g; labels are whole numbers from 0 to 255", name, number);
}

static int read_picture(const char *path, numbers *out, notes *log, failure *why)
{
    const char *const name = file_input_name(path);
    image map;
    int status = image_read(path, NULL, &map, log, why);
    if (status) return status;
    const size_t pixels = (size_t)map.width * (size_t)map.height;
    memcpy(out->size, (int[3]){map.width, map.height, 1}, sizeof out->size);
    if (!label_map_numbers(&map))
        status = fail(why, EXIT_SEEDS, "%s: is in colour; a label map is grey, or a PNG or TIFF with a palette", name);
    else if (!(out->at = malloc(pixels)))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", name);
    for (size_t p = 0; !status && p < pixels; p++) {
        const int number = label_map_number(&map, p);
        if (number > 255) status = refuse(name, number, why);
        else out->at[p] = (uint8_t)number;
    }
    image_free(&map);
    return status;
}

static int read_volume(const char *path, numbers *out, notes *log, failure *why)
{
    const char *const name = file_input_name(path);
    const image_limits limits = {0};
    const scan_reading reading = {.limits = &limits, .shape = {.optional = true}};
    scan map;
    int status = scan_read(path, &reading, &map, log, why);
    if (status) return status;
    memcpy(out->size, (int[3]){map.width, map.height, map.depth}, sizeof out->size);
    out->at = malloc(scan_count(&map));
    if (!out->at) status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", name);
    for (size_t i = 0; !status && i < scan_count(&map); i++) {
        const double number = scan_value(&map, i);
        if (!(number >= 0 && number <= 255) || floor(number) != number) status = refuse(name, number, why);
        else out->at[i] = (uint8_t)number;
    }
    scan_free(&map);
    return status;
}

static int read_numbers(const char *path, bool spatial, numbers *out, notes *log, failure *why)
{
    return spatial ? read_volume(path, out, log, why) : read_picture(path, out, log, why);
}

static int compare(const char *name, const numbers *map, const numbers *truth, label_score *out, failure *why)
{
    const size_t count = (size_t)truth->size[0] * (size_t)truth->size[1] * (size_t)truth->size[2];
    for (size_t i = 0; i < count; i++) {
        const int found = map->at[i], right = truth->at[i];
        if (right == 255) continue;
        out->judged++, out->wrong += found != right;
        out->found[found]++, out->truth[right]++, out->both[right] += found == right;
    }
    for (int i = 1; i < 255; i++) {
        if (!out->truth[i]) continue;
        out->labels++, out->dice += label_dice(out, i), out->iou += label_iou(out, i);
    }
    if (!out->labels) return fail(why, EXIT_SEEDS, "%s: no pixel of the truth has a label from 1 to 254", name);
    out->dice /= out->labels, out->iou /= out->labels;
    return EXIT_DONE;
}

int label_score_files(const char *map, const char *truth, label_score *out, notes *log, failure *why)
{
    const bool spatial = scan_recognise(truth) || scan_is_certain(map);
    numbers one = {.at = NULL}, other = {.at = NULL};
    *out = (label_score){0};
    int status = read_numbers(map, spatial, &one, log, why);
    if (!status) status = read_numbers(truth, spatial, &other, log, why);
    if (!status && memcmp(one.size, other.size, sizeof one.size))
        status = fail(why, EXIT_SEEDS, "%s: is %dx%dx%d but %s is %dx%dx%d; both need the same size",
                      file_input_name(map), one.size[0], one.size[1], one.size[2], file_input_name(truth),
                      other.size[0], other.size[1], other.size[2]);
    if (!status) status = compare(file_input_name(truth), &one, &other, out, why);
    free(one.at);
    free(other.at);
    return status;
}
