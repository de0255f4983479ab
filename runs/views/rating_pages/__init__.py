"""The pages of people who rate runs."""
