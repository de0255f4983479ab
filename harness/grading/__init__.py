"""What the agent left behind, the test run in a clean container, the report's parser, and the verdict."""
