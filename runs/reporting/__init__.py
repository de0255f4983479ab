"""The topics of the analysis pages, and the reports that are made of them."""
