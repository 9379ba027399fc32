"""A client for intentd's gateway: request intents, answer prompts, follow events.

``Client`` blocks, ``AsyncClient`` is for asyncio; both do the same. Only the standard library is used.
"""

from ._async import AsyncClient, AsyncConversation
from ._errors import ConversationTimeout, GatewayError, Unreachable
from ._events import Event
from ._sync import Client, Conversation
from .interaction import Interaction

__all__ = [
    "AsyncClient",
    "AsyncConversation",
    "Client",
    "Conversation",
    "ConversationTimeout",
    "Event",
    "GatewayError",
    "Interaction",
    "Unreachable",
]
