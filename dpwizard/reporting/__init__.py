"""Working parts of the report: its sections, words and figures, and the typesetting."""
