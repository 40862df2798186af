"""The HTTP layer: the server, its limits, the API and the pages. It only translates to and from the other
packages."""
