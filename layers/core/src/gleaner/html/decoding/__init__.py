"""Bytes of a page to text: charsets, and whether it is text at all."""
