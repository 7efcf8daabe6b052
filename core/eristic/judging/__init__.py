"""Reading verdicts out of texts: parsers, pure and versioned."""
