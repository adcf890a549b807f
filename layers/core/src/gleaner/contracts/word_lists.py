"""Sets of words written as one text, so that a table of forty words takes four lines."""


def listed(text: str) -> frozenset[str]:
    """Give the words of a list that is written with blanks between them.

    >>> sorted(listed("nav menu footer"))
    ['footer', 'menu', 'nav']
    """
    return frozenset(text.split())
