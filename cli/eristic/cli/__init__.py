"""The command line: composition root and commands."""
