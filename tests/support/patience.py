"""How long tests wait for what must come. It is no measure: on an idle machine all of it comes at once, on a
busy one a process that reads photos (nice 10) has a twentieth of a core. What never comes costs so long."""

#: For processes, servers and their answers.
PATIENCE_SECONDS = 600
#: For what a page is to show.
PAGE_PATIENCE_MS = 300_000
