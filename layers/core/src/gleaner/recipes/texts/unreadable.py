"""What a selector says of a place that it can't read."""


class Unreadable(Exception):
    """A place that a selector names holds what its transforms can't read."""
