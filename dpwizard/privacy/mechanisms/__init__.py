"""The kinds of noise."""
