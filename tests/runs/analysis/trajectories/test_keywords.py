"""What a text is about."""

from __future__ import annotations

from runs.analysis.trajectories.keywords import agents_words, keywords
from tests.runs.analysis.made_traces import call, say, trace


def test_identifiers_are_taken_apart_and_stop_words_left_out() -> None:
    text = "When `parseFlowTable` meets flow_table.py, HTTPServer2 should not be re-run (see #17)."
    assert keywords(text) == {"parse", "flow", "table", "meets", "http", "server", "run"}


def test_no_words_give_none() -> None:
    assert keywords("") == keywords("1 + 1 = 2, of it!") == frozenset()
    assert keywords("Größe zählen") == {"größe", "zählen"}


def test_what_an_agent_writes_counts_and_what_it_reads_does_not() -> None:
    traced = trace(
        say("Looking around", reasoning="perhaps caching"),
        call("write_file", content="done", path="src/tide.py", lines=[{"text": "def moon(): ..."}], n=3),
    )
    assert agents_words(traced) == {
        "looking", "perhaps", "caching", "src", "tide", "def", "moon",
    }  # fmt: skip
    assert agents_words(trace()) == frozenset()
