"""An interaction as the gateway returns it."""

from __future__ import annotations

from typing import List, Literal, Optional, TypedDict

from .types import Prompt, Rejection, Response, StatusUpdate, UserActivity

State = Literal[
    "queued",
    "running",
    "awaitingUser",
    "awaitingUnlock",
    "awaitingSignIn",
    "awaitingApp",
    "retrying",
    "paused",
    "awaitingOperator",
    "ended",
]


class _LinksRequired(TypedDict):
    self: str


class Links(_LinksRequired, total=False):
    """Addresses that belong to an interaction."""

    #: The page where the user confirms, if the client may not.
    confirm: str


class Interaction(TypedDict):
    """One request and all that follows from it, at one moment."""

    #: The id that the client chose.
    id: str
    #: The position of the request in the log; None until the gateway has read it.
    request: Optional[str]
    state: State
    #: Raised by every event of the interaction.
    revision: int
    intent: Optional[str]
    requestedAt: str
    #: The time of its latest event.
    updatedAt: str
    endedAt: Optional[str]
    #: The open question.
    prompt: Optional[Prompt]
    #: The latest response; the result if it is terminal.
    response: Optional[Response]
    update: Optional[StatusUpdate]
    activities: List[UserActivity]
    #: The latest event of the client that was rejected.
    rejection: Optional[Rejection]
    links: Links
