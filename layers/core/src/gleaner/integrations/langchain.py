"""LangChain: a loader of pages and records, and a tool for agents. Needs the extra ``langchain``."""

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.tools import BaseTool, StructuredTool

from gleaner.integrations.documents import documents_of
from gleaner.library import Gleaner


class GleanerLoader(BaseLoader):
    """Loads pages as documents: their Markdown, or with ``output_schema`` a document for each record.

    ``options`` are the fields of a request, as of ``Gleaner.batch``. A record's metadata has its page and its proof, as
    JSON text. A page that fails raises its error, or is passed over with ``continue_on_failure``.
    """

    def __init__(
        self, urls: str | Sequence[str], *, gleaner: Gleaner, continue_on_failure: bool = False, **options: Any
    ) -> None:
        self.urls = [urls] if isinstance(urls, str) else list(urls)
        self.gleaner, self.continue_on_failure, self.options = gleaner, continue_on_failure, options

    def lazy_load(self) -> Iterator[Document]:
        """Give the documents of the pages in their order."""
        results = self.gleaner.batch(self.urls, **self.options)
        for text, metadata in documents_of(results, raises=not self.continue_on_failure):
            yield Document(page_content=text, metadata=metadata)


def gleaner_tool(gleaner: Gleaner, **options: Any) -> BaseTool:
    """Give a tool that reads a page for an agent: its Markdown, or what ``query`` asks for.

    ``options`` hold for each call, such as ``output_schema``, ``budget`` or ``extraction_id``. The answer is JSON with
    status, data and what is missing.
    """

    def read_page(url: str, query: str | None = None) -> dict[str, Any]:
        """Read a web page: without a query its text as Markdown, with one the data or the answer that it asks for."""
        result = gleaner.scrape(url, query=query, **options)
        extraction = result.extraction
        if result.error is not None or extraction is None:
            return {"status": result.status, "markdown": result.markdown, "error": result.why_no_data()}
        missing = [unit.text for unit in extraction.completeness.missing]
        return {"status": result.status, "data": extraction.data, "missing": missing, "error": result.why_no_data()}

    return StructuredTool.from_function(read_page, name="read_web_page")
