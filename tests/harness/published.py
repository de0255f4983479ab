"""A small repository in IDE-Bench's layout: `till-service` adds up what a shop sold. Every text in it is our own.

Of its two tasks, `task-1` repairs rounding in one file, `task-2` adds discounts across two.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.patches import FileState, make_patch
from tests.harness.worlds import write_tree

BASE_IMAGES = {"python:3.11-slim": "benchbench/python:bookworm"}
SECRETS = ("half_goes_to_the_even_neighbour", "carries_a_discount_over_every_line", "coupon_ledger_entry")

_MONEY = '''\
"""Amounts of money, in cents."""


def rounded(amount):
    """`amount` in whole cents."""
    return int(amount + 0.5)


def shown(cents):
    """An amount as the receipt has it."""
    return "%d.%02d" % divmod(cents, 100)
'''
_TILL = '''\
"""A till that adds up."""

from till.money import rounded


class Till:
    """What was sold so far: (name, number, price in cents)."""

    def __init__(self):
        self.lines = []

    def sell(self, name, number, price):
        """Notes a sale."""
        self.lines.append((name, number, price))

    def total(self):
        """What the customer owes, in cents."""
        return rounded(sum(number * price for _, number, price in self.lines))
'''
_BASE_TESTS = """\
from till.money import shown
from till.register import Till


def test_nothing_costs_nothing():
    assert Till().total() == 0


def test_a_sum_is_shown_with_two_digits():
    assert shown(1205) == "12.05"
"""

_EVEN = _MONEY.replace(
    '    """`amount` in whole cents."""\n    return int(amount + 0.5)\n',
    '    """`amount` in whole cents; half_goes_to_the_even_neighbour."""\n    return round(amount)\n',
)
_DISCOUNT_MONEY = _MONEY + (
    '\n\ndef less(cents, percent):\n    """coupon_ledger_entry: `cents` without `percent` of them."""\n'
    "    return cents * (100 - percent) / 100\n"
)
_DISCOUNT_TILL = (
    _TILL.replace("import rounded\n", "import less, rounded\n")
    .replace("        self.lines = []\n", "        self.lines = []\n        self.percent = 0\n")
    .replace(
        "        return rounded(sum(number * price for _, number, price in self.lines))\n",
        "        return rounded(sum(less(number * price, self.percent) for _, number, price in self.lines))\n\n"
        "    def discount(self, percent):\n"
        '        """carries_a_discount_over_every_line: the ones before and the ones to come."""\n'
        "        self.percent = percent\n",
    )
)

DESCRIPTION_1 = """\
task_description: |
  Task: Round halves to even: not up

  Instructions:
  The till rounds half a cent up. Auditors want what banks do:
    - 0.5 becomes 0
    - 1.5 becomes 2

  Note: keep `shown` as it is.
  category: this line is prose, not a field
      indented: further

    def rounded(amount):  # its name stays

  Hint: think of `round`: it does more than it seems.


difficulty: easy
category: bug fixing
tags: [money, rounding]
parser_name: pytest
"""
DESCRIPTION_2 = """\
task_description: |
Task: Discounts
Instructions: a till takes `discount(percent)`;
every line sold, before or after, costs that much less.

difficulty: Medium
category: feature implementation
tags: ["money", 'api']
parser_name: "pytest"
"""

SOURCE: Mapping[str, str] = {
    "README.md": "# Till service\n\nAdds up what was sold.\n",
    "requirements.txt": "pytest==8.4.2\n",
    "till/__init__.py": "",
    "till/money.py": _MONEY,
    "till/register.py": _TILL,
    "tests/base/test_till.py": _BASE_TESTS,
    "conftest.py": "",
    "notes/scratch.log": "not for the image\n",
}

FILES: Mapping[str, str] = {
    **SOURCE,
    "Dockerfile": (
        "FROM python:3.11-slim\n\nWORKDIR /app\n\nCOPY requirements.txt .\n"
        "RUN pip install --no-cache-dir -r requirements.txt\n\nCOPY . .\nRUN chmod +x /app/run_tests.sh\n\n"
        'ENV PYTHONPATH=/app\nCMD ["bash"]\n'
    ),
    "docker-compose.yaml": "services:\n  app:\n    build: .\n    volumes: ['.:/app']\n",
    ".dockerignore": "# scratch files\n*.log\n**/*.log\n",
    "run_tests.sh": (
        "#!/bin/bash\n# run_tests.sh <task_id>\nset -e\n\nTASK_ID=$1\n"
        'if [ -z "$TASK_ID" ]; then\n    echo "usage: $0 <task_id>"\n    exit 2\nfi\n\n'
        'cd "$(dirname "$0")"\npytest -q -rA tests/base "tasks/$TASK_ID/task_tests.py"\n'
    ),
    "tasks/task-1/task_description.txt": DESCRIPTION_1,
    "tasks/task-1/task_tests.py": (
        "import pytest\n\nfrom till.money import rounded\nfrom till.register import Till\n\n\n"
        '@pytest.mark.parametrize("amount, cents", [(0.5, 0), (1.5, 2), (2.5, 2)])\n'
        "def test_half_goes_to_the_even_neighbour(amount, cents):\n    assert rounded(amount) == cents\n\n\n"
        "def test_a_total_is_rounded_once():\n    till = Till()\n    till.sell('tea', 3, 0.5)\n"
        "    assert till.total() == 2\n"
    ),
    "tasks/task-2/task_description.txt": DESCRIPTION_2,
    "tasks/task-2/task_tests.py": (
        "from till.register import Till\n\n\ndef till():\n    till = Till()\n    till.sell('tea', 2, 100)\n"
        "    till.discount(10)\n    till.sell('cake', 1, 300)\n    return till\n\n\n"
        "def test_carries_a_discount_over_every_line():\n    assert till().total() == 450\n\n\n"
        "def test_without_a_discount_nothing_changes():\n    plain = Till()\n    plain.sell('tea', 2, 100)\n"
        "    assert plain.total() == 200\n"
    ),
}


def write_published(root: Path, files: Mapping[str, str] = FILES) -> Path:
    """Writes the repository below `root` as somebody would have cloned it. Returns its directory."""
    directory = root / "till-service"
    write_tree(directory, files)
    (directory / "tasks/task-1/task_diff.txt").write_bytes(diff({"till/money.py": _EVEN}))
    (directory / "tasks/task-2/task_diff.txt").write_bytes(
        diff({"till/money.py": _DISCOUNT_MONEY, "till/register.py": _DISCOUNT_TILL})
    )
    write_tree(directory, {".git/HEAD": "ref: refs/heads/main\n"})
    return directory


def diff(after: Mapping[str, str]) -> bytes:
    """The patch from the source to these files."""
    before = [FileState(path, SOURCE[path].encode()) for path in after]
    return make_patch(before, [FileState(path, text.encode()) for path, text in after.items()])
