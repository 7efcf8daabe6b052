"""NATS: subjects, wire messages, the journal, the embedded server."""
