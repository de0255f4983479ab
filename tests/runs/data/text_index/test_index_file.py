"""The database of the index."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from runs.data.text_index import index_file
from runs.data.text_index.index_file import (
    TooSlow,
    forget_text_index,
    readable_text_index,
    text_index,
    text_index_path,
)
from runs.data.text_index.run_texts import RunTexts


def texts(*outputs: str) -> RunTexts:
    """A run with these outputs, from step 1 on."""
    made = RunTexts()
    for number, output in enumerate(outputs, 1):
        made.add(number, {"output": output})
    return made


def test_words_phrases_and_numbers_between_signs_are_found_by_step() -> None:
    with text_index() as index:
        index.replace(7, "a", texts("foo_bar.baz at 127.0.0.1:5432", "Größe in src/app.py", "foo bar"))
        index.replace(8, "a", texts("FOO_BAR again", "nothing", "foo_bar"))
        segments = {run: indexed.segment for run, indexed in index.runs().items()}

        def steps(match: str) -> dict[int, tuple[int, ...]]:
            hits, _ = index.hits(match, segments.values(), 99)
            return {run: dict(hits)[segment] for run, segment in segments.items() if segment in dict(hits)}

        assert steps('"foo_bar"') == {7: (1,), 8: (1, 3)}
        assert steps('"foo_bar baz"') == steps('"127 0 0 1"') == steps('"5432"') == {7: (1,)}
        assert steps('"foo"') == steps('"foo bar"') == {7: (3,)}
        assert steps('"größe"') == steps('"app py"') == {7: (2,)}
        assert steps('"grosse"') == steps('{command} : ("app")') == {}
        newest, more = index.hits('"foo_bar"', segments.values(), 2)
        assert (newest, more) == ([(segments[8], (1, 3))], True)
        assert index.hits('"foo_bar"', [segments[7]], 2) == ([(segments[7], (1,))], False)
        assert index.matching('"foo_bar"', segments.values()) == set(segments.values())
        assert (
            index.count('"foo_bar"', segments.values(), 9),
            index.count('"foo_bar"', segments.values(), 1),
        ) == (3, 2)


def test_a_version_is_stored_once_and_replaces_the_one_before_it() -> None:
    with text_index() as index:
        assert index.replace(7, "a", texts("old words"))
        assert not index.replace(7, "a", texts("old words"))
        assert index.replace(7, "b", texts("new"))
        (indexed,) = index.runs().values()
        assert (indexed.version, indexed.characters) == ("b", 3)
        assert index.matching('"old"', [indexed.segment]) == set()
        assert index.left_behind() == pytest.approx(9 / 12)
        index.remove([7])
        assert index.runs() == {}
        index.optimize()


def test_readers_have_no_index_before_there_is_one_and_none_of_another_format() -> None:
    with readable_text_index() as index:
        assert index is None
    with text_index() as written:
        written.replace(7, "a", texts("words"))
    with sqlite3.connect(text_index_path()) as database:
        database.execute("PRAGMA user_version = 99")
    with readable_text_index() as index:
        assert index is None
    with text_index() as written:
        assert written.runs() == {}
    text_index_path().write_bytes(b"no database" * 999)
    with readable_text_index() as index:
        assert index is None
    forget_text_index()
    assert list(text_index_path().parent.iterdir()) == []


def test_readers_read_while_a_writer_writes_and_cannot_write_themselves() -> None:
    with text_index() as index:
        index.replace(7, "a", texts("words"))
    with text_index() as writer, readable_text_index() as reader:
        assert reader is not None
        writer._database.execute("BEGIN IMMEDIATE")
        assert list(reader.runs()) == [7]
        writer._database.execute("ROLLBACK")
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.replace(8, "a", texts("more"))


def test_a_failed_write_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    with text_index() as index:
        index.replace(7, "a", texts("words"))
        monkeypatch.setattr(index_file, "_INSERT", "INSERT INTO nowhere VALUES (?)")
        with pytest.raises(sqlite3.Error):
            index.replace(7, "b", texts("other"))
        assert index.runs()[7].version == "a"


def test_two_writers_make_one_index_and_store_each_run_once() -> None:
    stored: list[bool] = []

    def write() -> None:
        with text_index() as index:
            stored.extend(index.replace(run, "a", texts("words")) for run in range(20))

    threads = [threading.Thread(target=write) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(stored) == [False] * 40 + [True] * 20


def test_a_query_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_file, "MAX_SECONDS", -1)
    monkeypatch.setattr(index_file, "_INSTRUCTIONS", 1)
    with text_index() as index:
        index.replace(7, "a", texts("words"))
        with pytest.raises(TooSlow):
            index.matching('"words"', [1])
