"""The client that blocks."""

from __future__ import annotations

import collections
import http.client
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

from ._errors import GatewayError, Unreachable
from ._events import Event
from ._exchange import WAIT, Dialogue, Exchange, Steps, T
from ._http import Address, Call, Pause, Reply
from .interaction import Interaction
from .types import Prompt, Response


class Client:
    """A client of one gateway, or of several behind one address.

    Several threads may share it. ``token`` is a token, or a function that returns the current one.
    """

    def __init__(
        self,
        url: str,
        token: Union[str, Callable[[], str], None] = None,
        *,
        user: Optional[str] = None,
        locale: Optional[str] = None,
        time_zone: Optional[str] = None,
        retry_for: float = 60.0,
        ssl_context: Any = None,
    ) -> None:
        """Makes a client; nothing is sent yet.

        ``user`` names the user for whom a service acts (scope ``intents.act-as``). A request that gets no reply, or a
        reply that asks to try again, is sent again for ``retry_for`` seconds: it counts once.
        """
        self._address = Address(url, ssl_context)
        self._token = token
        self._exchange = Exchange(retry_for, user, locale, time_zone)
        self._idle: "collections.deque[http.client.HTTPConnection]" = collections.deque(maxlen=16)

    def ask(
        self,
        name: str,
        parameters: Optional[Mapping[str, Any]] = None,
        *,
        id: Optional[str] = None,
        wait: float = WAIT,
        **members: Any,
    ) -> "Conversation":
        """Requests an intent. The same ``id`` with the same request again continues the same conversation.

        Further members of a request: ``locale``, ``timeZone``, ``device``, ``groupIdentifier``, ``expiresAt``,
        ``setsAside``, ``presentation``.
        """
        found = self._run(self._exchange.ask(name, parameters, id, members, wait))
        return Conversation(self, Dialogue(self._exchange, found))

    def conversation(self, id: str) -> "Conversation":
        """Continues a conversation that this client or another one began."""
        return Conversation(self, Dialogue(self._exchange, self.interaction(id)))

    def interaction(self, id: str) -> Interaction:
        return self._run(self._exchange.interaction(id))

    def interactions(self, open: Optional[bool] = None, limit: int = 50) -> List[Interaction]:
        """The user's interactions, newest first."""
        return self._run(self._exchange.interactions(open, limit))

    def intents(self) -> List[Dict[str, Any]]:
        """The intents that can be requested, each with a JSON Schema of its parameters."""
        return self._run(self._exchange.intents())

    def unlocked(self, device: str) -> None:
        """Continues interactions that wait until this device is unlocked."""
        self._run(self._exchange.unlocked(device))

    def signed_in(self) -> None:
        """Continues interactions that wait until the user has signed in."""
        self._run(self._exchange.send("/v1/signed-in"))

    def set_vocabulary(self, type: str, strings: List[Any]) -> None:
        """Replaces the user's own words of a type, such as ``contactName``."""
        self._run(self._exchange.vocabulary(type, strings))

    def remove_vocabularies(self) -> None:
        self._run(self._exchange.send("/v1/vocabularies", method="DELETE"))

    def events(
        self, after: Optional[str] = None, on_open: Optional[Callable[[], None]] = None
    ) -> Iterator[Event]:
        """The user's events from now on, or after the position of an earlier event; each once and in order.

        It connects again after a break and continues. ``on_open`` is called whenever a connection is
        open: from then on no event is missed. It ends only with a ``GatewayError`` that another try does not
        mend, such as ``positionExpired`` after a longer break than the topics keep their events.
        """
        stream = self._exchange.stream(after)
        while True:
            error: Optional[Exception] = None
            call = stream.call()
            connection = self._connect(call.timeout)
            try:
                response = self._request(connection, call)
                if response.status != 200:
                    raise GatewayError.of(self._reply(response))
                while True:
                    piece = response.read1(65_536)
                    if not piece:
                        break
                    yield from stream.feed(piece, on_open)
            except (OSError, http.client.HTTPException) as broken:
                error = Unreachable(str(broken))
            except GatewayError as refused:
                error = refused
            finally:
                connection.close()
            time.sleep(stream.pause_after(error))

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, steps: Steps[T]) -> T:
        reply: Optional[Reply] = None
        error: Optional[Exception] = None
        while True:
            try:
                step = steps.throw(error) if error is not None else steps.send(reply)
            except StopIteration as end:
                result: T = end.value
                return result
            reply = error = None
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                continue
            try:
                reply = self._send(step)
            except Unreachable as broken:
                error = broken

    def _send(self, call: Call) -> Reply:
        while True:
            try:
                connection, is_new = self._idle.pop(), False
                if connection.sock is not None:
                    connection.sock.settimeout(call.timeout)
            except IndexError:
                connection, is_new = self._connect(call.timeout), True
            try:
                response = self._request(connection, call)
                reply = self._reply(response)
            except (OSError, http.client.HTTPException) as broken:
                connection.close()
                # The server closes connections that were idle: that is no failure of this request.
                if is_new or isinstance(broken, TimeoutError):
                    raise Unreachable(f"{call.method} {call.path}: {broken!r}") from broken
                continue
            if response.will_close:
                connection.close()
            else:
                self._idle.append(connection)
            return reply

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        address = self._address
        if address.context is not None:
            return http.client.HTTPSConnection(address.host, address.port, timeout=timeout, context=address.context)
        return http.client.HTTPConnection(address.host, address.port, timeout=timeout)

    def _request(self, connection: http.client.HTTPConnection, call: Call) -> http.client.HTTPResponse:
        headers = dict(call.headers)
        token = self._token() if callable(self._token) else self._token
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        connection.request(call.method, self._address.prefix + call.path, call.body, headers)
        return connection.getresponse()

    @staticmethod
    def _reply(response: http.client.HTTPResponse) -> Reply:
        body = response.read()
        return Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, body)


class Conversation:
    """One interaction: iterate over its prompts, and answer each of them.

    ::

        conversation = client.ask("BookRestaurantTable", {"restaurant": "Old Mill"})
        for prompt in conversation:
            conversation.answer(value=input(prompt["dialog"]))
        print(conversation.response["code"])
    """

    def __init__(self, client: Client, dialogue: Dialogue) -> None:
        self._client = client
        self._dialogue = dialogue

    @property
    def id(self) -> str:
        return self.interaction["id"]

    @property
    def interaction(self) -> Interaction:
        """The interaction as it was last seen."""
        return self._dialogue.interaction

    @property
    def prompt(self) -> Optional[Prompt]:
        """The open prompt, unless it has been answered."""
        return self._dialogue.open_prompt

    @property
    def response(self) -> Optional[Response]:
        """The latest response; the result when the interaction has ended."""
        return self.interaction["response"]

    @property
    def has_ended(self) -> bool:
        return self.interaction["state"] == "ended"

    def __iter__(self) -> Iterator[Prompt]:
        while True:
            prompt = self.next_prompt()
            if prompt is None:
                return
            yield prompt

    def next_prompt(self, timeout: Optional[float] = None) -> Optional[Prompt]:
        """Waits for the next prompt; None when the interaction has ended.

        Raises ``ConversationTimeout`` if neither comes in that many seconds.
        """
        return self._client._run(self._dialogue.next_prompt(timeout))

    def answer(
        self,
        value: Any = None,
        *,
        choice: Optional[int] = None,
        action: Optional[str] = None,
        corrections: Optional[Mapping[str, Any]] = None,
        prompt_id: Optional[str] = None,
        wait: float = WAIT,
    ) -> Interaction:
        """Answers the open prompt: with a value, with the index of an option, or with a yes (``answer()``).

        ``action`` is ``accept`` (the default), ``decline`` or ``cancel``.
        """
        body = {"value": value, "choice": choice, "action": action, "corrections": corrections}
        return self._client._run(self._dialogue.answer(body, prompt_id, wait))

    def end(self, timeout: Optional[float] = None) -> Interaction:
        """Waits for the end, whatever is asked meanwhile; raises ``ConversationTimeout`` after that many seconds."""
        return self._client._run(self._dialogue.end(timeout))

    def cancel(self, reason: Optional[str] = None) -> Interaction:
        return self._client._run(self._dialogue.cancel(reason))

    def report(self, code: str, response: Optional[Mapping[str, Any]] = None) -> None:
        """Reports what came of an interaction that was handed to the app."""
        self._client._run(self._dialogue.report(code, response))
