"""Documents: PDFs read as pages."""
