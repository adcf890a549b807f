"""The markup of pages that list records: cards, lists, definition lists, forums, flat runs, categories."""

from collections.abc import Callable, Sequence
from random import Random

from generated_pages.layouts import Layout
from generated_pages.tables import table_body
from generated_pages.values import FieldSpec, Record, filler_name, prose


def field_markup(layout: Layout, spec: FieldSpec, record: Record) -> str:
    """Write one field of a record in this layout's way; nothing, or an empty place, where the record has none."""
    text = layout.write(spec, record[spec.name])
    role = f"{layout.domain.name}-{spec.name}"
    tag = layout.choose(f"tag/{spec.name}", "span", "div", "p")
    if not text:
        return f"<{tag}{layout.css(role)}></{tag}>" if layout.chance(f"empty/{spec.name}", 0.15) else ""
    label = layout.choose(f"label/{spec.name}", "none", "none", "prefix", "own", "bold")
    if spec.kind in ("integer", "number") and label == "none":
        label = "prefix"
    if label == "prefix":
        text = f"{spec.label}: {text}"
    elif label == "bold":
        text = f"<b>{spec.label}:</b> {text}"
    elif label == "own":
        text = f"<span{layout.css('label')}>{spec.label}</span> <span{layout.css(role + '-value')}>{text}</span>"
    return f"<{tag}{layout.css(role)}>{text}</{tag}>"


def name_markup(layout: Layout, record: Record, *, linked: bool = True) -> str:
    """Write the field that names the record, mostly as a linked heading."""
    spec = layout.domain.fields[0]
    text = layout.write(spec, record[spec.name])
    if linked and (layout.links or layout.chance("name/linked", 0.7)):
        text = f'<a href="{record.get("url") or "/item/" + str(abs(hash_of(text)))}">{text}</a>'
    tag = layout.choose("name/tag", "h2", "h3", "h3", "h4", "div", "strong")
    return f"<{tag}{layout.css(layout.domain.name + '-' + spec.name)}>{text}</{tag}>"


def hash_of(text: str) -> int:
    """Give a number for a text, the same in every process."""
    return Random(text).randrange(10**6)


def advertisement(layout: Layout, tag: str, number: int) -> str:
    """Give an advertisement as it stands between records."""
    random = layout.random(f"ad/{number}")
    link = f'<a href="https://ads.example/{number}"><img src="/b.png" alt="">{prose(random, 1)}</a>'
    return f"<{tag}{layout.css('ad-slot')}><span>Advertisement</span>{link}</{tag}>"


def cards_body(layout: Layout, records: Sequence[Record]) -> str:
    """Write records as cards: with or without classes, lists of their own, grids in rows."""
    item = layout.choose("card/tag", "article", "div", "div", "li", "section", "a")
    cards: list[str] = []
    for number, record in enumerate(records):
        cards.append(_card(layout, record, item, number))
        if layout.ads_every and (number + 1) % layout.ads_every == 0:
            cards.append(advertisement(layout, "div" if item == "a" else item, number))
    if item != "li" and layout.chance("card/rows", 0.25):
        across = int(layout.choose("card/across", "2", "3", "4"))
        rows = [cards[start : start + across] for start in range(0, len(cards), across)]
        cards = [f"<div{layout.css('grid-row')}>{''.join(row)}</div>" for row in rows]
    box = "ul" if item == "li" else "div"
    return f"<{box}{layout.css('grid')}>{newline(cards)}</{box}>"


def newline(pieces: Sequence[str]) -> str:
    """Join pieces of markup line by line, as templates leave them."""
    return "\n".join(pieces)


def _card(layout: Layout, record: Record, item: str, number: int) -> str:
    random = layout.random(f"card/{number}/{record[layout.domain.fields[0].name]}")
    parts = [name_markup(layout, record, linked=item != "a")]
    if layout.chance("card/image", 0.6):
        parts.insert(0, f'<img src="/img/{number}.jpg" alt="" loading="lazy">')
    if layout.chance("card/badge", 0.3) and random.random() < 0.3:
        parts.insert(0, f"<span{layout.css('badge')}>Sale</span>")
    fields = [field_markup(layout, spec, record) for spec in layout.shown_fields()[1:]]
    if layout.chance("card/boxed", 0.5):
        fields = [f"<div{layout.css('card-body')}>{''.join(fields)}</div>"]
    parts += fields
    if layout.chance("card/button", 0.4):
        parts.append(f"<button{layout.css('button')}>Details</button>")
    link = f' href="{record.get("url") or f"/item/{number}"}"' if item == "a" else ""
    return wrapped(layout, f"<{item}{layout.css('card')}{link}>{''.join(parts)}</{item}>", item)


def wrapped(layout: Layout, markup: str, item: str) -> str:
    """Put the layout's extra boxes around a record's element (inside it for list items)."""
    for _ in range(layout.extra_wrappers):
        if item == "li":
            start = markup.index(">") + 1
            markup = f"{markup[:start]}<div{layout.css('wrap')}>{markup[start : -len('</li>')]}</div></li>"
        else:
            markup = f"<div{layout.css('wrap')}>{markup}</div>"
    return markup


def list_body(layout: Layout, records: Sequence[Record]) -> str:
    """Write records as list items: lines of text, spans, or small blocks."""
    form = layout.choose("list/form", "line", "spans", "blocks", "blocks")
    items: list[str] = []
    for number, record in enumerate(records):
        body = {"line": _line, "spans": _spans, "blocks": _blocks}[form](layout, record)
        items.append(wrapped(layout, f"<li{layout.css('item')}>{body}</li>", "li"))
        if layout.ads_every and (number + 1) % layout.ads_every == 0:
            items.append(advertisement(layout, "li", number))
    box = layout.choose("list/box", "ul", "ol")
    return f"<{box}{layout.css('list')}>{newline(items)}</{box}>"


def _line(layout: Layout, record: Record) -> str:
    separator = layout.choose("list/separator", " – ", " | ", " - ", " · ")
    texts: list[str] = []
    for spec in layout.shown_fields():
        text = layout.write(spec, record[spec.name])
        if text:
            texts.append(f"{spec.label} {text}" if spec.kind in ("integer", "number") else text)
    if layout.links or layout.chance("list/linked", 0.4):
        texts[0] = f'<a href="{record.get("url") or "/item"}">{texts[0]}</a>'
    return separator.join(texts)


def _spans(layout: Layout, record: Record) -> str:
    fields = [field_markup(layout, spec, record) for spec in layout.shown_fields()[1:]]
    return " ".join([name_markup(layout, record), *[field for field in fields if field]])


def _blocks(layout: Layout, record: Record) -> str:
    fields = [field_markup(layout, spec, record) for spec in layout.shown_fields()[1:]]
    return f"<div>{name_markup(layout, record)}</div><div{layout.css('facts')}>{''.join(fields)}</div>"


def definition_body(layout: Layout, records: Sequence[Record]) -> str:
    """Write records in definition lists: one list of all with dt and dd, or one list each."""
    form = layout.choose("definition/form", "several", "several", "one", "wrapped", "each")
    entries = [_definition(layout, record, form) for record in records]
    if form == "each":
        return f"<div{layout.css('entries')}>{newline(entries)}</div>"
    return f"<dl{layout.css('entries')}>{newline(entries)}</dl>"


def _definition(layout: Layout, record: Record, form: str) -> str:
    first, *rest = layout.shown_fields()
    name = layout.write(first, record[first.name])
    if layout.links:
        name = f'<a href="{record["url"]}">{name}</a>'
    present = [spec for spec in rest if record[spec.name] is not None]
    if form == "each":
        pairs = "".join(f"<dt>{spec.label}</dt><dd>{layout.write(spec, record[spec.name])}</dd>" for spec in present)
        return f"<dl{layout.css('entry')}><dt>{first.label}</dt><dd>{name}</dd>{pairs}</dl>"
    if form == "one":
        line = ", ".join(f"{spec.label}: {layout.write(spec, record[spec.name])}" for spec in present)
        return f"<dt>{name}</dt><dd>{line}</dd>"
    values = "".join(
        f"<dd{layout.css('entry-' + spec.name)}>{spec.label}: {layout.write(spec, record[spec.name])}</dd>"
        for spec in present
    )
    body = f"<dt{layout.css('entry-name')}>{name}</dt>{values}"
    return f"<div{layout.css('entry')}>{body}</div>" if form == "wrapped" else body


def forum_body(layout: Layout, records: Sequence[Record]) -> str:
    """Write records as posts of a thread, flat or with replies inside the posts that they answer."""
    nested = layout.chance("forum/nested", 0.45)
    tag = layout.choose("forum/tag", "li", "div", "article")
    inner = "ul" if tag == "li" else "div"
    random = layout.random("forum/depths")
    pieces: list[str] = []
    depth = 0
    for number, record in enumerate(records):
        wanted = random.randint(0, min(depth + 1, 4)) if nested and number else 0
        if number and wanted > depth:
            pieces.append(f"<{inner}{layout.css('replies')}>")
        elif number:
            pieces.append(f"</{tag}>" + f"</{inner}></{tag}>" * (depth - wanted))
        depth = wanted
        pieces.append(f"<{tag}{layout.css('post')}>{_post(layout, record, number)}")
        if layout.ads_every and not nested and (number + 1) % layout.ads_every == 0:
            pieces.append(f"</{tag}>" + advertisement(layout, tag, number).removesuffix(f"</{tag}>"))
    pieces.append(f"</{tag}>" + f"</{inner}></{tag}>" * depth if records else "")
    return f"<{inner}{layout.css('thread')}>{newline(pieces)}</{inner}>"


def _post(layout: Layout, record: Record, number: int) -> str:
    random = layout.random(f"post/{number}")
    text = layout.write(layout.domain.field("text"), record["text"]) if "text" in layout.order else ""
    body = f"<p>{text}</p>"
    if layout.chance("post/quotes", 0.3) and random.random() < 0.3:
        body = f"<blockquote>{prose(random, 1)}</blockquote>{body}"
    if layout.chance("post/signatures", 0.25) and random.random() < 0.6:
        body += f"<div{layout.css('signature')}>-- {filler_name(random)}</div>"
    others = [field_markup(layout, spec, record) for spec in layout.shown_fields()[1:] if spec.name != "text"]
    avatar = '<img src="/avatar.png" alt="">' if layout.chance("post/avatar", 0.5) else ""
    head = f"<div{layout.css('post-head')}>{avatar}{name_markup(layout, record)}{''.join(others)}</div>"
    reply = f"<a{layout.css('reply')} href='#reply'>Reply</a>" if layout.chance("post/reply", 0.5) else ""
    return f"{head}<div{layout.css('post-text')}>{body}</div>{reply}"


def flat_body(layout: Layout, records: Sequence[Record]) -> str:
    """Write records as runs of siblings with no element of their own: h3 p p h3 p p."""
    leader = layout.choose("flat/leader", "h3", "h3", "h4", "h2", "div")
    form = layout.choose("flat/form", "fields", "fields", "line")
    rule = "<hr>" if layout.chance("flat/rules", 0.25) else ""
    pieces: list[str] = []
    for record in records:
        first, *rest = layout.shown_fields()
        name = layout.write(first, record[first.name])
        name = f'<a href="{record["url"]}">{name}</a>' if layout.links else name
        role = layout.css("title") or (' class="title"' if leader == "div" else "")
        pieces.append(f"<{leader}{role}>{name}</{leader}>")
        present = [spec for spec in rest if record[spec.name] is not None]
        texts = [f"{spec.label}: {layout.write(spec, record[spec.name])}" for spec in present]
        pieces += [f"<p>{text}</p>" for text in (texts if form == "fields" else [", ".join(texts)])]
        pieces.append(rule)
    return f"<div{layout.css('flat')}>{newline(pieces)}</div>"


def categories_body(layout: Layout, records: Sequence[Record]) -> str:
    """Write records in several headed sections, each with a list, a grid or a table of its own."""
    random = layout.random("categories")
    sections = min(len(records), random.randint(2, 6))
    cuts = sorted(random.sample(range(1, len(records)), sections - 1)) if sections > 1 else []
    inner = layout.choose("categories/inner", "cards", "list", "table")
    write = {"cards": cards_body, "list": list_body, "table": table_body}[inner]
    tag = layout.choose("categories/tag", "section", "div")
    pieces: list[str] = []
    for low, high in zip([0, *cuts], [*cuts, len(records)], strict=True):
        body = write(layout, list(records[low:high]))
        pieces.append(f"<{tag}{layout.css('category')}><h2>{filler_name(random)}s</h2>{body}</{tag}>")
    return newline(pieces)


LISTINGS: dict[str, Callable[[Layout, Sequence[Record]], str]] = {
    "table": table_body,
    "cards": cards_body,
    "list": list_body,
    "definition": definition_body,
    "forum": forum_body,
    "flat": flat_body,
    "categories": categories_body,
}
"""The writers of all kinds that list records."""
