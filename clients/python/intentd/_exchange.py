"""What clients do, without input and output: generators that yield calls and pauses, and get replies.

The blocking client and the asynchronous one run the same generators, so that retries, waiting and keys are written once.
"""

from __future__ import annotations

import json
import time
import uuid
from typing import Any, Dict, Generator, List, Mapping, Optional, Tuple, TypeVar
from urllib.parse import quote, urlencode

from ._errors import ConversationTimeout, GatewayError, Unreachable
from ._events import Backoff, EventStream
from ._http import Call, Pause, Reply, Step
from .interaction import Interaction
from .types import Prompt

#: How long the gateway is asked to hold a request until something has happened, in seconds.
WAIT = 25
#: The longest time for a reply that does not wait, in seconds.
TIMEOUT = 20.0

T = TypeVar("T")
Steps = Generator[Step, Optional[Reply], T]


class Exchange:
    """Makes the calls of the API, with retries that are safe because each call has its key."""

    def __init__(self, retry_for: float, user: Optional[str], locale: Optional[str], time_zone: Optional[str]) -> None:
        self.retry_for = retry_for
        self.locale = locale
        self.time_zone = time_zone
        self.backoff = Backoff()
        self._headers = {"Accept": "application/json"}
        if user is not None:
            self._headers["Intentd-User"] = quote(user, safe="")
        if locale is not None:
            self._headers["Accept-Language"] = locale

    def call(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        key: Optional[str] = None,
        wait: float = 0,
    ) -> Steps[Any]:
        """Sends a request until there is a reply that another try would not change, or the time is over."""
        headers = dict(self._headers)
        if key is not None:
            headers["Idempotency-Key"] = key
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, ensure_ascii=False).encode()
        if wait >= 1:
            headers["Prefer"] = f"wait={int(wait)}"
        deadline = time.monotonic() + self.retry_for
        tries = 0
        while True:
            tries += 1
            problem: Exception
            least = 0.0
            try:
                reply = yield Call(method, path, headers, data, TIMEOUT + wait)
                assert reply is not None
                if reply.status < 300:
                    return json.loads(reply.body) if reply.body else None
                error = GatewayError.of(reply)
                if not error.is_retriable:
                    error.is_repeated = tries > 1
                    raise error
                problem, least = error, error.retry_after or 0.0
            except Unreachable as error:
                problem = error
            pause = max(least, self.backoff.after(tries))
            if time.monotonic() + pause > deadline:
                raise problem
            yield Pause(pause)

    def ask(
        self,
        name: str,
        parameters: Optional[Mapping[str, Any]],
        key: Optional[str],
        members: Dict[str, Any],
        wait: float,
    ) -> Steps[Interaction]:
        """Requests an intent."""
        body: Dict[str, Any] = {"intent": name, "parameters": dict(parameters or {})}
        if self.locale is not None:
            body["locale"] = self.locale
        if self.time_zone is not None:
            body["timeZone"] = self.time_zone
        body.update({member: value for member, value in members.items() if value is not None})
        found: Interaction = yield from self.call("POST", "/v1/interactions", body, key or str(uuid.uuid4()), wait)
        return found

    def interaction(self, id: str, after: Optional[int] = None, wait: float = 0) -> Steps[Interaction]:
        path = interaction_path(id)
        if after is not None:
            path += f"?after={after}"
        found: Interaction = yield from self.call("GET", path, wait=wait)
        return found

    def interactions(self, open: Optional[bool], limit: int) -> Steps[List[Interaction]]:
        """One page after the other until the last; returns all."""
        found: List[Interaction] = []
        query: Dict[str, Any] = {"limit": limit}
        if open is not None:
            query["open"] = "true" if open else "false"
        while True:
            page = yield from self.call("GET", f"/v1/interactions?{urlencode(query)}")
            found += page["interactions"]
            if page.get("next") is None or len(found) >= limit:
                return found[:limit]
            query["before"] = page["next"]

    def send(self, path: str, body: Optional[Mapping[str, Any]] = None, method: str = "POST") -> Steps[Any]:
        return (yield from self.call(method, path, body, str(uuid.uuid4())))

    def intents(self) -> Steps[List[Dict[str, Any]]]:
        found: List[Dict[str, Any]] = (yield from self.call("GET", "/v1/intents"))["intents"]
        return found

    def unlocked(self, device: str) -> Steps[Any]:
        return self.send(f"/v1/devices/{quote(device, safe='')}/unlocked")

    def vocabulary(self, type: str, strings: List[Any]) -> Steps[Any]:
        return self.send(f"/v1/vocabularies/{quote(type, safe='')}", {"strings": strings}, method="PUT")

    def stream(self, after: Optional[str]) -> EventStream:
        headers = {name: value for name, value in self._headers.items() if name != "Accept"}
        return EventStream(after, headers, self.backoff)


class Dialogue:
    """The state of one conversation, and what can be done in it."""

    def __init__(self, exchange: Exchange, interaction: Interaction) -> None:
        self._exchange = exchange
        self.interaction = interaction
        #: Prompts that were answered, each with the answer's id.
        self._answers: Dict[str, str] = {}
        #: The prompt that was returned last, and until when it was open then.
        self._shown: Optional[Tuple[str, str]] = None

    @property
    def open_prompt(self) -> Optional[Prompt]:
        """The open prompt, unless it has been answered."""
        prompt = self.interaction["prompt"]
        if prompt is None or self.interaction["state"] == "ended":
            return None
        answer = self._answers.get(prompt["promptId"])
        rejection = self.interaction["rejection"]
        is_answered = answer is not None and (rejection is None or rejection["eventId"] != answer)
        return None if is_answered else prompt

    def _newer(self, interaction: Interaction) -> None:
        if interaction["revision"] >= self.interaction["revision"]:
            self.interaction = interaction

    def next_prompt(self, timeout: Optional[float]) -> Steps[Optional[Prompt]]:
        """The next prompt; None when the interaction has ended."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            if self.interaction["state"] == "ended":
                return None
            prompt = self.open_prompt
            if prompt is not None and self._shown != self._mark(prompt):
                self._shown = self._mark(prompt)
                return prompt
            yield from self._wait(deadline)

    def _mark(self, prompt: Prompt) -> Tuple[str, str]:
        # A rejected answer, and a prompt that is in front again, show the same prompt once more.
        rejection = self.interaction["rejection"]
        return prompt["promptId"], f"{prompt['expiresAt']} {rejection['eventId'] if rejection else ''}"

    def end(self, timeout: Optional[float]) -> Steps[Interaction]:
        """Waits for the end, whatever is asked meanwhile."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self.interaction["state"] != "ended":
            yield from self._wait(deadline)
        return self.interaction

    def _wait(self, deadline: Optional[float]) -> Steps[None]:
        wait = float(WAIT)
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise ConversationTimeout(self.interaction)
            wait = max(1.0, min(wait, left))
        began = time.monotonic()
        before = self.interaction["revision"]
        self._newer((yield from self._exchange.interaction(self.interaction["id"], before, wait)))
        # A proxy may answer at once what the gateway would hold.
        if self.interaction["revision"] == before and time.monotonic() - began < 0.2:
            yield Pause(0.2)

    def answer(self, body: Dict[str, Any], prompt_id: Optional[str], wait: float) -> Steps[Interaction]:
        """Answers the open prompt, or the given one."""
        if prompt_id is None:
            prompt = self.open_prompt
            if prompt is None:
                raise ValueError(f"interaction {self.interaction['id']} has no open prompt: wait for one before answering")
            prompt_id = prompt["promptId"]
        key = str(uuid.uuid4())
        body = {"promptId": prompt_id, "timeZone": self._exchange.time_zone, **body}
        body = {name: value for name, value in body.items() if value is not None}
        path = interaction_path(self.interaction["id"]) + "/answers"
        try:
            self._newer((yield from self._exchange.call("POST", path, body, key, wait)))
        except GatewayError as error:
            # An earlier try whose reply was lost may be the one that closed the prompt.
            if error.code != "superseded" or not error.is_repeated:
                raise
            self._newer((yield from self._exchange.interaction(self.interaction["id"])))
        self._answers[prompt_id] = key
        return self.interaction

    def cancel(self, reason: Optional[str]) -> Steps[Interaction]:
        path = interaction_path(self.interaction["id"])
        if reason is not None:
            path += "?" + urlencode({"reason": reason})
        found = yield from self._exchange.send(path, method="DELETE")
        if found is not None:
            self._newer(found)
        return self.interaction

    def report(self, code: str, response: Optional[Mapping[str, Any]]) -> Steps[None]:
        path = interaction_path(self.interaction["id"]) + "/report"
        yield from self._exchange.send(path, {"code": code, "response": dict(response or {})})


def interaction_path(id: str) -> str:
    return f"/v1/interactions/{quote(id, safe='')}"
