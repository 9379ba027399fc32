"""What can go wrong between a client and the gateway."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._http import Reply
    from .interaction import Interaction


class Unreachable(ConnectionError):
    """The gateway could not be reached, or the connection ended before its reply was complete."""


class GatewayError(Exception):
    """The gateway refused a request. ``code`` says why; ``detail`` is for the developer of the client."""

    def __init__(self, status: int, code: str, detail: str, retry_after: Optional[float] = None) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.retry_after = retry_after
        #: Whether an earlier try of the same request may have succeeded: its reply was lost.
        self.is_repeated = False

    @property
    def is_retriable(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status in (429, 502, 503, 504)

    @classmethod
    def of(cls, reply: Reply) -> GatewayError:
        """The error that a reply contains, also where a proxy wrote the reply."""
        try:
            problem = json.loads(reply.body)
        except ValueError:
            problem = None
        problem = problem if isinstance(problem, dict) else {}
        try:
            retry_after = float(reply.headers.get("retry-after", ""))
        except ValueError:
            retry_after = None
        code = str(problem.get("code") or ("unavailable" if reply.status in (502, 503, 504) else "unknown"))
        return cls(reply.status, code, str(problem.get("detail") or problem.get("title") or ""), retry_after)


class ConversationTimeout(Exception):
    """Nothing that the client waited for has happened in time; ``interaction`` is as it was last seen."""

    def __init__(self, interaction: Interaction) -> None:
        super().__init__(f"interaction {interaction['id']} is still {interaction['state']}")
        self.interaction = interaction
