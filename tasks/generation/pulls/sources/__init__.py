"""Where merged changes come from: git clones, recorded answers of GitHub, Debian source packages, releases."""
