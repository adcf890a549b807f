"""Links of a prompt by their numbers, as a reader of the page knows them: by their texts and their order."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from urllib.parse import urljoin

from lxml import html as lxml_html

from measure.comparing import Json, key_of
from measure.page_text import words_of

_FORM = re.compile(r"Links are shown as \[text\]\[(\D+)1\]")
_FENCE = re.compile(r"<<<PAGE (\w+)>>>")
_MOST_ALIGNED = 4_000


class ShownLinks:
    """The numbers of a page's addresses, prompt by prompt; the prompts of one fence share them.

    A number stands for the address of the page's link of that text; of several links of one text those that come in the
    page's order. So a page's ``PDF`` links are told apart as a reader tells them.
    """

    def __init__(self, html: str, url: str) -> None:
        root = lxml_html.fromstring(html or "<p>")
        base = next((one.get("href") for one in root.iter("base") if one.get("href")), "") or ""
        around = urljoin(url, base)
        links = ((one, one.get("href") or "") for one in root.iter("a"))
        self._anchors = [(words_of(str(one.text_content())), _joined(around, href)) for one, href in links if href]
        self._by_text: defaultdict[str, list[str]] = defaultdict(list)
        for text, href in self._anchors:
            self._by_text[text].append(href)
        self._known: defaultdict[str, dict[int, str]] = defaultdict(dict)

    def read(self, prompt: str) -> tuple[str, Mapping[str, str]]:
        """Give a prompt with addresses for its numbers, and what stands for each address: ``L12``."""
        form, fence = _FORM.search(prompt), _FENCE.search(prompt)
        if form is None or fence is None:
            return prompt, {}
        mark = re.compile(rf"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\[{form[1]}(\d+)\]")
        shown = [(words_of(one[1]), int(one[2])) for one in mark.finditer(prompt, fence.end())]
        known = self._known[fence[1]]
        for number, href in self._addresses(shown):
            known.setdefault(number, href)

        def written(one: re.Match[str]) -> str:
            return f"]({known[int(one[1])]})" if int(one[1]) in known else one[0]

        expanded = re.sub(rf"\]\[{form[1]}(\d+)\]", written, prompt)
        return expanded, {str(key_of(href)): f"{form[1]}{number}" for number, href in known.items()}

    def _addresses(self, shown: list[tuple[str, int]]) -> Iterator[tuple[int, str]]:
        texts = [text for text, _ in shown]
        for text, number in shown:
            if len({*self._by_text.get(text, ())}) == 1:
                yield number, self._by_text[text][0]
        own = [text for text, _ in self._anchors]
        if len(texts) > _MOST_ALIGNED or len(own) > _MOST_ALIGNED:
            return
        votes: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for block in SequenceMatcher(None, own, texts, autojunk=False).get_matching_blocks():
            for step in range(block.size):
                votes[shown[block.b + step][1]][self._anchors[block.a + step][1]] += 1
        yield from ((number, found.most_common(1)[0][0]) for number, found in votes.items())


def with_numbers(data: Json, numbers: Mapping[str, str]) -> Json:
    """Give data with numbers for the addresses that have one."""
    if isinstance(data, dict):
        return {name: with_numbers(one, numbers) for name, one in data.items()}
    if isinstance(data, list):
        return [with_numbers(one, numbers) for one in data]
    return numbers.get(str(key_of(data)), data) if isinstance(data, str) else data


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return href
