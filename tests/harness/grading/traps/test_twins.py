"""Altered twins fail with a correct solution, the other tests pass, and the file keeps its bytes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.grading.traps.grammars import read_tests
from harness.grading.traps.source import TestFile
from harness.grading.traps.twins import MAX_SPOTS, Edit, Twin, _candidates, new_names, twins_in, with_twins
from tests.harness.grading.traps.samples import JAVASCRIPT, JUNIT_4, JUNIT_5, PYTHON, STOCK, TYPESCRIPT
from tests.harness.published import FILES
from tests.harness.worlds import HIDDEN_TESTS, SOLUTION, SOURCE, write_tree

SAMPLES = {
    "test_stock.py": PYTHON,
    "test_negatives.py": HIDDEN_TESTS,
    "task_tests.py": FILES["tasks/task-1/task_tests.py"],
    "sums.test.js": JAVASCRIPT,
    "basket.test.ts": TYPESCRIPT,
    "FourTest.java": JUNIT_4,
    "FiveTest.java": JUNIT_5,
}
STARTER = Path(__file__).parents[4] / "datasets" / "starter"


def run_pytest(root: Path, files: Mapping[str, str]) -> dict[str, bool]:
    """Runs pytest on files in a process of its own: by the name in the report without its case, whether all passed."""
    write_tree(root, files)
    report = root / "junit.xml"
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", str(root)],
        cwd=root,
        capture_output=True,
        timeout=120,
        check=False,
        env={
            "PATH": os.environ["PATH"],
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    passed: defaultdict[str, list[bool]] = defaultdict(list)
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        if not any(child.tag == "skipped" for child in case):
            passed[case.attrib["name"].partition("[")[0]].append(not list(case))
    # A test without one result fails neither in part nor as a whole.
    assert all(len(set(results)) == 1 for results in passed.values()), passed
    return {name: results[0] for name, results in passed.items()}


def with_all(path: str, text: str, random: Random) -> tuple[str, dict[str, Twin]]:
    """The text with every twin that it allows, and the twins by their new names."""
    twins = twins_in(path, text)
    names = new_names(path, text, len(twins), random, [twin.test for twin in twins])
    chosen = dict(zip(names, twins, strict=True))
    keys = {twin.key: name for name, twin in chosen.items()}
    return with_twins(path, text, list(keys), keys, random), chosen


@pytest.mark.parametrize(
    ("path", "text", "solution"),
    [
        ("test_negatives.py", HIDDEN_TESTS, {**SOURCE, **SOLUTION}),
        ("test_stock.py", PYTHON, {"stock.py": STOCK}),
    ],
    ids=["unittest", "pytest"],
)
def test_every_twin_fails_and_every_other_test_passes(
    tmp_path: Path, path: str, text: str, solution: Mapping[str, str]
) -> None:
    altered, chosen = with_all(path, text, Random(1))
    results = run_pytest(tmp_path, {**solution, path: altered})
    assert len(chosen) >= 10
    assert {name: results.pop(name) for name in chosen} == dict.fromkeys(chosen, False)
    assert set(results.values()) == {True}


def test_twins_of_the_published_layout_fail(tmp_path: Path) -> None:
    text = FILES["tasks/task-1/task_tests.py"]
    altered, chosen = with_all("task_tests.py", text, Random(1))
    money = FILES["till/money.py"].replace("int(amount + 0.5)", "round(amount)")
    source = {name: content for name, content in FILES.items() if name.startswith("till/")}
    results = run_pytest(tmp_path, {**source, "till/money.py": money, "test_task.py": altered})
    assert {twin.test for twin in chosen.values()} == {
        "test_half_goes_to_the_even_neighbour",
        "test_a_total_is_rounded_once",
    }
    assert {name: results.pop(name) for name in chosen} == dict.fromkeys(chosen, False)
    assert set(results.values()) == {True}


def test_lines_may_end_as_on_windows_and_begin_with_tabs(tmp_path: Path) -> None:
    text = HIDDEN_TESTS.replace("    ", "\t").replace("\n", "\r\n")
    altered, chosen = with_all("test_negatives.py", text, Random(1))
    assert altered.replace("\r\n", "").count("\n") == 0
    (tmp_path / "test_negatives.py").write_bytes(altered.encode())
    results = run_pytest(tmp_path, {**SOURCE, **SOLUTION})
    assert {name: results[name] for name in chosen} == dict.fromkeys(chosen, False)


@pytest.mark.parametrize("path", SAMPLES)
def test_a_text_has_the_same_keys_each_time_and_each_once(path: str) -> None:
    keys = [twin.key for twin in twins_in(path, SAMPLES[path])]
    read_tests.cache_clear()
    assert keys == [twin.key for twin in twins_in(path, SAMPLES[path])]
    assert len(set(keys)) == len(keys) >= 3
    assert all(re.fullmatch(r".+/[1-9]\d*", key) for key in keys)


def test_the_best_twins_come_first_and_each_test_has_its_turn() -> None:
    first = twins_in("test_negatives.py", HIDDEN_TESTS)[:7]
    assert len({twin.test for twin in first}) == 7
    assert "test_refuses_letters" not in {twin.test for twin in first}  # only its exception can be altered


def test_a_twin_is_its_original_but_for_its_name_and_one_literal() -> None:
    text = "import a\n\n\n# One.\ndef test_a():\n    assert f(7) == 'ab cd'\n\n\nx = 1\n"
    key = twins_in("test_a.py", text)[0].key
    original = "# One.\ndef test_a():\n    assert f(7) == 'ab cd'"
    twin = re.escape(original).replace("test_a", "test_new").replace("ab\\ cd", "(?!ab cd)[a-z]{2} [a-z]{2}")
    for seed in range(8):
        found = with_twins("test_a.py", text, [key], {key: "test_new"}, Random(seed))
        head, tail = "import a\n\n\n", "\n\n\nx = 1\n"
        gap = "\n\n\n"
        assert re.fullmatch(
            f"{head}({twin}{gap}{re.escape(original)}|{re.escape(original)}{gap}{twin}){re.escape(tail)}",
            found,
        )


def test_a_twin_stands_anywhere_among_the_tests_of_its_class() -> None:
    key = "NegativesTest.test_adds_two_numbers/1"
    places = set()
    for seed in range(120):
        text = with_twins("test_negatives.py", HIDDEN_TESTS, [key], {key: "test_new"}, Random(seed))
        names = re.findall(r"def (test_\w+)", text)
        places.add(names.index("test_new"))
    assert places == set(range(9))


def test_a_copy_is_never_placed_before_what_its_decorators_need(tmp_path: Path) -> None:
    text = (
        "import pytest\n\n\ndef test_b():\n    assert 2 == 2\n\n\nROWS = [1, 2]\n\n\n"
        "@pytest.mark.parametrize('a', ROWS)\ndef test_a(a):\n    assert len([a]) == 1\n"
    )
    (key, *_) = [twin.key for twin in twins_in("test_a.py", text) if twin.test == "test_a"]
    for seed in range(20):
        found = with_twins("test_a.py", text, [key], {key: "test_new"}, Random(seed))
        assert found.index("test_new") > found.index("ROWS = ")


@pytest.mark.parametrize("path", SAMPLES)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), share=st.floats(0.05, 1))
def test_the_file_around_the_twins_keeps_its_bytes(path: str, seed: int, share: float) -> None:
    text, random = SAMPLES[path], Random(seed)
    twins = twins_in(path, text)
    chosen = random.sample(twins, max(1, int(len(twins) * share)))
    names = new_names(path, text, len(chosen), random)
    keys = {twin.key: name for twin, name in zip(chosen, names, strict=True)}
    altered = with_twins(path, text, list(keys), keys, random)
    before, after = read_tests(path, text), read_tests(path, altered)
    assert before is not None
    assert after is not None  # it is free of errors
    assert [test.name for test in after.tests if test.name not in names] == [
        test.name for test in before.tests
    ]
    # Without the lines of the twins, all lines but the empty ones are left, with their ends.
    rest = after.text
    for test in sorted(after.tests, key=lambda test: -test.start):
        if test.name in names:
            rest = rest[: test.start] + rest[test.end :]
    kept, all_ = (
        [line for line in one.splitlines(keepends=True) if line.strip()] for one in (rest, before.text)
    )
    assert kept == all_


@pytest.mark.parametrize(("values", "exchanged"), [(("12", "345"), True), (("12", "345", "77"), False)])
def test_values_of_cases_are_exchanged_in_pairs_only(values: Sequence[str], exchanged: bool) -> None:
    # Exchanged twice, they are as before, so that nobody can tell which were altered; three in turn are not.
    rows = ", ".join(f"({number}, {value})" for number, value in enumerate(values))
    text = f"@pytest.mark.parametrize('a, b', [{rows}])\ndef test_a(a, b):\n    assert f(a) == b\n"
    found = [
        with_twins("test_a.py", text, [twin.key], {twin.key: "test_new"}, Random(1))
        for twin in twins_in("test_a.py", text)
    ]
    assert found
    permuted = [
        code for code in found if sorted(re.findall(r"\d, (\d+)", code)) == sorted([*values, *values])
    ]
    assert bool(permuted) is exchanged


def test_a_swapped_twin_has_the_name_and_place_of_its_original() -> None:
    text = "def test_a():\n    assert f(7) == 'ab cd'\n\n\ndef test_b():\n    assert f(8) == 6\n"
    key = next(twin.key for twin in twins_in("test_a.py", text) if twin.test == "test_a")
    found = with_twins("test_a.py", text, [key], {key: "test_new"}, Random(1), [key])
    assert "def test_new():\n    assert f(7) == 'ab cd'\n" in found
    assert re.search(r"def test_a\(\):\n    assert f\(7\) == '(?!ab cd)[a-z]{2} [a-z]{2}'\n", found)
    assert "def test_b():\n    assert f(8) == 6\n" in found


@pytest.mark.parametrize(
    ("body", "exclusive"),
    [
        ("assert f(7) == 5", True),
        ("assert f(7)", True),
        ("with pytest.raises(ValueError):\n        f(7)", False),
        ("for row in f(7):\n        assert row == 5", False),
        ("check(5)", False),
    ],
)
def test_a_twin_that_contradicts_its_original_is_exclusive(body: str, exclusive: bool) -> None:
    twins = twins_in("test_a.py", f"def test_a():\n    {body}\n")
    assert {twin.exclusive for twin in twins} == {exclusive}


def test_the_digest_is_that_of_the_alteration() -> None:
    one, other = (
        twins_in("test_a.py", f"def test_a():\n    assert f(7) == {value}\n") for value in (1234, 5678)
    )
    assert one[0].key == other[0].key
    assert one[0].digest != other[0].digest
    assert len({twin.digest for twin in one}) == len(one)


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        with_twins("test_negatives.py", HIDDEN_TESTS, ["NegativesTest.test_none/1"], {}, Random(1))
    with pytest.raises(KeyError):
        with_twins("test_negatives.rb", HIDDEN_TESTS, ["NegativesTest.test_adds_one_number/1"], {}, Random(1))


def test_a_key_without_a_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        with_twins("test_negatives.py", HIDDEN_TESTS, ["NegativesTest.test_adds_one_number/1"], {}, Random(1))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("test_a.rb", "def test_a\n  assert_equal 1, 2\nend\n"),
        ("test_a.py", "def test_a(:\n"),
        ("test_a.py", "def f():\n    assert 1 == 1\n"),
        ("test_a.py", ""),
        ("a.test.js", "describe('a', () => {});\n"),
        # Of two tests of one name, only one runs.
        ("test_a.py", "def test_a():\n    assert f() == 1\n\n\ndef test_a():\n    assert f() == 2\n"),
    ],
)
def test_a_file_without_tests_that_can_be_altered_has_no_twins(path: str, text: str) -> None:
    assert twins_in(path, text) == ()


def test_a_title_may_have_quotes() -> None:
    (key, *_) = [twin.key for twin in twins_in("sums.test.js", JAVASCRIPT)]
    text = with_twins("sums.test.js", JAVASCRIPT, [key], {key: 'isn\'t \\ "it"'}, Random(1))
    file = read_tests("sums.test.js", text)
    assert file is not None
    assert "'isn\\'t \\\\ \"it\"'" in text


@pytest.mark.parametrize(
    "path", sorted(STARTER.glob("*/tasks/*/tests/**/test_*.py")), ids=lambda path: path.name
)
def test_every_file_of_the_starter_dataset_allows_twins(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    twins = twins_in(str(path), text)
    tests = {twin.test for twin in twins}
    assert len(tests) >= len(re.findall(r"^ *def test_", text, re.MULTILINE)) - 1
    altered, _ = with_all(str(path), text, Random(1))
    assert read_tests(str(path), altered) is not None


def test_a_twin_is_telling_where_only_one_of_both_values_stands_elsewhere_in_the_test() -> None:
    text = """\
def test_slug():
    assert slug("two words") == "two-words"


def test_count():
    assert count("some text") == 17


def test_exit_code():
    assert main(["run"]) == 0


def test_other_slug():
    assert slug(make()) == "the-tests"
"""
    found = {(twin.test, twin.telling) for twin in twins_in("test_slug.py", text)}
    assert found == {
        ("test_slug", True),
        ("test_count", False),
        ("test_exit_code", True),
        ("test_other_slug", False),
    }


def test_a_twin_is_telling_where_only_one_of_both_values_stands_in_other_tests() -> None:
    text = """\
def test_reads_minutes():
    assert parse("2m") == 120


def test_reads_hours():
    assert parse("1h") == 3600


def test_counts_minutes():
    assert parts(120) == {"m": 2}
"""
    found = [twin.telling for twin in twins_in("test_times.py", text) if twin.test == "test_reads_minutes"]
    assert found
    assert all(found)
    alone = text.replace("parts(120)", "parts()")
    assert not any(
        twin.telling for twin in twins_in("test_times.py", alone) if twin.test == "test_reads_minutes"
    )


def test_new_names_have_no_words_of_tests_that_the_script_leaves_out() -> None:
    """It may leave them out by these words, as with `-k "not pandas"`, or by how their names begin."""
    words = ("list", "of", "rows", "with", "index", "plain", "without", "header")
    run = [f"test_{one}_{other}" for one, other in pairwise(words)]
    left_out = ["test_pandas_with_index", "test_pandas", "test_list"]
    text = "\n\n".join(f"def {name}():\n    assert f() == 5" for name in [*run, *left_out])
    expected = [f"tests.test_a::{name}[5]" for name in run]
    for seed in range(50):
        names = new_names("test_a.py", text, 6, Random(seed), run[:6], expected=expected)
        assert not any("pandas" in name or name.startswith(tuple(left_out)) for name in names)


def test_an_assertion_turned_into_its_opposite_is_the_last_choice() -> None:
    lines = "".join(f"    assert 'word {number}' in found\n" for number in range(MAX_SPOTS))
    text = f"def test_a():\n    found = f(7)\n{lines}\n\ndef test_b():\n    assert f(8) == 45\n"
    found = [twin for twin in twins_in("test_a.py", text) if twin.exclusive]
    assert Counter(twin.test for twin in found if twin.telling)["test_a"] == MAX_SPOTS
    assert {twin.test for twin in found if not twin.telling} == {"test_b"}
    assert found[0].test == "test_b"


def test_a_test_with_many_cases_has_several_twins_and_each_alters_every_case() -> None:
    values = ["300 Bytes", "1.0 kB", "1.0 kB", "3G", "2.930K", "31.0 KiB", "1 Byte"]
    cases = "".join(f"    ({number}, '{value}'),\n" for number, value in enumerate(values))
    head = f"@pytest.mark.parametrize('size, expected', [\n{cases}])\n"
    text = f"{head}def test_a(size, expected):\n    assert natural(size) == expected\n"
    file = read_tests("test_a.py", text)
    assert file is not None
    found = [altered(file, one.edits) for one in _candidates(file)]
    assert len(set(found)) == len(found) >= 3
    for code in found:
        others = re.findall(r"\d, '(.*)'", code)
        assert all(one != other for one, other in zip(values, others, strict=True))


def altered(file: TestFile, edits: Sequence[Edit]) -> str:
    content = file.text
    for start, end, new in sorted(edits, reverse=True):
        content = content[:start] + new + content[end:]
    return content.decode()


def test_a_twin_that_is_not_telling_can_be_altered_back() -> None:
    """Code that knows how twins are made cannot see which of two tests is the original."""
    (path,) = STARTER.rglob("test_keep_names_intact.py")
    text = path.read_text("utf-8")
    file = read_tests(path.name, text)
    assert file is not None
    found = [one for one in _candidates(file) if one.twin.exclusive]
    lead_back = 0
    for one in found:
        other = read_tests(path.name, altered(file, one.edits))
        assert other is not None
        back = any(altered(other, again.edits) == text for again in _candidates(other, [one.original.path]))
        assert back or one.twin.telling, (one.twin.key, one.edits)
        lead_back += back
    assert lead_back >= len(found) // 2
