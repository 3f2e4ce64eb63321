"""What both clients share: how an operation becomes a request, and a response a value."""

from __future__ import annotations

import dataclasses
import os
import random
import re
import uuid
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Dict, List, Mapping, Optional, Tuple, Union, get_args, get_origin, get_type_hints
from urllib.parse import quote

import httpx

from .errors import MnemeError, UnreachableError, TimedOutError
from .generated.models import ERRORS, OUTPUTS, ROUTES

#: A file: its path, its bytes, something open for reading, or a name with one of the latter two.
FileInput = Union[str, "os.PathLike[str]", bytes, IO[bytes], Tuple[str, Union[bytes, IO[bytes]]]]

# A longer wait is the caller's to decide on.
RETRY_AFTER_MAX = 60.0
PAUSE_MAX = 30.0


class Unset:
    """A field that is left out; None is sent as null."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


@dataclasses.dataclass(frozen=True)
class RequestOptions:
    """Settings of one request, in place of those of the client."""

    timeout: Optional[float] = None
    retries: Optional[int] = None
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    #: Repetitions of a POST with the same key are carried out once, also by another process; a random one when left out.
    idempotency_key: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Settings:
    """Settings of a client."""

    url: str
    key: Optional[str]
    workspace: Optional[str]
    timeout: float
    retries: int
    headers: Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Route:
    method: str
    path: str
    query: Tuple[str, ...]
    headers: Tuple[str, ...]
    is_form: bool
    is_bytes: bool


@lru_cache(maxsize=None)
def route_of(operation: str) -> Route:
    """Reads `POST /v1/things/{id}{?kind,color}{!X-Header} form`."""
    if operation not in ROUTES:
        raise ValueError(f"there is no operation {operation}")
    method, template, *marks = ROUTES[operation].split(" ")
    query = re.search(r"\{\?([^}]+)\}", template)
    return Route(
        method=method,
        path=re.sub(r"\{[?!].*", "", template),
        query=tuple(query.group(1).split(",")) if query else (),
        headers=tuple(re.findall(r"\{!([^}]+)\}", template)),
        is_form="form" in marks,
        is_bytes="bytes" in marks,
    )


def new_key(route: Route, options: RequestOptions) -> Optional[str]:
    return options.idempotency_key or (uuid.uuid4().hex if route.method == "POST" else None)


def request_of(
    route: Route, given: Mapping[str, Any], settings: Settings, options: RequestOptions, key: Optional[str]
) -> Dict[str, Any]:
    """Makes the arguments of httpx's `build_request`."""
    fields = {name: value for name, value in given.items() if value is not UNSET}
    if settings.workspace is not None and "workspace_id" in route.query:
        fields.setdefault("workspace_id", settings.workspace)
    path = re.sub(r"\{(\w+)\}", lambda name: quote(text(fields.pop(name.group(1))), safe=""), route.path)
    query = {name: fields.pop(name) for name in route.query if name in fields}
    headers = dict(settings.headers)
    if settings.key:
        headers["X-Api-Key"] = settings.key
    if key:
        headers["Idempotency-Key"] = key
    for name in route.headers:
        headers[name] = text(fields.pop(re.sub("^X-", "", name).replace("-", "_").lower()))
    headers.update(options.headers)
    request: Dict[str, Any] = {
        "method": route.method,
        "url": settings.url + path,
        "params": {name: text(value) for name, value in query.items() if value is not None},
        "headers": headers,
        "timeout": options.timeout or settings.timeout,
    }
    if route.is_form:
        # The service reads fields before it takes a file.
        ordered = sorted(fields.items(), key=lambda field: field[0] == "file")
        request["files"] = [
            (name, part_of(value) if name == "file" else (None, text(value))) for name, value in ordered if value is not None
        ]
    elif route.method not in ("GET", "DELETE") and fields:
        request["json"] = {name: plain(value) for name, value in fields.items()}
    return request


def part_of(file: FileInput) -> Tuple[str, Any]:
    """Makes a part of a form for one try: a file that is open is read from its beginning again."""
    if isinstance(file, tuple):
        return (file[0], part_of(file[1])[1])
    if isinstance(file, bytes):
        return ("file", file)
    if isinstance(file, (str, os.PathLike)):
        return (Path(file).name, open(file, "rb"))
    if file.seekable():
        file.seek(0)
    return (Path(str(getattr(file, "name", "file"))).name, file)


def close_files(request: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Closes what was opened for a try: a file that the caller opened stays open."""
    if isinstance(given.get("file"), (str, os.PathLike)):
        for _, (_, content) in request.get("files", ()):
            if hasattr(content, "close"):
                content.close()


def text(value: Any) -> str:
    """Lists are written with commas, as the service reads them in a query and in a form."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(text(item) for item in value)
    return str(plain(value))


def plain(value: Any) -> Any:
    """Makes values of Python those of JSON: models become objects, times of a zone ISO 8601 in UTC."""
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain({field.name.rstrip("_"): getattr(value, field.name) for field in dataclasses.fields(value)})
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items() if item is not UNSET}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def value_of(operation: str, response: httpx.Response) -> Any:
    if response.content == b"":
        return None
    if "json" not in response.headers.get("content-type", ""):
        return response.text
    return decode(OUTPUTS[operation], response.json())


@lru_cache(maxsize=None)
def hints_of(model: Any) -> Dict[str, Any]:
    return get_type_hints(model)


def decode(kind: Any, value: Any) -> Any:
    """Makes the model of a value; fields that the model lacks, which a newer service may send, are left out."""
    origin, inner = get_origin(kind), get_args(kind)
    if dataclasses.is_dataclass(kind):
        names = {field.name: field.name.rstrip("_") for field in dataclasses.fields(kind)}
        hints = hints_of(kind)
        return kind(**{name: decode(hints[name], value[sent]) for name, sent in names.items() if sent in value})
    if value is None:
        return None
    if origin is list:
        return [decode(inner[0], item) for item in value]
    if origin is dict:
        return {name: decode(inner[1], item) for name, item in value.items()}
    if origin is Union:
        fitting = [option for option in inner if fits(option, value)]
        return decode(max(fitting, key=needed), value) if fitting else value
    return value


def fits(kind: Any, value: Any) -> bool:
    """Tells which of several models an object is: one whose fields without a default are all there."""
    if not dataclasses.is_dataclass(kind):
        return get_origin(kind) is type(value) or kind is type(value)
    return isinstance(value, dict) and all(name in value for name in required_of(kind))


def needed(kind: Any) -> int:
    """Of two models that both fit, the one with more fields that have to be there says more about the object."""
    return len(required_of(kind)) if dataclasses.is_dataclass(kind) else 0


def required_of(kind: Any) -> List[str]:
    fields = dataclasses.fields(kind)
    return [field.name.rstrip("_") for field in fields if field.default is dataclasses.MISSING]


def refusal_of(response: httpx.Response, url: str) -> MnemeError:
    if response.status_code < 400:
        message = f"{url} redirects elsewhere: set `url` to where the service is"
        return MnemeError(message, code="REDIRECTED", status=response.status_code)
    try:
        body = response.json()
    except ValueError:
        body = {}
    body = body if isinstance(body, dict) else {}
    code = str(body.get("error_code", "UNKNOWN"))
    seconds = response.headers.get("retry-after", "")
    return ERRORS.get(code, MnemeError)(
        str(body.get("message", f"HTTP status {response.status_code}")),
        code=code,
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
        details=body.get("details"),
        retry_after=float(seconds) if seconds.isdigit() else None,
    )


def failure_of(error: httpx.TransportError, url: str) -> MnemeError:
    if isinstance(error, httpx.TimeoutException):
        return TimedOutError(f"No response in time: {error!r}", code="TIMED_OUT")
    return UnreachableError(f"No response from {url}: {error!r}", code="UNREACHABLE")


def helps_to_repeat(error: MnemeError, tries: int) -> bool:
    """A conflict that will pass names a time: the first request with its key is under way."""
    if (error.retry_after or 0) > RETRY_AFTER_MAX or error.code in ("QUOTA_EXCEEDED", "REDIRECTED"):
        return False
    if error.status == 409:
        return (error.retry_after or 0) > 0
    if error.status == 500:
        return tries == 0 and error.code != "RESPONSE_TOO_LARGE"
    return error.status in (0, 408, 429, 502, 503, 504)


def pause_of(error: MnemeError, tries: int) -> float:
    if error.retry_after is not None:
        return error.retry_after
    return min(PAUSE_MAX, 0.5 * 2**tries * (0.75 + random.random() / 2))


def settings_of(
    url: Optional[str],
    key: Optional[str],
    workspace: Optional[str],
    timeout: float,
    retries: int,
    headers: Optional[Mapping[str, str]],
) -> Settings:
    return Settings(
        url=(url or os.environ.get("MNEME_URL") or "http://127.0.0.1:3000").rstrip("/"),
        key=key or os.environ.get("MNEME_API_KEY"),
        workspace=workspace,
        timeout=timeout,
        retries=retries,
        headers=headers or {},
    )
