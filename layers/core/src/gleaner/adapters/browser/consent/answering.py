"""Answer the consent dialog of a page that has settled, by a maintained rule set (AC-3).

The rules' script runs in a world of its own: a page can neither see it nor speak in its name. What it asks of this
process is one thing, to evaluate one of its expressions in the page's own world, where the page may run whatever it
likes anyway; of the answer nothing but true or false is taken. A page that looks like a known dialog can have itself
clicked, which it could do by itself, and what a click starts is checked as all of a page's requests are.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.consent.rules import RuleSet
from gleaner.adapters.browser.snapshot import evaluate, frame_id_of, main_frame_of, page_script, sessions_of_frames
from gleaner.contracts.actions import ConsentDeed, ConsentOutcome

WORLD = "gleaner-consent"
LONGEST_ANSWER_S = 10.0
"""What answering may take in all. The longest way of the rules' own classes, through OneTrust's settings, is 3 s."""

APPEARS_S = 1.2
"""How long the dialog of a known maker is waited for on a page that has settled: the rules look twice a second."""

CLOSES_S = 0.3
"""What a dialog gets to close, and a page to begin what the answer starts, before it is looked at."""

ENDS_S = 0.5
PATIENCE_MS = 500
GONE_S = 1.5
MOST_FRAMES = 3
MOST_ROUNDS = 2
MOST_EVALUATIONS = 100
LONGEST_CODE = 20_000
LONGEST_NAME = 100


@dataclass(slots=True)
class Round:
    """What the rules said of one document: the maker that they found, the dialog that is open, how the answer went."""

    maker: str = ""
    dialog: str = ""
    succeeded: bool | None = None
    is_done: bool = False
    is_hidden: bool = False
    is_over: bool = False
    evaluations: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Expressions to evaluate, each with the id that its answer carries."""

    def take(self, message: Any) -> None:
        """Take note of a message; what is none is passed over."""
        if not isinstance(message, dict):
            return
        told = cast("dict[str, Any]", message)
        name = str(told.get("cmp", ""))[:LONGEST_NAME]
        match told.get("type"):
            case "nothing":
                self.is_over = True
            case "cmpDetected":
                self.maker = self.maker or name
            case "popupFound":
                self.dialog = self.dialog or name
            case "optOutResult" | "optInResult":
                self.succeeded = told.get("result") is True
            case "autoconsentDone":
                self.is_done, self.is_hidden = True, told.get("isCosmetic") is True
            case "eval" if isinstance(told.get("code"), str) and len(told["code"]) <= LONGEST_CODE:
                self.evaluations.append((str(told.get("id")), told["code"]))
            case _:
                pass


@dataclass(eq=False)
class DialogAnswerer:
    """Answers the dialog of one page; ``rejects`` or accepts."""

    page: Page
    session: CDPSession
    rules: RuleSet
    rejects: bool
    settle: Callable[[], Awaitable[None]]
    """Waits until the page has settled again, on another document perhaps."""
    _start: float = field(default_factory=time.monotonic)
    _rounds: list[Round] = field(default_factory=list[Round])

    async def answer(self, longest_s: float = LONGEST_ANSWER_S) -> ConsentOutcome | None:
        """Give what was done; None where no dialog is known on the page."""
        deed: ConsentDeed = "nothing"
        with suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(longest_s):
                deed = await self._answer()
        dialog = next((seen.dialog for seen in self._rounds if seen.dialog), "")
        if not dialog:
            return None
        return ConsentOutcome(dialog=dialog, did=deed, ms=round((time.monotonic() - self._start) * 1000, 1))

    async def _answer(self) -> ConsentDeed:
        for number in range(MOST_ROUNDS):
            seen = await self._look()
            if seen.is_done:
                return "hidden" if seen.is_hidden else self._deed
            if not seen.dialog or seen.succeeded is False:
                # The answer has led to another document, which has no dialog any more.
                return self._deed if number and not seen.dialog else "nothing"
            await self.settle()  # the page has moved on, or has a second dialog
        return "nothing"

    @property
    def _deed(self) -> ConsentDeed:
        return "rejected" if self.rejects else "accepted"

    async def _look(self) -> Round:
        """Let the rules answer the document's dialog, or that of a frame that stands over it."""
        main = DocumentRules(self.session, await main_frame_of(self.session), self.page.url, is_frame=False)
        await main.enter()
        marks = await main.ask(page_script("consent_marks.js").replace("MARKS", self.rules.marks))
        seen = self._new_round()
        if marks["isKnown"] or self.rules.knows_site(self.page.url):
            await main.run(self.rules, seen, rejects=self.rejects)
        count = 0 if seen.dialog else min(MOST_FRAMES, int(marks["frames"]))
        sessions = await sessions_of_frames(self.page, self.page.frames[1:]) if count else {}
        for number in range(count):
            frame_id = await frame_id_of(self.session, main.context_id, number)
            inside = DocumentRules(sessions.get(frame_id, self.session), frame_id, "", is_frame=True)
            await inside.enter()
            found = await inside.run(self.rules, self._new_round(), rejects=self.rejects)
            if found.dialog:
                return found
        return seen

    def _new_round(self) -> Round:
        self._rounds.append(Round())
        return self._rounds[-1]


@dataclass(eq=False)
class DocumentRules:
    """The rules at work in one document."""

    session: CDPSession
    frame_id: str
    url: str
    is_frame: bool
    context_id: int = 0

    async def enter(self) -> None:
        """Make the world that the rules work in, without what browsers' own tools may do in a page."""
        world = await self.session.send("Page.createIsolatedWorld", {"frameId": self.frame_id, "worldName": WORLD})
        self.context_id = int(world["executionContextId"])

    async def run(self, rules: RuleSet, seen: Round, *, rejects: bool) -> Round:
        """Look for a dialog and answer it, as ``seen`` says then; the script does nothing more once this ends."""
        url = self.url or str(await self.ask("location.href"))
        asked, appears_until = 0, time.monotonic() + APPEARS_S
        said, is_answered = self._opening(rules, url), False
        try:
            while True:
                async with asyncio.timeout(GONE_S):
                    told = await self.ask(f"{said};gleanerConsent.next({PATIENCE_MS})")
                for message in json.loads(told):
                    seen.take(message)
                late = not seen.dialog and time.monotonic() > appears_until
                if seen.is_over or seen.succeeded is not None or late or asked > MOST_EVALUATIONS:
                    return seen
                asked += len(seen.evaluations)
                said = await self._evaluated(seen.evaluations)
                seen.evaluations.clear()
                if seen.dialog and not is_answered:  # an answer may take the document away, with what it had to say
                    is_answered = True
                    said += f"autoconsentReceiveMessage({{type: '{'optOut' if rejects else 'optIn'}'}});"
        except (PlaywrightError, TimeoutError):
            if not is_answered:
                raise
            return seen  # the answer has taken the document away: a frame that is gone gives no answer at all
        finally:
            await self._end()

    def _opening(self, rules: RuleSet, url: str) -> str:
        config = {"enabled": True, "autoAction": None, "enablePrehide": False, "detectRetries": 0}
        # As a text that JSON.parse reads: faster than as an expression.
        chosen = json.dumps(rules.for_page(url, is_frame=self.is_frame))
        given = f'{{type: "initResp", config: {json.dumps(config)}, rules: {{autoconsent: JSON.parse({chosen})}}}}'
        return f"{page_script('consent.js')}\n{rules.script}\nautoconsentReceiveMessage({given})"

    async def ask(self, expression: str) -> Any:
        """Evaluate in the rules' own world."""
        return await evaluate(self.session, expression, self.context_id)

    async def _evaluated(self, evaluations: list[tuple[str, str]]) -> str:
        """Evaluate expressions of the rules in the page's world; give what tells the script of the answers."""
        if not evaluations:
            return ""
        verdicts: Any = []
        if not self.is_frame:  # the rules for frames need none
            # None is waited for: a page could answer with a promise that is never kept.
            tries = ", ".join(
                f"(() => {{ try {{ return !!{code} }} catch {{ return false }} }})()" for _, code in evaluations
            )
            verdicts = await evaluate(self.session, f"[{tries}]")
        verdicts = cast("list[Any]", verdicts) if isinstance(verdicts, list) else []
        answers = [
            {"type": "evalResp", "id": number, "result": place < len(verdicts) and verdicts[place] is True}
            for place, (number, _) in enumerate(evaluations)
        ]
        return "".join(f"autoconsentReceiveMessage({json.dumps(answer)});" for answer in answers)

    async def _end(self) -> None:
        with suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(ENDS_S):
                await self.ask("gleanerConsent.end()")
