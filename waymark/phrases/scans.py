"""What a scan read, and its questions."""

from __future__ import annotations

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, tuple[str, str]] = {
    "input.standard": ("standard input", "標準入力"),
    "scan.title": ("Read from {photo}", "{photo} の読み取り"),
    "scan.card": ("card", "カード"),
    "scan.place": ("place (mm)", "位置 (mm)"),
    "scan.cell": ("column, row", "列・行"),
    "question.cell": ("column {column}, row {row}", "{column} 列目・{row} 行目"),
    "scan.turned": ("turned", "回転"),
    "scan.confidence": ("confidence", "確信度"),
    "scan.upright": ("upright", "正位置"),
    "scan.stroke": ("Stroke {number}", "線 {number}"),
    "scan.sure": ("Reading: sure.", "読み取りに疑わしい点はありません。"),
    "scan.unsure": (
        "Reading: not sure, look at the questions below.",
        "読み取りに不確かな点があります。下の質問を確かめてください。",
    ),
    "scan.sure_anyway": (
        "Reading: sure. What is open below cannot change the score.",
        "読み取りは確かです。下の不明な点は得点に影響しません。",
    ),
    "scan.warning": ("Photo: {warning}", "写真: {warning}"),
    "question.card": ("Which card is it", "どのカードですか"),
    "question.tableau": ("Which tableau should be scored", "どちらのタブローを採点しますか"),
    "question.path": ("Where does the line run", "線はどう通っていますか"),
    "question.direction": ("Which way was the path walked", "経路はどちら向きですか"),
    "question.mark": ("How is this find marked", "この発見物の印はどれですか"),
    "question.tile": ("Which tile is it", "どのタイルですか"),
    "question.rotation": ("How does this tile lie", "このタイルの向きはどれですか"),
    "question.piece": ("Which piece is here", "ここのコマは何ですか"),
    "question.facing": ("Which way does it look", "どちらを向いていますか"),
    "question.held": ("What lies beside the board", "盤の横にある物は何ですか"),
    "question.board": ("Is all as it was read", "読み取りはすべて正しいですか"),
    "question.spare": ("Which tile lies beside the board", "盤の外のタイルはどれですか"),
    "question.places": ("({count} places)", "({count} か所)"),
    "question.line": ("? {asks}{place}? {reason} {options}", "? {asks}{place}。{reason} {options}"),
    "stages.written": ("Stages: {folder}", "各段階の画像: {folder}"),
}
