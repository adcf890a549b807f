"""Gleaner: web pages to clean Markdown and to proven, schema-valid JSON records."""
