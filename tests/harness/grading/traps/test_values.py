"""Other values look like the values around them, and do not say which of two was there first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.grading.traps.source import Kind, Spot
from harness.grading.traps.values import Literals, Others

SALTS = [b"%d" % number for number in range(40)]


def others(expected: list[tuple[Kind, str]], given: list[tuple[Kind, str]] | None = None) -> Others:
    """What the rest of a file expects, and what it is given besides."""
    text, spots = b"", []
    for kind, value in [*expected, *(given or [])]:
        spots.append(Spot(len(text), len(text) + len(value.encode()), kind))
        text += value.encode() + b"\n"
    every = Literals(text, spots)
    return Others(Literals(text, spots[: len(expected)]), every, len(text), len(text))


def altered(found: Others, kind: Kind, value: str) -> set[str]:
    return {other.decode() for salt in SALTS for other, _ in found.altered(value.encode(), kind, salt)}


def numbers(*values: str) -> list[tuple[Kind, str]]:
    return [(Kind.NUMBER, value) for value in values]


def texts(*values: str) -> list[tuple[Kind, str]]:
    return [(Kind.TEXT, value) for value in values]


def test_a_number_that_other_tests_expect_becomes_another_of_its_length_that_they_expect() -> None:
    assert altered(others(numbers("12", "47", "3", "150")), Kind.NUMBER, "12") == {"47"}
    assert altered(others(texts("12 of 47")), Kind.NUMBER, "12") == {"47"}


def test_a_number_that_is_only_given_elsewhere_becomes_another_that_is_only_given() -> None:
    assert altered(others(numbers("99"), numbers("12", "47")), Kind.NUMBER, "12") == {"47"}


def test_a_new_number_changes_one_digit_and_is_new_too() -> None:
    found = altered(others(numbers("1054")), Kind.NUMBER, "1234")
    assert "1054" not in found
    assert all(sum(a != b for a, b in zip("1234", other, strict=True)) == 1 for other in found)
    assert len(found) > 8


@pytest.mark.parametrize(
    ("number", "pattern"),
    [
        ("1200", r"[1-9]\d00"),
        ("0.05", r"\d\.\d\d"),
        ("1e-6", r"\de-6"),
        ("0x1F", r"0x\dF"),
        ("10n", r"[1-9]0n"),
        ("12L", r"[1-9]\dL"),
        ("7", r"\d"),
    ],
)
def test_the_form_of_a_number_stays(number: str, pattern: str) -> None:
    found = altered(others([]), Kind.NUMBER, number)
    assert found
    assert number not in found
    assert all(re.fullmatch(pattern, other) for other in found)


def test_a_text_that_other_tests_expect_becomes_another_of_its_form() -> None:
    found = others(texts("enabled", "disabled", "Enabled", "no such", "on"))
    assert altered(found, Kind.TEXT, "enabled") == {"disabled"}


def test_of_a_longer_text_one_number_or_word_changes() -> None:
    found = altered(others(texts("bytes", "files")), Kind.TEXT, "total 15 bytes\\n")
    assert {other for other in found if "15" in other} <= {
        f"{word} 15 {unit}\\n" for word in altered(others([]), Kind.TEXT, "total") for unit in ["bytes"]
    } | {"total 15 files\\n"}
    assert any(re.fullmatch(r"total \d\d bytes\\n", other) for other in found)


@pytest.mark.parametrize("text", ["\\n", "%d", "%-5s", "{}", "{name}", "\\u00e4", "&nbsp;", "", "-"])
def test_escapes_and_places_of_formats_stay(text: str) -> None:
    assert altered(others([]), Kind.TEXT, text) == set()


def test_of_a_pattern_only_a_word_changes() -> None:
    found = altered(others([]), Kind.PATTERN, r"^\d{3} files: \w+$")
    assert found
    assert all(re.fullmatch(r"\^\\d\{3\} [a-z]{5}: \\w\+\$", other) for other in found)


def test_the_same_salt_gives_the_same_values() -> None:
    found = others(numbers("12", "47"))
    assert found.altered(b"12", Kind.NUMBER, b"a") == found.altered(b"12", Kind.NUMBER, b"a")


def test_the_least_conspicuous_values_come_first() -> None:
    costs = [[cost for _, cost in others([]).altered(b"15 words", Kind.TEXT, salt)] for salt in SALTS]
    assert all(found == sorted(found) for found in costs)
    assert {cost for found in costs for cost in found} == {0, 2}


@settings(max_examples=50)
@given(
    value=st.integers(10, 9999).map(str),
    around=st.lists(st.integers(10, 9999).map(str), max_size=12),
    salt=st.binary(min_size=1, max_size=8),
)
def test_what_becomes_another_value_is_what_the_other_becomes(
    value: str, around: list[str], salt: bytes
) -> None:
    found = others(numbers(*around))
    for other, cost in found.altered(value.encode(), Kind.NUMBER, salt):
        if cost == 0:
            assert value.encode() in [back for back, _ in found.altered(other, Kind.NUMBER, salt)]


@settings(max_examples=30)
@given(value=st.text(max_size=30), kind=st.sampled_from([Kind.TEXT, Kind.PATTERN]))
def test_another_text_has_the_same_signs_at_the_same_places(value: str, kind: Kind) -> None:
    for other in altered(others([]), kind, value):
        assert re.sub(r"[a-zA-Z0-9]", "a", other) == re.sub(r"[a-zA-Z0-9]", "a", value)
