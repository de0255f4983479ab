"""Activation codes are read as before, and refused in the same words.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)

program, esim = support.program, support.esim
LABELS = ("smdp", "matching-id", "oid", "confirmation-code")
READ = {
    "LPA:1$smdp.example.com$AB-12": ("smdp.example.com", "AB-12", "-", "not required"),
    "LPA:1$smdp.example.com$AB-12$1.3.6": ("smdp.example.com", "AB-12", "1.3.6", "not required"),
    "LPA:1$a$b$1.3.6$1": ("a", "b", "1.3.6", "required"),
    f"LPA:1${'a' * 128}${'B' * 64}${'1' * 64}$1": ("a" * 128, "B" * 64, "1" * 64, "required"),
}
REFUSED = {
    "": "has 0 fields, not 3 to 5",
    "LPA:1$smdp.example.com": "has 2 fields, not 3 to 5",
    "LPA:1$a$b$1$1$1": "has 6 fields, not 3 to 5",
    "LPA:2$a$b$1$1$1": "has 6 fields, not 3 to 5",
    "LPA:2$-a$b": "does not begin with LPA:1$",
    "LPA:1$-a$b c": "names no valid server",
    "LPA:1$a..b$c": "names no valid server",
    f"LPA:1${'a' * 129}$b": "names no valid server",
    "LPA:1$a$b c$x": "has a malformed matching id",
    f"LPA:1$a${'b' * 65}": "has a malformed matching id",
    "LPA:1$a$b$1..2$2": "has a malformed object identifier",
    "LPA:1$a$b$1.$1": "has a malformed object identifier",
    f"LPA:1$a$b${'1' * 65}": "has a malformed object identifier",
    "LPA:1$a$b$1$2": "has a malformed confirmation flag",
    "LPA:1$a$b$1$11": "has a malformed confirmation flag",
    f"LPA:1${'a' * 294}": "is too long",
    f"LPA:1${'a' * 293}": "has 2 fields, not 3 to 5",
}


@pytest.mark.parametrize("text", READ, ids=range(len(READ)))
def test_a_code_is_read(esim, text):
    lines = (f"{label}: {value}\n" for label, value in zip(LABELS, READ[text], strict=True))
    assert esim.run("code", "parse", text) == (0, "".join(lines), "")


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_a_code_is_refused(esim, text):
    assert esim.run("code", "parse", text) == (3, "", f"error: activation code {REFUSED[text]}\n")
