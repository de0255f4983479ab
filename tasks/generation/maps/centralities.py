"""Centralities of the functions in a call graph.

The definitions are those of Breakpoint (arXiv:2506.00172), appendix C.2. Its formulas of harmonic and distance discount
centrality follow the calls of a function (outgoing), PageRank flows from callers to callees. Note that
`networkx.harmonic_centrality` counts the other direction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import rustworkx
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from harness.errors import HarnessError

MAX_NODES = 30_000  # time and memory grow with nodes times edges
MAX_EDGES = 300_000
DISCOUNT = 0.5
DAMPING = 0.85
TOLERANCE = 1e-14
_MAX_STEPS = 10_000
_ROWS = 500  # distances of so many nodes are in memory at a time


class GraphTooLarge(HarnessError):
    """A graph has more nodes or edges than are computed."""


def centralities(nodes: int, edges: Sequence[tuple[int, int]]) -> Mapping[str, tuple[float, ...]]:
    """Each centrality of all nodes, in their order. `edges`: distinct pairs (caller, callee) of numbers of nodes.

    - harmonic: Σ 1/d(f, g) over all other functions g that f reaches in d calls; harmonic_normalised: divided by n − 1.
    - distance_discount: Σ 0.5^d(f, g) over the same functions.
    - pagerank: with damping 0.85, from callers to callees; what functions without calls hold goes to all. Sum: 1.
    - betweenness: the share of shortest paths between two other functions that pass f, over the (n − 1)(n − 2) ordered
      pairs.
    - in_degree, out_degree, degree: callers, callees, and their sum.

    A function that calls itself adds 1 to both of its degrees, and keeps some PageRank; the others ignore that edge.
    Raises GraphTooLarge beyond MAX_NODES or MAX_EDGES.
    """
    if nodes > MAX_NODES or len(edges) > MAX_EDGES:
        raise GraphTooLarge(
            f"the call graph has {nodes:,} functions and {len(edges):,} calls; "
            f"at most {MAX_NODES:,} and {MAX_EDGES:,} are computed"
        )
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from_no_data(list(edges))
    harmonic, discounted = _by_distance(nodes, edges)
    pagerank = rustworkx.pagerank(graph, alpha=DAMPING, tol=TOLERANCE, max_iter=_MAX_STEPS) if nodes else {}
    # One thread: several add in another order each time, so that the last digits would differ.
    betweenness = rustworkx.digraph_betweenness_centrality(graph, parallel_threshold=nodes + 1)
    callers = tuple(float(graph.in_degree(node)) for node in range(nodes))
    callees = tuple(float(graph.out_degree(node)) for node in range(nodes))
    return {
        "harmonic": tuple(harmonic),
        "harmonic_normalised": tuple(value / max(nodes - 1, 1) for value in harmonic),
        "distance_discount": tuple(discounted),
        "pagerank": tuple(pagerank[node] for node in range(nodes)),
        "betweenness": tuple(betweenness[node] for node in range(nodes)),
        "in_degree": callers,
        "out_degree": callees,
        "degree": tuple(one + other for one, other in zip(callers, callees, strict=True)),
    }


def _by_distance(nodes: int, edges: Sequence[tuple[int, int]]) -> tuple[list[float], list[float]]:
    """Harmonic and distance discount centrality of each node."""
    harmonic: list[float] = []
    discounted: list[float] = []
    if not nodes:
        return harmonic, discounted
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    graph = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(nodes, nodes))
    for first in range(0, nodes, _ROWS):
        rows = np.arange(first, min(first + _ROWS, nodes))
        distances = dijkstra(graph, unweighted=True, indices=rows)
        distances[distances == 0] = np.inf  # to itself
        harmonic.extend((1 / distances).sum(axis=1).tolist())
        discounted.extend((DISCOUNT**distances).sum(axis=1).tolist())
    return harmonic, discounted
