"""Large fleets and whole files. BENCHBENCH-CANARY dac63323-c34c-4c38-b77a-91d311237f9d"""

import importlib.util
import random
import signal
import stat
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("esim_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)
tmp_path = support.tmp_path
code, eid, iccid = support.code, support.eid, support.iccid

DEVICES = 20_000
PROFILES = 40_000
IN_TIME = {"limits": [("cpu", 2)]}
DATA_FILES = ["profiles.tsv", "devices.tsv", "config.tsv"]


@pytest.fixture
def esim(tmp_path):
    return support.Esim(tmp_path, support.CHECKED)


@pytest.fixture(scope="module")
def names():
    """The EIDs and ICCIDs of the large fleet: profile n is on device n modulo DEVICES."""
    return [eid(n) for n in range(DEVICES)], [iccid(n) for n in range(PROFILES)]


@pytest.fixture
def fleet(tmp_path, names):
    """A large fleet without profiles, that logs nothing."""
    fleet = support.Esim(tmp_path)
    fleet.write("config.tsv", "log.enabled\tno")
    fleet.write("devices.tsv", "# esim devices 1", *(f"{name}\t2\tDevice" for name in names[0]))
    return fleet


def profile_lines(rows):
    return [f"{iccid}\t{eid}\t{state}\tsmdp.example.com\tAB-12\t0\t{name}" for iccid, eid, state, name in rows]


@pytest.fixture
def stocked(fleet, names):
    """The large fleet with all its profiles, and what `profile list` has to print."""
    eids, iccids = names
    rows = [[name, eids[n % DEVICES], "disabled", f"Profile {n}"] for n, name in enumerate(iccids)]
    fleet.write("profiles.tsv", "# esim profiles 1", *profile_lines(rows))
    return fleet, rows


def test_a_large_import_is_done_in_time(fleet, names, tmp_path):
    eids, iccids = names
    lines = tmp_path / "import.tsv"
    lines.write_text("".join(f"{eids[n % DEVICES]}\t{code()}\t{name}\tP{n}\n" for n, name in enumerate(iccids)))
    assert fleet.ok("profile", "import", lines, **IN_TIME) == f"imported {PROFILES}\n"
    rows = [[name, eids[n % DEVICES], "disabled", f"P{n}"] for n, name in enumerate(iccids)]
    assert fleet.file("profiles.tsv").read_text().split("\n") == ["# esim profiles 1", *profile_lines(rows), ""]


def test_a_large_import_still_counts_slots(fleet, names, tmp_path):
    eids, iccids = names
    lines = tmp_path / "import.tsv"
    lines.write_text("".join(f"{eids[n % 5000]}\t{code()}\t{name}\tP{n}\n" for n, name in enumerate(iccids)))
    message = fleet.fails(1, "profile", "import", lines)
    assert message == f"{lines}:10001: device {eids[0]} has no free slot"
    assert not fleet.file("profiles.tsv").exists()


def test_a_large_batch_is_done_in_time(stocked, tmp_path):
    fleet, rows = stocked
    chance = random.Random(1)
    by_iccid = {row[0]: row for row in rows}
    on = {}
    for row in rows:
        on.setdefault(row[1], []).append(row)
    lines = []
    alive = list(by_iccid)
    while len(lines) < PROFILES:
        place = chance.randrange(len(alive))
        row = by_iccid[alive[place]]
        action = chance.choice(["enable", "delete", "rename", "rename"]) if row[2] == "disabled" else "disable"
        if action == "rename":
            row[3] = f"Renamed {len(lines)}"
            lines.append(f"rename\t{row[0]}\t{row[3]}")
            continue
        lines.append(f"{action}\t{row[0]}")
        if action == "delete":
            alive[place] = alive[-1]
            alive.pop()
            on[row[1]].remove(row)
            del by_iccid[row[0]]
            continue
        for other in on[row[1]]:
            other[2] = "disabled"
        row[2] = "enabled" if action == "enable" else "disabled"
    path = tmp_path / "apply.tsv"
    path.write_text("".join(f"{line}\n" for line in lines))
    assert fleet.ok("profile", "apply", path, **IN_TIME) == f"applied {PROFILES}\n"
    assert fleet.rows("profile", "list") == list(by_iccid.values())


def test_everything_is_deleted_from_the_front_in_time(stocked, tmp_path):
    fleet, rows = stocked
    path = tmp_path / "apply.tsv"
    path.write_text("".join(f"delete\t{row[0]}\n" for row in rows))
    assert fleet.ok("profile", "apply", path, **IN_TIME) == f"applied {PROFILES}\n"
    assert fleet.file("profiles.tsv").read_text() == "# esim profiles 1\n"


def test_large_listings_are_done_in_time(stocked):
    fleet, rows = stocked
    assert fleet.ok("profile", "list", **IN_TIME) == "".join("\t".join(row) + "\n" for row in rows)
    devices = fleet.ok("device", "list", **IN_TIME).split("\n")
    assert devices == [*(f"{row[1]}\t2/2\tDevice" for row in rows[:DEVICES]), ""]


def test_very_many_devices_are_listed_in_time(fleet):
    eids = [eid(n) for n in range(80_000)]
    fleet.write("devices.tsv", "# esim devices 1", *(f"{name}\t1\tD" for name in eids))
    assert fleet.ok("device", "list", **IN_TIME) == "".join(f"{name}\t0/1\tD\n" for name in eids)


def small_fleet(esim, profiles):
    """Devices 1 and 2 with 64 slots, and that many profiles, in turn on the one and on the other."""
    for number in (1, 2):
        esim.ok("device", "add", eid(number), "--name", f"Device {number}", "--slots", 64)
    lines = [f"{eid(1 + n % 2)}\t{code()}\t{iccid(n)}\tProfile {n}" for n in range(profiles)]
    path = esim.directory.parent / "import.tsv"
    path.write_text("".join(f"{line}\n" for line in lines))
    esim.ok("profile", "import", path)
    return esim


def test_what_comes_again_stands_at_the_end(esim):
    small_fleet(esim, 4)
    esim.ok("profile", "enable", iccid(2))
    esim.ok("profile", "delete", iccid(1))
    esim.ok("profile", "download", eid(2), code(), "--iccid", iccid(1), "--name", "Again")
    assert [row[0] for row in esim.rows("profile", "list")] == [iccid(0), iccid(2), iccid(3), iccid(1)]
    assert [row[0] for row in esim.rows("profile", "list", eid(2))] == [iccid(3), iccid(1)]


def test_a_batch_stops_at_the_first_line_that_fails(esim):
    small_fleet(esim, 4)
    path = esim.directory.parent / "apply.tsv"
    lines = [f"enable\t{iccid(0)}", f"enable\t{iccid(2)}", f"delete\t{iccid(1)}", f"delete\t{iccid(2)}", f"delete\t{iccid(3)}"]
    path.write_text("".join(f"{line}\n" for line in lines))
    message = esim.fails(1, "profile", "apply", path)
    assert message == f"{path}:4: profile {iccid(2)} is enabled; disable it first"
    assert [row[::2] for row in esim.rows("profile", "list")] == [
        [iccid(0), "disabled"],
        [iccid(2), "enabled"],
        [iccid(3), "disabled"],
    ]
    assert [row[1:3] for row in esim.rows("log", "3")] == [line.split("\t") for line in lines[:3]]


def test_a_batch_whose_first_line_fails_changes_nothing(esim):
    small_fleet(esim, 2)
    before = esim.file("profiles.tsv").read_bytes()
    path = esim.directory.parent / "apply.tsv"
    path.write_text(f"delete\t{iccid(9)}\ndelete\t{iccid(0)}\n")
    assert esim.fails(4, "profile", "apply", path) == f"{path}:1: no profile {iccid(9)}"
    assert esim.file("profiles.tsv").read_bytes() == before


def test_a_failed_import_changes_nothing(esim):
    small_fleet(esim, 2)
    before = esim.file("profiles.tsv").read_bytes()
    path = esim.directory.parent / "more.tsv"
    path.write_text(f"{eid(1)}\t{code()}\t{iccid(5)}\tP5\n{eid(1)}\t{code()}\t{iccid(1)}\tP1\n")
    assert esim.fails(1, "profile", "import", path) == f"{path}:2: profile {iccid(1)} exists already"
    assert esim.file("profiles.tsv").read_bytes() == before


def test_a_removed_device_takes_its_profiles_along(esim):
    small_fleet(esim, 100)
    esim.ok("profile", "enable", iccid(0))
    esim.ok("device", "remove", eid(1), "--force")
    assert [row[0] for row in esim.rows("profile", "list")] == [iccid(n) for n in range(1, 100, 2)]
    assert esim.rows("device", "list") == [[eid(2), "50/64", "Device 2"]]


@pytest.fixture
def grown(esim):
    """Three data files, each ready to be changed by one command."""
    small_fleet(esim, 100)
    esim.ok("config", "set", "smdp.suffix", ".com")
    return esim


def change(name):
    """A command that saves the file of that name."""
    return {
        "profiles.tsv": ["profile", "rename", iccid(0), "Other"],
        "devices.tsv": ["device", "add", eid(3), "--name", "Third"],
        "config.tsv": ["config", "set", "slots.default", "7"],
    }[name]


every_file = pytest.mark.parametrize("name", DATA_FILES)


@every_file
def test_who_reads_the_old_file_reads_all_of_it(grown, name):
    before = grown.file(name).read_text()
    with grown.file(name).open() as old:
        grown.ok(*change(name))
        assert old.read() == before
    assert grown.file(name).read_text() != before


@every_file
def test_a_file_keeps_its_permissions(grown, name):
    support.run(["chmod", "640", grown.file(name)], check=True)
    grown.ok(*change(name))
    support.run(["chmod", "604", grown.file(name)], check=True)
    if name == "devices.tsv":
        grown.ok("device", "remove", eid(3))
    else:
        grown.ok(*change(name))
    assert stat.S_IMODE(grown.file(name).stat().st_mode) == 0o604


@every_file
@pytest.mark.parametrize("killed", [False, True], ids=["refused", "killed"])
def test_a_file_that_cannot_be_written_leaves_the_old_one(grown, name, killed):
    before = {path.name: path.read_bytes() for path in grown.directory.iterdir()}
    room = len(before[name]) // 2
    result = grown.run(*change(name), limits=[("fsize", room)], restore_signals=killed)
    after = {path.name: path.read_bytes() for path in grown.directory.iterdir()}
    if killed:
        assert result.returncode in (-signal.SIGXFSZ, 5)
        assert after[name] == before[name]
    else:
        assert (result.returncode, result.stderr) == (5, f"error: {grown.file(name)}: cannot be written\n")
        assert after == before


def test_no_other_file_is_left(grown):
    for name in DATA_FILES:
        grown.ok(*change(name))
    assert sorted(path.name for path in grown.directory.iterdir()) == sorted([*DATA_FILES, "events.tsv"])


DRIVER = r"""
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "store.h"

/* Carries out one command a line and prints what came of it. */
int main(void)
{
    Store store;
    Registry registry;
    Error error;
    char word[16], a[64], b[64];
    store_init(&store);
    registry_init(&registry);
    while (scanf("%15s %63s %63s", word, a, b) == 3) {
        Profile *profile = store_find(&store, a);
        if (strcmp(word, "add") == 0) {
            Profile fresh = {.state = PROFILE_DISABLED};
            strcpy(fresh.iccid, a);
            strcpy(fresh.eid, b);
            strcpy(fresh.name, "x");
            printf("%d\n", (int)store_add(&store, &fresh, &error));
        } else if (strcmp(word, "remove") == 0) {
            printf("%d\n", store_remove(&store, a));
        } else if (strcmp(word, "find") == 0) {
            printf("%s\n", profile ? profile->eid : "-");
        } else if (strcmp(word, "state") == 0) {
            if (profile)
                profile->state = *b == '1' ? PROFILE_ENABLED : PROFILE_DISABLED;
            puts(profile ? "1" : "0");
        } else if (strcmp(word, "enabled") == 0) {
            profile = store_enabled_on(&store, a);
            printf("%s\n", profile ? profile->iccid : "-");
        } else if (strcmp(word, "count") == 0) {
            printf("%zu %zu\n", store_count(&store), store_count_on(&store, a));
        } else if (strcmp(word, "walk") == 0) {
            size_t cursor = 0;
            for (const Profile *next; (next = store_next(&store, &cursor));)
                printf("%s ", next->iccid);
            puts("");
        } else if (strcmp(word, "empty") == 0) {
            store_free(&store);
            registry_free(&registry);
            puts("1");
        } else if (strcmp(word, "join") == 0) {
            Device device = {.slots = 1};
            strcpy(device.eid, a);
            printf("%d\n", (int)registry_add(&registry, &device, &error));
        } else if (strcmp(word, "leave") == 0) {
            printf("%d\n", registry_remove(&registry, a));
        } else if (strcmp(word, "known") == 0) {
            const Device *device = registry_find(&registry, a);
            printf("%s\n", device ? device->eid : "-");
        } else if (strcmp(word, "devices") == 0) {
            for (size_t i = 0; i < registry.count; i++)
                printf("%s ", registry.items[i].eid);
            puts("");
        }
    }
    store_free(&store);
    registry_free(&registry);
    return 0;
}
"""


class Model:
    """What the store and the registry should be, in the plainest way."""

    def __init__(self):
        self.profiles = {}
        self.devices = {}

    def answer(self, word, a, b):
        return str(getattr(self, word)(a, b))

    def add(self, a, b):
        if a in self.profiles:
            return 1
        self.profiles[a] = [b, False]
        return 0

    def remove(self, a, b):
        return int(self.profiles.pop(a, None) is not None)

    def find(self, a, b):
        return self.profiles[a][0] if a in self.profiles else "-"

    def state(self, a, b):
        if a in self.profiles:
            self.profiles[a][1] = b == "1"
        return int(a in self.profiles)

    def enabled(self, a, b):
        return next((name for name, (eid, on) in self.profiles.items() if on and eid == a), "-")

    def count(self, a, b):
        return f"{len(self.profiles)} {sum(eid == a for eid, _ in self.profiles.values())}"

    def walk(self, a, b):
        return "".join(f"{name} " for name in self.profiles)

    def empty(self, a, b):
        self.profiles.clear()
        self.devices.clear()
        return 1

    def join(self, a, b):
        if a in self.devices:
            return 1
        self.devices[a] = True
        return 0

    def leave(self, a, b):
        return int(self.devices.pop(a, None) is not None)

    def known(self, a, b):
        return a if a in self.devices else "-"

    def devices_(self, a, b):
        return "".join(f"{name} " for name in self.devices)


def play(commands, directory):
    """Runs the commands through the library; returns its answers and those of the model."""
    program = support.driver(DRIVER, directory)
    model = Model()
    expected = [model.answer("devices_" if word == "devices" else word, a, b) for word, a, b in commands]
    text = "".join(f"{' '.join(command)}\n" for command in commands)
    result = support.run([program], input=text, capture_output=True, text=True, timeout=60, env=support.CHECKS)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split("\n")[:-1], expected


def at_most_one_enabled(commands, word, a, b, model):
    """`state … 1` first switches off what is enabled on the same device, as the program does."""
    if word == "state" and b == "1" and a in model.profiles:
        for name, (owner, on) in model.profiles.items():
            if on and owner == model.profiles[a][0]:
                commands.append(("state", name, "0"))
    commands.append((word, a, b))


@pytest.mark.parametrize("seed", range(3))
def test_the_store_answers_like_a_plain_list(tmp_path, seed):
    chance = random.Random(seed)
    eids, iccids = [eid(n) for n in range(7)], [iccid(n) for n in range(300)]
    commands, model = [], Model()
    for turn in range(4000):
        removing = turn // 500 % 2
        words = ["add", "remove", "find", "state", "enabled", "count"] + ["remove" if removing else "add"] * 4
        word = chance.choice(words) if turn % 100 else "walk"
        a = chance.choice(eids if word in ("enabled", "count") else iccids)
        b = chance.choice("01") if word == "state" else chance.choice(eids)
        start = len(commands)
        at_most_one_enabled(commands, word, a, b, model)
        for command in commands[start:]:
            model.answer(*command)
    answers, expected = play(commands, tmp_path)
    assert answers == expected


def test_the_registry_answers_like_a_plain_list(tmp_path):
    chance = random.Random(5)
    eids = [eid(n) for n in range(150)]
    commands = []
    for turn in range(2000):
        word = chance.choice(["join", "join", "leave", "known"]) if turn % 100 else "devices"
        commands.append((word, chance.choice(eids), "-"))
    answers, expected = play(commands, tmp_path)
    assert answers == expected


def test_an_emptied_store_and_registry_can_be_used_again(tmp_path):
    commands = []
    for _ in range(3):
        for n in range(100):
            commands += [("join", eid(n), "-"), ("add", iccid(n), eid(n)), ("known", eid(n), "-")]
        commands += [("walk", "-", "-"), ("empty", "-", "-"), ("known", eid(1), "-"), ("find", iccid(1), "-")]
        commands += [("count", eid(1), "-"), ("devices", "-", "-")]
    answers, expected = play(commands, tmp_path)
    assert answers == expected


MEMORY = r"""
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "store.h"

/* Fills and empties a store and a registry; prints by how many bytes the memory in use has grown. */
int main(void)
{
    Error error;
    size_t before = 0;
    for (int round = 0; round < 60; round++) {
        Store store;
        Registry registry;
        store_init(&store);
        registry_init(&registry);
        for (int i = 0; i < 500; i++) {
            Profile profile = {.state = PROFILE_DISABLED};
            Device device = {.slots = 1};
            snprintf(profile.iccid, sizeof profile.iccid, "%d", i);
            snprintf(profile.eid, sizeof profile.eid, "%d", i / 2);
            snprintf(device.eid, sizeof device.eid, "%d", i);
            store_add(&store, &profile, &error);
            registry_add(&registry, &device, &error);
        }
        for (int i = 0; i < 400; i++) {
            char name[ICCID_SIZE];
            snprintf(name, sizeof name, "%d", i);
            store_remove(&store, name);
        }
        registry_remove(&registry, "3");
        store_free(&store);
        registry_free(&registry);
        if (round == 9)
            before = mallinfo2().uordblks;
    }
    printf("%ld\n", (long)(mallinfo2().uordblks - before));
    return 0;
}
"""


def test_all_memory_is_given_back(tmp_path):
    program = support.driver(MEMORY, tmp_path, support.PLAIN)
    result = support.run([program], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0
    assert int(result.stdout) < 20_000
