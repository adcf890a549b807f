"""What the recipes' tree has of a page is known by the nodes of the page, whatever was put in or taken out of it."""

import pytest
from gleaner.page.opening import open_page
from gleaner.units import primary_units
from gleaner.wrappers.opening import tree_of

ITEM = (
    "<li class=ware><script>var a = 1</script><h3>{0} jug</h3><p hidden>Old {0}</p><i class='icon-star'></i>"
    "<svg><path d=''/></svg><p>from <b>Leeds</b><br>in {0}</p><noscript><img src=/p></noscript><p>{1} €</p></li>"
)
ROW = "<tr><td><input type=checkbox></td><td rowspan=1>{0} jug</td><td><style>b{{}}</style><b>{1}</b> €</td></tr>"
PAGES = {
    "li": ("<ul><ul><li>x</li></ul>{}</ul>", ITEM),
    "tr": ("<table><tr><th></th><th>Name</th><th>Price</th></tr>{}</table>", ROW),
}


@pytest.mark.req("RC-2", "CM-1")
@pytest.mark.parametrize("tag", PAGES)
def test_a_unit_and_a_recipes_container_of_one_record_are_the_same_nodes(tag: str) -> None:
    around, each = PAGES[tag]
    body = around.format("".join(each.format(wood, 5 + at) for at, wood in enumerate(("Larch", "Oak", "Elm", "Yew"))))
    html = f"<html><head><title>Jugs</title><style>p{{}}</style></head><body><nav>Menu</nav><h1>Jugs</h1>{body}</body>"
    page = open_page(html, "https://shop.example/")
    units = primary_units(page.units)
    tree = tree_of(page)
    containers = [element for element in tree.root.iter(tag) if "jug" in "".join(map(str, element.itertext()))]
    assert [unit.region for unit in units] == [tree.region([element]) for element in containers]
    assert len(units) == 4


@pytest.mark.req("RC-2")
def test_a_run_of_siblings_reaches_to_the_end_of_the_last_one() -> None:
    tree = tree_of(open_page("<dl><dt>Oak</dt><dd>5 <b>€</b></dd><dt>Elm</dt></dl>"))
    first, last = tree.root.find(".//dt"), tree.root.find(".//dd")
    assert first is not None and last is not None
    assert tree.region([first, last]) == (3, 6)
    assert tree.region([tree.root.makeelement("div")]) is None
