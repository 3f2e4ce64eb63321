from __future__ import annotations

import asyncio
import os
from pathlib import Path
from time import monotonic
from typing import Any, AsyncIterator, Dict, Generic, List, Mapping, Optional, TypeVar, Union

import httpx

from .errors import MnemeError, NotCompletedError, TimedOutError
from .generated import models
from .generated.async_verbs import AsyncVerbs
from .transport import (
    UNSET,
    FileInput,
    RequestOptions,
    close_files,
    failure_of,
    helps_to_repeat,
    new_key,
    pause_of,
    refusal_of,
    request_of,
    route_of,
    settings_of,
    value_of,
)

Page = TypeVar("Page")
Item = TypeVar("Item")
Work = TypeVar("Work")


class AsyncPages(Generic[Page, Item]):
    """A list: `page()` gives one page, and a loop over it all items, a page at a time."""

    def __init__(self, client: AsyncMneme, operation: str, fields: Dict[str, Any], options: Optional[RequestOptions]) -> None:
        self._client = client
        self._operation = operation
        self._fields = fields
        self._options = options

    async def page(self, number: Optional[int] = None) -> Page:
        """Reads a page: the one that was asked for, unless a number is given."""
        fields = self._fields if number is None else {**self._fields, "page": number}
        return await self._client._call(self._operation, fields, self._options)

    async def __aiter__(self) -> AsyncIterator[Item]:
        number = None
        while True:
            page: Any = await self.page(number)
            for item in page.data:
                yield item
            if not page.data or len(page.data) < page.page_size:
                return
            number = page.page + 1


class AsyncMneme:
    """A memory service, by what one does with it.

    `request` calls every operation by its name; `graph`, `knowledge`, `webhooks` and the others have a method for each.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        workspace: Optional[str] = None,
        timeout: float = 90.0,
        retries: int = 4,
        headers: Optional[Mapping[str, str]] = None,
        http: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """Without `url` and `key`, `MNEME_URL` and `MNEME_API_KEY` say where the service is and who calls."""
        self._settings = settings_of(url, key, workspace, timeout, retries, headers)
        self._http = http or httpx.AsyncClient()
        verbs = AsyncVerbs(self)
        self.memories = verbs.memories
        self.users = verbs.users
        self.searches = verbs.searches
        self.graph = verbs.graph
        self.knowledge = verbs.knowledge
        self.conversations = verbs.conversations
        self.exports = verbs.exports
        self.imports = verbs.imports
        self.documents = verbs.documents
        self.templates = verbs.templates
        self.webhooks = verbs.webhooks
        self.dashboard = verbs.dashboard
        self.workspaces = verbs.workspaces
        self.keys = verbs.keys
        self.server = verbs.server

    async def __aenter__(self) -> AsyncMneme:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    async def request(self, operation: str, options: Optional[RequestOptions] = None, **fields: Any) -> Any:
        """Calls any operation by its name. A field that is a word of Python has an underscore behind it."""
        return await self._call(operation, {name.rstrip("_"): value for name, value in fields.items()}, options)

    async def remember(self, what: Union[str, List[models.CreateConversationMessage]], **who: Any) -> Any:
        """Stores a text, or submits messages, of which the service keeps what the user says.

        A text that is stored already is taken for done: there is no memory to return then.
        """
        if not isinstance(what, str):
            return await self.conversations.create(what, **who)
        try:
            return await self.memories.create(what, **who)
        except models.DuplicateMemoryError:
            return None

    async def recall(self, query: str, **who: Any) -> str:
        """Gives what is known that bears on a message, as Markdown for a prompt; empty where nothing is."""
        return (await self.context(query, **who)).context

    async def context(self, query: str, **who: Any) -> models.AssembleContextResult:
        """As `recall`, with the memories that it is made of."""
        return await self.request("assembleContext", query=query, **who)

    async def search(self, query: str, **fields: Any) -> models.FoundMemoryPage:
        return await self.searches.run(query, **fields).page()

    async def add(self, memory: str, **fields: Any) -> models.StoredMemory:
        return await self.memories.create(memory, **fields)

    async def add_many(self, memories: List[models.NewMemory], **fields: Any) -> models.CreateMemoryBatchResult:
        """Stores up to 500 at once; the result says of each whether it was stored."""
        return await self.memories.create_many(memories, **fields)

    async def get(self, id: str, **fields: Any) -> models.Memory:
        return await self.memories.get(id, **fields)

    async def update(self, id: str, **fields: Any) -> models.StoredMemory:
        return await self.memories.update(id, **fields)

    async def delete(self, id: str, **fields: Any) -> None:
        await self.memories.delete(id, **fields)

    def list(self, **fields: Any) -> AsyncPages[models.MemoryPage, models.ListedMemory]:
        return self.memories.list(**fields)

    def history(self, id: str, **fields: Any) -> AsyncPages[models.MemoryEventPage, models.MemoryEvent]:
        return self.memories.history(id, **fields)

    async def feedback(self, id: str, signal: Any, **fields: Any) -> None:
        """Says whether a result helped; `query_hash` of the search or the context says for which query."""
        await self.memories.feedback(id, signal, **fields)

    async def conversation(self, messages: List[models.CreateConversationMessage], **who: Any) -> models.Conversation:
        return await self.conversations.create(messages, **who)

    async def ingest(self, source: FileInput, **fields: Any) -> models.IngestJob:
        """Makes memories of a file, or of the page at an address."""
        if isinstance(source, str) and source.startswith(("http://", "https://")):
            return await self.documents.ingest(source_url=source, **fields)
        return await self.documents.ingest(file=source, **fields)

    async def profile(self, user_id: str, options: Optional[RequestOptions] = None) -> Optional[models.Profile]:
        """Gives a summary of what is known of a user; None while there is none."""
        workspace = self._settings.workspace or (await self.workspaces.list(page_size=1).page()).data[0].id
        return (await self.request("getProfile", options, workspaceId=workspace, userId=user_id)).profile

    async def export(self, to: Union[str, os.PathLike[str]], **fields: Any) -> models.Export:
        """Makes an export, waits for it, and writes it to a file, a piece at a time."""
        made = await self.wait_until_completed(await self.exports.create(**fields))
        response = await self.exports.download(made.id)
        try:
            with Path(to).open("wb") as file:
                async for piece in response.aiter_bytes():
                    file.write(piece)
        finally:
            await response.aclose()
        return made

    async def import_(self, file: FileInput, **fields: Any) -> models.Import:
        """Imports an export of this service or of another, and waits until it is read."""
        return await self.wait_until_completed(await self.imports.create(file, **fields))

    async def wait_until_completed(self, work: Work, timeout: float = 600.0) -> Any:
        """Waits for work in the background: of a memory, a conversation, a document, an export, an import or an erasure.

        Raises NotCompletedError where it ended otherwise.
        """
        operation = models.WAITED_FOR[type(work).__name__]
        fields = {"id": getattr(work, "id"), "workspace_id": getattr(work, "workspace_id", UNSET)}
        until = monotonic() + timeout
        pause = 0.1
        while True:
            now = await self._call(operation, fields, None)
            if now.status == "COMPLETED":
                return now
            if now.status not in ("PENDING", "PROCESSING"):
                raise NotCompletedError(now.error or f"It ended as {now.status}", code="NOT_COMPLETED", work=now)
            if monotonic() + pause > until:
                raise TimedOutError(f"It is not completed after {timeout} s", code="TIMED_OUT", work=now)
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 3.0)

    def _pages(self, operation: str, fields: Dict[str, Any], options: Optional[RequestOptions]) -> AsyncPages[Any, Any]:
        return AsyncPages(self, operation, fields, options)

    async def _call(self, operation: str, fields: Dict[str, Any], options: Optional[RequestOptions]) -> Any:
        options = options or RequestOptions()
        route = route_of(operation)
        key = new_key(route, options)
        retries = self._settings.retries if options.retries is None else options.retries
        tries = 0
        while True:
            arguments = request_of(route, fields, self._settings, options, key)
            try:
                request = self._http.build_request(**arguments)
                response = await self._http.send(request, stream=route.is_bytes, follow_redirects=False)
                if response.is_success:
                    return response if route.is_bytes else value_of(operation, response)
                await response.aread()
                error: MnemeError = refusal_of(response, self._settings.url)
            except httpx.TransportError as failure:
                error = failure_of(failure, self._settings.url)
            finally:
                close_files(arguments, fields)
            # The first try deleted it, and its response was lost.
            if tries > 0 and route.method == "DELETE" and error.status == 404:
                return None
            if tries >= retries or not helps_to_repeat(error, tries):
                raise error
            await asyncio.sleep(pause_of(error, tries))
            tries += 1
