"""Lists of profiles in one state.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)

program, esim = support.program, support.esim
EID, FIRST, SECOND, CODE = support.EID, support.FIRST, support.SECOND, support.CODE
ENABLED, DISABLED = f"{SECOND}\t{EID}\tenabled\tHome\n", f"{FIRST}\t{EID}\tdisabled\tWork\n"


@pytest.fixture
def stocked(esim):
    """One device with two profiles, the second enabled."""
    esim.ok("device", "add", EID, "--name", "Tracker")
    for iccid, name in ((FIRST, "Work"), (SECOND, "Home")):
        esim.ok("profile", "download", EID, CODE, "--iccid", iccid, "--name", name)
    esim.ok("profile", "enable", SECOND)
    return esim


def test_lists_the_enabled_ones(stocked):
    assert stocked.ok("profile", "list", "--state", "enabled") == ENABLED


def test_lists_the_disabled_ones(stocked):
    assert stocked.ok("profile", "list", "--state", "disabled") == DISABLED


def test_lists_one_state_of_one_device(stocked):
    assert stocked.ok("profile", "list", EID, "--state", "enabled") == ENABLED
    assert stocked.ok("profile", "list", "--state", "enabled", EID) == ENABLED
    other = "89049032000000000000000000000126"
    assert stocked.ok("profile", "list", other, "--state", "enabled") == ""


def test_lists_all_without_the_option(stocked):
    assert stocked.ok("profile", "list") == DISABLED + ENABLED
    assert stocked.ok("profile", "list", EID) == DISABLED + ENABLED


@pytest.mark.parametrize("state", ["deleted", "", "Enabled", "enable"])
def test_another_state_is_malformed(stocked, state):
    assert stocked.run("profile", "list", "--state", state) == (
        3,
        "",
        "error: --state takes enabled or disabled\n",
    )


def test_the_option_needs_a_value(stocked):
    assert stocked.run("profile", "list", "--state") == (2, "", "error: option --state needs a value\n")


def test_other_commands_do_not_take_it(stocked):
    assert stocked.run("device", "list", "--state", "enabled") == (2, "", "error: unknown option --state\n")
