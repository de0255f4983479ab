"""Files that are sent to the site: received, stored until a worker reads them, and imported."""
