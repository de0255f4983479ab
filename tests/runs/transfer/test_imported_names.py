"""Names of imported agents: none looks like that of an agent of this site."""

from __future__ import annotations

import re

import pytest

from runs.transfer.imported_names import (
    NameRefused,
    agent_slug,
    check_agent_name,
    evaluation_title,
    imported_slug,
    skeleton,
)

KNOWN = ["Oracle", "Calibration 30", "GPT-5.1"]


@pytest.mark.parametrize(
    "name",
    [
        "Oracle",
        "Calibration 90",
        "GPT-5.2",
        "Größe",
        "Модель 7",
        "模型",
        "Ünal Đ",
        "GPT-β",
        "Łódź2",
        "한국 agent",
    ],
)
def test_the_same_name_and_plainly_other_names_are_accepted(name: str) -> None:
    check_agent_name(name, KNOWN)


@pytest.mark.parametrize(
    "name",
    [
        "Or\u0430cle",  # a Cyrillic a
        "\u041eracle",  # a Cyrillic O
        "\u039fracle",  # a Greek O
        "0racle",
        "Orac1e",
        "OracIe",
        "ORACLE",
        "Ora\u0301cle",
        "Ora cle",
        "Ca\u04cfibration 30",
        "Calibration 3O",
        "GPT\u20115.1",
        "GPT-5.l",
        "Orac\u200ble",
        "Oracle\u202e",
        "Oracle ",
        " Oracle",
        "Oracle\u00a0",
        "Calibration  30",
        "\uff2fracle",
        "Or\u0251cle",  # a Latin alpha
        "O\u0280acle",  # a small capital R
        "\u0555racle",  # an Armenian O
        "\u2c9eracle",  # a Coptic O
        "\u13a4racle",  # a Cherokee letter
        "\U00010412racle",  # a Deseret letter
        "Orac\u01c0e",  # a click
        "Oracle\ufe0f",
        "Oracle\u034f",
        "\u115fOracle",
        "Oracle\u2800",
    ],
)
def test_names_that_look_like_one_of_this_site_are_refused_in_ascii(name: str) -> None:
    with pytest.raises(NameRefused) as refused:
        check_agent_name(name, KNOWN)
    assert str(refused.value).isascii()


def test_names_that_look_alike_have_one_skeleton() -> None:
    assert skeleton("Modern") == skeleton("Modem")
    assert skeleton("GPT-5.1") != skeleton("GPT-51")


def test_slugs_are_free_and_short_and_titles_are_without_the_unique_part() -> None:
    assert agent_slug("oracle", {"oracle"}) == "oracle-imported"
    assert agent_slug("oracle", {"oracle-imported", "oracle-imported-2"}) == "oracle-imported-3"
    assert len(agent_slug("a" * 50, {"a" * 30 + "-imported"})) <= 50
    assert evaluation_title("on-netflow-0a1b2c3d") == "On netflow"
    assert re.fullmatch(r"on-netflow-imported-[0-9a-f]{8}", imported_slug("on-netflow-0a1b2c3d"))
    assert len(imported_slug("a" * 50)) <= 50
