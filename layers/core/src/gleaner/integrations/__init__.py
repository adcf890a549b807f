"""Gleaner in other frameworks: a loader and a tool for LangChain, a reader for LlamaIndex; behind extras."""
