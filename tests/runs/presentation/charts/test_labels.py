"""Names beside points: none upon another, none upon a point."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from runs.presentation.charts.labels import Rectangle, Spot, placed

PAGE = Rectangle(0, 0, 400, 300)


def test_a_name_stands_beside_its_point() -> None:
    (label,) = placed([Spot(100, 100, 4, "Alice")], PAGE)

    assert label is not None
    assert (label.x, label.y, label.anchor, label.leads) == (108, 104.2, "start", False)


def test_at_the_right_edge_it_stands_on_the_other_side() -> None:
    (label,) = placed([Spot(380, 100, 4, "Alice")], PAGE)

    assert label is not None
    assert (label.x, label.anchor) == (372, "end")


def test_a_second_name_gives_way_to_the_first_and_to_lines() -> None:
    first, second = placed(
        [Spot(100, 100, 4, "Alice"), Spot(112, 100, 4, "Bob")], PAGE, [Rectangle(90, 97, 92, 103)]
    )

    assert first is not None
    assert second is not None
    assert first.anchor == "middle"
    assert not first.box().meets(second.box())


def test_far_names_are_led_to_and_what_has_no_place_has_no_label() -> None:
    crowd = [Spot(100 + place, 100, 4, "A long name") for place in range(40)]

    labels = placed(crowd, PAGE)

    assert any(label and label.leads for label in labels)
    assert None in labels


@given(
    st.lists(
        st.builds(
            Spot,
            st.floats(5, 395),
            st.floats(5, 295),
            st.just(4.0),
            st.text("abc WM", min_size=1, max_size=20),
        ),
        max_size=15,
    )
)
@settings(max_examples=60)
def test_no_label_meets_a_point_or_another_label(spots: list[Spot]) -> None:
    labels = [label.box() for label in placed(spots, PAGE) if label]

    assert not any(one.meets(other) for one, other in combinations(labels, 2))
    assert not any(label.meets(spot.box()) for label in labels for spot in spots)
    assert all(PAGE.holds(label) for label in labels)
