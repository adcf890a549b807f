"""Consent dialogs: which are known, and how they are answered."""
