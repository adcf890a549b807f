"""The caps of a request and of an installation, and what models cost (EX-9)."""
