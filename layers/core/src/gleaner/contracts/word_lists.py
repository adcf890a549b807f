"""Sets of words written as text: a table of forty words is read in four lines."""


def listed(text: str) -> frozenset[str]:
    """Give the words of a list that is written with blanks between them.

    >>> sorted(listed("nav menu footer"))
    ['footer', 'menu', 'nav']
    """
    return frozenset(text.split())
