"""Runs of this harness that others send: checked, stored apart, graded again here, then accepted or rejected."""
