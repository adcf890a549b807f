"""Data formats as pages: CSV, JSON, XML, Markdown."""
