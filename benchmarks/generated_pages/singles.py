"""The markup of pages about one thing: a product's detail page, an article."""

from random import Random

from generated_pages.layouts import Layout
from generated_pages.listings import field_markup
from generated_pages.values import FieldSpec, Record, filler_name, prose, write_money

_ATTRIBUTES = (
    *(("Weight", "1.2 kg"), ("Colour", "Graphite"), ("Material", "Steel"), ("Dimensions", "30 × 20 × 12 cm")),
    *(("Warranty", "2 years"), ("Origin", "Portugal"), ("Power", "850 W"), ("Capacity", "1.7 l"), ("Model", "KX-100")),
)


def detail_body(layout: Layout, record: Record) -> str:
    """Write one product: facts, a table of attributes, features, sometimes related products."""
    random = layout.random("detail")
    first, *rest = layout.shown_fields()
    facts = "".join(field_markup(layout, spec, record) for spec in rest)
    parts = [
        f"<h1{layout.css('title')}>{layout.write(first, record[first.name])}</h1>",
        '<div><img src="/1.jpg" alt=""><img src="/2.jpg" alt=""><img src="/3.jpg" alt=""></div>',
        f"<div{layout.css('facts')}>{facts}</div><button>Add to cart</button>",
        f"<h2>Description</h2><p>{prose(random, 4)}</p><p>{prose(random, 3)}</p>",
        f"<h2>Specifications</h2>{_attributes(layout, random)}",
    ]
    if layout.chance("detail/features", 0.5):
        features = "".join(f"<li>{prose(random, 1)}</li>" for _ in range(random.randint(3, 6)))
        parts.insert(3, f"<ul{layout.css('features')}>{features}</ul>")
    if layout.chance("detail/related", 0.5):
        parts.append(_related(layout, random))
    return f"<div{layout.css('detail')}>{''.join(parts)}</div>"


def _attributes(layout: Layout, random: Random) -> str:
    pairs = random.sample(_ATTRIBUTES, random.randint(4, 8))
    form = layout.choose("detail/attributes", "table", "cells", "dl", "list", "boxes")
    if form in ("table", "cells"):
        tag = "th" if form == "table" else "td"
        return "<table>" + "".join(f"<tr><{tag}>{a}</{tag}><td>{b}</td></tr>" for a, b in pairs) + "</table>"
    if form == "dl":
        return "<dl>" + "".join(f"<dt>{a}</dt><dd>{b}</dd>" for a, b in pairs) + "</dl>"
    if form == "list":
        return "<ul>" + "".join(f"<li><b>{a}:</b> {b}</li>" for a, b in pairs) + "</ul>"
    rows = "".join(f"<div{layout.css('spec')}><span>{a}</span><span>{b}</span></div>" for a, b in pairs)
    return f"<div{layout.css('specs')}>{rows}</div>"


def _related(layout: Layout, random: Random) -> str:
    title = layout.choose("detail/relatedtitle", "You may also like", "Related products", "Customers also bought")
    cards = "".join(
        f"<div{layout.css('related-card')}><img src='/r.jpg' alt=''><a href='/r'>{filler_name(random)}</a>"
        f"<span>{write_money(random.randint(5, 300), layout.money)}</span></div>"
        for _ in range(random.randint(3, 6))
    )
    return f"<section{layout.css('more')}><h2>{title}</h2><div{layout.css('strip')}>{cards}</div></section>"


ARTICLE_FIELDS = (
    FieldSpec("title", "Title", "name"),
    FieldSpec("author", "Author", "text"),
    FieldSpec("published", "Published", "date"),
)
"""What the truth of an article page holds."""


def article_body(layout: Layout, record: Record) -> str:
    """Write one article: byline, paragraphs with links, sections, a list, sometimes a quote and links to others."""
    random = layout.random("article")
    published = layout.write(ARTICLE_FIELDS[2], record["published"])
    parts = [f"<h1>{record['title']}</h1><p{layout.css('byline')}>By {record['author']}, {published}</p>"]
    for section in range(random.randint(1, 5)):
        if section:
            parts.append(f"<h2>{filler_name(random)} and what it means</h2>")
        parts += [_paragraph(random) for _ in range(random.randint(1, 5))]
        if random.random() < 0.3:
            items = "".join(f"<li>{prose(random, 1)}</li>" for _ in range(random.randint(3, 5)))
            parts.append(f"<ul>{items}</ul>")
        if random.random() < 0.2:
            parts.append(f"<blockquote><p>{prose(random, 2)}</p></blockquote>")
    if layout.chance("article/more", 0.5):
        links = "".join(f"<li><a href='/a'>{prose(random, 1)}</a></li>" for _ in range(5))
        parts.append(f"<section{layout.css('more')}><h3>Read next</h3><ul>{links}</ul></section>")
    return f"<article{layout.css('story')}>{''.join(parts)}</article>"


def _paragraph(random: Random) -> str:
    text = prose(random, random.randint(2, 6))
    if random.random() < 0.3:
        text += f" See <a href='/source'>{filler_name(random)}</a> for more."
    return f"<p>{text}</p>"
