"""Help on options: one sentence for each."""

from __future__ import annotations

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, tuple[str, str]] = {
    "help.opt.propose": (
        "Propose a dungeon for every card that has none, learned from those that have one.",
        "ダンジョンのないカードの下書きを、なぞり済みのカードから学んで作ります。",
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
    "help.opt.bundled_game": (
        "The game whose open pieces are meant.",
        "どのゲームのオープンデッキか。",
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
    "help.opt.take": (
        "Have scores follow, where nobody has corrected anything and the game is not finished.",
        "誰も訂正しておらず、終わっていないゲームの得点を、読み直した結果に合わせます。",
    ),
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
}
