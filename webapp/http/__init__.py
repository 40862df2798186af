"""What is HTTP: the server, its limits, the API and the pages. They only translate to and from the rest."""
