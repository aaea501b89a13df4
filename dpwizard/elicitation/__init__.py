"""Questions that lead to a risk profile."""
