"""Why tier 0 leaves a page to the next tier, in words that a user reads."""

from typing import Any

from gleaner.schemas.fields import RecordSchema, read_schema
from gleaner.values.fields import Field


class Declined(Exception):
    """Tier 0 gives no answer: the message says why, as in "two tables have these columns", and ``field`` of which."""

    def __init__(self, why: str, field: Field | None = None) -> None:
        super().__init__(why)
        self.field = field


def read_wanted(schema: Any) -> RecordSchema:
    """Give the fields of a schema's records; Declined where tables and embedded data can't hold what it asks for."""
    wanted = read_schema(schema)
    if wanted.problem:
        raise Declined(wanted.problem)
    return wanted
