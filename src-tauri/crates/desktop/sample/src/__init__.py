"""A report about sales."""
