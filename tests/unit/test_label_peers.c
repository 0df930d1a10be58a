/* SPDX-License-Identifier: MIT
 *
 * test_label_peers.c - label energies given by a caller: on tiny lattices, every labelling against
 * tilecut_labels_solve() and the methods of `bench`. Graph families are the same on every machine, and invalid input is
 * refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "label_peers.h"
#include "random_graph.h"
#include "run_suite.h"

enum { MOST = 12, LABELS_MOST = 4, LINKS = 4 };

/* A tiny lattice in two or three dimensions. */
typedef struct tiny {
    tilecut_labels_arrays arrays;
    int pixels, links, reach[LINKS][3];
    int32_t costs[LABELS_MOST * MOST], link[LINKS][MOST];
} tiny;

static void draw_tiny(tiny *t, uint64_t seed)
{
    static const int plane[LINKS][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const int space[LINKS][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    uint64_t state = seed;
    const bool deep = random_below(&state, 3) == 0;
    const int w = 1 + random_below(&state, 3), h = 1 + random_below(&state, deep ? 2 : 3), d = deep ? 2 : 1;
    *t = (tiny){.arrays = {.width = w, .height = h, .depth = deep ? d : random_below(&state, 2),
                           .labels = 2 + random_below(&state, w * h * d > 6 ? 2 : 3), .costs = t->costs},
                .pixels = w * h * d, .links = deep ? 3 : random_below(&state, 2) ? 4 : 2};
    memcpy(t->reach, deep ? space : plane, sizeof t->reach);
    const int from = -random_below(&state, 20), large = random_below(&state, 8) ? 12 : 1 << 21;
    for (int i = 0; i < t->arrays.labels * t->pixels; i++) t->costs[i] = from + random_below(&state, large);
    for (int k = 0; k < t->links; k++) {
        t->arrays.links[k] = t->link[k];
        /* links that leave the lattice get a cost as well */
        for (int p = 0; p < t->pixels; p++) t->link[k][p] = random_below(&state, 9);
    }
}

static int64_t energy_of(const tiny *t, const uint8_t *label)
{
    const int w = t->arrays.width, h = t->arrays.height;
    int64_t sum = 0;
    for (int p = 0; p < t->pixels; p++) {
        const int x = p % w, y = p / w % h, z = p / w / h;
        sum += t->costs[label[p] * t->pixels + p];
        for (int k = 0; k < t->links; k++) {
            const int at_x = x + t->reach[k][0], at_y = y + t->reach[k][1], at_z = z + t->reach[k][2];
            if (at_x < 0 || at_x >= w || at_y >= h || at_z >= t->pixels / w / h) continue;
            if (label[p] != label[(at_z * h + at_y) * w + at_x]) sum += t->link[k][p];
        }
    }
    return sum;
}

/* Returns the least energy of all labellings in which each pixel keeps its label in `from` or takes `alpha`. If `from`
 * is NULL, pixels may take any label. */
static int64_t least_of(const tiny *t, const uint8_t *from, int alpha)
{
    const int choices = from ? 2 : t->arrays.labels;
    int64_t least = INT64_MAX;
    uint8_t choice[MOST] = {0}, label[MOST];
    for (int p = 0; p < t->pixels;) { /* counts in base `choices` */
        for (int i = 0; i < t->pixels; i++) label[i] = !from ? choice[i] : choice[i] ? (uint8_t)alpha : from[i];
        const int64_t energy = energy_of(t, label);
        if (energy < least) least = energy;
        for (p = 0; p < t->pixels && ++choice[p] == choices; p++) choice[p] = 0;
    }
    return least;
}

/* Copies the energy in the form that the methods of `bench` take: two dimensions, 4 neighbours, nonnegative costs. */
static void copy_energy(const tiny *t, label_energy *e)
{
    ck_assert(label_energy_alloc(e, t->arrays.width, t->arrays.height, t->arrays.labels));
    memcpy(e->data, t->costs, (size_t)(t->arrays.labels * t->pixels) * sizeof *e->data);
    for (int p = 0; p < t->pixels; p++) {
        if ((p + 1) % e->width) e->link[0][p] = t->link[0][p];
        if (p + e->width < t->pixels) e->link[1][p] = t->link[1][p];
    }
}

static void check_methods(const tiny *t, int64_t least, int seed)
{
    tilecut_flag stop = {0};
    label_energy e;
    copy_energy(t, &e);
    for (const label_peer *peer = label_peers; peer->name; peer++) {
        uint8_t label[MOST];
        double bound;
        ck_assert_int_eq(peer->run(&e, &stop, label, &bound), TILECUT_OK);
        const int64_t energy = label_energy_of(&e, label);
        ck_assert_int_eq(energy, energy_of(t, label));
        ck_assert_msg(energy >= least && !(bound > (double)least), "seed %d: %s: %d, bound %g, least %d", seed,
                      peer->name, (int)energy, bound, (int)least);
        const bool exact = peer->run == label_swap && e.labels == 2;
        ck_assert_msg(!exact || energy == least, "seed %d: a swap of two labels is not the minimum", seed);
        for (int alpha = 0; peer->run == label_expansion && alpha < e.labels; alpha++)
            ck_assert_msg(least_of(t, label, alpha) == energy, "seed %d: an expansion is left", seed);
    }
    label_energy_free(&e);
}

LOOP_TEST(every_labelling, 0, 4)
{
    enum { CASES = RANDOM_CASES(150) };
    for (int i = 0; i < CASES; i++) {
        const int seed = _i * CASES + i;
        const char *const solvers[] = {"auto", "bk", "push", "cascade"};
        const tilecut_labels_params how = {.bound_rounds = seed % 3 == 0 ? 40 : 0};
        tilecut_labels_report report = {0};
        uint8_t label[MOST], other[MOST];
        tiny t;
        draw_tiny(&t, (uint64_t)seed);
        const int64_t least = least_of(&t, NULL, 0);
        const tilecut_params params = {.threads = 1 + seed % 2}, named = {.solver = solvers[seed % 4]};
        ck_assert_msg(tilecut_labels_solve(&t.arrays, &params, &how, label, &report) == TILECUT_OK, "seed %d: %s", seed,
                      tilecut_error_detail());
        const int64_t energy = energy_of(&t, label);
        ck_assert_msg(report.energy >= (double)energy && report.energy <= (double)energy && report.certified == 1,
                      "seed %d: %g is told of %d", seed, report.energy, (int)energy);
        ck_assert_msg(report.bound <= (double)least && energy >= least, "seed %d: bound %g, least %d, energy %d", seed,
                      report.bound, (int)least, (int)energy);
        ck_assert_msg(t.arrays.labels > 2 || energy == least, "seed %d: two labels are not the minimum", seed);
        for (int alpha = 0; alpha < t.arrays.labels; alpha++)
            ck_assert_msg(least_of(&t, label, alpha) == energy, "seed %d: an expansion is left", seed);
        ck_assert_int_eq(tilecut_labels_solve(&t.arrays, &named, NULL, other, NULL), TILECUT_OK);
        ck_assert_msg(!memcmp(label, other, (size_t)t.pixels), "seed %d: %s has other labels", seed, named.solver);
        if (t.links == 2) check_methods(&t, least, seed);
    }
}

TEST(families)
{
    static const uint64_t known[] = {0xa4cdc80c69680f5c, 0x52a82bdbeeb0b447, 0x31ad9a91b6137511};
    for (int i = 0; label_family_name(i); i++) {
        const label_request what = {label_family_name(i), 64, 5, 7};
        label_energy e;
        failure why = {0};
        uint64_t sum = 0xcbf29ce484222325u;
        ck_assert_int_eq(label_energy_make(&what, &e, &why), EXIT_DONE);
        for (size_t p = 0; p < e.pixels * 7; p++) sum = (sum ^ (uint64_t)(uint32_t)e.data[p]) * 0x100000001b3u;
        ck_assert_msg(sum == known[i], "%s: %#llx", what.name, (unsigned long long)sum);
        label_energy_free(&e);
    }
}

static void refuse(const tilecut_labels_arrays *a, tilecut_status status, const char *part)
{
    uint8_t label[6] = {77, 77, 77, 77, 77, 77};
    ck_assert_int_eq(tilecut_labels_solve(a, NULL, NULL, label, NULL), status);
    ck_assert_msg(strstr(tilecut_error_detail(), part) != NULL, "%s", tilecut_error_detail());
    for (int p = 0; p < 6; p++) ck_assert_int_eq(label[p], 77);
}

TEST(refused)
{
    static int32_t costs[18], links[6], odd[6] = {0, 0, -1}, large[18] = {[8] = (1 << 21) + 1}, heavy[6] = {0, 1 << 20};
    static const tilecut_labels_arrays good = {.width = 3, .height = 2, .labels = 3, .costs = costs,
                                               .links = {links, links}};
    tilecut_labels_arrays a = good;
    uint8_t label[6];
    ck_assert_int_eq(tilecut_labels_solve(&a, NULL, NULL, label, NULL), TILECUT_OK);
    a.labels = 1, refuse(&a, TILECUT_EINVAL, "1 labels"), a = good;
    a.labels = 256, refuse(&a, TILECUT_EINVAL, "256 labels"), a = good;
    a.width = 0, refuse(&a, TILECUT_EINVAL, "0x2"), a = good;
    a.depth = -1, refuse(&a, TILECUT_EINVAL, "depth"), a = good;
    a.costs = NULL, refuse(&a, TILECUT_EINVAL, "costs is NULL"), a = good;
    a.links[1] = NULL, refuse(&a, TILECUT_EINVAL, "links is NULL"), a = good;
    a.links[2] = links, refuse(&a, TILECUT_EINVAL, "links[2] and links[3]"), a = good;
    a.size = 4, refuse(&a, TILECUT_EINVAL, "tilecut_labels_arrays"), a = good;
    a.costs = large, refuse(&a, TILECUT_ERANGE, "pixel 2,0,0"), a = good;
    a.links[1] = odd, refuse(&a, TILECUT_ERANGE, "negative at pixel 2,0,0"), a = good;
    ck_assert_int_eq(tilecut_labels_solve(&a, NULL, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_labels_solve(NULL, NULL, NULL, label, NULL), TILECUT_EINVAL);
    a.links[0] = odd, odd[1] = 1; /* a negative cost is valid at a link that leaves the lattice */
    ck_assert_int_eq(tilecut_labels_solve(&a, NULL, NULL, label, NULL), TILECUT_OK);
    a.links[0] = heavy;
    ck_assert_int_eq(tilecut_labels_solve(&a, NULL, NULL, label, NULL), TILECUT_OK);
    heavy[0] = 1;
    refuse(&a, TILECUT_ERANGE, "2^20 together at pixel 1,0,0");
}

int main(void) { return run_suite((test_suite){.name = "label_peers", .seconds = 120}); }
