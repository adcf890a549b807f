"""The command's tokens, strategies and extractions: what it prints, and its exit codes."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gleaner.cli import run
from gleaner.contracts.errors import Unauthorized
from gleaner.contracts.models import ExtractionResult
from gleaner.contracts.ports import JsonValue
from gleaner.contracts.settings import load_settings
from gleaner.jobs.aggregates import ExtractionAggregator
from gleaner.jobs.strategies import ExtractionCache, ExtractionStrategy
from gleaner.jobs.tokens import Tokens
from gleaner.page.opening import open_page
from gleaner.wiring import WiredServices
from gleaner.wrappers import Example, Recipe, RecipeBook, learn_from
from rich.console import Console

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def read_json(capsys: Captured) -> Any:
    return json.loads(capsys.readouterr().out)


def services_of(home: Path) -> WiredServices:
    return WiredServices(load_settings({}, home=home))


@pytest.mark.req("CL-1", "AU-1")
def test_a_token_is_made_listed_and_revoked(home: Path, capsys: Captured) -> None:
    assert run(["tokens", "create", "acme", "--rate", "7", "--note", "CI", "--home", str(home)]) == 0
    token = capsys.readouterr().out.strip()
    services = services_of(home)
    principal = Tokens(services.table).verify(f"Bearer {token}")
    assert (principal.tenant, principal.rate_per_minute) == ("acme", 7)
    assert run(["tokens", "list", "--json", "--home", str(home)]) == 0
    text = capsys.readouterr().out
    assert token not in text
    assert [(one["id"], one["note"]) for one in json.loads(text)] == [(principal.token_id, "CI")]
    assert run(["tokens", "list", "--home", str(home)]) == 0
    assert re.search(f"{principal.token_id} +acme +7 +CI", capsys.readouterr().out)
    assert run(["tokens", "revoke", principal.token_id, "--json", "--home", str(home)]) == 0
    assert read_json(capsys) == {"id": principal.token_id, "revoked": True}
    with pytest.raises(Unauthorized):
        Tokens(services.table).verify(f"Bearer {token}")
    services.close()


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    "arguments",
    [
        ["tokens", "create", "a b"],
        ["tokens", "create", "acme", "--rate", "0"],
        ["tokens", "revoke", "none"],
        ["strategies", "show", "none"],
        ["strategies", "delete", "none"],
        ["strategies", "show", "\udcff"],
        ["strategies", "delete", "a\nb"],
        ["strategies", "show", "x" * 5000],
        ["extraction", "show", "none"],
        ["extraction", "show", "\udcff"],
        ["extraction", "show", ""],
        ["extraction", "show", "none", "--tenant", "a\udcffb"],
        ["extraction", "show", "none", "--format", "csv", "--pages"],
        ["extraction", "delete", "none"],
        ["serve", "--host", "0.0.0.0"],
        ["serve", "--port", "70000"],
    ],
)
def test_what_can_not_be_done_is_one_line_and_an_exit_code(home: Path, capsys: Captured, arguments: list[str]) -> None:
    assert run([*arguments, "--home", str(home)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1


@pytest.mark.req("CL-1", "ST-1")
def test_strategies_are_listed_shown_and_deleted(home: Path, capsys: Captured) -> None:
    services = services_of(home)
    strategy_id = ExtractionCache(services.table).register(ExtractionStrategy(url_pattern="https://a.example/*"))
    services.close()
    assert run(["strategies", "list", "--home", str(home)]) == 0
    assert "https://a.example/*" in capsys.readouterr().out
    assert run(["strategies", "show", strategy_id, "--home", str(home)]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == strategy_id
    assert run(["strategies", "delete", strategy_id, "--json", "--home", str(home)]) == 0
    assert json.loads(capsys.readouterr().out) == {"id": strategy_id, "deleted": True}
    assert run(["strategies", "list", "--json", "--home", str(home)]) == 0
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.req("CL-1", "AU-1")
@pytest.mark.parametrize(
    "command", [["strategies", "show"], ["strategies", "delete"], ["extraction", "show"], ["extraction", "delete"]]
)
def test_what_a_tenant_has_is_named_with_the_tenant(home: Path, capsys: Captured, command: list[str]) -> None:
    services = services_of(home)
    ExtractionCache(services.table, "acme").register(ExtractionStrategy(id="jugs", url_pattern="https://a.example/*"))
    page = ExtractionResult(data=[{"name": "Larch"}], source_url="https://a.example/")
    ExtractionAggregator(services.table, "jugs", "acme").add(page)
    services.close()
    assert run([*command, "jugs", "--home", str(home)]) == 2
    assert "there is no" in capsys.readouterr().err
    listing = ["strategies", "list", "--json", "--home", str(home)]
    assert run(listing) == run([*listing, "--tenant", "acme"]) == 0
    none, [one] = map(json.loads, capsys.readouterr().out.splitlines())
    assert (none, one["id"]) == ([], "jugs")
    assert run([*command, "jugs", "--tenant", "acme", "--home", str(home)]) == 0


@pytest.mark.req("CL-1", "ST-1")
def test_an_id_in_the_list_is_in_one_piece_on_a_narrow_terminal(
    home: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gleaner.cli.strategies.stdout", Console(width=80))
    services = services_of(home)
    pattern = "https://shop.example/a/long/way/down/to/the/page*"
    strategy = ExtractionStrategy(url_pattern=pattern, query_template="all of the products " * 20)
    strategy_id = ExtractionCache(services.table).register(strategy)
    services.close()
    assert run(["strategies", "list", "--home", str(home)]) == 0
    printed = capsys.readouterr().out
    assert strategy_id in printed
    assert "all of the" in printed
    assert max(map(len, printed.splitlines())) <= 80
    assert printed.count("\n") < 20


@pytest.mark.req("CL-1", "ST-1")
def test_a_list_that_goes_to_a_program_has_a_strategy_a_line(home: Path, capsys: Captured) -> None:
    services = services_of(home)
    pattern = "https://shop.example/a/long/way/down/to/the/page/of/all/products/of/this/and/the/last/year*"
    ExtractionCache(services.table).register(ExtractionStrategy(id="long", url_pattern=pattern))
    services.close()
    assert run(["strategies", "list", "--home", str(home)]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "long" in line)
    assert pattern in line


@pytest.mark.req("CL-1", "ST-1")
def test_the_strategies_for_a_page_are_listed_best_first(home: Path, capsys: Captured) -> None:
    services = services_of(home)
    cache = ExtractionCache(services.table)
    for name, pattern, wins in (("poor", "https://a.example/*", 0), ("good", "*://a.example/p/*", 3)):
        cache.register(ExtractionStrategy(id=name, url_pattern=pattern, success_count=wins, failure_count=1))
    cache.register(ExtractionStrategy(id="other", url_pattern="https://b.example/*"))
    services.close()
    listing = ["strategies", "list", "--json", "--home", str(home)]
    assert run([*listing, "--url", "https://A.example/p/1?from=home"]) == 0
    assert [one["id"] for one in read_json(capsys)] == ["good", "poor"]
    assert run([*listing, "--url", "https://[no address"]) == 0
    assert read_json(capsys) == []


def with_a_recipe(home: Path) -> tuple[str, Recipe]:
    """Keep a strategy whose recipe has answered once and was refused once."""
    services = services_of(home)
    strategy_id = ExtractionCache(services.table).register(ExtractionStrategy(url_pattern="https://a.example/*"))
    rows = "".join(f"<li class='jug'><b>Jug {number}</b> <i>${number}.50</i></li>" for number in range(1, 9))
    fields = {"name": {"type": "string"}, "price": {"type": "number"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    records: list[JsonValue] = [{"name": f"Jug {number}", "price": number + 0.5} for number in range(1, 9)]
    page = open_page(f"<ul>{rows}</ul>", "https://a.example/jugs")
    recipe = learn_from([Example(page, records)], schema).recipe
    assert recipe is not None
    book = RecipeBook(services.table)
    version = book.save(strategy_id, recipe)
    for hit in (True, False, False):
        book.record(strategy_id, version, hit=hit, use="job" if not hit else None)
    book.note(strategy_id, "refused", "https://a.example/socks: no record was found where the recipe looks for them")
    services.close()
    return strategy_id, recipe


@pytest.mark.req("CL-1", "RC-1", "RC-2")
def test_a_strategy_is_shown_with_its_recipes_and_what_became_of_them(home: Path, capsys: Captured) -> None:
    strategy_id, recipe = with_a_recipe(home)
    assert run(["strategies", "show", strategy_id, "--home", str(home)]) == 0
    shown = json.loads(capsys.readouterr().out)["recipes"]
    assert {name: shown[name] for name in ("hits", "misses", "repairs")} == {"hits": 1, "misses": 1, "repairs": 0}
    assert "no record was found" in shown["refused"]
    [kept] = shown["kept"]
    assert (kept["version"], kept["learned_from"]) == (1, "https://a.example/jugs")
    assert "each li of class jug" in kept["records"]
    assert kept["fields"]["price"]["selectors"][0]["reads"].endswith("as money")
    assert run(["strategies", "show", strategy_id, "--recipe", "1", "--home", str(home)]) == 0
    assert Recipe.model_validate_json(capsys.readouterr().out) == recipe
    assert run(["strategies", "show", strategy_id, "--recipe", "7", "--home", str(home)]) == 2
    assert "there are 1" in capsys.readouterr().err
    assert run(["strategies", "list", "--home", str(home)]) == 0
    assert "1 hit, 1 miss" in capsys.readouterr().out


@pytest.mark.req("CL-1", "RC-1")
def test_recipes_are_deleted_alone_or_with_their_strategy(home: Path, capsys: Captured) -> None:
    strategy_id, _ = with_a_recipe(home)
    assert run(["strategies", "delete", strategy_id, "--recipes", "--home", str(home)]) == 0
    assert run(["strategies", "delete", strategy_id, "--recipes", "--home", str(home)]) == 2
    capsys.readouterr()
    assert run(["strategies", "show", strategy_id, "--home", str(home)]) == 0
    assert json.loads(capsys.readouterr().out)["recipes"]["kept"] == []
    assert with_a_recipe(home)[0] == strategy_id
    assert run(["strategies", "delete", strategy_id, "--home", str(home)]) == 0
    services = services_of(home)
    assert RecipeBook(services.table).recipes(strategy_id) == []
    services.close()


@pytest.mark.req("CL-1", "AG-1")
def test_an_extraction_is_printed_as_json_ndjson_and_csv(home: Path, capsys: Captured, tmp_path: Path) -> None:
    records = [{"name": "a, b", "price": 1}, {"name": "ü", "price": None}]
    services = services_of(home)
    ExtractionAggregator(services.table, "shop").add(ExtractionResult(data=records, source_url="https://a.example"))
    services.close()
    show = ["extraction", "show", "shop", "--home", str(home)]
    assert run([*show, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == records
    assert captured.err == "2 unique records from 1 page\n"
    assert run([*show, "--format", "ndjson"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == records
    assert run([*show, "--format", "csv", "--output", str(tmp_path / "shop.csv")]) == 0
    rows = csv.DictReader(io.StringIO((tmp_path / "shop.csv").read_text("utf-8")))
    assert list(rows) == [{"name": "a, b", "price": "1"}, {"name": "ü", "price": ""}]


@pytest.mark.req("CL-1", "AG-1")
def test_the_pages_behind_the_records_are_printed_with_them(home: Path, capsys: Captured) -> None:
    services = services_of(home)
    for number in (1, 2):
        page = ExtractionResult(data=[{"n": 0}, {"n": number}], source_url=f"https://a.example/{number}")
        ExtractionAggregator(services.table, "shop").add(page)
    services.close()
    assert run(["extraction", "show", "shop", "--pages", "--home", str(home)]) == 0
    shown = [(item["record"]["n"], [page["url"][-1] for page in item["pages"]]) for item in read_json(capsys)]
    assert shown == [(0, ["1", "2"]), (1, ["1"]), (2, ["2"])]


@pytest.mark.req("CL-1", "AG-1")
def test_an_extraction_that_was_deleted_is_gone_and_may_begin_anew(home: Path, capsys: Captured) -> None:
    services = services_of(home)
    result = ExtractionResult(data=[{"n": n} for n in range(1200)], source_url="https://a.example/1")
    for name in ("shop", "shop2"):
        ExtractionAggregator(services.table, name).add(result)
    assert run(["extraction", "delete", "shop", "--home", str(home)]) == 0
    assert capsys.readouterr().err == "1200 unique records from 1 page deleted\n"
    assert run(["extraction", "show", "shop", "--home", str(home)]) == 2
    assert services.table.query("AGG#default#shop").items == ()
    assert ExtractionAggregator(services.table, "shop2").summary == "1200 unique records from 1 page"
    assert ExtractionAggregator(services.table, "shop").add(result) == "1200 unique records from 1 page"
    services.close()


@pytest.mark.req("CL-1", "AG-1")
def test_an_export_that_breaks_off_leaves_the_file_as_it_was(
    home: Path, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = services_of(home)
    records: list[JsonValue] = [{"n": n} for n in range(1200)]
    ExtractionAggregator(services.table, "shop").add(ExtractionResult(data=records, source_url="https://a.example/1"))
    services.close()
    output = tmp_path / "shop.json"
    show = ["extraction", "show", "shop", "--output", str(output), "--home", str(home)]
    assert run(show) == 0
    whole = output.read_bytes()

    def breaks_off(records: Iterable[JsonValue]) -> Iterator[str]:
        yield "["
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("gleaner.cli.extraction.to_json_array", breaks_off)
        assert run(show) == 74
    assert output.read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["shop.json"]
    assert "No space left" in capsys.readouterr().err


@pytest.mark.req("CL-1")
def test_a_port_that_is_taken_is_said_in_one_line(home: Path, capsys: Captured) -> None:
    from gleaner.cli.serve import listen

    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        assert run(["serve", "--port", port, "--home", str(home)]) == 78
    error = capsys.readouterr().err
    assert (
        error == f"error: can't listen on 127.0.0.1:{port}: Address already in use; choose another --host or --port\n"
    )


@pytest.mark.req("CL-1")
def test_a_server_that_could_not_start_does_not_say_that_it_finishes_anything(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "file").write_text("")
    assert run(["serve", "--port", "0", "--home", str(tmp_path / "file")]) == 78
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
