"""Words of code, their stems, and the order of files."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tools.inside.keywords import MAX_WORDS, Ranking, stem, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("parse_packet", ["parse", "packet"]),
        ("parsePacket", ["parsePacket", "parse", "Packet"]),
        ("HTTPServer2", ["HTTPServer2", "HTTP", "Server", "2"]),
        ("MAX_RETRIES = 5", ["MAX", "RETRIES", "5"]),
        ("größeÄndern", ["größeÄndern"]),
        ("x += '-'", ["x"]),
    ],
)
def test_names_are_split_into_words(text: str, words: list[str]) -> None:
    assert list(words_of(text)) == words


@pytest.mark.parametrize(
    "forms",
    [
        ("ease", "eases", "easing", "Easing", "eased"),
        ("parse", "parser", "parsers", "parsing"),
        ("implement", "implements", "implementation", "implementations"),
        ("run", "running", "runs"),
        ("valid", "validate", "validated", "validation"),
        ("class", "classes"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_short_words_stay_as_they_are() -> None:
    assert [stem(word) for word in ("is", "bed", "io", "i", "ing")] == ["is", "bed", "io", "i", "ing"]


@given(st.text(max_size=60))
def test_a_stem_is_the_beginning_of_its_word(text: str) -> None:
    assert all(word.lower().startswith(stem(word)) for word in words_of(text))


def ranked(query: str, files: dict[str, str]) -> list[str]:
    ranking = Ranking(query)
    for path, text in files.items():
        ranking.add(path, text)
    return ranking.best()


class TestRanking:
    def test_rare_words_weigh_more_than_common_ones(self) -> None:
        files = {f"f{number}": "common\n" for number in range(9)} | {"rare": "special\n"}
        assert ranked("common special", files)[0] == "rare"

    def test_a_word_weighs_more_in_a_short_file(self) -> None:
        assert ranked("word", {"long": "word\n" + "x\n" * 999, "short": "word\n"}) == ["short", "long"]

    def test_words_of_the_path_count(self) -> None:
        assert ranked("easing", {"a.js": "ease\n", "easing.js": "\n"}) == ["easing.js", "a.js"]

    def test_files_without_any_word_are_left_out(self) -> None:
        assert ranked("one two", {"a": "three\n", "b": "two\n"}) == ["b"]

    def test_words_that_every_sentence_has_count_only_alone(self) -> None:
        assert list(Ranking("where is the parser").words.values()) == ["parser"]
        assert list(Ranking("where is").words.values()) == ["where", "is"]

    def test_the_best_lines_come_in_order(self) -> None:
        ranking = Ranking("easing function")
        lines = ["function a", "easing", "nothing", "function easing", "function b"]
        ranking.add("a", "\n".join(lines))
        ranking.add("b", "function\n")
        assert ranking.lines(lines, 2) == [1, 3]

    def test_long_queries_are_cut(self) -> None:
        assert len(Ranking(" ".join(f"word{number}" for number in range(99))).words) == MAX_WORDS

    @pytest.mark.parametrize("text", ["A" * 1_000_000, "aB" * 500_000, "_" * 1_000_000, "easing" * 150_000])
    def test_a_megabyte_of_anything_takes_seconds_at_most(self, text: str) -> None:
        began = time.monotonic()
        ranked("easing function", {"a": text + "\neasing\n"})
        assert time.monotonic() - began < 5.0
