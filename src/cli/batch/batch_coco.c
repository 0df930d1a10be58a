/* SPDX-License-Identifier: MIT */
#include "batch_coco.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotation.h"
#include "coco_runs.h"
#include "folders.h"
#include "pixel.h"
#include "scan.h"

static bool is_coco(const annotation_format *format)
{
    return format == &annotation_coco || format == &annotation_coco_rle;
}

int batch_coco_check(const batch_list *list, const job_style *style, const char *path, failure *why)
{
    const annotation_format *format = NULL;
    failure ignored;
    if (annotation_choose(path, strrchr(path, '.') ? NULL : "coco", &format, &ignored) || !is_coco(format))
        return fail(why, EXIT_USAGE, "--coco: %s is no name of a COCO file; name all.coco.json, or all.rle.json for "
                    "run lengths", path);
    if (style->crop)
        return fail(why, EXIT_USAGE, "--coco: masks that --crop cuts off are not those of their photos; leave one of "
                    "them out");
    for (int i = 0; i < list->count; i++) {
        const char *const mask = list->item[i].result[BATCH_MASK];
        if (scan_is_named(mask))
            return fail(why, EXIT_USAGE, "--coco: %s is a volume, and COCO describes photos", mask);
        if (annotation_choose(mask, style->format, &format, &ignored) || format)
            return fail(why, EXIT_USAGE, "--coco: is made of masks that are pictures, and %s is none; name them "
                        "{stem}.png", mask);
        if (style->outline && !list->item[i].result[BATCH_OVERLAY])
            return fail(why, EXIT_USAGE, "--outline: outlines in the file of --coco run along the edges of pixels; "
                        "leave it out, or name masks {stem}.coco.json without --coco");
    }
    return EXIT_DONE;
}

/* True if all photos have different names without their folders. The COCO file then leaves the folders out. */
static bool names_differ(const batch_list *list)
{
    for (int i = 1; i < list->count; i++) {
        const char *const one = list->item[i].photo, *const before = list->item[i - 1].photo;
        if (strcmp(one, before) && !strcmp(annotation_base(one), annotation_base(before))) return false;
    }
    return true;
}

static int add_mask(coco_file *file, const batch_item *item, const annotation_about *like, bool inverted, bool same,
                    failure *why)
{
    image mask;
    annotation_about about = *like;
    const int status = image_read(item->result[BATCH_MASK], NULL, &mask, NULL, why);
    if (status) return status;
    const size_t pixels = image_area(&mask);
    bool room = mask.channels == 1 && mask.depth == 8;
    if (!room) (void)fail(why, EXIT_INPUT, "%s: is no mask as this batch writes them", item->result[BATCH_MASK]);
    for (size_t p = 0; inverted && room && p < pixels; p++) mask.pixels[p] ^= 0xff;
    about.width = mask.width, about.height = mask.height;
    if (room && !coco_add(file, &about, mask.pixels, same)) {
        room = false;
        (void)fail(why, EXIT_RESOURCES, "%s: not enough memory for its outline", item->result[BATCH_MASK]);
    }
    image_free(&mask);
    return room ? EXIT_DONE : why->status;
}

static int add_masks(coco_file *file, const batch_list *list, bool inverted, annotation_about *about, int *missing,
                     failure *why)
{
    const bool short_names = names_differ(list);
    const char *before = NULL;
    for (int i = 0; i < list->count; i++) {
        const batch_item *const item = &list->item[i];
        const bool same = before && !strcmp(before, item->photo);
        if (access(item->result[BATCH_MASK], F_OK)) {
            ++*missing;
            continue;
        }
        about->photo = short_names ? annotation_base(item->photo) : item->photo;
        STEP(add_mask(file, item, about, inverted, same, why));
        before = item->photo;
    }
    return EXIT_DONE;
}

int batch_coco_write(const batch_list *list, const job_style *style, const char *label, const char *path, notes *log,
                     failure *why)
{
    const size_t length = strlen(path), end = strlen(".rle.json");
    coco_file file = {.runs = length > end && !strcmp(path + length - end, ".rle.json")};
    annotation_about about = {.label = label ? label : "object"};
    bytes text = {0};
    int missing = 0;
    int status = add_masks(&file, list, style->invert, &about, &missing, why);
    if (!status && missing)
        note(log, "--coco: %d of %d masks are not there, and %s %s", missing, list->count, path,
             missing < list->count ? "is without them" : "is not written");
    if (!status && missing == list->count) return EXIT_DONE;
    if (!status) status = coco_end(&file, &about, &text, why);
    (void)folders_make(path); /* if this fails, the write reports the error */
    if (!status) status = file_write(path, text.data, text.size, why);
    coco_free(&file);
    bytes_free(&text);
    return status;
}
