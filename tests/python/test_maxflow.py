# SPDX-License-Identifier: MIT
"""Compares tilecut.maxflow with scipy's maximum flow on the same graphs, and with PyMaxflow's documented examples."""
import importlib.util
import unittest

import numpy as np

from scenes import SEED, refuses
import tilecut.maxflow as maxflow


def independent(nodes, edges, tedges):
    """Returns scipy's flow, and the nodes that still reach the sink."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow
    size = nodes + 2
    dense = np.zeros((size, size), np.int32)
    for i, j, cap, rcap in edges:
        dense[i, j] += cap
        dense[j, i] += rcap
    for i, source, sink in tedges:
        dense[nodes, i] += source
        dense[i, nodes + 1] += sink
    answer = maximum_flow(csr_matrix(dense), nodes, nodes + 1)
    flow = answer.flow if hasattr(answer, "flow") else answer.residual
    residual = csr_matrix((dense - flow.toarray()).T > 0)
    reached = breadth_first_order(residual, nodes + 1, return_predecessors=False)
    on_sink = np.zeros(size, bool)
    on_sink[reached] = True
    return answer.flow_value, on_sink[:nodes]


class Examples(unittest.TestCase):
    def test_two_nodes(self):
        graph = maxflow.Graph[int](2, 2)
        nodes = graph.add_nodes(2)
        graph.add_edge(nodes[0], nodes[1], 1, 2)
        graph.add_tedge(nodes[0], 2, 5)
        graph.add_tedge(nodes[1], 9, 4)
        self.assertEqual(graph.maxflow(), 8)
        self.assertEqual([graph.get_segment(n) for n in nodes], [1, 0])

    def test_a_noisy_picture_is_restored(self):
        rng = np.random.default_rng(SEED)
        truth = np.zeros((40, 60), bool)
        truth[10:30, 15:45] = True
        image = np.where(truth, 190, 60) + rng.normal(0, 60, truth.shape)
        image = np.clip(image, 0, 255).astype(int)
        graph = maxflow.Graph[int]()
        ids = graph.add_grid_nodes(image.shape)
        graph.add_grid_edges(ids, 50)
        graph.add_grid_tedges(ids, image, 255 - image)
        graph.maxflow()
        restored = np.logical_not(graph.get_grid_segments(ids))
        self.assertGreater(np.mean(restored == truth), 0.98)

    def test_a_layout_with_structure_and_borders(self):
        graph = maxflow.Graph[float]()
        ids = graph.add_grid_nodes((5, 5))
        structure = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 0]])
        weights = np.array([[100, 110, 120, 130, 140]]).T + np.array([0, 2, 4, 6, 8])
        graph.add_grid_edges(ids, weights=weights, structure=structure, symmetric=False)
        graph.add_grid_tedges(ids[:, 0], 1e4, 0)
        graph.add_grid_tedges(ids[:, -1], 0, 1e4)
        self.assertEqual(graph.maxflow(), float(weights[:, 0].sum()))
        self.assertTrue((graph.get_grid_segments(ids)[:, 0] == 0).all())


class Random(unittest.TestCase):
    def test_flows_and_segments_are_those_of_scipy(self):
        rng = np.random.default_rng(SEED)
        for round_ in range(60):
            shape = (int(rng.integers(1, 6)), int(rng.integers(1, 7)))
            structure = rng.integers(0, 3, (3, 3)) if round_ % 2 else rng.integers(0, 3, (3, 3)) * [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
            symmetric, weights = bool(round_ % 3 == 0), rng.integers(0, 20, shape)
            source, sink = rng.integers(0, 40, shape), rng.integers(0, 40, shape)
            graph = maxflow.Graph[int]()
            ids = graph.add_grid_nodes(shape)
            graph.add_grid_edges(ids, weights, structure=structure, symmetric=symmetric)
            graph.add_grid_tedges(ids, source, sink)
            edges = []
            for (y, x), i in np.ndenumerate(ids):
                for (row, column), factor in np.ndenumerate(structure):
                    v, u = y + row - 1, x + column - 1
                    if factor and (v, u) != (y, x) and 0 <= v < shape[0] and 0 <= u < shape[1]:
                        cap = int(factor * weights[y, x])
                        edges.append((i, ids[v, u], cap, cap if symmetric else 0))
            flow, on_sink = independent(ids.size, edges, list(zip(ids.ravel(), source.ravel(), sink.ravel())))
            with self.subTest(seed=SEED, round=round_, shape=shape):
                self.assertEqual(graph.maxflow(), flow)
                np.testing.assert_array_equal(graph.get_grid_segments(ids).ravel(), on_sink)

    def test_large_terminals_bind_and_count(self):
        graph = maxflow.Graph[int]()
        ids = graph.add_grid_nodes((2, 3))
        graph.add_grid_edges(ids, 3)
        graph.add_grid_tedges(ids[:, :1], 10 ** 12, 0)
        graph.add_grid_tedges(ids[:, 2:], 0, 10 ** 12)
        graph.add_grid_tedges(ids[:1, 1:2], 10 ** 12, 10 ** 12)
        self.assertEqual(graph.maxflow(), 10 ** 12 + 6)

    def test_what_is_wrong_is_told(self):
        graph = maxflow.Graph[int]()
        ids = graph.add_grid_nodes((4, 4))
        cases = [
            (ValueError, "nodes are 0 to 15", lambda: graph.add_edge(0, 16, 1, 1)),
            (ValueError, "below 0", lambda: graph.add_edge(0, 1, 1, -1)),
            (ValueError, "not added", lambda: graph.add_grid_tedges(ids + 1, 1, 1)),
            (ValueError, "below 0", lambda: graph.add_grid_edges(ids, -3)),
            (ValueError, "structure", lambda: graph.add_grid_edges(ids, structure=np.ones((2, 3)))),
            (ValueError, "finite", lambda: maxflow.Graph[float]().add_grid_tedges(np.arange(0), np.array([np.nan]), 0)),
            (ValueError, "comes first", lambda: graph.get_grid_segments(ids)),
            (TypeError, "whole", lambda: graph.add_tedge(0.5, 1, 1)),
            (TypeError, "Graph[int]", lambda: maxflow.Graph[str]),
        ]
        refuses(self, cases)


def any_graph(rng, module, kind, turn):
    """Builds the same graph with `module`, and returns its edges: grids of 1 to 3 dimensions, single nodes, and edges
    between any of them."""
    graph = module.Graph[kind]()
    edges, tedges, blocks = [], [], []
    number = (lambda *shape: rng.integers(0, 20, shape)) if kind is int else (
        lambda *shape: rng.integers(0, 160, shape) / 8)
    shapes = [tuple(int(n) for n in rng.integers(1, 5, d)) for d in rng.permutation([1, 2, 3])[:1 + turn % 3]]
    for shape in shapes:
        ids = np.asarray(graph.add_grid_nodes(shape)) if len(shape) > 1 or turn % 2 else np.asarray(graph.add_nodes(shape[0]))
        blocks.append(ids)
        structure = rng.integers(0, 3, (3,) * len(shape))
        around = [bool(p) for p in rng.integers(0, 2, len(shape))] if turn % 4 == 3 else [False] * len(shape)
        symmetric, weights = bool(rng.integers(0, 2)), number(*shape)
        graph.add_grid_edges(ids, weights, structure=structure, symmetric=symmetric, periodic=around)
        for at, factor in np.ndenumerate(structure):
            for here, i in np.ndenumerate(ids):
                there = [(h + k - 1) % n if p else h + k - 1 for h, k, n, p in zip(here, at, shape, around)]
                if factor and at != (1,) * len(shape) and all(0 <= t < n for t, n in zip(there, shape)):
                    cap = factor * weights[here]
                    edges.append((i, ids[tuple(there)], cap, cap if symmetric else 0))
        source, sink = number(*shape), number(*shape)
        graph.add_grid_tedges(ids, source, sink)
        tedges += list(zip(ids.ravel(), source.ravel(), sink.ravel()))
    nodes = np.concatenate([b.ravel() for b in blocks])
    for _ in range(int(rng.integers(0, 2 * nodes.size)) if turn % 5 else 0):
        i, j = (int(n) for n in rng.choice(nodes, 2))
        cap, rcap = number(2)
        if i != j:
            graph.add_edge(i, j, cap, rcap)
            edges.append((i, j, cap, rcap))
    return graph, nodes, edges, tedges


class AnyShape(unittest.TestCase):
    def test_grids_and_edges_mixed_are_those_of_scipy(self):
        for turn in range(90):
            kind = (int, float)[turn // 3 % 2]
            graph, nodes, edges, tedges = any_graph(np.random.default_rng([SEED, turn]), maxflow, kind, turn)
            scale = 1 if kind is int else 8  # makes eighths integers
            flow, on_sink = independent(nodes.size, *[[tuple(int(round(v * (scale if k > at else 1))) for k, v in enumerate(e))
                                                       for e in given] for given, at in ((edges, 1), (tedges, 0))])
            with self.subTest(seed=SEED, turn=turn, kind=kind.__name__):
                self.assertEqual(graph.maxflow() * scale, flow)
                np.testing.assert_array_equal(graph.get_grid_segments(nodes), on_sink)
                self.assertEqual(graph.get_node_count(), nodes.size)

    def test_edges_one_by_one_in_a_grid_are_a_grid(self):
        rng = np.random.default_rng(SEED)
        one, other = maxflow.Graph[int](), maxflow.Graph[int]()
        ids, same = one.add_grid_nodes((6, 7)), other.add_grid_nodes((6, 7))
        there, back = rng.integers(0, 30, (2, 5, 7))
        one.add_edges(ids[:-1], ids[1:], there, back)
        for (y, x), i in np.ndenumerate(same[:-1]):
            other.add_edge(same[y + 1, x], i, back[y, x], there[y, x])
        for graph in (one, other):
            graph.add_grid_tedges(ids, *rng.integers(0, 40, (2, 6, 7)) if graph is one else terminals)
            terminals = [one._terminals[n].reshape(6, 7) for n in ("source", "sink")]
            self.assertIsNotNone(graph._as_grid())
        self.assertEqual(one.maxflow(), other.maxflow())
        np.testing.assert_array_equal(one.get_grid_segments(ids), other.get_grid_segments(ids))

    def test_capacities_beyond_a_grid(self):
        graph = maxflow.Graph[int]()
        ids = graph.add_grid_nodes((2, 3))
        graph.add_grid_edges(ids, 10 ** 12)
        graph.add_grid_tedges(ids[:, :1], 10 ** 15, 0)
        graph.add_grid_tedges(ids[:, 2:], 0, 3 * 10 ** 12 // 2)
        self.assertEqual(graph.maxflow(), 2 * 10 ** 12)

    def test_what_64_bits_do_not_hold_is_refused(self):
        def grid(weights, source, sink, structure=None):
            graph = maxflow.Graph[int]()
            ids = graph.add_grid_nodes((3, 4))
            for weight in weights:
                graph.add_grid_edges(ids, weight, structure, symmetric=structure is None)
            graph.add_grid_tedges(ids[:1, :1], source, 0)
            graph.add_grid_tedges(ids[2:, 3:], 0, sink)
            return graph.maxflow()

        def pair(caps, terminals):
            graph = maxflow.Graph[int]()
            graph.add_nodes(2)
            for cap in caps:
                graph.add_edge(0, 1, cap, 0)
            for at, source, sink in terminals:
                graph.add_tedge(at, source, sink)
            return graph.maxflow()

        def vectors(cap):
            graph = maxflow.Graph[int]()
            graph.add_nodes(2)
            graph.add_edges(np.array([0]), np.array([1]), np.array([cap]), 0)

        large, ends = 2 ** 62, [(0, 9, 0), (1, 0, 9)]
        for name, action in {
            "an edge": lambda: pair([2 ** 63], ends),
            "an edge as a float": lambda: pair([1e30], ends),
            "a vector": lambda: vectors(np.uint64(2 ** 63 + 5)),
            "a vector of floats": lambda: vectors(1e30),
            "a terminal": lambda: pair([5], [(0, np.uint64(2 ** 63 + 5), 0), (1, 0, 9)]),
            "a large terminal": lambda: pair([5], [(0, 2 ** 64, 0), (1, 0, 9)]),
            "terminals together": lambda: pair([5], [(0, large, 0), (0, large, 0), (1, 0, 9)]),
            "terminals below 0": lambda: pair([5], [(0, -large, 0), (0, -large, 0), (0, -large, 0), (1, 0, 9)]),
            "terminals apart": lambda: pair([5], [(0, 2 - 2 * large, large), (1, 0, 9)]),
            "links": lambda: grid([np.full((3, 4), 2 ** 64 - 1, np.uint64)], 9, 9),
            "links together": lambda: grid([large, large, 1], 9, 9),
            "links by a factor": lambda: grid([large], 9, 9, np.array([[0, 0, 0], [0, 0, 4], [0, 0, 0]])),
            "all": lambda: grid([large], 2 * large - 1, 2 * large - 1),
        }.items():
            with self.subTest(name), self.assertRaisesRegex(ValueError, "64 bits"):
                action()
        self.assertEqual(pair([2 * large - 1, large, large], ends), 9)  # parallel edges are not added up
        self.assertEqual(pair([5], [(0, large, 2 * large - 1), (1, large + 3, large)]), 2 * large)
        self.assertEqual(grid([2 * large - 1], 9, 7), 7)
        self.assertEqual(grid([large - 1, large - 1], 5 * 10 ** 18, 10 ** 16), 10 ** 16)

    def test_sums_beyond_float_are_refused(self):
        def two(cap, terminal):
            graph = maxflow.Graph[float]()
            ids = graph.add_grid_nodes((1, 2))
            graph.add_grid_edges(ids, cap)
            graph.add_grid_tedges(ids, [[terminal, 0]], [[0, terminal]])
            return graph.maxflow()

        for cap in (1e308, 1e-320):
            with self.assertRaisesRegex(ValueError, "range of float"):
                two(cap, cap)
        self.assertEqual((two(2.0 ** 1000, 2.0 ** 990), two(2.0 ** -890, 1), two(5e-324, 1)), (2.0 ** 990, 2.0 ** -890, 0))

    def test_numbers_of_nodes_are_whole(self):
        graph = maxflow.Graph[int]()
        for action in (lambda: graph.add_nodes(2.5), lambda: graph.add_grid_nodes((2, 2.5)),
                       lambda: (graph.add_nodes(2), graph.add_edge(0.5, 1, 1, 1))):
            self.assertRaises(TypeError, action)
        for action in (lambda: graph.add_nodes(-1), lambda: graph.add_grid_nodes((2, -2))):
            self.assertRaises(ValueError, action)

    def test_what_is_as_good_as_infinite_takes_nothing_from_the_rest(self):
        graph = maxflow.Graph[float]()
        ids = graph.add_grid_nodes((1, 4))
        graph.add_grid_edges(ids, 1e30)
        graph.add_edge(1, 2, 0.001, 0.001)
        graph.add_grid_tedges(ids[:, :1], 1e300, 0)
        graph.add_grid_tedges(ids[:, 3:], 0, 0.375)
        self.assertEqual(graph.maxflow(), 0.375)
        graph = maxflow.Graph[float]()
        a, b = graph.add_nodes(2)
        graph.add_edge(a, b, 0.1, 0)
        graph.add_tedge(a, 1e9, 0)
        graph.add_tedge(b, 0, 1e9)
        self.assertAlmostEqual(graph.maxflow(), 0.1, places=12)

    @unittest.skipUnless(importlib.util.find_spec("maxflow"), "there is no PyMaxflow")
    def test_flows_and_segments_are_those_of_pymaxflow(self):
        import maxflow as original
        for turn in range(60):
            kind = (int, float)[turn // 3 % 2]
            ours, theirs = (any_graph(np.random.default_rng([SEED, turn]), module, kind, turn) for module in (maxflow, original))
            with self.subTest(seed=SEED, turn=turn, kind=kind.__name__):
                self.assertEqual(ours[0].maxflow(), theirs[0].maxflow())
                self.assertEqual(ours[0].get_edge_count(), theirs[0].get_edge_count())
                # tilecut's cut has the fewest nodes on the sink's side; PyMaxflow may return another minimum cut.
                mine, other = ours[0].get_grid_segments(ours[1]), theirs[0].get_grid_segments(theirs[1])
                self.assertTrue((mine <= other).all())
