"""Which literals of a JavaScript or TypeScript test are altered."""

from __future__ import annotations

import pytest

from tests.harness.grading.traps.readers import alterable


def altered(body: str) -> list[tuple[str, ...]]:
    return alterable("a.test.ts", f"test('a', async () => {{\n{body}\n}});\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("expect(f(7)).toBe(5);", [("EXPECTED", "5")]),
        ("expect(f(7)).toEqual({ a: [1, 'b'], c: -2 });", [("EXPECTED", v) for v in ("1", "b", "2")]),
        ("expect(f(7)).toBe(true);", [("EXPECTED", "true→false")]),
        ("expect(f(7)).toBe(`${x} of 3`);", [("EXPECTED", " of 3")]),
        ("expect(f(7)).toBeCloseTo(5.5, 3);", [("EXPECTED", "5.5")]),
        ("await expect(f(7)).resolves.toBe('ab');", [("EXPECTED", "ab")]),
        ("expect(f(7)).toBe(x ? 'on' : 'off');", [("EXPECTED", "on", "off")]),
        ("expect(f(7)).toEqual(['a', 'b'] as const);", [("EXPECTED", "a"), ("EXPECTED", "b")]),
        ("expect(f(7)).toBe(say('ab'));", [("INDIRECT", "ab")]),
        ("expect(call).toHaveBeenCalledWith(1, 'b');", [("FOUND", "1"), ("FOUND", "b")]),
        ("expect(f(7)).toContain('ab');", [("FOUND", "ab")]),
        ("expect(f(7)).toMatch(/ab+c/i);", [("FOUND", "ab+c")]),
        ("expect(() => f(7)).toThrow(TypeError);", [("ERROR", "TypeError→RangeError")]),
        ("expect(() => f(7)).toThrow('bad text');", [("FOUND", "bad text")]),
        ("expect(f(7)).to.equal(5);", [("EXPECTED", "5")]),
        ("expect(f(7)).to.deep.equal(['ab']);", [("EXPECTED", "ab")]),
        ("expect(f(7)).to.be.true;", [("EXPECTED", "true→false")]),
        ("f(7).should.equal(5);", [("EXPECTED", "5")]),
        ("assert.equal(f(7), 5, 'message');", [("EXPECTED", "5")]),
        ("assert.strictEqual(5, f(7));", [("EXPECTED", "5")]),
        ("assert.deepStrictEqual(f(7), new Sum([1]));", [("INDIRECT", "1")]),
        ("assert.ok(f(7) === 5 && g(8) === 'b');", [("EXPECTED", "5"), ("EXPECTED", "b")]),
        ("assert(f(7) === 5);", [("EXPECTED", "5")]),
        ("assert.match(f(7), /^ab$/);", [("FOUND", "^ab$")]),
        ("assert.throws(() => f(7), { message: 'bad text' });", [("FOUND", "bad text")]),
        ("t.is(f(7), 5);", [("EXPECTED", "5")]),
    ],
)
def test_the_literal_on_the_expected_side_is_altered(body: str, expected: list[tuple[str, ...]]) -> None:
    assert [one for one in altered(body) if one[0] != "SHAPE"] == expected


@pytest.mark.parametrize(
    ("expected", "literals"),
    [
        ("new Set([1])", ("1",)),
        ("new Map([['a', 1]])", ("a", "1")),
        ("Buffer.from('ab', 'hex')", ("ab",)),
        ("['ab', 'cd'].join(', ')", ("ab", "cd")),
    ],
)
def test_a_call_that_only_makes_a_value_is_expected_like_a_literal(
    expected: str, literals: tuple[str, ...]
) -> None:
    found = [("EXPECTED", literal) for literal in literals]
    assert altered(f"expect(f(7)).toEqual({expected});") == found
    assert altered(f"const value = {expected};\nassert.deepEqual(f(7), value);") == found


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("expect(f(7)).toContain('ab');", "→not."),
        ("expect(f(7)).toBe(say('ab'));", "→not."),
        ("assert.deepStrictEqual(f(7), new Sum([1]));", "deepStrictEqual→notDeepStrictEqual"),
    ],
)
def test_the_shape_of_an_assertion_changes_too_if_no_literal_contradicts_it(body: str, shape: str) -> None:
    assert ("SHAPE", shape) in altered(body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("expect(f(7)).toBeTruthy();", [("SHAPE", "toBeTruthy→toBeFalsy")]),
        ("expect(f(7)).toBeNull();", [("SHAPE", "→not.")]),
        ("assert.ok(f(7));", [("SHAPE", "→!")]),
        ("assert.ok(!f(7));", [("SHAPE", "!→")]),
        ("assert.ok(f(7) !== 5);", [("SHAPE", "!==→===")]),
        ("assert.strictEqual(f(7), null);", [("SHAPE", "strictEqual→notStrictEqual")]),
    ],
)
def test_the_shape_of_an_assertion_changes_only_if_nothing_else_can(
    body: str, expected: list[tuple[str, ...]]
) -> None:
    assert altered(body) == expected
    assert altered(f"{body}\nexpect(g(7)).toBe(5);") == [("EXPECTED", "5")]


def test_a_negated_expectation_is_not_altered() -> None:
    assert altered("expect(f(7)).not.toBe(5);\nexpect(f(7)).to.not.equal(6);\nexpect(x).toBe(8);") == [
        ("EXPECTED", "8")
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("const expected = 'ab';\nexpect(f(7)).toBe(expected);", [("EXPECTED", "ab")]),
        (
            "for (const [given, expected] of [[1, 'a'], [2, 'b']]) expect(f(given)).toBe(expected);",
            [("EXPECTED", "a"), ("EXPECTED", "b")],
        ),
        (
            "for (const { given, expected } of [{ given: 1, expected: 'a' }]) expect(f(given)).toBe(expected);",
            [("EXPECTED", "a")],
        ),
        ("const text = 'ab';\nassert.equal(f(text), text);", [("INPUT", "ab")][:0]),
    ],
)
def test_a_name_stands_for_what_it_was_assigned(body: str, expected: list[tuple[str, ...]]) -> None:
    assert altered(body) == expected


@pytest.mark.parametrize(
    "call",
    [
        "test.each([[1, 'a'], [2, 'b']])('a %i', (given, expected) => {",
        "it.each([{ given: 1, expected: 'a' }, { given: 2, expected: 'b' }])('a $given', ({ given, expected }) => {",
        "test.each([[1, 'a'], [2, 'b']])('a %i', (given: number, expected: string) => {",
    ],
)
def test_the_expected_values_of_all_cases_are_altered_together(call: str) -> None:
    text = f"{call}\n  expect(f(given)).toBe(expected);\n}});\n"
    assert alterable("a.test.ts", text) == [("CASES", "a", "b")]
