"""Server-sent events: their parser, and the state of a stream that continues after a break."""

from __future__ import annotations

import codecs
import json
import random
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from ._errors import GatewayError, Unreachable
from ._http import Call

#: The gateway sends a comment more often than that; a connection without a byte for longer is broken.
SILENCE = 45.0


class Event(NamedTuple):
    """An event of the user: a prompt, a response, a rejection, an activity."""

    #: Its type, such as ``prompt.issued``. Ignore those that you do not know: later versions add types.
    type: str
    #: The id of the interaction, if it belongs to one.
    interaction: Optional[str]
    #: When it was written.
    time: str
    #: Its data, as in ``intentd.types``.
    data: Dict[str, Any]
    #: The event's own id.
    id: str
    #: Where it is in the stream: ``events(after=position)`` continues behind it, on any replica.
    position: str


class EventParser:
    """Parses a stream in pieces of any size."""

    def __init__(self, position: Optional[str] = None) -> None:
        self.position = position
        #: What the gateway asks clients to wait before they connect again, in seconds.
        self.retry: Optional[float] = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._data: List[str] = []
        self._id: Optional[str] = position

    def feed(self, piece: bytes) -> List[Event]:
        """The events that are complete with this piece."""
        self._text += self._decoder.decode(piece)
        found: List[Event] = []
        while True:
            ends = [place for place in (self._text.find("\n"), self._text.find("\r")) if place >= 0]
            if not ends:
                return found
            end = min(ends)
            if self._text[end] == "\r" and end + 1 == len(self._text):
                return found  # a line feed may follow
            after = end + 2 if self._text.startswith("\r\n", end) else end + 1
            line, self._text = self._text[:end], self._text[after:]
            event = self._line(line)
            if event is not None:
                found.append(event)

    def _line(self, line: str) -> Optional[Event]:
        if line:
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "data":
                self._data.append(value)
            elif name == "id" and "\0" not in value:
                self._id = value
            elif name == "retry" and value.isascii() and value.isdigit():
                self.retry = int(value) / 1000
            return None
        # A blank line ends an event; one without data only moves the position.
        self.position = self._id
        text, self._data = "\n".join(self._data), []
        try:
            body = json.loads(text) if text else None
        except ValueError:
            return None
        if not isinstance(body, dict):
            return None
        return Event(
            type=str(body.get("type")),
            interaction=body.get("interaction"),
            time=str(body.get("time")),
            data=body.get("data") or {},
            id=str(body.get("id")),
            position=self.position or "",
        )


class EventStream:
    """The state of following events over any number of connections."""

    def __init__(self, after: Optional[str], headers: Dict[str, str], backoff: "Backoff") -> None:
        self.parser = EventParser(after)
        self._headers = headers
        self._backoff = backoff
        self._failures = 0
        self._is_open = False

    def call(self) -> Call:
        """The request that continues the stream; a piece of an event that was cut off is dropped."""
        self.parser = EventParser(self.parser.position)
        self._is_open = False
        headers = {**self._headers, "Accept": "text/event-stream", "Cache-Control": "no-store"}
        if self.parser.position:
            headers["Last-Event-ID"] = self.parser.position
        return Call("GET", "/v1/events", headers, None, SILENCE)

    def feed(self, piece: bytes, on_open: Optional[Callable[[], None]] = None) -> List[Event]:
        self._failures = 0
        found = self.parser.feed(piece)
        # The gateway begins with a position. A connection that breaks before it would continue somewhere else.
        if not self._is_open and self.parser.position:
            self._is_open = True
            if on_open is not None:
                on_open()
        return found

    def pause_after(self, error: Optional[Exception]) -> float:
        """How long to wait before the next connection; raises an error that another try does not mend."""
        if isinstance(error, GatewayError) and not error.is_retriable:
            raise error
        if error is not None and not isinstance(error, (GatewayError, Unreachable)):
            raise error
        self._failures += 1
        least = error.retry_after if isinstance(error, GatewayError) else self.parser.retry
        return max(least or 0.0, self._backoff.after(self._failures))


class Backoff:
    """Pauses that double with each try up to a limit, with random parts so that clients do not come back together."""

    def __init__(self, first: float = 0.1, limit: float = 10.0) -> None:
        self.first = first
        self.limit = limit

    def after(self, tries: int) -> float:
        longest = min(self.limit, self.first * 2 ** min(tries, 20))
        return random.uniform(longest / 2, longest)
