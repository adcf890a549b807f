"""Where a text states a value: words, numbers, dates, addresses and codes, in all their notations."""
