"""Which literals of a Python test are altered: what it expects, never what is said about it."""

from __future__ import annotations

import pytest

from tests.harness.grading.traps.readers import alterable


def altered(body: str, above: str = "") -> list[tuple[str, ...]]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return alterable("test_a.py", f"{above}def test_a(self=0, x=0):\n{lines}")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert f(7) == 5", [("EXPECTED", "5")]),
        ("assert 5 == f(7)", [("EXPECTED", "5")]),
        ("assert f(7) == -5.5", [("EXPECTED", "5.5")]),
        ("assert f(7) is True", [("EXPECTED", "True→False")]),
        ("assert f(7) == ('a', [1, {2}], {'key': 'b'})", [("EXPECTED", v) for v in ("a", "1", "2", "b")]),
        ('assert f(7) == "a" "b"', [("EXPECTED", "a"), ("EXPECTED", "b")]),
        ('assert f(7) == f"{x} of 3"', [("EXPECTED", " of 3")]),
        ("assert f(7) == 1 and f(8) == 2", [("EXPECTED", "1"), ("EXPECTED", "2")]),
        ("assert (f(7) == 1)", [("EXPECTED", "1")]),
        ("assert f(7) == [(n, 'b') for n in g(2)]", [("EXPECTED", "b")]),
        ("assert f(7) == ('on' if x else 'off')", [("EXPECTED", "on", "off")]),
        ("assert f(7) == approx(5.5, rel=0.1, abs=2)", [("EXPECTED", "5.5")]),
        ("assert f(7) == pytest.approx([1, 2])", [("EXPECTED", "1"), ("EXPECTED", "2")]),
        ("assert 'ab' in f(7)", [("FOUND", "ab")]),
        ("assert f(7).startswith('ab')", [("FOUND", "ab")]),
        ("assert f(7) == say(1, 'b', encoding='u8')", [("INDIRECT", "1"), ("INDIRECT", "b")]),
        ("self.assertEqual(f(7), 5)", [("EXPECTED", "5")]),
        ("self.assertEqual('b', f(7), 'message')", [("EXPECTED", "b")]),
        ("self.assertAlmostEqual(f(7), 1.5, places=3)", [("EXPECTED", "1.5")]),
        ("self.assertIn('ab', f(7))", [("FOUND", "ab")]),
        ("self.assertRegex(f(7), r'^a+b$')", [("FOUND", "^a+b$")]),
        ("call.assert_called_once_with(1, name='b')", [("EXPECTED", "1"), ("EXPECTED", "b")]),
        ("with self.assertRaises(KeyError):\n    f(7)", [("ERROR", "KeyError→IndexError")]),
        (
            "with pytest.raises(ValueError, match='bad text'):\n    f(7)",
            [("ERROR", "ValueError→TypeError"), ("FOUND", "bad text")],
        ),
    ],
)
def test_the_literal_on_the_expected_side_is_altered(body: str, expected: list[tuple[str, ...]]) -> None:
    assert [one for one in altered(body) if one[0] != "SHAPE"] == expected


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("assert 'ab' in f(7)", "in→not in"),
        ("assert f(7).startswith('ab')", "→not "),
        ("assert f(7) == say(1)", "==→!="),
        ("self.assertRegex(f(7), r'^a+b$')", "assertRegex→assertNotRegex"),
        ("with pytest.raises(KeyError):\n    f(7)\nassert f(8)", "→not "),
    ],
)
def test_the_shape_of_an_assertion_changes_too_if_no_literal_contradicts_it(body: str, shape: str) -> None:
    assert ("SHAPE", shape) in altered(body)


IMPORTS = "import datetime as dt\nfrom datetime import date\nfrom pathlib import Path\nfrom textwrap import dedent\n"


@pytest.mark.parametrize(
    ("expected", "literals"),
    [
        ("date(2024, 5, 17)", ("2024", "5", "17")),
        ("dt.date(2024, 5, 17)", ("2024", "5", "17")),
        ("Path('ab') / 'cd'", ("ab", "cd")),
        ("set(['ab'])", ("ab",)),
        ("sorted(['ab'], key=g(5), reverse=True)", ("ab",)),
        ("'; '.join(['ab', 'cd'])", ("ab", "cd")),
        ("'ab cd'.split()", ("ab cd",)),
        ("dedent('ab').strip()", ("ab",)),
        ("('ab' 'cd').encode('utf-8')", ("ab", "cd")),
    ],
)
def test_a_call_that_only_makes_a_value_is_expected_like_a_literal(
    expected: str, literals: tuple[str, ...]
) -> None:
    found = [("EXPECTED", literal) for literal in literals]
    assert altered(f"assert f(7) == {expected}", IMPORTS) == found
    assert altered(f"assert {expected} == f(7)", IMPORTS) == found
    assert altered(f"value = {expected}\nassert f(7) == value", IMPORTS) == found


def test_what_is_made_of_a_result_is_not_expected() -> None:
    assert altered("assert ['ab'] == sorted(f(7))") == [("EXPECTED", "ab")]
    assert altered("assert sorted(f(7)) == ['ab']") == [("EXPECTED", "ab")]
    assert altered("found = f(7)\nassert ['ab'] == list(found)") == [("EXPECTED", "ab")]


@pytest.mark.parametrize(
    "expected",
    [
        "Decimal('1.5')",  # not imported from the library
        "codec.date(2024, 5, 17)",
        "store.list('ab')",
        "f('ab').split()",
        "'ab'.strip('b')",  # another letter may be stripped, too
        "date.today(5)",
    ],
)
def test_a_call_of_code_that_may_be_under_test_is_not_expected(expected: str) -> None:
    assert all(rank != "EXPECTED" for rank, *_ in altered(f"assert f(7) == {expected}", IMPORTS))


def test_a_message_a_comment_and_a_docstring_are_not_altered() -> None:
    assert altered('"""Of 3."""\nassert f(7) == 5, "not 6"  # but 5') == [("EXPECTED", "5")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert f(7)", [("SHAPE", "→not ")]),
        ("assert not f(7)", [("SHAPE", "not →")]),
        ("assert f(7) != 5", [("SHAPE", "!=→==")]),
        ("assert f(7) not in x", [("SHAPE", "not in→in")]),
        ("assert f(7) == '\\n'", [("SHAPE", "==→!=")]),
        ("assert f(7) is None", [("SHAPE", "is→is not")]),
        ("assert f(7) < 5", [("SHAPE", "<→>=")]),
        ("self.assertTrue(f(7))", [("SHAPE", "assertTrue→assertFalse")]),
        ("self.assertNotIn('a', f(7))", [("SHAPE", "assertNotIn→assertIn")]),
        ("self.assertIsNone(f(7))", [("SHAPE", "assertIsNone→assertIsNotNone")]),
    ],
)
def test_the_shape_of_an_assertion_changes_only_if_nothing_else_can(
    body: str, expected: list[tuple[str, ...]]
) -> None:
    assert altered(body) == expected
    assert altered(f"{body}\nassert g(7) == 5") == [("EXPECTED", "5")]


@pytest.mark.parametrize(
    "above",
    [
        "if x:",
        "for row in f(8):",
        "while x:",
        "try:",
        "with pytest.raises(KeyError):",
        "def inner():",
    ],
)
def test_an_assertion_that_may_not_be_reached_contradicts_nothing(above: str) -> None:
    end = "\nexcept KeyError:\n    pass" if above == "try:" else ""
    assert ("INDIRECT", "5") in altered(f"{above}\n    assert f(7) == 5{end}")
    assert ("EXPECTED", "6") in altered(f"{above}\n    f(7){end}\nassert f(8) == 6")


def test_a_test_that_may_return_early_contradicts_nothing() -> None:
    assert altered("if x:\n    return\nassert f(7) == 5") == [("INDIRECT", "5")]
    assert altered("if x:\n    return\nassert f(7)") == [("INPUT", "→not ")]


def test_inputs_are_altered_only_without_an_assertion() -> None:
    assert altered("check(7, 'ab', timeout=5)") == [("INPUT", "7"), ("INPUT", "ab")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("expected = 'ab'\nassert f(7) == expected", [("EXPECTED", "ab")]),
        ("expected = ['a', 1]\nassert f(7) == expected", [("EXPECTED", "a"), ("EXPECTED", "1")]),
        (
            "for given, expected in [(1, 'a'), (2, 'b')]:\n    assert f(given) == expected",
            [("EXPECTED", "a"), ("EXPECTED", "b")],
        ),
        # What the code is given, too, may pass with another value.
        ("text = 'ab'\nassert f(text) == text", [("SHAPE", "==→!=")]),
        ("frames = [1, 2]\nwrite(frames)\nassert f(7) == frames", [("SHAPE", "==→!=")]),
    ],
)
def test_a_name_stands_for_what_it_was_assigned(body: str, expected: list[tuple[str, ...]]) -> None:
    assert altered(body) == expected


def test_the_expected_values_of_all_cases_are_altered_together() -> None:
    table = "@pytest.mark.parametrize(('x', 'y'), [(1, 'a'), pytest.param(2, 'b', id='two'), (3, 'c')])\n"
    assert alterable("test_a.py", f"{table}def test_a(x, y):\n    assert f(x) == y\n") == [
        ("CASES", "a", "b", "c")
    ]


def test_a_single_parameter_has_its_values_in_the_list() -> None:
    table = "@pytest.mark.parametrize('y', ['a', 'b'], ids=['one', 'two'])\n"
    assert alterable("test_a.py", f"{table}def test_a(y):\n    assert f(7) == y\n") == [("CASES", "a", "b")]


def test_cases_of_which_one_cannot_be_altered_are_left_alone() -> None:
    table = "@pytest.mark.parametrize(('x', 'y'), [(1, 'a'), (2, b)])\n"
    text = f"{table}def test_a(x, y):\n    assert f(x) == y\n"
    assert alterable("test_a.py", text) == [("SHAPE", "==→!=")]
