/* SPDX-License-Identifier: MIT */
#include "label_score.h"

#include <math.h>
#include <stdlib.h>

#include "file.h"
#include "scan_score.h"
#include "seeds_parts.h"

typedef struct numbers {
    int width, height; /* of a picture */
    size_t count;
    uint8_t *at;       /* [count] label numbers; owned */
} numbers;

static int refuse(const char *name, double number, failure *why)
{
    return fail(why, EXIT_SEEDS, "%s: holds %g; labels are whole numbers from 0 to 255", name, number);
}

typedef struct plane {
    row_picture from;
    uint8_t *at;
} plane;

static int take_row(void *context, const image *row, int64_t y, failure *why)
{
    const plane *const map = context;
    const size_t width = (size_t)row->width;
    for (size_t x = 0; x < width; x++) {
        const uint32_t number = sample_at(row, x * (size_t)row->channels);
        if (number > 255) return refuse(map->from.name, number, why);
        map->at[(size_t)y * width + x] = (uint8_t)number;
    }
    return EXIT_DONE;
}

static int read_picture(const char *path, numbers *out, notes *log, failure *why)
{
    static const image_limits limits = {.max_pixels = 0};
    plane map;
    int status = seeds_open_rows(path, &limits, &map.from, NULL, log, why);
    const region_shape *const kind = &map.from.kind;
    if (!status)
        status = image_check_size(map.from.name, (uint64_t)kind->width, (uint64_t)kind->height, 1, &limits, why);
    if (!status && !shape_has_numbers(kind))
        status = fail(why, EXIT_SEEDS, "%s: is in colour; a label map is grey, or a PNG or TIFF with a palette",
                      map.from.name);
    const size_t pixels = status ? 0 : (size_t)kind->width * (size_t)kind->height;
    *out = (numbers){(int)kind->width, (int)kind->height, pixels, map.at = status ? NULL : malloc(pixels)};
    if (!status && !map.at)
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", map.from.name);
    if (!status) status = seeds_take_rows(&map.from, 0, kind->height, take_row, &map, why);
    seeds_close_rows(&map.from, status ? NULL : log);
    return status;
}

/* Reads the label of voxel i of a scan. */
static int take_voxel(const scan *map, const char *name, size_t i, uint8_t *to, failure *why)
{
    const double number = scan_value(map, i);
    if (!(number >= 0 && number <= 255) || floor(number) != number) return refuse(name, number, why);
    *to = (uint8_t)number;
    return EXIT_DONE;
}

/* Reads two label maps in space. The numbers of the map lie in the order of the truth's voxels. */
static int read_volumes(const char *map, const char *truth, numbers *one, numbers *other, notes *log, failure *why)
{
    const char *const name = file_input_name(map), *const truth_name = file_input_name(truth);
    scan_pair pair;
    int status = scan_pair_read(map, truth, &pair, log, why);
    const size_t count = status ? 0 : scan_count(&pair.truth);
    one->count = other->count = count;
    one->at = malloc(count + 1), other->at = malloc(count + 1);
    if (!status && (!one->at || !other->at))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", name);
    for (size_t i = 0; !status && i < count; i++) {
        status = take_voxel(&pair.labels, name, scan_pair_place(&pair, i), &one->at[i], why);
        if (!status) status = take_voxel(&pair.truth, truth_name, i, &other->at[i], why);
    }
    scan_pair_free(&pair);
    return status;
}

static int compare(const char *name, const numbers *map, const numbers *truth, label_score *out, failure *why)
{
    for (size_t i = 0; i < truth->count; i++) {
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
    int status = spatial ? read_volumes(map, truth, &one, &other, log, why) : read_picture(map, &one, log, why);
    if (!status && !spatial) status = read_picture(truth, &other, log, why);
    if (!status && (one.width != other.width || one.height != other.height))
        status = fail(why, EXIT_SEEDS, "%s: is %dx%d but %s is %dx%d; both need the same size", file_input_name(map),
                      one.width, one.height, file_input_name(truth), other.width, other.height);
    if (!status) status = compare(file_input_name(truth), &one, &other, out, why);
    free(one.at);
    free(other.at);
    return status;
}
