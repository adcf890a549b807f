"""Actions on a page: what each of them does, what the log says, and how one that can't be done is told."""

# ruff: noqa: E501 - a page in one line reads better than one in pieces

import pytest
from gleaner.contracts.actions import read_actions
from gleaner.contracts.errors import ActionFailed
from gleaner.contracts.ports import RenderedPage, RenderOrder

from tests.support.acting_site import LAMPS, acting_pages

pytestmark = pytest.mark.req("AC-1")


@pytest.fixture
def act(site, renderer):
    acting_pages(site)

    def show(path: str, *actions: str, **order: object) -> RenderedPage:
        return renderer.render(RenderOrder(site.url(path), actions=read_actions(list(actions)), **order))

    return show


@pytest.fixture
def refusal(act):
    def refuse(path: str, *actions: str) -> ActionFailed:
        with pytest.raises(ActionFailed) as failed:
            act(path, *actions)
        return failed.value

    return refuse


def test_a_search_form_is_filled_in_and_its_results_are_read(site, act):
    page = act("/lamps", "fill: text=Find => floor", "click: role=button[name=Search]")
    assert page.url == site.url("/found?q=floor")
    assert page.html.count("floor lamp") == 4
    filled, clicked = page.actions
    assert (filled.step, filled.action, filled.error) == (1, "fill: text=Find => floor", None)
    assert (clicked.met, clicked.url_before) == ('button "Search"', site.url("/lamps"))
    assert clicked.url == page.url
    assert clicked.text_length > clicked.text_length_before > 0


def test_enter_sends_a_form(site, act):
    assert act("/lamps", "fill: css=#q => wall", "press: css=#q => Enter").url == site.url("/found?q=wall")


def test_what_a_click_loads_is_waited_for(act):
    page = act("/all", "click: text=show  ALL")
    assert all(lamp["name"] in page.html for lamp in LAMPS)
    assert "Ben: too bright" in act("/lamp", "click: role=tab[name=Reviews]").html


WAYS = {
    "select: css=#country => Norway": "country no",
    "select: text=Country => no": "country no",
    "check: text=In stock": "in stock true",
    "hover: text=Menu": "menu open",
    "click: text=Framed": "from a frame",
    "click: role=button[name=Shadowed]": "from a shadow root",
    "scroll": "scrolled down",
}


def test_each_action_does_what_it_says(act):
    act("/controls", *(step for action, said in WAYS.items() for step in (action, f"wait_for: text={said}")))
    assert '<p id="out">scrolled down</p>' in act("/controls", "scroll: text=the end").html


DRAWN = {
    "fill: text=Full name => Ada": "name Ada",
    "fill: text=Start date => 2026-03-04": "from 2026-03-04",
    "click: text=Pick a colour": "painted",
    "select: text=Size => large": "size large",
    "select: text=Maker => Nordby": "made by Nordby",
    "check: text=Gift wrap": "wrap true",
    "check: text=In stock": "stock true",
}


def test_controls_that_a_library_draws_are_acted_upon_by_their_names(act):
    page = act("/drawn", *(step for action, said in DRAWN.items() for step in (action, f"wait_for: text={said}")))
    assert f'<p id="out">{[*DRAWN.values()][-1]}</p>' in page.html
    opened = act("/drawn", "click: text=Size", "click: text=Small")
    assert '<p id="out">size small</p>' in opened.html


def test_a_list_without_such_an_option_is_told_as_one(refusal):
    assert "clicked, it shows none of that name" in str(refusal("/drawn", "select: text=Size => Huge"))


def test_a_key_goes_to_what_was_filled_in(act):
    page = act("/controls", "fill: role=textbox[name=Word] => lamp", "press: Enter", "wait_for: text=entered lamp")
    assert "entered lamp" in page.html
    assert page.actions[2].met.endswith('"entered lamp"')


FAILURES = {
    "click: text=Nothing of the kind": "text=Nothing of the kind is not on the page",
    "click: role=button[name=Mor]": 'is there 2 times: button "More", button "More"; name one of them',
    "click: role=button[name=Buy]": 'is not on the page, which has button "Sold out", button "More"',
    "click: css=button[hidden]": "is there, but hidden",
    "click: text=Sold out": "it is disabled",
    "click: text=Under": 'it is covered by <div id="veil">; close that first',
    "fill: text=Menu => x": "it is no field that text can be filled in",
    "select: css=#country => Sweden": "it has no option 'Sweden'; it has Germany, Norway",
    "select: text=Menu => x": "it is no list of options",
    "check: text=Menu": "it is no checkbox",
    "click: css=a[": "its css= is not a valid CSS selector",
}


@pytest.mark.parametrize("action", FAILURES)
def test_what_cannot_be_done_is_told_by_its_step_with_a_picture(refusal, action):
    failed = refusal("/controls", "hover: text=Menu", action)
    assert str(failed).startswith(f"step 2, {action}: ")
    assert FAILURES[action] in str(failed)
    assert [outcome.error is None for outcome in failed.outcomes] == [True, False]
    assert failed.screenshot.startswith(b"\x89PNG")


TRAPS = {
    "click: text=Alerts": 'the page opens dialogs without end, the last: alert "again", dismissed',
    "click: text=Busy": "it did not end within",
    "click: text=Gone": "it led to a page that can't be read: http",
    "click: text=Nobody": "it led to a page that can't be read: http://127.0.0.1:9999/ is refused: 127.0.0.1 is loopback",
}


@pytest.mark.parametrize("action", TRAPS)
def test_a_trap_ends_the_actions_with_an_error(refusal, act, action):
    assert TRAPS[action] in str(refusal("/traps", action, "click: text=Ask"))
    assert "the page" in act("/traps").html  # the worker goes on


def test_dialogs_windows_and_downloads_are_closed_and_noted(act):
    page = act("/traps", "click: text=Ask", "click: text=Window", "click: text=File")
    assert page.title == "asked"
    asked, opened, loaded = (outcome.notes for outcome in page.actions)
    assert asked == ['confirm "Sure?", dismissed']
    assert opened[0].startswith("a new window, closed")
    assert loaded[0].startswith("a download, refused")


def test_a_page_that_a_click_leads_to_is_the_one_that_is_read(site, act):
    page = act("/traps", "click: text=Away")
    assert (page.url, page.title) == (site.url("/elsewhere"), "Elsewhere")
    assert "another page" in page.html


def test_a_page_may_change_its_functions_without_keeping_actions_from_it(site, act):
    site.page(
        "/broken",
        "<button id=b onclick=\"this.textContent = 'done'\">Go</button><script>Array.prototype.map = null;"
        "Document.prototype.querySelectorAll = () => []; Element.prototype.matches = () => { throw 1 }</script>",
    )
    assert "done" in act("/broken", "click: text=Go").html
