"""The real programs that a check runs, each filled with the same records, and what each shows of them."""

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.programs.lamps import Lamp, as_data

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache/programs"
BIN = CACHE / "python/bin"
PYTHON = str(BIN / "python")
HEXO = CACHE / "node/node_modules/hexo/bin/hexo"
LONGEST_S = 120
"""In which a program is filled; one that takes longer is ended, and the check fails."""

Prepare = Callable[[Sequence[Lamp], Path, int], list[str]]


@dataclass(frozen=True, slots=True)
class Program:
    """A program, the path of its listing, and what its list shows.

    ``prepare`` fills it in a folder and gives the command that serves it on a port. ``shows`` maps the fields to ask
    for to what they hold of a lamp; ``as_text`` are fields of numbers that the page shows as they are.
    """

    name: str
    prepare: Prepare
    path: str
    shows: dict[str, str] = field(
        default_factory=lambda: {"name": "name", "maker": "maker", "price": "price", "watts": "watts"}
    )

    def schema(self) -> dict[str, Any]:
        """Give the schema of the records to ask for."""
        types = {"name": "string", "maker": "string", "price": "number", "watts": "integer"}
        properties = {name: {"type": types[of]} for name, of in self.shows.items()}
        item = {"type": "object", "properties": properties, "required": list(properties)}
        return {"type": "array", "items": item}

    def records(self, lamps: Sequence[Lamp]) -> list[dict[str, Any]]:
        """Give the records as its list should come."""
        return [{name: getattr(one, of) for name, of in self.shows.items()} for one in lamps]


def _run(command: Sequence[str], folder: Path, **more: Any) -> None:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPATH": ""}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, timeout=LONGEST_S, check=False, **more
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr.decode()[-2000:]}{done.stdout.decode()[-2000:]}")


def _app(name: str, lamps: Sequence[Lamp], folder: Path) -> list[str]:
    records = folder / "records.json"
    records.write_text(json.dumps(as_data(list(lamps))), "utf-8")
    return [PYTHON, str(HERE / "apps" / name), str(records), str(folder)]


def _database(lamps: Sequence[Lamp], folder: Path) -> str:
    path = folder / "lamps.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("create table lamps (id integer primary key, name text, maker text, price real, watts integer)")
        rows = [(one.name, one.maker, one.price, one.watts) for one in lamps]
        made.executemany("insert into lamps (name, maker, price, watts) values (?, ?, ?, ?)", rows)
    return str(path)


def _datasette(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    return [str(BIN / "datasette"), "serve", _database(lamps, folder), "--port", str(port)]


def _sqlite_web(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    return [str(BIN / "sqlite_web"), _database(lamps, folder), "--port", str(port), "--no-browser"]


def _django(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    return [*_app("django_admin.py", lamps, folder), str(port)]


def _flask_admin(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    return [*_app("flask_admin_list.py", lamps, folder), str(port)]


def _trac(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    _run(_app("trac_fill.py", lamps, folder), folder)
    return [str(BIN / "tracd"), "--hostname", "127.0.0.1", "--port", str(port), "-s", str(folder / "project")]


def _roundup(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    tracker, admin = str(folder / "tracker"), str(BIN / "roundup-admin")
    web = f"http://127.0.0.1:{port}/"
    _run(
        [
            admin,
            "-i",
            tracker,
            "install",
            "classic",
            "sqlite",
            f"tracker_web={web},mail_domain=example.org,mail_host=localhost",
        ],
        folder,
    )
    _run([admin, "-i", tracker, "initialise", "invented"], folder)
    _run(_app("roundup_fill.py", lamps, folder), folder)
    return [PYTHON, str(HERE / "apps/roundup_serve.py"), str(folder), str(port)]


def _klaus(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    """Fill a repository: the last lamp is the first commit, so that the log shows them in their order."""
    stream: list[bytes] = []
    for mark, one in enumerate(reversed(lamps), start=1):
        who = f"{one.maker} <lamps@example.org> {1_700_000_000 + 3600 * mark} +0000".encode()
        head = b"commit refs/heads/master\nmark :%d\nauthor %s\ncommitter %s\n" % (mark, who, who)
        text, name = f"{one.watts} W".encode(), one.name.encode()
        change = b"M 100644 inline lamp.txt\ndata %d\n%s\n" % (len(text), text)
        stream.append(head + b"data %d\n%s\n" % (len(name), name) + change)
    _run(["git", "init", "-q", "-b", "master", "lamps"], folder)
    _run(["git", "-C", "lamps", "fast-import", "--quiet"], folder, input=b"\n".join(stream))
    return [str(BIN / "klaus"), "--host", "127.0.0.1", "--port", str(port), str(folder / "lamps")]


def _posts(lamps: Sequence[Lamp], folder: Path, head: Callable[[Lamp, str], str]) -> None:
    """Write a post for each lamp, the last one first: blogs show the newest first."""
    folder.mkdir(parents=True, exist_ok=True)
    for at, one in enumerate(lamps):
        minutes = 60 * 24 - 1 - at
        text = f"Made by {one.maker}, {one.watts} watts, for £{one.price:.2f}."
        when = f"2026-03-04 {minutes // 60:02}:{minutes % 60:02}:00"
        (folder / f"lamp-{at:03}.md").write_text(f"{head(one, when)}\n\n{text}\n", "utf-8")


def _served(folder: Path, port: int) -> list[str]:
    return [PYTHON, "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(folder), str(port)]


def _pelican(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    _posts(lamps, folder / "content", lambda one, when: f"Title: {one.name}\nDate: {when}\nCategory: Lamps")
    settings = "SITENAME = 'Lamps'\nTIMEZONE = 'UTC'\nDEFAULT_LANG = 'en'\nDEFAULT_PAGINATION = 10\nPATH = 'content'\n"
    (folder / "pelicanconf.py").write_text(settings, "utf-8")
    _run([str(BIN / "pelican"), "content", "-s", "pelicanconf.py", "-o", "output"], folder)
    return _served(folder / "output", port)


def _hexo(lamps: Sequence[Lamp], folder: Path, port: int) -> list[str]:
    for name in ("node_modules", "package.json"):
        (folder / name).symlink_to(CACHE / "node" / name)
    _posts(lamps, folder / "source/_posts", lambda one, when: f"---\ntitle: {one.name!r}\ndate: {when}\n---")
    settings = (
        "title: Lamps\ntheme: landscape\nurl: http://example.org\nper_page: 10\nindex_generator: {per_page: 10}\n"
    )
    (folder / "_config.yml").write_text(settings, "utf-8")
    _run(["node", str(HEXO), "generate", "--cwd", str(folder)], folder)
    return _served(folder / "public", port)


PROGRAMS = (
    Program("datasette", _datasette, "/lamps/lamps"),
    Program("sqlite-web", _sqlite_web, "/lamps/content/"),
    Program("django-admin", _django, "/admin/auth/lamp/"),
    Program("flask-admin", _flask_admin, "/admin/lamps/"),
    Program(
        "trac",
        _trac,
        "/query?status=new&max=40&order=id&col=id&col=summary&col=reporter",
        {"summary": "name", "reporter": "maker"},
    ),
    Program(
        "roundup",
        _roundup,
        "/issue?@columns=id,title,keyword&@sort=id&@pagesize=50&@startwith=0",
        {"title": "name", "keyword": "maker"},
    ),
    Program("klaus", _klaus, "/lamps/", {"message": "name", "author": "maker"}),
    Program("pelican", _pelican, "/index.html"),
    Program("hexo", _hexo, "/"),
)
