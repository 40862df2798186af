"""Sentences about a scan and its questions."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "input.standard": Text("standard input"),
    "scan.title": Text("Read from {photo}"),
    "scan.card": Text("card"),
    "scan.place": Text("place (mm)"),
    "scan.cell": Text("column, row"),
    "question.cell": Text("column {column}, row {row}"),
    "scan.turned": Text("turned"),
    "scan.confidence": Text("confidence"),
    "scan.upright": Text("upright"),
    "scan.stroke": Text("Stroke {number}"),
    "scan.sure": Text("Reading: sure."),
    "scan.unsure": Text("Reading: not sure, look at the questions below."),
    "scan.sure_anyway": Text("Reading: sure. What is open below cannot change the score."),
    "scan.warning": Text("Photo: {warning}"),
    "question.card": Text("Which card is it"),
    "question.tableau": Text("Which tableau should be scored"),
    "question.path": Text("Where does the line run"),
    "question.direction": Text("Which way was the path walked"),
    "question.mark": Text("How is this find marked"),
    "question.tile": Text("Which tile is it"),
    "question.rotation": Text("How does this tile lie"),
    "question.piece": Text("Which piece is here"),
    "question.facing": Text("Which way does it look"),
    "question.held": Text("What lies beside the board"),
    "question.board": Text("Is all as it was read"),
    "question.spare": Text("Which tile lies beside the board"),
    "question.places": Text("({count} places)"),
    "question.line": Text("? {asks}{place}? {reason} {options}"),
    "stages.written": Text("Stages: {folder}"),
}
