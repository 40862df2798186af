"""What the command line and the overlay say, in English and Japanese."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sized

from scorer.text import Language

#: key: (English, Japanese). Formatted with `str.format`.
_SENTENCES: dict[str, tuple[str, str]] = {
    # the ruling's table
    "ruling.title": ("Ruling", "判定"),
    "ruling.found": ("Discovered", "発見"),
    "ruling.count": ("Count", "数"),
    "ruling.placement": ("Laying", "配置"),
    "ruling.spent": ("Spent", "使ったもの"),
    "ruling.settings": ("House rules: {settings}", "ハウスルール: {settings}"),
    "ruling.doubted": (
        "The scan was not sure of this reading; the ruling holds for the path as the file has it.",
        "この読み取りには不確かな点が残っています。判定はファイルに書かれたとおりの経路についてのものです。",
    ),
    "notation": ("Notation", "記法"),
    # the walk, step by step
    "walk.title": ("The walk", "経路の説明"),
    "walk.place": ("place", "場所"),
    "walk.what": ("what happened", "できごと"),
    "walk.held": ("held after it", "手持ち"),
    "walk.ended": ("Ended by {rule} ({section}): {sentence}", "終わった理由 {rule} ({section}): {sentence}"),
    "walk.ended.plain": ("Ended by {rule}: {sentence}", "終わった理由 {rule}: {sentence}"),
    # rulings of games in which no line is drawn
    "steps.title": ("Step by step", "順を追って"),
    "steps.ended": ("{sentence} ({rule}, {section})", "{sentence}({rule}、{section})"),
    "steps.ended.plain": ("{sentence} ({rule})", "{sentence}({rule})"),
    # the final score
    "final.title": ("Final score", "最終得点"),
    "final.so_far": (
        "Standing after {rounds} of {of} rounds",
        "{of} ラウンド中 {rounds} ラウンド終了時の順位",
    ),
    "final.rank": ("rank", "順位"),
    "final.name": ("player", "プレイヤー"),
    "final.total": ("total", "合計"),
    "ruling.nothing": ("nothing", "なし"),
    "yes": ("yes", "はい"),
    "no": ("no", "いいえ"),
    "list.comma": (", ", "、"),
    "input.standard": ("standard input", "標準入力"),
    # the scan
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
    "picture.unsure": (
        "Not sure yet: look over what was read, above all at the question marks.",
        "まだ確かではありません。読み取った内容、特に「?」の所を確かめてください。",
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
    "bench.board.title": ("Boards of {folder}: {photos}", "{folder} の盤: {photos}"),
    "bench.board.tiles": ("All tiles and the spare right", "タイルと余りのタイルが全部正しい"),
    "bench.board.pieces": ("Pieces right", "正しいコマ"),
    "bench.board.board": ("Whole board exact", "盤全体が正確"),
    "bench.board.held": ("What lies before players right", "プレイヤーの前の物が正しい"),
    "bench.board.turns": ("Disputes from two photos right", "写真 2 枚からの判定が正しい"),
    "bench.board.sure": ("Nothing left in doubt", "疑いが残らない"),
    "bench.board.wrong": ("Nothing in doubt, and wrong", "疑いがないのに間違い"),
    "bench.board.questions": ("Questions asked", "質問の数"),
    "bench.board.seconds": ("Processor time (median, s)", "処理時間(中央値、秒)"),
    "question.tile": ("Which tile is it", "どのタイルですか"),
    "question.rotation": ("How does this tile lie", "このタイルの向きはどれですか"),
    "question.piece": ("Which piece is here", "ここのコマは何ですか"),
    "question.facing": ("Which way does it look", "どちらを向いていますか"),
    "question.held": ("What lies beside the board", "盤の横にある物は何ですか"),
    "question.board": ("Is all as it was read", "読み取りはすべて正しいですか"),
    "question.spare": ("Which tile lies beside the board", "盤の外のタイルはどれですか"),
    "question.places": ("({count} places)", "({count} か所)"),
    "question.line": ("? {asks}{place}? {reason} {options}", "? {asks}{place}。{reason} {options}"),
    # the overlay
    "overlay.start": ("START", "出発"),
    "overlay.exit": ("EXIT", "出口"),
    "overlay.collected": ("collected", "獲得"),
    "overlay.used": ("used", "使用済み"),
    "overlay.missed": ("missed", "未獲得"),
    "overlay.walked": ("path, in the order of its colours", "経路 (色の順に進む)"),
    "overlay.underground": ("path underground", "地下の経路"),
    "overlay.not_counted": ("drawn, but does not count", "描かれたが数えない経路"),
    "overlay.cut": ("stopped here, and goes on from here", "ここで止まり、次はここから進む"),
    "overlay.goal_met": ("goal met", "達成した目標"),
    "overlay.goal_open": ("goal that nobody has met yet", "まだ達成していない目標"),
    "overlay.stopped": ("cannot go on, or breaks a rule", "進めない、またはルール違反"),
    "overlay.goes_on": ("can still go on", "まだ先へ進める"),
    "overlay.told": ("What happened", "できごと"),
    "stages.written": ("Stages: {folder}", "各段階の画像: {folder}"),
    "overlay.written": ("Picture: {file}", "説明の画像: {file}"),
    # decks
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
    # calibration
    "calibrate.sheet": (
        "Sheet written to {file}; print at 100% and lay it flat.",
        "シートを {file} に書き出しました。倍率 100% で印刷し、平らに置いてください。",
    ),
    "calibrate.camera": (
        "{camera}: focal length {focal:.0f} px, {photos} of {shown} used, the sheet fits to {misfit:.2f} px; "
        "{lost:.0f}% of the light is lost in the corners.",
        "{camera}: 焦点距離 {focal:.0f} px、{shown} 枚中 {photos} 枚を使い、誤差 {misfit:.2f} px。"
        "隅では光が {lost:.0f}% 減ります。",
    ),
    "calibrate.straight": (
        "On these photos the lens moved lines by up to {moved:.1f} px; {left:.1f} px are left.",
        "この写真では線が最大 {moved:.1f} px ずれていました。補正後は {left:.1f} px です。",
    ),
    "calibrate.kept": (
        "Photos of this phone are straightened from now on; `waymark calibrate camera --forget` undoes it.",
        "以後この機種の写真を補正します。`waymark calibrate camera --forget` で元に戻せます。",
    ),
    "calibrate.unnamed": (
        "These photos do not say which phone took them, so nothing was kept; use the original files.",
        "写真に機種の情報がないため保存していません。元のファイルを使ってください。",
    ),
    "calibrate.forgotten": (
        "{camera}: forgotten; its photos are read as they are.",
        "{camera}: 補正をやめました。写真をそのまま読みます。",
    ),
    "calibrate.nothing_kept": ("Nothing was kept.", "保存した補正はありません。"),
    "calibrate.unknown_camera": ("Unknown phone", "不明な機種"),
    "calibrate.pen": (
        "{player}'s pen takes {red:.0f}% of the red, {green:.0f}% of the green and {blue:.0f}% of the blue "
        "light of these cards, in lines {width:.1f} mm wide ({line:.0f} mm of line looked at).",
        "{player} のペンは、このカードの光のうち赤 {red:.0f}%、緑 {green:.0f}%、青 {blue:.0f}% をさえぎり、"
        "線の幅は {width:.1f} mm です(線 {line:.0f} mm で測りました)。",
    ),
    "calibrate.pen_changed": (
        "{photo}: the path came to {before} places, {was}; it comes to {after} now, {now}.",
        "{photo}: 経路は {before} か所({was})でしたが、{after} か所({now})になりました。",
    ),
    "calibrate.pen_same": (
        "{photo}: read as before, {after} places, {now}.",
        "{photo}: 読み取りは変わりません({after} か所、{now})。",
    ),
    "calibrate.pen_sure": ("sure", "確実"),
    "calibrate.pen_unsure": ("not sure, {questions}", "不確実、質問 {questions} 件"),
    "calibrate.pen_kept": (
        "`waymark score PHOTO --pen {player}` reads with it from now on; "
        "`waymark calibrate ink --undo --player {player}` undoes it.",
        "以後 `waymark score PHOTO --pen {player}` でこのペンを使えます。"
        "`waymark calibrate ink --undo --player {player}` で元に戻せます。",
    ),
    "calibrate.pen_undone": (
        "{player}'s pen is again as it was before.",
        "{player} のペンを一つ前に戻しました。",
    ),
    "calibrate.no_pen": ("No pen was kept for {player}.", "{player} のペンは保存されていません。"),
    # progress and errors
    "progress": ("Photos", "写真"),
    "stopped": (
        "Stopped; what was not answered yet is not done.",
        "中断しました。まだ答えていないものは処理していません。",
    ),
    "json.not_writable": (
        "The answer cannot be written to {file!r}; give --json a file in a folder that exists, or -.",
        "答えを {file!r} に書き込めません。--json に別のファイルか - を指定してください。",
    ),
    "file.not_writable": (
        "{file!r} cannot be written; name a file in a folder that exists.",
        "{file!r} に書き込めません。書き込めるフォルダーのファイルを指定してください。",
    ),
    "usage.overlay_file": (
        "For one photo --overlay takes the name of a PNG, and {file!r} is a folder; name a file in it.",
        "写真が 1 枚のとき --overlay には PNG のファイル名を指定しますが、{file!r} はフォルダーです。",
    ),
    "usage.overlay_folder": (
        "For several photos --overlay takes a folder, and {file!r} is a file; name a folder.",
        "写真が複数のとき --overlay にはフォルダー名を指定しますが、{file!r} はファイルです。",
    ),
    "usage.stages_folder": (
        "--stages takes a folder, and {file!r} is a file; name a folder.",
        "--stages にはフォルダー名を指定しますが、{file!r} はファイルです。",
    ),
    "usage.no_option": (
        "There is no option {option}; `{command} --help` lists the options.",
        "{option} というオプションはありません。オプションの一覧は `{command} --help` で見られます。",
    ),
    "usage.no_command": (
        "There is no command {name!r}; `{command} --help` lists the commands.",
        "{name!r} というコマンドはありません。コマンドの一覧は `{command} --help` で見られます。",
    ),
    "usage.not_installed": (
        '`waymark {name}` needs more packages; install them with `pip install "{extra}"`.',
        "`waymark {name}` には追加のパッケージが必要です。"
        '`pip install "{extra}"` でインストールしてください。',
    ),
    "help.not_installed": (
        "Not installed: needs {extra}.",
        "インストールされていません({extra} が必要です)。",
    ),
    "usage.missing": (
        "{what} is missing; `{command} --help` says what it is.",
        "{what} の指定がありません。使い方は `{command} --help` で見られます。",
    ),
    "usage.extra": (
        "Unexpected argument {extra!r}. See `{command} --help`.",
        "余分な引数 {extra!r} があります。使い方は `{command} --help` で見られます。",
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
    "usage.pin": (
        "The PIN would stand in the list of processes; write it into a file and give --pin-file, "
        "or set WAYMARK_PIN.",
        "PIN がプロセス一覧に表示されてしまいます。ファイルに書いて --pin-file で指定するか、"
        "環境変数 WAYMARK_PIN に設定してください。",
    ),
    "usage.tokens": (
        "--fairy {kind}={held} is more than the box has; a player holds at most {most} tokens of a kind.",
        "--fairy {kind}={held} は箱に入っている数を超えています。同じ種類のトークンは {most} 個までです。",
    ),
    "usage.calibrate_photos": (
        "Name photos of the sheet, or give --forget.",
        "シートの写真を指定するか、--forget を付けてください。",
    ),
    "usage.calibrate_ink": (
        "Name a photo that shows the line, or give --undo.",
        "線の写っている写真を指定するか、--undo を付けてください。",
    ),
    "usage.hint": (
        "{file!r} is no cooperative table; hints are for those.",
        "{file!r} は協力プレイの記録ではありません。ヒントは協力プレイだけで使えます。",
    ),
    "usage.pdf": (
        "{file!r} is not the name of a PDF; name a file that ends in .pdf.",
        "{file!r} は PDF のファイル名ではありません。.pdf で終わる名前を指定してください。",
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
    "help.scan": ("Read the cards on the table and the path.", "カードと経路を読み取ります。"),
    "help.score": (
        "Read a photo, referee its path and score it.",
        "写真を読み取り、経路を判定して採点します。",
    ),
    "help.referee": (
        "Referee tableau records: JSON or notation, or what scan and score answered (- is standard input).",
        "タブローの記録を判定します。JSON、記法、scan や score の答えを読めます (- は標準入力)。",
    ),
    "help.final": ("Add up the score of a game.", "ゲームの最終得点を集計します。"),
    "help.bench": (
        "Measure how well a folder of photos with known truth is read.",
        "正解のある写真のフォルダーで、読み取りの精度を測ります。",
    ),
    "help.bench_rulings": (
        "Measure how many random records are refereed in a second.",
        "乱数で作った記録を 1 秒に何件判定できるかを測ります。",
    ),
    "help.bench_proposals": (
        "Measure how well the dungeons of a catalogue are proposed while some of its cards count as traced.",
        "一部のカードをなぞり済みとみなし、残りのダンジョンの下書きがどれだけ正しいかを測ります。",
    ),
    "help.opt.propose": (
        "Propose a dungeon for every card that has none, learned from those that have one.",
        "ダンジョンのないカードの下書きを、なぞり済みのカードから学んで作ります。",
    ),
    "usage.photos_or_propose": (
        "Name photos to enrol, --from FILE.json, or --propose alone for cards that are enrolled already.",
        "登録する写真か --from FILE.json、"
        "または登録済みのカードの下書きを作る --propose だけを指定してください。",
    ),
    "help.opt.traced": (
        "How many cards count as traced. Again for more numbers; 0 and 10 when none is given.",
        "なぞり済みとみなすカードの枚数。複数指定できます。省略すると 0 枚と 10 枚です。",
    ),
    "help.opt.worn": (
        "Take the faces as if enrolled from photos: softer, a little off, grainy.",
        "写真から登録した絵のように、ぼかし、ずらし、ざらつかせてから測ります。",
    ),
    "help.opt.as_told": (
        "Trace the cards that the program asks for first, not cards drawn by chance.",
        "無作為に選ばず、先になぞるよう勧められるカードをなぞり済みとみなします。",
    ),
    "help.opt.most_cards": (
        "How many of the other cards to measure (default: all).",
        "測る残りのカードの枚数。省略すると全部です。",
    ),
    "help.opt.player": (
        "Also tell how photos end in a simulated player's hands: careful answers from the truth, hurried "
        "taps the first answer and tells nothing. Again for both.",
        "人が答えた後の結果も測ります。careful は正解どおりに答え、hurried は最初の答えを選び、持ち物を何も"
        "伝えません。複数指定できます。",
    ),
    "help.opt.cluster": (
        "Read photos on the workers of a dask.distributed scheduler, such as tcp://10.0.0.5:8786.",
        "dask.distributed のスケジューラー (tcp://10.0.0.5:8786 など) のワーカーで読み取ります。",
    ),
    "help.opt.jobs": (
        "How many photos are read at a time (default: one for each processor); 1 tells the time of one "
        "alone.",
        "同時に読み取る枚数 (指定がなければプロセッサーの数)。1 にすると 1 枚だけの時間を測れます。",
    ),
    "help.opt.catalogues": (
        "Folder of cards that photos may show, beside the open deck; again for each. Their truths name it.",
        "オープンデッキのほかに写真に写るカードのフォルダー (複数指定可)。どれを使うかは正解が示します。",
    ),
    "help.opt.html": (
        "Write a page to this folder: figures, what confidence is worth, the worst photos.",
        "数値、確信度の信頼性、結果の悪い写真を、このフォルダーにページとして書きます。",
    ),
    "help.opt.compare": (
        "Show which photos are better or worse than in an earlier run, whose --json wrote this file.",
        "以前の --json の結果と比べて、良くなった写真と悪くなった写真を示します。",
    ),
    "help.opt.record_count": ("How many records.", "記録の件数。"),
    "help.opt.seed": ("Another number makes other records.", "別の数なら別の記録になります。"),
    "help.enrol": (
        "Add the faces seen in photos of blank cards to a catalogue's folder.",
        "線のないカードの写真から、カードの面をカタログのフォルダーに登録します。",
    ),
    "help.opt.game": ("The game of a new catalogue (mapmasters).", "新しいカタログのゲーム (mapmasters)。"),
    "help.opt.card_size": (
        "Width and height of its cards in mm, such as 63x88.",
        "カードの幅と高さ (mm)。例: 63x88。",
    ),
    "help.opt.answer": (
        "With --from: the card CARD of the folder is the shared one ID. Of a board game's piece: right, its "
        "open sides (left+top), which tile it is (archway@90), x2, turned, out, facts (attack:2,life:1), or "
        "which piece it is. May be given several times.",
        "--from と共に: フォルダーのカード CARD は共有デッキの ID だと答えます。ボードゲームのコマでは "
        "right、"
        "開いた辺(left+top)、タイルの種類(archway@90)、x2、turned、out、印刷された値(attack:2,life:1)、"
        "または正しいコマの名前で答えます。何度でも指定できます。",
    ),
    "help.opt.pieces_as_told": (
        "The photos show the pieces that --pieces names, though they look like others.",
        "写真のコマが別の種類に見えても、--pieces で指定した種類として登録します。",
    ),
    "help.opt.pieces": (
        "A board game's pieces that the photos show, with their size in mm, such as tile=50x50; again for "
        "each sort.",
        "写真に写っているボードゲームのコマと大きさ (mm)。例: tile=50x50。種類ごとに指定します。",
    ),
    "help.opt.from": (
        "A shared tracing (`waymark deck share`): faces that it knows take its names and dungeons.",
        "共有デッキのファイル。知っている面にその名前とダンジョンを付けます。",
    ),
    "help.calibrate": ("Measure camera, pen and light.", "カメラ、ペン、光を測ります。"),
    "help.calibrate.sheet": (
        "Write a sheet to print, by which a camera is measured.",
        "カメラを測るための、印刷用シートを書き出します。",
    ),
    "help.calibrate.camera": (
        "Measure a phone's lens on photos of the sheet, and straighten its photos from now on.",
        "シートの写真からレンズを測り、以後その機種の写真を補正します。",
    ),
    "help.calibrate.ink": (
        "Learn a player's pen from the line in the first photo, and show what that changes on all of them.",
        "最初の写真の線からプレイヤーのペンを測り、各写真で何が変わるかを示します。",
    ),
    "help.opt.at": (
        "A point on the line, in pixels of the first photo (default: the line that is read in it).",
        "最初の写真の、線の上の点(ピクセル)。既定: 読み取った線。",
    ),
    "help.opt.pen_player": ("Whose pen it is (default: me).", "誰のペンか(既定: me)。"),
    "help.opt.undo_pen": (
        "Take back what was learned last of this player's pen.",
        "このプレイヤーのペンを一つ前に戻します。",
    ),
    "help.opt.pen_data": (
        "Data folder to keep the pen in (default: your own).",
        "ペンを保存するデータフォルダー(既定: 自分のフォルダー)。",
    ),
    "help.opt.pen": (
        "The pen that drew: a player whose pen was learned (`waymark calibrate ink`), or its file.",
        "線を描いたペン。測ってあるプレイヤーの名前か、そのファイル。",
    ),
    "help.opt.turn": (
        "Of a game on a board: two photos, before and after the turn of this player. Answers what was done "
        "and whether it was legal; --overlay draws it with arrows.",
        "盤のゲームで、このプレイヤーの手番の前後の写真 2 枚から、何をしたか、ルールどおりかを答えます。"
        "--overlay で矢印を描きます。",
    ),
    "help.opt.mission": (
        "A cooperative table: the mission played on it, by its id or file. Several photos are of one table.",
        "協力プレイのテーブル。プレイ中のミッション(ID かファイル)。"
        "写真が複数あれば同じテーブルのものとして読みます。",
    ),
    "help.opt.table": (
        "A cooperative table: a record that tells mission, groups, what they hold and the difficulty; its "
        "cards and paths are not looked at.",
        "協力プレイのテーブル。ミッション、グループ、持ち物、難易度を書いた記録。カードと経路は使いません。",
    ),
    "help.opt.group": (
        "A cooperative table: a group that plays, and the colour of its pen where it is not called by it.",
        "協力プレイのテーブル。参加するグループと、名前と違うときはペンの色。",
    ),
    "help.opt.forget_lens": (
        "Forget the phones that took these photos, or all; their photos are read as they are.",
        "これらの写真の機種(写真の指定がなければすべて)の補正をやめます。",
    ),
    "help.opt.lens_data": (
        "Data folder of a server that shall know the phone (default: your own).",
        "補正を使うサーバーのデータフォルダー(既定: 自分のフォルダー)。",
    ),
    "help.deck": ("The cards: write out, check, share, print.", "カードの書き出し、検査、共有、印刷。"),
    "help.deck.share": (
        "Write a deck's dungeons and fingerprints, without any picture, for others who own its cards.",
        "同じカードを持つ人のために、デッキのダンジョンと指紋を絵なしで書き出します。",
    ),
    "help.opt.bundled_game": (
        "The game whose open pieces are meant.",
        "どのゲームのオープンデッキか。",
    ),
    "help.deck.export": ("Write the open deck as a folder.", "オープンデッキをフォルダーに書き出します。"),
    "help.deck.check": ("Check a catalogue for faults.", "カタログの誤りを調べます。"),
    "help.deck.print": (
        "Write cards and pieces as a PDF at true size, with cut marks.",
        "カードとコマを実寸で、切り取り線つきの PDF にします。",
    ),
    "help.hint": (
        "Tell which goals of a cooperative table can still be met by whom, and what closes a way for good.",
        "協力プレイの盤面で、まだ達成できる目標とグループ、完全にふさがれた経路を教えます。",
    ),
    "help.deck.missions": (
        "Write mission sheets as a PDF: table, task, goals, and how often each was won as played.",
        "ミッションシートを PDF にします。配置、任務、目標、プログラムの成績が入ります。",
    ),
    "help.serve": (
        "Start the web app: phones and tablets in the same Wi-Fi open it by its QR code.",
        "ウェブアプリを始めます。同じ Wi-Fi のスマートフォンやタブレットから QR コードで開けます。",
    ),
    "help.data": (
        "Check, mend, back up and restore the folder of photos and scores.",
        "写真と得点のフォルダーを調べ、直し、バックアップし、戻します。",
    ),
    "help.data.check": (
        "Say what is wrong in a data folder: its database, rows and photos.",
        "データフォルダーのデータベース、行、写真の誤りを調べます。",
    ),
    "help.data.mend": (
        "Set aside in quarantine/ what is wrong in a data folder, with a sentence each.",
        "データフォルダーの誤りを、理由を書き添えて quarantine/ に取り分けます。",
    ),
    "help.data.backup": (
        "Write the whole data folder into one file, while the server runs.",
        "サーバーを動かしたまま、データフォルダー全体を 1 つのファイルに書き出します。",
    ),
    "help.data.restore": (
        "Make a data folder from a backup.",
        "バックアップからデータフォルダーを作ります。",
    ),
    "data.sound": ("Nothing is wrong with the data in {folder}.", "{folder} のデータに誤りはありません。"),
    "data.finding": ("{where}: {what}", "{where}: {what}"),
    "data.mended": (
        "{things} set aside in {folder}; README.txt there says what and why.",
        "{things} 件を {folder} に取り分けました。内容と理由は README.txt にあります。",
    ),
    "data.backed_up": (
        "The database and {photos} are in {file}; keep it safe, the table's keys are in it.",
        "データベースと写真 {photos} 枚を {file} に書き出しました。"
        "テーブルの鍵も入っているので大切に保管してください。",
    ),
    "data.missing": (
        "{photos} could not be backed up whole; waymark data check says which.",
        "写真 {photos} 枚は完全ではありません。waymark data check で調べてください。",
    ),
    "data.restored": (
        "{folder} is as the backup of {when} has it; start the server with --data {folder}.",
        "{folder} を {when} のバックアップの状態に戻しました。"
        "--data {folder} を付けてサーバーを起動してください。",
    ),
    "help.opt.host": (
        "Address to listen at; 127.0.0.1 keeps other devices out.",
        "待ち受けるアドレス。127.0.0.1 にすると他の端末からは開けません。",
    ),
    "help.opt.port": ("Port to listen at.", "待ち受けるポート。"),
    "help.opt.host_name": (
        "A further name that browsers may open the table by, such as a reverse proxy's (again for each); "
        "addresses and names of the home network are always answered.",
        "リバースプロキシの名前など、ほかにブラウザーから開ける名前 (複数指定可)。"
        "IP アドレスと家庭内ネットワークの名前ではいつでも開けます。",
    ),
    "help.opt.data": (
        "Folder of photos and scores (default: the user's data folder).",
        "写真と得点を保存するフォルダー (指定がなければユーザーのデータフォルダー)。",
    ),
    "help.opt.https": (
        "Speak https with a certificate made for this table: browsers then grant the live camera.",
        "このテーブル用の証明書を作って https で開きます。ブラウザーでカメラの映像を使えるようになります。",
    ),
    "help.opt.pin_file": (
        "File with a PIN that devices must enter (or the variable WAYMARK_PIN).",
        "端末に入力してもらう PIN を書いたファイル (環境変数 WAYMARK_PIN でも指定可)。",
    ),
    "help.opt.trusted_proxy": (
        "Address or network of a reverse proxy, which names the device that asks (again for each).",
        "リバースプロキシの IP アドレスかネットワーク。要求元の端末はプロキシが伝えます (複数指定可)。",
    ),
    "help.opt.database": (
        "SQLAlchemy URL of another database (default: SQLite in the data folder).",
        "別のデータベースの SQLAlchemy URL (指定がなければデータフォルダーの SQLite)。",
    ),
    "help.opt.photos": (
        "Where photos are kept: a folder, or s3://BUCKET/FOLDER (default: in the data folder).",
        "写真の保存先。フォルダーか s3://バケット/フォルダー (指定がなければデータフォルダーの中)。",
    ),
    "help.opt.workers": ("Processes that read photos.", "写真を読み取るプロセスの数。"),
    "help.worker": (
        "Read photos for servers with the same database and photos, on this machine or others.",
        "同じデータベースと写真を使うサーバーのために写真を読み取ります。別のパソコンでも使えます。",
    ),
    "help.reread": (
        "Read all photos of a data folder again with this version, and say what would score differently.",
        "データフォルダーの写真をこの版で読み直し、得点が変わるものを示します。",
    ),
    "help.opt.take": (
        "Have scores follow, where nobody has corrected anything and the game is not finished.",
        "誰も訂正しておらず、終わっていないゲームの得点を、読み直した結果に合わせます。",
    ),
    "reread.taken": (
        "Tableau {tableau} was read again; its score changed.",
        "{tableau} を読み直し、得点が変わりました。",
    ),
    "reread.left": (
        "Tableau {tableau} would be read differently now; it was left as it is.",
        "{tableau} の読み取りは今なら変わります。得点はそのままです。",
    ),
    "reread.summary": (
        "Photos that came to the same: {same}; to something else: {otherwise}; not read: {unread}.",
        "同じ結果の写真: {same} 枚。違う結果: {otherwise} 枚。読めなかった写真: {unread} 枚。",
    ),
    "worker.started": (
        "Photos that wait are read here, {workers} at a time.",
        "待っている写真をここで読み取ります (同時に {workers} 枚)。",
    ),
    "usage.no_distributed": (
        "A cluster needs dask.distributed; install it with: pip install 'waymark[cluster]'",
        "クラスターには dask.distributed が必要です。pip install 'waymark[cluster]' で入れてください。",
    ),
    "usage.no_cluster": (
        "No cluster answers at {address!r} ({what}); start its scheduler, or leave --cluster out.",
        "{address!r} のクラスターが応答しません ({what})。起動するか --cluster を外してください。",
    ),
    "usage.with_board": (
        "{option} does not apply to a game on a board; leave it out.",
        "{option} は盤のゲームでは使えません。外してください。",
    ),
    "usage.turn_board": (
        "--turn is of games on a board; name such a game's catalogue with --catalogue.",
        "--turn は盤のゲーム用です。そのカタログを --catalogue で指定してください。",
    ),
    "usage.turn_photos": (
        "--turn takes two photos: the board before and after the turn.",
        "--turn には手番の前と後の写真を 2 枚指定してください。",
    ),
    "usage.turn_player": (
        "There is no player {player!r} on this board; choose from {players}.",
        "この盤に {player!r} というプレイヤーはいません。{players} から選んでください。",
    ),
    "usage.with_groups": (
        "{option} does not apply to a table on which groups draw; leave it out.",
        "{option} は協力プレイのテーブルでは使えません。外してください。",
    ),
    "usage.no_groups": (
        "{game} has no mode in which groups draw; leave --mission, --table and --group out.",
        "{game} に協力プレイはありません。--mission、--table、--group を外してください。",
    ),
    "usage.cluster_pictures": (
        "Pictures are not drawn on a cluster; leave --cluster or {option} out.",
        "クラスターでは画像を描きません。--cluster か {option} を外してください。",
    ),
    "usage.worker_photos": (
        "Name the photos of that database with --photos.",
        "--photos でそのデータベースの写真の場所を指定してください。",
    ),
    "serve.open": (
        "Waymark is open at {url} (photos and scores: {data}). Scan this with a phone in the same Wi-Fi:",
        "Waymark を {url} で開いています (写真と得点: {data})。同じ Wi-Fi の端末で読み取ってください:",
    ),
    "serve.alone": (
        "Waymark is open at {url} for this device alone (photos and scores: {data}).",
        "Waymark をこの端末だけで使えるように {url} で開いています (写真と得点: {data})。",
    ),
    "serve.no_network": (
        "Waymark is open at {url} (photos and scores: {data}), but this device is in no network, so that no "
        "phone can come in. Connect it to the Wi-Fi, then open the page “Join” there.",
        "Waymark を {url} で開いています (写真と得点: {data})。この端末がネットワークにつながっていないため、"
        "他の端末からは開けません。Wi-Fi につないでから「参加」のページを開いてください。",
    ),
    "serve.others": (
        "If the phone does not find it, try {urls}.",
        "つながらないときは {urls} を試してください。",
    ),
    "serve.https": (
        "Browsers warn about the table's own certificate; {url} says why and how to trust it.",
        "ブラウザーが証明書について警告します。理由と信頼する方法は {url} にあります。",
    ),
    "serve.ready": (
        "The cards are loaded: photos are read at once.",
        "カードの準備ができました。写真をすぐに読み取れます。",
    ),
    "serve.stop": ("Ctrl+C stops it; nothing is lost.", "Ctrl+C で終わります。データは失われません。"),
    "help.usage": ("Usage: ", "使い方: "),
    "help.usage.options": ("[OPTIONS]", "[オプション]"),
    "help.usage.command": ("COMMAND [ARGS]...", "コマンド [引数]..."),
    "help.options": ("Options", "オプション"),
    "help.commands": ("Commands", "コマンド"),
    "help.default": ("default:", "既定値:"),
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
        "Fairy tokens held, such as sword=1; once for each kind, at most 5 of it.",
        "持っているフェアリートークン。例: sword=1。種類ごとに指定し、それぞれ 5 個までです。",
    ),
    "help.opt.spellbook": ("A spellbook held, such as SB-4.", "持っている魔導書。例: SB-4。"),
    "help.opt.explain": (
        "Explain the walk step by step, and the rule that ended it.",
        "経路を一歩ずつ説明し、終わる理由になったルールも示します。",
    ),
    "help.opt.direction": (
        "unknown: referee it from both ends, because the start is not known.",
        "unknown は、始点が分からない経路を両方の向きで判定します。",
    ),
    "help.opt.notation": (
        "Print the record as a line of text, to copy into a post.",
        "記録を 1 行の記法で表示します。",
    ),
    "help.opt.online": ("Judge by the online edition's rules.", "オンライン版のルールで判定します。"),
    "help.opt.house": (
        "A house rule, such as card_limit=6; once for each.",
        "ハウスルール。例: card_limit=6。ルールごとに指定します。",
    ),
    "help.opt.term": (
        "Any other term of the game that is played, such as objective=owls; once for each.",
        "遊んでいるゲームのその他の条件。例: objective=owls。条件ごとに指定します。",
    ),
    "help.opt.overlay": (
        "Draw the ruling on the photo, as a PNG; with several photos a folder for them.",
        "判定を写真に描いた PNG を書きます。写真が複数のときはフォルダー名です。",
    ),
    "help.opt.stages": (
        "Write a picture of each stage of the reading to this folder; of several photos, each to one in it.",
        "読み取りの各段階の画像をこのフォルダーに書きます。写真が複数のときは、中に写真ごとのフォルダーを作ります。",
    ),
    "help.opt.paper": ("Paper size.", "用紙の大きさ。"),
    "help.opt.missions": (
        "Of these missions, by id, separated by commas, or all: for deck print the cards that they name and "
        "their artifacts.",
        "ミッションの ID をコンマで区切って指定、または all。deck print では、ミッションが名指しするカードと"
        "アーティファクト。",
    ),
    "help.opt.cards": (
        "Only these cards, by id, separated by commas (default: the whole box).",
        "印刷するカードの ID をコンマで区切って指定 (指定がなければ全部)。",
    ),
    # bench
    "bench.rulings": (
        "{rulings_per_second} rulings a second over {records} records of five cards ({legal} legal, on "
        "average {mean_places} places in {mean_strokes} strokes, SB-1 to SB-12 held); the pathological "
        "record of 50 cards, 5000 places and 40 tokens takes {pathological_seconds} s (processor time).",
        "カード 5 枚の記録 {records} 件(ルール違反なし {legal} 件、平均で場所 {mean_places} か所、"
        "線 {mean_strokes} 本、SB-1 から SB-12 を所持)を毎秒 {rulings_per_second} 件判定しました。"
        "カード 50 枚、場所 5000 か所、トークン 40 枚の極端な記録は {pathological_seconds} 秒です"
        "(いずれもプロセッサー時間)。",
    ),
    "bench.cooperative": (
        "{tables} cooperative tables of 30 cards and five groups (on average {mean_places} places claimed) "
        "take {seconds} s, the longest of them {worst_seconds} s (processor time).",
        "カード 30 枚・グループ 5 つの協力プレイのテーブル {tables} 件(平均で場所 {mean_places} "
        "か所)の判定に "
        "{seconds} 秒、最も長いもので {worst_seconds} 秒かかりました(プロセッサー時間)。",
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
    "bench.title": ("Reading {folder}", "{folder} の読み取り精度"),
    "bench.photo": ("photo", "写真"),
    "bench.total": ("all {count}", "全 {count} 枚"),
    "bench.cards": ("cards", "カード"),
    "bench.tableau": ("tableau", "配置"),
    "bench.path": ("path", "経路"),
    "bench.counts": ("counts", "発見数"),
    "bench.marks": ("marks F1", "印 F1"),
    "bench.sure": ("sure", "確実"),
    "bench.sure_untold": ("sure, nothing held told", "確実 (手持ちを伝えないとき)"),
    "bench.seconds": ("seconds", "秒"),
    "bench.memory": ("peak MB", "最大 MB"),
    "bench.sure_and_wrong": (
        "{wrong} of {sure} sure scores are wrong (95% bound {of_sure}), that is {wrong} of {count} photos "
        "(95% bound {of_all}). Right is what has every find count and the escape.",
        "確実とした {sure} 件のうち誤りは {wrong} 件 (95% 上限 {of_sure})、写真 {count} 枚のうちでは "
        "{wrong} 枚 (95% 上限 {of_all})。発見数と脱出がすべて合えば正しいとします。",
    ),
    "bench.tables": ("tables", "テーブル"),
    "bench.one_photo": ("one photo", "写真 1 枚"),
    "bench.together": ("photos together", "複数の写真"),
    "bench.parts": ("a part alone", "一部だけの写真"),
    "bench.lines_right": ("lines given to their groups (of)", "正しいグループの線 (本数)"),
    "bench.every_line_right": ("all lines to their groups", "すべての線が正しいグループ"),
    "bench.result_right": ("mission result right", "ミッションの結果が一致"),
    "bench.all_groups_right": ("right for every group", "全グループの結果が一致"),
    "bench.table_questions": ("questions a table", "テーブルあたりの質問"),
    "bench.colon": (": ", ": "),
    "bench.player.careful": ("careful", "慎重な人"),
    "bench.player.hurried": ("hurried", "急ぐ人"),
    "bench.figure": ("figure", "項目"),
    "bench.photos": ("photos", "枚数"),
    "bench.every_card_right": ("all cards right", "カードすべて一致"),
    "bench.tableau_exact": ("tableau exact", "配置一致"),
    "bench.path_exact": ("path exact", "経路一致"),
    "bench.counts_exact": ("counts exact", "発見数一致"),
    "bench.outcome_exact": ("counts and escape right", "発見数と脱出が一致"),
    "bench.marks_f1": ("marks F1", "印 F1"),
    "bench.ended_sure_and_wrong": ("sure and wrong", "確実として誤り"),
    "bench.sure_and_right": ("sure and right", "確実として正しい"),
    "bench.sure_and_wrong_count": ("sure and wrong (95% bound)", "確実として誤り (95% 上限)"),
    "bench.right": ("ends right", "正しく終わる"),
    "bench.ended_sure": ("ends sure", "確実で終わる"),
    "bench.questions_mean": ("questions a photo", "1 枚あたりの質問"),
    "bench.at_most_one_question": ("at most 1 question", "質問 1 問以下"),
    "bench.at_most_two_questions": ("at most 2 questions", "質問 2 問以下"),
    "bench.without_true_answer": ("questions without a true answer", "正しい答えのない質問"),
    "bench.changed_nothing": ("answers that changed nothing", "何も変えなかった答え"),
    "bench.few_answers": (
        "questions with less than two answers that say what is there",
        "何があるかを言う答えが二つない質問",
    ),
    "bench.same_answers": ("questions with two answers alike", "同じ答えが二つある質問"),
    "bench.without_ink": ("questions where no ink is", "インクのない所の質問"),
    "bench.asked_again": ("questions asked again", "繰り返された質問"),
    "bench.left_open": ("questions left open", "答えのないままの質問"),
    "bench.ended_wrong": (
        "The {player} player ended sure and wrong on: {photos}",
        "{player}が確実として誤りで終わった写真: {photos}",
    ),
    "bench.summary": ("All photos", "全体"),
    "bench.groups": ("What photos have in common", "写真の条件ごと"),
    "bench.group": ("group", "条件"),
    "bench.compared": ("Since the earlier run", "前回との比較"),
    "bench.glance": (
        "Photos in both runs: {photos}; worse in something: {worse}; better in something: {better}; in one "
        "run only: {apart}.",
        "両方にある写真 {photos} 枚。悪くなったところのある写真 {worse} 枚、良くなったところのある写真 "
        "{better} 枚。片方だけにある写真 {apart} 枚。",
    ),
    "bench.before": ("before", "前回"),
    "bench.now": ("now", "今回"),
    "bench.better": ("better", "改善"),
    "bench.worse": ("worse", "悪化"),
    "bench.chance": ("by chance", "偶然の確率"),
    "bench.verdict": ("beyond chance", "偶然以上の変化"),
    "bench.reliability": ("What confidence is worth", "確信度の信頼性"),
    "bench.reliability.how": (
        "On the dashed line, what is told with 90% is right nine times in ten; below it the reading is too "
        "sure of itself. Numbers say how many there are, bars reach over their 95% bounds.",
        "破線の上では、90% と示したものが 10 回に 9 回当たります。破線より下は自信過剰です。"
        "数字は件数、縦の線は 95% 上限と下限です。",
    ),
    "bench.reliability.cards": ("Cards", "カード"),
    "bench.reliability.doubts": ("Doubts: what stands is true", "質問: 読み取りどおりが正しい"),
    "bench.reliability.scores": ("Scores", "得点"),
    "bench.reliability.predicted": ("confidence", "確信度"),
    "bench.reliability.right": ("share that is right", "正しい割合"),
    "bench.reliability.sure": ("sure", "確実"),
    "bench.reliability.not_sure": ("not sure", "不確か"),
    "bench.reliability.of": ("{name} ({count})", "{name} ({count})"),
    "bench.reliability.gap": ("{count}, on average {gap} apart", "{count} 件、平均の隔たり {gap}"),
    "bench.reliability.none": ("nothing to compare", "比べるものなし"),
    "bench.worst": ("The worst photos", "結果の悪い写真"),
    "bench.worst.none": ("Every photo was read right.", "すべての写真が正しく読み取れました。"),
    "bench.worst.read": ("As it was read", "読み取り"),
    "bench.worst.true": ("As it is", "正解"),
    "bench.worst.cards": (
        "{right} of {count} cards right, {extra} that are not there",
        "カード {count} 枚のうち一致 {right} 枚、余分 {extra} 枚",
    ),
    "bench.worst.wrong": ("wrong: {what}", "誤り: {what}"),
    "bench.worst.tableau_exact": ("tableau", "配置"),
    "bench.worst.path_exact": ("path", "経路"),
    "bench.worst.counts_exact": ("counts", "発見数"),
    "bench.worst.escape_right": ("escape", "脱出"),
    "bench.worst.circled": (
        "circles: {missed} missed, {extra} that are not there",
        "丸: 見落とし {missed}、余分 {extra}",
    ),
    "bench.worst.struck": (
        "strikes: {missed} missed, {extra} that are not there",
        "取り消し線: 見落とし {missed}、余分 {extra}",
    ),
    "bench.worst.ended_right": ("right", "正しい"),
    "bench.worst.ended_wrong": ("wrong", "誤り"),
    "bench.worst.nothing_asked": ("nothing was asked", "質問なし"),
    "bench.worst.end": (
        "The {player} player ends {ended}, {sure}: {asked}",
        "{player}の結果: {ended}、{sure}。{asked}",
    ),
    "bench.page": ("The page is in {file}.", "ページは {file} にあります。"),
    "bench.stages": (
        "Seconds per stage (median, {jobs} at a time): {stages}",
        "段階ごとの秒数 (中央値、同時に {jobs} 枚): {stages}",
    ),
    "bench.decodes": (
        "Photo to ruling takes {decodes} times as long as decoding the JPEG, and {cpu} times the processor"
        " time (medians).",
        "写真から判定までは、JPEG の展開の {decodes} 倍の時間、{cpu} 倍の CPU 時間がかかります (中央値)。",
    ),
    "bench.failed": ("not read: {message}", "読めません: {message}"),
}


def say(language: Language, key: str, **values: object) -> str:
    """The sentence `key` in `language`, with `values` filled in."""
    english, japanese = _SENTENCES[key]
    return (japanese if language == "ja" else english).format(**values)


_PLURALS = {
    "card": "cards",
    "page": "pages",
    "fault": "faults",
    "photo": "photos",
    "question": "questions",
    "thing": "things",
}


def counted(language: Language, noun: str, count: int) -> str:
    """ "1 card", "2 cards"; in Japanese the number alone, since its sentence has the counter."""
    if language == "ja":
        return str(count)
    return f"{count} {noun if count == 1 else _PLURALS[noun]}"


def reading_key(sure: bool, questions: Sized) -> str:
    """The message on how far a reading can be trusted."""
    if not sure:
        return "scan.unsure"
    return "scan.sure_anyway" if questions else "scan.sure"


def environment_language(environment: Mapping[str, str] = os.environ) -> Language:
    """The language that the environment asks for, by the order of POSIX: LC_ALL, LC_MESSAGES, LANG."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return "ja" if value.lower().startswith("ja") else "en"
    return "en"
