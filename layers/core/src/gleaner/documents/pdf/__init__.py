"""What PDFium tells of a page: its words, what is drawn, what is seen, what the document says of itself."""
