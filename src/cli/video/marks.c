/* SPDX-License-Identifier: MIT */
#include "marks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Splits "40:later.png" into frame and file; a name without a number belongs to the first frame. */
static void take_apart(const char *text, mark *out)
{
    const size_t digits = strspn(text, "0123456789");
    out->frame = 0;
    out->file = text;
    if (!digits || text[digits] != ':' || !text[digits + 1] || digits > 15) return;
    out->frame = strtoll(text, NULL, 10);
    out->file = text + digits + 1;
}

/* Sorts by frame and keeps the order within a frame. An insertion sort suffices for the few marks. */
static void sort(mark *item, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && item[k].frame < item[k - 1].frame; k--) {
            const mark later = item[k - 1];
            item[k - 1] = item[k], item[k] = later;
        }
}

static bool first_frame_marked(const inputs *in)
{
    return in->mask || in->request.box_given || in->request.stroke_count;
}

int marks_init(marks *m, const inputs *in, failure *why)
{
    *m = (marks){.in = in, .last = first_frame_marked(in) ? 0 : -1};
    seeds_request all = in->request;
    all.files = (const char *const *)in->files.items, all.file_count = in->files.count, all.formats = in->formats;
    if (seeds_check_flat(&all, "a frame", why) || seeds_check_band(&all, why)) return why->status;
    if (!in->files.count && m->last < 0)
        return fail(why, EXIT_USAGE, "nothing marks the object: give strokes on a frame by -s 0:FILE, or --fg, --box "
                    "or --mask for the first frame");
    m->item = calloc((size_t)in->files.count + 1, sizeof *m->item);
    if (!m->item) return fail(why, EXIT_RESOURCES, "not enough memory for %d files with strokes", in->files.count);
    for (m->count = 0; m->count < in->files.count; m->count++) {
        mark *const one = &m->item[m->count];
        take_apart(in->files.items[m->count], one);
        one->format = in->formats[m->count];
        if (one->frame > m->last) m->last = one->frame;
        if (!strcmp(one->file, "-"))
            return fail(why, EXIT_USAGE, "--seeds: - is standard input, where the film comes from; name a file");
        if (access(one->file, F_OK)) return fail(why, EXIT_INPUT, "%s: there is no such file", one->file);
    }
    sort(m->item, m->count);
    return EXIT_DONE;
}

void marks_free(marks *m)
{
    free(m->item);
    *m = (marks){0};
}

static int files_on(const marks *m, int64_t frame)
{
    int n = 0;
    while (m->next + n < m->count && m->item[m->next + n].frame == frame) n++;
    return n;
}

bool marks_on(const marks *m, int64_t frame)
{
    return files_on(m, frame) > 0 || (frame == 0 && first_frame_marked(m->in));
}

int64_t marks_gap(const marks *m)
{
    int64_t gap = 0, before = 0;
    for (int i = 0; i < m->count; i++) {
        const int64_t one = m->item[i].frame - before;
        gap = one > gap ? one : gap;
        before = m->item[i].frame;
    }
    return gap;
}

int marks_read(marks *m, const marked_frame *frame, seeds *out, mask_file *mask, notes *log, failure *why)
{
    const int count = files_on(m, frame->number);
    const bool first = frame->number == 0;
    seeds_request request = m->in->request;
    const char **const file = malloc(((size_t)count + 1) * sizeof *file);
    enum seeds_format *const format = malloc(((size_t)count + 1) * sizeof *format);
    int status = EXIT_DONE;
    if (!file || !format) status = fail(why, EXIT_RESOURCES, "not enough memory for the names of strokes");
    for (int i = 0; file && format && i < count; i++) {
        file[i] = m->item[m->next + i].file;
        format[i] = m->item[m->next + i].format;
    }
    request.files = file, request.formats = format, request.file_count = count;
    request.limits.max_pixels = m->in->max_pixels;
    request.limits.max_bytes = inputs_memory(m->in);
    request.mask_given = frame->known || (first && m->in->mask);
    request.band_given = false; /* another frame may have the mask */
    if (!first) request.box_given = false, request.stroke_count = 0;
    if (!status && first) status = inputs_read_mask(m->in, frame->name, frame->photo, mask, log, why);
    if (!status && (count || request.box_given || request.stroke_count))
        status = seeds_read(&request, frame->photo, frame->name, out, log, why);
    m->next += count;
    free(file);
    free(format);
    return status;
}

const char *marks_file(marks *m, int64_t frame)
{
    return files_on(m, frame) ? m->item[m->next++].file : NULL;
}

int marks_alone(const marks *m, failure *why)
{
    for (int i = 0; i < m->count; i++) {
        const mark *const one = &m->item[i];
        if (one->format != SEEDS_UNNAMED)
            return fail(why, EXIT_USAGE, "%s: a label map has no format to name; leave it out", one->file);
        if (i && one->frame == one[-1].frame)
            return fail(why, EXIT_USAGE, "%s: frame %lld has a label map already, %s; a frame has one", one->file,
                        (long long)one->frame, one[-1].file);
    }
    return EXIT_DONE;
}

int marks_left(const marks *m, int64_t frames, const char *name, failure *why)
{
    if (m->next == m->count) return EXIT_DONE;
    const mark *const one = &m->item[m->next];
    return fail(why, EXIT_INPUT, "%s: is for frame %lld, but %s has %lld frame%s, counted from 0", one->file,
                (long long)one->frame, name, (long long)frames, frames == 1 ? "" : "s");
}
