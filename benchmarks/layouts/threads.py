"""Posts and comments inside each other."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _comment(r: Random) -> Record:
    return {
        "author": v.login(r),
        "posted": v.day(r),
        "text": v.text(r, 1, 3),
        "_depth": r.randint(0, 3),
        "_quotes": r.random() < 0.5,
    }


def _render_thread(records: Sequence[Record], s: Style) -> str:
    """Nest posts without classes; half of them quote the post that they answer to."""
    html, depth, above = "", -1, [""] * 9
    for n, r in enumerate(records):
        own = 0 if n == 0 else min(r["_depth"], depth + 1)
        html += "</div>" * (depth - own + 1)
        depth = own
        quote = f"<blockquote>{e(above[own - 1])}</blockquote>" if own and r["_quotes"] else ""
        above[own] = f"{r['author']} wrote: {r['text']}"
        html += f'<div x-r><p><b x-f="author">{r["author"]}</b> <i x-f="posted">{s.date(r["posted"], "british")}</i></p>{quote}<p x-f="text">{e(r["text"])}</p><p><a href="#r">reply</a></p>'
    return f"<h1>Thread</h1>{html}{'</div>' * (depth + 1)}"


def _render_comments(records: Sequence[Record], s: Style) -> str:
    """The same as nested lists with classes, as blogs have it."""
    html, depth = "", -1
    for n, r in enumerate(records):
        own = 0 if n == 0 else min(r["_depth"], depth + 1)
        html += '<ol class="children">' if own > depth >= 0 else "</li>" + "</ol></li>" * (depth - own) if n else ""
        depth = own
        html += f'<li class="comment depth-{own + 1}" id="comment-{n}" x-r><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><img class="avatar" src="/g.png" alt=""/><b class="fn" x-f="author">{r["author"]}</b> <span class="says">says:</span></div><div class="comment-metadata"><a href="#c{n}"><time datetime="{r["posted"]}T10:00:00+00:00" x-f="posted">{s.date(r["posted"])} at 10:00 am</time></a></div></footer><div class="comment-content" x-f="text"><p>{e(r["text"])}</p></div><div class="reply"><a href="#r">Reply</a></div></article>'
    return f'<h2 class="comments-title">Thoughts on this</h2><ol class="comment-list">{html}</li>{"</ol></li>" * depth}</ol>'


THREADS = [
    Design(
        "thread_of_quotes",
        schema_of(author="string", posted="date", text="string"),
        _comment,
        _render_thread,
        rows=16,
        words={"reply": "antworten"},
        evidence="text",
    ),
    Design(
        "blog_comments",
        schema_of(author="string", posted="date", text="string"),
        _comment,
        _render_comments,
        rows=14,
        words={"Reply": "Antworten", "says:": "sagt:"},
        evidence="text",
    ),
]
