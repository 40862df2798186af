"""Reports of the benches: how well photos, boards and shared tables are read."""

from __future__ import annotations

from scorer.text import Text

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, Text] = {
    "bench.board.title": Text("Boards of {folder}: {photos}"),
    "bench.board.tiles": Text("All tiles and the spare right"),
    "bench.board.pieces": Text("Pieces right"),
    "bench.board.board": Text("Whole board exact"),
    "bench.board.held": Text("What lies before players right"),
    "bench.board.turns": Text("Disputes from two photos right"),
    "bench.board.sure": Text("Nothing left in doubt"),
    "bench.board.wrong": Text("Nothing in doubt, and wrong"),
    "bench.board.questions": Text("Questions asked"),
    "bench.board.seconds": Text("Processor time (median, s)"),
    "progress": Text("Photos"),
    "bench.rulings": Text(
        "{rulings_per_second} rulings a second over {records} records of five cards ({legal} legal, on "
        "average {mean_places} places in {mean_strokes} strokes, SB-1 to SB-12 held); the pathological "
        "record of 50 cards, 5000 places and 40 tokens takes {pathological_seconds} s (processor time)."
    ),
    "bench.cooperative": Text(
        "{tables} cooperative tables of 30 cards and five groups (on average {mean_places} places claimed) "
        "take {seconds} s, the longest of them {worst_seconds} s (processor time)."
    ),
    "bench.title": Text("Reading {folder}"),
    "bench.photo": Text("photo"),
    "bench.total": Text("all {count}"),
    "bench.cards": Text("cards"),
    "bench.tableau": Text("tableau", context="bench"),
    "bench.path": Text("path"),
    "bench.counts": Text("counts"),
    "bench.marks": Text("marks F1"),
    "bench.sure": Text("sure"),
    "bench.sure_untold": Text("sure, nothing held told"),
    "bench.seconds": Text("seconds"),
    "bench.memory": Text("peak MB"),
    "bench.sure_and_wrong": Text(
        "{wrong} of {sure} sure scores are wrong (95% bound {of_sure}), that is {wrong} of {count} photos "
        "(95% bound {of_all}). Right is what has every find count and the escape."
    ),
    "bench.tables": Text("tables"),
    "bench.one_photo": Text("one photo"),
    "bench.together": Text("photos together"),
    "bench.parts": Text("a part alone"),
    "bench.lines_right": Text("lines given to their groups (of)"),
    "bench.every_line_right": Text("all lines to their groups"),
    "bench.result_right": Text("mission result right"),
    "bench.all_groups_right": Text("right for every group"),
    "bench.table_questions": Text("questions a table"),
    "bench.colon": Text(": "),
    "bench.player.careful": Text("careful"),
    "bench.player.hurried": Text("hurried"),
    "bench.figure": Text("figure", context="bench"),
    "bench.photos": Text("photos"),
    "bench.every_card_right": Text("all cards right"),
    "bench.tableau_exact": Text("tableau exact"),
    "bench.path_exact": Text("path exact"),
    "bench.counts_exact": Text("counts exact"),
    "bench.outcome_exact": Text("counts and escape right"),
    "bench.marks_f1": Text("marks F1"),
    "bench.ended_sure_and_wrong": Text("sure and wrong"),
    "bench.sure_and_right": Text("sure and right"),
    "bench.sure_and_wrong_count": Text("sure and wrong (95% bound)"),
    "bench.right": Text("ends right"),
    "bench.ended_sure": Text("ends sure"),
    "bench.questions_mean": Text("questions a photo"),
    "bench.at_most_one_question": Text("at most 1 question"),
    "bench.at_most_two_questions": Text("at most 2 questions"),
    "bench.without_true_answer": Text("questions without a true answer"),
    "bench.changed_nothing": Text("answers that changed nothing"),
    "bench.few_answers": Text("questions with less than two answers that say what is there"),
    "bench.same_answers": Text("questions with two answers alike"),
    "bench.without_ink": Text("questions where no ink is"),
    "bench.asked_again": Text("questions asked again"),
    "bench.left_open": Text("questions left open"),
    "bench.ended_wrong": Text("The {player} player ended sure and wrong on: {photos}"),
    "bench.summary": Text("All photos"),
    "bench.groups": Text("What photos have in common"),
    "bench.group": Text("group"),
    "bench.compared": Text("Since the earlier run"),
    "bench.glance": Text(
        "Photos in both runs: {photos}; worse in something: {worse}; better in something: {better}; in one "
        "run only: {apart}."
    ),
    "bench.before": Text("before"),
    "bench.now": Text("now", context="bench"),
    "bench.better": Text("better"),
    "bench.worse": Text("worse"),
    "bench.chance": Text("by chance"),
    "bench.verdict": Text("beyond chance"),
    "bench.reliability": Text("What confidence is worth"),
    "bench.reliability.how": Text(
        "On the dashed line, what is told with 90% is right nine times in ten; below it the reading is too "
        "sure of itself. Numbers say how many there are, bars reach over their 95% bounds."
    ),
    "bench.reliability.cards": Text("Cards"),
    "bench.reliability.doubts": Text("Doubts: what stands is true"),
    "bench.reliability.scores": Text("Scores"),
    "bench.reliability.predicted": Text("confidence"),
    "bench.reliability.right": Text("share that is right"),
    "bench.reliability.sure": Text("sure"),
    "bench.reliability.not_sure": Text("not sure"),
    "bench.reliability.of": Text("{name} ({count})"),
    "bench.reliability.gap": Text("{count}, on average {gap} apart"),
    "bench.reliability.none": Text("nothing to compare"),
    "bench.worst": Text("The worst photos"),
    "bench.worst.none": Text("Every photo was read right."),
    "bench.worst.read": Text("As it was read", context="bench"),
    "bench.worst.true": Text("As it is"),
    "bench.worst.cards": Text("{right} of {count} cards right, {extra} that are not there"),
    "bench.worst.wrong": Text("wrong: {what}"),
    "bench.worst.tableau_exact": Text("tableau", context="bench"),
    "bench.worst.path_exact": Text("path"),
    "bench.worst.counts_exact": Text("counts"),
    "bench.worst.escape_right": Text("escape"),
    "bench.worst.circled": Text("circles: {missed} missed, {extra} that are not there"),
    "bench.worst.struck": Text("strikes: {missed} missed, {extra} that are not there"),
    "bench.worst.ended_right": Text("right", context="correct"),
    "bench.worst.ended_wrong": Text("wrong"),
    "bench.worst.nothing_asked": Text("nothing was asked"),
    "bench.worst.end": Text("The {player} player ends {ended}, {sure}: {asked}"),
    "bench.page": Text("The page is in {file}."),
    "bench.stages": Text("Seconds per stage (median, {jobs} at a time): {stages}"),
    "bench.decodes": Text(
        "Photo to ruling takes {decodes} times as long as decoding the JPEG, and {cpu} times the processor"
        " time (medians)."
    ),
    "bench.failed": Text("not read: {message}"),
}
