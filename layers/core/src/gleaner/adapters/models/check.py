"""Whether a model can be asked at all, found out before a page is fetched (EX-12).

The server's list of models tells most: whether it is reached, whether the key is taken, whether the name is known, and
often how long the context is. Where there is no list, or one that does not decide, a question of a few tokens is asked.
"""

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from gleaner.adapters.models.endpoint import Reply
from gleaner.adapters.models.refusals import read_refusal
from gleaner.contracts.errors import GleanerError, ModelError, ModelMisconfigured, ModelUnavailable
from gleaner.contracts.model_servers import ModelServer, is_local, model_servers
from gleaner.contracts.ports import ModelRequest

if TYPE_CHECKING:
    from gleaner.adapters.models.openai_compatible import OpenAICompatibleModel

LIMIT = 16
"""Tokens of the answer to the question that only shows whether one comes."""
CONTEXT_NAMES = (
    "loaded_context_length",
    "max_model_len",
    "n_ctx",
    "context_length",
    "context_window",
    "max_context_length",
)
OUTPUT_NAMES = ("max_completion_tokens", "max_output_tokens")
MOST_OLLAMA_CONTEXT = 32_768
"""Tokens that Ollama is asked for at most, unless the settings say more: a model of 8 billion weights keeps 4 GB for
them."""
SURE = ("key", "model", "credit")


def check_model(model: "OpenAICompatibleModel", timeout_s: float) -> None:
    """Raise ModelMisconfigured or ModelUnavailable if the model can't be asked, and learn its server and limits."""
    endpoint = model.endpoint
    try:
        listed = endpoint.get(endpoint.url("/models"), timeout_s)
    except ModelError:  # slow, which does not make it unusable
        return
    if listed.status in (401, 403):
        raise _misconfigured(model, listed)
    models = _models(listed)
    server = _server_of(model, models)
    if server.id == "ollama":
        _learn_from_ollama(model, timeout_s)
    if server.id == "llamacpp":
        _learn_from_llamacpp(model)
        return  # answers with the model that it has, whatever name is asked for
    known = next((one for name, one in models.items() if _is_same(name, model.model)), None)
    if known is not None:
        _learn(model, known)
    elif models and server.whole_list:
        raise ModelMisconfigured(_no_such_model(model, server, list(models)))
    else:
        _ask(model, timeout_s)


def _models(listed: Reply) -> dict[str, dict[str, Any]]:
    """Give the models of a list by their names."""
    answer = listed.json() if listed.is_answer else None
    entries: Any = answer.get("data", answer.get("models")) if isinstance(answer, dict) else answer
    found = [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
    return {str(one.get("id") or one.get("name")): one for one in found if one.get("id") or one.get("name")}


def _server_of(model: "OpenAICompatibleModel", models: dict[str, dict[str, Any]]) -> ModelServer:
    """Give the server that the endpoint turns out to be: by its place, by who owns its models, or by asking."""
    endpoint = model.endpoint
    owners = {str(one.get("owned_by")) for one in models.values()}
    owned = next((server for server in model_servers() if owners & set(server.owners)), None)
    if owned is not None:
        endpoint.server = owned
    elif endpoint.server.id == "unknown" and is_local(endpoint.base_url) and _is_ollama(model):
        endpoint.server = next(server for server in model_servers() if server.id == "ollama")
    return endpoint.server


def _is_ollama(model: "OpenAICompatibleModel") -> bool:
    version = _asked(model, "/api/version")
    return isinstance(version, dict) and isinstance(version.get("version"), str)


def _learn_from_ollama(model: "OpenAICompatibleModel", timeout_s: float) -> None:
    if model.speaks_ollama is False:
        model.speaks_ollama = None
    endpoint = model.endpoint
    shown = endpoint.post(endpoint.url("/api/show", from_root=True), {"model": model.model}, timeout_s)
    info = (shown.json() or {}).get("model_info") if shown.is_answer else None
    for name, value in (info or {}).items():
        if name.endswith(".context_length") and isinstance(value, int):
            model.limits.context = min(value, model.limits.context or MOST_OLLAMA_CONTEXT)


def _learn_from_llamacpp(model: "OpenAICompatibleModel") -> None:
    props = _asked(model, "/props")
    settings = props.get("default_generation_settings") if isinstance(props, dict) else None
    if isinstance(settings, dict):
        _learn(model, settings)


def _asked(model: "OpenAICompatibleModel", path: str) -> Any:
    """Give what the server says at a path below its root; None when it says nothing."""
    endpoint = model.endpoint
    try:
        reply = endpoint.get(endpoint.url(path, from_root=True), 2.0)
    except GleanerError:
        return None
    return reply.json() if reply.is_answer else None


def _learn(model: "OpenAICompatibleModel", entry: dict[str, Any]) -> None:
    """Take the limits from what a server says of a model."""
    inner = [one for one in (entry.get("meta"), entry.get("top_provider")) if isinstance(one, dict)]
    for place in (entry, *inner):
        context = next((place[name] for name in CONTEXT_NAMES if _is_count(place.get(name))), None)
        if context is not None:
            model.limits.context = min(context, model.limits.context or context)
        output = next((place[name] for name in OUTPUT_NAMES if _is_count(place.get(name))), None)
        if output is not None:
            model.limits.most_output = min(output, model.limits.most_output or output)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 256


def _is_same(listed: str, wanted: str) -> bool:
    """Tell whether a listed name is the wanted one: Ollama adds ``:latest``, Gemini puts ``models/`` before it."""
    names = {wanted.casefold(), f"{wanted}:latest".casefold(), f"models/{wanted}".casefold()}
    return listed.casefold() in names


def _no_such_model(model: "OpenAICompatibleModel", server: ModelServer, names: list[str]) -> str:
    close = get_close_matches(model.model, names, n=1, cutoff=0.6)
    meant = f"did you mean {close[0]!r}? It has" if close else "it has"
    shown = ", ".join(sorted(names)[:8]) + (", …" if len(names) > 8 else "")
    fetch = f"; {model.endpoint.hint(server.fetch, model.model)}" if server.fetch else ""
    return f"{model.endpoint.shown} has no model {model.model!r}; {meant} {shown}{fetch}"


def _misconfigured(model: "OpenAICompatibleModel", reply: Reply) -> GleanerError:
    refusal = read_refusal(reply.status, reply.body, reply.headers, LIMIT)
    return model.error_of(refusal, reply.status, ModelRequest("", ""))


def _ask(model: "OpenAICompatibleModel", timeout_s: float) -> None:
    """Ask for one word. What is no clear refusal of the key, the model or the account is left to the real question."""
    endpoint = model.endpoint
    question = {"model": model.model, "messages": [{"role": "user", "content": "Say OK."}], "max_tokens": LIMIT}
    try:
        reply = endpoint.post(endpoint.url("/chat/completions"), question, timeout_s)
    except ModelError:
        return
    if reply.is_answer:
        return
    refusal = read_refusal(reply.status, reply.body, reply.headers, LIMIT)
    is_lost = reply.status == 404 and refusal.kind == "other"  # no such place: the base URL is wrong
    if refusal.kind in SURE or is_lost:
        raise model.error_of(refusal, reply.status, ModelRequest("", ""))
    if refusal.kind == "down":
        raise ModelUnavailable(f"{model.name} answered with status {reply.status}: {refusal.text}")
