"""HTML to clean Markdown."""
