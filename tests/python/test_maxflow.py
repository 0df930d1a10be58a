# SPDX-License-Identifier: MIT
"""tilecut.maxflow against scipy's maximum flow on the same graphs, and PyMaxflow's documented examples."""
import os
import unittest

import numpy as np

import tilecut.maxflow as maxflow

SEED = int(os.environ.get("TEST_SEED", "1"))


def independent(nodes, edges, tedges):
    """The flow and the nodes that still reach the sink, by scipy."""
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

    def test_what_is_not_there_says_so(self):
        graph = maxflow.Graph[int]()
        ids = graph.add_grid_nodes((4, 4))
        for action in (lambda: graph.add_edge(ids[0, 0], ids[2, 2], 1, 1), lambda: graph.add_nodes(3),
                       lambda: graph.add_grid_edges(ids, periodic=True), lambda: maxflow.Graph[int]().add_grid_nodes((2, 2, 2)),
                       lambda: graph.add_grid_edges(ids[::2])):
            with self.assertRaises(NotImplementedError):
                action()
        with self.assertRaises(TypeError):
            maxflow.Graph[str]


if __name__ == "__main__":
    unittest.main()
