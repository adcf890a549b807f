"""The reading of a document made to fail, to be killed, delivered twice and stopped (DO-1).

The rows stand in ``docs/faults.md``: ``python -m tests.workflow.test_document_faults --write``.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gleaner.local.engine import scaled_retry_waits
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

from tests.documents import made
from tests.workflow.fault_tables import TABLE, write_section, write_when_asked
from tests.workflow.faulty import RECORDS, Fault, Installation, Killed, without_waits
from tests.workflow.test_fault_injection import KINDS, Seen, check_nothing_is_doubled, check_readable, records_of

pytestmark = pytest.mark.req("DO-1", "WF-1")

HEADING = "## A document that is read"
TEXT = f"A PDF of {len(RECORDS)} records; measured by `python -m tests.workflow.test_document_faults --write`."
CASES: dict[tuple[str, str], Callable[[], list[Fault]]] = {
    **{("read_document", kind): lambda make=make: [make("read_document")] for kind, make in KINDS.items()},
    ("probe_media", "killed after it has stored the file"): lambda: [Fault("probe_media", Killed, after=True)],
    **{
        ("the execution", f"stopped after {name}"): lambda name=name: [Fault(name, Killed, after=True, stops=True)]
        for name in ("probe_media", "read_document")
    },
}


def _draw(c: made.Canvas) -> None:
    for at, row in enumerate([{"label": "Label", "cost": "Cost"}, *RECORDS]):
        c.drawString(60, 780 - 20 * at, str(row["label"]))
        c.drawRightString(300, 780 - 20 * at, str(row["cost"]))


class _Document(LoopbackHandler):
    body = made.drawn(_draw)

    def do_GET(self) -> None:
        self.answer(200, "application/pdf", self.body)


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with without_waits(), LoopbackServer(_Document) as server:
        yield server.host


def observe(home: Path, host: str, faults: list[Fault]) -> Seen:
    installation = Installation(home, host)
    installation.request |= {"config": {"tiers": ["structured"]}}
    installation.runner.faults = faults
    first = installation.run()
    check_readable(installation, first)
    check_nothing_is_doubled(installation, first)
    installation.runner.faults = ()
    again = installation.run()
    assert again.extraction is not None, again.error
    assert again.extraction.data == RECORDS
    check_nothing_is_doubled(installation, again)
    calls = len(installation.model.requests)
    installation.close()
    return Seen(first.status, records_of(first), again.status, calls)


@pytest.mark.parametrize(("what", "kind"), list(CASES), ids=lambda text: text)
def test_a_fault_on_the_way_through_a_document_loses_nothing_and_doubles_nothing(
    tmp_path: Path, host: str, what: str, kind: str
) -> None:
    seen = observe(tmp_path / "home", host, CASES[what, kind]())
    assert (seen.again, seen.calls) == ("complete", 0)
    assert seen.row(what, kind) in TABLE.read_text("utf-8").splitlines()


def write_table() -> None:
    """Run every case and write its row."""
    rows: list[str] = []
    with scaled_retry_waits(0), without_waits(), LoopbackServer(_Document) as server:
        for (what, kind), make in CASES.items():
            with tempfile.TemporaryDirectory() as folder:
                rows.append(observe(Path(folder) / "home", server.host, make()).row(what, kind))
    write_section(HEADING, TEXT, rows)


if __name__ == "__main__":
    write_when_asked("test_document_faults", write_table)
