"""Pages for operators: evaluations, their start and cancellation, and the state of the site."""
