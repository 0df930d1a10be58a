// SPDX-License-Identifier: MIT
//
// labels.h - a Potts energy of K labels on a lattice of 4 neighbours, and small programs that lower it: iterated
// conditional modes, alpha-beta swap, alpha-expansion from scratch, and the lower bound of TRW-S.
#ifndef PEER_LABELS_H
#define PEER_LABELS_H

#define MAXFLOW_INCLUDE_TEMPLATE_IMPLEMENTATION
#include <maxflow.h>

#include <cstdint>
#include <vector>

#include "tilecut.h"

struct energy {
    int width = 0, height = 0, labels = 0;
    std::vector<int32_t> data, right, down; // [pixels][labels]; [pixels], 0 where there is no neighbour
    size_t pixels() const { return (size_t)width * (size_t)height; }
    int32_t cost(size_t p, int label) const { return data[p * (size_t)labels + (size_t)label]; }
    int32_t link(size_t p, int k) const { return k ? down[p] : right[p]; }
    size_t next(size_t p, int k) const { return p + (k ? (size_t)width : 1); }
};

typedef std::vector<uint8_t> labelling;

// Every energy that is printed or compared comes from here.
static inline int64_t energy_of(const energy &e, const labelling &l)
{
    int64_t sum = 0;
    for (size_t p = 0; p < e.pixels(); p++) {
        sum += e.cost(p, l[p]);
        for (int k = 0; k < 2; k++)
            if (e.link(p, k) && l[p] != l[e.next(p, k)]) sum += e.link(p, k);
    }
    return sum;
}

static inline labelling cheapest(const energy &e)
{
    labelling l(e.pixels());
    for (size_t p = 0; p < e.pixels(); p++)
        for (int k = 1; k < e.labels; k++)
            if (e.cost(p, k) < e.cost(p, l[p])) l[p] = (uint8_t)k;
    return l;
}

// Besag 1986: each pixel its best label beside its neighbours', until nothing changes.
static inline labelling icm(const energy &e)
{
    labelling l = cheapest(e);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t p = 0; p < e.pixels(); p++) {
            const size_t x = p % (size_t)e.width, w = (size_t)e.width;
            std::vector<int64_t> gain((size_t)e.labels, 0); // of links to neighbours of that label
            if (x) gain[l[p - 1]] += e.right[p - 1];
            if (p >= w) gain[l[p - w]] += e.down[p - w];
            if (e.right[p]) gain[l[p + 1]] += e.right[p];
            if (e.down[p]) gain[l[p + w]] += e.down[p];
            int best = l[p];
            for (int k = 0; k < e.labels; k++)
                if (e.cost(p, k) - gain[(size_t)k] < e.cost(p, best) - gain[(size_t)best]) best = k;
            changed |= best != l[p];
            l[p] = (uint8_t)best;
        }
    }
    return l;
}

// ---- Moves by minimum cuts (Boykov, Veksler & Zabih 2001) --------------------------------------------------------

struct capacities {
    std::vector<int32_t> source, sink, to[2], from[2];
    explicit capacities(size_t n) : source(n), sink(n), to{std::vector<int32_t>(n), std::vector<int32_t>(n)},
                                    from{std::vector<int32_t>(n), std::vector<int32_t>(n)} {}
};

// The side of each pixel: 255 that of the source. Both make the graph anew for each cut.
typedef labelling cutter(const energy &e, const capacities &c);

static inline labelling cut_by_tilecut(const energy &e, const capacities &c)
{
    labelling side(e.pixels());
    tilecut_arrays a = {};
    tilecut_graph *graph = nullptr;
    tilecut_params params = tilecut_params_default();
    a.width = e.width, a.height = e.height, a.source = c.source.data(), a.sink = c.sink.data();
    for (int k = 0; k < 2; k++) a.to[k] = c.to[k].data(), a.from[k] = c.from[k].data();
    params.threads = 1;
    if (tilecut_graph_create(&graph, &a) != TILECUT_OK ||
        tilecut_graph_solve(graph, &params, side.data(), nullptr) != TILECUT_OK)
        throw tilecut_error_detail();
    tilecut_graph_destroy(graph);
    return side;
}

static inline labelling cut_by_libmaxflow(const energy &e, const capacities &c)
{
    typedef maxflow::Graph<int, int, long long> Graph;
    const int n = (int)e.pixels();
    Graph graph(n, 2 * n);
    labelling side(e.pixels());
    graph.add_node(n);
    for (int p = 0; p < n; p++) {
        graph.add_tweights(p, c.source[(size_t)p], c.sink[(size_t)p]);
        for (int k = 0; k < 2; k++)
            if (c.to[k][(size_t)p] || c.from[k][(size_t)p])
                graph.add_edge(p, (int)e.next((size_t)p, k), c.to[k][(size_t)p], c.from[k][(size_t)p]);
    }
    graph.maxflow();
    for (int p = 0; p < n; p++) side[(size_t)p] = graph.what_segment(p, Graph::SOURCE) == Graph::SOURCE ? 255 : 0;
    return side;
}

// Pixels on the sink's side take `alpha`; others keep their label. Returns whether that is cheaper.
static inline bool expand(const energy &e, int alpha, cutter *cut, labelling *l)
{
    capacities c(e.pixels());
    for (size_t p = 0; p < e.pixels(); p++) {
        const int64_t gain = e.cost(p, (*l)[p]) - e.cost(p, alpha);
        c.source[p] = gain < 0 ? (int32_t)-gain : 0;
        c.sink[p] += gain > 0 ? (int32_t)gain : 0;
        for (int k = 0; k < 2; k++) {
            const int32_t w = e.link(p, k);
            if (!w) continue;
            const int one = (*l)[p], two = (*l)[e.next(p, k)];
            if (one == two) c.to[k][p] = c.from[k][p] = one == alpha ? 0 : w;
            else if (one == alpha) c.sink[e.next(p, k)] += w; // costs w if the other end keeps its label
            else if (two == alpha) c.sink[p] += w;
            else c.sink[p] += w, c.from[k][p] = w;
        }
    }
    const labelling side = cut(e, c);
    labelling moved = *l;
    for (size_t p = 0; p < e.pixels(); p++)
        if (!side[p]) moved[p] = (uint8_t)alpha;
    if (energy_of(e, moved) >= energy_of(e, *l)) return false;
    *l = moved;
    return true;
}

// Pixels of labels alpha and beta choose anew between the two: alpha on the sink's side.
static inline bool swap_labels(const energy &e, int alpha, int beta, labelling *l)
{
    capacities c(e.pixels());
    labelling moved = *l;
    const auto is_free = [&](size_t p) { return (*l)[p] == alpha || (*l)[p] == beta; };
    for (size_t p = 0; p < e.pixels(); p++) {
        if (!is_free(p)) continue;
        const int32_t gain = e.cost(p, beta) - e.cost(p, alpha);
        (gain > 0 ? c.sink : c.source)[p] = gain > 0 ? gain : -gain;
        for (int k = 0; k < 2; k++)
            if (e.link(p, k) && is_free(e.next(p, k))) c.to[k][p] = c.from[k][p] = e.link(p, k);
    }
    const labelling side = cut_by_tilecut(e, c);
    for (size_t p = 0; p < e.pixels(); p++)
        if (is_free(p)) moved[p] = (uint8_t)(side[p] ? beta : alpha);
    if (energy_of(e, moved) >= energy_of(e, *l)) return false;
    *l = moved;
    return true;
}

static inline labelling expansion(const energy &e, cutter *cut)
{
    labelling l = cheapest(e);
    for (int alpha = 0, in_vain = 0; in_vain < e.labels; alpha = (alpha + 1) % e.labels)
        in_vain = expand(e, alpha, cut, &l) ? 1 : in_vain + 1;
    return l;
}

static inline labelling swaps(const energy &e)
{
    labelling l = cheapest(e);
    for (bool changed = true; changed;) {
        changed = false;
        for (int a = 0; a < e.labels; a++)
            for (int b = a + 1; b < e.labels; b++) changed |= swap_labels(e, a, b, &l);
    }
    return l;
}

// ---- TRW-S (Kolmogorov, PAMI 2006) --------------------------------------------------------------------------------

// The bound after so many passes there and back, in whole numbers: messages say how much of a pixel's costs belongs to
// the chain along its row; that is rounded, its column gets the rest, and the minima of all chains are added up.
class trws {
    const energy &e;
    std::vector<double> into[4]; // messages from the left, from above, from the right, from below

    double *message(int from, size_t p) { return &into[from][p * (size_t)e.labels]; }
    double sum(size_t p, int k)
    {
        double all = e.cost(p, k);
        for (int from = 0; from < 4; from++) all += message(from, p)[k];
        return all;
    }
    // To the neighbour along link k, forward or back; of the pixel's own costs each chain has its share.
    void send(size_t p, int k, bool back)
    {
        const size_t w = k ? (size_t)e.width : 1, to = back ? p - w : p + w;
        const int32_t cost = e.link(back ? to : p, k);
        double *const out = message(back ? k + 2 : k, to), *const in = message(back ? k : k + 2, p);
        double least = 1e300;
        for (int j = 0; j < e.labels; j++) {
            out[j] = sum(p, j) / 2 - in[j];
            if (out[j] < least) least = out[j];
        }
        for (int j = 0; j < e.labels; j++) out[j] = (out[j] < least + cost ? out[j] : least + cost) - least;
    }
    int64_t chain(size_t first, size_t count, int k, const std::vector<int64_t> &own) const
    {
        std::vector<int64_t> best((size_t)e.labels, 0);
        const size_t step = k ? (size_t)e.width : 1;
        int64_t least = 0;
        for (size_t i = 0; i < count; i++) {
            const size_t p = first + i * step;
            const int64_t most = i ? least + e.link(p - step, k) : 0;
            for (size_t j = 0; j < (size_t)e.labels; j++)
                best[j] = (i && best[j] > most ? most : best[j]) + own[p * (size_t)e.labels + j];
            least = best[0];
            for (const int64_t b : best) least = b < least ? b : least;
        }
        return least;
    }

public:
    explicit trws(const energy &of) : e(of)
    {
        for (auto &m : into) m.assign(e.data.size(), 0);
    }
    void pass()
    {
        for (size_t p = 0; p < e.pixels(); p++)
            for (int k = 0; k < 2; k++)
                if (e.link(p, k)) send(p, k, false);
        for (size_t p = e.pixels(); p-- > 0;) {
            if (p % (size_t)e.width && e.right[p - 1]) send(p, 0, true);
            if (p >= (size_t)e.width && e.down[p - (size_t)e.width]) send(p, 1, true);
        }
    }
    int64_t bound()
    {
        std::vector<int64_t> row(e.data.size()), column(e.data.size());
        int64_t all = 0;
        for (size_t p = 0; p < e.pixels(); p++)
            for (int j = 0; j < e.labels; j++) {
                const size_t at = p * (size_t)e.labels + (size_t)j;
                row[at] = (int64_t)(sum(p, j) / 2 - message(0, p)[j] - message(2, p)[j]);
                column[at] = e.data[at] - row[at];
            }
        for (int y = 0; y < e.height; y++) all += chain((size_t)y * (size_t)e.width, (size_t)e.width, 0, row);
        for (int x = 0; x < e.width; x++) all += chain((size_t)x, (size_t)e.height, 1, column);
        return all;
    }
};

#endif
