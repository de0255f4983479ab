"""Where iterations go."""
