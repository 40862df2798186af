"""Preparation before play: decks and their checks, enrolment, camera and pen calibration, print sheets."""
