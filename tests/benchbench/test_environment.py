"""Typed access to the environment, and stored secrets."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from benchbench.environment import Environment, stored_secret


def test_every_wrong_variable_is_named_at_once() -> None:
    environment = Environment({"PORT": "eighty", "DEBUG": "perhaps"})
    assert environment.number("PORT", 8000, least=1, most=65535) == 8000
    assert environment.flag("DEBUG") is False
    with pytest.raises(ImproperlyConfigured) as refused:
        environment.check()
    assert "PORT must be a whole number from 1 to 65535, not 'eighty'" in str(refused.value)
    assert "DEBUG must be 1 or 0, not 'perhaps'" in str(refused.value)


def test_the_secret_key_is_made_once_and_private(tmp_path: Path) -> None:
    first = stored_secret(tmp_path / "data" / "secret_key")
    assert len(first) == 64
    assert stored_secret(tmp_path / "data" / "secret_key") == first
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret_key"]


def test_an_absent_or_empty_variable_has_its_default() -> None:
    environment = Environment({"EMPTY": "  ", "GIVEN": " yes "})
    assert (environment.text("EMPTY", "a"), environment.text("GIVEN"), environment.text("NONE")) == (
        "a",
        "yes",
        "",
    )
    assert (environment.flag("EMPTY", default=True), environment.flag("NONE")) == (True, False)
    assert environment.number("NONE", 8, least=1, most=9) == 8
    assert environment.names == {"EMPTY", "GIVEN", "NONE"}
    environment.check()


@pytest.mark.parametrize(
    ("word", "expected"),
    [("1", True), ("TRUE", True), ("on", True), ("0", False), ("No", False), ("off", False)],
)
def test_a_flag_is_a_word_for_yes_or_no(word: str, expected: bool) -> None:
    environment = Environment({"FLAG": word})
    assert environment.flag("FLAG", default=not expected) is expected
    environment.check()


@pytest.mark.parametrize(
    ("given", "expected"), [("1", 1), ("9", 9), ("0", 5), ("10", 5), ("2.5", 5), ("two", 5)]
)
def test_a_number_is_whole_and_within_its_bounds(given: str, expected: int) -> None:
    environment = Environment({"N": given})
    assert environment.number("N", 5, least=1, most=9) == expected
    if expected == 5:
        with pytest.raises(
            ImproperlyConfigured, match=f"N must be a whole number from 1 to 9, not '{given}'"
        ):
            environment.check()


def test_a_choice_is_one_of_the_offered_words() -> None:
    environment = Environment({"GOOD": "podman", "BAD": "vm"})
    engines = ("docker", "podman")
    assert [environment.choice(name, engines) for name in ("NONE", "GOOD", "BAD")] == [
        "docker",
        "podman",
        "docker",
    ]
    with pytest.raises(ImproperlyConfigured, match=r"\): BAD must be one of docker, podman, not 'vm'$"):
        environment.check()


def test_words_are_separated_by_commas() -> None:
    environment = Environment({"WORDS": " a, b c ,,"})
    assert environment.words("WORDS") == ["a", "b c"]
    assert environment.words("NONE", "x,y") == ["x", "y"]


def test_rates_limit_requests_or_tokens_or_both() -> None:
    environment = Environment({"RATES": "anthropic=50/40000, gemini=/1000000, openai/gpt = 5 / ,"})
    assert environment.rates("RATES") == {
        "anthropic": (50, 40_000),
        "gemini": (None, 1_000_000),
        "openai/gpt": (5, None),
    }
    assert environment.rates("NONE") == {}


@pytest.mark.parametrize("given", ["a", "a=5", "a=/", "=5/5", "a=0/5", "a=5/-1", "a=x/5"])
def test_rates_that_are_no_rates_are_refused(given: str) -> None:
    environment = Environment({"RATES": given})
    assert environment.rates("RATES") == {}
    with pytest.raises(ImproperlyConfigured, match=r"RATES must be a list like provider=requests/tokens"):
        environment.check()


def test_a_path_is_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    environment = Environment({"RELATIVE": "data", "HOME_OF": "~/data"})
    assert environment.path("RELATIVE", Path("/x")) == tmp_path / "data"
    assert environment.path("HOME_OF", Path("/x")) == tmp_path / "home" / "data"
    assert environment.path("NONE", Path("/x")) == Path("/x")


def test_processes_that_make_a_secret_at_the_same_time_share_it(tmp_path: Path) -> None:
    path = tmp_path / "secret"

    def made_meanwhile() -> str:
        path.write_text("theirs\n")
        return "ours"

    assert stored_secret(path, made_meanwhile) == "theirs"
    assert [entry.name for entry in tmp_path.iterdir()] == ["secret"]


def test_an_unreadable_or_unwritable_secret_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"cannot be read: .*\. Let its owner read it\.$"):
        stored_secret(tmp_path)
    with pytest.raises(ImproperlyConfigured, match=r"cannot be written: .*directory of your own\.$"):
        stored_secret(Path("/proc/nowhere/secret"))


def test_networks_are_addresses_or_ranges() -> None:
    environment = Environment({"GOOD": "10.0.0.0/8, ::1", "BAD": "10.0.0.1/8"})
    assert [str(network) for network in environment.networks("GOOD", "")] == ["10.0.0.0/8", "::1/128"]
    assert environment.networks("BAD", "") == []
    with pytest.raises(ImproperlyConfigured, match=r"BAD must be a list of IP addresses or networks"):
        environment.check()


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("", ""),
        ("https://code.example/bench/", "https://code.example/bench"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("team@bench.example", "mailto:team@bench.example"),
    ],
)
def test_an_address_of_the_web_or_of_mail_is_read(given: str, address: str) -> None:
    assert Environment({"CONTACT": given}).web_address("CONTACT", mail=True) == address


@pytest.mark.parametrize(
    "given", ["javascript:alert(1)", "bench.example", "https://", "https://a b", "team@", "https://ä.example"]
)
def test_other_addresses_are_refused(given: str) -> None:
    environment = Environment({"CONTACT": given})

    assert environment.web_address("CONTACT", mail=True) == ""
    with pytest.raises(ImproperlyConfigured, match="CONTACT must be an address such as"):
        environment.check()


def test_mail_is_refused_where_only_pages_make_sense() -> None:
    environment = Environment({"SOURCE": "team@bench.example"})

    assert environment.web_address("SOURCE") == ""
    with pytest.raises(ImproperlyConfigured):
        environment.check()
