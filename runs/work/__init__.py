"""What workers do: they execute runs and generate tasks. How far they are."""
