/* SPDX-License-Identifier: MIT
 *
 * mixture.c - fits Gaussian mixtures. It starts with k-means++ (Arthur & Vassilvitskii 2007) with a fixed random
 * sequence, and then runs expectation maximisation (Dempster, Laird & Rubin 1977). Samples are the distinct colours of
 * a coarse lattice with their pixel counts: thousands rather than millions, so a fit takes a millisecond. Threads
 * divide the groups of lanes among themselves: each lane is summed by one thread, always in the same order.
 */
#include "mixture.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mixture_math.h"
#include "parallel.h"
#include "simd.h"
#include "status.h"

enum { PARTS = TC_MIXTURE_PARTS };

tilecut_status tc_samples_init(tc_samples *samples, size_t count)
{
    *samples = (tc_samples){.count = count, .x = malloc((4 * count + 1) * sizeof(double))};
    if (!samples->x) return tc_fail(TILECUT_ENOMEM, "no memory for %zu colours", count);
    samples->y = samples->x + count;
    samples->z = samples->y + count;
    samples->weight = samples->z + count;
    return TILECUT_OK;
}

void tc_samples_free(tc_samples *samples)
{
    free(samples->x);
    *samples = (tc_samples){0};
}

/* A group of neighbouring lanes, whose sums of all moments fit into the registers of AVX2. */
enum { GROUP = 4, GROUPS = TC_LANES / GROUP };
typedef double group __attribute__((vector_size(GROUP * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Samples ordered by lane: those of a group follow each other, `steps` times GROUP of them, which is `each`. The last
 * ones may be padding with weight 0. */
typedef struct fitting {
    const tc_samples *samples;
    size_t steps, each;
    double *x, *y, *z, *weight; /* [GROUPS][each]                                                           */
    double *best;               /* [GROUPS][each] the nearest centre of each sample                         */
    double *nearest, *key;      /* [count] used while centres are chosen                                    */
    double *density[PARTS], *sum, *share; /* [each] for one group: density by part; sum over all parts; share of a
                                             part */
    double (*lane)[TC_MOMENTS][TC_LANES]; /* [PARTS] sums of moments by lane                                */
    double total;               /* the sum of all weights                                                   */
    double centre[PARTS][3];
    int centres;                /* how many centres were chosen; 0: the fit starts from a mixture           */
    tc_mixture *mixture;
} fitting;

/* ---- Sums in lanes ---------------------------------------------------------------------------- */

TC_VECTOR_LOOP static double sum_lanes(const double *lane)
{
    double all[TC_LANES / 32];
    for (int i = 0; i < TC_LANES / 32; i++, lane += 32) {
        double sum[16];
        for (int l = 0; l < 16; l++) sum[l] = lane[l] + lane[l + 16];
        for (int l = 0; l < 8; l++) sum[l] += sum[l + 8];
        for (int l = 0; l < 4; l++) sum[l] += sum[l + 4];
        all[i] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
    return ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
}

/* Adds the samples of a group to the sums of their lanes, as tc_moments_add() does. */
TC_VECTOR_LOOP static void add_moments(const group *w, const group *x, const group *y, const group *z, size_t steps,
                                       size_t at, double lane[TC_MOMENTS][TC_LANES])
{
    group s[TC_MOMENTS] = {{0}};
    for (size_t i = 0; i < steps; i++) {
        const group wx = w[i] * x[i], wy = w[i] * y[i], wz = w[i] * z[i];
        s[0] += w[i], s[1] += wx, s[2] += wy, s[3] += wz;
        s[4] += wx * x[i], s[5] += wx * y[i], s[6] += wx * z[i];
        s[7] += wy * y[i], s[8] += wy * z[i], s[9] += wz * z[i];
    }
    for (int a = 0; a < TC_MOMENTS; a++) memcpy(lane[a] + at, &s[a], sizeof s[a]);
}

/* Does the same for the first four moments only: weight and means. */
TC_VECTOR_LOOP static void add_means(const group *w, const group *x, const group *y, const group *z, size_t steps,
                                     size_t at, double lane[TC_MOMENTS][TC_LANES])
{
    group s[4] = {{0}};
    for (size_t i = 0; i < steps; i++) s[0] += w[i], s[1] += w[i] * x[i], s[2] += w[i] * y[i], s[3] += w[i] * z[i];
    for (int a = 0; a < 4; a++) memcpy(lane[a] + at, &s[a], sizeof s[a]);
}

static double sum_weights(const tc_samples *samples)
{
    double lane[TC_LANES] = {0};
    for (size_t i = 0; i < samples->count; i++) lane[i % TC_LANES] += samples->weight[i];
    return sum_lanes(lane);
}

/* ---- The start -------------------------------------------------------------------------------- */

TC_VECTOR_LOOP static void draw_keys(const double *restrict weight, const double *restrict nearest, uint32_t draw,
                                     int count, double *restrict key)
{
    for (int i = 0; i < count; i++) {
        const double chance = weight[i] * nearest[i];
        key[i] = chance > 0 ? tc_draw_key(draw, (uint32_t)i, chance) : -HUGE_VAL;
    }
}

TC_VECTOR_LOOP static void approach(const double *restrict x, const double *restrict y, const double *restrict z,
                                    const double *restrict centre, int count, double *restrict nearest)
{
    for (int i = 0; i < count; i++) {
        const double d = tc_squared_distance(x[i], y[i], z[i], centre);
        nearest[i] = d < nearest[i] ? d : nearest[i];
    }
}

/* Draws a new centre, which is likely to be far from the present ones. Returns false if every sample is at a centre. */
static bool draw_centre(const fitting *f, const double *nearest, uint32_t draw, double centre[3])
{
    const tc_samples *s = f->samples;
    double *const key = f->key;
    size_t best = 0;
    draw_keys(s->weight, nearest, draw, (int)s->count, key);
    for (size_t i = 1; i < s->count; i++)
        if (key[i] > key[best]) best = i;
    centre[0] = s->x[best], centre[1] = s->y[best], centre[2] = s->z[best];
    return !isinf(key[best]);
}

/* Chooses up to PARTS centres that are far from each other. Returns their number. */
static int choose_centres(fitting *f, int start)
{
    const tc_samples *s = f->samples;
    double *const nearest = f->nearest;
    int chosen = 0;
    for (size_t i = 0; i < s->count; i++) nearest[i] = TC_FARTHEST;
    while (chosen < PARTS && draw_centre(f, nearest, (uint32_t)(start * PARTS + chosen), f->centre[chosen])) {
        approach(s->x, s->y, s->z, f->centre[chosen], (int)s->count, nearest);
        chosen++;
    }
    return chosen;
}

/* Assigns the samples from `at` on to centre k if it is nearer than their centre so far. */
TC_VECTOR_LOOP static void note_nearer(const fitting *f, size_t at, int k)
{
    const double *restrict const x = f->x + at, *restrict const y = f->y + at, *restrict const z = f->z + at;
    const double centre[3] = {f->centre[k][0], f->centre[k][1], f->centre[k][2]};
    double *restrict const least = f->sum, *restrict const best = f->best + at;
    const int count = (int)f->each;
    for (int i = 0; i < count; i++) {
        const double d = tc_squared_distance(x[i], y[i], z[i], centre);
        best[i] = d < least[i] ? k : best[i];
        least[i] = d < least[i] ? d : least[i];
    }
}

/* Sets the weight of each sample in part k: its whole weight if it belongs to that part, else 0. */
TC_VECTOR_LOOP static void mark_part(const double *restrict best, const double *restrict weight, int k, size_t count,
                                     double *restrict share)
{
    for (size_t i = 0; i < count; i++) share[i] = best[i] == k ? weight[i] : 0;
}

/* Sums the moments of group g for the samples nearest to each centre: all moments, or only those of the means. */
static void sum_marked(const fitting *f, size_t g, bool all)
{
    const size_t at = g * f->each;
    const group *const x = (void *)(f->x + at), *const y = (void *)(f->y + at), *const z = (void *)(f->z + at);
    const group *const w = (void *)f->share;
    for (int k = 0; k < PARTS; k++) {
        mark_part(f->best + at, f->weight + at, k, f->each, f->share);
        if (all) add_moments(w, x, y, z, f->steps, g * GROUP, f->lane[k]);
        else add_means(w, x, y, z, f->steps, g * GROUP, f->lane[k]);
    }
}

/* Assigns each sample of group g to the nearest centre. */
static void assign(const fitting *f, size_t g)
{
    const size_t at = g * f->each;
    double *const least = f->sum, *const best = f->best + at;
    for (size_t i = 0; i < f->each; i++) least[i] = TC_FARTHEST, best[i] = 0;
    for (int k = 0; k < f->centres; k++) note_nearer(f, at, k);
}

/* Moves centre k to the mean of the samples nearest to it. */
static void move_centre(fitting *f, int k)
{
    double sums[4];
    for (int a = 0; a < 4; a++) sums[a] = sum_lanes(f->lane[k][a]);
    for (int a = 0; a < 3 && sums[0] > 0; a++) f->centre[k][a] = sums[1 + a] / sums[0];
}

/* ---- Expectation maximisation ----------------------------------------------------------------- */

/* The maximisation step of part k: makes a new Gaussian from the sums of all lanes. */
static void maximise(const fitting *f, int k)
{
    double sums[TC_MOMENTS];
    for (int a = 0; a < TC_MOMENTS; a++) sums[a] = sum_lanes(f->lane[k][a]);
    tc_gaussian_of(&f->mixture->part[k], sums, f->total);
}

TC_VECTOR_LOOP static void set_density(const tc_gaussian *g, const double *restrict x, const double *restrict y,
                                       const double *restrict z, int count, double *restrict density)
{
    const tc_gaussian part = *g;
    for (int i = 0; i < count; i++) density[i] = tc_gaussian_density(&part, x[i], y[i], z[i]);
}

TC_VECTOR_LOOP static void add_to(const double *restrict term, int count, double *restrict sum)
{
    for (int i = 0; i < count; i++) sum[i] += term[i];
}

/* The density of part k at each sample; 0 if the part is unused. */
static void evaluate(const tc_mixture *mixture, const tc_samples *s, int k, double *density)
{
    if (mixture->part[k].weight > 0) set_density(&mixture->part[k], s->x, s->y, s->z, (int)s->count, density);
    else memset(density, 0, s->count * sizeof *density);
}

void tc_mixture_densities(const tc_mixture *mixture, const tc_samples *samples, double *scratch, double *density)
{
    evaluate(mixture, samples, 0, density);
    for (int k = 1; k < PARTS; k++) {
        evaluate(mixture, samples, k, scratch);
        add_to(scratch, (int)samples->count, density);
    }
}

TC_VECTOR_LOOP static void share_out(int k, const double *restrict density, const double *restrict all,
                                     const double *restrict weight, size_t count, double *restrict share)
{
    for (size_t i = 0; i < count; i++) share[i] = tc_share(k, density[i], all[i]) * weight[i];
}

/* Sums the moments of group g for each part. */
static void em_group(const fitting *f, size_t g)
{
    const size_t at = g * f->each;
    const tc_samples s = {.count = f->each, .x = f->x + at, .y = f->y + at, .z = f->z + at};
    for (int k = 0; k < PARTS; k++) {
        evaluate(f->mixture, &s, k, f->density[k]);
        if (k == 0) memcpy(f->sum, f->density[0], f->each * sizeof *f->sum);
        else add_to(f->density[k], (int)f->each, f->sum);
    }
    for (int k = 0; k < PARTS; k++) {
        share_out(k, f->density[k], f->sum, f->weight + at, f->each, f->share);
        add_moments((void *)f->share, (void *)s.x, (void *)s.y, (void *)s.z, f->steps, g * GROUP, f->lane[k]);
    }
}

/* Writes one channel of the samples of all groups. */
static void sort_by_lane(const fitting *f, const double *from, double *to)
{
    const size_t count = f->samples->count;
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t step = 0; step < f->steps; step++)
            for (size_t l = 0; l < GROUP; l++) {
                const size_t i = step * TC_LANES + g * GROUP + l;
                *to++ = i < count ? from[i] : 0;
            }
}

/* The bytes that each thread needs for itself: density, sum and share. */
static size_t own_room(const fitting *f)
{
    return (PARTS + 2) * f->each;
}

static void take_room(fitting *f, double *room)
{
    for (int k = 0; k < PARTS; k++, room += f->each) f->density[k] = room;
    f->sum = room, f->share = room + f->each;
}

static tilecut_status fitting_init(fitting *f, const tc_samples *samples, tc_mixture *mixture, int threads)
{
    const size_t steps = (samples->count + TC_LANES - 1) / TC_LANES, each = steps * GROUP, all = GROUPS * each;
    *f = (fitting){.samples = samples, .steps = steps, .each = each, .total = sum_weights(samples), .mixture = mixture};
    const size_t own = (size_t)threads * own_room(f);
    double *next = f->x = malloc((5 * all + own + PARTS * TC_MOMENTS * TC_LANES) * sizeof *next);
    if (!next) return tc_fail(TILECUT_ENOMEM, "no memory for a mixture of %zu colours", samples->count);
    f->y = next += all, f->z = next += all, f->weight = next += all, f->best = next += all;
    f->lane = (void *)(next += all);
    take_room(f, next + PARTS * TC_MOMENTS * TC_LANES);
    f->nearest = f->x, f->key = f->y; /* centres are chosen before samples are sorted */
    return TILECUT_OK;
}

static void sort_samples(const fitting *f)
{
    const tc_samples *const s = f->samples;
    sort_by_lane(f, s->x, f->x);
    sort_by_lane(f, s->y, f->y);
    sort_by_lane(f, s->z, f->z);
    sort_by_lane(f, s->weight, f->weight);
}

/* ---- All of it -------------------------------------------------------------------------------- */

enum { LLOYD, LAST_LLOYD, EM };

/* One round by all threads: each sums some groups, and then finishes some parts. */
static void round_of(fitting *f, const fitting *own, int step, tc_team *team, int worker)
{
    const int size = tc_team_size(team);
    for (int g = GROUPS * worker / size; g < GROUPS * (worker + 1) / size; g++) {
        if (step == LLOYD) assign(own, (size_t)g);
        if (step == EM) em_group(own, (size_t)g);
        else sum_marked(own, (size_t)g, step == LAST_LLOYD);
    }
    tc_team_barrier(team);
    for (int k = worker; k < PARTS; k += size) {
        if (step != LLOYD) maximise(f, k);
        else if (k < f->centres) move_centre(f, k);
    }
    tc_team_barrier(team);
}

static void fit_together(void *context, tc_team *team, int worker)
{
    fitting *const f = context;
    fitting own = *f;
    take_room(&own, f->density[0] + (size_t)worker * own_room(f));
    for (int round = 0; f->centres && round < TC_LLOYD_ROUNDS; round++) {
        memcpy(own.centre, f->centre, sizeof own.centre);
        round_of(f, &own, LLOYD, team, worker);
    }
    if (f->centres) round_of(f, &own, LAST_LLOYD, team, worker);
    for (int round = 0; round < TC_EM_ROUNDS; round++) round_of(f, &own, EM, team, worker);
}

tilecut_status tc_mixture_fit(tc_mixture *mixture, const tc_samples *samples, int start, int threads)
{
    enum { SAMPLES_A_THREAD = 512 };
    const int useful = threads > 1 ? tc_threads_for(threads, (int64_t)samples->count, SAMPLES_A_THREAD) : 1;
    fitting f;

    NEED(fitting_init(&f, samples, mixture, useful));
    if (start >= 0) f.centres = choose_centres(&f, start);
    sort_samples(&f);
    tc_parallel_team(useful, fit_together, &f);
    free(f.x);
    return TILECUT_OK;
}
