"""Sound requests for every route of the app, as the parts that faults are put into."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from flask import Flask
from played import known_ids, small_photo
from untraced_deck import untraced_deck

from webapp.http.api.endpoint import ENDPOINTS, Endpoint
from webapp.http.api.openapi import document
from webapp.http.services import KEY

BOUNDARY = "------waymark"
#: Given to every field of a form that takes a text.
PLAIN = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Sent:
    """A request in its parts; `body` None has no length."""

    method: str
    target: bytes
    headers: dict[str, bytes] = field(default_factory=dict)
    body: bytes | None = None

    def raw(self) -> bytes:
        headers = {"Host": b"127.0.0.1", "Connection": b"close", **self.headers}
        if self.body is not None:
            headers.setdefault("Content-Length", b"%d" % len(self.body))
        lines = [b"%s %s HTTP/1.1" % (self.method.encode(), self.target)]
        lines += [name.encode() + b": " + value for name, value in headers.items()]
        return b"\r\n".join(lines) + b"\r\n\r\n" + (self.body or b"")

    def having(self, **headers: bytes) -> Sent:
        """With these headers; `_` stands for `-`."""
        return replace(self, headers=self.headers | {k.replace("_", "-"): v for k, v in headers.items()})


@dataclass(frozen=True)
class Malformed:
    """A request with a fault of a kind, for a route."""

    kind: str
    route: str
    raw: bytes


@dataclass(frozen=True)
class Route:
    """A method of a rule, with a sound path for it, and the sound request that faults are put into. `names`
    are the arguments in the path."""

    method: str
    rule: str
    allowed: frozenset[str]
    names: dict[str, str]
    sound: Sent
    endpoint: Endpoint | None = None

    @property
    def name(self) -> str:
        return f"{self.method} {self.rule}"


@dataclass(frozen=True)
class Table:
    """What faults are made of: the session's cookie and CSRF token, a photo, a log."""

    cookie: bytes
    csrf: str
    photo: bytes
    log: bytes
    entry_id: str


def table_of(app: Flask) -> Table:
    """The parts, asked of an app at which something has been played."""
    client = app.test_client()
    page = client.get("/games/new")
    found = re.search(r'name="csrf_token" value="([^"]+)"', page.get_data(as_text=True))
    assert found is not None
    cookie = page.headers["Set-Cookie"].split(";")[0].encode()
    photo = small_photo("malformed")
    log = client.get("/api/v1/log").get_data()
    return Table(cookie, found[1], photo, log, known_ids(app, ["entry_id"])["entry_id"])


def routes_of(app: Flask, table: Table) -> list[Route]:
    """Every method of every rule, OPTIONS and HEAD aside."""
    declared = {(each.method, "/api/v1" + each.path): each for each in ENDPOINTS}
    rules = list(app.url_map.iter_rules())
    ids = known_ids(app, {name for rule in rules for name in rule.arguments})
    with_sha = known_ids(app, ["photo_id"])["photo_id"]
    ids |= {"language": "en", "longest_px": 480, "sha256": with_sha, "card_id": "D29", "filename": "app.css"}
    # A box of the table's own: the open deck is nobody's to change.
    untraced_deck(app.extensions[KEY].config.data / "boxes" / BOX, {"D29": "proposed"})
    ids |= {"deck_id": BOX, "question": "q1"}
    found = []
    for rule in rules:
        names = {name: str(ids[name]) for name in rule.arguments}
        path = path_of(str(rule), names)
        same = [each for each in rules if str(each) == str(rule)]
        allowed = frozenset(method for each in same for method in each.methods or ())
        for method in sorted((rule.methods or set()) - {"OPTIONS", "HEAD"}):
            endpoint = declared.get((method, str(rule)))
            sound = _sound(method, path, endpoint, table)
            found.append(Route(method, str(rule), allowed, names, sound, endpoint))
    return found


def path_of(rule: str, names: dict[str, str]) -> str:
    """Flask's rule with its arguments filled in."""
    return re.sub(r"<(?:[^<>]*:)?(\w+)>", lambda match: names[match[1]], rule)


def _sound(method: str, path: str, endpoint: Endpoint | None, table: Table) -> Sent:
    sent = Sent(method, path.encode())
    if endpoint is not None and endpoint.body is not None:
        body = json.dumps(example(schema_of(endpoint), random.Random(0))).encode()
        return replace(sent, headers={"Content-Type": b"application/json"}, body=body)
    if method == "POST" and path in PHOTOS:
        return multipart_request(sent, table, [text_part("entry_id", table.entry_id), file_part(table.photo)])
    if path == "/api/v1/log":
        return replace(sent, body=table.log if method == "POST" else None)
    if method == "POST" and endpoint is None:
        return form_request(sent, table, FORMS[path])
    return sent


#: The id of the box that requests are about.
BOX = "malformed"
#: What takes photos.
PHOTOS = ("/api/v1/photos", "/api/v1/outlines", "/capture", f"/api/v1/decks/{BOX}/photos")

# --- forms --------------------------------------------------------------------------------------------------

Fields = list[tuple[str, str]]
PLAYERS: Fields = [("row", "0"), ("name-0", "A"), ("row", "1"), ("name-1", "B"), ("colour-1", "blue")]
#: Sound fields of every form.
FORMS: dict[str, Fields] = {
    "/games/new": [*PLAYERS, ("colour-0", "red")],
    "/decks": [("name", "ours"), ("game", "mapmasters"), ("width", "63"), ("height", "88")],
    "/restore-game": [("game", "x")],
    "/join": [("game", "x"), ("person", "everybody")],
    "/pin": [("pin", "1234")],
    "/language": [("language", "ja")],
    "/theme": [("theme", "dark")],
}


def form_request(sent: Sent, table: Table, fields: Fields) -> Sent:
    body = urlencode([("csrf_token", table.csrf), *fields]).encode()
    return replace(sent, headers={"Content-Type": PLAIN.encode(), "Cookie": table.cookie}, body=body)


def multipart_request(sent: Sent, table: Table, parts: list[bytes]) -> Sent:
    parts = [text_part("csrf_token", table.csrf), *parts]
    body = b"".join(b"--%s\r\n%s\r\n" % (BOUNDARY.encode(), part) for part in parts)
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}".encode(), "Cookie": table.cookie}
    return replace(sent, headers=headers, body=body + f"--{BOUNDARY}--\r\n".encode())


def text_part(name: str, value: str) -> bytes:
    return f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()


def file_part(data: bytes, name: str = "photo") -> bytes:
    head = f'Content-Disposition: form-data; name="{name}"; filename="p.jpg"\r\nContent-Type: image/jpeg'
    return head.encode() + b"\r\n\r\n" + data


# --- JSON ---


def schema_of(endpoint: Endpoint) -> dict[str, Any]:
    """The schema of a body, with what it refers to."""
    whole = document()
    paths = whole["paths"][re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", endpoint.path)]
    schema = paths[endpoint.method.lower()]["requestBody"]["content"]["application/json"]["schema"]
    return {**schema, "components": whole["components"]}


def example(schema: dict[str, Any], rng: random.Random, root: dict[str, Any] | None = None) -> Any:
    """A value that has every field which a schema allows."""
    root = root or schema
    if "$ref" in schema:
        return example(root["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]], rng, root)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        choices = [each for each in schema["anyOf"] if each.get("type") != "null"]
        return example(rng.choice(choices), rng, root)
    match schema.get("type"):
        case "object":
            made = {name: example(each, rng, root) for name, each in schema.get("properties", {}).items()}
            others = schema.get("additionalProperties")
            if isinstance(others, dict) and others:
                key = example(schema.get("propertyNames", {"enum": ["1"]}), rng, root)
                made[key] = example(others, rng, root)
            return made
        case "array":
            if "prefixItems" in schema:
                return [example(each, rng, root) for each in schema["prefixItems"]]
            return [example(schema["items"], rng, root) for _ in range(schema.get("minItems", 1))]
        case "integer":
            return schema.get("minimum", 1)
        case "number":
            return schema.get("minimum", 0.5)
        case "boolean":
            return rng.choice([True, False])
        case _:
            word = "1" * max(1, schema.get("minLength", 1))
            # what has a form of its own may be left empty in all that we take
            return word if re.search(schema.get("pattern", ""), word) else ""
