"""The decision record and its editions."""
