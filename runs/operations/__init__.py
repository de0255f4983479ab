"""Starting, changing and watching evaluations."""
