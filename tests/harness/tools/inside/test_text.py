"""Bytes and text, and how much of a text a model reads."""

from __future__ import annotations

import pytest

from harness.tools.inside.text import (
    ToolError,
    clip,
    count,
    decode_exactly,
    encode_exactly,
    is_binary,
    on_screen,
    presentable,
    shown_name,
    syntax_error,
)


class TestClip:
    def test_a_text_of_exactly_the_limit_is_left_alone(self) -> None:
        assert clip("0123456789", "ask again", 10) == "0123456789"

    def test_of_a_longer_one_both_ends_stay_and_the_rest_is_counted(self) -> None:
        assert clip("01234" + "x" * 1_234 + "56789", "ask again", 10) == (
            "01234\n[... 1,234 characters left out here: ask again ...]\n\n56789"
        )

    def test_an_odd_limit_gives_the_odd_character_to_the_end(self) -> None:
        assert clip("ab" + "x" * 8 + "cde", "go", 5) == "ab\n[... 8 characters left out here: go ...]\n\ncde"

    @pytest.mark.parametrize(
        ("limit", "head", "tail"),
        # Lines of seven characters: 214 of them are 1,498 characters, 2,142 are 14,994.
        [(3_000, 214, 214), (30_000, 2_142, 2_142)],
    )
    def test_it_cuts_between_lines(self, limit: int, head: int, tail: int) -> None:
        line = "123456\n"
        cut = clip(line * 10_000, "go", limit)
        assert cut == (
            f"{line * head}\n[... {7 * (10_000 - head - tail):,} characters left out here: go ...]\n\n{line * tail}"
        )

    def test_a_long_line_at_an_end_is_cut_rather_than_dropped(self) -> None:
        cut = clip("a\n" + "b" * 5_000 + "\n" + "c" * 1_600 + "\n", "go", 3_000)
        assert cut == (f"a\n{'b' * 1_498}\n[... 3,604 characters left out here: go ...]\n\n{'c' * 1_499}\n")


class TestWhatIsShown:
    def test_zeros_and_lone_surrogates_are_replaced(self) -> None:
        assert presentable("a\0b") == "a␀b"
        shown = presentable("a\ud83db")
        assert (shown[0], set(shown[1:-1]), shown[-1]) == ("a", {"\N{REPLACEMENT CHARACTER}"}, "b")
        assert presentable("naïve \N{SNOWMAN}") == "naïve \N{SNOWMAN}"

    @pytest.mark.parametrize(
        ("output", "shown"),
        [
            ("\x1b[31mred\x1b[0m", "red"),
            ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x07", "link"),
            ("10%\r20%\rdone\nnext\n", "[drawn over 2 times] done\nnext\n"),
            ("a\r\nb\r\n", "a\r\nb\r\n"),
            ("unfinished \x1b[1;", "unfinished \x1b[1;"),
        ],
    )
    def test_output_is_what_a_terminal_shows_in_the_end(self, output: str, shown: str) -> None:
        assert on_screen(output) == shown

    @pytest.mark.parametrize(
        ("name", "shown"),
        [("a b/ü.py", "a b/ü.py"), ("two\nlines", '"two\\nlines"'), ("\x7f", '"\x7f"'), ("", "")],
    )
    def test_a_name_that_would_break_a_list_is_a_json_string(self, name: str, shown: str) -> None:
        assert shown_name(name) == shown

    def test_a_number_stands_before_its_noun_in_the_right_form(self) -> None:
        assert [count(number, "line") for number in (0, 1, 1_200)] == ["0 lines", "1 line", "1,200 lines"]
        assert count(2, "match", "matches") == "2 matches"


class TestBytes:
    def test_any_bytes_survive_the_way_to_text_and_back(self) -> None:
        every = bytes(range(256)) + "\N{SNOWMAN}".encode()
        assert encode_exactly(decode_exactly(every)) == every

    def test_half_a_surrogate_pair_is_refused_with_its_place(self) -> None:
        with pytest.raises(ToolError) as refused:
            encode_exactly("ab\ud83d")
        assert str(refused.value) == (
            "the text was not written: character 2 is half of a surrogate pair ('\\ud83d')"
        )

    def test_a_zero_byte_near_the_beginning_makes_it_binary(self) -> None:
        assert is_binary(b"x" * 8_191 + b"\0")
        assert not is_binary(b"x" * 8_192 + b"\0")
        assert not is_binary(b"")


class TestSyntax:
    @pytest.mark.parametrize(
        "source",
        [b"", b"x = 1\n", b"'\\d'\n", b"# -*- coding: klingon -*-\nx = 1\n", "x = 'ü'\n".encode()],
        ids=["empty", "sound", "with a warning", "in an unknown encoding", "with an umlaut"],
    )
    def test_sound_sources_have_no_error(self, source: bytes) -> None:
        assert syntax_error(source) is None

    def test_an_error_has_its_line(self) -> None:
        assert syntax_error(b"x = 1\ny = (\n") == "line 2: '(' was never closed"

    @pytest.mark.parametrize("source", [b"x = 1\0", b"-" * 200_000 + b"1"], ids=["zero byte", "too deep"])
    def test_hostile_sources_are_reported_and_raise_nothing(self, source: bytes) -> None:
        assert syntax_error(source)
