/* SPDX-License-Identifier: MIT */
#include "dicom_stack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 200 };

typedef struct sorting {
    const char *name;
    const dicom_image *images;
    dicom_stack *out;
    notes *log;
    failure *why;
} sorting;

static const dicom_frame *frame_of(const sorting *s, int slice)
{
    const dicom_slice *const at = &s->out->slice[slice];
    return &s->images[at->image].frames[at->frame];
}

static const dicom_facts *facts_of(const sorting *s, int slice)
{
    return &s->images[s->out->slice[slice].image].facts;
}

/* Writes the name of a slice for messages: "IM0001" or "frame 3 of IM0001". */
static const char *call_slice(const sorting *s, int slice, char text[NAME])
{
    const dicom_slice *const at = &s->out->slice[slice];
    const dicom_image *const source = &s->images[at->image];
    if (source->facts.frames > 1) snprintf(text, NAME, "frame %d of %.150s", at->frame + 1, source->name);
    else snprintf(text, NAME, "%.180s", source->name);
    return text;
}

/* ---- Images that go together ------------------------------------------------------------------ */

static bool directions_differ(const dicom_frame *a, const dicom_frame *b)
{
    double most = 0;
    for (int k = 0; k < 6; k++) most = fmax(most, fabs(a->direction[k] - b->direction[k]));
    return !(most < 1e-3);
}

static bool spacings_differ(const dicom_facts *a, const dicom_facts *b)
{
    return !(fabs(a->spacing[0] - b->spacing[0]) <= 1e-3 * a->spacing[0] &&
             fabs(a->spacing[1] - b->spacing[1]) <= 1e-3 * a->spacing[1]);
}

static int check_alike(const sorting *s)
{
    const dicom_facts *const first = facts_of(s, 0);
    const dicom_frame *const begins = frame_of(s, 0);
    char one[NAME], other[NAME];
    for (int i = 1; i < s->out->count; i++) {
        const dicom_facts *const f = facts_of(s, i);
        const dicom_frame *const frame = frame_of(s, i);
        const char *const what = f->columns != first->columns || f->rows != first->rows ? "size"
                                 : f->channels != first->channels                       ? "number of channels"
                                 : spacings_differ(first, f)                            ? "spacing"
                                 : frame->placed != begins->placed                      ? "kind of place"
                                 : begins->placed && directions_differ(begins, frame)   ? "direction"
                                                                                        : NULL;
        if (!what) continue;
        return fail(s->why, EXIT_INPUT, "%s: holds images that are no slices of one volume: %s has another %s than %s; "
                    "put those that belong together into a folder of their own", s->name, call_slice(s, i, other), what,
                    call_slice(s, 0, one));
    }
    return EXIT_DONE;
}

/* ---- Order ------------------------------------------------------------------------------------ */

/* Computes the unit normal of a frame from the directions of its rows and columns. */
static void find_normal(const dicom_frame *f, double normal[3])
{
    const double *const d = f->direction;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        normal[k] = d[a] * d[3 + b] - d[b] * d[3 + a];
    }
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++) normal[k] /= length;
}

/* True if the two directions of a frame have length 1 and are perpendicular, within 1 %. */
static bool is_sound(const dicom_frame *f)
{
    double row = 0, column = 0, both = 0;
    for (int k = 0; k < 3; k++) {
        row += f->direction[k] * f->direction[k];
        column += f->direction[3 + k] * f->direction[3 + k];
        both += f->direction[k] * f->direction[3 + k];
    }
    return fabs(row - 1) < 1e-2 && fabs(column - 1) < 1e-2 && fabs(both) < 1e-2;
}

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_slices(const void *a, const void *b, void *context)
{
    const sorting *const s = context;
    const dicom_slice *const one = a, *const other = b;
    const dicom_frame *const f = &s->images[one->image].frames[one->frame];
    const dicom_frame *const g = &s->images[other->image].frames[other->frame];
    int by = order(one->along, other->along);
    if (!by) by = order(f->moment, g->moment);
    if (!by) by = order(f->number, g->number);
    if (!by) by = strcmp(s->images[one->image].facts.image, s->images[other->image].facts.image);
    if (!by) by = order(one->image, other->image);
    return by ? by : order(one->frame, other->frame);
}

static void sort_slices(sorting *s)
{
    qsort_r(s->out->slice, (size_t)s->out->count, sizeof *s->out->slice, compare_slices, s);
}

/* Sorts slices by their positions along the normal. Positions closer than a hundredth of a voxel count as equal. */
static void order_by_place(sorting *s)
{
    dicom_stack *const out = s->out;
    const dicom_facts *const f = facts_of(s, 0);
    const double near = f->spacing[0] > 0 ? 0.01 * fmin(f->spacing[0], f->spacing[1]) : 1e-3;
    double normal[3];
    find_normal(frame_of(s, 0), normal);
    for (int i = 0; i < out->count; i++) {
        const double *const p = frame_of(s, i)->position;
        out->slice[i].along = p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2];
    }
    sort_slices(s);
    for (int i = 1; i < out->count; i++)
        if (out->slice[i].along - out->slice[i - 1].along < near) out->slice[i].along = out->slice[i - 1].along;
    sort_slices(s);
}

/* Drops copies of an image that is there under several names. */
static void drop_copies(sorting *s)
{
    dicom_stack *const out = s->out;
    char text[NAME];
    int kept = 1, copies = 0;
    for (int i = 1; i < out->count; i++) {
        const dicom_slice *const before = &out->slice[kept - 1], *const it = &out->slice[i];
        const char *const uid = s->images[it->image].facts.image;
        const bool copy = *uid && it->image != before->image && it->frame == before->frame &&
                          !strcmp(uid, s->images[before->image].facts.image);
        if (copy && !copies++) call_slice(s, i, text);
        if (!copy) out->slice[kept++] = *it;
    }
    out->count = kept;
    if (copies) note(s->log, "%s: holds %d images twice, %s among them; each counts once", s->name, copies, text);
}

/* Counts the volumes of a series: the number of slices at each position, which must be the same at all positions. */
static int count_volumes(sorting *s)
{
    dicom_stack *const out = s->out;
    char one[NAME], other[NAME];
    int most = 1, begins = 0;
    while (most < out->count && out->slice[most].along == out->slice[0].along) most++;
    for (int i = most; i <= out->count; i++) {
        if (i < out->count && out->slice[i].along == out->slice[begins].along) continue;
        if (i - begins != most) {
            const int at = i - begins > most ? begins : 0;
            const bool two = at + 1 < out->count && out->slice[at + 1].along == out->slice[at].along;
            if (!two) return fail(s->why, EXIT_INPUT, "%s: holds several images at some places and fewer at %s; some "
                                  "are missing, or several scans are mixed", s->name, call_slice(s, begins, one));
            return fail(s->why, EXIT_INPUT, "%s: holds more images at one place than at others: %s and %s; leave one "
                        "out, or put each scan into a folder of its own", s->name, call_slice(s, at, one),
                        call_slice(s, at + 1, other));
        }
        begins = i;
    }
    out->volumes = most;
    out->depth = out->count / most;
    return EXIT_DONE;
}

/* ---- Place ------------------------------------------------------------------------------------ */

static int check_even(const sorting *s, const double step[3], double length)
{
    const dicom_stack *const out = s->out;
    const int volumes = out->volumes;
    const double *const begins = frame_of(s, 0)->position;
    double worst = 0, widest = 0;
    int wide = 1;
    char one[NAME], other[NAME];
    for (int z = 1; z < out->depth; z++) {
        const double *const p = frame_of(s, z * volumes)->position;
        const double gap = out->slice[z * volumes].along - out->slice[(z - 1) * volumes].along;
        double apart = 0;
        for (int k = 0; k < 3; k++) apart += pow(p[k] - begins[k] - z * step[k], 2);
        worst = fmax(worst, sqrt(apart));
        if (gap > widest) widest = gap, wide = z;
    }
    if (worst <= 0.05 * length) return EXIT_DONE;
    return fail(s->why, EXIT_INPUT, "%s: its slices lie unevenly: %.4g mm from %s to %s, and %.4g on average; slices "
                "are missing, or several scans are mixed", s->name, widest, call_slice(s, (wide - 1) * volumes, one),
                call_slice(s, wide * volumes, other), length);
}

/* Notes that slices are shifted against each other, as those of a tilted gantry are. */
static void note_tilt(const sorting *s, const double step[3], double length)
{
    const double *const spacing = facts_of(s, 0)->spacing;
    const double degrees = 180 / 3.14159265358979323846;
    double normal[3], along = 0;
    find_normal(frame_of(s, 0), normal);
    for (int k = 0; k < 3; k++) along += normal[k] * step[k];
    const double shift = sqrt(fmax(0, length * length - along * along));
    if (shift * (s->out->depth - 1) < 0.5 * fmin(spacing[0], spacing[1])) return;
    note(s->log, "%s: its slices are shifted against each other, as by a gantry tilted by %.1f degrees; the place of "
         "its labels says so, which not every program reads", s->name, degrees * atan2(shift, along));
}

static int find_place(sorting *s)
{
    dicom_stack *const out = s->out;
    const dicom_facts *const f = facts_of(s, 0);
    const dicom_frame *const begins = frame_of(s, 0);
    const double sign[3] = {-1, -1, 1};
    const double *const last = frame_of(s, (out->depth - 1) * out->volumes)->position;
    double step[3], length = 0;
    find_normal(begins, step);
    for (int k = 0; k < 3; k++) {
        if (out->depth > 1) step[k] = (last[k] - begins->position[k]) / (out->depth - 1);
        else step[k] *= f->between > 0 ? f->between : f->spacing[0];
        length += step[k] * step[k];
    }
    length = sqrt(length);
    STEP(check_even(s, step, length));
    if (!(f->spacing[0] > 0)) return EXIT_DONE;
    scan *const to = &out->facts;
    to->placed = true;
    to->spacing[0] = f->spacing[0], to->spacing[1] = f->spacing[1], to->spacing[2] = length;
    for (int r = 0; r < 3; r++) {
        to->place[r][0] = sign[r] * begins->direction[r] * f->spacing[0];
        to->place[r][1] = sign[r] * begins->direction[3 + r] * f->spacing[1];
        to->place[r][2] = sign[r] * step[r];
        to->place[r][3] = sign[r] * begins->position[r];
    }
    note_tilt(s, step, length);
    return EXIT_DONE;
}

/* Orders slices without positions by their numbers. */
static void place_nowhere(sorting *s)
{
    dicom_stack *const out = s->out;
    const dicom_facts *const f = facts_of(s, 0);
    sort_slices(s);
    out->volumes = 1, out->depth = out->count;
    if (out->depth > 1)
        note(s->log, "%s: does not say where its slices lie; they are taken in the order of their numbers", s->name);
    if (!(f->spacing[0] > 0)) return;
    out->facts.spacing[0] = f->spacing[0], out->facts.spacing[1] = f->spacing[1];
    out->facts.spacing[2] = f->between > 0 ? f->between : f->spacing[0];
}

/* ---- Values ----------------------------------------------------------------------------------- */

static void find_scale(sorting *s)
{
    dicom_stack *const out = s->out;
    const dicom_frame *const begins = frame_of(s, 0);
    const dicom_facts *const first = facts_of(s, 0);
    bool inverted = false, tabled = false;
    for (int i = 0; i < out->count; i++) {
        const dicom_frame *const f = frame_of(s, i);
        const dicom_facts *const its = facts_of(s, i);
        out->scaled = out->scaled || f->slope != begins->slope || f->offset != begins->offset ||
                      its->is_signed != first->is_signed || its->bytes != first->bytes;
        inverted = inverted || its->inverted;
        tabled = tabled || its->tabled;
    }
    out->facts.slope = out->scaled ? 1 : begins->slope;
    out->facts.offset = out->scaled ? 0 : begins->offset;
    if (inverted)
        note(s->log, "%s: says that large values are dark (MONOCHROME1); they are taken as they are", s->name);
    if (tabled)
        note(s->log, "%s: has a table of what its values mean (Modality LUT), which is not applied", s->name);
}

int dicom_stack_make(const char *name, const dicom_image *images, int count, dicom_stack *out, notes *log,
                     failure *why)
{
    sorting s = {name, images, out, log, why};
    int64_t frames = 0;
    *out = (dicom_stack){.count = 0};
    for (int i = 0; i < count; i++) frames += images[i].facts.frames;
    out->slice = frames < INT32_MAX ? calloc((size_t)frames + 1, sizeof *out->slice) : NULL;
    if (!out->slice) return fail(why, EXIT_RESOURCES, "%s: not enough memory for the places of its slices", name);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < images[i].facts.frames; k++)
            out->slice[out->count++] = (dicom_slice){.image = i, .frame = k};
    STEP(check_alike(&s));
    if (frame_of(&s, 0)->placed && is_sound(frame_of(&s, 0))) {
        order_by_place(&s);
        drop_copies(&s);
        STEP(count_volumes(&s));
        STEP(find_place(&s));
    } else {
        place_nowhere(&s);
    }
    find_scale(&s);
    return EXIT_DONE;
}

void dicom_stack_free(dicom_stack *stack)
{
    free(stack->slice);
    *stack = (dicom_stack){0};
}
