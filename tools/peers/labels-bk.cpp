// SPDX-License-Identifier: MIT
//
// labels-bk.cpp - alpha-expansion (Boykov, Veksler & Zabih 2001) of an energy with many labels by libmaxflow (Debian
// package libmaxflow-dev, GPL: only here), each move from scratch. The file holds 32-bit numbers: width, height and
// number of labels; the cost of each label at each pixel; links to the right, and down. The labels are written to MASK,
// and `flow` is their energy.
#define MAXFLOW_INCLUDE_TEMPLATE_IMPLEMENTATION
#include <maxflow.h>

#include <vector>

#include "peer.h"

typedef maxflow::Graph<int, int, long long> Graph;

struct energy {
    int32_t width, height, labels;
    std::vector<int32_t> cost, link[2];
    size_t pixels() const { return (size_t)width * (size_t)height; }
    int32_t at(size_t p, int label) const { return cost[(size_t)label * pixels() + p]; }
    size_t next(size_t p, int k) const { return p + (k ? (size_t)width : 1); }
};

typedef std::vector<unsigned char> labelling;

static energy read(const char *path)
{
    energy e;
    int32_t head[3];
    FILE *file = fopen(path, "rb");
    if (!file) peer_refuse(path, "cannot be opened");
    if (fread(head, sizeof head, 1, file) != 1 || head[0] < 1 || head[1] < 1 || head[2] < 2 || head[2] > 255)
        peer_refuse(path, "no energy of many labels");
    e.width = head[0], e.height = head[1], e.labels = head[2];
    e.cost.resize(e.pixels() * (size_t)e.labels), e.link[0].resize(e.pixels()), e.link[1].resize(e.pixels());
    for (std::vector<int32_t> *v : {&e.cost, &e.link[0], &e.link[1]})
        if (fread(v->data(), 4, v->size(), file) != v->size()) peer_refuse(path, "ends early");
    fclose(file);
    return e;
}

static long long energy_of(const energy &e, const labelling &l)
{
    long long sum = 0;
    for (size_t p = 0; p < e.pixels(); p++) {
        sum += e.at(p, l[p]);
        for (int k = 0; k < 2; k++)
            if (e.link[k][p] && l[p] != l[e.next(p, k)]) sum += e.link[k][p];
    }
    return sum;
}

// Builds the graph of a move. Pixels on the sink's side take `alpha`; others keep their label.
static void build(const energy &e, const labelling &l, int alpha, Graph *graph)
{
    graph->add_node((int)e.pixels());
    for (size_t p = 0; p < e.pixels(); p++) {
        const int gain = e.at(p, l[p]) - e.at(p, alpha);
        graph->add_tweights((int)p, gain < 0 ? -gain : 0, gain > 0 ? gain : 0);
        for (int k = 0; k < 2; k++) {
            const int w = e.link[k][p];
            if (!w) continue;
            const size_t q = e.next(p, k);
            if (l[p] == alpha && l[q] == alpha) continue;
            if (l[p] == alpha) graph->add_tweights((int)q, 0, w); // costs w if the other pixel keeps its label
            else if (l[q] == alpha) graph->add_tweights((int)p, 0, w);
            else if (l[p] == l[q]) graph->add_edge((int)p, (int)q, w, w);
            else graph->add_tweights((int)p, 0, w), graph->add_edge((int)p, (int)q, 0, w);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: labels-bk ENERGY [LABELS]");
    const energy e = read(argv[1]);
    if (e.pixels() > INT32_MAX / 4) peer_no("too many pixels for it");
    const double before = peer_baseline();
    double building = 0, solving = 0;
    labelling l(e.pixels(), 0), moved;
    for (size_t p = 0; p < e.pixels(); p++)
        for (int k = 1; k < e.labels; k++)
            if (e.at(p, k) < e.at(p, l[p])) l[p] = (unsigned char)k;
    long long least = energy_of(e, l);
    for (int alpha = 0, in_vain = 0; in_vain < e.labels; alpha = (alpha + 1) % e.labels) {
        const double start = peer_ms();
        Graph graph((int)e.pixels(), (int)(2 * e.pixels()));
        build(e, l, alpha, &graph);
        const double built = peer_ms();
        graph.maxflow();
        moved = l;
        for (size_t p = 0; p < e.pixels(); p++)
            if (graph.what_segment((int)p, Graph::SOURCE) == Graph::SINK) moved[p] = (unsigned char)alpha;
        const long long now = energy_of(e, moved);
        if (now < least) least = now, l = moved, in_vain = 1;
        else in_vain++;
        building += built - start, solving += peer_ms() - built;
    }
    peer_report("bk", building, solving, peer_peak() - before, least);
    if (argc > 2) peer_write_mask(argv[2], l.data(), l.size());
    return 0;
}
