"""Whether the site works: workers, container engine, disk, metrics."""
