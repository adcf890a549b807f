"""Named secrets: filled in where they may be seen, and left in nothing that is kept, told or asked."""

import json
import logging
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from gleaner import Gleaner
from gleaner.cli import run
from gleaner.contracts.errors import InvalidRequest, InvalidSettings
from gleaner.contracts.models import parse_request
from gleaner.jobs.secrets import read_secret
from gleaner.testing import FunctionModel

from tests.browser.conftest import reply
from tests.support.acting_site import PASSWORD, login_pages

pytestmark = pytest.mark.req("AC-2")

FILL = 'fill: role=textbox[name=Password] => {"secret": "shop-password"}'
LOGIN = ["fill: role=textbox[name=Name] => ada", FILL, "click: role=button[name=Log in]"]
TELLTALE = """<!doctype html><title>Echo</title><h1>Echo</h1><form action=/echo>
<label>Password <input name=p></label><button>Send</button></form>
<script>const p = document.querySelector('[name=p]');
p.addEventListener('input', () => { p.setAttribute('value', p.value); console.error('typed ' + p.value);
said.textContent = 'typed: ' + p.value; document.title = p.value; alert(p.value) })</script><p id=said></p>"""
FORMS = (PASSWORD, quote_plus(PASSWORD), PASSWORD.replace("&", "&amp;"), "battery")


def _secrets(site, value=PASSWORD):
    return {"shop-password": {"value": value, "hosts": [f"http://127.0.0.1:{site.port}"]}}


@pytest.fixture
def prompts():
    return list[str]()


@pytest.fixture
def gleaner(site, tmp_path: Path, prompts):
    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return '{"said": null}'

    login_pages(site)
    with Gleaner(
        FunctionModel(answer), tmp_path / "home", allow_hosts=[f"127.0.0.1:{site.port}"], secrets=_secrets(site)
    ) as made:
        yield made


def _kept(home: Path) -> str:
    return "\n".join(file.read_bytes().decode("utf-8", "replace") for file in sorted(home.rglob("*")) if file.is_file())


def test_a_login_with_a_named_secret_shows_what_is_behind_it(site, gleaner):
    result = gleaner.scrape(site.url("/login"), actions=LOGIN)
    assert result.title == "Ada's lamps"
    assert result.actions[1].action == FILL


def test_a_secret_is_left_in_nothing_that_is_kept_told_or_asked(site, gleaner, tmp_path, prompts, caplog, capfd):
    caplog.set_level(logging.DEBUG)

    def echo(handler):
        reply(handler, TELLTALE.encode())

    site.routes["/echo"] = echo
    steps = [FILL, "click: role=button[name=Send]", "click: text=Nothing"]
    schema = {"type": "object", "properties": {"said": {"type": ["string", "null"]}}}
    pictures = {"formats": ["markdown", "links", "screenshot"]}
    results = [
        gleaner.scrape(site.url("/echo"), output_schema=schema, query="what was typed?", actions=steps[:1], **pictures),
        gleaner.scrape(site.url("/echo"), actions=steps[:2], **pictures),
        gleaner.scrape(site.url("/echo"), actions=[*steps[:1], steps[2]]),
    ]
    gleaner.gateway.create_watch({"request": {"url": site.url("/echo"), "output_schema": schema, "actions": steps[:1]}})
    watch = gleaner.gateway.watches.list().items[0].data["watch_id"]
    gleaner.run_watch(str(watch))
    assert [result.status for result in results][1:] == ["complete", "failed"]
    assert results[0].screenshot is None
    assert "the page shows the secret shop-password" in " ".join(results[0].warnings)
    assert results[1].source_url.endswith("/echo?p=SECRET-shop-password")
    assert results[2].actions[-1].screenshot is None
    assert "SECRET-shop-password" in results[0].markdown
    told = [json.dumps(result.to_json()) for result in results]
    logs = [record.getMessage() for record in caplog.records if record.name.startswith("gleaner")]
    everything = "\n".join([_kept(tmp_path / "home"), *told, *prompts, *logs, *capfd.readouterr()])
    assert prompts
    assert "SECRET-shop-password" in everything
    assert [form for form in FORMS if form in everything] == []


def test_a_secret_that_can_not_be_filled_in_is_told_with_its_step(site, tmp_path):
    login_pages(site)
    secrets = {
        "elsewhere": {"value": PASSWORD, "hosts": ["shop.example"]},
        "too-short": {"value": "short", "hosts": ["shop.example"]},
    }
    with Gleaner("none", tmp_path, allow_hosts=[f"127.0.0.1:{site.port}"], secrets=secrets) as gleaner:
        for name, said in (
            ("shop-password", "tenant default has no secret shop-password"),
            ("elsewhere", "the secret is for shop.example, over"),
            ("too-short", "has 5 characters; it needs 8"),
        ):
            fill = FILL.replace("shop-password", name)
            result = gleaner.scrape(site.url("/login"), actions=[LOGIN[0], fill, LOGIN[2]])
            assert result.error.error_type == "action_failed"
            assert result.error.message.startswith(f"step 2, {fill}: ")
            assert said in result.error.message
    assert not [path for path, _ in site.requests if path == "/session"]


def test_a_secret_is_stored_and_used_at_the_command_line(site, tmp_path, capsys, monkeypatch):
    login_pages(site)
    home, host = ["--home", str(tmp_path)], f"127.0.0.1:{site.port}"
    monkeypatch.setattr("sys.stdin", __import__("io").StringIO(PASSWORD + "\n"))
    assert run(["secrets", "set", "shop-password", "--host", f"http://{host}", *home]) == 0
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600
    steps = [part for step in LOGIN for part in ("--action", step)]
    assert run(["scrape", site.url("/login"), *steps, "--allow-host", host, "--model", "none", *home]) == 0
    assert run(["secrets", "list", *home]) == 0
    shown = capsys.readouterr()
    assert "Amber desk lamp" in shown.out
    assert f"shop-password  http://{host}" in shown.out
    assert PASSWORD not in shown.out + shown.err
    assert run(["secrets", "delete", "shop-password", *home]) == 0
    assert run(["secrets", "delete", "shop-password", *home]) == 2


def test_what_is_no_secret_is_refused_without_its_value():
    for stored in ({"value": "short", "hosts": ["a.example"]}, {"value": "hunter2hunter2"}, {"hosts": []}, "hunter2"):
        with pytest.raises(InvalidSettings) as refused:
            read_secret("pin", stored)
        assert "hunter2" not in str(refused.value)
    with pytest.raises(InvalidRequest, match="step 1: a secret can be filled in; press takes none"):
        parse_request({"url": "https://a.example", "actions": [{"do": "press", "value": {"secret": "pin"}}]})
    with pytest.raises(InvalidRequest, match="step 1: value"):
        parse_request({"url": "https://a.example", "actions": ['fill: css=#p => {"secret": "No Name"}']})
