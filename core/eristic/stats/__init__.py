"""Estimators with their intervals."""
