"""Pictures: charts of scores, each with the table of its numbers; for the page, and as PNG and SVG files."""
