"""Charts as values, without a toolkit: the panels paint them, the report prints them, "save as SVG" writes them."""
