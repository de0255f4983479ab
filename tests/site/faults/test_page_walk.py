"""The walk visits some pages of each kind, which are those that show other data or show it in another form."""

from __future__ import annotations

import pytest

from tests.site.faults.page_walk import Kind, kind_of

BOARDS = ("verified", "verified-bash")


@pytest.mark.parametrize(
    ("address", "near", "kind"),
    [
        ("/", "", Kind("/", "", ())),
        ("/?dataset=verified&sort=-cost", "", Kind("/", "verified", ("sort",))),
        ("/agents/verified-bash-alice/", "starter", Kind("/agents/*", "verified-bash", ())),
        ("/tasks/netflow/tide/", "starter", Kind("/tasks/*/*", "starter", ())),
        ("/runs/12/steps/3/?part=", "verified", Kind("/runs/0/steps/0", "verified", ("part",))),
        ("/analysis/tools/?dataset=starter&agent=a", "", Kind("/analysis/tools", "starter", ("agent",))),
        ("/docs/api/", "", Kind("/docs/api", "", ())),
    ],
)
def test_a_kind_is_the_shape_of_the_path_the_board_and_the_names_of_parameters(
    address: str, near: str, kind: Kind
) -> None:
    assert kind_of(address, BOARDS, near) == kind
