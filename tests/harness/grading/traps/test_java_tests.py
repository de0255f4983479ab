"""Which tests of a Java file are found."""

from __future__ import annotations

import pytest

from tests.harness.grading.traps.readers import only_test, read
from tests.harness.grading.traps.samples import JUNIT_4, JUNIT_5


def test_tests_of_junit_4_are_found() -> None:
    assert [(test.path, bool(test.alterations)) for test in read("FourTest.java", JUNIT_4).tests] == [
        ("FourTest.addsTwoNumbers", True),
        ("FourTest.shoutsInUnicode", True),
        ("FourTest.splitsAtCommas", True),
        ("FourTest.refusesNothing", True),
        ("FourTest.isTrue", True),
        ("FourTest.isNotRun", False),
    ]


def test_tests_of_junit_5_are_found_in_nested_classes_too() -> None:
    assert [test.path for test in read("FiveTest.java", JUNIT_5).tests] == [
        "FiveTest.addsTwoNumbers",
        "FiveTest.addsColumns",
        "FiveTest.shoutsWords",
        "FiveTest.refusesNothing",
        "FiveTest.explainsWhy",
        "FiveTest.refusesMore",
        "FiveTest.Splitting.splitsAtCommas",
        "FiveTest.Splitting.isNotRun",
    ]


def test_tests_of_junit_3_are_found_by_their_names() -> None:
    text = (
        "public class OldTest extends TestCase {\n  public void testSum() {\n    assertEquals(5, f());\n  }\n"
        "  public void helper() {}\n}\nclass Other {\n  public void testNothing() {}\n}\n"
    )
    assert only_test("OldTest.java", text)[1].path == "OldTest.testSum"


def test_an_expected_exception_of_an_annotation_is_altered() -> None:
    text = "class ATest {\n  @Test(expected = NullPointerException.class)\n  public void a() {\n    f();\n  }\n}\n"
    file, test = only_test("ATest.java", text)
    ((spot,),) = (one.spots for one in test.alterations)
    assert file.text[spot.start : spot.end] == b"NullPointerException"


@pytest.mark.parametrize(
    "text",
    [
        "@Disabled\nclass ATest {\n  @Test\n  void a() {\n    assertEquals(5, f());\n  }\n}\n",
        "class ATest {\n  @Test void a() { assertEquals(5, f()); } @Test void b() { assertEquals(6, f()); }\n}\n",
        "interface ATest {\n  @Test\n  void a();\n}\n",
    ],
)
def test_what_is_skipped_or_shares_its_line_is_left_alone(text: str) -> None:
    assert read("ATest.java", text).tests == ()


def test_a_comment_above_belongs_to_the_test() -> None:
    file = read("FourTest.java", JUNIT_4)
    codes = {test.name: file.text[test.start : test.end].decode() for test in file.tests}
    assert codes["splitsAtCommas"].startswith("    /**\n     * Splits.\n     */\n    @Test\n")
    assert codes["addsTwoNumbers"].startswith("    // The simplest.\n    @Test\n")
