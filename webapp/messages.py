"""What the command line and the overlay say, in English and Japanese."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sized
from typing import Literal

from scorer.mapmasters.messages import FIND_NAMES

Language = Literal["en", "ja"]

#: key: (English, Japanese). Formatted with `str.format`.
_SENTENCES: dict[str, tuple[str, str]] = {
    # what objectives count that is not a find (the finds' names are the referee's)
    "find.pit": ("pit", "穴"),
    "find.room": ("room", "部屋"),
    "find.stairs": ("stairs", "階段"),
    # the ruling's table
    "ruling.title": ("Ruling", "判定"),
    "ruling.found": ("Discovered", "発見"),
    "ruling.count": ("Count", "数"),
    "ruling.vp": ("VP", "勝利点"),
    "ruling.primary": ("Primary objective", "主目標"),
    "ruling.secondary": ("Secondary objective", "副目標"),
    "ruling.coins": ("Coins", "コイン"),
    "ruling.escaped": ("Escaped", "脱出"),
    "ruling.legal": ("Path", "経路"),
    "ruling.legal.yes": ("legal", "反則なし"),
    "ruling.legal.no": ("breaks a rule", "反則あり"),
    "ruling.placement": ("Laying", "配置"),
    "ruling.spent": ("Spent", "使ったもの"),
    "ruling.optimizers": ("Optimizers", "手札の整理"),
    "ruling.nothing": ("nothing", "なし"),
    "means.fairy": ("fairy {tool}", "フェアリートークン ({tool})"),
    "yes": ("yes", "はい"),
    "no": ("no", "いいえ"),
    "list.comma": (", ", "、"),
    # the scan
    "scan.title": ("Read from {photo}", "{photo} の読み取り"),
    "scan.card": ("card", "カード"),
    "scan.place": ("place (mm)", "位置 (mm)"),
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
    "question.path": ("Where does the line run", "線はどう通っていますか"),
    "question.direction": ("Which way was the path walked", "経路はどちら向きですか"),
    "question.mark": ("How is this find marked", "この発見物の印はどれですか"),
    "question.line": ("? {asks} ({place})? {reason} {options}", "? {asks} ({place})。{reason} {options}"),
    # the overlay
    "overlay.start": ("START", "入口"),
    "overlay.exit": ("EXIT", "出口"),
    "overlay.collected": ("collected", "獲得"),
    "overlay.used": ("used", "使用済み"),
    "overlay.missed": ("missed", "未発見"),
    "overlay.walked": ("path, in the order of its colours", "経路 (色の順に進む)"),
    "overlay.underground": ("path underground", "地下の経路"),
    "overlay.not_counted": ("drawn, but does not count", "描かれたが数えない経路"),
    "overlay.told": ("What happened", "できごと"),
    "overlay.written": ("Picture: {file}", "説明の画像: {file}"),
    # what happened on the path
    "event.collected": ("{what} collected", "{what}を獲得"),
    "event.discovered": ("{what} discovered", "{what}を発見"),
    "event.defeated": ("{what} defeated", "{what}を撃破"),
    "event.opened": ("{what} opened", "{what}を解錠"),
    "event.crossed": ("{what} crossed", "{what}を越えた"),
    "event.fell": ("fell to the underground", "地下へ落下"),
    "event.climbed": ("climbed out of the pit", "穴を登った"),
    "event.took_stairs": ("took the stairs", "階段を使った"),
    "event.teleported": ("teleported", "テレポート"),
    "event.re_entered": ("re-entered on the other side", "反対側から再び入った"),
    "event.entered": ("room cleared: {what}", "部屋を踏破: {what}"),
    "event.guarded": ("room still guarded", "部屋のモンスターを倒せない"),
    "event.escaped": ("escaped", "脱出"),
    "event.paid": ("(uses {means})", "({means}を使用)"),
    # decks
    "deck.exported": (
        "{count} cards written to {folder}.",
        "{count} 種類のカードを {folder} に書き出しました。",
    ),
    "deck.printed": (
        "{cards} cards on {pages} pages written to {file}; print at 100%.",
        "カード {cards} 枚 ({pages} ページ) を {file} に書き出しました。倍率 100% で印刷してください。",
    ),
    "deck.clean": (
        "{name}: {count} cards, nothing wrong.",
        "{name}: カード {count} 枚、問題はありません。",
    ),
    "deck.faults": (
        "{name}: {faults} faults in {count} cards.",
        "{name}: カード {count} 枚に誤りが {faults} 件あります。",
    ),
    "deck.nearest": (
        "Most alike: {a} and {b}, {distance:.1f} apart (colour difference, root mean square over the face).",
        "最も似た絵: {a} と {b}、差 {distance:.1f} (色差、カード全体の二乗平均平方根)。",
    ),
    "deck.nearest_layouts": (
        "Most alike with different corridors: {a} and {b}, {distance:.1f} apart.",
        "通路が違うもので最も似た絵: {a} と {b}、差 {distance:.1f}。",
    ),
    "deck.place": ("place", "場所"),
    "deck.fault": ("fault", "誤り"),
    # progress and errors
    "progress": ("Photos", "写真"),
    "json.not_writable": (
        "The answer cannot be written to {file!r}; give --json a file in a folder that exists, or -.",
        "答えを {file!r} に書き込めません。--json に別のファイルか - を指定してください。",
    ),
    "usage.no_option": (
        "There is no option {option}; `{command} --help` lists the options.",
        "{option} というオプションはありません。オプションの一覧は `{command} --help` で見られます。",
    ),
    "usage.no_command": (
        "There is no command {name!r}; `{command} --help` lists the commands.",
        "{name!r} というコマンドはありません。コマンドの一覧は `{command} --help` で見られます。",
    ),
    "usage.missing": (
        "{what} is missing; `{command} --help` says what it is.",
        "{what} の指定がありません。使い方は `{command} --help` で見られます。",
    ),
    "usage.extra": (
        "{extra!r} is too much; `{command} --help` says what is expected.",
        "{extra!r} は余分です。使い方は `{command} --help` で見られます。",
    ),
    "usage.needs_value": (
        "{option} needs a value, as in {option} {form}; `{command} --help` lists the options.",
        "{option} には値が要ります(例: {option} {form})。詳しくは `{command} --help` で見られます。",
    ),
    "usage.no_value": (
        "{option} takes no value; `{command} --help` lists the options.",
        "{option} に値は付けられません。オプションの一覧は `{command} --help` で見られます。",
    ),
    "usage.choice": (
        "{option} cannot be {value!r}; choose one of: {choices}.",
        "{option} に {value!r} は指定できません。次から選んでください: {choices}。",
    ),
    "usage.value": (
        "{option} cannot be {value!r}; `{command} --help` says what it takes.",
        "{option} に {value!r} は指定できません。指定できる値は `{command} --help` で見られます。",
    ),
    "usage.other": (
        "The command line is not understood; `{command} --help` says how to call it.",
        "コマンドの指定に誤りがあります。使い方は `{command} --help` で見られます。",
    ),
    "usage.option": (
        "{option} takes {form}, not {value!r}.",
        "{option} に {value!r} は指定できません。{form} の形で指定してください。",
    ),
    # help
    "help.group": (
        "Waymark reads a photo of Map Masters cards with a marker path, referees the path and scores it.",
        "Map Masters のカードに描いた経路の写真を読み取り、判定し、採点します。",
    ),
    "help.scan": ("Read what lies on the table and how the path runs.", "カードと経路を読み取ります。"),
    "help.score": (
        "Read a photo, referee its path and score it.",
        "写真を読み取り、経路を判定して採点します。",
    ),
    "help.referee": ("Referee tableau records (JSON files).", "タブローの記録 (JSON) を判定します。"),
    "help.bench": (
        "Measure how well a folder of photos with known truth is read.",
        "正解のある写真のフォルダーで、読み取りの精度を測ります。",
    ),
    "help.deck": ("The cards: write out, check, print.", "カードの書き出し、検査、印刷。"),
    "help.deck.export": ("Write the open deck as a folder.", "オープンデッキをフォルダーに書き出します。"),
    "help.deck.check": ("Say what is wrong with a catalogue.", "カタログの誤りを調べます。"),
    "help.deck.print": (
        "Write cards as a PDF, nine to a page at true size.",
        "カードを実寸、1 ページ 9 枚の PDF にします。",
    ),
    "help.usage": ("Usage: ", "使い方: "),
    "help.options": ("Options", "オプション"),
    "help.commands": ("Commands", "コマンド"),
    "help.opt.help": ("Show this help.", "この説明を表示します。"),
    "help.opt.version": ("Show the version.", "バージョンを表示します。"),
    "help.opt.json": (
        "Write the answer as JSON to this file; - is standard output.",
        "答えを JSON でこのファイルに書きます。- は標準出力です。",
    ),
    "help.opt.lang": (
        "Language of what is said (default: that of the environment).",
        "表示する言語 (指定がなければ環境に従います)。",
    ),
    "help.opt.catalogue": (
        "Folder of the cards in use (default: the open deck).",
        "使っているカードのフォルダー (指定がなければオープンデッキ)。",
    ),
    "help.opt.primary": ("The round's primary objective.", "このラウンドの主目標。"),
    "help.opt.secondary": ("The round's secondary objective.", "このラウンドの副目標。"),
    "help.opt.fairy": (
        "Fairy tokens held, such as sword=1; once for each kind.",
        "持っている妖精トークン。例: sword=1。種類ごとに指定します。",
    ),
    "help.opt.spellbook": ("A spellbook held, such as SB-4.", "持っている魔法書。例: SB-4。"),
    "help.opt.overlay": (
        "Draw the ruling on the photo, as a PNG; with several photos a folder for them.",
        "判定を写真に描いた PNG を書きます。写真が複数のときはフォルダー名です。",
    ),
    "help.opt.paper": ("Paper size.", "用紙の大きさ。"),
    "help.opt.cards": (
        "Only these cards, by id, separated by commas (default: the whole box).",
        "印刷するカードの ID をコンマで区切って指定 (指定がなければ全部)。",
    ),
    # bench
    "bench.title": ("Reading {folder}", "{folder} の読み取り精度"),
    "bench.photo": ("photo", "写真"),
    "bench.total": ("all {count}", "全 {count} 枚"),
    "bench.cards": ("cards", "カード"),
    "bench.tableau": ("tableau", "配置"),
    "bench.path": ("path", "経路"),
    "bench.counts": ("counts", "発見数"),
    "bench.marks": ("marks F1", "印 F1"),
    "bench.sure": ("sure", "確信"),
    "bench.seconds": ("seconds", "秒"),
    "bench.memory": ("peak MB", "最大 MB"),
    "bench.exact_of_sure": (
        "{exact} of {sure} sure readings have every find count and the escape right; "
        "{wrong} of {count} photos ({share:.1%}) are both sure and wrong.",
        "確信のある {sure} 件のうち {exact} 件で発見数と脱出が一致。"
        "確信して誤ったのは {count} 枚中 {wrong} 枚 ({share:.1%})。",
    ),
    "bench.stages": ("Seconds per stage (median): {stages}", "段階ごとの秒数 (中央値): {stages}"),
    "bench.failed": ("not read: {message}", "読めません: {message}"),
}


def say(language: Language, key: str, **values: object) -> str:
    """The sentence `key` in `language`, with `values` filled in."""
    english, japanese = _SENTENCES[key]
    return (japanese if language == "ja" else english).format(**values)


def reading_key(sure: bool, questions: Sized) -> str:
    """The message on how far a reading can be trusted."""
    if not sure:
        return "scan.unsure"
    return "scan.sure_anyway" if questions else "scan.sure"


def find_name(language: Language, find: str) -> str:
    """A find or objective in people's words; unknown words are given back as they are."""
    if find in FIND_NAMES:
        return FIND_NAMES[find][language == "ja"]
    return say(language, f"find.{find}") if f"find.{find}" in _SENTENCES else find


def means_name(language: Language, means: str) -> str:
    """`rope`, `fairy:rope` or `SB-3` in people's words."""
    if means.startswith("fairy:"):
        return say(language, "means.fairy", tool=find_name(language, means.removeprefix("fairy:")))
    return find_name(language, means)


def environment_language(environment: Mapping[str, str] = os.environ) -> Language:
    """The language that the environment asks for, by the order of POSIX: LC_ALL, LC_MESSAGES, LANG."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return "ja" if value.lower().startswith("ja") else "en"
    return "en"
