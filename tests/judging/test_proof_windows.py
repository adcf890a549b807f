"""Where the records of a text stand of which nothing else tells it (PR-1)."""

import pytest
from gleaner.judging.judge import judge as prove

THREAD = """Any news of the heat pumps?

**Hanna** 4 May, *to grub*

**moos** 5 May, *to Hanna*

Not here, they were too small."""


@pytest.mark.req("PR-1")
def test_a_record_that_would_begin_behind_the_last_line_breaks_nothing() -> None:
    records = [{"author": "Hanna", "text": "Any news of the heat pumps?"}, {"author": "Hanna"}]
    entries = prove([*records, {"text": "Not here, they were too small."}], THREAD)
    assert [entry.status for entry in entries][-1] == "verbatim"
