"""A second verifier of the evidence format, written from docs/FORMAT.md alone."""
