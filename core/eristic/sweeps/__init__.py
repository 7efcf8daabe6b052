"""From an experiment file to the episodes of a sweep."""
