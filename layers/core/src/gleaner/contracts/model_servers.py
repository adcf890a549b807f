"""The servers that people run models on, from a table that ships with the package: ``data/model_servers.toml``."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "host.docker.internal"})


@dataclass(frozen=True, slots=True)
class ModelServer:
    """One kind of server: where it is found, which key it takes, and what to tell somebody whose call fails."""

    id: str
    name: str
    base_url: str | None = None
    hosts: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    owners: tuple[str, ...] = ()
    key_variables: tuple[str, ...] = ()
    key_header: str = "Authorization"
    whole_list: bool = False
    start: str = ""
    fetch: str = ""


@dataclass(frozen=True, slots=True)
class RefusalPattern:
    """One way in which an error says something; ``statuses`` are those that it counts for, empty for all."""

    kind: str
    says: re.Pattern[str]
    servers: tuple[str, ...] = ()
    statuses: tuple[int, ...] = ()


UNKNOWN = ModelServer("unknown", "the model's server", key_variables=("OPENAI_API_KEY",))
"""Any other server. Like every client of this protocol, Gleaner sends it the key in OPENAI_API_KEY."""


@cache
def model_servers() -> tuple[ModelServer, ...]:
    """Give the servers of the table."""
    return tuple(ModelServer(**_frozen(entry)) for entry in _table()["server"])


@cache
def refusal_patterns() -> tuple[RefusalPattern, ...]:
    """Give what the servers say when they refuse a question, in the order in which it is looked for."""
    return tuple(
        RefusalPattern(
            entry["kind"], re.compile(entry["says"], re.I | re.S), tuple(entry["of"]), tuple(entry.get("statuses", ()))
        )
        for entry in _table()["refusal"]
    )


def server_named(provider: str) -> ModelServer | None:
    """Give the server whose id is a model's provider, as in ``ollama:llama3.2``; None when there is none.

    >>> server_named("groq").base_url
    'https://api.groq.com/openai/v1'
    """
    return next((server for server in model_servers() if server.id == provider and server.base_url), None)


def server_at(base_url: str) -> ModelServer:
    """Give the server that answers at a URL, by its host, or by its usual port on this machine.

    An ``api-version`` in the URL is Azure's, whatever gateway stands before it.

    >>> server_at("http://localhost:11434/v1").name, server_at("https://gpt.corp.example/v1").id
    ('Ollama', 'unknown')
    """
    parts = urlsplit(base_url)
    host = (parts.hostname or "").lower()
    for server in model_servers():
        by_host = any(host == one or (one.startswith(".") and host.endswith(one)) for one in server.hosts)
        if by_host or (is_local(base_url) and _port(base_url) in server.ports):
            return server
    if "api-version=" in parts.query.lower():
        return next(server for server in model_servers() if server.id == "azure")
    return UNKNOWN


def least_cached_tokens(model_id: str) -> int | None:
    """Give the tokens that a prefix needs for Bedrock to cache it, by the model's id; None where it is not known.

    >>> least_cached_tokens("global.anthropic.claude-haiku-4-5-20251001-v1:0")
    4096
    """
    found = [(len(part), least) for part, least in _table()["bedrock_cache"].items() if part in model_id]
    return max(found)[1] if found else None


def is_local(base_url: str) -> bool:
    """Tell whether a URL is of this machine."""
    return (urlsplit(base_url).hostname or "").lower() in LOOPBACK


def _port(base_url: str) -> int | None:
    try:
        return urlsplit(base_url).port
    except ValueError:
        return None


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(resources.files("gleaner").joinpath("data/model_servers.toml").read_text("utf-8"))


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
