"""Dates, times and durations as pages write them."""
