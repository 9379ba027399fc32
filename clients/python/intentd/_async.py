"""The client for asyncio."""

from __future__ import annotations

import asyncio
import collections
import inspect
import ssl
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Mapping, Optional, Tuple, Union

from ._errors import GatewayError, Unreachable
from ._events import Event
from ._exchange import WAIT, Dialogue, Exchange, Steps, T
from ._http import Address, Call, Pause, Reply
from .interaction import Interaction
from .types import Prompt, Response

#: The largest line of a reply's head, and the largest head.
LINE, HEAD = 16_384, 65_536

Connection = Tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncClient:
    """What ``Client`` does, for asyncio. ``token`` may also be a function that returns an awaitable."""

    def __init__(
        self,
        url: str,
        token: Union[str, Callable[[], Union[str, Awaitable[str]]], None] = None,
        *,
        user: Optional[str] = None,
        locale: Optional[str] = None,
        time_zone: Optional[str] = None,
        retry_for: float = 60.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._address = Address(url, ssl_context)
        self._token = token
        self._exchange = Exchange(retry_for, user, locale, time_zone)
        self._idle: "collections.deque[Connection]" = collections.deque()

    async def ask(
        self,
        name: str,
        parameters: Optional[Mapping[str, Any]] = None,
        *,
        id: Optional[str] = None,
        wait: float = WAIT,
        **members: Any,
    ) -> "AsyncConversation":
        found = await self._run(self._exchange.ask(name, parameters, id, members, wait))
        return AsyncConversation(self, Dialogue(self._exchange, found))

    async def conversation(self, id: str) -> "AsyncConversation":
        return AsyncConversation(self, Dialogue(self._exchange, await self.interaction(id)))

    async def interaction(self, id: str) -> Interaction:
        return await self._run(self._exchange.interaction(id))

    async def interactions(self, open: Optional[bool] = None, limit: int = 50) -> List[Interaction]:
        return await self._run(self._exchange.interactions(open, limit))

    async def intents(self) -> List[Dict[str, Any]]:
        return await self._run(self._exchange.intents())

    async def unlocked(self, device: str) -> None:
        await self._run(self._exchange.unlocked(device))

    async def signed_in(self) -> None:
        await self._run(self._exchange.send("/v1/signed-in"))

    async def set_vocabulary(self, type: str, strings: List[Any]) -> None:
        await self._run(self._exchange.vocabulary(type, strings))

    async def remove_vocabularies(self) -> None:
        await self._run(self._exchange.send("/v1/vocabularies", method="DELETE"))

    async def events(
        self, after: Optional[str] = None, on_open: Optional[Callable[[], None]] = None
    ) -> AsyncIterator[Event]:
        stream = self._exchange.stream(after)
        while True:
            error: Optional[Exception] = None
            writer: Optional[asyncio.StreamWriter] = None
            try:
                call = stream.call()
                reader, writer = await self._connect()
                status, headers = await self._request((reader, writer), call)
                body = _Body(reader, status, headers, call.timeout)
                if status != 200:
                    raise GatewayError.of(Reply(status, headers, await body.all()))
                while True:
                    piece = await body.piece()
                    if not piece:
                        break
                    for event in stream.feed(piece, on_open):
                        yield event
            except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError) as broken:
                error = Unreachable(repr(broken))
            except GatewayError as refused:
                error = refused
            finally:
                if writer is not None:
                    writer.close()
            await asyncio.sleep(stream.pause_after(error))

    async def close(self) -> None:
        while self._idle:
            self._idle.pop()[1].close()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _run(self, steps: Steps[T]) -> T:
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
                await asyncio.sleep(step.seconds)
                continue
            try:
                reply = await self._send(step)
            except Unreachable as broken:
                error = broken

    async def _send(self, call: Call) -> Reply:
        while True:
            connection = self._idle.pop() if self._idle else None
            is_new = connection is None
            is_kept = False
            try:
                connection = connection or await self._connect()
                status, headers = await self._request(connection, call)
                body = _Body(connection[0], status, headers, call.timeout)
                reply = Reply(status, headers, await body.all())
                is_kept = body.is_delimited and headers.get("connection", "").lower() != "close"
            except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError) as broken:
                # The server closes connections that were idle: that is no failure of this request.
                if is_new or isinstance(broken, asyncio.TimeoutError):
                    raise Unreachable(f"{call.method} {call.path}: {broken!r}") from broken
                continue
            finally:
                if connection is not None and not is_kept:
                    connection[1].close()
            self._idle.append(connection)
            return reply

    async def _connect(self) -> Connection:
        address = self._address
        name = address.host if address.context is not None else None
        opening = asyncio.open_connection(
            address.host, address.port, ssl=address.context, server_hostname=name, limit=HEAD
        )
        return await asyncio.wait_for(opening, 20)

    async def _request(self, connection: Connection, call: Call) -> Tuple[int, Dict[str, str]]:
        headers = {"Host": self._address.authority, **call.headers}
        token = self._token() if callable(self._token) else self._token
        if inspect.isawaitable(token):
            token = await token
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if call.body is not None or call.method != "GET":
            headers["Content-Length"] = str(len(call.body or b""))
        lines = [f"{call.method} {self._address.prefix}{call.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if any("\r" in line or "\n" in line for line in lines):
            raise TypeError("a header must not contain a line break")
        reader, writer = connection
        writer.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (call.body or b""))
        await asyncio.wait_for(writer.drain(), call.timeout)
        while True:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), call.timeout)
            first, *rest = head.decode("latin-1").split("\r\n")
            status = int(first.split(" ", 2)[1]) if first.startswith("HTTP/1.") else 0
            if not 100 <= status < 600:
                raise ValueError(f"{first[:80]!r} is no reply of HTTP")
            if status >= 200:
                break  # others announce the reply that follows
        fields = (line.partition(":") for line in rest if line)
        return status, {name.strip().lower(): value.strip() for name, _, value in fields}


class _Body:
    """The body of a reply, piece by piece; empty when it has ended."""

    def __init__(
        self, reader: asyncio.StreamReader, status: int, headers: Mapping[str, str], timeout: float
    ) -> None:
        self._reader = reader
        self._timeout = timeout
        self._is_chunked = "chunked" in headers.get("transfer-encoding", "").lower()
        length = headers.get("content-length")
        self._left: Optional[int] = None if self._is_chunked or length is None else int(length)
        if status in (204, 304):
            self._is_chunked, self._left = False, 0
        self.is_delimited = self._is_chunked or self._left is not None
        self._chunk = 0
        self._is_over = False

    async def all(self) -> bytes:
        pieces: List[bytes] = []
        while True:
            piece = await self.piece()
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)

    async def piece(self) -> bytes:
        return await asyncio.wait_for(self._piece(), self._timeout)

    async def _piece(self) -> bytes:
        if self._is_over:
            return b""
        if not self._is_chunked:
            if self._left == 0:
                return b""
            piece = await self._reader.read(65_536 if self._left is None else min(self._left, 65_536))
            if self._left is not None:
                if not piece:
                    raise EOFError("the reply was cut off")
                self._left -= len(piece)
            return piece
        if self._chunk == 0:
            size = await self._reader.readuntil(b"\r\n")
            self._chunk = int(size.split(b";")[0], 16)
            if self._chunk == 0:
                while await self._reader.readuntil(b"\r\n") != b"\r\n":
                    pass  # trailers
                self._is_over = True
                return b""
        piece = await self._reader.read(min(self._chunk, 65_536))
        if not piece:
            raise EOFError("the reply was cut off")
        self._chunk -= len(piece)
        if self._chunk == 0:
            await self._reader.readexactly(2)
        return piece


class AsyncConversation:
    """What ``Conversation`` is, for asyncio: ``async for prompt in conversation``."""

    def __init__(self, client: AsyncClient, dialogue: Dialogue) -> None:
        self._client = client
        self._dialogue = dialogue

    @property
    def id(self) -> str:
        return self.interaction["id"]

    @property
    def interaction(self) -> Interaction:
        return self._dialogue.interaction

    @property
    def prompt(self) -> Optional[Prompt]:
        return self._dialogue.open_prompt

    @property
    def response(self) -> Optional[Response]:
        return self.interaction["response"]

    @property
    def has_ended(self) -> bool:
        return self.interaction["state"] == "ended"

    async def __aiter__(self) -> AsyncIterator[Prompt]:
        while True:
            prompt = await self.next_prompt()
            if prompt is None:
                return
            yield prompt

    async def next_prompt(self, timeout: Optional[float] = None) -> Optional[Prompt]:
        return await self._client._run(self._dialogue.next_prompt(timeout))

    async def answer(
        self,
        value: Any = None,
        *,
        choice: Optional[int] = None,
        action: Optional[str] = None,
        corrections: Optional[Mapping[str, Any]] = None,
        prompt_id: Optional[str] = None,
        wait: float = WAIT,
    ) -> Interaction:
        body = {"value": value, "choice": choice, "action": action, "corrections": corrections}
        return await self._client._run(self._dialogue.answer(body, prompt_id, wait))

    async def end(self, timeout: Optional[float] = None) -> Interaction:
        return await self._client._run(self._dialogue.end(timeout))

    async def cancel(self, reason: Optional[str] = None) -> Interaction:
        return await self._client._run(self._dialogue.cancel(reason))

    async def report(self, code: str, response: Optional[Mapping[str, Any]] = None) -> None:
        await self._client._run(self._dialogue.report(code, response))
