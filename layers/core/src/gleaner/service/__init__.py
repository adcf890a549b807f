"""What every way in can do, said once: HTTP API, MCP and CLI only translate."""
