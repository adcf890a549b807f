"""Check the arguments of public functions."""


def check_whole_number(name: str, value: object, least: int) -> None:
    """Raise ValueError when the argument is no whole number, or less than ``least``.

    >>> check_whole_number("max_chunks", 0, 1)
    Traceback (most recent call last):
    ValueError: max_chunks is 0; it must be a whole number of at least 1
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} is {value!r}; it must be a whole number of at least {least}")
