/* SPDX-License-Identifier: MIT */
#include "masks_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "folders.h"
#include "image.h"
#include "outputs.h"

static bool is_folder(const char *name)
{
    struct stat about;
    const size_t length = strlen(name);
    return (length && name[length - 1] == '/') || (stat(name, &about) == 0 && S_ISDIR(about.st_mode));
}

int masks_out_plan(masks_out *out, const char *option, const char *name, const film_format *format, bool invert,
                   failure *why)
{
    const char *const dot = name ? strrchr(name, '.') : NULL;
    *out = (masks_out){.option = option, .name = name ? name : "-", .invert = invert,
                       .folder = name && is_folder(name)};
    out->format = format ? format : film_format_find(dot && !strcmp(dot, ".y4m") ? "y4m" : "gray");
    if (!out->folder && name && image_has_extension(name))
        return fail(why, EXIT_USAGE, "%s: is the name of one picture, and masks are many; name a folder, with / at its "
                    "end, or a film such as masks.y4m", name);
    if (out->folder && format)
        return fail(why, EXIT_USAGE, "--format: masks in a folder, as %s is one, are PNG; leave it out", name);
    return EXIT_DONE;
}

/* ---- What would be in the way ------------------------------------------------------------------- */

/* Refuses an output folder that contains inputs: there, masks would become frames of the next run, or replace seeds. */
static int check_inside(const masks_out *out, const char *read, failure *why)
{
    char folder[PATH_MAX];
    if (!strcmp(read, "-") || !folders_of(read, folder) || !file_same(folder, out->name)) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "%s: %s is where %s lies, which is read; masks need a folder of their own",
                out->option, out->name, read);
}

typedef struct stem {
    const char *text, *path;
    size_t length;
} stem;

static int by_text(const void *a, const void *b)
{
    const stem *const p = a, *const q = b;
    const int order = memcmp(p->text, q->text, p->length < q->length ? p->length : q->length);
    return order ? order : (p->length > q->length) - (p->length < q->length);
}

static int check_stems(const frame_list *frames, failure *why)
{
    stem *const all = malloc(((size_t)frames->count + 1) * sizeof *all);
    int status = EXIT_DONE;
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for the names of masks");
    for (int i = 0; i < frames->count; i++) {
        all[i].path = frames->name[i];
        all[i].text = frame_stem(frames->name[i], &all[i].length);
    }
    qsort(all, (size_t)frames->count, sizeof *all, by_text);
    for (int i = 1; !status && i < frames->count; i++)
        if (by_text(&all[i - 1], &all[i]) == 0)
            status = fail(why, EXIT_USAGE, "%s and %s would have the same mask %.*s.png; give them different names",
                          all[i - 1].path, all[i].path, (int)all[i].length, all[i].text);
    free(all);
    return status;
}

int masks_out_check(const masks_out *out, const frame_list *frames, const char *const *read, int count, failure *why)
{
    int status = EXIT_DONE;
    if (!out->folder) return EXIT_DONE;
    for (int i = 0; !status && i < frames->count; i++) status = check_inside(out, frames->name[i], why);
    for (int i = 0; !status && i < count; i++) status = check_inside(out, read[i], why);
    return status ? status : check_stems(frames, why);
}

int masks_out_check_report(const masks_out *out, const char *json, failure *why)
{
    char folder[PATH_MAX], its[PATH_MAX], own[PATH_MAX];
    const size_t length = json ? strlen(json) : 0;
    if (!out->folder || length < 4 || strcmp(json + length - 4, ".png")) return EXIT_DONE;
    if (!folders_of(json, folder) || !outputs_resolve(folder, its) || !outputs_resolve(out->name, own) ||
        strcmp(its, own) != 0)
        return EXIT_DONE;
    return fail(why, EXIT_USAGE, "%s: --json would lie among the masks with a name of theirs; name another file", json);
}

int masks_out_check_apart(const masks_out *a, const masks_out *b, failure *why)
{
    char one[PATH_MAX], other[PATH_MAX];
    if (!a->folder || !b->folder) return EXIT_DONE;
    if (!outputs_resolve(a->name, one) || !outputs_resolve(b->name, other) || strcmp(one, other)) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "%s: %s and %s would both be written there; name two folders", b->name, a->option,
                b->option);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

int masks_out_open(masks_out *out, failure *why)
{
    if (!out->folder) return file_stream_open(&out->stream, out->name, why);
    const int error = folders_make(out->name);
    if (error) return fail(why, EXIT_RUNTIME, "%s: cannot be made: %s", out->name, strerror(error));
    return EXIT_DONE;
}

static int put_file(masks_out *out, const film *f, int64_t frame, const uint8_t *mask, failure *why)
{
    const image_view view = {.width = f->width, .height = f->height, .channels = 1, .depth = 8, .pixels = mask,
                             .palette = out->palette};
    const char *const slash = out->name[strlen(out->name) - 1] == '/' ? "" : "/";
    char number[24];
    size_t length = (size_t)snprintf(number, sizeof number, "%06lld", (long long)frame);
    const char *const name = f->list.count ? frame_stem(f->list.name[frame], &length) : number;
    const int n = snprintf(out->path, sizeof out->path, "%s%s%.*s.png", out->name, slash, (int)length, name);
    if (n < 0 || (size_t)n >= sizeof out->path)
        return fail(why, EXIT_RUNTIME, "%s: the name of a mask in it is too long", out->name);
    return image_write(out->path, IMAGE_MASK, &view, why);
}

static int put_piece(masks_out *out, const film *f, int64_t frame, const uint8_t *mask, failure *why)
{
    bytes head = {0};
    int status = EXIT_DONE;
    if (frame == 0 && !out->format->head(f, &head))
        status = fail(why, EXIT_RESOURCES, "not enough memory for a header");
    if (!status && head.size) status = file_stream_write(&out->stream, head.data, head.size, why);
    bytes_free(&head);
    if (!status && *out->format->before_each)
        status = file_stream_write(&out->stream, out->format->before_each, strlen(out->format->before_each), why);
    return status ? status : file_stream_write(&out->stream, mask, (size_t)f->width * (size_t)f->height, why);
}

int masks_out_put(masks_out *out, const film *f, int64_t frame, uint8_t *mask, failure *why)
{
    const size_t pixels = (size_t)f->width * (size_t)f->height;
    for (size_t p = 0; out->invert && p < pixels; p++) mask[p] ^= 0xff;
    const int status = (out->folder ? put_file : put_piece)(out, f, frame, mask, why);
    for (size_t p = 0; out->invert && p < pixels; p++) mask[p] ^= 0xff;
    return status;
}

int masks_out_end(masks_out *out, bool good, failure *why)
{
    return out->folder || !out->name ? EXIT_DONE : file_stream_end(&out->stream, good, why);
}
