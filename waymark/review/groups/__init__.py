"""A table of several groups from photos: what each drew as a record, its ruling, and what is open."""

from waymark.review.groups.assess import GroupAssessment, assess_groups, read_groups, score_groups
from waymark.review.groups.history import groups_json, open_of
from waymark.review.groups.names import OPEN_BEFORE, SKETCH, UNTOLD, is_agreed, is_doubt, is_left, is_untold
from waymark.review.groups.questions import GroupOption, OpenBefore, leads

__all__ = [
    "OPEN_BEFORE",
    "SKETCH",
    "UNTOLD",
    "GroupAssessment",
    "GroupOption",
    "OpenBefore",
    "assess_groups",
    "groups_json",
    "is_agreed",
    "is_doubt",
    "is_left",
    "is_untold",
    "leads",
    "open_of",
    "read_groups",
    "score_groups",
]
