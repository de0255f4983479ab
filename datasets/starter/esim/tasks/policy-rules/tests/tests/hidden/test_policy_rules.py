"""Profiles whose owner forbids things. BENCHBENCH-CANARY dac63323-c34c-4c38-b77a-91d311237f9d"""

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("esim_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)
tmp_path = support.tmp_path
code, eid, iccid = support.code, support.eid, support.iccid


class Fleet(support.Esim):
    def download(self, number, *arguments, device=1):
        self.ok("profile", "download", *self.what(number, device), *arguments)

    def what(self, number, device=1):
        return [eid(device), code(), "--iccid", iccid(number), "--name", f"Profile {number}"]

    def states(self):
        return {row[0]: row[2] for row in self.rows("profile", "list")}

    def content(self):
        return {path.name: path.read_bytes() for path in self.directory.iterdir()}

    def refuses(self, message, *arguments):
        """The command is refused by a rule and leaves every file as it was."""
        before = self.content()
        assert self.fails(1, *arguments) == message
        assert self.content() == before


def may_not(number, what, rule):
    return f"profile {iccid(number)} may not be {what} ({rule})"


@pytest.fixture
def fleet(tmp_path):
    """Two devices without profiles."""
    fleet = Fleet(tmp_path, support.CHECKED)
    for number in (1, 2):
        fleet.ok("device", "add", eid(number), "--name", f"Device {number}")
    return fleet


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        ("ppr1", "ppr1"),
        ("ppr2", "ppr2"),
        ("ppr1,ppr2", "ppr1,ppr2"),
        ("ppr2,ppr1", "ppr1,ppr2"),
        ("ppr2,ppr1,ppr2", "ppr1,ppr2"),
        ("", "none"),
    ],
    ids=["first", "second", "both", "reversed", "repeated", "empty"],
)
def test_rules_are_stored_and_shown_in_order(fleet, rules, shown):
    fleet.download(1, "--ppr", rules)
    fleet.download(2)
    assert fleet.ok("profile", "show", iccid(1)).split("\n")[-3:] == [f"policy: {shown}", "name: Profile 1", ""]
    assert fleet.shown(2)["policy"] == "none"


def test_the_file_holds_rules_in_an_eighth_field(fleet):
    fleet.download(1, "--ppr", "ppr2,ppr1")
    fleet.download(2)
    assert fleet.file("profiles.tsv").read_text() == (
        "# esim profiles 2\n"
        f"{iccid(1)}\t{eid(1)}\tdisabled\tsmdp.example.com\tAB-12\t0\tProfile 1\tppr1,ppr2\n"
        f"{iccid(2)}\t{eid(1)}\tdisabled\tsmdp.example.com\tAB-12\t0\tProfile 2\t-\n"
    )


def test_a_listing_stays_as_it_was(fleet):
    fleet.download(1, "--ppr", "ppr1")
    assert fleet.rows("profile", "list") == [[iccid(1), eid(1), "disabled", "Profile 1"]]


@pytest.mark.parametrize("rules", ["ppr3", "PPR1", "ppr12", "ppr", "none", "-", "ppr1,", ",ppr1", "ppr1,,ppr2", "ppr1, ppr2"])
def test_other_rules_are_malformed(fleet, rules):
    message = fleet.fails(3, "profile", "download", *fleet.what(1), "--ppr", rules)
    assert message == f"'{rules}' is not a list of policy rules"
    assert fleet.rows("profile", "list") == []


def test_the_option_needs_a_value(fleet):
    fleet.fails(2, "profile", "download", *fleet.what(1), "--ppr")
    fleet.fails(2, "device", "add", eid(3), "--ppr", "ppr1")


def test_an_enabled_profile_with_ppr1_cannot_be_disabled(fleet):
    fleet.download(1, "--ppr", "ppr1")
    fleet.ok("profile", "enable", iccid(1))
    fleet.refuses(may_not(1, "disabled", "ppr1"), "profile", "disable", iccid(1))
    assert fleet.states() == {iccid(1): "enabled"}


def test_enabling_another_profile_cannot_disable_it_either(fleet):
    fleet.download(1, "--ppr", "ppr1")
    fleet.download(2)
    fleet.ok("profile", "enable", iccid(1))
    fleet.refuses(may_not(1, "disabled", "ppr1"), "profile", "enable", iccid(2))
    assert fleet.states() == {iccid(1): "enabled", iccid(2): "disabled"}


def test_ppr1_stops_nothing_else(fleet):
    fleet.download(1, "--ppr", "ppr1")
    fleet.download(2)
    fleet.download(3, device=2)
    fleet.ok("profile", "enable", iccid(2))
    fleet.ok("profile", "enable", iccid(1))
    fleet.ok("profile", "enable", iccid(3))
    fleet.ok("profile", "rename", iccid(1), "Renamed")
    fleet.ok("profile", "delete", iccid(2))
    assert fleet.states() == {iccid(1): "enabled", iccid(3): "enabled"}


def test_a_disabled_profile_with_ppr1_can_be_deleted(fleet):
    fleet.download(1, "--ppr", "ppr1")
    assert fleet.fails(1, "profile", "disable", iccid(1)) == f"profile {iccid(1)} is disabled already"
    fleet.ok("profile", "delete", iccid(1))
    assert fleet.states() == {}


@pytest.mark.parametrize("enabled", [False, True], ids=["disabled", "enabled"])
def test_a_profile_with_ppr2_cannot_be_deleted(fleet, enabled):
    fleet.download(1, "--ppr", "ppr2")
    if enabled:
        fleet.ok("profile", "enable", iccid(1))
    fleet.refuses(may_not(1, "deleted", "ppr2"), "profile", "delete", iccid(1))
    assert fleet.states() == {iccid(1): "enabled" if enabled else "disabled"}


def test_a_profile_with_ppr2_can_be_disabled(fleet):
    fleet.download(1, "--ppr", "ppr2")
    fleet.ok("profile", "enable", iccid(1))
    fleet.ok("profile", "disable", iccid(1))
    assert fleet.states() == {iccid(1): "disabled"}


def test_a_device_is_not_removed_with_a_profile_that_may_not_be_deleted(fleet):
    fleet.download(1)
    fleet.download(2, "--ppr", "ppr2")
    fleet.download(3, "--ppr", "ppr1,ppr2")
    fleet.refuses(f"device {eid(1)} still holds 3 profiles", "device", "remove", eid(1))
    fleet.refuses(may_not(2, "deleted", "ppr2"), "device", "remove", eid(1), "--force")


def test_a_device_is_removed_with_a_profile_that_may_only_not_be_disabled(fleet):
    fleet.download(1, "--ppr", "ppr1")
    fleet.download(2, "--ppr", "ppr2", device=2)
    fleet.ok("profile", "enable", iccid(1))
    fleet.ok("device", "remove", eid(1), "--force")
    assert fleet.states() == {iccid(2): "disabled"}
    assert [row[0] for row in fleet.rows("device", "list")] == [eid(2)]


def test_a_batch_obeys_the_rules_up_to_the_line_that_breaks_one(fleet):
    fleet.download(1, "--ppr", "ppr1,ppr2")
    fleet.download(2)
    lines = fleet.write("apply.txt", f"enable\t{iccid(1)}", f"rename\t{iccid(2)}\tSecond", f"enable\t{iccid(2)}")
    assert fleet.fails(1, "profile", "apply", lines) == f"{lines}:3: {may_not(1, 'disabled', 'ppr1')}"
    assert fleet.states() == {iccid(1): "enabled", iccid(2): "disabled"}
    assert fleet.shown(2)["name"] == "Second"
    lines = fleet.write("apply.txt", f"delete\t{iccid(1)}")
    assert fleet.fails(1, "profile", "apply", lines) == f"{lines}:1: {may_not(1, 'deleted', 'ppr2')}"


def test_imported_profiles_have_no_rules(fleet):
    lines = fleet.write("import.tsv", f"{eid(1)}\t{code()}\t{iccid(1)}\tHome")
    assert fleet.ok("profile", "import", lines) == "imported 1\n"
    assert fleet.shown(1)["policy"] == "none"


def test_the_settings_say_which_rules_are_allowed(fleet):
    assert fleet.ok("config", "get", "ppr.allowed") == "ppr1,ppr2\n"
    assert ["ppr.allowed", "ppr1,ppr2"] in fleet.rows("config", "list")
    fleet.download(1, "--ppr", "ppr1,ppr2")
    fleet.ok("config", "set", "ppr.allowed", "ppr2")
    fleet.refuses("policy rule ppr1 is not allowed by ppr.allowed", "profile", "download", *fleet.what(2), "--ppr", "ppr1,ppr2")
    fleet.download(2, "--ppr", "ppr2")
    fleet.ok("config", "set", "ppr.allowed", "ppr1")
    fleet.refuses("policy rule ppr2 is not allowed by ppr.allowed", "profile", "download", *fleet.what(3), "--ppr", "ppr1,ppr2")
    fleet.ok("config", "set", "ppr.allowed", "none")
    assert fleet.ok("config", "get", "ppr.allowed") == "none\n"
    fleet.refuses("policy rule ppr1 is not allowed by ppr.allowed", "profile", "download", *fleet.what(3), "--ppr", "ppr2,ppr1")
    fleet.download(3)
    assert [fleet.shown(number)["policy"] for number in (1, 2, 3)] == ["ppr1,ppr2", "ppr2", "none"]
    fleet.refuses(may_not(1, "deleted", "ppr2"), "profile", "delete", iccid(1))


@pytest.mark.parametrize("value", ["", "all", "ppr3", "ppr1,none", "ppr1,"])
def test_the_setting_takes_nothing_else(fleet, value):
    assert fleet.fails(3, "config", "set", "ppr.allowed", value) == f"setting ppr.allowed cannot be '{value}'"


def line(number, *more):
    fields = [iccid(number), eid(1), "disabled", "smdp.example.com", "AB-12", "0", f"Profile {number}", *more]
    return "\t".join(fields)


def test_an_old_file_is_read_and_written_anew(fleet):
    fleet.write("profiles.tsv", "# esim profiles 1", line(1), line(2))
    assert fleet.shown(1)["policy"] == "none"
    assert fleet.file("profiles.tsv").read_text().startswith("# esim profiles 1\n")
    fleet.download(3, "--ppr", "ppr1")
    assert fleet.file("profiles.tsv").read_text().split("\n") == [
        "# esim profiles 2",
        line(1, "-"),
        line(2, "-"),
        line(3, "ppr1"),
        "",
    ]


@pytest.mark.parametrize(
    ("version", "more"),
    [(1, ["-"]), (1, ["ppr1"]), (2, []), (2, ["none"]), (2, ["ppr9"]), (2, ["ppr1,"]), (2, ["-", "-"])],
    ids=["1-none", "1-rule", "2-missing", "2-word", "2-unknown", "2-comma", "2-more"],
)
def test_a_line_that_is_not_of_its_format_is_damaged(fleet, version, more):
    path = fleet.write("profiles.tsv", f"# esim profiles {version}", line(1, *more))
    assert fleet.fails(5, "profile", "list") == f"{path}:2: damaged line"


def test_an_unknown_format_is_refused(fleet):
    path = fleet.write("profiles.tsv", "# esim profiles 3", line(1, "-"))
    assert fleet.fails(5, "profile", "list") == f"{path}:1: unknown format"
