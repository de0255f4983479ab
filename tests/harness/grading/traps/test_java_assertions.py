"""Which literals of a Java test are altered, so that it still compiles."""

from __future__ import annotations

import pytest

from tests.harness.grading.traps.readers import alterable

JUNIT_5 = "import static org.junit.jupiter.api.Assertions.*;\n"
JUNIT_4 = "import static org.junit.Assert.assertTrue;\nimport static org.junit.Assert.assertEquals;\n"


def altered(body: str, above: str = JUNIT_5) -> list[tuple[str, ...]]:
    return alterable("ATest.java", f"{above}class ATest {{\n  @Test\n  void a() {{\n{body}\n  }}\n}}\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assertEquals(5, f(7));", [("EXPECTED", "5")]),
        ('assertEquals("ab", f(7), "message");', [("EXPECTED", "ab")]),
        ("assertEquals(0.5, f(7), 0.001);", [("EXPECTED", "0.5")]),
        ("assertEquals(-5L, f(7));", [("EXPECTED", "5L")]),
        ("assertArrayEquals(new int[] {1, 2}, f(7));", [("EXPECTED", "1"), ("EXPECTED", "2")]),
        ('assertEquals(say("a", true), f(7));', [("INDIRECT", "a"), ("INDIRECT", "true→false")]),
        ('assertEquals("""\n  ab\n  """, f(7));', [("EXPECTED", "\n  ab\n  ")]),
        ("assertTrue(f(7) == 5);", [("EXPECTED", "5")]),
        ('assertTrue(f(7).contains("ab"));', [("FOUND", "ab")]),
        ("assertThat(f(7)).isEqualTo(5);", [("EXPECTED", "5")]),
        ('assertThat(f(7)).as("text").hasSize(5).contains("ab");', [("EXPECTED", "5"), ("FOUND", "ab")]),
        ('assertThat(f(7), is("ab"));', [("EXPECTED", "ab")]),
        (
            "assertThrows(IllegalArgumentException.class, () -> f(7));",
            [("ERROR", "IllegalArgumentException→IllegalStateException")],
        ),
    ],
)
def test_the_literal_on_the_expected_side_is_altered(body: str, expected: list[tuple[str, ...]]) -> None:
    assert [one for one in altered(body) if one[0] != "SHAPE"] == expected


@pytest.mark.parametrize(
    ("expected", "literals"),
    [
        ('List.of("a", true)', ("a", "true→false")),
        ('Map.of("a", 5)', ("a", "5")),
        ('new BigDecimal("1.5")', ("1.5",)),
        ("LocalDate.of(2024, 5, 17)", ("2024", "5", "17")),
    ],
)
def test_a_call_that_only_makes_a_value_is_expected_like_a_literal(
    expected: str, literals: tuple[str, ...]
) -> None:
    imports = "import java.util.*;\nimport java.math.BigDecimal;\nimport java.time.LocalDate;\n"
    found = [("EXPECTED", literal) for literal in literals]
    assert altered(f"assertEquals({expected}, f(7));", JUNIT_5 + imports) == found
    assert altered(f"var value = {expected};\nassertEquals(value, f(7));", JUNIT_5 + imports) == found
    assert all(rank != "EXPECTED" for rank, *_ in altered(f"assertEquals({expected}, f(7));"))


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ('assertEquals(say("a"), f(7));', "assertEquals→assertNotEquals"),
        ('assertTrue(f(7).contains("ab"));', "assertTrue→assertFalse"),
    ],
)
def test_the_shape_of_an_assertion_changes_too_if_no_literal_contradicts_it(body: str, shape: str) -> None:
    imports = "import static org.junit.jupiter.api.Assertions.*;\n"
    assert ("SHAPE", shape) in altered(body, imports)


def test_junit_4_has_its_message_in_front() -> None:
    assert altered('assertEquals("message", "ab", f(7));', JUNIT_4) == [("EXPECTED", "ab")]
    assert altered("assertEquals(0.5, f(7), 0.001);", JUNIT_4) == [("EXPECTED", "0.5")]


@pytest.mark.parametrize(
    "body",
    [
        # The variable has the class of the exception as its type.
        "IllegalStateException error = assertThrows(IllegalStateException.class, () -> f(7));",
        # Another number might be too large for an int.
        "assertEquals(2147483647, f());",
        # Another letter might be no character.
        "assertEquals('a', f());",
    ],
)
def test_what_may_not_compile_is_not_altered(body: str) -> None:
    assert all(rank not in {"EXPECTED", "ERROR"} for rank, *_ in altered(body))


@pytest.mark.parametrize(
    ("above", "body", "expected"),
    [
        (JUNIT_5, "assertTrue(f());", [("SHAPE", "assertTrue→assertFalse")]),
        ("", "Assert.assertTrue(f());", [("SHAPE", "assertTrue→assertFalse")]),
        (JUNIT_4, "assertTrue(f());", []),
        (JUNIT_4, "assertThat(f()).isTrue();", [("SHAPE", "isTrue→isFalse")]),
        (JUNIT_5, "assertFalse(f().isEmpty());", [("SHAPE", "assertFalse→assertTrue")]),
        (JUNIT_5, "assertTrue(f() != g());", [("SHAPE", "assertTrue→assertFalse"), ("SHAPE", "!=→==")]),
    ],
)
def test_an_assertion_becomes_its_opposite_where_that_is_imported(
    above: str, body: str, expected: list[tuple[str, ...]]
) -> None:
    assert altered(body, above) == expected


def test_the_expected_values_of_all_cases_are_altered_together() -> None:
    text = (
        'class ATest {\n  @ParameterizedTest\n  @CsvSource({"1, ab", "2,  cd "})\n'
        "  void a(int given, String expected) {\n    assertEquals(expected, f(given));\n  }\n}\n"
    )
    assert alterable("ATest.java", text) == [("CASES", "ab", "cd")]


def test_a_name_stands_for_what_it_was_assigned() -> None:
    assert altered('String expected = "ab";\nassertEquals(expected, f(7));') == [("EXPECTED", "ab")]
