"""What both clients have in common of HTTP: requests and replies as values, and addresses."""

from __future__ import annotations

import ssl
from typing import Dict, NamedTuple, Optional, Union
from urllib.parse import urlsplit


class Call(NamedTuple):
    """A request to the gateway; the transport adds the token."""

    method: str
    path: str
    headers: Dict[str, str]
    body: Optional[bytes]
    #: The longest time without a byte of the reply, in seconds.
    timeout: float


class Pause(NamedTuple):
    """A wait before the next try, in seconds."""

    seconds: float


class Reply(NamedTuple):
    """A complete reply; names of headers are lower case."""

    status: int
    headers: Dict[str, str]
    body: bytes


Step = Union[Call, Pause]


class Address:
    """Where the gateway is: ``http://host:port`` or ``https://host/prefix``."""

    def __init__(self, url: str, context: Optional[ssl.SSLContext] = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address of a gateway: it must be like http://127.0.0.1:8080")
        self.host = parts.hostname
        self.port = parts.port or (443 if parts.scheme == "https" else 80)
        self.prefix = parts.path.rstrip("/")
        self.authority = parts.netloc.rpartition("@")[2]
        self.context = (context or ssl.create_default_context()) if parts.scheme == "https" else None
