"""Enrolment: faces and pieces of a person's own game, traced, proposed and shared."""
