"""The pages of people who play tasks."""
