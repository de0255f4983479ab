"""What agents spend, and what comes of it."""
