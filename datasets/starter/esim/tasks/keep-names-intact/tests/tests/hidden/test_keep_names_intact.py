"""Whatever a user types survives. BENCHBENCH-CANARY dac63323-c34c-4c38-b77a-91d311237f9d"""

import importlib.util
import random
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("esim_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)
tmp_path = support.tmp_path
code, eid, iccid = support.code, support.eid, support.iccid

NAMES = {
    "plain": "Office",
    "empty": "",
    "tab": "left\tright",
    "line-feed": "first\nsecond",
    "carriage-return": "first\rsecond",
    "backslash": "C:\\new\\table",
    "ends-in-backslash": "end\\",
    "spaces": "  two  ",
    "all-of-it": "\t\\t\n\\n\r\\r\\\\",
    "unicode": "Übersee 東京",
}


def escaped(name):
    for character, escape in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        name = name.replace(character, escape)
    return name


every_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())


@pytest.fixture
def esim(tmp_path):
    return support.Esim(tmp_path, support.CHECKED)


@pytest.fixture
def stocked(esim):
    """One device with one profile, both with harmless names."""
    esim.ok("device", "add", eid(1), "--name", "Tracker")
    esim.ok("profile", "download", eid(1), code(), "--iccid", iccid(1), "--name", "Work")
    return esim


@every_name
def test_a_profile_keeps_its_name_through_many_saves(stocked, name):
    stocked.ok("profile", "download", eid(1), code(), "--iccid", iccid(2), "--name", name)
    for _ in range(2):
        stocked.ok("profile", "enable", iccid(1))
        stocked.ok("profile", "disable", iccid(1))
    assert stocked.rows("profile", "list") == [
        [iccid(1), eid(1), "disabled", "Work"],
        [iccid(2), eid(1), "disabled", escaped(name)],
    ]


@every_name
def test_profile_show_prints_the_name_on_one_line(stocked, name):
    stocked.ok("profile", "rename", iccid(1), name)
    output = stocked.ok("profile", "show", iccid(1))
    assert output.split("\n")[6:] == [f"name: {escaped(name)}", ""]


@every_name
def test_a_device_keeps_its_name_through_many_saves(esim, name):
    esim.ok("device", "add", eid(1), "--name", name, "--slots", "3")
    for number in (2, 3):
        esim.ok("device", "add", eid(number), "--name", "Other")
    assert esim.rows("device", "list")[0] == [eid(1), "0/3", escaped(name)]
    assert len(esim.rows("device", "list")) == 3


@every_name
def test_an_event_stays_one_line_of_four_fields(stocked, name):
    stocked.ok("profile", "rename", iccid(1), name)
    rows = stocked.rows("log")
    assert [row[1:] for row in rows] == [
        ["device-add", eid(1), "Tracker"],
        ["download", iccid(1), "Work"],
        ["rename", iccid(1), escaped(name)],
    ]


def test_nobody_can_forge_an_event_with_a_name(stocked):
    stocked.ok("profile", "rename", iccid(1), "x\n2020-01-01T00:00:00Z\tdelete\tall\t")
    assert len(stocked.rows("log")) == 3
    assert all(row[1] != "delete" for row in stocked.rows("log"))


def test_the_subject_of_an_event_is_escaped_too(stocked):
    lines = stocked.write("new\tline\n.tsv", f"{eid(1)}\t{code()}\t{iccid(2)}\tHome")
    assert stocked.ok("profile", "import", lines) == "imported 1\n"
    assert stocked.rows("log", "1")[0][1:] == ["import", escaped(str(lines)), ""]


def test_a_profile_without_a_matching_id_survives(stocked):
    stocked.ok("profile", "download", eid(1), code(""), "--iccid", iccid(2), "--name", "Home")
    stocked.ok("profile", "enable", iccid(2))
    shown = stocked.shown(2)
    assert (shown["matching-id"], shown["state"], shown["name"]) == ("-", "enabled", "Home")


def test_an_empty_setting_survives(stocked):
    stocked.ok("config", "set", "smdp.suffix", "")
    assert stocked.ok("config", "get", "smdp.suffix") == "\n"
    stocked.ok("profile", "download", eid(1), "LPA:1$smdp.example.org$A", "--iccid", iccid(2), "--name", "Home")


def test_an_empty_object_identifier_does_not_hide_the_confirmation_flag(stocked):
    confirmed = code() + "$$1"
    assert stocked.ok("code", "parse", confirmed).split("\n")[2:4] == ["oid: -", "confirmation-code: required"]
    arguments = ["profile", "download", eid(1), confirmed, "--iccid", iccid(2), "--name", "Home"]
    assert stocked.fails(1, *arguments) == "this activation code needs a confirmation code"
    stocked.ok(*arguments, "--confirmation-code", "1234")
    assert stocked.shown(2)["confirmation-code"] == "required"


@pytest.mark.parametrize("text", [code(""), code("") + "$", code("") + "$$"], ids=["three", "four", "five"])
def test_an_activation_code_may_leave_fields_empty(esim, text):
    assert esim.ok("code", "parse", text) == (
        "smdp: smdp.example.com\nmatching-id: -\noid: -\nconfirmation-code: not required\n"
    )


MALFORMED = {
    "nothing": "",
    "one-field": "LPA:1",
    "two-fields": "LPA:1$smdp.example.com",
    "six-fields": code() + "$1.2$1$",
    "no-server": "LPA:1$$AB-12",
    "leading-separator": "$LPA:1$smdp.example.com$A",
    "unknown-flag": code() + "$$2",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_activation_code_is_refused(esim, text):
    esim.fails(3, "code", "parse", text)


@every_name
def test_import_and_apply_read_the_same_escapes(stocked, name):
    imported = stocked.write("import.tsv", f"{eid(1)}\t{code('')}\t{iccid(2)}\t{escaped(name)}")
    applied = stocked.write("apply.tsv", f"rename\t{iccid(1)}\t{escaped(name)}", f"enable\t{iccid(2)}")
    assert stocked.ok("profile", "import", imported) == "imported 1\n"
    assert stocked.ok("profile", "apply", applied) == "applied 2\n"
    assert [row[2:] for row in stocked.rows("profile", "list")] == [
        ["disabled", escaped(name)],
        ["enabled", escaped(name)],
    ]


@pytest.mark.parametrize("tail", ["\\x", "end\\", "Work\t", "Work\tmore"], ids=["unknown", "cut", "trailing", "more"])
def test_a_damaged_line_is_still_refused(stocked, tail):
    line = f"{iccid(1)}\t{eid(1)}\tdisabled\tsmdp.example.com\tAB-12\t0\t"
    path = stocked.write("profiles.tsv", "# esim profiles 1", line + tail)
    assert stocked.fails(5, "profile", "list") == f"{path}:2: damaged line"


def test_a_device_line_with_an_unknown_escape_is_damaged(esim):
    path = esim.write("devices.tsv", "# esim devices 1", f"{eid(1)}\t8\tTracker", f"{eid(2)}\t8\ta\\b")
    assert esim.fails(5, "device", "list") == f"{path}:3: damaged line"


def test_files_with_plain_names_are_read_and_written_as_before(stocked):
    stocked.ok("profile", "enable", iccid(1))
    assert stocked.file("devices.tsv").read_text() == f"# esim devices 1\n{eid(1)}\t8\tTracker\n"
    assert stocked.file("profiles.tsv").read_text() == (
        f"# esim profiles 1\n{iccid(1)}\t{eid(1)}\tenabled\tsmdp.example.com\tAB-12\t0\tWork\n"
    )


@pytest.mark.parametrize("name", ["profiles.tsv", "devices.tsv", "config.tsv"])
def test_garbage_in_a_file_is_an_orderly_failure(stocked, name):
    chance = random.Random(name)
    header = {"profiles.tsv": b"# esim profiles 1\n", "devices.tsv": b"# esim devices 1\n"}.get(name, b"")
    for _ in range(8):
        garbage = bytes(chance.choices(b"\t\t\n\\tnr\x00\xff$89ab", k=chance.randrange(1, 200)))
        stocked.file(name).write_bytes(header + b"\t" + garbage)
        result = stocked.run("device", "list")
        assert result.returncode == 5, result.stderr
