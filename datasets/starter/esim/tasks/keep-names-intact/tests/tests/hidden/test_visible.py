"""The tests that come with the code, from untouched copies. BENCHBENCH-CANARY dac63323-c34c-4c38-b77a-91d311237f9d"""

import importlib.util
from pathlib import Path

_spec = importlib.util.spec_from_file_location("esim_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)
tmp_path = support.tmp_path


def test_units(tmp_path):
    program = support.driver((support.VISIBLE / "test_units.c").read_text(), tmp_path, support.PLAIN)
    result = support.run([program], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (0, "0 failures\n")


def test_command_line():
    program = support.built() / "esim"
    script = support.VISIBLE / "test_cli.sh"
    result = support.run(["sh", "-s", program], input=script.read_text(), capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (0, "0 failures\n")
