"""Wrong use of the command line: one sentence for each kind of error."""

from __future__ import annotations

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, tuple[str, str]] = {
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
    "usage.photos_or_propose": (
        "Name photos to enrol, --from FILE.json, or --propose alone for cards that are enrolled already.",
        "登録する写真か --from FILE.json、"
        "または登録済みのカードの下書きを作る --propose だけを指定してください。",
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
}
