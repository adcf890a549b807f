"""Ollama's own protocol, ``/api/chat``: only there a client says how long a context it needs.

Its OpenAI-compatible endpoint cuts a prompt that is longer than the default context, without a word.
"""

from typing import Any

from gleaner.adapters.models.refusals import tokens_in
from gleaner.contracts.ports import ModelAnswer, ModelRequest


def ollama_question(
    model: str, request: ModelRequest, form: dict[str, Any] | None, context: int, limit: int
) -> dict[str, Any]:
    """Give the question as Ollama takes it; ``form`` is the schema of the answer, ``context`` and ``limit`` tokens."""
    messages = [{"role": "system", "content": request.system}] if request.system else []
    return {
        "model": model,
        "messages": [*messages, {"role": "user", "content": request.prompt}],
        "stream": False,
        "truncate": False,
        **({"format": form} if form is not None else {}),
        "options": {"temperature": 0, "num_ctx": context, "num_predict": limit},
    }


def ollama_answer(answer: Any) -> ModelAnswer:
    """Read Ollama's answer; LookupError or TypeError when it is none."""
    text = answer["message"]["content"]
    if not isinstance(text, str):
        raise TypeError(text)
    return ModelAnswer(
        text=text,
        input_tokens=tokens_in(answer, "prompt_eval_count"),
        output_tokens=tokens_in(answer, "eval_count"),
        stop_reason="length" if answer.get("done_reason") == "length" else "end",
    )
