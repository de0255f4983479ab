"""Admission of a task: the proof that it fails untouched, passes with the reference, and tests behaviour."""
