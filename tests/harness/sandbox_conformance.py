"""What every container engine promises, in executable form.

A backend's test module subclasses `SandboxConformance`, gives it an `engine` fixture and says how its containers are
listed, removed and killed behind the harness's back. What a backend cannot promise is named in `exceptions`, by the
behaviour (a test's name without `test_`), with the reason.
"""

from __future__ import annotations

from tests.harness.conformance.grading import Grading
from tests.harness.conformance.isolation import Isolation
from tests.harness.conformance.leftovers import Leftovers
from tests.harness.conformance.workspaces import Workspaces


class SandboxConformance(Workspaces, Isolation, Leftovers, Grading):
    """Subclasses provide the fixture `engine`, its name, and the three methods that stand for the world outside."""
