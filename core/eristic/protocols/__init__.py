"""The experiments: one folder each, all driven by one machine."""
