"""A web server of pages that a test writes, which keeps what it was asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gleaner.testing.loopback import LoopbackHandler, LoopbackServer

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Answer:
    """What a path answers."""

    body: bytes = b""
    kind: str = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def sent_to(url: str, status: int = 307) -> Answer:
    """Give a redirect."""
    return Answer(b"", "text/plain", status, {"Location": url})


@dataclass
class Asked:
    """One request that came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Pages(LoopbackServer):
    """Serves ``answers`` by path, query included or not, on a free port; all else is not found."""

    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    asked: list[Asked] = field(default_factory=list[Asked])

    def __post_init__(self) -> None:
        super().__init__(_Handler)

    def page(self, path: str, html: str) -> str:
        """Serve a page, and give its URL."""
        self.answers[path] = Answer(html.encode())
        return self.url + path

    @property
    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [one.path for one in self.asked]


class _Handler(LoopbackHandler):
    owner: Pages

    def do_GET(self) -> None:
        """Answer from the table."""
        self.owner.asked.append(Asked(self.command, self.path, dict(self.headers), self.read_body()))
        path = self.path if self.path in self.owner.answers else self.path.partition("?")[0]
        found = self.owner.answers.get(path, Answer(b"<h1>Not found</h1>", status=404))
        self.answer(found.status, found.kind, found.body, found.headers)

    do_POST = do_GET
