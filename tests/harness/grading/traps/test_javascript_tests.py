"""Which tests of a JavaScript or TypeScript file are found, and where a copy of them may stand."""

from __future__ import annotations

import pytest

from tests.harness.grading.traps.readers import only_test, read
from tests.harness.grading.traps.samples import JAVASCRIPT, TYPESCRIPT

BODY = "() => { expect(f()).toBe(5); }"


def test_tests_of_the_module_and_of_suites_are_found() -> None:
    assert [test.path for test in read("a.test.js", JAVASCRIPT).tests] == [
        "adds two numbers",
        "doesn't add words",
        "shouts in unicode: größer",
        "waits for a callback",
        "Stack > is empty at first",
        "Stack > gives back what was pushed",
        "Stack > when full > refuses more",
    ]


def test_tests_of_typescript_are_found_with_their_types() -> None:
    assert [test.path for test in read("a.test.ts", TYPESCRIPT).tests] == [
        "Basket > adds up prices",
        "Basket > keeps names as they are",
        "Basket > refuses nothing",
        "Basket > with %i items > is not empty",
        "spells",
        "squares",
    ]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (f"test('a b', {BODY});", "a b"),
        (f'it("isn\'t", {BODY});', "isn't"),
        (f"it('isn\\'t', {BODY});", "isn't"),
        (f"specify(`a b`, {BODY});", "a b"),
        (f"test.only('a', {BODY});", "a"),
        (f"test.concurrent('a', {BODY});", "a"),
        ("test('a', function () { expect(f()).toBe(5); });", "a"),
        ("test('a', async (done) => { expect(f()).toBe(5); done(); });", "a"),
        (f"test('a', {{ timeout: 50 }}, {BODY});", "a"),
        (f"test('a', {BODY}, 50);", "a"),
        (f"await test('a', {BODY});", "a"),
        (f"test.each([1])('a b %i c', {BODY});", "a b"),
        (f"test.each`x\n${{1}}`('a $x', {BODY});", "a"),
    ],
)
def test_a_title_is_the_name(code: str, name: str) -> None:
    _, test = only_test("a.test.js", code)
    assert test.name == name
    assert len(test.alterations) == 1


@pytest.mark.parametrize(
    "code",
    [
        f"test.skip('a', {BODY});",
        f"xit('a', {BODY});",
        f"test('a', {{ skip: true }}, {BODY});",
        f"test.failing('a', {BODY});",
        "test.todo('a');",
        f"describe.skip('b', () => {{\n  test('a', {BODY});\n}});",
        f"test(title, {BODY});",
        f"test(`a ${{b}}`, {BODY});",
        f"test('a \\u0041', {BODY});",
        f"test.each([1])('%i is a', {BODY});",
        "describe('nothing here', () => {});",
        "describe('nothing here');",
        f"other('a', {BODY});",
    ],
)
def test_what_is_skipped_or_has_no_fixed_title_is_left_alone(code: str) -> None:
    assert read("a.test.js", code).tests == ()


def test_a_test_that_skips_itself_is_not_altered() -> None:
    code = "test('a', (t) => { t.skip(); expect(f()).toBe(5); });"
    assert only_test("a.test.js", code)[1].alterations == ()


def test_a_copy_stays_where_the_names_of_its_table_are_defined() -> None:
    text = f"test('b', {BODY});\nconst rows = [[1]];\ntest.each(rows)('a', {BODY});\nfunction f() {{}}\n"
    first, second = read("a.test.js", text).tests
    assert second.earliest == text.index("const rows = [[1]];") + len("const rows = [[1]];")
    assert first.earliest == 0
    assert min(first.latest, second.latest) > len(text)


def test_titles_and_modules_are_no_literals() -> None:
    file = read(
        "a.test.js",
        "import a from 'b';\nconst c = require('d');\ndescribe('e', () => {\n  it('f', () => g('h'));\n});\n",
    )
    assert [file.text[spot.start : spot.end] for spot in file.literals] == [b"h"]
