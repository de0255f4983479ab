"""Small fields of agents that meet over tasks, for what rates them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

Scores = Mapping[str, Mapping[str, float]]
fields = st.dictionaries(
    st.sampled_from("abcde"),
    st.dictionaries(st.sampled_from("xyz"), st.sampled_from([0.0, 0.04, 0.3, 0.7, 1.0])),
    max_size=5,
)
