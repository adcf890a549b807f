"""The judging of values (PR-1 to PR-6): where each one is stated, and how sure it is that it is the field's."""
