"""Tasks from merged changes: where the changes come from, which are used, and the published forms of such tasks."""
