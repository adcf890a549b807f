"""The mechanisms that a measurement can switch off: the table is whole, and what is off is on again afterwards."""

import inspect
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import gleaner
from gleaner.page.opening import open_page
from gleaner.structured import Declined
from gleaner.structured.answers import find_answer
from measure import ablation_report
from measure.ablate import chosen_by, switched, verdict
from measure.ablation_cases import SOURCES
from measure.counting import Tally
from measure.mechanisms import FOUNDATIONS, MECHANISMS, named
from measure.switching import GivesBack, Mechanism, resolved, switched_off, traced

from tests.support.told import told as prove

ROOMS = ("judging", "completeness", "results", "wrappers", "structured", "extraction")
TEXT = "Oak stool. Was £80, now £65.\n\nDelivery in 3 days."
SCHEMA = {"type": "object", "properties": {"price": {"type": "number"}}}


def status(data: dict[str, object]) -> str:
    return prove(data, TEXT, schema=SCHEMA)[0].status


def modules_of(room: str) -> set[str]:
    package = Path(gleaner.__file__).parent
    paths = [path.relative_to(package).with_suffix("") for path in (package / room).rglob("*.py")]
    return {".".join(path.parts) for path in paths if path.name != "__init__"}


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda one: one.name)
def test_each_mechanism_names_functions_that_exist(mechanism: Mechanism) -> None:
    for switch in mechanism.switches:
        _, _, function = resolved(switch.target)
        assert callable(function)
        if isinstance(switch.off, GivesBack):
            assert switch.off.argument in inspect.signature(function).parameters


def test_each_module_of_the_rooms_that_judge_holds_a_mechanism_or_is_named_as_a_foundation() -> None:
    targets = {switch.target.partition(":")[0] for one in MECHANISMS for switch in one.switches}
    switched = {target.removeprefix("gleaner.") for target in targets}
    there = set().union(*map(modules_of, ROOMS))
    assert (switched & there) | FOUNDATIONS == there
    assert not switched & FOUNDATIONS


def test_names_are_given_once() -> None:
    assert len({one.name for one in MECHANISMS}) == len(MECHANISMS)


def test_a_mechanism_is_off_in_the_block_and_on_again_after_it_and_after_a_failure() -> None:
    assert status({"price": 3}) == "ungrounded"
    with switched_off(*named(["proof.units", "proof.figures"])):
        assert status({"price": 3}) != "ungrounded"
    assert status({"price": 3}) == "ungrounded"
    with pytest.raises(RuntimeError, match="stop"), switched_off(*named(["proof.units", "proof.figures"])):
        raise RuntimeError("stop")
    assert status({"price": 3}) == "ungrounded"


def test_switching_all_off_and_on_leaves_every_module_as_it_was() -> None:
    before = {target: resolved(target)[2] for one in MECHANISMS for target in [one.switches[0].target]}
    everywhere = {
        (name, attribute): value
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == "gleaner"
        for attribute, value in vars(module).items()
    }
    with switched_off(*MECHANISMS):
        assert any(resolved(target)[2] is not function for target, function in before.items())
    for (name, attribute), value in everywhere.items():
        assert getattr(sys.modules[name], attribute) is value or attribute.startswith("__"), f"{name}.{attribute}"
    for target, function in before.items():
        assert resolved(target)[2] is function


def test_a_trace_names_the_mechanisms_that_did_something_and_no_others() -> None:
    watched = named(["proof.units", "proof.kanji", "proof.crowded"])
    with traced(watched) as fired:
        prove({"price": 3}, TEXT, schema=SCHEMA)
    assert fired == {"proof.units"}


def test_a_refusal_is_something_that_a_mechanism_does() -> None:
    page = "<table><tr><th>Name<th>Price</tr><tr><td>Lamp<td>5.50</tr></table>"
    records = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    with traced(named(["structured.query"])) as fired:
        find_answer(open_page(page, ""), records, query="all names")
        assert not fired
        with pytest.raises(Declined):
            find_answer(open_page(page, ""), records, query="lamps under ten euros")
    assert fired == {"structured.query"}


def test_what_a_trace_watches_gives_what_it_gave() -> None:
    with traced(MECHANISMS):
        assert status({"price": 65}) == "verbatim" or status({"price": 65}) == "normalized"
        assert status({"price": 3}) == "ungrounded"


def test_a_name_stands_for_all_below_it_and_an_unknown_one_is_refused() -> None:
    assert {one.name for one in named(["proof.flags"])} >= {"proof.flags.denied", "proof.flags.denies"}
    assert named([]) == list(MECHANISMS)
    with pytest.raises(ValueError, match=r"no mechanism is called proof\.lables"):
        named(["proof.flags", "proof.lables"])


def results(**verdicts: str) -> dict[str, Any]:
    return {"mechanisms": {name.replace("_", "."): {"verdict": said} for name, said in verdicts.items()}}


def test_a_group_is_chosen_by_names_and_by_what_the_last_run_said() -> None:
    known = results(proof_doubts="earns", proof_units="nothing", structured_query="nothing")
    assert chosen_by(["proof.doubts", "proof.units"], known) == ["proof.doubts", "proof.units"]
    assert chosen_by(["verdict=nothing"], known) == ["proof.units", "structured.query"]
    assert chosen_by(["proof", "verdict=nothing"], known) == ["proof.units"]
    with pytest.raises(ValueError, match="no mechanism has the verdict nonsense; there are earns, nothing"):
        chosen_by(["verdict=nonsense"], known)


def test_everything_but_a_few_is_off_and_a_group_may_keep_some() -> None:
    known = results(proof_doubts="earns")
    every = [one.name for one in MECHANISMS]
    assert switched([], ["proof.doubts"], known) == [name for name in every if name != "proof.doubts"]
    assert switched(["proof.flags"], ["proof.flags.denies"], known) == ["proof.flags.denied"]


def test_half_a_point_over_all_corpora_earns_a_place() -> None:
    assert verdict({"all.harm": 0.5}, acts=9, failed=0) == "earns"
    assert verdict({"all.harm": 0.49, "all.tier0": -3.0}, acts=9, failed=0) == "nothing"
    assert verdict({}, acts=9, failed=1) == "needed"
    assert verdict({}, acts=0, failed=0) == "unseen"


def sums(**of_courts: int) -> dict[str, Tally]:
    return {source: Tally(of_courts) if source == "courts" else Tally() for source in SOURCES}


def test_a_row_that_changes_is_told_for_its_corpus_and_over_all() -> None:
    on, off = (
        sums(given=100, refused=1, whole=1, calls=4, needed=4),
        sums(given=100, refused=3, whole=1, calls=5, needed=4),
    )
    rows = {row["id"]: row["earns"] for row in ablation_report.differences(on, off)}
    assert rows == {"courts.refused": 20.0, "all.refused": 20.0, "courts.calls": 25.0, "all.calls": 25.0}
    assert ablation_report.differences(on, on) == []


def test_the_page_tells_groups_and_each_mechanism_best_first() -> None:
    def entry(points: float, said: str) -> dict[str, Any]:
        return {
            "earns": {"all.harm": points},
            "cases": 9,
            "acts": 4,
            "measured": 4,
            "fails_without": 0,
            "verdict": said,
        }

    row = {"id": "all.harm", "on": 30.0, "off": 32.5, "earns": 2.5}
    group = {"off": ["proof.a", "proof.b"], "cases": 9, "seconds": [10.0, 8.0], "rows": [row], "fails_without": []}
    found = {
        "groups": {"proof": group},
        "mechanisms": {"proof.b": entry(0.1, "nothing"), "proof.a": entry(2.0, "earns")},
    }
    told = ablation_report.page(found)
    assert "2 mechanisms off, 9 cases, 10 → 8 s of processor time (-20%)." in told
    assert "| all.harm | 30 | 32.5 | +2.50 |" in told
    assert told.index("`proof.a` | 4 of 9 | harm +2.0 | earns") < told.index("`proof.b`")
    assert "1 earn, 0 are needed, 1 earn nothing, 0 are unseen." in told
