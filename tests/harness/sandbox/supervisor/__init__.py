"""Programs of the grading image, in grading containers and as modules."""
