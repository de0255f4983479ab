"""Verifiers of workflow tasks: each gives one test result. `verifying.verify` runs them.

What a run changed is computed on the host from the source and the patch, never from what a container says. Commands
run in the clean grading container, as an ordinary user, see `harness.sandbox.grader`.
"""
