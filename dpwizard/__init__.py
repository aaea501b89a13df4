"""dpwizard: choose, justify and sign the privacy budget of a differentially private release."""

__version__ = "0.5.0"
