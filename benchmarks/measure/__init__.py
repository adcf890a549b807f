"""The yardstick: what Gleaner does on real pages and with real answers, as one table.

``python -m measure`` (with ``benchmarks`` on the path) runs every suite; ``make measure`` is the same. Each suite is a
module with one function ``measure(context) -> list[Row]``; the list of them stands in ``suites.py``.
"""
