"""Ratings of runs by people: which run is next, what is shown, how a rating is stored, and whether people agree."""
