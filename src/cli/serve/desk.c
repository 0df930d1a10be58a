/* SPDX-License-Identifier: MIT
 *
 * desk.c - see desk.h. A sketch, a small copy of the photo, is cut in some hundredths of a second while the lock is
 * held. When a stroke ends, the page stops a sketch in progress, because the next one will show that stroke. The photo
 * is cut without the lock, on a copy of the labels. Only one such cut runs at a time, and any change stops it.
 */
#include "desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "desk_parts.h"
#include "pixel.h"

enum { SKETCH_CELLS = 1 << 16 }; /* the most pixels that a sketch may have */

void desk_init(desk *d)
{
    pthread_mutex_init(&d->mutex, NULL);
    pthread_mutex_init(&d->turns, NULL);
    pthread_cond_init(&d->changed, NULL);
}

/* Sets the size that calls need before they have the lock. */
static void set_size(desk *d, size_t area, scan_desk *table)
{
    pthread_mutex_lock(&d->turns);
    d->area = area;
    d->scan = table;
    pthread_mutex_unlock(&d->turns);
}

int desk_take(desk *d, image *photo, const uint8_t *first, failure *why)
{
    const size_t area = image_area(photo);
    d->photo = *photo;
    *photo = (image){0};
    set_size(d, area, NULL);
    const image *const p = &d->photo;
    STEP(edit_begin(&d->sketch, p->width, p->height, p->channels, p->depth, SKETCH_CELLS, why));
    edit_add_rows(&d->sketch, 0, p->height, p->channels, p->pixels);
    if (first) (void)edit_patch(&d->sketch, 0, 0, p->width, p->height, first, why);
    d->sent_small = calloc(image_area(&d->sketch.small), 1);
    d->sent = calloc(area, 1);
    d->mask = calloc(area, 1);
    const bool room = tilecut_memo_create(&d->memo) == TILECUT_OK;
    if (room && d->sent_small && d->sent && d->mask) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: not enough memory to edit it", d->name);
}

int desk_take_scan(desk *d, scan_desk *taken, failure *why)
{
    set_size(d, scan_desk_voxels(taken), taken);
    d->mask = calloc(d->area, 1);
    return d->mask ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to edit it", d->name);
}

int desk_prior(desk *d, const uint8_t *prior, const char *name, failure *why)
{
    const size_t area = image_area(&d->photo);
    d->prior = malloc(area);
    if (!d->prior) return fail(why, EXIT_RESOURCES, "%s: not enough memory for it", name);
    memcpy(d->prior, prior, area);
    d->prior_name = name;
    return edit_prior(&d->sketch, d->prior, why);
}

/* Removes the photo or scan and everything that belongs to it. */
static void drop_photo(desk *d)
{
    if (d->scan) d->close(d->scan);
    set_size(d, 0, NULL);
    image_free(&d->photo);
    edit_end(&d->sketch);
    free(d->prior);
    free(d->map);
    free(d->sent_small);
    free(d->sent);
    free(d->mask);
    tilecut_memo_destroy(d->memo);
    outputs_free(&d->outputs);
    d->prior = d->map = d->sent_small = d->sent = d->mask = NULL;
    d->legend.many = false;
    d->memo = NULL;
    d->mask_out = d->cutout_out = d->strokes_out = NULL;
    d->name = d->prior_name = NULL;
    d->boxed = d->corrects = d->learns = false;
    d->mask_version = d->status = 0;
}

void desk_free(desk *d)
{
    drop_photo(d);
    pthread_mutex_destroy(&d->mutex);
    pthread_mutex_destroy(&d->turns);
    pthread_cond_destroy(&d->changed);
}

size_t desk_limit(desk *d, const desk_call *call)
{
    if (call->body == BODY_NONE) return MESSAGE_HEAD;
    if (call->body == BODY_LINES) return MESSAGE_HEAD + DESK_LINES_BYTES;
    if (call->body == BODY_FILE) return MESSAGE_HEAD + DESK_FILE_BYTES;
    pthread_mutex_lock(&d->turns);
    const size_t area = d->area;
    pthread_mutex_unlock(&d->turns);
    return MESSAGE_HEAD + (call->body == BODY_TWICE ? 2 * area : area);
}

/* ---- parts of calls; the caller holds the lock -------------------------------------------------- */

static bool describe_answer(const edit_answer *got, answer *out)
{
    char text[EDIT_ANSWER_BYTES];
    edit_describe(got, text);
    return bytes_append(&out->data, text, strlen(text)) && bytes_append(&out->data, "\n", 1);
}

/* ---- open ------------------------------------------------------------------------------------- */

/* Appends the painted labels. Labels that come from the box are left out, because the page draws the box itself. */
static bool add_labels(const desk *d, bytes *to)
{
    const size_t start = to->size, area = image_area(&d->photo);
    if (!bytes_append(to, d->sketch.labels, area)) return false;
    for (size_t p = start; p < start + area; p++)
        if (to->data[p] == TILECUT_OUTSIDE) to->data[p] = TILECUT_UNKNOWN;
    return true;
}

static bool add_models(bytes *to)
{
    char names[256] = "";
    for (int i = 0; tilecut_colors_name(i); i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? " " : "", tilecut_colors_name(i));
    }
    return message_add(to, "models", names);
}

static bool add_box(const desk *d, bytes *to)
{
    char text[64];
    if (!d->boxed) return true;
    snprintf(text, sizeof text, "%d %d %d %d", d->box[0], d->box[1], d->box[2], d->box[3]);
    return message_add(to, "box", text);
}

/* Appends the photo, if there is one, its labels, and other values that the page needs to know about them. */
static bool add_photo(const desk *d, bytes *to)
{
    const image *const p = &d->photo;
    const size_t area = image_area(p), size = area * (size_t)p->channels * (size_t)(p->depth / 8);
    if (area) memset(d->sent_small, 0, image_area(&d->sketch.small));
    if (area) memset(d->sent, 0, area);
    bytes legend = {0};
    const bool good =
        desk_legend_write(&d->legend, &legend) && message_add_number(to, "legend", (int64_t)legend.size) &&
        message_add_number(to, "width", p->width) && message_add_number(to, "height", p->height) &&
        message_add_number(to, "channels", p->channels) && message_add_number(to, "depth", p->depth) &&
        message_add_number(to, "profile", (int64_t)p->icc_size) &&
        message_add_number(to, "factor", d->sketch.factor) && add_box(d, to) &&
        (!d->prior_name || message_add(to, "mask", d->prior_name)) &&
        message_add_number(to, "corrects", d->corrects) && message_add_number(to, "learns", d->learns) &&
        bytes_append(to, "\n", 1) && bytes_append(to, p->pixels, size) && bytes_append(to, p->icc, p->icc_size) &&
        add_labels(d, to) && (!d->prior || bytes_append(to, d->prior, area)) &&
        bytes_append(to, legend.data, legend.size) && (!d->map || bytes_append(to, d->map, area));
    bytes_free(&legend);
    return good;
}

/* Sends the photo or scan, and everything that a page needs to begin. From now on the desk belongs to the tab that
 * asked. */
static bool open_photo(desk *d, const message *m, answer *out)
{
    bytes *const to = &out->data;
    (void)m;
    desk_stop_cut(d);
    d->tab++;
    return message_add_number(to, "tab", d->tab) && message_add(to, "name", d->name ? d->name : "") &&
           message_add_number(to, "outputs", d->outputs.count) && add_models(to) &&
           (d->scan ? desk_add_scan(d, to) : add_photo(d, to));
}

/* ---- another file ------------------------------------------------------------------------------- */

static bool set_photo(desk *d, const message *m, desk_file_read *file, answer *out)
{
    int tab = 0;
    if (!message_numbers(m, "tab", 1, &tab) || tab != d->tab || d->done)
        return desk_refuse(out, 403, EXIT_USAGE, "another tab has the program now");
    desk_stop_cut(d);
    while (d->cutting || d->cutouts) pthread_cond_wait(&d->changed, &d->mutex);
    drop_photo(d);
    if (!message_value(m, "name", d->loaded, sizeof d->loaded)) snprintf(d->loaded, sizeof d->loaded, "photo.png");
    d->name = d->loaded;
    scan_desk *const table = file->scan;
    file->scan = NULL;
    int status = table ? desk_take_scan(d, table, &out->why) : desk_take(d, &file->photo, NULL, &out->why);
    if (!status) status = d->prepare(d->context, d, &out->why);
    if (status) drop_photo(d);
    return status ? desk_failed(out)
                  : message_add_number(&out->data, "scan", table != NULL) && bytes_append(&out->data, "\n", 1);
}

/* Opens a photo or a scan that the page has sent, in any format that the program reads. If it cannot be read, the
 * current one stays open. Otherwise it replaces the current one, and files are no longer saved for that. */
static bool load(desk *d, const message *m, answer *out)
{
    desk_file_read file = {.scan = NULL};
    char name[sizeof d->loaded];
    if (!message_value(m, "name", name, sizeof name)) snprintf(name, sizeof name, "photo");
    if (d->read(d->context, name, m->body, m->body_size, &file, &out->why)) return desk_failed(out);
    pthread_mutex_lock(&d->mutex);
    const bool good = set_photo(d, m, &file, out);
    pthread_mutex_unlock(&d->mutex);
    image_free(&file.photo);
    if (file.scan) d->close(file.scan);
    return good;
}

/* ---- sketch ----------------------------------------------------------------------------------- */

static bool take_labels(desk *d, const message *m, answer *out)
{
    int rect[6] = {0};
    if (!message_numbers(m, "rect", d->scan ? 6 : 4, rect)) {
        if (m->body_size == 0) return true; /* only options have changed */
        return desk_refuse(out, 400, EXIT_USAGE, "the request does not say where its labels belong");
    }
    if (d->scan) {
        if (!scan_desk_patch(d->scan, rect, m->body, m->body_size, &out->why)) return true;
        out->http = 400;
        return false;
    }
    if (rect[2] < 1 || rect[3] < 1 || m->body_size / (size_t)rect[2] != (size_t)rect[3] ||
        m->body_size % (size_t)rect[2])
        return desk_refuse(out, 400, EXIT_USAGE, "the request has not as many labels as it says");
    if (!edit_patch(&d->sketch, rect[0], rect[1], rect[2], rect[3], m->body, &out->why)) return true;
    out->http = 400;
    return false;
}

/* Records the number of the sketch that begins, its "turn", so that hurry() can stop it. */
static void begin_turn(desk *d, const message *m)
{
    int turn = 0;
    (void)message_numbers(m, "turn", 1, &turn);
    pthread_mutex_lock(&d->turns);
    d->turn = turn;
    d->turn_tab = d->tab;
    tilecut_flag_lower(&d->stop_sketch);
    pthread_mutex_unlock(&d->turns);
}

/* Stops the sketch with the given number if it is still running. Its labels are kept. */
static bool stop_sketch(desk *d, const message *m, answer *out)
{
    int tab = 0, turn = 0;
    const bool asked = message_numbers(m, "tab", 1, &tab) && message_numbers(m, "turn", 1, &turn);
    pthread_mutex_lock(&d->turns);
    if (asked && tab == d->turn_tab && turn == d->turn) tilecut_flag_raise(&d->stop_sketch);
    pthread_mutex_unlock(&d->turns);
    if (!asked) return desk_refuse(out, 400, EXIT_USAGE, "the request does not say which sketch is to stop");
    return bytes_append(&out->data, "\n", 1);
}

/* Returns the parameters for the photo or its sketch. How far an outline may move belongs to a mask to begin from. */
static tilecut_params params_of(const desk *d, const tilecut_params *of)
{
    tilecut_params params = *of;
    if (!d->prior) params.prior_reach = 0;
    return params;
}

static bool sketch(desk *d, const message *m, answer *out)
{
    tilecut_params params = params_of(d, &d->small);
    edit_options options;
    edit_answer got;
    int framed = 0;
    if (!desk_read_options(m, &options, out)) return false;
    desk_stop_cut(d);
    if (!take_labels(d, m, out)) return false;
    d->boxed = message_numbers(m, "box", 4, d->box);
    d->corrects = options.corrects;
    d->learns = options.learns;
    begin_turn(d, m);
    params.cancel = &d->stop_sketch;
    if (d->scan) d->scan->framed = message_numbers(m, "framed", 1, &framed) && framed;
    if (d->scan ? scan_desk_sketch(d->scan, &options, &params, &got, &out->why)
                : edit_sketch(&d->sketch, &options, &params, &got, &out->why))
        return tilecut_flag_raised(&d->stop_sketch) ? desk_refuse(out, ANSWER_OVERTAKEN, EXIT_RUNTIME, "overtaken")
                                              : desk_failed(out);
    const image *const small = &d->sketch.small;
    return describe_answer(&got, out) && /* for a scan, the page then requests the planes that it shows */
           (d->scan || message_add_tiles(&out->data, d->sketch.small_mask, d->sent_small, small->width, small->height));
}

/* Keeps a mask of a scan. If "own" is 1, keeps the mask of the last cut and sends its number. Otherwise later strokes
 * correct the kept mask with the given "number", or no mask if that is 0. */
static bool take_kept(desk *d, const message *m, answer *out)
{
    int own = 0, number = 0;
    if (message_numbers(m, "own", 1, &own) && own) {
        if (!d->mask_version) return desk_refuse(out, 400, EXIT_USAGE, "there is no mask yet to go on from");
        number = d->scan->kept_mask ? d->scan->kept_mask : scan_desk_keep(d->scan, d->mask);
        return number && message_add_number(&out->data, "number", number) && bytes_append(&out->data, "\n", 1);
    }
    (void)message_numbers(m, "number", 1, &number);
    desk_stop_cut(d);
    while (d->cutting) pthread_cond_wait(&d->changed, &d->mutex);
    if (!scan_desk_prior(d->scan, number))
        return desk_refuse(out, 400, EXIT_USAGE,
                           "the mask before that stroke is not kept any more; undo goes back 64 such strokes");
    return bytes_append(&out->data, "\n", 1);
}

/* Receives a mask to begin from or to correct: the body has a byte per pixel. If "own" is 1 it is the mask of the last
 * cut, which the program already has. An empty body removes the mask. */
static bool prior(desk *d, const message *m, answer *out)
{
    const size_t area = image_area(&d->photo);
    int own = 0;
    if (d->scan) return take_kept(d, m, out);
    if (m->body_size && m->body_size != area)
        return desk_refuse(out, 400, EXIT_USAGE, "the request has not as many bytes as the photo has pixels");
    if (message_numbers(m, "own", 1, &own) && own && !d->mask_version)
        return desk_refuse(out, 400, EXIT_USAGE, "there is no mask yet to go on from");
    const uint8_t *const from = own ? d->mask : m->body_size ? m->body : NULL;
    desk_stop_cut(d);
    while (d->cutting || d->cutouts) pthread_cond_wait(&d->changed, &d->mutex); /* they may still read the old prior */
    free(d->prior);
    d->prior_name = NULL;
    d->prior = from ? malloc(area) : NULL;
    if (d->prior) memcpy(d->prior, from, area);
    return (d->prior || !from) && !edit_prior(&d->sketch, d->prior, &out->why) && bytes_append(&out->data, "\n", 1);
}

/* Finds where the mask is unsure. It works on copies without the lock, so that the user can go on painting; any change
 * stops it. */
static int find_unsure(desk *d, const message *m, const edit_options *options, char text[EDIT_ANSWER_BYTES],
                       failure *why)
{
    const size_t cells = d->scan ? scan_desk_cells(d->scan) : image_area(&d->sketch.small);
    uint8_t *const labels = malloc(cells), *const mask = malloc(cells);
    edit sketch = d->sketch;
    tilecut_params how = params_of(d, &d->small);
    int status = EXIT_RESOURCES, code = TILECUT_FOREGROUND;
    sketch.small_labels = labels, sketch.small_mask = mask, how.cancel = &d->cancel;
    (void)message_numbers(m, "label", 1, &code);
    if (!d->cutting) tilecut_flag_lower(&d->cancel);
    if (labels && mask) {
        if (d->scan) {
            scan_desk_one(d->scan, code, labels, mask);
        } else {
            memcpy(labels, d->sketch.small_labels, cells);
            memcpy(mask, m->body_size ? m->body : d->sketch.small_mask, cells);
        }
        d->cutouts++;
        pthread_mutex_unlock(&d->mutex);
        status = d->scan ? scan_desk_unsure(d->scan, labels, mask, options, &how, text, why)
                         : edit_unsure(&sketch, options, &how, text, why);
        pthread_mutex_lock(&d->mutex);
        d->cutouts--;
        pthread_cond_broadcast(&d->changed);
    } else fail(why, status, "not enough memory for a mask");
    free(labels);
    free(mask);
    return status;
}

/* Answers where the mask of the sketch is unsure. For a photo the page may send another mask of the sketch, of objects
 * that were cut together. */
static bool unsure(desk *d, const message *m, answer *out)
{
    char text[EDIT_ANSWER_BYTES];
    edit_options options;
    if (!desk_read_options(m, &options, out)) return false;
    if (m->body_size && (d->scan || m->body_size != image_area(&d->sketch.small)))
        return desk_refuse(out, 400, EXIT_USAGE, "the request has not as many bytes as the sketch has pixels");
    if (find_unsure(d, m, &options, text, &out->why))
        return tilecut_flag_raised(&d->cancel) ? desk_refuse(out, ANSWER_OVERTAKEN, EXIT_RUNTIME, "overtaken")
                                               : desk_failed(out);
    return bytes_append(&out->data, text, strlen(text)) && bytes_append(&out->data, "\n", 1);
}

/* Stops the running cut. If the page saves later, the photo is cut again. */
static bool stop(desk *d, const message *m, answer *out)
{
    (void)m;
    desk_stop_cut(d);
    return bytes_append(&out->data, "\n", 1);
}

/* ---- cut -------------------------------------------------------------------------------------- */

static tilecut_status lost_device(int status)
{
    return status == EXIT_RESOURCES ? TILECUT_EDEVICE : TILECUT_OK;
}

/* Cuts the photo or the scan with a copy of the labels. The lock is released meanwhile. */
static int cut_labels(desk *d, const uint8_t *labels, const edit_options *options, uint8_t *mask, edit_answer *got,
                      failure *why)
{
    tilecut_params params = params_of(d, &d->whole);
    edit_options with = *options;
    with.memo = d->memo;
    params.prior = d->prior;
    params.cancel = &d->cancel;
    if (d->scan) return scan_desk_cut(d->scan, labels, options, &params, mask, got, why);
    int status = edit_cut(&d->photo, labels, &with, &params, mask, got, why);
    if (engine_falls_back(d->common, lost_device(status), &params, NULL))
        status = edit_cut(&d->photo, labels, &with, &params, mask, got, why);
    return status;
}

/* Cuts all objects of the photo together. "divide" has the method, the label of the object that is shown, and that of
 * the background. `map` receives the labels of all objects. */
static int divide(desk *d, const message *m, const edit_options *options, uint8_t *map, uint8_t *mask,
                  edit_answer *got, failure *why)
{
    int wanted[3] = {0};
    tilecut_params params = params_of(d, &d->whole);
    params.cancel = &d->cancel;
    (void)message_numbers(m, "divide", 3, wanted);
    const edit_division how = {.way = (enum edit_way)wanted[0], .shown = wanted[1], .background = wanted[2],
                               .body = m->body, .size = m->body_size, .map = map, .mask = mask};
    return edit_divide(&d->photo, &how, options, &params, got, why);
}

/* Waits until no other cut runs. Returns false if a newer change has come meanwhile. */
static bool begin_cut(desk *d, int version)
{
    while (d->cutting && d->version == version) pthread_cond_wait(&d->changed, &d->mutex);
    if (d->version != version) return false;
    d->cutting = true;
    tilecut_flag_lower(&d->cancel);
    return true;
}

static void keep_mask(desk *d, int version, const uint8_t *mask)
{
    memcpy(d->mask, mask, d->area);
    d->mask_version = version;
    if (d->scan) scan_desk_proved(d->scan);
}

static bool make_cut(desk *d, const message *m, uint8_t *labels, uint8_t *mask, answer *out)
{
    edit_options options;
    edit_answer got;
    if (!desk_read_options(m, &options, out)) return false;
    desk_stop_cut(d);
    const int version = d->version;
    if (!begin_cut(d, version)) return desk_refuse(out, ANSWER_OVERTAKEN, EXIT_RUNTIME, "overtaken");
    int asked[3];
    const bool divides = !d->scan && message_numbers(m, "divide", 3, asked);
    if (d->scan) scan_desk_labels(d->scan, labels);
    else memcpy(labels, d->sketch.labels, d->area);
    pthread_mutex_unlock(&d->mutex);
    const int status = divides ? divide(d, m, &options, labels, mask, &got, &out->why)
                               : cut_labels(d, labels, &options, mask, &got, &out->why);
    pthread_mutex_lock(&d->mutex);
    d->cutting = false;
    pthread_cond_broadcast(&d->changed);
    if (d->version != version) return desk_refuse(out, ANSWER_OVERTAKEN, EXIT_RUNTIME, "overtaken");
    d->status = status;
    d->why = out->why;
    if (status) return desk_failed(out);
    keep_mask(d, version, mask);
    const image *const photo = &d->photo;
    return describe_answer(&got, out) &&
           (d->scan || message_add_tiles(&out->data, d->mask, d->sent, photo->width, photo->height)) &&
           (!divides || bytes_append(&out->data, labels, d->area));
}

static bool cut_photo(desk *d, const message *m, answer *out) { return desk_with_copies(d, m, out, make_cut); }

const desk_call desk_calls[] = {
    {"/api/open", open_photo, BODY_NONE, OF_BOTH, ASKS_ANY},
    {"/api/load", load, BODY_FILE, OF_BOTH, ASKS_UNLOCKED},
    {"/api/prior", prior, BODY_LABELS, OF_BOTH, ASKS_OWNER},
    {"/api/sketch", sketch, BODY_LABELS, OF_BOTH, ASKS_OWNER},
    {"/api/hurry", stop_sketch, BODY_NONE, OF_BOTH, ASKS_UNLOCKED},
    {"/api/unsure", unsure, BODY_LABELS, OF_BOTH, ASKS_OWNER},
    {"/api/cut", cut_photo, BODY_TWICE, OF_BOTH, ASKS_OWNER},
    {"/api/stop", stop, BODY_NONE, OF_BOTH, ASKS_OWNER},
    {"/api/cutout", desk_cutout, BODY_NONE, OF_PHOTO, ASKS_OWNER},
    {"/api/save", desk_save, BODY_NONE, OF_BOTH, ASKS_OWNER},
    {"/api/done", desk_finish, BODY_NONE, OF_BOTH, ASKS_OWNER},
    {"/api/slice", desk_slice, BODY_NONE, OF_SCAN, ASKS_OWNER},
    {"/api/file", desk_file, BODY_NONE, OF_SCAN, ASKS_OWNER},
    {"/api/legend", desk_legend_call, BODY_LINES, OF_SCAN, ASKS_OWNER},
    {NULL, NULL, BODY_NONE, OF_BOTH, ASKS_ANY}
};

bool desk_has_scan(desk *d)
{
    pthread_mutex_lock(&d->turns);
    const bool has = d->scan != NULL;
    pthread_mutex_unlock(&d->turns);
    return has;
}

const desk_call *desk_find_call(const char *path)
{
    for (const desk_call *call = desk_calls; call->path; call++)
        if (!strcmp(call->path, path)) return call;
    return NULL;
}
