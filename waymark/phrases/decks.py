"""Decks of cards: enrolling, checking, sharing, printing, proposed dungeons."""

from __future__ import annotations

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, tuple[str, str]] = {
    "enrol.photo": (
        "{photo}: new: {new}; known: {again}; in {folder}: {all}.",
        "{photo}: 新しいカード {new} 枚、登録済み {again} 枚。{folder} は全部で {all} 枚です。",
    ),
    "enrol.pieces": (
        "{photo}: {all} pieces, {new} of them new; the box is in {folder}.",
        "{photo}: コマ {all} 個(新しいもの {new} 個)。箱は {folder} です。",
    ),
    "enrol.read": ("{piece}: {read}", "{piece}: {read}"),
    "enrol.confirm": (
        "What was read is a draft until you confirm it: --answer PIECE=right or --answer all=right.",
        "読み取った内容は下書きです。合っていれば --answer コマ=right か --answer all=right で"
        "確定してください。",
    ),
    "enrol.asked": ("Still missing: {piece} ({about})", "まだ答えていません: {piece}({about})"),
    "enrol.missing": (
        "Not in the box yet: {pieces}, {count} more.",
        "まだ登録されていないもの: {pieces} あと {count} 個。",
    ),
    "enrol.backs": ("Backs left out: {backs}.", "裏面 {backs} 枚は除きました。"),
    "enrol.question": ("? {question} ({name})", "? {question} ({name})"),
    "enrol.advice": ("! {advice}", "! {advice}"),
    "deck.exported": (
        "{cards} written to {folder}.",
        "{cards} 種類のカードを {folder} に書き出しました。",
    ),
    "deck.printed": (
        "{cards} on {pages} written to {file}; print at 100%.",
        "カード {cards} 枚 ({pages} ページ) を {file} に書き出しました。倍率 100% で印刷してください。",
    ),
    "deck.missions": (
        "Mission sheets on {pages} written to {file}.",
        "ミッションシート ({pages} ページ) を {file} に書き出しました。",
    ),
    "deck.shared": (
        "{cards}, {traced} with a dungeon, written to {file} without any picture.",
        "カード {cards} 枚 (ダンジョンあり {traced} 枚) を、絵を入れずに {file} に書き出しました。",
    ),
    "deck.not_shared": (
        "Left out: {card}, whose art cannot be read.",
        "{card} は絵を読めないため入っていません。",
    ),
    "deck.clean": ("{name}: {cards}, nothing wrong.", "{name}: カード {cards} 枚、問題はありません。"),
    "deck.faults": (
        "{name}: {faults} in {cards}.",
        "{name}: カード {cards} 枚に誤りが {faults} 件あります。",
    ),
    "deck.nearest": (
        "Most alike: {a} and {b}, {distance:.1f} apart (colour difference, root mean square over the face).",
        "最も似た絵: {a} と {b}、差 {distance:.1f} (色差、カード全体の二乗平均平方根)。",
    ),
    "deck.nearest_layouts": (
        "Most alike with different corridors: {a} and {b}, {distance:.1f} apart.",
        "廊下が違うもので最も似た絵: {a} と {b}、差 {distance:.1f}。",
    ),
    "deck.scanned": (
        "{cards} that look alike were scanned from their own art.",
        "似た絵のカード {cards} 枚を、その絵でスキャンして確かめました。",
    ),
    "deck.asked": (
        "A scan asks which of these it is, all of one dungeon: {cards}.",
        "ダンジョンが同じこれらのカードは、どれかをスキャンのとき尋ねます: {cards}。",
    ),
    "deck.not_scanned": (
        "{count} more look alike and were not scanned.",
        "ほかに似た絵のカードが {count} 枚あり、確かめていません。",
    ),
    "deck.place": ("place", "場所"),
    "deck.fault": ("fault", "誤り"),
    "enrol.known": (
        "{count} known by the shared tracing, with their dungeons: {names}.",
        "共有デッキにあったカード {count} 枚に名前とダンジョンを付けました: {names}。",
    ),
    "enrol.known_question": ("? {card}: {question}", "? {card}: {question}"),
    "enrol.known_answer": (
        "Answer with --from FILE.json --answer CARD=ID.",
        "--from FILE.json --answer CARD=ID で答えてください。",
    ),
    "enrol.proposed": (
        "{cards} proposed, learned from {known} traced; {left} that people have in hand were left as they "
        "are. Nothing proposed counts before a person has confirmed it.",
        "{cards}を下書きしました(なぞり済みの {known} 枚から学習)。"
        "人が手を入れた {left} 枚はそのままです。下書きは、確かめるまで確定しません。",
    ),
    "enrol.trace_next": (
        "Trace these first, they teach most: {cards}.",
        "次のカードからなぞると、残りの下書きが最も良くなります: {cards}。",
    ),
    "proposals.title": (
        "Proposals for {deck} ({faces}, traced {order}): found / right, percent (how many)",
        "{deck} の下書き ({faces}、{order}): 見つけた割合 / 正しい割合、% (個数)",
    ),
    "proposals.part": ("part", "種類"),
    "proposals.after": ("{traced} traced, {cards} cards", "{traced} 枚の後、{cards} 枚"),
    "proposals.ways": ("equal ways", "長さの等しい道"),
    "proposals.exact": ("exact cards", "完全なカード"),
    "proposals.links": ("cards with exact links", "つながりが完全なカード"),
    "proposals.sure_wrong": ("sure guesses that are wrong", "確かとした推定の誤り"),
    "proposals.unwarned": ("wrong cards without a doubt", "確認を求めない誤ったカード"),
    "proposals.doubts": ("things to look at a card", "カードあたりの要確認箇所"),
}
