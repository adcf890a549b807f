"""What is read place by place in many containers is what each of them says when it is read alone."""

import random

import pytest
from gleaner.coercion import TRANSFORMS
from gleaner.recipes import learn
from gleaner.recipes.guards.advertisements import ad_labels, ad_labels_of
from gleaner.recipes.model import FieldSelector
from gleaner.recipes.page.boxes import Box, open_page
from gleaner.recipes.page.pieces import Cutter, Piece
from gleaner.recipes.page.record_selectors import boxes_of, runs
from gleaner.recipes.page.rows import Rows
from gleaner.recipes.selectors.readers import Reader
from gleaner.recipes.texts.decoding import Decoded, Memory
from gleaner.recipes.texts.figures_alike import ALIKE, read_alike
from gleaner.testing.pages import LIST_KINDS, PageKind, make_layout, render_page

pytestmark = pytest.mark.req("RC-2")

RECORDS = {
    "alike": "<div class=r><b>{n} one</b> <i>Price: {n} EUR</i></div>",
    "an empty cell now and then": "<div class=r><b>{n} one</b><i>{some}</i><u></u></div>",
    "text between and behind": "<div class=r>Lot {n} – <b>{n} one</b>, by <i>Roe {n}</i> | {some}</div>",
    "comments and scripts between texts": "<div class=r>Lot <!-- -->{n}<script>1</script> of<b>{n}</b> {some}</div>",
    "a text over several lines": "<div class=r>\n  {n}\n  one\xa0 two <b> {some} </b>\n</div>",
    "labels in their own elements": "<div class=r><b>Price</b> <i>{n}</i><b>Note:</b> <i>{some}</i></div>",
    "labels that change": "<div class=r><i>{some}: {n}</i> <b>{n}, {some}</b></div>",
    "a caption before a number": "<div class=r><i>Pages {n}</i> <b>Pages {some}</b></div>",
    "parts with signs between": "<div class=r><i>{n} · {some} · end</i><b>- {n} -</b></div>",
    "labels before words": "<div class=r><i>Pages of {some}{n}</i><b>Price: {n},{some}</b></div>",
    "elements in each other": "<div class=r><b>{n}<i>{some}</i></b>{n}</div><div class=r><b>{n}</b><i>{n}</i></div>",
    "classes of their own": "<div class=r><b class=c>{n}</b><b>x</b></div><div class=r><b>{n}</b><b class=c>y</b>",
    "marks of their own": "<div class=r><i title=a>{n}</i><i>x</i></div><div class=r><i>{n}</i><i title=b>x</i></div>",
    "other marks": "<div class=r data-k={some}><i title='{n} {some}'>x</i><b class='c {some}'>{n}</b></div>",
    "a record inside": "<div class=r><b>{n} outer</b> <div class=r><i>inner {n}</i></div> tail {some} <u>{n}</u></div>",
}


def page_of(record: str, count: int = 24) -> str:
    some = ("", "few", "two words", "few")
    return f"<main>{''.join(record.format(n=at * 37, some=some[at % 4]) for at in range(count))}</main>"


def cells_and_pieces(boxes: list[Box], selectors: list[FieldSelector]) -> tuple[list[list[str]], list[list[Piece]]]:
    rows = Rows(boxes, selectors)
    cells = [[repr(cell) for cell in rows.column(Reader(selector))] for selector in selectors]
    pieces: list[list[Piece]] = [[] for _ in boxes]
    for one in rows.pieces:
        for at, row in enumerate(one.rows):
            pieces[row] = [(label, texts[at]) for label, texts in zip(one.labels, one.texts, strict=True)]
    return cells, pieces


def assert_alike(boxes: list[Box], selectors: list[FieldSelector]) -> None:
    together = cells_and_pieces(boxes, selectors)
    alone = [cells_and_pieces([Box(box.elements, box.captions, box.stops)], selectors) for box in boxes]
    assert together[0] == [[cells[at][0] for cells, _ in alone] for at in range(len(selectors))]
    assert together[1] == [pieces[0] for _, pieces in alone] == [box.pieces for box in boxes]


SELECTORS = [
    FieldSelector(kind="tag", tag="b"),
    FieldSelector(kind="tag", tag="i", transforms=("number",), prefix="inner "),
    FieldSelector(kind="self"),
    FieldSelector(kind="attribute", name="title", tag="i", attribute="title"),
    FieldSelector(kind="class", value="c", tag="b", transforms=("integer",)),
    FieldSelector(kind="beside", tag="i", value="Price"),
    FieldSelector(kind="label", value="Price", transforms=("money",)),
    FieldSelector(kind="typed", transforms=("integer",)),
    FieldSelector(kind="rest"),
]


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_containers_that_are_built_alike_are_read_as_each_is_alone(record: str) -> None:
    root = open_page(page_of(record))
    found = [node for node in root.iter("div") if node.get("class") == "r"]
    cutter = Cutter(frozenset({"Pages"}))
    assert_alike([Box([node], cutter, frozenset(found)) for node in found], SELECTORS)


def test_runs_of_siblings_are_read_as_each_is_alone() -> None:
    entry = "<dt>{n} one</dt><dd>{some}</dd>between<dd>Price: {n} EUR</dd>"
    root = open_page(f"<dl>{page_of(entry).removeprefix('<main>').removesuffix('</main>')}</dl>")
    cutter = Cutter()
    assert_alike([Box(run, cutter) for run in runs([*root.iter("dt")])], SELECTORS)


@pytest.mark.parametrize("kind", LIST_KINDS)
def test_a_learned_recipe_reads_a_page_as_each_of_its_records_alone(kind: PageKind) -> None:
    layout = make_layout(random.Random(f"builds {kind}").randrange(10**6), kind)
    page, after = render_page(layout, 12), render_page(layout, 40, data=1)
    recipe = learn(page.html, page.url, page.schema, page.truth)
    assert recipe is not None
    boxes = boxes_of(open_page(after.html), recipe.record[0], frozenset(recipe.captions))
    assert_alike(boxes, [each for one in recipe.fields for each in one.selectors if not each.many])


NUMBERS = ("{}", "${}", "{} EUR", "USD {}", "{} %", "({} reviews)", "{}th", "-{}", "{},-", "No. {}", "{} of 9", "£{} ")


@pytest.mark.parametrize("transform", sorted(ALIKE))
def test_numbers_read_at_once_are_what_each_of_them_is(transform: str) -> None:
    chance = random.Random(f"numbers {transform}")
    forms = ("{:d}", "{:.2f}", "{:,.2f}", "{:,d}", "{:.3f}", "{:03d}", "{:.0e}", "{:,.3f}")
    numbers = [form.format(chance.randrange(10**5) if "d" in form else chance.uniform(0, 10**5)) for form in forms * 30]
    numbers += [f"{number:04d}" for number in range(0, 10**4, 333)]
    numbers += [each.translate(str.maketrans(",.", ".,")) for each in numbers]
    texts = [around.format(number) for around in NUMBERS for number in numbers]

    def read(text: str) -> object:
        try:
            return TRANSFORMS[transform](text)
        except ValueError:
            return None

    found = read_alike(texts, transform, read)
    assert len(found) > 50
    assert {text: repr(value) for text, value in found.items()} == {text: repr(read(text)) for text in found}


@pytest.mark.parametrize(
    "selector",
    [
        FieldSelector(kind="self", transforms=("money",)),
        FieldSelector(kind="self", transforms=("money",), units=("€",)),
        FieldSelector(kind="self", transforms=("number",), prefix="Price: ", suffix=" €"),
        FieldSelector(kind="self", transforms=("integer",), suffix=" reviews"),
        FieldSelector(kind="self", transforms=("count",), units=("reviews",)),
        FieldSelector(kind="self", transforms=("number",), nothing=("12.50",), zeros=("free",)),
    ],
    ids=lambda each: f"{each.transforms[0]} {each.prefix}{each.suffix}{''.join(each.units)}",
)
def test_a_column_that_is_filled_holds_what_each_text_is_read_as(selector: FieldSelector) -> None:
    numbers = ["1", "12.50", "1.299,00", "1,299.00", "0", "007", "45", "46", "47", "48", "13.50", "14.75", "18.20"]
    around = ("{}", "{} €", "{} kg", "Price: {} €", "{} reviews", "{} review", "{} ratings", "Jürgen {}")
    texts = [one.format(number) for one in around for number in numbers]
    texts += ["", "–", "free", "none", "N/A", "Not available", "Jürgen", "Price:  €", "Price: none €", "²", "½"]
    filled = Memory().of(selector)
    filled.fill(texts)
    assert {text: repr(filled[text]) for text in texts} == {text: repr(Decoded(selector)[text]) for text in texts}


def test_labels_of_advertisements_are_found_in_what_the_records_say() -> None:
    record = "<div class=r><b>{n}</b> <i>{some}</i></div>"
    page = page_of(record).replace("two words", "Sponsored").replace("few", "Advertisement: more")
    root = open_page(page + "<p>Promoted</p>")
    boxes = [Box([node]) for node in root.iter("div")]
    said = Rows(boxes, SELECTORS).said
    assert said is not None
    assert ad_labels_of(boxes, said) == ad_labels_of(boxes) == ["Advertisement:", "Sponsored"]
    assert ad_labels_of(boxes[:1], said) == []
    assert ad_labels([root]) == {"Advertisement:", "Promoted", "Sponsored"}
