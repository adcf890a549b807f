"""LlamaIndex: a reader of pages and records. Needs the extra ``llama-index``."""

from collections.abc import Iterable, Sequence
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from gleaner.integrations.documents import documents_of
from gleaner.library import Gleaner


class GleanerReader(BaseReader):
    """Reads pages as documents: their Markdown, or with ``output_schema`` a document for each record."""

    def __init__(self, gleaner: Gleaner, *, continue_on_failure: bool = False) -> None:
        self.gleaner, self.continue_on_failure = gleaner, continue_on_failure

    def lazy_load_data(self, urls: str | Sequence[str], **options: Any) -> Iterable[Document]:
        """Give the documents of the pages in their order; ``options`` are the fields of a request."""
        results = self.gleaner.batch([urls] if isinstance(urls, str) else urls, **options)
        for text, metadata in documents_of(results, raises=not self.continue_on_failure):
            yield Document(text=text, metadata=metadata)
