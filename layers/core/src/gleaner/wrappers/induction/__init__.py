"""Induction: recipes learned from proven records, field by field, and verified on the same pages."""
