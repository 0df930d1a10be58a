/* SPDX-License-Identifier: MIT
 *
 * scan_desk.c - see scan_desk.h. A cell of the sketch is a box of voxels. Its value is their mean. Its label is the
 * most frequent one among its voxels that strokes have labelled. If two labels are equally frequent, it has none.
 */
#include "scan_desk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SKETCH_CELLS = 1 << 18 }; /* the most cells that a sketch may have */

static const int *sides_of(const tilecut_volume *v) { return &v->width; }

_Static_assert(offsetof(tilecut_volume, depth) == offsetof(tilecut_volume, width) + 2 * sizeof(int), "in a row");

static size_t voxels_of(const tilecut_volume *v)
{
    return (size_t)v->width * (size_t)v->height * (size_t)v->depth;
}

size_t scan_desk_voxels(const scan_desk *d) { return voxels_of(&d->whole); }
size_t scan_desk_cells(const scan_desk *d) { return voxels_of(&d->small); }

/* ---- the sketch ------------------------------------------------------------------------------- */

/* Chooses how many voxels make a cell: lengthens the cells along the axis where they are shortest, again and again,
 * until the sketch is small enough. */
static void choose_factors(scan_desk *d)
{
    const int *const side = sides_of(&d->whole);
    int *const factor = d->factor;
    for (int k = 0; k < 3; k++) factor[k] = 1;
    for (;;) {
        double cells = 1;
        int next = -1, cut[3];
        for (int k = 0; k < 3; k++) {
            const int count = (side[k] + factor[k] - 1) / factor[k];
            const double length = d->whole.spacing[k] > 0 ? d->whole.spacing[k] : 1;
            cells *= count;
            if (count > 1 && (next < 0 || length * factor[k] < d->small.spacing[next])) next = k;
            d->small.spacing[k] = length * factor[k];
            cut[k] = count;
        }
        d->small.width = cut[0], d->small.height = cut[1], d->small.depth = cut[2];
        if (cells <= SKETCH_CELLS || next < 0) return;
        factor[next]++;
    }
}

static void set_value(const tilecut_volume *v, void *voxels, size_t i, double value)
{
    switch (v->type) {
    case TILECUT_VOXEL_U8: ((uint8_t *)voxels)[i] = (uint8_t)lround(value); break;
    case TILECUT_VOXEL_U16: ((uint16_t *)voxels)[i] = (uint16_t)lround(value); break;
    case TILECUT_VOXEL_I16: ((int16_t *)voxels)[i] = (int16_t)lround(value); break;
    default: ((float *)voxels)[i] = (float)value;
    }
}

/* Finds the voxels of a cell: from[k] to end[k] - 1 along axis k. */
static void cell_at(const scan_desk *d, size_t cell, int from[3], int end[3])
{
    for (int k = 0; k < 3; k++) {
        const int side = sides_of(&d->whole)[k];
        const size_t cells = (size_t)sides_of(&d->small)[k];
        from[k] = (int)(cell % cells) * d->factor[k];
        cell /= cells;
        end[k] = side - from[k] < d->factor[k] ? side : from[k] + d->factor[k];
    }
}

static double mean_of_cell(const scan_desk *d, size_t cell)
{
    const scan *const s = &d->job->scan;
    int from[3], end[3];
    double sum = 0;
    int64_t count = 0;
    cell_at(d, cell, from, end);
    for (int z = from[2]; z < end[2]; z++)
        for (int y = from[1]; y < end[1]; y++) {
            const size_t row = ((size_t)z * (size_t)d->whole.height + (size_t)y) * (size_t)d->whole.width;
            for (int x = from[0]; x < end[0]; x++, count++) sum += scan_stored(s->voxels, s->type, row + (size_t)x);
        }
    return sum / (double)count;
}

/* Counts how often each value occurs in a cell. Returns how many voxels the cell has. */
static int count_cell(const scan_desk *d, const uint8_t *voxels, size_t cell, int count[256])
{
    int from[3], end[3];
    cell_at(d, cell, from, end);
    memset(count, 0, 256 * sizeof *count);
    for (int z = from[2]; z < end[2]; z++)
        for (int y = from[1]; y < end[1]; y++) {
            const uint8_t *const row =
                voxels + ((size_t)z * (size_t)d->whole.height + (size_t)y) * (size_t)d->whole.width;
            for (int x = from[0]; x < end[0]; x++) count[row[x]]++;
        }
    return (end[0] - from[0]) * (end[1] - from[1]) * (end[2] - from[2]);
}

static uint8_t label_of_cell(const scan_desk *d, size_t cell)
{
    int count[256], most = TILECUT_UNKNOWN;
    const int voxels = count_cell(d, d->labels, cell, count);
    const int outside = count[TILECUT_OUTSIDE];
    count[TILECUT_UNKNOWN] = count[TILECUT_OUTSIDE] = 0;
    bool two = false;
    for (int code = 1; code < 256; code++) {
        two = count[code] == count[most] || (two && count[code] < count[most]);
        if (count[code] > count[most]) most = code;
    }
    if (count[most]) return two ? TILECUT_UNKNOWN : (uint8_t)most;
    return 2 * outside > voxels ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
}

static size_t cell_number(const scan_desk *d, const int at[3])
{
    return ((size_t)at[2] * (size_t)d->small.height + (size_t)at[1]) * (size_t)d->small.width + (size_t)at[0];
}

/* Sets the labels of all cells that overlap a box of voxels. */
static void label_cells(scan_desk *d, const int box[6])
{
    int first[3], last[3], at[3];
    for (int k = 0; k < 3; k++) first[k] = box[k] / d->factor[k], last[k] = (box[k] + box[3 + k] - 1) / d->factor[k];
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                const size_t cell = cell_number(d, at);
                d->small_labels[cell] = label_of_cell(d, cell);
            }
}

static int make_sketch(scan_desk *d, failure *why)
{
    d->small = d->whole;
    choose_factors(d);
    const size_t cells = voxels_of(&d->small), voxel = scan_voxel_bytes(d->whole.type);
    void *const voxels = malloc(cells * voxel);
    d->small.voxels = voxels;
    d->small_labels = calloc(cells, 1);
    d->small_mask = calloc(cells, 1);
    d->anchor = calloc(cells, 1);
    if (!voxels || !d->small_labels || !d->small_mask || !d->anchor)
        return fail(why, EXIT_RESOURCES, "not enough memory for a sketch of the scan");
    for (size_t cell = 0; cell < cells; cell++) set_value(&d->small, voxels, cell, mean_of_cell(d, cell));
    label_cells(d, (const int[]){0, 0, 0, d->whole.width, d->whole.height, d->whole.depth});
    return EXIT_DONE;
}

/* ---- samples for the screen ------------------------------------------------------------------- */

/* Chooses how values become samples. Integers are only shifted so that none is negative; the range of floats is divided
 * into equal steps. */
static void choose_samples(scan_desk *d)
{
    const scan *const s = &d->job->scan;
    double least = s->type == TILECUT_VOXEL_I16 ? INT16_MIN : 0, step = 1;
    if (s->type == TILECUT_VOXEL_F32) {
        double most = least = scan_stored(s->voxels, s->type, 0);
        for (size_t i = 0; i < scan_desk_voxels(d); i++) {
            least = fmin(least, scan_stored(s->voxels, s->type, i));
            most = fmax(most, scan_stored(s->voxels, s->type, i));
        }
        step = most > least ? (most - least) / UINT16_MAX : 1;
    }
    d->low = s->slope * least + s->offset;
    d->step = s->slope * step;
}

bool scan_desk_plane(const scan_desk *d, scan_plane *p)
{
    const int *const side = sides_of(&d->whole);
    const size_t step[] = {1, (size_t)side[0], (size_t)side[0] * (size_t)side[1]};
    if (p->axis < 0 || p->axis > 2 || p->index < 0 || p->index >= side[p->axis]) return false;
    const int across = p->axis == 0 ? 1 : 0, down = p->axis == 2 ? 1 : 2;
    p->width = side[across], p->height = side[down];
    p->along = step[across], p->down = step[down];
    p->first = (size_t)p->index * step[p->axis];
    return true;
}

bool scan_desk_add_samples(const scan_desk *d, const scan_plane *p, bytes *to)
{
    const scan *const s = &d->job->scan;
    const double low = (d->low - s->offset) / s->slope, step = d->step / s->slope;
    if (!bytes_reserve(to, to->size + 2 * (size_t)p->width * (size_t)p->height)) return false;
    uint8_t *out = to->data + to->size;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++, out += 2) {
            const size_t i = p->first + (size_t)y * p->down + (size_t)x * p->along;
            const double value = scan_stored(s->voxels, s->type, i);
            const unsigned sample = (unsigned)lround(fmin(fmax((value - low) / step, 0), UINT16_MAX));
            out[0] = (uint8_t)sample, out[1] = (uint8_t)(sample >> 8);
        }
    to->size += 2 * (size_t)p->width * (size_t)p->height;
    return true;
}

/* Appends the scan's mask, except where a newer sketch differs from the sketch at the time when that mask was cut. */
bool scan_desk_add_mask(const scan_desk *d, const scan_plane *p, const uint8_t *mask, bytes *to)
{
    const size_t width = (size_t)d->whole.width, slice = width * (size_t)d->whole.height;
    if (!bytes_reserve(to, to->size + (size_t)p->width * (size_t)p->height)) return false;
    uint8_t *out = to->data + to->size;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++, out++) {
            const size_t i = p->first + (size_t)y * p->down + (size_t)x * p->along;
            const size_t c = cell_number(d, (const int[]){(int)(i % width) / d->factor[0],
                                                          (int)(i % slice / width) / d->factor[1],
                                                          (int)(i / slice) / d->factor[2]});
            const bool stays = d->cut && (!d->sketched || d->anchor[c] == d->small_mask[c]);
            *out = stays ? mask[i] : d->sketched ? d->small_mask[c] : 0;
        }
    to->size += (size_t)p->width * (size_t)p->height;
    return true;
}

void scan_desk_sides(const scan_desk *d, char sides[4])
{
    static const char letters[3][2] = {{'L', 'R'}, {'P', 'A'}, {'I', 'S'}};
    const scan *const s = &d->job->scan;
    int used = 0;
    memset(sides, 0, 4);
    for (int k = 0; s->placed && k < 3; k++) {
        int best = -1;
        for (int r = 0; r < 3; r++)
            if (!(used >> r & 1) && (best < 0 || fabs(s->place[r][k]) > fabs(s->place[best][k]))) best = r;
        used |= 1 << best;
        sides[k] = letters[best][s->place[best][k] > 0];
    }
}

/* ---- cutting ---------------------------------------------------------------------------------- */

int scan_desk_begin(scan_desk *d, scan_job *read, failure *why)
{
    *d = (scan_desk){.job = read, .labels = read->base->seeds.label};
    const int status = scan_job_view(read, &d->whole, why);
    if (!status) choose_samples(d);
    return status ? status : make_sketch(d, why);
}

void scan_desk_free(scan_desk *d)
{
    tilecut_volume_session_destroy(d->session);
    tilecut_volume_session_destroy(d->sketch);
    free((void *)(uintptr_t)d->small.voxels);
    free(d->small_labels);
    free(d->small_mask);
    free(d->anchor);
    for (int i = 0; i < SCAN_KEPT; i++) bytes_free(&d->kept[i].mask.data);
    free(d->prior);
    free(d->small_prior);
    *d = (scan_desk){.job = NULL};
}

/* ---- masks that strokes correct ---------------------------------------------------------------- */

int scan_desk_keep(scan_desk *d, const uint8_t *mask)
{
    const size_t count = scan_desk_voxels(d);
    mask_kept now;
    if (!mask_keep(mask, count, &now)) return 0;
    scan_kept *const place = &d->kept[d->kept_count % SCAN_KEPT];
    bytes_free(&place->mask.data);
    *place = (scan_kept){++d->kept_count, now};
    return d->kept_mask = d->kept_count;
}

/* Returns the most frequent value of the prior in a cell; if several are equally frequent, the greatest of them. So a
 * cell that is at least half object becomes object. */
static uint8_t prior_of_cell(const scan_desk *d, size_t cell)
{
    int count[256], most = 0;
    count_cell(d, d->prior, cell, count);
    for (int value = 1; value < 256; value++)
        if (count[value] >= count[most]) most = value;
    return (uint8_t)most;
}

/* Later sketches are compared with the new prior. The page goes on showing the last mask only if that is the prior. */
bool scan_desk_prior(scan_desk *d, int number)
{
    const size_t count = scan_desk_voxels(d), cells = voxels_of(&d->small);
    const scan_kept *const from = &d->kept[(number + SCAN_KEPT - 1) % SCAN_KEPT];
    free(d->prior);
    free(d->small_prior);
    d->prior = d->small_prior = NULL;
    d->prior_number = 0;
    if (!number || number != d->kept_mask) d->cut = false;
    if (!number) return true;
    if (number < 0 || from->number != number) return false;
    d->prior = malloc(count);
    d->small_prior = malloc(cells);
    if (!d->prior || !d->small_prior) return scan_desk_prior(d, 0), false;
    mask_restore(&from->mask, d->prior, count);
    if (d->legend.many) desk_legend_settle(&d->legend, d->prior, count);
    for (size_t cell = 0; cell < cells; cell++) d->small_prior[cell] = prior_of_cell(d, cell);
    d->prior_number = number;
    memcpy(d->small_mask, d->small_prior, cells);
    memcpy(d->anchor, d->small_prior, cells);
    return true;
}

/* ---- strokes ----------------------------------------------------------------------------------- */

int scan_desk_patch(scan_desk *d, const int box[6], const uint8_t *labels, size_t count, failure *why)
{
    const int *const side = sides_of(&d->whole);
    size_t held = 1;
    for (int k = 0; k < 3; k++) {
        if (box[k] < 0 || box[3 + k] < 1 || box[3 + k] > side[k] - box[k])
            return fail(why, EXIT_USAGE, "strokes: %d,%d,%d,%d,%d,%d is not within %dx%dx%d", box[0], box[1], box[2],
                        box[3], box[4], box[5], side[0], side[1], side[2]);
        held *= (size_t)box[3 + k];
    }
    if (held != count) return fail(why, EXIT_USAGE, "the request has not as many labels as it says");
    for (size_t i = 0; i < count; i++)
        if (labels[i] > TILECUT_FOREGROUND && !d->legend.there[labels[i]])
            return fail(why, EXIT_USAGE, "strokes: %d is no label", labels[i]);
    for (int z = 0; z < box[5]; z++)
        for (int y = 0; y < box[4]; y++) {
            uint8_t *const row = d->labels + ((size_t)(box[2] + z) * (size_t)side[1] + (size_t)(box[1] + y)) *
                                                 (size_t)side[0] + (size_t)box[0];
            for (int x = 0; x < box[3]; x++, labels++)
                if (row[x] != TILECUT_OUTSIDE) row[x] = *labels;
        }
    label_cells(d, box);
    return EXIT_DONE;
}

/* Labels unlabelled voxels on the faces of a volume as background. An axis with one or two voxels has no faces. */
static void add_frame(const tilecut_volume *v, uint8_t *labels)
{
    const int *const side = sides_of(v);
    for (int z = 0; z < side[2]; z++)
        for (int y = 0; y < side[1]; y++) {
            uint8_t *const row = labels + ((size_t)z * (size_t)side[1] + (size_t)y) * (size_t)side[0];
            const bool face = (side[2] > 2 && (z == 0 || z == side[2] - 1)) ||
                              (side[1] > 2 && (y == 0 || y == side[1] - 1));
            const int step = face ? 1 : side[0] - 1;
            if (!face && side[0] < 3) continue;
            for (int x = 0; x < side[0]; x += step)
                if (row[x] == TILECUT_UNKNOWN) row[x] = TILECUT_OUTSIDE;
        }
}

/* Makes the labels for a cut from the painted ones. With several labels, outside is unknown to the library and becomes
 * background. */
static void complete(const scan_desk *d, const tilecut_volume *v, const uint8_t *painted, uint8_t *labels)
{
    const size_t count = voxels_of(v);
    memcpy(labels, painted, count);
    if (d->framed) add_frame(v, labels);
    for (size_t i = 0; d->legend.many && i < count; i++)
        if (labels[i] == TILECUT_OUTSIDE) labels[i] = TILECUT_BACKGROUND;
}

void scan_desk_labels(const scan_desk *d, uint8_t *labels) { complete(d, &d->whole, d->labels, labels); }
void scan_desk_small_labels(const scan_desk *d, uint8_t *labels) { complete(d, &d->small, d->small_labels, labels); }

int scan_desk_name(scan_desk *d, const uint8_t *text, size_t size, uint8_t *mask, bool *anew, failure *why)
{
    const bool many = d->legend.many;
    const size_t count = scan_desk_voxels(d), cells = voxels_of(&d->small);
    desk_legend before = d->legend;
    STEP(desk_legend_read(text, size, &d->legend, why));
    *anew = !many;
    for (int code = 0; code < 256; code++) *anew |= before.there[code] && !d->legend.there[code];
    if (!*anew) return EXIT_DONE;
    uint8_t *const small[] = {d->small_mask, d->anchor, d->small_prior};
    desk_legend_settle(&d->legend, mask, count);
    if (d->prior) desk_legend_settle(&d->legend, d->prior, count);
    for (int i = 0; i < 3; i++)
        if (small[i]) desk_legend_settle(&d->legend, small[i], cells);
    for (size_t i = 0; i < count; i++)
        if (d->labels[i] > TILECUT_OUTSIDE && !d->legend.there[d->labels[i]]) d->labels[i] = TILECUT_UNKNOWN;
    label_cells(d, (const int[]){0, 0, 0, d->whole.width, d->whole.height, d->whole.depth});
    d->kept_mask = 0;
    return EXIT_DONE;
}

/* What to cut: the sketch or the whole scan. */
typedef struct cut_of {
    const tilecut_volume *volume;
    tilecut_volume_session **session; /* *session is NULL if there is no session yet */
    const uint8_t *prior;             /* a mask to correct; NULL: cut anew */
    bool many;                        /* true: there are several labels */
} cut_of;

/* Cuts, or corrects the prior. A correction does not use the session, whose flow does not belong to the prior. */
static tilecut_status solve(cut_of what, const uint8_t *labels, const edit_options *options, const tilecut_params *how,
                            uint8_t *mask, tilecut_report *report)
{
    const tilecut_volume *const v = what.volume;
    if (what.many) return desk_legend_cut(v, labels, options->corrects ? what.prior : NULL, how, mask, report);
    if (what.prior && options->corrects) {
        tilecut_volume_session_destroy(*what.session);
        *what.session = NULL;
        memcpy(mask, what.prior, voxels_of(v));
        return tilecut_volume_correct(v, labels, how, options->learns ? TILECUT_BY_LEARNING : TILECUT_BY_STROKES, mask,
                                      NULL, report);
    }
    const tilecut_status status = *what.session ? TILECUT_OK : tilecut_volume_session_create(what.session, v);
    return status ? status : tilecut_volume_session_solve(*what.session, labels, how, mask, report);
}

/* Cuts and cleans. */
static int cut(cut_of what, const uint8_t *labels, const edit_options *options, const tilecut_params *params,
               uint8_t *mask, edit_answer *answer, failure *why)
{
    const tilecut_volume *const v = what.volume;
    const cleanup_lattice slices = {v->width, v->height, v->depth, 6};
    tilecut_params how = *params;
    model_apply(&options->model, &how);
    *answer = (edit_answer){0};
    const tilecut_status status = solve(what, labels, options, &how, mask, &answer->report);
    if (status) return edit_failure(status, why);
    if (cleanup_wanted(&options->cleanup) && !what.many &&
        !cleanup_mask(&options->cleanup, labels, &slices, mask, &answer->cleaned))
        return fail(why, EXIT_RESOURCES, "not enough memory to clean the mask");
    return EXIT_DONE;
}

int scan_desk_sketch(scan_desk *d, const edit_options *options, const tilecut_params *params, edit_answer *answer,
                     failure *why)
{
    const size_t cells = voxels_of(&d->small);
    edit_options small = *options;
    uint8_t *const labels = malloc(cells);
    if (!labels) return fail(why, EXIT_RESOURCES, "not enough memory for a sketch");
    scan_desk_small_labels(d, labels);
    edit_shrink_cleanup(&small.cleanup, (int64_t)d->factor[0] * d->factor[1] * d->factor[2]);
    const cut_of sketch = {&d->small, &d->sketch, d->small_prior, d->legend.many};
    const int status = cut(sketch, labels, &small, params, d->small_mask, answer, why);
    free(labels);
    d->sketched = status == EXIT_DONE;
    if (status == EXIT_SEEDS) d->cut = false; /* nothing holds any more */
    return status;
}

int scan_desk_cut(scan_desk *d, const uint8_t *labels, const edit_options *options, const tilecut_params *params,
                  uint8_t *mask, edit_answer *answer, failure *why)
{
    return cut((cut_of){&d->whole, &d->session, d->prior, d->legend.many}, labels, options, params, mask, answer, why);
}

void scan_desk_proved(scan_desk *d)
{
    d->cut = true;
    d->kept_mask = 0;
    d->sketched = false;
    memcpy(d->anchor, d->small_mask, voxels_of(&d->small));
}

/* ---- files ------------------------------------------------------------------------------------ */

int scan_desk_encode(const scan_desk *d, const char *name, const uint8_t *voxels, bool painted, bytes *to,
                     failure *why)
{
    static const uint8_t number[] = {[TILECUT_UNKNOWN] = 0, [TILECUT_FOREGROUND] = 1, [TILECUT_BACKGROUND] = 2,
                                     [TILECUT_OUTSIDE] = 0};
    const size_t count = scan_desk_voxels(d);
    uint8_t *const copy = malloc(count);
    if (!copy) return fail(why, EXIT_RESOURCES, "%s: not enough memory to write it", name);
    if (d->legend.many) {
        if (painted) scan_desk_labels(d, copy);
        const int done = desk_legend_encode(&d->legend, name, &d->job->scan, painted ? copy : voxels, painted, to, why);
        free(copy);
        return done;
    }
    for (size_t i = 0; i < count; i++) copy[i] = painted ? number[voxels[i]] : voxels[i];
    const scan out = {.width = d->whole.width, .height = d->whole.height, .depth = d->whole.depth,
                      .type = TILECUT_VOXEL_U8, .voxels = copy, .slope = 1};
    const int status = scan_encode(name, &out, &d->job->scan, to, why);
    free(copy);
    return status;
}
