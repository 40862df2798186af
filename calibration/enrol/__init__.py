"""Enrolment of a person's own game: faces and pieces from photos, tracing, proposals and sharing of
dungeons."""
