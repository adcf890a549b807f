"""A recipe in words: what `gleaner strategies show` and the API tell about it."""

from gleaner.contracts.ports import JsonObject
from gleaner.recipes.asides import STRUCK
from gleaner.recipes.book import RecipeBook
from gleaner.recipes.labels import SAID
from gleaner.recipes.markers import OWN_TEXT
from gleaner.recipes.model import FieldRecipe, FieldSelector, ListRecipe, Recipe, RecordSelector
from gleaner.recipes.templates import sentence_of


def described(book: RecipeBook, strategy_id: str) -> JsonObject:
    """Give a strategy's recipes: the counts of ``history``, and in ``kept`` each one in words, best first."""
    kept = [
        {"version": one.version, "hits": one.hits, "misses": one.misses, **in_words(one.recipe)}
        for one in book.recipes(strategy_id)
    ]
    return {**book.history(strategy_id), "kept": [*kept]}


def in_words(recipe: Recipe) -> JsonObject:
    """Give where the records stand and how each field is read, most trusted first.

    The fields of a list's items stand under the list's name with "[]".
    """
    fields: JsonObject = {_name(one): [*_ways(one)] for one in (*recipe.outer, *recipe.fields)}
    for one in recipe.outer_lists:
        fields.update(_list_in_words(one, "on the page"))
    for one in recipe.lists:
        fields.update(_list_in_words(one, "in each record"))
    return {
        "learned_from": recipe.url,
        "records": [record_in_words(one) for one in recipe.record],
        "fields": fields,
    }


def _list_in_words(one: ListRecipe, where: str) -> JsonObject:
    """Say where the items of a list stand, and how each of their fields is read."""
    name = ".".join(one.steps)
    places = "; ".join(record_in_words(each) for each in one.items.record)
    said: JsonObject = {name: [f"a list: {where}, {places}"]}
    said.update({f"{name}[].{_name(field)}": [*_ways(field)] for field in one.items.fields})
    for inner in one.items.lists:
        said.update({f"{name}[].{key}": ways for key, ways in _list_in_words(inner, "in each item").items()})
    return said


def record_in_words(one: RecordSelector) -> str:
    """Say which elements hold the records.

    >>> record_in_words(RecordSelector(kind="element", by="class", tag="div", value="card", without=("sponsored",)))
    'each div of class card, but none of class sponsored'
    """
    if one.kind == "page":
        return "the page"
    found = {"class": "of class ", "attribute": f"with {one.name}=", "head": "that begins with "}
    place = f"{found.get(one.by, 'at ')}{one.value}"
    inside = f", inside the {_scope(*one.scope)}" if one.scope else ""
    but = f", but none of class {' or '.join(one.without)}" if one.without else ""
    run = ", with what follows it" if one.kind == "run" else ""
    run += ", the last one to what ends all others" if one.end else ""
    return f"each {one.tag} {place}{run}{inside}{but}"


def _scope(tag: str, name: str, value: str) -> str:
    words = {"beside": f'{tag} after "{value}"', "headed": f'{tag} under the heading "{value}"'}
    return words.get(name, f"{tag} of {name} {value}")


def _name(one: FieldRecipe) -> str:
    return ".".join(one.steps) or "record"


def _ways(one: FieldRecipe) -> list[str]:
    return [selector_in_words(selector) for selector in one.selectors] or ["never seen: null"]


def selector_in_words(one: FieldSelector) -> str:
    """Say how a value is found and read.

    >>> selector_in_words(FieldSelector(kind="class", tag="span", value="price", prefix="$", transforms=("number",)))
    'the span of class price, after "$", as number'
    >>> selector_in_words(FieldSelector(kind="template", value='[["", " by ", "."], ["text", "text"]]', nth=1))
    'part 2 of the sentence "… by …."'
    """
    what = f"the {one.attribute} of {_place(one)}" if one.attribute else _place(one)
    cuts = [f'{side} "{_shown(text)}"' for side, text in (("after", one.prefix), ("before", one.suffix)) if text]
    if one.aside:
        cuts.append(
            "without what is struck out" if STRUCK in one.aside else f"before the {' or '.join(one.aside)} in it"
        )
    cuts += [f'{one.side} "{one.mark}"'] if one.side else []
    cuts += [f'part {one.part[0] + 1} of {one.part[1]} between "{one.mark}"'] if one.part else []
    cuts += [f"value {one.slot + 1} of those that it is made of"] if one.phrase else []
    cuts += [f'each part between "{one.separator}"'] if one.separator else []
    read = [f"as {' or '.join(one.transforms)}"] if one.transforms else []
    read += ["by its presence"] if one.presence else []
    read += [f"with {' or '.join(map(repr, one.nothing))} for none"] if one.nothing else []
    read += [f"by the words {', '.join(text for text, _ in one.words)}"] if one.words else []
    return ", ".join([f"all of {what}" if one.many else what, *cuts, *read])


def _shown(words: str) -> str:
    return words.strip("\n ").replace("\t", "9")


def _place(one: FieldSelector) -> str:
    return {
        "self": "the record's element",
        "attribute": f"the {one.tag} with {one.name}{'=' if one.value else ''}{one.value}",
        "class": f"the {one.tag} of class {one.value}",
        "column": f'the {f"{one.tag} in the cell" if one.tag else "cell"} of the column "{one.value}"',
        "beside": f'the {one.tag} after "{one.value}"' + (f" in the {one.name}" if one.name not in ("", SAID) else ""),
        "within": f"the {one.tag} in the {one.name} of class {one.value}",
        "tag": f"the {one.tag}",
        "path": f"the element at {one.value}",
        "placed": f"the element at {one.tag} in the {one.name} named {one.value}, where nothing else looks like it",
        "label": f'the text labelled "{one.value}"',
        "typed": "the only text that reads so",
        "worded": f'the {one.tag} that says "{one.value}"'
        if one.value
        else f"the {one.tag} with fixed words around the value",
        "template": f"part {one.nth + 1} of the sentence {sentence_of(one.value)}" if one.kind == "template" else "",
        "linked": f"the {one.tag} to an address that {'begins' if one.value[-1:] == ':' else 'ends'} with {one.value}",
        "behind": f"the text behind the {one.tag} "
        + (f'"{one.value[1:]}"' if one.value.startswith(OWN_TEXT) else f"named {one.value}"),
        "heading": f"the last {one.tag}{' of class ' if one.value else ''}{one.value} before the record's group",
        "rest": f"text {one.nth + 1} of those that are no other field's",
    }[one.kind]
