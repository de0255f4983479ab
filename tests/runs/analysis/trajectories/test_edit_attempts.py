"""What counts as an attempt to change something, and whether it took."""

from __future__ import annotations

from runs.analysis.trajectories.edit_attempts import edit_attempts
from tests.runs.analysis.made_traces import call, changed, edit, missed, read, say, shell, together, trace


def test_each_call_of_an_editing_tool_is_one_and_the_workspace_says_whether_it_took() -> None:
    silent = call("write_file", path="a.py", content="as it was")  # reports success, changes nothing
    found = edit_attempts(trace(read("a.py"), edit("a.py"), missed("b.py"), silent))

    assert [(one.step_id, one.position, one.paths, one.landed) for one in found] == [
        (2, 1, ("a.py",), True),
        (3, 2, ("b.py",), False),
        (4, 3, ("a.py",), False),
    ]


def test_several_in_one_step_get_the_changes_of_their_own_files_in_order() -> None:
    both = together(edit("a.py", 3, 0), edit("a.py", 5, 0), missed("b.py"))
    found = edit_attempts(trace(both))

    assert [one.lines for one in found] == [3, 5, 0]
    assert [one.landed for one in found] == [True, True, False]


def test_an_edit_that_names_no_file_has_what_its_step_changed() -> None:
    patch = call("apply_patch", input="*** Begin Patch")
    move = together(patch, read("c.py"))
    [found] = edit_attempts(trace(type(move)(move.calls, (changed("a.py", 2, 2), changed("b.py", 1, 0)))))

    assert (found.landed, found.lines) == (True, 3)


def test_an_edit_alone_in_its_step_has_its_changes_under_whatever_name() -> None:
    move = edit("link.py")
    [found] = edit_attempts(trace(type(move)(move.calls, (changed("real.py"),))))

    assert found.landed


def test_a_shell_that_changes_text_is_one_and_what_a_build_leaves_is_none() -> None:
    sed = together(read("a.c"), shell("sed -i s/a/b/ a.c", changed("a.c"), changed("b.c")))
    make = shell("make", changed("build/a.o", 0, 0, binary=True))
    [found] = edit_attempts(trace(sed, make, shell("make test")))

    assert (found.iteration, found.position, found.paths) == (1, 1, ("a.c", "b.c"))


def test_a_directory_made_and_a_call_without_a_result_are_none() -> None:
    made = call("create_directory", path="src")
    refused = call("create_directory", ok=False, path="/")
    cut_off = call("write_file", ok=None, path="a.py")
    assert [one.step_id for one in edit_attempts(trace(made, refused, cut_off, say()))] == [2]


def test_a_replaced_line_counts_once() -> None:
    [found] = edit_attempts(trace(edit("a.py", added=50, removed=50)))
    assert found.lines == 50


def test_nothing_gives_nothing() -> None:
    assert edit_attempts(trace()) == ()
