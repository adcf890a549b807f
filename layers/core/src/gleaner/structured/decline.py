"""Why tier 0 leaves a page to the next tier, in words that a user reads."""


class Declined(Exception):
    """Tier 0 gives no answer; the message says why, as in "two tables have these columns"."""
