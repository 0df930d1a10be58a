/* SPDX-License-Identifier: MIT
 *
 * labels_given.c - several labels by an energy that the caller gives: tilecut_labels_solve().
 */
#include "door.h"
#include "label_strokes.h"
#include "labelling.h"
#include "labels_cut.h"
#include "parallel.h"
#include "status.h"

enum { COST_MOST = 1 << 21, LINKS_MOST = 1 << 20 };

tilecut_status tc_labels_how_read(tc_labels_how *out, const tilecut_labels_params *how)
{
    if (how) NEED(tc_sized_read(&out->given, sizeof out->given, sizeof out->given, how, "tilecut_labels_params"));
    const int rounds = out->given.bound_rounds;
    if (rounds < TILECUT_NONE || rounds > TILECUT_MAX_BOUND_ROUNDS)
        return tc_fail(TILECUT_EINVAL, "bound_rounds is %d; -1 to %d are understood", rounds, TILECUT_MAX_BOUND_ROUNDS);
    out->rounds = rounds == TILECUT_NONE ? 0 : rounds ? rounds : 20;
    out->enough = rounds ? 0 : .001;
    return TILECUT_OK;
}

static int depth_of(const tilecut_labels_arrays *a)
{
    return a->depth > 1 ? a->depth : 1;
}

static int connectivity_of(const tilecut_labels_arrays *a)
{
    return a->depth > 1 ? 6 : a->links[2] ? 8 : 4;
}

static tilecut_status check_shape(const tilecut_labels_arrays *a)
{
    if (a->depth < 0) return tc_fail(TILECUT_EINVAL, "a depth of %d", a->depth);
    NEED(tc_volume_check_size(a->width, a->height, depth_of(a)));
    const size_t bytes = (size_t)a->width * (size_t)a->height * sizeof(int32_t);
    if (a->labels < 2 || a->labels > TILECUT_MAX_LABELS)
        return tc_fail(TILECUT_EINVAL, "%d labels; 2 to %d are possible", a->labels, TILECUT_MAX_LABELS);
    if (a->depth <= 1 && !a->links[2] != !a->links[3])
        return tc_fail(TILECUT_EINVAL, "links[2] and links[3] go together: 4 or 8 neighbours");
    NEED(tc_samples_check(a->costs, 0, sizeof(int32_t), bytes, a->labels * depth_of(a), "costs"));
    for (int k = 0; k < connectivity_of(a) / 2; k++)
        NEED(tc_samples_check(a->links[k], 0, sizeof(int32_t), bytes, depth_of(a), "an array of links"));
    return TILECUT_OK;
}

static tilecut_status refuse(const tilecut_labels_arrays *a, size_t pixel, const char *what)
{
    const size_t w = (size_t)a->width, h = (size_t)a->height;
    return tc_fail(TILECUT_ERANGE, "%s %d,%d,%d", what, (int)(pixel % w), (int)(pixel / w % h), (int)(pixel / w / h));
}

/* Copies the costs, less the smallest cost of each pixel. *shared is the sum of these smallest costs. */
static tilecut_status take_costs(tc_labelling *l, const tilecut_labels_arrays *a, int64_t *shared)
{
    const size_t n = l->pixels, labels = (size_t)l->labels;
    *shared = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t least = a->costs[i];
        for (size_t k = 1; k < labels; k++)
            if (a->costs[k * n + i] < least) least = a->costs[k * n + i];
        for (size_t k = 0; k < labels; k++) {
            const int64_t more = (int64_t)a->costs[k * n + i] - least;
            if (more > COST_MOST) return refuse(a, i, "two costs differ by more than 2^21 at pixel");
            l->data[k * n + i] = (int32_t)more;
        }
        *shared += least;
    }
    return TILECUT_OK;
}

/* Copies the links. Links that lead out of the lattice become 0. */
static tilecut_status take_links(tc_labelling *l, const tilecut_labels_arrays *a)
{
    const int width = l->width, height = l->height;
    int64_t most = 0;
    for (size_t i = 0; i < l->pixels; i++) {
        const int x = (int)(i % (size_t)width), row = (int)(i / (size_t)width), y = row % height, z = row / height;
        for (int k = 0; k < l->connectivity / 2; k++) {
            const tc_link_steps s = tc_link_step(l->connectivity, k);
            const bool on = x + s.x >= 0 && x + s.x < width && y + s.y < height && z + s.z < l->depth;
            if (on && a->links[k][i] < 0) return refuse(a, i, "a link is negative at pixel");
            l->link[k][i] = on ? a->links[k][i] : 0;
        }
    }
    for (size_t i = 0; i < l->pixels; i++) {
        int64_t all = 0;
        for (int k = 0; k < l->connectivity / 2; k++) {
            const tc_link_steps s = tc_link_step(l->connectivity, k);
            const ptrdiff_t back = ((ptrdiff_t)s.z * height + s.y) * width + s.x;
            all += l->link[k][i];
            if ((ptrdiff_t)i >= back) all += l->link[k][(ptrdiff_t)i - back];
        }
        if (all > LINKS_MOST) return refuse(a, i, "links are more than 2^20 together at pixel");
        if (all > most) most = all;
    }
    l->tie = (int32_t)most + 1;
    return TILECUT_OK;
}

static tilecut_status solve(tc_labelling *l, const tilecut_labels_arrays *a, const tc_labels_how *how, uint8_t *labels,
                            tilecut_labels_report *r)
{
    double clock = tc_now_ms();
    int64_t energy, bound, shared;
    NEED(take_costs(l, a, &shared));
    NEED(take_links(l, a));
    r->model_ms = tc_lap_ms(&clock);
    NEED(tc_labelling_fix(l));
    NEED(tc_labelling_expand(l, NULL));
    r->solve_ms = tc_lap_ms(&clock);
    NEED(tc_labelling_bound(l, how->rounds, how->enough, &bound));
    r->bound_ms = tc_lap_ms(&clock);
    NEED(tc_labelling_energy(l, &energy));
    r->gap = energy > 0 ? 100 * ((double)energy - (double)bound / 2) / (double)energy : 0;
    r->energy = (double)(energy + shared), r->bound = (double)bound / 2 + (double)shared;
    r->labels = l->labels, r->quantum = r->certified = 1, r->solver = l->solver, r->cuts = l->cuts, r->moves = l->moves;
    r->connectivity = l->connectivity, r->threads = l->setup.threads;
    for (size_t i = 0; i < l->pixels; i++) {
        labels[i] = l->label[i];
        r->pixels[l->label[i]]++;
        r->certain += l->fixed[i];
    }
    return TILECUT_OK;
}

tilecut_status tilecut_labels_solve(const tilecut_labels_arrays *arrays, const tilecut_params *params,
                                    const tilecut_labels_params *how, uint8_t *labels, tilecut_labels_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_labels_arrays a;
    tilecut_labels_report made = {0};
    tc_labels_how wanted = {0};
    tc_labelling l = {0};
    tc_visit v = {0};

    if (!arrays) return tc_fail(TILECUT_EINVAL, "arrays is NULL");
    NEED(tc_sized_read(&a, sizeof a, sizeof a, arrays, "tilecut_labels_arrays"));
    NEED(check_shape(&a));
    v.volume = a.depth > 1;
    TRY(tc_enter(&v, params, a.width, a.height * depth_of(&a), labels, true, NULL));
    v.setup.connectivity = connectivity_of(&a);
    TRY(tc_sized_check(report, "tilecut_labels_report"));
    TRY(tc_labels_how_read(&wanted, how));
    TRY(tc_labels_check(&v.setup, a.width, a.height * depth_of(&a)));
    TRY(tc_labelling_init(&l, a.width, a.height, depth_of(&a), v.setup.connectivity, a.labels, &v.setup));
    TRY(solve(&l, &a, &wanted, v.mask.to, &made));
    tc_sized_write(report, sizeof *report, &made, sizeof made);
done:
    tc_labelling_free(&l);
    return tc_leave(&v, status);
}
