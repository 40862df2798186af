"""Time limits of connections, in seconds: read where they are needed, so that tests can shorten them."""

from __future__ import annotations

#: A whole header comes in this time: from the beginning of a connection, or from the end of the time for
#: which it is kept open.
HEADER_SECONDS = 60
#: A connection on which nothing happens in the midst of a body or an answer is closed.
SILENT_SECONDS = 120
#: A body comes no slower than this, once it has had its first minute: two bars of 2G bring ten times as much.
BODY_SECONDS = 60
BODY_BYTES_PER_SECOND = 1000
#: A browser keeps its connection open between two requests for so long.
KEEP_ALIVE_SECONDS = 75
#: What a client still sends after a refusal is read away for so long, so that it comes to read the answer.
DRAIN_SECONDS = 5
#: Requests that are being answered at the end may come to their end.
STOP_SECONDS = 5
