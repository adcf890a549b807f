"""Where a text states values: numbers, dates, times and durations among words, each with its place."""
