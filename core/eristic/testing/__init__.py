"""Contract suites and shipped fakes for tests of adapters."""
