"""What every game has to keep, as one check that a game's own tests call: `check_game`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scorer.catalogue import Catalogue
from scorer.game import Game, terms_from_words
from scorer.sheet import Played
from scorer.terms import Term
from scorer.text import written


def check_game(game: Game, catalogue: Catalogue, records: Sequence[Any], values: dict[str, Any]) -> None:
    """Take a game through everything that Waymark asks of one, with records of its cards and some values of
    its terms that differ from the usual."""
    _check_words(game)
    _check_terms(game, values)
    verdicts = [_check_record(game, catalogue, record, values) for record in records]
    assert game.rules.choose(verdicts).chosen in range(len(verdicts))
    same = game.rules.choose([verdicts[0], verdicts[0]])
    assert not same.asked and not same.why.en == same.why.ja == ""
    _check_sheet(game, verdicts)


def _check_words(game: Game) -> None:
    told = [game.name, *game.words.vocabulary.words.values(), *game.words.vocabulary.events.values()]
    told += [term.label for term in game.rules.settings.terms]
    told += [term.explanation for term in game.rules.settings.terms if term.explanation is not None]
    told += [column.label for column in (*game.sheet.columns, *game.sheet.final_columns)]
    told += [*game.sheet.colours.values(), *(preset.label for preset in game.sheet.presets)]
    assert all(words.en and words.ja for words in told)
    assert game.photo.laying.rotations <= {0, 90, 180, 270} and 0 in game.photo.laying.rotations
    assert game.photo.scan_key in ("tableau", "board")


def _check_terms(game: Game, values: dict[str, Any]) -> None:
    usual = game.rules.settings.make({})
    assert game.rules.settings.values(usual) == {}
    terms = game.rules.settings.make(values)
    assert game.rules.settings.values(terms) == values and terms != usual
    assert game.rules.settings.make(game.rules.settings.values(terms)) == terms
    names = [term.id for term in game.rules.settings.terms]
    assert len(set(names)) == len(names)
    for term in game.rules.settings.terms:
        for word in _words_for(term):
            assert term.id in game.rules.settings.values(terms_from_words(game, {term.id: word})), (
                term.id,
                word,
            )
    for preset in game.sheet.presets:
        assert game.rules.settings.values(game.rules.settings.make(preset.values)) == dict(preset.values)


def _words_for(term: Term) -> list[str]:
    """Words for values that differ from the usual."""
    if term.kind == "flag":
        return ["false" if term.usual else "true"]
    if term.kind == "number":
        return [str(each) for each in (term.least, term.most) if each != term.usual]
    if term.kind == "counts":
        return [f"{term.choices[0]}:1"]
    return [choice for choice in term.choices if choice != term.usual]


def _check_record(game: Game, catalogue: Catalogue, record: Any, values: dict[str, Any]) -> Any:
    assert isinstance(record, game.rules.record_type)
    told = msgspec.json.decode(msgspec.json.encode(record), type=game.rules.record_type)
    assert told == record
    terms = game.rules.settings.of(record, game.rules.settings.make(values))
    board = game.rules.board(catalogue, record)
    verdict = game.rules.referee(board, record, terms)
    with_them = game.rules.settings.into(record, terms)
    assert game.rules.settings.of(with_them, terms) == terms
    assert game.rules.referee(board, with_them, terms) == verdict, "terms that are told twice count once"
    assert isinstance(verdict, game.rules.verdict_type) and verdict.legal in (True, False)
    kept = msgspec.json.decode(msgspec.json.encode(verdict), type=game.rules.verdict_type)
    assert kept == verdict
    assert game.rules.worth(kept) == game.rules.worth(verdict) and hash(game.rules.worth(verdict)) is not None
    assert hash(game.rules.outcome(verdict)) == hash(game.rules.outcome(kept))
    assert game.words.turn(record, verdict).why.words.en
    steps = game.words.steps(board, verdict)
    assert len(steps) == game.rules.reach(verdict)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    report = game.words.report(verdict)
    assert report.brief.en and report.brief.ja and all(count > 0 for _, count in report.counts)
    assert all(game.words.vocabulary.name(what) != written(what, what) for what, _ in report.counts)
    assert game.rules.worth(game.words.without_ids(board, record, verdict)) == game.rules.worth(verdict)
    backwards = game.rules.backwards(record)
    assert backwards is None or game.rules.backwards(backwards) == record
    assert all(doubt.about and doubt.words.en for doubt in game.rules.doubts(board, record, verdict))
    _check_what_ifs(game, board, record, terms, verdict)
    if game.notation is not None:
        assert game.notation.parse(game.notation.write(record)) == record
    if game.play.payments is not None:
        for choice in game.play.payments.choices(board, record, terms):
            assert choice.used in choice.ways and set(choice.elsewhere) <= set(choice.ways)
    return verdict


def _check_what_ifs(game: Game, board: Any, record: Any, terms: Any, verdict: Any) -> None:
    what_ifs = game.play.what_ifs

    def then(assumption: Any) -> Any:
        supposed = what_ifs.suppose(board, record, terms, assumption)
        return None if supposed is None else game.rules.referee(board, *supposed)

    for assumption in what_ifs.tried(board, record, terms, verdict, then):
        assert what_ifs.parse(assumption.key) == assumption
        ruled = then(assumption)
        assert ruled is not None and game.rules.outcome(ruled) != game.rules.outcome(verdict)
        for words in (what_ifs.condition, what_ifs.settling):
            assert words(board, terms, assumption).en and words(board, terms, assumption).ja
        supposed = what_ifs.suppose(board, record, terms, assumption)
        assert supposed is not None
        changed = supposed[1]
        before = what_ifs.before(terms, assumption)
        assert what_ifs.left(assumption, before, terms) == assumption
        if changed != terms:
            assert what_ifs.left(assumption, before, changed) is None, "it has come true"
    assert what_ifs.parse("nonsense") is None


def _check_sheet(game: Game, verdicts: Sequence[Any]) -> None:
    sheet, terms = game.sheet, game.rules.settings.make({})
    columns = {column.id for column in sheet.columns if column.source == "ruling"}
    rows = [sheet.row(verdict) for verdict in verdicts]
    assert all(set(row) == columns for row in rows)
    players = [Played("Aya", tuple(rows[: sheet.rounds])), Played("Ben", ())]
    written = sheet.game_file(players, terms)
    assert sheet.parse_games(msgspec.json.encode(written)) == written
    final = sheet.final(sheet.final_answer(written, terms))
    assert [row.name for row in final.players] == ["Aya", "Ben"]
    assert all(set(row.columns) == {column.id for column in sheet.final_columns} for row in final.players)
    assert all(sum(row.columns.values()) == row.total for row in final.players)
    assert set(final.winners) == {row.name for row in final.players if row.rank == 1}
    assert final.won.en and final.won.ja and final.leads.en and final.leads.ja
    assert final.rounds == len(players[0].rows)
    for number in range(1, sheet.rounds + 1):
        for words in (*sheet.round_start(number, terms), *sheet.round_end(number, terms)):
            assert words.en and words.ja
