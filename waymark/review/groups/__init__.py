"""Review of a table of several groups: photos to a record of all paths, its ruling, and the open
questions."""

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
