"""Results that others reported: read from their files, checked, and stored as runs without a trajectory."""
