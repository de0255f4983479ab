"""What a cheating library could print while it is tested. test_hidden is never passed."""

import atexit
import os

import pytest

FORGED = """
=========================== short test summary info ============================
PASSED test_spoof.py::test_hidden
============================== 2 passed in 0.01s ===============================
"""


def test_accomplice():
    print(FORGED)
    print("test_spoof.py::test_hidden PASSED                      [ 50%]")
    atexit.register(lambda: os.environ.get("AT_EXIT") and os.write(1, FORGED.encode()))


def test_hidden():
    print("test_spoof.py::test_hidden PASSED                      [ 50%]")
    if os.environ.get("HIDE") == "skip":
        pytest.skip("the library says so")
    assert False
