/* SPDX-License-Identifier: MIT
 *
 * volume_energy.c - capacities from voxels. Grey values become 8 or 16 bits, slices are laid one below the other as an
 * image, and the colour model and its tables are those of energy.c. Links are computed here. Their weights depend on
 * the distance of two voxels, so each axis has a table of its own.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "energy.h"
#include "energy_math.h"
#include "parallel.h"
#include "status.h"
#include "volume.h"
#include "volume_math.h"

/* A volume on its way to capacities. */
typedef struct making {
    const tilecut_volume *volume;
    tc_comm *comm;        /* of slices, if the volume is a part of one; else NULL */
    tc_comm rows;          /* the same, of the image's rows              */
    tilecut_image image;    /* all slices, one below the other, packed    */
    void *grey;             /* of image                                   */
    uint8_t *labels;        /* seeds without TILECUT_OUTSIDE              */
    tc_stored room[2];      /* owned, if the part has a store: both; else they are owned */
    tc_energy energy;
    int links;
    int32_t *table[TC_WIDE_LINKS]; /* owned: capacity by contrast key, each link */
    int threads;            /* that have enough to do */
    tc_grey_scale scale;
    uint64_t *sums;         /* [slices of the whole][2] of squared differences, and how many there are */
    int32_t *source, *sink, *to[TC_WIDE_LINKS]; /* what is made */
} making;

static void scale_slice(void *context, int z)
{
    const making *const m = context;
    const tilecut_volume *const v = m->volume;
    for (int y = 0; y < v->height; y++) {
        const void *const row = tc_volume_row(v, y, z);
        const size_t at = ((size_t)z * (size_t)v->height + (size_t)y) * (size_t)v->width;
        for (int x = 0; x < v->width; x++) {
            const double grey = tc_grey_of(&m->scale, tc_voxel_value(row, v->type, (size_t)x));
            if (m->scale.depth == 8) ((uint8_t *)m->grey)[at + (size_t)x] = (uint8_t)grey;
            else ((uint16_t *)m->grey)[at + (size_t)x] = (uint16_t)grey;
        }
    }
}

/* ---- What a part that waits has on disk ------------------------------------------------------- */

static void rest(const void *idle)
{
    const making *const m = idle;
    for (int i = 0; i < 2; i++) tc_stored_rest(&m->room[i]);
}

static int store_of(const making *m)
{
    return m->comm ? m->comm->store : 0;
}

/* What there is too little of. */
static const char *room_of(const making *m)
{
    return store_of(m) ? "room in the file" : "memory";
}

/* Memory for grey values or labels. */
static void *take(making *m, int slot, size_t bytes)
{
    return store_of(m) ? tc_stored_take(&m->room[slot], bytes, store_of(m)) : malloc(bytes);
}

static void free_room(making *m)
{
    if (!store_of(m)) {
        free(m->grey);
        free(m->labels);
    }
    for (int i = 1; i >= 0; i--) tc_stored_free(&m->room[i]);
}

static tilecut_status scale_grey(making *m)
{
    const tilecut_volume *const v = m->volume;
    const size_t rows = (size_t)v->height * (size_t)v->depth, width = (size_t)v->width;
    double low = 0, high = 0;
    NEED(tc_volume_range(v, m->comm, m->threads, &low, &high));
    m->scale = tc_grey_scale_of(v->type, low, high);
    const int depth = m->scale.depth;
    m->grey = take(m, 0, rows * width * (size_t)(depth / 8));
    if (!m->grey) return tc_fail(TILECUT_ENOMEM, "no %s for the grey values of %zu voxels", room_of(m), rows * width);
    tc_parallel(m->threads, v->depth, scale_slice, m);
    m->image = (tilecut_image){.width = v->width, .height = (int)rows, .channels = 1, .depth = depth,
                               .pixels = m->grey};
    return TILECUT_OK;
}

/* ---- Contrast --------------------------------------------------------------------------------- */

static int64_t grey_at(const making *m, size_t i)
{
    return m->image.depth == 8 ? ((const uint8_t *)m->grey)[i] : ((const uint16_t *)m->grey)[i];
}

/* A link's step in numbers of voxels. */
static ptrdiff_t step_along(const tilecut_volume *v, int k)
{
    const tc_wide_step s = tc_wide_steps[k];
    return ((ptrdiff_t)s.z * v->height + s.y) * v->width + s.x;
}

/* The voxels of row (y, z) that have a neighbour along link k: *first .. *end - 1. */
static void row_linked(const tilecut_volume *v, int y, int z, int k, int *first, int *end)
{
    const tc_wide_step s = tc_wide_steps[k];
    const bool there = y + s.y >= 0 && y + s.y < v->height && z + s.z < v->depth;
    *first = s.x < 0 ? 1 : 0;
    *end = there ? v->width - (s.x > 0) : 0;
}

/* Adds up the squared differences over the links out of an own slice, and counts them. */
static void sum_slice(void *context, int own)
{
    const making *const m = context;
    const tilecut_volume *const v = m->volume;
    const int z = tc_own_rows_of(m->comm, v->depth).first + own;
    uint64_t squares = 0, count = 0;
    for (int r = 0; r < v->height * m->links; r++) {
        const int y = r / m->links, k = r % m->links;
        const ptrdiff_t row = ((ptrdiff_t)z * v->height + y) * v->width, step = step_along(v, k);
        int first, end;
        row_linked(v, y, z, k, &first, &end);
        for (ptrdiff_t i = row + first; i < row + end; i++) {
            const int64_t d = grey_at(m, (size_t)i) - grey_at(m, (size_t)(i + step));
            squares += (uint64_t)(d * d);
            count++;
        }
    }
    uint64_t *const sums = m->sums + 2 * ((size_t)tc_comm_above(m->comm) + (size_t)z);
    sums[0] = squares, sums[1] = count;
}

/* beta from the mean squared difference over all links. Sums of a slice are whole numbers, which parts tell each other,
 * and slices are added in order. */
static tilecut_status find_beta(making *m, double *beta)
{
    const tc_own_rows own = tc_own_rows_of(m->comm, m->volume->depth);
    const size_t depth = (size_t)tc_comm_height(m->comm, m->volume->depth);
    uint64_t *const sums = m->sums = calloc(2 * depth, sizeof *sums);
    tilecut_status status = TILECUT_OK;
    double sum = 0, links = 0;
    if (!sums) return tc_fail(TILECUT_ENOMEM, "no memory for the contrast of %zu slices", depth);
    tc_parallel(m->threads, own.end - own.first, sum_slice, m);
    TRY(tc_comm_allreduce(m->comm, (int64_t *)sums, 2 * depth)); /* all but one are zero, so no sign is lost */
    for (size_t z = 0; z < depth; z++) {
        sum += (double)sums[2 * z];
        links += (double)sums[2 * z + 1];
    }
    *beta = tc_automatic_beta(m->image.depth, sum, links);
done:
    free(sums);
    return status;
}

/* ---- Capacities ------------------------------------------------------------------------------- */

/* The labels of own slices. In the rim nothing is known. */
static tilecut_status copy_labels(making *m, const uint8_t *seeds)
{
    const size_t slice = (size_t)m->volume->width * (size_t)m->volume->height;
    const size_t voxels = slice * (size_t)m->volume->depth;
    const tc_own_rows own = tc_own_rows_of(m->comm, m->volume->depth);
    m->labels = take(m, 1, voxels);
    if (!m->labels) return tc_fail(TILECUT_ENOMEM, "no %s for the labels of %zu voxels", room_of(m), voxels);
    memset(m->labels, TILECUT_UNKNOWN, voxels);
    for (size_t i = slice * (size_t)own.first; i < slice * (size_t)own.end; i++)
        m->labels[i] = seeds[i] == TILECUT_OUTSIDE ? TILECUT_BACKGROUND : seeds[i];
    return TILECUT_OK;
}

/* Counts rows of the image instead of slices. */
static void count_in_rows(making *m)
{
    const int height = m->volume->height;
    if (!m->comm) return;
    m->rows = *m->comm;
    m->rows.first *= height, m->rows.rows *= height, m->rows.above *= height, m->rows.height *= height;
}

/* Learns colours from the seeds and tabulates capacities, for an image without links across slices in mind. */
static tilecut_status learn(making *m, const uint8_t *seeds, const tc_setup *given)
{
    tc_setup setup = *given;
    double beta = 0;

    if (store_of(m)) m->comm->rest = rest, m->comm->idle = m;
    if (!(setup.sigma > 0)) NEED(find_beta(m, &beta));
    NEED(copy_labels(m, seeds));
    count_in_rows(m);
    if (beta > 0) setup.sigma = tc_volume_sigma(beta);
    setup.connectivity = 4, setup.iterations = -1;
    setup.spatial = 0, setup.prior = NULL;
    setup.comm = m->comm ? &m->rows : NULL;
    const tilecut_status status = tc_energy_init(&m->energy, &m->image, m->labels, &setup);
    if (m->comm) m->comm->told = m->rows.told, m->comm->broken = m->rows.broken;
    NEED(status);
    for (int k = 0; k < m->links; k++) {
        m->table[k] = malloc((size_t)m->energy.keys * sizeof *m->table[k]);
        if (!m->table[k]) return tc_fail(TILECUT_ENOMEM, "no memory for %d link capacities", m->energy.keys);
    }
    return TILECUT_OK;
}

void tc_volume_distances(const tilecut_volume *v, double distance[3])
{
    const double *const s = v->spacing;
    const bool given = s[0] != 0 || s[1] != 0 || s[2] != 0;
    const double least = fmin(s[0], fmin(s[1], s[2]));
    for (int k = 0; k < 3; k++) distance[k] = given ? s[k] / least : 1;
}

static void tabulate(making *m)
{
    const tc_energy *const e = &m->energy;
    double axis[3];
    tc_volume_distances(m->volume, axis);
    for (int k = 0; k < m->links; k++)
        for (int32_t key = 0; key < e->keys; key++) {
            const tc_wide_step s = tc_wide_steps[k];
            const double x = s.x * axis[0], y = s.y * axis[1], z = s.z * axis[2];
            const double distance = k < 3 ? axis[k] : sqrt(x * x + y * y + z * z);
            const double contrast = tc_contrast_of(m->image.depth, key);
            m->table[k][key] = tc_volume_link(e->lambda, e->quantum, distance, e->beta, contrast);
        }
}

static int32_t seed_capacity(const making *m)
{
    int32_t links = 0;
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): every depth has keys
    for (int k = 0; k < m->links; k++) links += m->table[k][0];
    return tc_volume_seed_capacity(links, m->energy.quantum);
}

static void write_terminals(const making *m, int r)
{
    const size_t width = (size_t)m->image.width, at = (size_t)r * width;
    const int32_t most = seed_capacity(m);
    tc_energy_terminals(&m->energy, r, m->labels + at, m->source + at, m->sink + at);
    for (size_t i = at; i < at + width && !m->energy.soft_seeds; i++) {
        if (m->labels[i] == TILECUT_UNKNOWN) continue;
        m->source[i] = m->labels[i] == TILECUT_FOREGROUND ? most : 0;
        m->sink[i] = m->labels[i] == TILECUT_FOREGROUND ? 0 : most;
    }
}

static void write_links(const making *m, int k, int r)
{
    const tilecut_volume *const v = m->volume;
    const ptrdiff_t step = step_along(v, k), width = v->width;
    const int32_t last = m->energy.keys - 1;
    int first, end;
    row_linked(v, r % v->height, r / v->height, k, &first, &end);
    memset(m->to[k] + r * width, 0, (size_t)width * sizeof *m->to[k]);
    for (ptrdiff_t i = r * width + first; i < r * width + end; i++) {
        const int64_t d = grey_at(m, (size_t)i) - grey_at(m, (size_t)(i + step));
        const int32_t key = m->image.depth == 8 ? (int32_t)(d * d) : tc_contrast_key((uint64_t)(d * d));
        m->to[k][i] = m->table[k][key < last ? key : last];
    }
}

/* All capacities of a slice. */
static void write_slice(void *context, int z)
{
    const making *const m = context;
    const int height = m->volume->height;
    for (int r = z * height; r < (z + 1) * height; r++) write_terminals(m, r);
    for (int k = 0; k < m->links; k++)
        for (int r = z * height; r < (z + 1) * height; r++) write_links(m, k, r);
}

/* ---- The whole -------------------------------------------------------------------------------- */

tilecut_status tc_volume_check_voxels(const tilecut_volume *v)
{
    NEED(tc_volume_check_size(v->width, v->height, v->depth));
    if (!v->voxels) return tc_fail(TILECUT_EINVAL, "the volume has no voxels");
    if (v->type < TILECUT_VOXEL_U8 || v->type > TILECUT_VOXEL_F32)
        return tc_fail(TILECUT_EINVAL, "voxels of type %d; 0 to 3 are understood", v->type);
    const size_t packed = tc_volume_row_bytes(v), bytes = packed / (size_t)v->width;
    const size_t row = v->row_stride ? v->row_stride : packed;
    if (row < packed || (v->slice_stride && v->slice_stride / row < (size_t)v->height))
        return tc_fail(TILECUT_EINVAL, "strides of %zu and %zu bytes are too small for %dx%d voxels of %zu bytes", row,
                       v->slice_stride, v->width, v->height, bytes);
    if ((uintptr_t)v->voxels % bytes || row % bytes || v->slice_stride % bytes)
        return tc_fail(TILECUT_EINVAL, "rows of voxels have to begin at multiples of %zu bytes", bytes);
    const double *const s = v->spacing;
    const bool given = s[0] != 0 || s[1] != 0 || s[2] != 0;
    for (int k = 0; given && k < 3; k++)
        if (!(s[k] > 0) || !isfinite(s[k]) || s[k] > 1e6 * fmin(s[0], fmin(s[1], s[2])))
            return tc_fail(TILECUT_EINVAL, "a spacing of %g x %g x %g; each has to be above 0, none 10^6 times another",
                           s[0], s[1], s[2]);
    if (!isfinite(v->low) || !isfinite(v->high) || ((v->low != 0 || v->high != 0) && !(v->low < v->high)))
        return tc_fail(TILECUT_EINVAL, "low is %g and high %g; low has to be below high", v->low, v->high);
    return TILECUT_OK;
}

tilecut_status tc_volume_from_voxels(tc_volume *out, const tilecut_volume *volume, const uint8_t *seeds, int links,
                                     const tc_setup *setup)
{
    making m = {.volume = volume, .comm = setup->comm, .links = links};
    tilecut_status status = TILECUT_OK;
    *out = (tc_volume){0};
    TRY(tc_volume_check_voxels(volume));
    if (!seeds) return tc_fail(TILECUT_EINVAL, "seeds is NULL");
    tilecut_volume_arrays *const a = &out->arrays;
    *a = (tilecut_volume_arrays){.width = volume->width, .height = volume->height, .depth = volume->depth};
    const size_t voxels = tc_volume_voxels(a), bytes = (2 + (size_t)links) * voxels * sizeof *out->memory;
    m.threads = tc_threads_that_pay(setup->threads, (int64_t)voxels);
    TRY(scale_grey(&m));
    TRY(learn(&m, seeds, setup));
    tabulate(&m);
    out->memory = store_of(&m) ? tc_stored_take(&out->stored, bytes, store_of(&m)) : malloc(bytes);
    if (!out->memory) {
        status = tc_fail(TILECUT_ENOMEM, "no %s for the capacities of %zu voxels", room_of(&m), voxels);
        goto done;
    }
    a->source = m.source = out->memory;
    a->sink = m.sink = out->memory + voxels;
    out->links = links;
    for (int k = 0; k < links; k++) {
        int32_t *const to = m.to[k] = out->memory + (size_t)(2 + k) * voxels;
        out->to[k] = to;
        if (k < 3) a->to[k] = a->from[k] = to;
    }
    tc_parallel(m.threads, volume->depth, write_slice, &m);
    out->quantum = m.energy.quantum, out->lambda = m.energy.lambda, out->beta = m.energy.beta;
    if (m.energy.model) out->colors = m.energy.model->name;
done:
    tc_energy_free(&m.energy);
    for (int k = 0; k < TC_WIDE_LINKS; k++) free(m.table[k]);
    if (m.comm) m.comm->rest = NULL;
    free_room(&m);
    if (status != TILECUT_OK) tc_volume_free(out);
    return status;
}

void tc_volume_free(tc_volume *volume)
{
    if (!volume->stored.start) free(volume->memory);
    tc_stored_free(&volume->stored);
    *volume = (tc_volume){0};
}
