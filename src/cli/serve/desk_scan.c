/* SPDX-License-Identifier: MIT
 *
 * desk_scan.c - see desk.h. It has the calls that only scans have: sending planes and files.
 */
#include <stdio.h>
#include <string.h>

#include "desk_parts.h"

static bool add_real(bytes *to, const char *key, const double *values, int count)
{
    char text[128] = "";
    for (int k = 0; k < count; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.17g", k ? " " : "", values[k]);
    }
    return message_add(to, key, text);
}

/* Appends options such as "--range -200,600". The page adds them to the command that it shows, so that this reads the
 * scan in the same way. */
static bool add_given(const scan_desk *s, bytes *to)
{
    char text[1024] = "";
    for (const char *const *word = s->given; word && *word; word += 2) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s--%s %s", used ? " " : "", word[0], word[1]);
    }
    return message_add(to, "given", text);
}

/* Writes the extension of the scan's format, or ".nrrd" if that format cannot be written, and returns it. */
static const char *ending(const scan_desk *s, char word[16])
{
    const image_format *const format = s->job->scan.format;
    const bool written = format && format->encode_slices && !format->without;
    snprintf(word, 16, ".%s", written ? format->extensions[0] : "nrrd");
    return word;
}

/* Appends the labels if at least one voxel is labelled; they take many bytes. */
static bool add_labels(const scan_desk *s, bytes *to)
{
    const size_t count = scan_desk_voxels(s), start = to->size;
    bool any = false;
    for (size_t i = 0; !any && i < count; i++) any = s->labels[i] && s->labels[i] != TILECUT_OUTSIDE;
    if (!any) return true;
    if (!bytes_append(to, s->labels, count)) return false;
    for (size_t i = start; i < to->size; i++)
        if (to->data[i] == TILECUT_OUTSIDE) to->data[i] = TILECUT_UNKNOWN;
    return true;
}

bool desk_add_scan(const desk *d, bytes *to)
{
    const scan_desk *const s = d->scan;
    const double meaning[] = {s->low, s->step};
    const double *const said = s->job->scan.spacing, unit[] = {1, 1, 1};
    const seeds_request *const request = &s->job->base->request->inputs->request;
    char sides[4], word[16];
    bytes legend = {0};
    scan_desk_sides(s, sides);
    const bool good =
        message_add_number(to, "width", s->whole.width) && message_add_number(to, "height", s->whole.height) &&
        message_add_number(to, "slices", s->whole.depth) && message_add(to, "sides", sides) &&
        add_real(to, "spacing", said[0] > 0 ? said : unit, 3) &&
        message_add_number(to, "millimetres", said[0] > 0) &&
        add_real(to, "meaning", meaning, 2) && add_real(to, "range", s->job->base->run.range, 2) &&
        (!request->volume_box_given || add_real(to, "box", request->volume_box, 6)) && add_given(s, to) &&
        message_add_number(to, "missing", s->job->missing) && message_add_number(to, "number", s->prior_number) &&
        (s->prior_number != 1 || !d->prior_name || message_add(to, "mask", d->prior_name)) &&
        message_add_number(to, "corrects", d->corrects) && message_add_number(to, "learns", d->learns) &&
        message_add(to, "ending", ending(s, word)) && desk_legend_write(&s->legend, &legend) &&
        message_add_number(to, "legend", (int64_t)legend.size) &&
        bytes_append(to, "\n", 1) && bytes_append(to, legend.data, legend.size) && add_labels(s, to);
    bytes_free(&legend);
    return good;
}

/* Receives the names and colours of labels as lines, see desk_legend.h. If labels have disappeared, stops the running
 * cut. */
bool desk_legend_call(desk *d, const message *m, answer *out)
{
    bool anew = false;
    while (d->cutting) {
        desk_stop_cut(d);
        pthread_cond_wait(&d->changed, &d->mutex);
    }
    if (scan_desk_name(d->scan, m->body, m->body_size, d->mask, &anew, &out->why)) return desk_failed(out);
    if (anew) desk_stop_cut(d);
    return bytes_append(&out->data, "\n", 1);
}

/* Sends a plane: its samples if "scan" is 1, and the mask as the page shows it if "mask" is 1. */
bool desk_slice(desk *d, const message *m, answer *out)
{
    scan_plane plane = {0};
    int samples = 0, mask = 0;
    bytes *const to = &out->data;
    if (!message_numbers(m, "axis", 1, &plane.axis) || !message_numbers(m, "index", 1, &plane.index) ||
        !scan_desk_plane(d->scan, &plane))
        return desk_refuse(out, 400, EXIT_USAGE, "the request names no plane of the scan");
    (void)message_numbers(m, "scan", 1, &samples);
    (void)message_numbers(m, "mask", 1, &mask);
    return message_add_number(to, "width", plane.width) && message_add_number(to, "height", plane.height) &&
           bytes_append(to, "\n", 1) && (!samples || scan_desk_add_samples(d->scan, &plane, to)) &&
           (!mask || scan_desk_add_mask(d->scan, &plane, d->mask, to));
}

int desk_encode_scan(desk *d, failure *why)
{
    output *const all[] = {d->mask_out, d->strokes_out};
    int status = EXIT_DONE;
    for (int i = 0; i < 2 && !status; i++) {
        if (!all[i]) continue;
        bytes_free(&all[i]->data);
        all[i]->done = false;
        status = scan_desk_encode(d->scan, all[i]->path, i ? d->scan->labels : d->mask, i, &all[i]->data, why);
    }
    return status;
}

/* Sends a file. "what" chooses it: 0 the mask, 1 the strokes, 2 the mask that the strokes correct. "as" is its format:
 * 0 that of the scan, 1 NIfTI, 2 a segmentation of 3D Slicer. */
bool desk_file(desk *d, const message *m, answer *out)
{
    static const char *const endings[] = {NULL, ".nii.gz", ".seg.nrrd"};
    char name[32], word[16];
    int what = 0, as = 0;
    (void)message_numbers(m, "what", 1, &what);
    (void)message_numbers(m, "as", 1, &as);
    if (as < 0 || as > 2) return desk_refuse(out, 400, EXIT_USAGE, "the request names no format");
    const uint8_t *const voxels = what == 1 ? d->scan->labels : what == 2 ? d->scan->prior : d->mask;
    if (!voxels) return desk_refuse(out, 400, EXIT_USAGE, "no mask is corrected");
    if (what != 1 && what != 2 && (!d->mask_version || d->mask_version != d->version))
        return desk_refuse(out, ANSWER_OVERTAKEN, EXIT_RUNTIME, "overtaken");
    snprintf(name, sizeof name, "file%s", as ? endings[as] : ending(d->scan, word));
    if (!message_add(&out->data, "name", name) || !bytes_append(&out->data, "\n", 1)) return false;
    if (!scan_desk_encode(d->scan, name, voxels, what == 1, &out->data, &out->why))
        return true;
    bytes_free(&out->data);
    return desk_failed(out);
}
