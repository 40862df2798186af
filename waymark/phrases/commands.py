"""Help on commands: one sentence for each, and the headings of a help page."""

from __future__ import annotations

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, tuple[str, str]] = {
    "help.not_installed": (
        "Not installed: needs {extra}.",
        "インストールされていません({extra} が必要です)。",
    ),
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
    "help.enrol": (
        "Add the faces seen in photos of blank cards to a catalogue's folder.",
        "線のないカードの写真から、カードの面をカタログのフォルダーに登録します。",
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
    "help.deck": ("The cards: write out, check, share, print.", "カードの書き出し、検査、共有、印刷。"),
    "help.deck.share": (
        "Write a deck's dungeons and fingerprints, without any picture, for others who own its cards.",
        "同じカードを持つ人のために、デッキのダンジョンと指紋を絵なしで書き出します。",
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
    "help.worker": (
        "Read photos for servers with the same database and photos, on this machine or others.",
        "同じデータベースと写真を使うサーバーのために写真を読み取ります。別のパソコンでも使えます。",
    ),
    "help.reread": (
        "Read all photos of a data folder again with this version, and say what would score differently.",
        "データフォルダーの写真をこの版で読み直し、得点が変わるものを示します。",
    ),
    "help.usage": ("Usage: ", "使い方: "),
    "help.usage.options": ("[OPTIONS]", "[オプション]"),
    "help.usage.command": ("COMMAND [ARGS]...", "コマンド [引数]..."),
    "help.options": ("Options", "オプション"),
    "help.commands": ("Commands", "コマンド"),
    "help.default": ("default:", "既定値:"),
}
