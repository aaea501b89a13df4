"""The window of dpwizard: all that knows Qt."""
