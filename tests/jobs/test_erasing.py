"""What is stored of a tenant or of a site is erased, and nothing else."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.cli import run
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.settings import load_settings
from gleaner.jobs.erasing import SHARED, Eraser
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.places import jobs_of
from gleaner.jobs.watches import Watches, WatchOrder
from gleaner.wiring import WiredServices

PAGE = "<h1>Lamps</h1><table><tr><th>name<th>price" + "".join(
    f"<tr><td>Lamp {letter}<td>{number}.50" for number, letter in enumerate("ABCDEF", 1)
)
RECORDS = json.dumps([{"name": f"Lamp {letter}", "price": number + 0.5} for number, letter in enumerate("ABCDEF", 1)])
FIELDS = {"name": {"type": "string"}, "price": {"type": "number"}}
SCHEMA = {"type": "array", "items": {"type": "object", "properties": FIELDS}}


@pytest.fixture
def services(tmp_path: Path) -> Iterator[WiredServices]:
    """An installation that has read pages of two sites, one of them for two extractions, and watches both."""
    home = tmp_path / "home"
    with ExitStack() as opened:
        gleaner = opened.enter_context(Gleaner(model=lambda _: RECORDS, home=home))
        for host, extraction in (("a.example", None), ("a.example", "both"), ("b.example", "both")):
            gleaner.extract_html(
                PAGE, f"https://{host}/lamps", output_schema=SCHEMA, query="all lamps", extraction_id=extraction,
                config={"tiers": ["model"]},
            )  # fmt: skip
        services = opened.enter_context(closing(WiredServices(load_settings({}, home=home))))
        watches = Watches(services.table, services.blobs, "default")
        for host in ("a.example", "b.example"):
            order = {
                "name": host[0],
                "request": {"url": f"https://{host}/lamps", "output_schema": SCHEMA},
                "every": 3600,
            }
            watches.create(WatchOrder.model_validate(order))
        yield services


class NoSchedules:
    """Notes which schedules are deleted."""

    def __init__(self) -> None:
        self.deleted: list[str] = []

    def put(self, watch_id: str, tenant: str, every_s: int) -> None:
        raise AssertionError(watch_id)

    def delete(self, watch_id: str, tenant: str) -> None:
        self.deleted.append(f"{tenant}/{watch_id}")


def eraser(services: WiredServices, tenant: str = "default", **options: Any) -> Eraser:
    return Eraser(services.table, services.blobs, NoSchedules(), tenant, **options)


def all_files(services: WiredServices) -> Iterator[str]:
    """Give the keys of all files, whatever folder they are in."""
    root: Path = services.blobs.root  # type: ignore[attr-defined]
    return (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def everything(services: WiredServices) -> str:
    """Give all that is stored as one text."""
    items = [services.table.get(*key) for key in services.table.every_key()]
    files = [key + services.blobs.read(key).decode("utf-8", "replace") for key in all_files(services)]
    return "\n".join([*(f"{item.pk} {item.sk} {json.dumps(item.data)}" for item in items if item), *files])


def test_a_site_is_erased_and_others_are_whole(services: WiredServices) -> None:
    before = everything(services)
    assert before.count("a.example") > 20
    done = eraser(services).site("a.example")
    after = everything(services)
    kept = [line for line in after.splitlines() if "a.example" in line]
    assert all(line.startswith("AGG#default#both") for line in kept), kept
    assert done.left == ["extraction both also has records of other sites: delete it as a whole"]
    assert done.schedules == 1
    assert after.count("b.example") == before.count("b.example")


def test_a_tenant_is_erased_and_another_is_whole(services: WiredServices) -> None:
    before = everything(services)
    assert eraser(services, "another").everything().items == 0
    assert everything(services) == before
    counted = eraser(services, is_trial=True).everything()
    assert everything(services) == before
    done = eraser(services).everything()
    assert (done.items, done.files, done.schedules) == (counted.items, counted.files, counted.schedules)
    kinds = {pk.partition("#")[0] for pk, _ in services.table.every_key()}
    assert kinds <= SHARED | {"RUNNING"}, kinds
    assert list(all_files(services)) == []


def test_nothing_is_erased_while_a_job_is_under_way(services: WiredServices) -> None:
    jobs_of(services).open(JobRef("busy", "default"), "https://a.example/more")
    before = everything(services)
    for erase in (eraser(services).everything, lambda: eraser(services).site("a.example")):
        with pytest.raises(InvalidRequest, match="busy"):
            erase()
    assert everything(services) == before
    assert eraser(services).site("b.example").schedules == 1


@pytest.mark.parametrize("wrong", ["https://a.example", "", "a.example/x"])
def test_the_command_counts_first_and_erases_when_it_is_told_to(
    services: WiredServices, wrong: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command: Callable[..., int] = lambda *more: run(["erase", "--home", str(tmp_path / "home"), *more])  # noqa: E731
    assert command("--site", wrong) == 2
    before = everything(services)
    assert command("--site", "b.example") == 0
    assert "would be erased" in capsys.readouterr().err
    assert everything(services) == before
    assert command("--site", "b.example", "--yes", "--json") == 0
    assert json.loads(capsys.readouterr().out)["schedules"] == 1
