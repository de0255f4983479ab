"""k-means and silhouettes, compared with scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from runs.analysis.statistics.k_means import k_means, silhouette

POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=15, unique=True).map(
    lambda points: np.array(points, dtype=float)
)


def inertia(points: np.ndarray, labels: np.ndarray) -> float:
    groups = [points[labels == label] for label in set(labels.tolist())]
    return float(sum(((group - group.mean(axis=0)) ** 2).sum() for group in groups))


def test_close_points_are_one_cluster() -> None:
    points = np.array([[0.0, 0], [9, 9], [0, 1], [9, 8]])

    labels = k_means(points, 2, random=5, spread=2, seed=0)

    assert (labels == labels[0]).tolist() == [True, False, True, False]
    assert len(set(k_means(points, 4, random=5, spread=2, seed=0).tolist())) == 4
    assert set(k_means(points, 1, random=5, spread=2, seed=0).tolist()) == {0}


@settings(max_examples=30, derandomize=True)
@given(POINTS, st.sampled_from([2, 3]))
def test_clusters_are_as_narrow_as_those_of_another_program(points: np.ndarray, k: int) -> None:
    ours = k_means(points, k, random=30, spread=5, seed=0)
    theirs = KMeans(n_clusters=k, init="random", n_init=30, random_state=0).fit(points)

    assert len(set(ours.tolist())) == k
    assert inertia(points, ours) <= theirs.inertia_ + 1e-9
    assert silhouette(points, ours) == pytest.approx(silhouette_score(points, ours))


def test_equal_points_in_different_clusters_have_a_silhouette_of_zero() -> None:
    assert silhouette(np.zeros((4, 2)), np.array([0, 0, 1, 1])) == 0
