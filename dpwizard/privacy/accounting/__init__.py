"""What several releases lose together."""
