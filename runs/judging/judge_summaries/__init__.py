"""What judges write about many reviews: the jobs that make summaries, and the form in which pages show them."""
