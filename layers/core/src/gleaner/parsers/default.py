"""The default parser: scored blocks of visible text, within limits that it reports."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree
from lxml.html import HtmlElement

from gleaner.chunking import chunk_markdown_by_structure
from gleaner.chunking.relevance import rank
from gleaner.contracts.arguments import check_whole_number
from gleaner.contracts.ports import JsonObject
from gleaner.html.elements import HEADINGS
from gleaner.page.opening import open_page
from gleaner.parsers.blocks import Block, find_blocks
from gleaner.parsers.contract import Clock, ContentChunk, PageParser, ParsedContent, utc_now
from gleaner.parsers.references import find_links, find_media

CONTENT, NEUTRAL, BOILERPLATE = 0.65, 0.45, 0.1
LONG_TEXT = 400
"""Characters of running text that score as much as any."""
UNREAD = ("title", "rp")
"""Elements of a settled page whose text is none that stands on it."""

SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*(?:\s|$)|[。！？]")


@dataclass(frozen=True, slots=True)
class DefaultParser(PageParser):
    """Gives the visible text of any page as chunks in page order.

    A chunk is a paragraph, heading, list item, table row or other block; longer ones than ``max_chunk_size`` characters
    are split at sentences. Of more than ``max_chunks`` the best-scored stay, by the query when there is one; what is
    left out is counted in the metadata (``omitted_chunks``, ``omitted_characters``).
    """

    max_chunks: int = 50
    max_chunk_size: int = 1000
    clock: Clock = utc_now

    def __post_init__(self) -> None:
        """Refuse caps that leave no room."""
        check_whole_number("max_chunks", self.max_chunks, 1)
        check_whole_number("max_chunk_size", self.max_chunk_size, 1)

    @property
    def name(self) -> str:
        """The name that ``parser_used`` carries."""
        return "DefaultParser"

    @property
    def description(self) -> str:
        """What this parser is for."""
        return "Visible text of any page as scored chunks, with its links, media and metadata"

    def can_parse(self, url: str, html_content: str, mime_type: str | None = None) -> bool:  # noqa: ARG002
        """Take every page."""
        return True

    def parse(self, url: str, html_content: str, title: str = "", user_query: str | None = None) -> ParsedContent:
        """Give the content of the page; any text parses."""
        page = open_page(html_content, url)
        root, shown = page.tree, title.strip() or page.title
        metadata = _metadata(root)
        links, media = find_links(root, page.base), find_media(root, page.base)
        etree.strip_elements(root, *UNREAD, with_tail=False)
        blocks = list(find_blocks(root, self.max_chunk_size))
        chunks = self._chunks(blocks, f"{shown} {metadata['description']}", user_query)
        kept = _best(chunks, self.max_chunks)
        metadata["estimated_word_count"] = sum(len(block.text.split()) for block in blocks)
        metadata["omitted_chunks"] = len(chunks) - len(kept)
        metadata["omitted_characters"] = sum(len(chunk.text) for chunk in chunks) - sum(len(one.text) for one in kept)
        return ParsedContent(
            title=shown,
            visible_text_chunks=kept,
            metadata=metadata,
            links=links,
            media=media,
            source_url=url,
            timestamp=self.clock().isoformat(timespec="seconds"),
            parser_used=self.name,
        )

    def _chunks(self, blocks: Sequence[Block], topic: str, query: str | None) -> list[ContentChunk]:
        pieces = [(block, text) for block in blocks for text in self._split(block.text)]
        on_topic = rank(topic, [text for _, text in pieces])
        answers = query_scores(query, pieces) if query and query.strip() else [None] * len(pieces)
        return [
            ContentChunk(text, document_score(block, text, topical), answer, _section(block), block.tag)
            for (block, text), topical, answer in zip(pieces, on_topic, answers, strict=True)
        ]

    def _split(self, text: str) -> list[str]:
        if len(text) <= self.max_chunk_size:
            return [text]
        pieces = (chunk.content.strip() for chunk in chunk_markdown_by_structure(text, self.max_chunk_size, 0))
        return [piece for piece in pieces if piece]


def query_scores(query: str, pieces: Sequence[tuple[Block, str]]) -> list[float]:
    """Give each piece its score for the query: three fifths its own words, two fifths the section that it stands in.

    A piece without a heading above it goes by its own words alone.
    """
    own = rank(query, [f"{block.group[1]}\n{text}" if block.tag not in HEADINGS else text for block, text in pieces])
    sections: dict[tuple[int, str], list[str]] = {}
    for block, text in pieces:
        sections.setdefault(block.group, []).append(text)
    of_section = dict(zip(sections, rank(query, [" ".join(texts) for texts in sections.values()]), strict=True))
    return [
        round(0.6 * score + 0.4 * (of_section[block.group] if block.group[1] else score), 4)
        for score, (block, _) in zip(own, pieces, strict=True)
    ]


def document_score(block: Block, text: str, topical: float) -> float:
    """Say how much a piece belongs to what the page is about: place, length, sentences, links, words of the title."""
    length = min(len(text) / LONG_TEXT, 1.0)
    linked = min(block.link_characters / max(len(block.text), 1), 1.0)
    score = place_score(block.landmarks)
    if score != BOILERPLATE:
        score += 0.15 * length + 0.05 * bool(SENTENCE.search(text)) + 0.1 * (block.tag in HEADINGS)
        score -= 0.3 * linked if block.tag not in HEADINGS else 0.0
    score += 0.1 * topical
    return round(min(max(score, 0.0), 1.0), 4)


def place_score(landmarks: Sequence[str]) -> float:
    """Score the place: navigation, asides and the page's own header and footer are not what the page is about."""
    inside = False
    for name in landmarks:
        if name in ("main", "article"):
            inside = True
        elif name in ("nav", "aside") or (name in ("header", "footer") and not inside):
            return BOILERPLATE
    return CONTENT if inside else NEUTRAL


def _section(block: Block) -> str:
    return block.landmarks[-1] if block.landmarks else "body"


def _best(chunks: list[ContentChunk], limit: int) -> list[ContentChunk]:
    """Give the best-scored chunks, in page order."""
    order = sorted(range(len(chunks)), key=lambda index: _worth(chunks[index]), reverse=True)
    return [chunks[index] for index in sorted(order[:limit])]


def _worth(chunk: ContentChunk) -> tuple[float, float]:
    return (chunk.query_score or 0.0, chunk.document_score)


def _metadata(root: HtmlElement) -> JsonObject:
    tags: dict[str, str] = {}
    for tag in root.iter("meta"):
        key = tag.get("name") or tag.get("property") or tag.get("http-equiv") or ""
        tags.setdefault(key.strip().lower(), (tag.get("content") or "").strip())
    language = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    return {
        "description": tags.get("description") or tags.get("og:description") or "",
        "keywords": tags.get("keywords") or "",
        "language": language.strip() or tags.get("content-language") or "",
    }
