"""What actions leave in the browser goes with the job's further pages, and into named sessions."""

import io
import json
from pathlib import Path

import pytest
from gleaner import Gleaner
from gleaner.cli import run
from gleaner.contracts.errors import InvalidRequest, NotFound

from tests.support.acting_site import LAMPS, PASSWORD, login_pages
from tests.support.schemas import INTEGER, TEXT, list_of, object_of

pytestmark = pytest.mark.req("AC-4")

SCHEMA = list_of(object_of(name=TEXT, price=INTEGER))
LOGIN = [
    "fill: role=textbox[name=Name] => ada",
    'fill: role=textbox[name=Password] => {"secret": "shop-password"}',
    "click: role=button[name=Log in]",
]


@pytest.fixture
def make(site, tmp_path: Path):
    login_pages(site)
    secrets = {"shop-password": {"value": PASSWORD, "hosts": [f"http://127.0.0.1:{site.port}"]}}

    def made(tenant: str = "default") -> Gleaner:
        return Gleaner("none", tmp_path, tenant=tenant, allow_hosts=[f"127.0.0.1:{site.port}"], secrets=secrets)

    return made


def test_the_further_pages_of_a_listing_are_read_as_who_logged_in(site, make):
    with make() as gleaner:
        result = gleaner.scrape(site.url("/login"), output_schema=SCHEMA, actions=LOGIN, follow=5)
        assert (result.status, result.data) == ("complete", LAMPS)
        assert gleaner.sessions() == []


def test_a_named_session_is_taken_up_by_later_requests_of_its_tenant(site, make, tmp_path):
    with make() as gleaner:
        missing = gleaner.scrape(site.url("/mine"), session="ada")
        assert missing.error.message.startswith("there is no session ada, or it has expired")
        gleaner.delete_session("ada")
        assert gleaner.scrape(site.url("/login"), actions=LOGIN, session="ada").title == "Ada's lamps"
    with make() as gleaner:
        assert gleaner.scrape(site.url("/mine"), output_schema=SCHEMA, session="ada", follow=3).data == LAMPS
        assert gleaner.scrape(site.url("/mine")).markdown == "# Please log in"
        assert [session["name"] for session in gleaner.sessions()] == ["ada"]
        kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
        assert not [body for body in kept if b'"user"' in body or b"user=ada" in body]
        gleaner.delete_session("ada")
        assert gleaner.scrape(site.url("/mine"), session="ada").error.error_type == "not_found"
    with make("other") as gleaner:
        assert gleaner.scrape(site.url("/mine"), session="ada").error.error_type == "not_found"


def test_what_does_not_go_with_a_session_is_told(site, make):
    with make() as gleaner:
        for fields in ({"page_id": "12345678"}, {"url": site.url("/mine"), "profile": "master"}):
            with pytest.raises(InvalidRequest, match="a session goes with a url, and with profile default"):
                gleaner.scrape(**fields, session="ada")
        plain = gleaner.scrape(site.url("/mine"), session="ada", enable_javascript=False)
        assert plain.error.message == "a session needs the browser: leave enable_javascript true"
        with pytest.raises(NotFound, match="there is no session eve"):
            gleaner.delete_session("eve")


def test_three_commands_lead_from_a_login_to_a_watched_listing(site, tmp_path, capsys, monkeypatch):
    login_pages(site)
    host, home = f"127.0.0.1:{site.port}", ["--home", str(tmp_path)]
    monkeypatch.setenv("GLEANER_ALLOW_HOSTS", host)
    more = ["--model", "none", *home]
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD))
    assert run(["secrets", "set", "shop-password", "--host", f"http://{host}", *home]) == 0
    steps = [part for step in LOGIN for part in ("--action", step)]
    assert run(["scrape", site.url("/login"), *steps, "--session", "ada", *more]) == 0
    watch = ["watch", site.url("/mine"), "--schema", json.dumps(SCHEMA), "--session", "ada", "--follow", "5", "--once"]
    assert run([*watch, *more]) == 0
    assert "12 records" in capsys.readouterr().err
    assert run(["sessions", "list", *home]) == 0
    assert capsys.readouterr().out.startswith("ada  until ")
    assert run(["sessions", "delete", "ada", *home]) == 0
    assert run(["sessions", "delete", "ada", *home]) == 2
