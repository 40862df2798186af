"""Enrolment of a deck's card faces from photos: detection, rectification, identification, merging and
storage."""
