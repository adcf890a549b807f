"""What a request's actions may say, as objects and as lines of text, and what is said of what they may not."""

from typing import Any

import pytest
from gleaner.contracts.actions import DEEDS, MOST_ACTIONS, read_action
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.models import ScrapeRequest, parse_request
from gleaner.jobs.jobs import JobRef
from gleaner.jobs.pages import page_id_of
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.req("AC-1")

URL = "https://example.com/"
SAME: dict[str, dict[str, Any]] = {
    "click: text=Show all": {"do": "click", "target": "text=Show all"},
    "fill: css=#q => a => b": {"do": "fill", "target": "css=#q", "value": "a => b"},
    "fill: text=Word =>": {"do": "fill", "target": "text=Word", "value": ""},
    "select: role=combobox[name=Country] => Norway": {
        "do": "select", "target": "role=combobox[name=Country]", "value": "Norway",
    },
    "check: text=In stock": {"do": "check", "target": "text=In stock"},
    "check: text=In stock => false": {"do": "check", "target": "text=In stock", "value": False},
    "press: Enter": {"do": "press", "value": "Enter"},
    "press: css=#q => Control+A": {"do": "press", "target": "css=#q", "value": "Control+A"},
    "hover: text=Menu": {"do": "hover", "target": "text=Menu"},
    "wait_for: css=.results > li": {"do": "wait_for", "target": "css=.results > li"},
    "wait_for: 500": {"do": "wait_for", "ms": 500},
    "scroll": {"do": "scroll"},
    "scroll: text=More": {"do": "scroll", "target": "text=More"},
}  # fmt: skip


def _request(*actions: Any) -> ScrapeRequest:
    return parse_request({"url": URL, "actions": list(actions)})


def _refusal(actions: Any, **fields: Any) -> str:
    with pytest.raises(InvalidRequest) as refused:
        parse_request({"url": URL, "actions": actions, **fields})
    return str(refused.value)


@pytest.mark.parametrize("line", SAME)
def test_a_line_of_text_asks_for_the_same_as_its_object(line: str) -> None:
    assert _request(line).actions == _request(SAME[line]).actions
    assert str(_request(line).actions[0]) == line.removesuffix(" =>") + (" => " if line.endswith("=>") else "")
    assert {str(one["do"]) for one in SAME.values()} == set(DEEDS)


def test_a_text_has_an_action_a_line_and_may_have_remarks() -> None:
    text = "# the search\nfill: css=#q => lamps\n\n  click: text=Search\n"
    assert parse_request({"url": URL, "actions": text}).actions == _request(*text.splitlines()[1::2]).actions


def test_a_request_is_written_and_read_again_with_its_actions() -> None:
    request = _request(*SAME)
    assert ScrapeRequest.model_validate_json(request.model_dump_json()) == request


REFUSED: dict[str, Any] = {
    "step 2: 'klick: text=A' is not an action: begin with one of click, fill": ["scroll", "klick: text=A"],
    "step 1: target 'Show all': a target is css=SELECTOR, text=VISIBLE TEXT": ["click: Show all"],
    "step 1: target 'css=': a target is": ["click: css="],
    "step 1: target 'xpath=//a': a target is": ["click: xpath=//a"],
    "step 1: target 'css=a >> b': css= takes one CSS selector": ["click: css=a >> b"],
    "step 1: target 'role=knob': 'knob' is not a role of WAI-ARIA": ["click: role=knob"],
    "step 1: click needs a target": ["click"],
    "step 1: fill needs a value, the text to fill in": ["fill: css=#q"],
    "step 1: 'Return' is not a key": ["press: Return"],
    "step 1: hover takes no value": ["hover: css=a => b"],
    "step 1: check takes the value true or false, not 'maybe'": ["check: css=a => maybe"],
    "step 1: wait_for needs a target or ms, and not both": [{"do": "wait_for", "target": "css=a", "ms": 5}],
    "step 1: ms: Input should be less than or equal to 30000, not '30001'": ["wait_for: 30001"],
    "step 1: scroll takes no ms": [{"do": "scroll", "ms": 5}],
    "step 1: script: unknown field": [{"do": "click", "target": "css=a", "script": "x"}],
    "step 1: do: Input should be 'click', 'fill'": [{"do": "evaluate", "value": "x"}],
    "step 1: an action is an object or a line of text, not int": [5],
    "Input should be a list of actions, not 5": 5,
    "a request may have 20 actions, not 21": ["scroll"] * (MOST_ACTIONS + 1),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_is_no_action_is_told_by_its_step_with_what_would_be_right(said: str) -> None:
    assert _refusal(REFUSED[said]).startswith(f"actions: {said}")


def test_actions_need_a_page_to_act_on() -> None:
    with pytest.raises(InvalidRequest, match="actions need a page to act on: give its url"):
        parse_request({"page_id": "abcdefgh", "actions": ["scroll"]})


@given(st.text(max_size=80), st.sampled_from([*DEEDS, "", "css"]))
def test_any_line_is_an_action_or_an_error_that_says_what_one_is(text: str, do: str) -> None:
    for actions in ([f"{do}: {text}"], [text], text):
        try:
            request = parse_request({"url": URL, "actions": actions})
        except InvalidRequest:
            continue
        assert ScrapeRequest.model_validate_json(request.model_dump_json()) == request


def test_long_lines_are_read_in_no_time() -> None:
    for line in (" " * 200_000, "click" + " " * 200_000 + "x", "fill: " + " =>" * 100_000, "press: " + "+" * 200_000):
        with pytest.raises(InvalidRequest):
            _request(line)
    assert read_action("fill: css=a => " + " " * 100_000)["value"] == ""


def test_other_actions_make_another_page() -> None:
    ref = JobRef("job")
    ids = {page_id_of(ref, URL, _request(*actions).actions) for actions in ([], ["scroll"], ["scroll", "press: End"])}
    assert len(ids) == 3
    assert page_id_of(ref, URL) in ids
