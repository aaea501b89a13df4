"""Working parts of the elicitation: what is asked next, what the answers say, and the log of both."""
