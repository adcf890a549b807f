"""Bytes and HTML to a tree: decoding, repairs, visibility, links, and what pictures and formulas say."""
