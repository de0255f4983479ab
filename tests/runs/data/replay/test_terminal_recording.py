"""Recordings of terminals. They are untrusted. These were written by hand from asciinema's documentation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runs.data.replay import terminal_recording
from runs.data.replay.terminal_recording import (
    RecordedEvent,
    RecordingRefused,
    RecordingSize,
    duration,
    plain,
    recorded_events,
    recording_size,
    shown_lines,
    transcript,
)

SIZE = "the size of its terminal is not from 1 to"
HEADER = {"version": 2, "width": 80, "height": 24}


def recording(directory: Path, header: Any, *events: Any, end: str = "") -> Path:
    """A recording of these lines; texts stay as they are."""
    lines = [each if isinstance(each, str) else json.dumps(each) for each in (header, *events)]
    path = directory / "a.cast"
    path.write_text("\n".join(lines) + "\n" + end, encoding="utf-8")
    return path


def test_version_2_has_times_from_the_beginning(tmp_path: Path) -> None:
    path = recording(
        tmp_path, {**HEADER, "idle_time_limit": 1.5}, [0.5, "o", "a"], [0.25, "i", "b"], [2, "m", "c"]
    )
    assert recording_size(path) == RecordingSize(80, 24, 1.5)
    assert list(recorded_events(path)) == [
        RecordedEvent(0.5, "o", "a"),
        RecordedEvent(0.5, "i", "b"),  # times never go back
        RecordedEvent(2.0, "m", "c"),
    ]


def test_version_3_has_times_since_the_event_before_and_comments(tmp_path: Path) -> None:
    header = {"version": 3, "term": {"cols": 100, "rows": 30}}
    path = recording(tmp_path, header, [0.5, "o", "a"], "# a comment", "", [1, "x", "0"])
    assert recording_size(path) == RecordingSize(100, 30)
    assert list(recorded_events(path)) == [RecordedEvent(0.5, "o", "a"), RecordedEvent(1.5, "x", "0")]


@pytest.mark.parametrize("indent", [None, 1])
def test_version_1_is_one_object(indent: int | None, tmp_path: Path) -> None:
    content = {"version": 1, "width": 9, "height": 5, "stdout": [[0.5, "a"], [1, "b"]]}
    path = tmp_path / "a.cast"
    path.write_text(json.dumps(content, indent=indent))
    assert recording_size(path) == RecordingSize(9, 5)
    assert list(recorded_events(path)) == [RecordedEvent(0.5, "o", "a"), RecordedEvent(1.5, "o", "b")]


def test_a_last_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = recording(tmp_path, HEADER, [0.5, "o", "a"], end='[0.9, "o", "to')
    assert list(recorded_events(path)) == [RecordedEvent(0.5, "o", "a")]


def test_what_is_stored_plays_and_does_not_tell_what_was_typed(tmp_path: Path) -> None:
    events = [
        [1, "o", "é\x1b[1m"],
        [1.5, "i", "secret"],
        [2, "m", "x" * 300],
        [3, "r", "90x20"],
        [3, "r", "9x9999"],
        [4, "x", "0"],
    ]
    lines = list(
        shown_lines(recording(tmp_path, {**HEADER, "env": {"TOKEN": "s"}, "idle_time_limit": 2}, *events))
    )
    assert [json.loads(line) for line in lines] == [
        {**HEADER, "idle_time_limit": 2.0},
        [1.0, "o", "é\x1b[1m"],
        [2.0, "m", "x" * 200],
        [3.0, "r", "90x20"],
    ]
    stored = tmp_path / "stored.cast"
    stored.write_text("\n".join(lines) + "\n")
    assert list(shown_lines(stored)) == lines
    assert duration(stored) == 3.0
    stored.write_text(lines[0] + "\n")
    assert duration(stored) == 0.0


def test_a_transcript_has_the_text_of_whole_lines(tmp_path: Path) -> None:
    events = [
        [1, "o", "$ l"],
        [1, "i", "ls"],
        [2, "o", "s\r\n\x1b[31ma.py\x1b[0m\r\n10 %\r90"],
        [3, "o", " %\r100 %\r\nend"],
    ]
    assert "".join(transcript(recording(tmp_path, HEADER, *events))) == "$ ls\na.py\n100 %\nend"


def test_control_characters_are_left_out() -> None:
    assert plain("a\x1b]0;title\x07b\x07\x00c\r\r\nd\x1b[2J") == "abc\nd"
    assert plain("\x1b[" * 50_000 + "xy" * 50_000 + "\r") == "y" + "xy" * 49_999


@pytest.mark.parametrize(
    ("lines", "where", "message"),
    [
        (["[]"], "line 1", "it is no header of an asciinema recording of version 1, 2 or 3"),
        ([{"version": 4}], "line 1", "it is no header of an asciinema recording of version 1, 2 or 3"),
        ([{**HEADER, "width": 0}], "line 1", f"{SIZE} 1000 columns and 500 rows"),
        ([{**HEADER, "height": "9"}], "line 1", SIZE),
        ([{"version": 3, "term": []}], "line 1", SIZE),
        ([{**HEADER, "version": 1}], "line 1", "its 'stdout' is not a list"),
        ([{**HEADER, "version": 1, "stdout": [5]}], "event 1", "it is not a delay and a text"),
        ([HEADER, "?"], "line 2", "it is not an event: a time, a code and a text in a list"),
        ([HEADER, [1, "o"]], "line 2", "it is not an event"),
        ([HEADER, [1, "o", "a"], {}], "line 3", "it is not an event"),
        ([HEADER, [-1, "o", "a"]], "line 2", "its time is not a number of seconds of at least 0"),
        ([HEADER, [True, "o", "a"]], "line 2", "its time is not a number"),
        ([HEADER, '[NaN, "o", "a"]'], "line 2", "its time is not a number"),
        ([HEADER, '[1e999, "o", "a"]'], "line 2", "its time is not a number"),
        ([HEADER, [10**400, "o", "a"]], "line 2", "its time is not a number"),
        ([HEADER, [1, "o", 5]], "line 2", "its code and its text are not both texts"),
        ([HEADER, "[" * 100_000], "line 2", "it is not an event"),
    ],
)  # fmt: skip
def test_an_invalid_recording_is_refused_with_its_line(
    lines: list[Any], where: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(RecordingRefused, match=message) as refused:
        list(shown_lines(recording(tmp_path, *lines)))
    assert refused.value.where == where


def test_sizes_have_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = recording(tmp_path, HEADER, [1, "o", "a"], [1, "o", "a"], [1, "o", "x" * 100])
    for name, limit, message in (
        ("_MAX_LINE", 90, "it is longer than 90 bytes"),
        ("MAX_EVENTS", 2, "it has more than 2 events"),
        ("MAX_SIZE", 100, "it has more than 100 bytes"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(terminal_recording, name, limit)
            with pytest.raises(RecordingRefused, match=message):
                list(recorded_events(path))
