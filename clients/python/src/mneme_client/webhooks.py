from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Union

from .errors import MnemeError

TOLERANCE_SECONDS = 300


@dataclass(frozen=True)
class WebhookEvent:
    event: str
    """`memory.created` and the like."""
    timestamp: str
    data: Dict[str, Any]


def verify_webhook(body: Union[bytes, str], headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """Reads a delivery of a webhook, once it is sure that the service sent it, and lately.

    `body` is what came, byte for byte. Raises MnemeError with the code `NOT_SIGNED`.
    """
    raw = body.encode() if isinstance(body, str) else body
    sent = {name.lower(): value for name, value in headers.items()}
    moment = sent.get("webhook-timestamp", "")
    signed = f"{sent.get('webhook-id', '')}.{moment}.".encode() + raw
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    # After a rotation there is one signature of each secret.
    for signature in sent.get("webhook-signature", "").split(" "):
        try:
            given = base64.b64decode(signature[len("v1,") :] if signature.startswith("v1,") else signature)
        except binascii.Error:
            continue
        if hmac.compare_digest(given, expected):
            if not moment.isdigit() or abs(time.time() - int(moment)) > TOLERANCE_SECONDS:
                raise MnemeError(f"The delivery is of another time: {moment}", code="NOT_SIGNED")
            return WebhookEvent(**json.loads(raw))
    raise MnemeError("The signature is none of this secret", code="NOT_SIGNED")
