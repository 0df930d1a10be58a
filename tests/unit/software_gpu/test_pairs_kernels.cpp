// SPDX-License-Identifier: MIT
//
// test_pairs_kernels.cpp - matching, assignment and breadth-first search on a simulated GPU (cuda_runtime.h in this
// folder): on random graphs, the number of pairs, the cover, the cost and the levels equal those of the CPU and pass
// its proofs.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "graft_kernel.cuh"
#include "levels_kernel.cuh"
#include "scaling_update.cuh"

#include "levels.h"
#include "match_side.h"
#include "random_graph.h"

/* A random bipartite graph with costs, in the arrays that a caller would give. */
struct drawn {
    std::vector<int32_t> row, column;
    std::vector<int64_t> cost;
    tilecut_network_edges edges = {};
    tc_bipartite graph = {};

    ~drawn() { tc_bipartite_free(&graph); }
    drawn() = default;
    drawn(const drawn &) = delete;
    drawn &operator=(const drawn &) = delete;

    void add(int r, int c, int64_t costs) { row.push_back(r), column.push_back(c), cost.push_back(costs); }
    bool done(int rows, int columns)
    {
        edges.rows = rows, edges.columns = columns, edges.edges = (int64_t)row.size();
        edges.row = row.data(), edges.column = column.data(), edges.cost = cost.data();
        return tc_bipartite_init(&graph, &edges, true, true, 1) == TILECUT_OK;
    }
};

static unsigned blocks_of(uint64_t seed)
{
    return 1 + (unsigned)(seed % 3);
}

/* ---- Levels ----------------------------------------------------------------------------------- */

static const char *try_levels(uint64_t seed)
{
    uint64_t state = seed * 3 + 1;
    const int nodes = 1 + random_below(&state, 900), arcs = random_below(&state, 4000);
    const int reach = seed % 2 ? nodes : 1 + random_below(&state, 30), from = random_below(&state, nodes);
    drawn d;
    for (int e = 0; e < arcs; e++) {
        const int tail = random_below(&state, 3) ? random_below(&state, nodes) : from;
        d.add(tail, (tail + random_below(&state, reach + 1)) % nodes, 0);
    }
    if (!d.done(nodes, nodes)) return "no memory";
    std::vector<int32_t> truth((size_t)nodes), level((size_t)nodes), queue((size_t)nodes, -7);
    tc_search_report report;
    if (tc_levels(&d.graph, from, TC_SEARCH_DOWN, 1, NULL, truth.data(), &report) != TILECUT_OK) return "no memory";
    for (int way = 0; way < 3; way++) {
        levels_state here = {};
        const levels_work w = {nodes, d.graph.first, d.graph.column, level.data(), queue.data(), &here};
        level.assign((size_t)nodes, -1);
        level[(size_t)from] = 0, queue[0] = from, here.end = 1;
        const int slice = seed % 4 ? 1000 : 2;
        for (int launch = 0; !here.done; launch++) {
            if (launch > nodes) return "no end";
            here.launch = {};
            soft_launch({blocks_of(seed)}, {64}, true, [&] {
                if (way == 0) levels_all_kernel(w, slice);
                else if (way == 1) levels_list_kernel<4>(w, slice);
                else levels_list_kernel<32>(w, slice);
            });
        }
        if (level != truth) return way ? "other levels by a list" : "other levels by all nodes";
    }
    return NULL;
}

/* ---- Matching --------------------------------------------------------------------------------- */

/* Connects each row to some nearby columns, so that paths are long and need many phases. */
static void draw_band(drawn &d, uint64_t seed)
{
    uint64_t state = seed * 11 + 4;
    const int rows = 50 + random_below(&state, 100), reach = 2 + random_below(&state, 6);
    for (int r = 0; r < rows; r++)
        for (int k = random_below(&state, 4); k >= 0; k--)
            d.add(r, std::min(rows - 1, std::max(0, r + random_below(&state, 2 * reach + 1) - reach)), 0);
    d.done(rows, rows);
}

static void draw_pairs(drawn &d, uint64_t seed)
{
    static const int sizes[][3] = {{8, 8, 14}, {300, 250, 700}, {500, 500, 900}, {200, 900, 1500}, {700, 300, 5000}};
    const int *size = sizes[seed % 5];
    uint64_t state = seed * 5 + 2;
    const int rows = 1 + random_below(&state, size[0]), columns = 1 + random_below(&state, size[1]);
    const bool hubs = random_below(&state, 2);
    for (int e = random_below(&state, size[2] + 1); e > 0; e--)
        d.add(random_below(&state, rows),
              hubs ? random_below(&state, 1 + random_below(&state, columns)) : random_below(&state, columns), 0);
    d.done(rows, columns);
}

/* Memory of a matching, filled with values that must not matter. */
struct soft_graft {
    std::vector<int> partner, partner_of_other, parent, root, leaf, list[GRAFT_LISTS];
    graft_state state = {};
    graft_work work = {};

    explicit soft_graft(const tc_side &s)
    {
        const size_t nodes = (size_t)s.nodes, others = (size_t)s.others;
        partner.assign(nodes, -1), partner_of_other.assign(others, -1), parent.assign(others, -1);
        root.assign(nodes, -1), leaf.assign(nodes, -1);
        for (int k = 0; k < GRAFT_LISTS; k++) {
            list[k].assign(2 * (k == GRAFT_FRONT || k == GRAFT_ROOTS ? nodes : others), -7);
            work.list[k] = list[k].data();
        }
        work.nodes = s.nodes, work.others = s.others;
        for (int v = 0; v < s.others; v++) work.reachable += s.other_first[v] < s.other_first[v + 1];
        work.first = s.first, work.other = s.other, work.other_first = s.other_first, work.other_node = s.other_node;
        work.partner = partner.data(), work.partner_of_other = partner_of_other.data();
        work.parent = parent.data(), work.root = root.data(), work.leaf = leaf.data();
        work.state = &state;
        state.plan.step = GRAFT_MATCH, state.plan.items = s.nodes;
    }
};

static const char *try_match(uint64_t seed)
{
    drawn d;
    tc_matching want = {}, got = {};
    if (seed % 3) draw_band(d, seed);
    else draw_pairs(d, seed);
    if (tc_matching_init(&want, &d.graph) != TILECUT_OK || tc_matching_init(&got, &d.graph) != TILECUT_OK)
        return "no memory";
    const char *wrong = NULL;
    std::vector<uint8_t> cover((size_t)(d.edges.rows + d.edges.columns)), again(cover.size());
    tc_side side = tc_match_side(&d.graph, &got);
    soft_graft soft(side);
    for (int launch = 0; !wrong && soft.state.plan.step != GRAFT_OVER; launch++) {
        if (launch == 2000) wrong = "no end";
        soft.state.launch = {};
        soft_launch({blocks_of(seed)}, {64}, true, [&] {
            if (seed % 2) graft_kernel<4>(soft.work, seed % 4 == 1 ? 3 : 1000);
            else graft_kernel<32>(soft.work, 1000);
        });
    }
    std::copy(soft.partner.begin(), soft.partner.end(), side.partner);
    std::copy(soft.partner_of_other.begin(), soft.partner_of_other.end(), side.partner_of_other);
    for (int v : soft.partner) got.pairs += v >= 0;
    if (!wrong && tc_match_all(&d.graph, &want, 1, NULL) != TILECUT_OK) wrong = "no memory";
    if (!wrong && tc_match_prove(&d.graph, &want, &d.edges, cover.data(), 1) != TILECUT_OK) wrong = "the CPU is wrong";
    if (!wrong && tc_match_prove(&d.graph, &got, &d.edges, again.data(), 1) != TILECUT_OK)
        wrong = tilecut_error_detail();
    if (!wrong && got.pairs != want.pairs) wrong = "another number of pairs";
    if (!wrong && cover != again) wrong = "another cover";
    tc_matching_free(&want);
    tc_matching_free(&got);
    return wrong;
}

/* ---- Assignment ------------------------------------------------------------------------------- */

static void draw_costs(drawn &d, uint64_t seed)
{
    static const int spans[] = {1, 3, 1000, 100000000}, sizes[] = {3, 40, 90, 30, 150};
    uint64_t state = seed * 7 + 3;
    const int rows = 1 + random_below(&state, sizes[seed % 5]), span = spans[seed / 5 % 4];
    const bool full = seed % 2;
    for (int e = 0; e < (full ? rows * rows : rows); e++)
        d.add(full ? e / rows : e, full ? e % rows : rows - 1 - e, random_below(&state, span) - span / 3);
    for (int e = full ? 0 : random_below(&state, 9 * rows); e > 0; e--)
        d.add(random_below(&state, rows), random_below(&state, rows), random_below(&state, span) - span / 3);
    d.done(rows, rows);
}

/* Memory of an assignment, and the steps that the host makes the device do: see cuda/networks/pairs/assign_cuda.cu. */
struct soft_scaling {
    std::vector<long long> v, own, memory, beyond, far, price;
    std::vector<int> row_of, column_of, memory_column, kept, kept_edge, next, open[2];
    std::vector<unsigned char> taken;
    scaling_state state = {};
    scaling_view view = {};
    dim3 blocks, threads;
    int most, rounds, opens = 0;

    soft_scaling(const tc_bipartite &g, uint64_t seed)
    {
        const size_t rows = (size_t)g.rows;
        for (std::vector<long long> *one : {&v, &own, &beyond, &far}) one->assign(rows, -7);
        for (std::vector<int> *one : {&row_of, &column_of, &kept, &next, &open[0], &open[1]}) one->assign(rows, -7);
        memory.assign(rows * SCALING_MEMORY, -7), memory_column.assign(rows * SCALING_MEMORY, -7);
        kept_edge.assign((size_t)g.first[rows], -7), price.assign(2 * rows, -7), taken.assign(rows + 1, 0);
        view.rows = view.columns = g.rows, view.full = g.full, view.scale = g.rows + 1;
        view.first = g.first, view.column = g.full ? NULL : g.column, view.cost = (const long long *)g.cost;
        view.v = v.data(), view.own = own.data(), view.memory = memory.data(), view.beyond = beyond.data();
        view.far = far.data(), view.row_of = row_of.data(), view.column_of = column_of.data();
        view.memory_column = memory_column.data(), view.kept = kept.data(), view.kept_edge = kept_edge.data();
        view.next = next.data(), view.state = &state;
        blocks = {blocks_of(seed)}, threads = {64};
        most = seed % 3 ? 5 : 1000, rounds = seed % 7 ? 1000 : 2;
    }

    template <class Kernel> void launch(Kernel kernel) { soft_launch(blocks, threads, true, kernel); }

    void swap_open() { std::swap(open[0], open[1]), opens = state.left; }

    bool refine(long long eps)
    {
        for (int k = 0; opens && !state.failed; k++) {
            if (k == 20000) return false;
            state.taken = state.left = 0;
            const int *const from = open[0].data();
            int *const to = open[1].data();
            launch([&] { refine_kernel(view, from, opens, to, eps, most); });
            swap_open();
            state.launch = {};
            if (opens) launch([&] { update_kernel(view, rounds); });
        }
        return !state.failed;
    }

    void set_free(long long eps, long long aside)
    {
        state.left = 0;
        int *const to = open[1].data();
        launch([&] { free_kernel(view, to, eps, aside); });
        swap_open();
    }

    bool run(long long span)
    {
        long long eps = std::max(span * view.scale / 8, 1ll);
        launch([&] { begin_kernel(view, open[0].data()); });
        launch([&] { lower_kernel(view); });
        launch([&] { remember_kernel(view); });
        opens = view.rows;
        for (bool more = true; more;) {
            if (!refine(eps)) return false;
            if (eps == 1) {
                launch([&] { remember_kernel(view); });
                set_free(1, 0);
                more = opens > 0;
            } else {
                set_free(std::max(eps / 8, 1ll), 64 * eps);
                eps = std::max(eps / 8, 1ll);
            }
        }
        return true;
    }

    void round()
    {
        long long shift = 0;
        launch([&] { residues_kernel(view, taken.data()); });
        while (taken[(size_t)shift]) shift++;
        launch([&] { round_kernel(view, shift, price.data()); });
        launch([&] { price_kernel(view, price.data()); });
    }
};

static const char *try_assign(uint64_t seed)
{
    drawn d;
    draw_costs(d, seed);
    const size_t rows = (size_t)d.graph.rows;
    tc_matching want = {}, got = {};
    if (tc_matching_init(&want, &d.graph) != TILECUT_OK || tc_matching_init(&got, &d.graph) != TILECUT_OK)
        return "no memory";
    std::vector<int64_t> price(2 * rows);
    int64_t first, span = 0, least = 0, cost = 0;
    bool held;
    const char *wrong = NULL;
    soft_scaling soft(d.graph, seed);
    if (tc_scaling_applies(&d.graph, &got, 1, NULL, &span) != TILECUT_OK || !span) wrong = "not for scaling";
    if (!wrong && !soft.run(span)) wrong = "no end, or prices that fell too far";
    if (!wrong) soft.round();
    std::copy(soft.column_of.begin(), soft.column_of.end(), got.column_of);
    std::copy(soft.row_of.begin(), soft.row_of.end(), got.row_of);
    if (!wrong && tc_assign(&d.graph, &want, price.data(), &first, 1, NULL, &held) != TILECUT_OK) wrong = "no memory";
    if (!wrong && tc_assign_prove(&want, &d.edges, price.data(), 1, &least) != TILECUT_OK) wrong = "the CPU is wrong";
    std::copy(soft.price.begin(), soft.price.end(), price.begin());
    if (!wrong && tc_assign_prove(&got, &d.edges, price.data(), 1, &cost) != TILECUT_OK) wrong = tilecut_error_detail();
    if (!wrong && cost != least) wrong = "another cost";
    tc_matching_free(&want);
    tc_matching_free(&got);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        const char *(*attempt)(uint64_t seed);
    } kinds[] = {{"levels", try_levels}, {"matching", try_match}, {"assignment", try_assign}};
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 30;
    const uint64_t start = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int tried = 0, failed = 0;
    for (uint64_t seed = start; seed < start + count; seed++)
        for (const auto &kind : kinds) {
            const char *const wrong = kind.attempt(seed);
            if (wrong) printf("%s, seed %llu: %s\n", kind.name, (unsigned long long)seed, wrong), failed++;
            tried++;
        }
    printf("%d graphs searched, matched and assigned by a GPU in software, %d wrong\n", tried, failed);
    return failed ? 1 : 0;
}
