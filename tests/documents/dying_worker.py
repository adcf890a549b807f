"""The reading process, which PDFium ends at the fourth page."""

import runpy
import signal

from gleaner.documents.pdf import pdfium

READ = pdfium.Document.read_page


def read_page(document: pdfium.Document, index: int) -> object:
    """Die as a process does that touches memory which is not its own."""
    if index == 3:
        signal.raise_signal(signal.SIGSEGV)
    return READ(document, index)


if __name__ == "__main__":
    pdfium.Document.read_page = read_page
    runpy.run_module("gleaner.documents.worker", run_name="__main__")
