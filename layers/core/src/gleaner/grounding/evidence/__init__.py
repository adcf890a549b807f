"""What speaks for or against a mention of a value: labels, markup, units, negation."""
