"""The replay of one run: its outline, its steps, its files and its end."""
