"""Reading a run again: verify, show, recompute."""
