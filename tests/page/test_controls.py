"""The controls of a page as the steps that use them."""

import pytest
from gleaner.contracts.actions import Action, read_action
from gleaner.page.controls import controls_of

FORM = """<nav><a href="/">Home</a><a href="/news">News</a>
<a href="/more">More</a><a href="/other">More</a><a>None</a></nav>
<form><label for="q">Find a <b>lamp</b></label><input id="q" type="search">
<label>Country <select><option>Chile</option></select></label>
<label><span>In stock</span><input type="checkbox"></label>
<input placeholder="Your name"><input type="password" aria-label="Word"><input type="hidden" value="x">
<input type="submit" value="Search now"><button disabled>Later</button>
<button><img alt="Menu" src="m.png"></button></form>
<div data-gleaner-hidden="display"><button>Unseen</button></div>
<div role="tab">Reviews [12]</div>"""


@pytest.mark.req("AC-1")
def test_the_visible_controls_are_steps_and_links_come_last() -> None:
    steps = controls_of(FORM)
    assert steps == [
        "fill: role=searchbox[name=Find a] => ",
        "select: role=combobox[name=Country] => ",
        "check: role=checkbox[name=In stock]",
        "fill: role=textbox[name=Your name] => ",
        "click: role=button[name=Search now]",
        "click: role=button[name=Menu]",
        "click: role=tab[name=Reviews [12]]",
        "click: role=link[name=Home]",
        "click: role=link[name=News]",
    ]
    for step in steps:
        Action.model_validate(read_action(f"{step}Lamp" if step.endswith(" ") else step))
