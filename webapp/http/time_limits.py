"""Time limits of connections, in seconds: read where they are needed, so that tests can shorten them."""

from __future__ import annotations

#: Time limit for a complete header, from the start of a connection or the end of its keep-alive time.
HEADER_SECONDS = 60
#: Time without any data, within a body or a response, after which a connection is closed.
SILENT_SECONDS = 120
#: Time for the start of a body, and the least rate after it: weak 2G reception has ten times that.
BODY_SECONDS = 60
BODY_BYTES_PER_SECOND = 1000
#: Time for which a browser's connection is kept open between two requests.
KEEP_ALIVE_SECONDS = 75
#: Time for which a client's data are read and discarded after a refusal, so that it can read the response.
DRAIN_SECONDS = 5
#: Time for running requests to end at shutdown.
STOP_SECONDS = 5
