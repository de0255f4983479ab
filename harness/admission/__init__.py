"""Admission of a task: proof that it fails unchanged and passes with the reference, and how strong its tests are."""
