# SPDX-License-Identifier: MIT
"""Compares tilecut.network with scipy's maximum flow, matching and assignment, and checks the proof of each. Sparse
matrices stored by rows are read in place."""
import os
import subprocess
import sys
import threading
import tracemalloc
import types
import unittest
from unittest import mock

import numpy as np

try:
    from scipy import optimize, sparse
    from scipy.sparse import csgraph
except ImportError:
    raise unittest.SkipTest("there is no SciPy") from None

from scenes import SEED, refuses
import tilecut
from tilecut import maxflow, network


def random_graph(rng, nodes, arcs, most):
    """Returns a CSR matrix of int64 without parallel arcs."""
    dense = np.zeros((nodes, nodes), np.int64)
    at = rng.integers(0, nodes, (2, arcs))
    dense[at[0], at[1]] = rng.integers(1, most, arcs)
    np.fill_diagonal(dense, 0)
    return sparse.csr_matrix(dense)


class Flows(unittest.TestCase):
    def check(self, graph, answer, sources, sinks):
        """Checks that the flow is feasible and the side is a cut of the same cost."""
        coo = graph.tocoo()
        self.assertTrue((answer.flows >= 0).all() and (answer.flows <= coo.data).all())
        net = np.zeros(graph.shape[0], np.int64)
        np.add.at(net, coo.row, answer.flows)
        np.subtract.at(net, coo.col, answer.flows)
        self.assertEqual(int(net[sources].sum()), answer.flow)
        inner = np.ones(graph.shape[0], bool)
        inner[sources], inner[sinks] = False, False
        self.assertFalse(net[inner].any())
        cut = (answer.side[coo.row] == 255) & (answer.side[coo.col] == 0)
        self.assertEqual(int(coo.data[cut].sum()), answer.flow)

    def test_flows_are_those_of_scipy(self):
        rng = np.random.default_rng(SEED)
        for turn in range(60):
            nodes = int(rng.integers(2, 40))
            graph = random_graph(rng, nodes, int(rng.integers(0, 6 * nodes)), 60)
            source, sink = (int(n) for n in rng.permutation(nodes)[:2])
            want = csgraph.maximum_flow(graph.astype(np.int32), source, sink).flow_value
            masks = set()
            for solver in network.solvers("cpu"):
                with self.subTest(seed=SEED, turn=turn, solver=solver):
                    answer = network.maximum_flow(graph, source, sink, flows=True, solver=solver)
                    self.assertEqual(answer.flow, want)
                    self.check(graph, answer, [source], [sink])
                    masks.add(answer.side.tobytes())
            self.assertEqual(len(masks), 1)

    def test_several_terminals_vectors_and_no_limits(self):
        tail, head = np.array([0, 1, 2, 2, 3]), np.array([2, 2, 3, 4, 5])
        caps = np.array([5, network.INFINITE, 4, 7, 9])
        answer = network.maximum_flow((tail, head, caps), [0, 1], (4, 5), flows=True)
        self.assertEqual((answer.flow, answer.flows.tolist()[2:], answer.report["certified"]), (11, [4, 7, 4], 1))
        caps[3] = network.INFINITE
        with self.assertRaisesRegex(ValueError, "no limit"):
            network.maximum_flow((tail, head, caps), [0, 1], [4], nodes=6)
        # each arc has the capacity 1 if none is given
        self.assertEqual(network.maximum_flow((tail, head), 0, 5).flow, 1)
        self.assertEqual(network.maximum_flow((tail[:0], head[:0]), 0, 1, nodes=2).flow, 0)

    def test_terminals_in_any_kind_of_array(self):
        graph = random_graph(np.random.default_rng(SEED), 20, 120, 50)
        want = network.maximum_flow(graph, [0, 1], [18, 19])
        for sources, sinks in ((np.array([0, 1]), np.array([18, 19])), (np.array([0, 1], np.uint8), np.arange(20)[:-3:-1]),
                               ({0, 1}, range(18, 20)), ((np.int64(1), np.uint8(0)), np.array([19, 18], np.int32))):
            got = network.maximum_flow(graph, sources, sinks)
            self.assertEqual((got.flow, got.side.tobytes()), (want.flow, want.side.tobytes()))
        self.assertEqual(network.maximum_flow(graph, np.array(0), np.array([19])).flow, network.maximum_flow(graph, 0, 19).flow)

    def test_a_network_is_solved_again(self):
        rng = np.random.default_rng(SEED)
        graph = random_graph(rng, 30, 120, 9)
        with network.Network(graph, 0, 29) as net:
            self.assertEqual((net.nodes, net.arcs), (30, graph.nnz))
            answers = {(net.solve(threads=t).flow, net.solve(threads=t).side.tobytes()) for t in (1, 2, 4)}
        self.assertEqual(len(answers), 1)
        with self.assertRaises(ValueError):
            net.solve()

    def test_a_network_that_is_being_solved_is_not_closed(self):
        net = network.Network(random_graph(np.random.default_rng(SEED), 30, 120, 9), 0, 29)
        real, closed = network.library.tilecut_network_solve, []

        def late(*arguments):
            try:
                net.close()
            except ValueError as error:
                closed.append(str(error))
            return real(*arguments)

        with mock.patch.object(network.library, "tilecut_network_solve", late):
            self.assertEqual(net.solve().report["certified"], 1)
        self.assertEqual([text[:28] for text in closed], ["the network is being solved;"])
        net.close()
        net.close()

    def test_other_types_of_whole_numbers_are_converted(self):
        graph = random_graph(np.random.default_rng(SEED), 20, 80, 50)
        want = network.maximum_flow(graph, 0, 19)
        for kind in (np.int8, np.uint8, np.int32, np.uint64):
            other = graph.astype(kind)
            other.indptr, other.indices = other.indptr.astype(np.int64), other.indices.astype(np.int64)
            got = network.maximum_flow(other, 0, 19)
            self.assertEqual(got.flow, want.flow)
            np.testing.assert_array_equal(got.side, want.side)
        gaps = np.repeat(graph.data, 2)[::2]
        coo = graph.tocoo()
        self.assertEqual(network.maximum_flow((coo.row, coo.col, gaps), 0, 19, nodes=20).flow, want.flow)

    def test_what_is_wrong_is_told(self):
        graph = random_graph(np.random.default_rng(SEED), 6, 20, 50)
        tail, head = np.array([0, 1]), np.array([1, 2])
        vector = types.SimpleNamespace(indptr=graph.indptr, indices=graph.indices, data=graph.data, shape=(6,))
        cases = [
            (ValueError, "graph.data holds nan", lambda: network.maximum_flow(graph * np.nan, 0, 5)),
            (ValueError, "graph.data holds -inf", lambda: network.maximum_flow(graph * -np.inf, 0, 5)),
            (ValueError, "no power of ten or two", lambda: network.maximum_flow((tail, head, np.array([1e-30, 1.0])), 0, 2)),
            (TypeError, "graph must be an array", lambda: network.maximum_flow(3, 0, 5)),
            (TypeError, "may be rows or vectors", lambda: network.maximum_flow([tail, head], 0, 2)),
            (ValueError, "rows of 2 and of other", lambda: network.maximum_flow([[0, 1], [1]], 0, 1)),
            (ValueError, "beside which it is no float64", lambda: network.maximum_flow([[0, 2 ** 60 + 1], [0.5, 0]], 0, 1)),
            (TypeError, "complex numbers", lambda: network.maximum_flow(graph * 1j, 0, 5)),
            (TypeError, "holds Python objects", lambda: network.assign(np.array([[1, None], [2, 3]], object))),
            (TypeError, "holds text", lambda: network.assign(np.array([["1", "2"]]))),
            (TypeError, "holds dates or times", lambda: network.assign(np.zeros((2, 2), "M8[s]"))),
            (TypeError, "holds records of fields", lambda: network.assign(np.zeros((2, 2), "i4,i4"))),
            (TypeError, "holds long doubles", lambda: network.assign(np.zeros((2, 2), np.longdouble))),
            (TypeError, "elements of the format", lambda: network.assign(np.zeros((2, 2), ">f8" if sys.byteorder == "little" else
                                                                            "<f8"))),
            (TypeError, "no option", lambda: network.maximum_flow(graph, 0, 5, speed=3)),
            (TypeError, "source", lambda: network.maximum_flow(graph, 0.5, 5)),
            (TypeError, "whole number", lambda: network.maximum_flow(graph, [0.5], 5)),
            (ValueError, "source and sink", lambda: network.maximum_flow(graph, 5, 5)),
            (ValueError, "not there", lambda: network.maximum_flow(graph, 0, 6)),
            (ValueError, "beyond all bounds", lambda: network.maximum_flow(graph, 0, 2 ** 40)),
            (ValueError, "source", lambda: network.maximum_flow(graph, [], 5)),
            (TypeError, "source is float64", lambda: network.maximum_flow(graph, np.array([0.0]), 5)),
            (TypeError, "source is bool", lambda: network.maximum_flow(graph, np.arange(6) == 0, 5)),
            (TypeError, "sink is False, which is no whole number", lambda: network.maximum_flow(graph, 0, [False] * 5 + [True])),
            (TypeError, "tail is bool", lambda: network.maximum_flow(((True, False), (False, True)), 0, 1)),
            (ValueError, "source has the shape", lambda: network.maximum_flow(graph, np.array([[0, 1]]), 5)),
            (ValueError, "nodes is 1180591620717411303424", lambda: network.maximum_flow((tail, head), 0, 2, nodes=2 ** 70)),
            (ValueError, "graph has the shape (6,)", lambda: network.maximum_flow(vector, 0, 5)),
            (ValueError, "as many rows", lambda: network.maximum_flow(graph[:3], 0, 5)),
            (ValueError, "arc 1", lambda: network.maximum_flow((tail, np.array([1, 9])), 0, 2, nodes=3)),
            (ValueError, "shape", lambda: network.maximum_flow((tail, head[:1]), 0, 2)),
            (ValueError, "capacity of -1", lambda: network.maximum_flow((tail, head, np.array([-1, 1])), 0, 2)),
            (ValueError, "int32", lambda: network.maximum_flow((tail + 2 ** 40, head), 0, 2, nodes=3)),
            (ValueError, "int64", lambda: network.maximum_flow((tail, head, np.array([2 ** 63, 1], np.uint64)), 0, 2)),
            (TypeError, "holds dates or times", lambda: network.maximum_flow((tail, head, tail.astype("m8[s]")), 0, 2)),
            (TypeError, "format '>q'", lambda: network.maximum_flow((tail, head, tail.astype(">i8")), 0, 2)),
            (ValueError, "solver", lambda: network.maximum_flow(graph, 0, 5, solver="none such")),
            (ValueError, "solver", lambda: network.maximum_flow(graph, 0, 5, solver="bk\0x")),
            (ValueError, "threads", lambda: network.maximum_flow(graph, 0, 5, threads=1000)),
            (ValueError, "bounds", lambda: network.maximum_flow(graph, 0, 5, threads=2 ** 64)),
        ]
        refuses(self, cases)

    def test_a_raised_flag_cancels(self):
        flag = tilecut.Flag()
        flag.raise_()
        with self.assertRaises(tilecut.Cancelled):
            network.maximum_flow(random_graph(np.random.default_rng(SEED), 50, 400, 50), 0, 49, cancel=flag)

    def test_threads_at_once(self):
        graph = random_graph(np.random.default_rng(SEED), 200, 2000, 50)
        want, got = network.maximum_flow(graph, 0, 199), []
        threads = [threading.Thread(target=lambda: got.append(network.maximum_flow(graph, 0, 199))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({(g.flow, g.side.tobytes()) for g in got}, {(want.flow, want.side.tobytes())})


class Memory(unittest.TestCase):
    """Returns the peak memory of Python and NumPy, which tracemalloc sees, without that of the library."""

    def most_taken(self, action):
        action()
        tracemalloc.start()
        action()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    def test_sparse_rows_are_not_copied(self):
        n = 100000
        ring = sparse.csr_matrix((np.ones(3 * n, np.int64), (np.repeat(np.arange(n, dtype=np.int32), 3),
                                                             np.add.outer(np.arange(n), (1, 2, 3)).ravel() % n)))
        ring.sort_indices()
        bytes_ = ring.data.nbytes + ring.indices.nbytes + ring.indptr.nbytes
        self.assertEqual((ring.data.dtype, ring.indices.dtype), (np.int64, np.int32))
        self.assertLess(self.most_taken(lambda: network.Network(ring, 0, n // 2).close()), 20000)
        taken = self.most_taken(lambda: network.match(ring))
        self.assertLess(taken, 6 * n + 20000)  # the call takes only memory for its results, the columns and the cover
        self.assertLess(taken, bytes_ / 4)
        costs = np.ones((400, 400), np.int64)
        self.assertLess(self.most_taken(lambda: network.assign(costs)), 40000)


class Limits(unittest.TestCase):
    """Checks that invalid input is refused before any large allocation, with the right numbers in the message."""

    def refused(self, pattern, function, *arguments, **options):
        tracemalloc.start()
        try:
            with self.assertRaisesRegex(MemoryError, pattern) as caught:
                function(*arguments, **options)
            self.assertIsInstance(caught.exception, tilecut.OutOfMemory)
            self.assertLess(tracemalloc.get_traced_memory()[1], 100000)
        finally:
            tracemalloc.stop()

    def test_more_than_is_allowed(self):
        one = np.zeros(1, np.int32), np.ones(1, np.int32)
        most = 2 ** 31 - 1
        text = r"takes about \d+\.\d MB of memory, but 1000.0 MB are allowed by max_memory"
        self.refused(f"a graph of {most} nodes and 1 arcs {text}", network.maximum_flow, one, 0, 1, nodes=most,
                     max_memory=10 ** 9)
        self.refused(text, network.Network, one, 0, 1, nodes=most, max_memory=10 ** 9)
        self.refused(f"a graph of {2 ** 31 - 2} rows and columns and 1 edges {text}", network.match, one,
                     shape=(2 ** 30 - 1, 2 ** 30 - 1), max_memory=10 ** 9)
        self.refused(text, network.assign, (*one, np.ones(1, np.int64)), shape=(2 ** 30 - 1, 2 ** 30 - 1),
                     max_memory=10 ** 9)
        self.refused(text, network.levels, one, 0, shape=(most, most), max_memory=10 ** 9)

    def test_more_than_is_free(self):
        one, most = (np.zeros(1, np.int32), np.ones(1, np.int32)), 2 ** 31 - 1
        with mock.patch("tilecut._memory.free", lambda: 10 ** 9):
            self.refused("but 1000.0 MB are free", network.maximum_flow, one, 0, 1, nodes=most)
            self.refused("but 1000.0 MB are free", network.match, one, shape=(2 ** 30 - 1, 2 ** 30 - 1))
            self.refused("a graph of 1000000000000 nodes", maxflow.GraphInt().add_nodes, 10 ** 12)
            self.refused("a graph of 1000000000000 nodes", maxflow.GraphInt().add_grid_nodes, (10 ** 6, 10 ** 6))
        from tilecut import _memory
        self.assertTrue(10 ** 6 < _memory.free() < 10 ** 15)

    def test_what_fits_is_done(self):
        one = np.zeros(1, np.int32), np.ones(1, np.int32)
        self.assertEqual(network.maximum_flow(one, 0, 1, max_memory=3 * 10 ** 6).flow, 1)
        self.assertEqual(network.match(one, shape=(2, 2), max_memory=3 * 10 ** 6).pairs, 1)
        for wrong in (0, -1):
            self.assertRaises(ValueError, network.maximum_flow, one, 0, 1, max_memory=wrong)
        self.assertRaises(TypeError, network.maximum_flow, one, 0, 1, max_memory="1G")
        self.assertRaises(ValueError, network.maximum_flow, one, 0, 1, nodes=2 ** 40, max_memory=10 ** 9)

    def test_statements_are_what_is_taken_and_some_more(self):
        script = '''
import sys, tilecut.network as network, numpy as np
def field(name):
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(name))
kind, nodes, arcs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(1)
each = arcs // nodes  # the arcs of a node lead to others that are not far
tail = np.repeat(np.arange(nodes, dtype=np.int32), each)
head = ((tail.astype(np.int64) * 7 + np.tile(np.arange(each), nodes) * 11 + 1) % nodes).astype(np.int32)
costs = rng.integers(1, 1000, arcs)
stated = []
network._memory.check = lambda what, need, most: stated.append(need)
open("/proc/self/clear_refs", "w").write("5")
before = field("VmRSS")
if kind == "flow":
    network.maximum_flow((tail, head, costs), 0, nodes // 2, nodes=nodes, threads=2)
elif kind == "match":
    network.match((tail, head), shape=(nodes, nodes), threads=2)
elif kind == "assign":
    network.assign((tail, head, costs), shape=(nodes, nodes), threads=2)
else:
    network.levels((tail, head), 0, shape=(nodes, nodes), threads=2)
print(stated[0] / (field("VmHWM") - before))
'''
        if not os.access("/proc/self/clear_refs", os.W_OK):
            self.skipTest("/proc/self/clear_refs")
        if os.environ.get("LD_PRELOAD"):
            self.skipTest("what is taken: a sanitizer takes memory of its own")
        for kind, nodes, arcs in (("flow", 300000, 1500000), ("flow", 100000, 2000000), ("match", 400000, 800000),
                                  ("match", 100000, 2000000), ("assign", 100000, 1000000), ("levels", 500000, 2000000)):
            ran = subprocess.run([sys.executable, "-c", script, kind, str(nodes), str(arcs)], capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertTrue(1 < float(ran.stdout) < 1.4, (kind, nodes, arcs, ran.stdout))


class Pairs(unittest.TestCase):
    def test_matchings_are_as_large_as_scipys_and_covered(self):
        rng = np.random.default_rng(SEED)
        for turn in range(60):
            shape = tuple(int(n) for n in rng.integers(1, 40, 2))
            graph = sparse.random(*shape, density=float(rng.uniform(0, 0.3)), format="csr", random_state=int(turn))
            want = int((csgraph.maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())
            answer = network.match(graph)
            with self.subTest(seed=SEED, turn=turn, shape=shape):
                self.assertEqual(answer.pairs, want)
                rows = np.flatnonzero(answer.column_of >= 0)
                self.assertEqual(rows.size, want)
                self.assertEqual(len(set(answer.column_of[rows])), want)
                pattern = graph.toarray() != 0
                self.assertTrue(pattern[rows, answer.column_of[rows]].all())
                coo = graph.tocoo()
                self.assertTrue((answer.cover_rows[coo.row] | answer.cover_columns[coo.col]).all())
                self.assertEqual(int(answer.cover_rows.sum() + answer.cover_columns.sum()), want)
                again = network.match((coo.row, coo.col), shape=shape, threads=2)
                self.assertEqual(again.pairs, want)
                np.testing.assert_array_equal(again.cover_rows, answer.cover_rows)

    def test_inf_is_no_pair(self):
        table = np.array([[1, np.inf], [np.inf, np.inf]])
        for graph in (table, table.tolist(), sparse.csr_matrix(table), sparse.coo_matrix(table)):
            self.assertEqual(network.match(graph).pairs, 1)

    def test_assignments_cost_what_scipys_do(self):
        rng = np.random.default_rng(SEED)
        for turn in range(40):
            rows = int(rng.integers(1, 25))
            columns = rows + int(rng.integers(0, 10))
            costs = rng.integers(-50, 50, (rows, columns))
            at = optimize.linear_sum_assignment(costs)
            for given in (costs, np.asfortranarray(costs), costs.astype(np.int16)):
                answer = network.assign(given)
                with self.subTest(seed=SEED, turn=turn, shape=costs.shape):
                    self.assertEqual(answer.cost, int(costs[at].sum()))
                    self.assertEqual(int(costs[np.arange(rows), answer.column_of].sum()), answer.cost)
                    prices = answer.row_price[:, None] + answer.column_price
                    self.assertTrue((prices <= costs).all())
                    self.assertEqual(int(answer.row_price.sum() + answer.column_price.sum()), answer.cost)

    def test_sparse_assignments_cost_what_scipys_do(self):
        rng = np.random.default_rng(SEED)
        for turn in range(30):
            n = int(rng.integers(1, 25))
            dense = rng.integers(1, 60, (n, n)) * (rng.random((n, n)) < 0.3)
            dense[np.arange(n), rng.permutation(n)] = 99  # guarantees that an assignment exists
            graph = sparse.csr_matrix(dense)
            rows, columns = csgraph.min_weight_full_bipartite_matching(graph)
            answer = network.assign(graph)
            coo = graph.tocoo()
            with self.subTest(seed=SEED, turn=turn, n=n):
                self.assertEqual(answer.cost, int(dense[rows, columns].sum()))
                self.assertEqual(network.assign((coo.row, coo.col, coo.data), shape=(n, n)).cost, answer.cost)

    def test_what_is_wrong_is_told(self):
        costs = np.ones((3, 4), np.int64)
        one = np.zeros(1, np.int32)
        cases = [
            (ValueError, "some columns, column 1 one of them",
             lambda: network.assign(sparse.csr_matrix(np.array([[1, 2], [0, 0], [0, 0]])))),
            (ValueError, "costs holds nan", lambda: network.assign(costs * np.nan)),
            (ValueError, "costs holds -inf", lambda: network.assign(costs * -np.inf)),
            (ValueError, "graph holds nan", lambda: network.match(costs * np.nan)),
            (ValueError, "graph holds -inf", lambda: network.match(sparse.csr_matrix(costs * -np.inf))),
            (ValueError, "fewer digits is right", lambda: network.assign(np.random.default_rng(1).random((30, 30)))),
            (ValueError, "no assignment", lambda: network.assign(sparse.csr_matrix(np.eye(3, dtype=np.int64)[[0, 0, 1]]))),
            (TypeError, "shape=", lambda: network.match((one, one))),
            (TypeError, "(row, column)", lambda: network.match((one, one, one), shape=(1, 1))),
            (ValueError, "shape", lambda: network.assign(costs[0])),
            (ValueError, "joins row 0 and column 7", lambda: network.match((one, one + 7), shape=(1, 1))),
            (ValueError, "costs", lambda: network.assign(costs * 2 ** 60)),
            (ValueError, "at most 1073741823", lambda: network.assign(np.broadcast_to(np.int8(1), (2 ** 20, 2 ** 20)))),
            (ValueError, "1099511627776 rows", lambda: network.match((one, one), shape=(2 ** 40, 1))),
            (ValueError, "-1 rows", lambda: network.match((one, one), shape=(-1, 1))),
        ]
        refuses(self, cases)


FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")


def forms_of(dense):
    """Yields the same matrix in all forms, and the order of its entries in tocoo(), or None for the order by rows."""
    for form in FORMATS if dense.dtype != np.float16 else ():  # scipy lacks this type
        yield form, sparse.csr_matrix(dense).asformat(form)
        yield form + " array", sparse.csr_array(dense).asformat(form)
    for form, other in (("full", dense), ("by columns", np.asfortranarray(dense)), ("a view", np.repeat(dense, 2, axis=1)[:, ::2]),
                        ("matrix", np.matrix(dense)), ("rows", dense.tolist()), ("rows of tuples", [tuple(r) for r in dense])):
        yield form, other


class Forms(unittest.TestCase):
    """Compares with scipy for matrices of all forms and number types."""

    def test_flows_of_all_forms_and_types(self):
        rng = np.random.default_rng(SEED)
        for turn in range(12):
            nodes = int(rng.integers(2, 12))
            dense = random_graph(rng, nodes, 4 * nodes, 60).toarray()
            want = csgraph.maximum_flow(sparse.csr_matrix(dense.astype(np.int32)), 0, nodes - 1).flow_value
            side = network.maximum_flow(sparse.csr_matrix(dense), 0, nodes - 1).side
            for kind, unit in ((np.int64, 1), (np.int8, 1), (np.uint16, 1), (np.float64, 1), (np.float32, 8), (np.float64, 100),
                               (np.float32, 10), (np.float16, 4)):
                given = (dense / unit if unit > 1 else dense).astype(kind)
                plain = given.astype(np.float32) if kind == np.float16 else given
                for form, graph in forms_of(given):
                    if kind == np.float32 and form == "rows":
                        continue  # a list of Python floats becomes float64
                    answer = network.maximum_flow(graph, 0, nodes - 1, flows=True)
                    with self.subTest(seed=SEED, turn=turn, form=form, kind=kind.__name__, unit=unit):
                        self.assertEqual(answer.flow, want / unit)
                        self.assertEqual(type(answer.flow), float if np.dtype(kind).kind == "f" else int)
                        np.testing.assert_array_equal(answer.side, side)
                        at = graph.tocoo() if sparse.issparse(graph) or hasattr(graph, "tocoo") else sparse.coo_matrix(plain)
                        self.assertEqual(len(answer.flows), at.nnz)
                        net = np.zeros(nodes)
                        np.add.at(net, at.col, answer.flows)
                        np.subtract.at(net, at.row, answer.flows)
                        np.testing.assert_allclose(net[1:-1], 0, atol=1e-9)
                        self.assertTrue((answer.flows <= at.data.astype(np.float64) + 1e-6).all())

    def test_true_is_one_of_capacity_and_cost(self):
        rng = np.random.default_rng(SEED)
        for turn in range(30):
            nodes = int(rng.integers(2, 9))
            dense = rng.random((nodes, nodes)) < 0.4
            np.fill_diagonal(dense, False)
            want = csgraph.maximum_flow(sparse.csr_matrix(dense.astype(np.int32)), 0, nodes - 1).flow_value
            cost = optimize_cost(dense.astype(np.int64))
            for form, graph in forms_of(dense):
                with self.subTest(seed=SEED, turn=turn, form=form):
                    self.assertEqual(network.maximum_flow(graph, 0, nodes - 1).flow, want)
                    if not sparse.issparse(graph):  # in a dense matrix, False means that there is no edge
                        self.assertEqual(network.assign(graph).cost, cost)

    def test_pairs_and_levels_of_all_forms(self):
        rng = np.random.default_rng(SEED)
        for turn in range(20):
            dense = (rng.random(tuple(rng.integers(1, 12, 2))) < 0.3).astype(np.int64)
            want = int((csgraph.maximum_bipartite_matching(sparse.csr_matrix(dense), perm_type="column") >= 0).sum())
            for kind in (np.int64, bool, np.float64):
                for form, graph in forms_of(dense.astype(kind)):
                    with self.subTest(seed=SEED, turn=turn, form=form, kind=kind.__name__):
                        self.assertEqual(network.match(graph).pairs, want)
            nodes = int(rng.integers(1, 12))
            dense = rng.random((nodes, nodes)) < 0.2
            want = csgraph.shortest_path(sparse.csr_matrix(dense), unweighted=True, indices=0)
            for form, graph in forms_of(dense):
                with self.subTest(seed=SEED, turn=turn, form=form):
                    np.testing.assert_array_equal(network.levels(graph, 0).level, np.where(np.isinf(want), -1, want))

    def check_assignment(self, costs, answer):
        """Checks that the pairs have the reported cost, that the prices prove it, and that scipy finds no cheaper
        assignment."""
        at = optimize.linear_sum_assignment(costs)
        self.assertAlmostEqual(answer.cost, costs[at].sum(), delta=1e-9 * max(1, abs(costs[at].sum())))
        taken = np.flatnonzero(answer.column_of >= 0)
        self.assertEqual(taken.size, min(costs.shape))
        self.assertEqual(np.unique(answer.column_of[taken]).size, taken.size)
        self.assertAlmostEqual(costs[taken, answer.column_of[taken]].sum(), answer.cost, delta=1e-9 * max(1, abs(answer.cost)))
        prices = answer.row_price[:, None] + answer.column_price
        self.assertTrue((prices <= costs + 1e-9 * np.abs(np.where(np.isinf(costs), 1, costs))).all())

    def test_assignments_of_fractions_forbidden_pairs_and_any_shape(self):
        rng = np.random.default_rng(SEED)
        for turn in range(150):
            shape = tuple(int(n) for n in rng.integers(1, 12, 2))
            costs = np.round(rng.uniform(-50, 50, shape), int(rng.integers(0, 5)))
            if turn % 3 == 0:  # these costs are exact binary fractions, but not short decimals
                costs = rng.integers(-1000, 1000, shape) / 2.0 ** int(rng.integers(0, 31))
            if turn % 2:
                costs[rng.random(shape) < 0.15] = np.inf
            forms = [costs, costs.tolist(), np.asfortranarray(costs)]
            row, column = np.nonzero(np.isfinite(costs))
            vectors = (row, column, costs[row, column])
            try:
                optimize.linear_sum_assignment(costs)
            except ValueError:
                for form in forms:
                    self.assertRaisesRegex(ValueError, "no assignment", network.assign, form)
                continue
            with self.subTest(seed=SEED, turn=turn):
                for form in forms:
                    self.check_assignment(costs, network.assign(form))
                self.check_assignment(costs, network.assign(vectors, shape=shape))
                self.check_assignment(costs, network.assign(tuple(v.tolist() for v in vectors), shape=shape))
                for kind in ("coo", "csc", "csr"):
                    graph = sparse.coo_matrix((costs[row, column], (row, column)), shape).asformat(kind)
                    self.check_assignment(costs, network.assign(graph))
                    full = sparse.coo_matrix((costs.ravel(), np.indices(shape).reshape(2, -1)), shape).asformat(kind)
                    self.check_assignment(costs, network.assign(full))  # tests a sparse matrix that stores inf

    def test_whole_numbers_of_more_rows_than_columns(self):
        rng = np.random.default_rng(SEED)
        for turn in range(40):
            columns = int(rng.integers(1, 20))
            costs = rng.integers(-50, 50, (columns + int(rng.integers(1, 9)), columns))
            for given in (costs, sparse.csr_matrix(costs + 1000), np.asfortranarray(costs.astype(np.int8))):
                answer = network.assign(given, threads=2)
                self.assertIsInstance(answer.cost, int)
                self.check_assignment(costs + (1000 if sparse.issparse(given) else 0), answer)

    def test_entries_that_come_twice(self):
        row, column, value = np.array([0, 0, 0, 1]), np.array([1, 1, 0, 0]), np.array([100, 100, 1, 7], np.int8)
        coo = sparse.coo_matrix((value, (row, column)), (2, 2))
        # the sum as scipy computes it, without an overflow in eight bits
        self.assertEqual(network.assign(coo).cost, 207)
        self.assertEqual(network.maximum_flow(coo, 0, 1).flow, 200)

    def test_public_reports(self):
        # Issue 19 of lap: with real costs the assignment was not the cheapest.
        big = 1000000
        costs = np.array([[.4, 0, .3166, big], [1, big, .3166, big], [.5, 0, big, big], [big, 0, big, big]])
        self.assertEqual(network.assign(costs).cost, optimize_cost(costs))
        costs = np.array([[-625, -2500, -1015.625, big], [2187.5, big, -1015.625, big], [-156.25, -2500, big, big],
                          [big, -2500, big, big]])
        self.assertEqual(network.assign(costs).cost, 995859.375)
        # Issue 10566 of scipy: 64-bit capacities and fractions in maximum_flow.
        wide = sparse.csr_matrix(np.array([[0, 3 * 2 ** 40, 5], [0, 0, 2 ** 41], [0, 0, 0]]))
        self.assertEqual(network.maximum_flow(wide, 0, 2).flow, 2 ** 41 + 5)
        self.assertEqual(network.maximum_flow(sparse.csr_matrix(np.array([[0, .1, .2], [0, 0, .7], [0, 0, 0]])), 0, 2).flow, .3)
        # Issue 6900 of scipy: inf forbids a pair, but does not make the whole problem infeasible.
        inf = np.inf
        self.assertEqual(network.assign([[inf, 1, 2], [3, inf, 4], [5, 6, inf]]).cost, 10)
        # Issues 8316 of networkx and 896 of or-tools: fractions are neither rounded nor truncated.
        self.assertEqual(network.maximum_flow([[0, .1, .2, 0], [0, 0, 0, .3], [0, 0, 0, .05], [0, 0, 0, 0]], 0, 3).flow, .15)
        self.assertEqual(network.assign([[.5, .25], [.75, .125]]).cost, .625)

    def test_scales(self):
        for costs, scale in (([[.1, .2], [.3, .4]], 10), ([[1.0, 2.0], [3.0, 4.0]], 1), ([[2.0 ** -30, 1], [0, 1]], 2 ** 30),
                             ([[.5, .25], [1, 1]], 100), ([[1, 2], [3, 4]], 1)):
            self.assertEqual(network.assign(costs).report["scale"], scale)
        self.assertEqual(network.maximum_flow([[0, 2.5, 0], [0, 0, np.inf], [0, 0, 0]], 0, 2).flow, 2.5)
        with self.assertRaisesRegex(ValueError, "no limit"):
            network.maximum_flow([[0, np.inf], [0, 0]], 0, 1)


def optimize_cost(costs):
    rows, columns = optimize.linear_sum_assignment(costs)
    return costs[rows, columns].sum()


class Levels(unittest.TestCase):
    def test_levels_are_those_of_scipy(self):
        rng = np.random.default_rng(SEED)
        for turn in range(12):
            nodes = int(rng.integers(1, 60))
            graph = sparse.csr_matrix((rng.random((nodes, nodes)) < rng.uniform(0, 0.1)).astype(np.int64))
            start = int(rng.integers(nodes))
            want = csgraph.shortest_path(graph, unweighted=True, indices=start)
            want = np.where(np.isinf(want), -1, want).astype(np.int32)
            for way in ("both", "down", "up"):
                got = network.levels(graph, start, solver=way)
                with self.subTest(seed=SEED, turn=turn, way=way):
                    np.testing.assert_array_equal(got.level, want)
                    self.assertEqual((got.reached, got.report["certified"]), ((want >= 0).sum(), 1))
        with self.assertRaises(ValueError):
            network.levels(sparse.csr_matrix(np.ones((2, 2), np.int64)), 2)
        with self.assertRaisesRegex(ValueError, "beyond all bounds"):
            network.levels(sparse.csr_matrix(np.ones((2, 2), np.int64)), 2 ** 64)


class Plain(unittest.TestCase):
    def test_works_without_numpy(self):
        program = ("import sys; sys.modules['numpy'] = None\n"
                   "import array\n"
                   "from tilecut import network\n"
                   "tail, head = array.array('i', [0, 0, 1, 2]), array.array('i', [1, 2, 3, 3])\n"
                   "caps = array.array('q', [3, 4, 2, 9])\n"
                   "answer = network.maximum_flow((tail, head, caps), 0, 3, nodes=4, flows=True)\n"
                   "assert answer.flow == 6 and list(answer.flows) == [2, 4, 2, 4], answer\n"
                   "pairs = network.match((tail, head), shape=(4, 4))\n"
                   "assert pairs.pairs == 2 and len(pairs.cover_rows) == 4, pairs\n"
                   "try: network.maximum_flow((tail, head, tail), 0, 3, nodes=4)\n"
                   "except TypeError as error: assert 'NumPy' in str(error)\n"
                   "print('fine')\n")
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual(out.stdout.strip(), "fine", out.stderr)
