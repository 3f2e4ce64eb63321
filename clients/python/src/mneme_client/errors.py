from __future__ import annotations

from typing import Any, Dict, List, Optional


class MnemeError(Exception):
    """A request that did not succeed. Each code of the service has a class of its own, as `MemoryNotFoundError`."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        request_id: Optional[str] = None,
        details: Optional[List[Dict[str, str]]] = None,
        retry_after: Optional[float] = None,
        work: Any = None,
    ) -> None:
        super().__init__(message)
        #: The service's `error_code`, or `UNREACHABLE`, `TIMED_OUT`, `REDIRECTED`, `NOT_COMPLETED` or `NOT_SIGNED`.
        self.code = code
        #: The HTTP status; 0 where there was no response.
        self.status = status
        #: The service's log shows it beside this request.
        self.request_id = request_id
        #: Every field at fault, where a request did not fit.
        self.details = details or []
        #: The service asked to come back after so many seconds.
        self.retry_after = retry_after
        #: What was waited for in vain.
        self.work = work


class UnreachableError(MnemeError):
    """The service, or a way to it, is not there."""


class TimedOutError(MnemeError):
    """A request took longer than its time limit."""


class NotCompletedError(MnemeError):
    """Work in the background ended otherwise than as `COMPLETED`."""
