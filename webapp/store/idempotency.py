"""Idempotency keys: a double tap, or a request repeated because its answer got lost, sends the same key, and
the key determines the row's id."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Annotated

import msgspec

from webapp.store.models import new_id

#: Key that a device chooses for one thing that it sends.
ClientKey = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


def id_for(parent_id: str, client_key: str | None) -> str:
    """The id of a new row below `parent_id`, derived from this key; a random id without a key."""
    if client_key is None:
        return new_id()
    return urlsafe_b64encode(sha256(f"{parent_id} {client_key}".encode()).digest()[:12]).decode()
