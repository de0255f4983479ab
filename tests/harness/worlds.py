"""Small worlds to test in: a dataset with one repository and one task that builds in a second.

The repository `calc` adds whole numbers. Its task `add-negatives` is a bug in two files, three hunks: `parse`, `spell`
and `largest` know no numbers below zero. Of the eight hidden tests three pass untouched; each hunk brings more, and
only all three together resolve the task.
"""

from __future__ import annotations

import difflib
import json
import shutil
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

from harness.dataset import Dataset, load_dataset
from harness.functions import find, without_body

CANARY = "benchbench-canary-tiny-5f0c7d1e9a34"
BASE_IMAGE = "benchbench/base:bookworm"

PASS_UNTOUCHED = ("test_adds_one_number", "test_adds_two_numbers", "test_refuses_letters")
FAIL_UNTOUCHED = (
    "test_reads_a_negative_number",
    "test_refuses_a_lone_minus",
    "test_spells_a_negative_sum",
    "test_largest_of_negatives",
    "test_refuses_two_minuses",
)

_DIGITS = '''\
"""Whole numbers as people write them."""

DIGITS = "0123456789"


def parse(text):
    """The number that `text` spells; ValueError where it spells none."""
    if not text or any(letter not in DIGITS for letter in text):
        raise ValueError("not a number: {!r}".format(text))
    value = 0
    for letter in text:
        value = value * 10 + DIGITS.index(letter)
    return value


def spell(number):
    """`number` in digits."""
    letters = []
    while number > 0:
        number, digit = divmod(number, 10)
        letters.append(DIGITS[digit])
    return "".join(reversed(letters)) or "0"
'''

_SUMS = '''\
"""What can be done with a list of numbers in one text, '1 + 2 + 3'."""

from calc.digits import parse, spell


def add(text):
    """The sum, spelled."""
    return spell(sum(_numbers(text)))


def largest(text):
    """The largest of them, as a number."""
    best = 0
    for number in _numbers(text):
        best = max(best, number)
    return best


def _numbers(text):
    return [parse(word.strip()) for word in text.split("+")]
'''

SOURCE: Mapping[str, str] = {
    ".gitignore": "__pycache__/\n*.pyc\n/build/\n",
    "README.md": "# calc\n\nAdds whole numbers: `python3 -m calc '1 + 2'`.\n",
    "calc/__init__.py": '"""Adds whole numbers."""\n',
    "calc/__main__.py": "import sys\n\nfrom calc.sums import add\n\nprint(add(sys.argv[1]))\n",
    "calc/digits.py": _DIGITS,
    "calc/sums.py": _SUMS,
    "tests/test_sums.py": (
        "import unittest\n\nfrom calc.sums import add\n\n\nclass SumsTest(unittest.TestCase):\n"
        '    def test_one_and_two(self):\n        self.assertEqual(add("1 + 2"), "3")\n'
    ),
}

SOLUTION: Mapping[str, str] = {
    "calc/digits.py": _DIGITS.replace(
        '    """The number that `text` spells; ValueError where it spells none."""\n',
        '    """The number that `text` spells; ValueError where it spells none."""\n'
        '    if text.startswith("-") and not text.startswith("--"):\n'
        "        return -parse(text[1:])\n",
    ).replace(
        '    """`number` in digits."""\n',
        '    """`number` in digits."""\n    if number < 0:\n        return "-" + spell(-number)\n',
    ),
    "calc/sums.py": _SUMS.replace(
        "    best = 0\n    for number in _numbers(text):\n        best = max(best, number)\n    return best\n",
        "    return max(_numbers(text))\n",
    ),
}

HIDDEN_TESTS = f"""\
# {CANARY}
import unittest

from calc.digits import parse, spell
from calc.sums import add, largest


class NegativesTest(unittest.TestCase):
    def test_adds_one_number(self):
        self.assertEqual(add("7"), "7")

    def test_adds_two_numbers(self):
        self.assertEqual(add("12 + 30"), "42")

    def test_refuses_letters(self):
        with self.assertRaises(ValueError):
            parse("seven")

    def test_reads_a_negative_number(self):
        self.assertEqual(parse("-12"), -12)

    def test_refuses_a_lone_minus(self):
        self.assertEqual(parse("-1"), -1)
        with self.assertRaises(ValueError):
            parse("-")

    def test_refuses_two_minuses(self):
        self.assertEqual(parse("-3"), -3)
        with self.assertRaises(ValueError):
            parse("--3")

    def test_spells_a_negative_sum(self):
        self.assertEqual(spell(-105), "-105")

    def test_largest_of_negatives(self):
        self.assertEqual(largest("-4 + -2 + -9"), -2)
"""

# The workspace goes to the END of the module path, so that nothing in it shadows the standard library.
RUN_TESTS = """\
#!/bin/bash
# run_tests.sh TASK: runs hidden/test_*.py of the task that was copied over the tree, writes $RESULTS_DIR/junit.xml.
exec python3 -I - "$RESULTS_DIR/junit.xml" <<'PY'
import os, sys, time, unittest
from xml.etree import ElementTree as xml


class Result(unittest.TestResult):
    suite = xml.Element("testsuite", name="hidden")

    def startTest(self, test):
        super().startTest(test)
        name = test.id().rpartition(".")
        self.case = xml.SubElement(self.suite, "testcase", classname=name[0], name=name[2])
        self.began = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.case.set("time", "%.6f" % (time.monotonic() - self.began))

    def addFailure(self, test, error):
        super().addFailure(test, error)
        xml.SubElement(self.case, "failure", message=str(error[1])).text = self.failures[-1][1]

    def addError(self, test, error):
        super().addError(test, error)
        xml.SubElement(self.case, "error", message=str(error[1])).text = self.errors[-1][1]

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        xml.SubElement(self.case, "skipped", message=reason)


sys.path.append(os.getcwd())
result = Result()
unittest.TestLoader().discover("hidden", top_level_dir="hidden").run(result)
result.suite.set("tests", str(result.testsRun))
xml.ElementTree(result.suite).write(sys.argv[1], encoding="utf-8", xml_declaration=True)
print("%d tests, %d failures, %d errors" % (result.testsRun, len(result.failures), len(result.errors)))
sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
PY
"""


def tiny_dataset(root: Path) -> Dataset:
    """The dataset `tiny`, written below `root` and loaded. Its task has no proof yet."""
    return load_dataset(write_tiny_dataset(root))


def write_tiny_dataset(root: Path) -> Path:
    """Writes the dataset `tiny` below `root`, for tests that break it before they load it. Returns its directory."""
    dataset = root / "tiny"
    write_tree(
        dataset,
        {
            "dataset.toml": (
                'title = "Tiny"\ndescription = "For tests."\nversion = "1.0.0"\nlicence = "MIT"\n'
                f'canary = "{CANARY}"\n'
            ),
            "calc/repository.toml": (
                'title = "Calc"\ndescription = "Adds whole numbers."\nstack = "Python"\n'
                'languages = ["python"]\ndomain = "arithmetic"\nworkdir = "/app"\n'
            ),
            "calc/Dockerfile": f"ARG BASE_IMAGE={BASE_IMAGE}\nFROM ${{BASE_IMAGE}}\nWORKDIR /app\n",
            "calc/run_tests.sh": RUN_TESTS,
            "calc/tasks/add-negatives/task.toml": (
                'title = "Numbers below zero"\ncategory = "bug"\ndifficulty = "easy"\ntest_timeout = 60\n'
            ),
            "calc/tasks/add-negatives/description.md": (
                "Numbers below zero are not understood. `parse`, `spell` and `largest` have to handle them;\n"
                "a lone minus, or two, is no number.\n"
            ),
            "calc/tasks/add-negatives/reference.diff": reference_diff(),
            "calc/tasks/add-negatives/tests/hidden/test_negatives.py": HIDDEN_TESTS,
        },
    )
    write_tree(dataset / "calc" / "source", SOURCE)
    return dataset


def write_target(dataset: Path) -> None:
    """Makes `add` of calc/sums.py the target of the task `add-negatives` in the dataset `tiny`."""
    generation = {
        "schema_version": 1,
        "origin": "removed",
        "targets": [{"path": "calc/sums.py", "name": "add"}],
        "canary": CANARY,
    }
    place = dataset / "calc/tasks/add-negatives/generation.json"
    place.write_text(json.dumps(generation), encoding="utf-8")


def add_workflow(dataset: Path) -> Path:
    """Adds the scenario `talk-negatives` to the dataset `tiny`: the task `add-negatives` as a conversation.

    The user asks for sums, then for the largest number, then for a report. Two personas. Returns its directory.
    """
    task = dataset / "calc/tasks/talk-negatives"
    write_tree(
        task,
        {
            "task.toml": (
                'title = "Talk about numbers below zero"\ncategory = "feature"\ndifficulty = "easy"\n'
                'test_timeout = 60\nmode = "workflow"\n'
            ),
            "workflow.toml": (
                'objective = "Numbers below zero are understood everywhere."\n'
                'instructions = ["Handle the largest number, too.", "Say that it is finished."]\n'
                'first_message = "Sums of numbers below zero do not work. Please fix that."\n'
                'personas = ["default", "toxic"]\n\n[script]\n'
                'toxic = ["Why is the largest number still wrong?!", "Is it finished at last?"]\n'
            ),
            "verifiers.toml": (
                f'# {CANARY}\n[[verifiers]]\nkind = "yes_changes"\nname = "the digits were changed"\n'
                'targets = ["calc/digits.py"]\n\n'
                '[[verifiers]]\nkind = "chat_regexp"\nname = "the agent says that it is finished"\n'
                "pattern = 'finished'\n"
            ),
            "conversation.toml": (
                f'# {CANARY}\n[[turns]]\nmessage = "Sums work now."\nchanges = ["calc/digits.py"]\n'
                'calls = [{ name = "list_dir", arguments = { path = "." } }]\n\n'
                '[[turns]]\nmessage = "The largest number works, too."\nchanges = ["calc/sums.py"]\n\n'
                '[[turns]]\nmessage = "It is finished."\n'
            ),
            "reference.diff": reference_diff(),
        },
    )
    return task


REMOVED, CORRUPTED = "write-spell", "find-fault"
_SKIPPED_TEST = """
    @unittest.skip("needs another system")
    def test_of_another_system(self):
        pass
"""
SKIPPED = "test_negatives.NegativesTest::test_of_another_system"


def write_repair_dataset(root: Path) -> Path:
    """Writes the dataset `repair` below `root`: the solved repository `calc`, with tasks to repair a function.

    `write-spell` has to write the body of `spell` again (mode remove); in `find-fault` `parse` multiplies by the wrong
    number (mode discovery). The environment does not hold the source, all tasks share the hidden tests, and one of
    these is skipped.
    """
    dataset = write_tiny_dataset(root).rename(root / "repair")
    calc = dataset / "calc"
    shutil.rmtree(calc / "tasks")
    solved = {**SOURCE, **SOLUTION}
    write_tree(calc / "source", solved)
    settings = (calc / "repository.toml").read_text(encoding="utf-8")
    write_tree(
        calc,
        {
            "repository.toml": (
                f'{settings}leave_out = ["{SKIPPED}"]\nlicence = "MIT"\norigin = "pkg:generic/calc@1"\n'
                f'origin_sha256 = "{"0" * 64}"\n'
            ),
            "environment/constraints.txt": "nothing==1\n",
            "Dockerfile": (
                f"ARG BASE_IMAGE={BASE_IMAGE}\nFROM ${{BASE_IMAGE}}\nCOPY environment/ /opt/environment/\n"
                "WORKDIR /app\n"
            ),
            "tests/hidden/test_negatives.py": HIDDEN_TESTS + _SKIPPED_TEST,
        },
    )
    digits = solved["calc/digits.py"]
    without = without_body("calc/digits.py", digits, find("calc/digits.py", digits, "spell"))
    _write_repair(calc / "tasks" / REMOVED, digits, without, mode="remove", origin="removed", target="spell")
    wrong = digits.replace("value * 10", "value * 9")
    _write_repair(
        calc / "tasks" / CORRUPTED, digits, wrong, mode="discovery", origin="corrupted", target="parse"
    )
    return dataset


def _write_repair(
    task: Path,
    original: str,
    start: str,
    *,
    mode: str,
    origin: str,
    target: str,
    path: str = "calc/digits.py",
) -> None:
    there = (original, start)
    write_tree(
        task,
        {
            "task.toml": (
                f'title = "Repair"\ncategory = "bug"\ndifficulty = "easy"\nmode = "{mode}"\ntest_timeout = 60\n'
            ),
            "description.md": "Some tests fail. Repair the code.\n",
            "start.diff": _patch(path, *there),
            "reference.diff": _patch(path, *reversed(there)),
            "generation.json": json.dumps(
                {
                    "schema_version": 1,
                    "canary": CANARY,
                    "origin": origin,
                    "targets": [{"path": path, "name": target, "occurrence": 0}],
                    "measures": {"code_lines": 6, "harmonic": 0.5},
                    "seed": 1,
                }
            ),
        },
    )


def let_tests_toss_coins(dataset: Path) -> None:
    """Each of the eight hidden tests passes every other time, whatever the code does."""
    tests = "".join(
        f"    def {name}(self):\n        self.assertTrue(os.urandom(1)[0] % 2)\n"
        for name in (*PASS_UNTOUCHED, *FAIL_UNTOUCHED)
    )
    (dataset / "calc/tasks/add-negatives/tests/hidden/test_negatives.py").write_text(
        f"# {CANARY}\nimport os, unittest\n\n\nclass NegativesTest(unittest.TestCase):\n{tests}"
    )


def reference_diff() -> str:
    """The solution of `add-negatives` as a patch in git's format, with the canary above it."""
    return f"{CANARY}\n" + "".join(_hunks(path, SOURCE[path], after) for path, after in SOLUTION.items())


def _patch(path: str, before: str, after: str) -> str:
    return f"{CANARY}\n{_hunks(path, before, after)}"


def _hunks(path: str, before: str, after: str) -> str:
    lines = (before.splitlines(keepends=True), after.splitlines(keepends=True))
    return f"diff --git a/{path} b/{path}\n" + "".join(difflib.unified_diff(*lines, f"a/{path}", f"b/{path}"))


def png(width: int = 1, height: int = 1) -> bytes:
    """A grey picture; one that is said to be large has no more than a pixel of content."""
    rows = zlib.compress(b"\0\x80" if width * height > 10_000 else (b"\0" + b"\x80" * width) * height)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", rows),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def jpeg(width: int = 1, height: int = 1, segments: int = 1) -> bytes:
    """The header of a picture, with so many segments before its size."""
    about = b"\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"
    frame = b"\xff\xc2\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\0"
    return b"\xff\xd8" + about * segments + frame + b"\xff\xd9"


def write_tree(root: Path, files: Mapping[str, str]) -> None:
    """Writes text files by relative path, making directories; scripts (*.sh) are executable."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if path.suffix == ".sh":
            path.chmod(0o755)
