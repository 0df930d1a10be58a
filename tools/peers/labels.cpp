// SPDX-License-Identifier: MIT
//
// labels.cpp - energies of many labels: `tilecut labels` beside plain alpha-expansion from scratch with tilecut's cuts
// and with libmaxflow's (GPL: only in programs of their own), alpha-beta swap, iterated conditional modes, and the
// lower bound of TRW-S; one thread, one process. Prints energy, bound and milliseconds of processor time.
//
//     labels FAMILY SIZE LABELS [SEED]   FAMILY: stereo, noise, superpixels, or all
//     labels tiny CASES                  tries every labelling of tiny lattices
//
// Exit status 1: a bound above an energy, or of a tiny lattice a wrong one.
#include "labels.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>

extern "C" {
#include "labelling.h"
}

static bool wrong;
static std::mt19937 random_numbers;
static int below(int n) { return (int)(random_numbers() % (unsigned)n); }

static double now_ms()
{
    timespec t; // of this process alone: others may keep the machine busy
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

// ---- Families -----------------------------------------------------------------------------------------------------

// The region of a pixel: cells around random points.
static std::vector<int> cells(const energy &e, int count)
{
    std::vector<int> at, cell(e.pixels());
    for (int i = 0; i < count; i++) at.push_back(below(e.width)), at.push_back(below(e.height));
    for (size_t p = 0; p < e.pixels(); p++) {
        long least = 1L << 60;
        for (int i = 0; i < count; i++) {
            const long x = (long)(p % (size_t)e.width) - at[2 * i], y = (long)(p / (size_t)e.width) - at[2 * i + 1];
            if (x * x + y * y < least) least = x * x + y * y, cell[p] = i;
        }
    }
    return cell;
}

// Grey levels with noise; the label is the level.
static void draw_noise(energy *e)
{
    const std::vector<int> cell = cells(*e, 3 * e->labels);
    for (size_t p = 0; p < e->pixels(); p++) {
        const int level = 255 * (cell[p] % e->labels) / (e->labels - 1), seen = level + below(121) - 60;
        for (int k = 0; k < e->labels; k++) {
            const int off = seen - 255 * k / (e->labels - 1);
            e->data[p * (size_t)e->labels + (size_t)k] = off * off / 8;
        }
        e->right[p] = e->down[p] = 400;
    }
}

// A random texture whose regions are shifted by their label in the other view; links are weak where grey values differ.
static void draw_stereo(energy *e)
{
    const std::vector<int> cell = cells(*e, 3 * e->labels);
    const size_t wide = (size_t)(e->width + e->labels), w = (size_t)e->width;
    std::vector<int> other(wide * (size_t)e->height), grey(e->pixels());
    for (int &g : other) g = below(200);
    for (size_t p = 0; p < e->pixels(); p++)
        grey[p] = other[p / w * wide + p % w + (size_t)(cell[p] % e->labels)] + below(31) - 15;
    for (size_t p = 0; p < e->pixels(); p++) {
        for (int k = 0; k < e->labels; k++) {
            const int off = abs(grey[p] - other[p / w * wide + p % w + (size_t)k]);
            e->data[p * (size_t)e->labels + (size_t)k] = off < 40 ? off : 40;
        }
        e->right[p] = p % w + 1 < w && abs(grey[p] - grey[p + 1]) > 20 ? 15 : 30;
        e->down[p] = p + w < e->pixels() && abs(grey[p] - grey[p + w]) > 20 ? 15 : 30;
    }
}

// Patches on a grid (Veksler, Boykov & Mehrani 2010): a pixel may be of any patch near it, and contrast decides.
static void draw_superpixels(energy *e)
{
    const std::vector<int> cell = cells(*e, 4 * e->labels);
    int across = 1;
    while (across * across < e->labels) across++;
    const int side = (e->width > e->height ? e->width : e->height) / across + 1;
    for (size_t p = 0; p < e->pixels(); p++) {
        const size_t w = (size_t)e->width;
        const int x = (int)(p % w), y = (int)(p / w);
        for (int k = 0; k < e->labels; k++) {
            const int dx = abs(x - k % across * side - side / 2), dy = abs(y - k / across * side - side / 2);
            e->data[p * (size_t)e->labels + (size_t)k] = dx <= side && dy <= side ? 0 : 100000;
        }
        e->right[p] = p % w + 1 < w && cell[p] != cell[p + 1] ? 1 + below(10) : 30 + below(20);
        e->down[p] = p + w < e->pixels() && cell[p] != cell[p + w] ? 1 + below(10) : 30 + below(20);
    }
}

static energy make(const std::string &family, int width, int height, int labels)
{
    energy e;
    e.width = width, e.height = height, e.labels = labels;
    e.data.resize(e.pixels() * (size_t)labels);
    e.right.resize(e.pixels()), e.down.resize(e.pixels());
    if (family == "noise") draw_noise(&e);
    else if (family == "stereo") draw_stereo(&e);
    else if (family == "superpixels") draw_superpixels(&e);
    else {
        for (int32_t &d : e.data) d = below(12);
        for (size_t p = 0; p < e.pixels(); p++) e.right[p] = below(9), e.down[p] = below(9);
    }
    for (int y = 0; y < height; y++) e.right[(size_t)(y + 1) * (size_t)width - 1] = 0;
    for (int x = 0; x < width; x++) e.down[e.pixels() - 1 - (size_t)x] = 0;
    return e;
}

// ---- Ours ---------------------------------------------------------------------------------------------------------

static void need(tilecut_status status)
{
    if (status == TILECUT_OK) return;
    fprintf(stderr, "labels: %s\n", tilecut_error_detail());
    exit(2);
}

struct answer {
    labelling labels;
    double bound = 0, ms = 0, bound_ms = 0;
};

// As tilecut_labels() does once costs are known. The library wants the cheapest label of a pixel to cost 0.
static answer ours(const energy &e)
{
    answer a;
    tc_setup setup;
    tc_labelling l;
    int64_t shared = 0, bound;
    int32_t most = 0;
    double start = now_ms();
    need(tc_setup_resolve(&setup, nullptr));
    setup.threads = 1, setup.connectivity = 4;
    need(tc_labelling_init(&l, e.width, e.height, 1, 4, e.labels, &setup));
    const labelling cheap = cheapest(e);
    for (size_t p = 0; p < e.pixels(); p++) {
        const int32_t least = e.cost(p, cheap[p]);
        shared += least;
        for (int k = 0; k < e.labels; k++) l.data[(size_t)k * e.pixels() + p] = e.cost(p, k) - least;
        for (int k = 0; k < 2; k++) {
            l.link[k][p] = e.link(p, k);
            if (e.link(p, k) > most) most = e.link(p, k);
        }
    }
    l.tie = 1 + 4 * most;
    need(tc_labelling_fix(&l));
    need(tc_labelling_expand(&l, nullptr));
    a.ms = now_ms() - start;
    start = now_ms();
    need(tc_labelling_bound(&l, 20, .001, &bound));
    a.bound_ms = now_ms() - start;
    a.bound = (double)bound / 2 + (double)shared;
    a.labels.assign(l.label, l.label + e.pixels());
    tc_labelling_free(&l);
    return a;
}

// ---- The table ----------------------------------------------------------------------------------------------------

static int64_t best_bound;

static void row(const char *family, const char *what, int64_t energy, double ms, double of_ours)
{
    printf("%-12s %-22s %14lld %12.1f %9.2f\n", family, what, (long long)energy, ms, ms / of_ours);
    fflush(stdout);
    if (energy < best_bound) fprintf(stderr, "labels: %s: %s: below the bound\n", family, what), wrong = true;
}

template <typename Work>
static void measure(const energy &e, const char *family, const char *what, double of_ours, Work work)
{
    const double start = now_ms();
    const labelling l = work();
    const double ms = now_ms() - start;
    row(family, what, energy_of(e, l), ms, of_ours);
}

static void compare(const std::string &family, int size, int labels)
{
    const energy e = make(family, size, size, labels);
    const char *const name = family.c_str();
    const answer a = ours(e);
    double start = now_ms();
    trws t(e);
    for (int i = 0; i < 50; i++) t.pass();
    const int64_t bound = t.bound();
    const double bound_ms = now_ms() - start;
    best_bound = bound > (int64_t)a.bound ? bound : (int64_t)a.bound;
    row(name, "tilecut labels", energy_of(e, a.labels), a.ms, a.ms);
    measure(e, name, "expansion", a.ms, [&] { return expansion(e, cut_by_tilecut); });
    measure(e, name, "expansion, libmaxflow", a.ms, [&] { return expansion(e, cut_by_libmaxflow); });
    measure(e, name, "swap", a.ms, [&] { return swaps(e); });
    measure(e, name, "ICM", a.ms, [&] { return icm(e); });
    printf("%-12s %-22s %14.1f %12.1f %9.2f\n", name, "bound, tilecut", a.bound, a.bound_ms, a.bound_ms / a.ms);
    printf("%-12s %-22s %14lld %12.1f %9.2f\n", name, "bound, TRW-S", (long long)bound, bound_ms, bound_ms / a.ms);
}

// ---- Every labelling of tiny lattices -----------------------------------------------------------------------------

static void judge(bool right, int number, const char *what)
{
    if (!right) fprintf(stderr, "labels: tiny lattice %d: %s\n", number, what), wrong = true;
}

static void check_tiny(int number)
{
    random_numbers.seed((unsigned)number);
    const int width = 1 + below(3), labels = 2 + below(2);
    const energy e = make("tiny", width, 1 + below(3), labels);
    labelling l(e.pixels(), 0);
    int64_t least = energy_of(e, l);
    for (size_t p = 0; p < e.pixels();) { // counts in base `labels`
        least = energy_of(e, l) < least ? energy_of(e, l) : least;
        for (p = 0; p < e.pixels() && ++l[p] == labels; p++) l[p] = 0;
    }
    trws t(e);
    for (int i = 0; i < 8; i++) {
        judge(t.bound() <= least, number, "TRW-S is above the minimum");
        t.pass();
    }
    const answer a = ours(e);
    const labelling found[] = {a.labels, expansion(e, cut_by_tilecut), expansion(e, cut_by_libmaxflow), swaps(e),
                               icm(e)};
    judge(a.bound <= (double)least, number, "our bound is above the minimum");
    for (const labelling &f : found) judge(energy_of(e, f) >= least, number, "an energy below the minimum");
    for (int i = 0; i < 3; i++)
        judge(energy_of(e, found[i]) <= 2 * least, number, "an expansion above twice the minimum");
    for (int k = 0; k < labels; k++) {
        labelling moved = found[1];
        judge(!expand(e, k, cut_by_libmaxflow, &moved), number, "an expansion is left");
    }
    if (labels == 2) judge(energy_of(e, found[3]) == least, number, "a swap of two labels is not the minimum");
}

int main(int argc, char **argv)
{
    static const char *const families[] = {"stereo", "noise", "superpixels"};
    if (argc == 3 && !strcmp(argv[1], "tiny")) {
        for (int i = 0; i < atoi(argv[2]); i++) check_tiny(i);
        return wrong;
    }
    if (argc < 4) return fprintf(stderr, "usage: labels FAMILY SIZE LABELS [SEED], or labels tiny CASES\n"), 2;
    printf("%-12s %-22s %14s %12s %9s\n", "family", "", "energy", "ms", "of ours");
    for (const char *family : families)
        if (!strcmp(argv[1], "all") || !strcmp(argv[1], family)) {
            random_numbers.seed(argc > 4 ? (unsigned)atoi(argv[4]) : 1);
            compare(family, atoi(argv[2]), atoi(argv[3]));
        }
    return wrong;
}
