"""The one-time password is shown in a terminal; any other output may be a log and names a private file."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest

from benchbench.management.commands.serve import Command
from benchbench.site_setup import Operator, create_operator

pytestmark = pytest.mark.django_db


class Terminal(StringIO):
    """Somebody looks at it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def operator() -> Operator:
    """The first one."""
    made = create_operator()
    assert made is not None
    return made


def test_in_a_terminal_it_is_shown(operator: Operator, data_directory: Path) -> None:
    output = Terminal()
    Command(stdout=output)._write_operator(operator)
    assert f"admin, one-time password {operator.password}" in output.getvalue()
    assert not list(data_directory.glob("one-time-password*"))


def test_elsewhere_a_private_file_is_named(operator: Operator) -> None:
    output = StringIO()
    Command(stdout=output)._write_operator(operator)
    assert operator.password not in output.getvalue()
    named = re.search(r"one-time password in the file (\S+)", output.getvalue())
    assert named
    path = Path(named[1])
    assert path.read_text().strip() == operator.password
    assert path.stat().st_mode & 0o777 == 0o600
