"""MCP: the gateway as tools for a model, over stdio and over stateless streamable HTTP (MC-1).

``catalogue`` says what the tools are, ``calls`` does what they say, ``results`` writes what they give, ``server`` and
``lambda_app`` put them on a wire. Nothing is decided here: the gateway does.
"""

from gleaner.mcp.server import asgi_app, make_server, serve_stdio

__all__ = ["asgi_app", "make_server", "serve_stdio"]
