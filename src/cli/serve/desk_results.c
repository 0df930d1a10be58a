/* SPDX-License-Identifier: MIT
 *
 * desk_results.c - see desk.h: makes the cutout, saves, and ends the session. It uses the mask that the page shows.
 */
#include <stdlib.h>
#include <string.h>

#include "desk_parts.h"
#include "file_write.h"
#include "paint.h"
#include "pixel.h"

static bool has_mask(const desk *d, answer *out)
{
    if (d->mask_version && d->mask_version == d->version) return true;
    return desk_refuse(out, ANSWER_OVERTAKEN, EXIT_RUNTIME, "overtaken");
}

static bool send_cutout(const image *made, answer *out)
{
    const size_t size = image_area(made) * (size_t)made->channels * (size_t)(made->depth / 8);
    return message_add_number(&out->data, "channels", made->channels) && bytes_append(&out->data, "\n", 1) &&
           bytes_append(&out->data, made->pixels, size);
}

/* Makes the cutout from copies and without the lock: a matte takes seconds, and the page goes on sketching
 * meanwhile. */
static bool make_cutout(desk *d, const message *m, uint8_t *labels, uint8_t *mask, answer *out)
{
    const size_t area = image_area(&d->photo);
    edit_options options;
    image made = {0};
    if (!desk_read_options(m, &options, out) || !has_mask(d, out)) return false;
    const int version = d->version;
    memcpy(labels, d->sketch.labels, area);
    memcpy(mask, d->mask, area);
    d->cutouts++;
    pthread_mutex_unlock(&d->mutex);
    int status = edit_finish(&d->photo, labels, &options, d->prior, mask, &out->why);
    const masked_photo masked = {&d->photo, mask, labels};
    if (!status) status = edit_cutout(&masked, &options, d->whole.threads, d->memory, &made, &out->why);
    pthread_mutex_lock(&d->mutex);
    d->cutouts--;
    pthread_cond_broadcast(&d->changed);
    const bool done = status ? desk_failed(out)
                      : d->version != version ? desk_refuse(out, ANSWER_OVERTAKEN, EXIT_RUNTIME, "overtaken")
                                              : send_cutout(&made, out);
    image_free(&made);
    return done;
}

bool desk_cutout(desk *d, const message *m, answer *out) { return desk_with_copies(d, m, out, make_cutout); }

static int encode_desk_results(output *to, enum image_purpose purpose, const image_view *view, failure *why)
{
    bytes_free(&to->data);
    to->done = false;
    return image_encode(to->path, purpose, view, &to->data, why);
}

static int encode_strokes(desk *d, failure *why)
{
    static const uint8_t grey[] = {128, 0, 255, 128};
    const size_t area = image_area(&d->photo);
    uint8_t *const pixels = malloc(area);
    if (!pixels) return fail(why, EXIT_RESOURCES, "not enough memory for the strokes");
    for (size_t p = 0; p < area; p++) pixels[p] = grey[d->sketch.labels[p]];
    const image_view view = {.width = d->photo.width, .height = d->photo.height, .channels = 1, .depth = 8,
                             .pixels = pixels};
    const int status = encode_desk_results(d->strokes_out, IMAGE_GREY, &view, why);
    free(pixels);
    return status;
}

/* Encodes those of mask and cutout that are wanted, from a finished mask. */
static int encode_results(desk *d, const edit_options *options, const uint8_t *finished, failure *why)
{
    int status = EXIT_DONE;
    image made = {0};
    const image_view mask = {.width = d->photo.width, .height = d->photo.height, .channels = 1, .depth = 8,
                             .pixels = finished};
    if (d->mask_out) status = encode_desk_results(d->mask_out, IMAGE_MASK, &mask, why);
    if (status || !d->cutout_out) return status;
    const masked_photo masked = {&d->photo, finished, d->sketch.labels};
    status = edit_cutout(&masked, options, d->whole.threads, d->memory, &made, why);
    const image_view view = image_as_view(&made);
    if (!status) status = encode_desk_results(d->cutout_out, IMAGE_CUTOUT, &view, why);
    image_free(&made);
    return status;
}

static int encode_photo(desk *d, const edit_options *options, failure *why)
{
    const size_t area = image_area(&d->photo);
    uint8_t *const finished = malloc(area);
    if (!finished) return fail(why, EXIT_RESOURCES, "not enough memory for the mask");
    memcpy(finished, d->mask, area);
    int status = edit_finish(&d->photo, d->sketch.labels, options, d->prior, finished, why);
    if (!status) status = encode_results(d, options, finished, why);
    free(finished);
    return status || !d->strokes_out ? status : encode_strokes(d, why);
}

/* Writes all files that the user asked for, or none. If it fails, files from an earlier save stay. The finishing steps
 * work on a copy of the mask, because more strokes may follow. */
static int save_all(desk *d, const edit_options *options, failure *why)
{
    int status = d->scan ? desk_encode_scan(d, why) : encode_photo(d, options, why);
    for (int i = 0; !status && i < d->outputs.count; i++) { /* another program may have made the file while the page was
                                                               open */
        const output *const item = &d->outputs.item[i];
        if (file_is_special(item->path))
            status = fail(why, EXIT_RUNTIME, "%s: not written: %s takes a file, and this is a pipe or a device",
                          item->path, item->option);
    }
    if (!status) status = outputs_write(&d->outputs, NULL, why);
    if (status) outputs_undo(&d->outputs);
    for (int i = 0; i < d->outputs.count; i++) {
        output *const item = &d->outputs.item[i];
        item->existed = item->existed || (!status && item->done);
    }
    return status;
}

bool desk_save(desk *d, const message *m, answer *out)
{
    char names[1024] = "";
    edit_options options;
    if (!desk_read_options(m, &options, out) || !has_mask(d, out)) return false;
    d->status = save_all(d, &options, &out->why);
    d->why = out->why;
    if (d->status) return desk_failed(out);
    for (int i = 0; i < d->outputs.count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", d->outputs.item[i].path);
    }
    return message_add(&out->data, "saved", names) && bytes_append(&out->data, "\n", 1);
}

/* Ends the session. If the page sends "save" 1, the session ends only after saving has succeeded. */
bool desk_finish(desk *d, const message *m, answer *out)
{
    int saves = 0;
    if (!message_numbers(m, "save", 1, &saves))
        return desk_refuse(out, 400, EXIT_USAGE, "the request does not say whether to save");
    if (saves && !desk_save(d, m, out)) return false;
    if (!saves && d->outputs.count && !d->outputs.item[0].done)
        d->status = fail(&d->why, EXIT_RUNTIME, "%s: was left without saving", d->name);
    desk_stop_cut(d);
    d->done = true;
    pthread_cond_broadcast(&d->changed);
    return true;
}
