"""Pure functions from run records to numbers: sequences in, frozen dataclasses out. No ORM, no files, no clock."""
