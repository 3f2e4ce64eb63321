"""Client of Mneme, a memory service for AI agents that runs on your own machine.

    from mneme_client import Mneme

    mneme = Mneme()
    mneme.remember("Ada prefers TypeScript.", user_id="ada")
    known = mneme.recall("Which language does Ada like?", user_id="ada")
"""

from .async_client import AsyncMneme, AsyncPages
from .errors import MnemeError, NotCompletedError, TimedOutError, UnreachableError
from .generated.models import *  # noqa: F403
from .generated.sync_client import Mneme, Pages
from .transport import UNSET, RequestOptions
from .webhooks import WebhookEvent, verify_webhook

__version__ = "0.1.0"
