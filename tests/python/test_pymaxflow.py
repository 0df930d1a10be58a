# SPDX-License-Identifier: MIT
"""Examples of PyMaxflow's pages with tilecut.maxflow: layouts with holes and infinite links, negative terminals, the
graph for networkx, and maxflow.fastmin compared with all labelings."""
import importlib.util
import itertools
import unittest

import numpy as np

from scenes import SEED
import tilecut.maxflow as maxflow
from test_maxflow import independent
from tilecut.maxflow import fastmin

HAS_NETWORKX = importlib.util.find_spec("networkx") is not None


def arcs(graph):
    """Returns the capacities by (from, to), without zeros."""
    out = {}
    for tail, head, cap in zip(*(a.tolist() for a in graph._arcs())):
        if cap:
            out[tail, head] = out.get((tail, head), 0) + cap
    return out


def walls():
    """Builds a graph with infinite links in all leftward directions, finite ones in the other directions, and infinite
    terminals at both sides."""
    graph = maxflow.Graph[float]()
    ids = graph.add_grid_nodes((5, 5))
    graph.add_grid_edges(ids, structure=np.array([[np.inf, 0, 0]] * 3), symmetric=False)
    weights = 100 + 10 * np.arange(5)[:, None] + 2 * np.arange(5)
    for at, more in (((1, 2), 0), ((0, 1), 100), ((2, 1), 200)):
        structure = np.zeros((3, 3))
        structure[at] = 1
        graph.add_grid_edges(ids, structure=structure, weights=weights + more, symmetric=False)
    graph.add_grid_tedges(ids[:, 0], np.inf, 0)
    graph.add_grid_tedges(ids[:, -1], 0, np.inf)
    return ids, graph


class Layouts(unittest.TestCase):
    def test_infinite_links_and_terminals(self):
        ids, graph = walls()
        # Each row is crossed once, from left to right, and the cut is as far to the left as possible.
        edges = [(i, j, int(min(cap, 1e6)), 0) for (i, j), cap in arcs(graph).items()]
        tedges = [(i, 10 ** 6, 0) for i in ids[:, 0]] + [(i, 0, 10 ** 6) for i in ids[:, -1]]
        flow, on_sink = independent(25, edges, tedges)
        self.assertEqual(graph.maxflow(), flow)
        np.testing.assert_array_equal(graph.get_grid_segments(ids).ravel(), on_sink)

    def test_a_flow_without_end(self):
        graph = maxflow.Graph[float]()
        ids = graph.add_grid_nodes((2, 3))
        graph.add_grid_edges(ids, np.inf)
        graph.add_grid_tedges(ids[:, 0], np.inf, 0)
        graph.add_grid_tedges(ids[:, 2], 0, 5)
        self.assertEqual(graph.maxflow(), 10)
        graph.add_tedge(ids[0, 1], 0, np.inf)
        self.assertEqual(graph.maxflow(), np.inf)

    def test_infinite_terminals_alone_cost_no_precision(self):
        graph = maxflow.Graph[float]()
        ids = graph.add_grid_nodes((40, 50))
        graph.add_grid_edges(ids, 0.125)
        graph.add_grid_tedges(ids[:, 0], np.inf, 0)
        graph.add_grid_tedges(ids[:, -1], 0, np.inf)
        self.assertEqual(graph.maxflow(), 5.0)

    def test_infinity_is_no_whole_number(self):
        graph = maxflow.Graph[int]()
        with self.assertRaisesRegex(ValueError, "no finite number"):
            graph.add_grid_edges(graph.add_grid_nodes((2, 2)), np.inf)

    def test_nodes_that_are_left_out(self):
        graph = maxflow.Graph[int]()
        ids = graph.add_grid_nodes((5, 5))
        ids[1, 1] = ids[3, 2] = -1  # as in the examples, the array that add_grid_nodes() returns may be changed
        graph.add_grid_edges(ids, 1, structure=maxflow.moore_structure(2, True), symmetric=True)
        want = {}
        for (y, x), (v, u) in itertools.product(np.ndindex(5, 5), repeat=2):
            if max(abs(y - v), abs(x - u)) == 1 and not {(y, x), (v, u)} & {(1, 1), (3, 2)}:
                want[5 * y + x, 5 * v + u] = 1
        self.assertEqual(arcs(graph), want)
        self.assertEqual(graph.get_edge_count(), len(want))
        with self.assertRaisesRegex(ValueError, "not added"):
            graph.add_grid_tedges(ids, 1, 1)

    def test_one_node_to_all_others(self):
        graph = maxflow.Graph[int]()
        ids = graph.add_grid_nodes((5, 5)).ravel()
        pairs = np.array([np.full(24, ids[12]), np.delete(ids, 12)])
        graph.add_grid_edges(pairs, 1, structure=[[0, 0, 0], [0, 0, 0], [0, 1, 0]], symmetric=False)
        self.assertEqual(arcs(graph), {(12, k): 1 for k in range(25) if k != 12})

    def test_a_layout_of_three_dimensions(self):
        graph = maxflow.Graph[float]()
        ids = graph.add_grid_nodes((2, 5, 6))
        structure = np.array([[[0, 1, 0], [1, 1, 1], [0, 1, 0]], [[0, 1, 0], [1, 0, 1], [0, 1, 0]], [[0, 1, 0], [1, 1, 1], [0, 1, 0]]])
        graph.add_grid_edges(ids, structure=structure)
        graph.add_grid_tedges(ids[:, :, 0], np.inf, 0)
        graph.add_grid_tedges(ids[:, :, -1], 0, np.inf)
        edges = [(i, j, int(cap), 0) for (i, j), cap in arcs(graph).items()]
        tedges = [(i, 1000, 0) for i in ids[:, :, 0].ravel()] + [(i, 0, 1000) for i in ids[:, :, -1].ravel()]
        flow, on_sink = independent(60, edges, tedges)
        self.assertEqual(graph.maxflow(), flow)
        np.testing.assert_array_equal(graph.get_grid_segments(ids).ravel(), on_sink)

    def test_more_for_one_way_of_a_symmetric_link(self):
        graph = maxflow.Graph[int]()
        ids = graph.add_grid_nodes((1, 2))
        graph.add_grid_edges(ids, 3, structure=[0, 0, 1], symmetric=True)
        graph.add_grid_edges(ids, 4, structure=[1, 0, 0], symmetric=False)
        self.assertEqual(arcs(graph), {(0, 1): 3, (1, 0): 7})

    def test_terminals_below_0(self):
        rng = np.random.default_rng(SEED)
        for kind in (int, float):
            one, other = maxflow.Graph[kind](), maxflow.Graph[kind]()
            below = rng.integers(0, 50, (4, 5))
            source, sink = rng.integers(-20, 20, (2, 4, 5))
            for graph, less in ((one, 0), (other, below)):
                ids = graph.add_grid_nodes((4, 5))
                graph.add_grid_edges(ids, 7)
                graph.add_grid_tedges(ids, source - less, sink - less)
            self.assertEqual(one.maxflow() - below.sum(), other.maxflow())
            np.testing.assert_array_equal(one.get_grid_segments(ids), other.get_grid_segments(ids))
        graph = maxflow.Graph[int]()
        graph.add_nodes(1)
        graph.add_tedge(0, -5, 2)  # the node costs 2 on the side of SOURCE, and -5 on the side of SINK
        self.assertEqual((graph.maxflow(), graph.get_segment(0)), (-5, 1))

    @unittest.skipUnless(HAS_NETWORKX, "there is no networkx")
    def test_the_graph_for_networkx(self):
        import networkx
        ids, graph = walls()
        drawn = graph.get_nx_graph()
        self.assertEqual(drawn.number_of_nodes(), 27)
        self.assertEqual(drawn["s"][int(ids[0, 0])]["weight"], np.inf)
        self.assertEqual(drawn[int(ids[1, 0])][int(ids[1, 1])]["weight"], 110)
        for _, _, data in drawn.edges(data=True):
            data["weight"] = min(data["weight"], 1e6)
        self.assertEqual(networkx.maximum_flow_value(drawn, "s", "t", capacity="weight"), graph.maxflow())

    @unittest.skipUnless(HAS_NETWORKX, "there is no networkx")
    def test_what_a_flow_leaves_for_networkx(self):
        import networkx
        rng = np.random.default_rng(SEED)
        for number in range(60):
            kind = (int, float)[number % 2]
            graph, caps = maxflow.Graph[kind](), lambda n: rng.integers(0, 20, n) * (0.1 if number % 2 else 1)
            ids = graph.add_grid_nodes((3, 4)).ravel()
            if number % 3:
                graph.add_grid_edges(ids.reshape(3, 4), caps((3, 4)), symmetric=bool(number % 4))
            begin, end = rng.integers(0, 12, (2, 15))
            apart = begin != end
            graph.add_edges(begin[apart], end[apart], caps(apart.sum()), caps(apart.sum()))
            graph.add_grid_tedges(ids, caps(12), caps(12))
            full = graph.get_nx_graph()
            self.assertNotIn("segment", full.nodes[0])
            flow, left = graph.maxflow(), graph.get_nx_graph()
            of = lambda drawn, i, j: drawn[i][j]["weight"] if drawn.has_edge(i, j) else 0
            # Checks the flow: a link and its reverse keep the sum of their capacities, and inflow equals outflow at
            # each node.
            through = sum(of(full, "s", i) - of(left, "s", i) for i in range(12))
            straight = sum(min(graph._terminals[t][i] for t in graph._terminals) for i in range(12))
            self.assertAlmostEqual(through + straight, flow, 6)
            for i in range(12):
                for j in range(12):
                    self.assertAlmostEqual(of(full, i, j) + of(full, j, i), of(left, i, j) + of(left, j, i), 6)
                sent = sum(of(full, i, j) - of(left, i, j) for j in range(12))
                self.assertAlmostEqual(sent, of(full, "s", i) - of(left, "s", i) - of(full, i, "t") + of(left, i, "t"), 6)
            # No path is left between the terminals, and the nodes on the sink's side are those that still reach it.
            self.assertFalse(networkx.has_path(left, "s", "t"))
            self.assertEqual({i for i in range(12) if left.nodes[i]["segment"]}, networkx.ancestors(left, "t"))
            self.assertEqual([left.nodes[i]["segment"] for i in range(12)], [graph.get_segment(i) for i in range(12)])

    @unittest.skipUnless(HAS_NETWORKX, "there is no networkx")
    def test_no_flow_takes_from_a_link_without_end(self):
        ids, graph = walls()
        full = graph.get_nx_graph()
        graph.maxflow()
        left = graph.get_nx_graph()
        for tail, head, data in full.edges(data=True):
            if data["weight"] == np.inf:
                self.assertEqual(left[tail][head]["weight"], np.inf)

    def test_copies(self):
        ids, graph = walls()
        before = graph.copy()
        flow = graph.maxflow()
        after, third = graph.copy(), maxflow.GraphFloat(0, 0, graph)
        graph.add_grid_tedges(ids, 3, 0)
        graph.add_grid_edges(ids, 1)
        for each in (before, after, third):
            self.assertEqual((each.maxflow(), each.get_node_count()), (flow, 25))
            self.assertNotEqual(each.get_edge_count(), graph.get_edge_count())
        np.testing.assert_array_equal(before.get_grid_segments(ids), after.get_grid_segments(ids))
        self.assertRaises(TypeError, maxflow.GraphInt, 0, 0, graph)


class Fastmin(unittest.TestCase):
    def test_two_labels_are_the_best_of_all(self):
        rng = np.random.default_rng(SEED)
        for shape in ((3, 3), (9,), (2, 2, 2)):
            D, V = rng.integers(0, 20, shape + (2,)), np.array([[0, 3], [5, 0]])
            best = min(fastmin.energy_of_grid_labeling(D, V, np.reshape(each, shape))
                       for each in itertools.product((0, 1), repeat=int(np.prod(shape))))
            for solve in (fastmin.aexpansion_grid, fastmin.abswap_grid):
                with self.subTest(shape=shape, solve=solve.__name__):
                    self.assertEqual(fastmin.energy_of_grid_labeling(D, V, solve(D, V)), best)

    def test_no_move_makes_it_cheaper(self):
        rng = np.random.default_rng(SEED)
        D, V = rng.integers(0, 30, (2, 3, 3)), 4 * np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
        cost = lambda labels: fastmin.energy_of_grid_labeling(D, V, labels)
        expanded, swapped = fastmin.aexpansion_grid(D, V), fastmin.abswap_grid(D, V)
        for bits in itertools.product((False, True), repeat=6):
            chosen = np.reshape(bits, (2, 3))
            for alpha in range(3):
                self.assertGreaterEqual(cost(np.where(chosen, alpha, expanded)), cost(expanded))
                beta = (alpha + 1) % 3
                moved = np.where(chosen & np.isin(swapped, (alpha, beta)), alpha + beta - swapped, swapped)
                self.assertGreaterEqual(cost(moved), cost(swapped))

    def test_energy_term_by_term(self):
        D, V, labels = np.arange(12).reshape(2, 2, 3), np.arange(9).reshape(3, 3), np.array([[0, 2], [1, 0]])
        self.assertEqual(fastmin.energy_of_grid_labeling(D, V, labels), (0 + 5 + 7 + 9) + (V[0, 1] + V[2, 0]) + (V[0, 2] + V[1, 0]))

    def test_a_move_is_the_best_of_all(self):
        rng = np.random.default_rng(SEED)
        for case in range(40):
            shape = ((5,), (2, 4), (2, 1, 2), (1, 1), (2, 1, 2, 1))[case % 5]
            source, sink = rng.integers(-9, 30, (2,) + shape) / 4.0
            source[rng.random(shape) < .1] = np.inf
            links = [rng.integers(0, 40, tuple(n - (k == axis) for k, n in enumerate(shape))) / 8.0
                     for axis in range(len(shape))]

            # The cost of a labelling: the source's capacity of each node on the sink's side, and the links from the
            # source's side to the sink's.
            def cost(on_sink):
                pairs = ((link, *fastmin._ends(on_sink, axis)) for axis, link in enumerate(links))
                return np.where(on_sink, source, sink).sum() + sum(link[~p & q].sum() for link, p, q in pairs)

            every = [np.reshape(each, shape) for each in itertools.product((False, True), repeat=int(np.prod(shape)))]
            least = min(map(cost, every))
            few = min((each for each in every if cost(each) == least), key=np.count_nonzero)
            np.testing.assert_array_equal(fastmin._on_sink_side(source, sink, links), few)
            np.testing.assert_array_equal(fastmin._on_sink_side_of_graph(source, sink, links), few)

    def test_potts_models_go_to_one_solver(self):
        rng = np.random.default_rng(SEED)
        for case in range(30):
            shape, count, apart = ((2, 3), (6,), (2, 1, 2))[case % 3], 2 + case % 2, (3, .7, 4e5)[case // 3 % 3]
            D, V = rng.integers(-5, 20, shape + (count,)) * apart / 4, np.full((count, count), apart + 2.0)
            np.fill_diagonal(V, 2)
            D[rng.random(D.shape) < .1] = np.inf
            D[..., 1] = np.where(np.isinf(D).all(-1), 0, D[..., 1])
            found = fastmin._potts(D, V)
            cost = lambda labels: fastmin.energy_of_grid_labeling(D, V, labels)
            with self.subTest(seed=SEED, case=case):
                self.assertEqual((found.shape, found.dtype), (shape, np.int8))
                np.testing.assert_array_equal(fastmin.aexpansion_grid(D, V), found)
                for bits in itertools.product((False, True), repeat=found.size):
                    for alpha in range(count):
                        moved = np.where(np.reshape(bits, shape), alpha, found)
                        self.assertGreaterEqual(cost(moved), cost(found) - 1e-4 * apart)
        for D, V in ((np.zeros((2, 2, 3)), 1 - np.eye(3) + np.diag([0, 0, 1])), (np.zeros((1, 1, 1, 1, 2)), 1 - np.eye(2)),
                     (np.zeros((2, 2, 1)), np.zeros((1, 1)))):
            self.assertIsNone(fastmin._potts(D, V))
            fastmin.aexpansion_grid(D, V)

    def test_in_place_with_what_is_forbidden(self):
        D = np.zeros((4, 6, 3))
        D[:, :3, 0] = np.inf
        D[..., 2] += 1
        labels = np.full((4, 6), 2)
        back = maxflow.fastmin.aexpansion_grid(D, np.ones((3, 3)) - np.eye(3), 5, labels)
        self.assertIs(back, labels)
        self.assertTrue((labels == 1).all())

    def test_what_is_wrong_is_told(self):
        D = 100.0 - 100 * np.eye(3)[np.array([[0, 1], [1, 0]])]
        for text, V in (("shape", np.zeros((2, 2))), ("no metric", np.array([[0, 9, 1], [9, 0, 1], [1, 1, 0]])),
                        ("no number", np.full((3, 3), np.nan))):
            with self.subTest(text=text), self.assertRaisesRegex(ValueError, text):
                fastmin.aexpansion_grid(D, V)
