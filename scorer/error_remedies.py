"""Remedies of errors: what to do about each, in English and Japanese, by the error's code."""

from __future__ import annotations

from scorer.text import Text

REMEDIES: dict[str, Text] = {
    # Any command or request.
    "usage": Text(
        "Call the command with --help and correct what the message names.",
        "コマンドに --help を付けて使い方を見て、メッセージが示すところを直してください。",
    ),
    "internal": Text(
        "Try again, and report it with the file or page if it stays.",
        "もう一度試し、繰り返すときはファイルやページを添えて報告してください。",
    ),
    "no-file": Text(
        "Check the file's name and that it may be opened.",
        "ファイル名と、開く権限があるかを確かめてください。",
    ),
    "not-writable": Text(
        "Name another place, or allow writing there.",
        "別の場所を指定するか、書き込めるようにしてください。",
    ),
    # Photos.
    "no-photo": Text(
        "Check the name of the file, or attach a photo to the request.",
        "ファイル名を確かめるか、リクエストに写真を付けてください。",
    ),
    "not-an-image": Text(
        "Give a JPEG, PNG, WebP, HEIC or AVIF photo.",
        "JPEG、PNG、WebP、HEIC、AVIF のどれかの写真を指定してください。",
    ),
    "cut-off": Text(
        "Copy or upload the photo once more.",
        "写真をもう一度コピーまたはアップロードしてください。",
    ),
    "too-large": Text(
        "Send a smaller file.",
        "小さいファイルを送ってください。",
    ),
    "too-small": Text(
        "Give the photo itself instead of a preview.",
        "縮小版でない元の写真を指定してください。",
    ),
    "no-card": Text(
        "Take a sharp photo from above, filled by the cards, and name the right catalogue.",
        "カードが大きく入るように真上からはっきり撮り、正しいカタログを指定してください。",
    ),
    "other-pieces": Text(
        "Name the pieces that the photo shows, or confirm the pieces that you named (--as-told).",
        "写真にあるコマの種類を指定するか、指定どおりだと伝えてください(--as-told)。",
    ),
    "no-sheet": Text(
        "Photograph the camera sheet flat, filling the picture, from several sides.",
        "カメラシートを平らに置き、画面いっぱいに、いろいろな向きから撮ってください。",
    ),
    "no-line": Text(
        "Point at the line of the path, where it is clearest, in a sharp photo.",
        "はっきりした写真で、経路の線がいちばん濃いところを指してください。",
    ),
    "no-pen": Text(
        "Name a player whose pen was learned, or its file.",
        "ペンを測ってあるプレイヤーか、そのファイルを指定してください。",
    ),
    "photo-lost": Text(
        "Take the photo again, or restore the data folder from a backup.",
        "写真を撮り直すか、データフォルダーをバックアップから戻してください。",
    ),
    "photo-damaged": Text(
        "Send the same photo again, take another, or restore a backup.",
        "同じ写真をもう一度送るか、撮り直すか、バックアップから戻してください。",
    ),
    "no-photos": Text(
        "Name a folder of photos with their truths beside them.",
        "正解の付いた写真のフォルダーを指定してください。",
    ),
    "not-a-truth": Text(
        "Write the truth in the form of a scan, for the same catalogue.",
        "正解を、同じカタログのスキャンの形式で書いてください。",
    ),
    # Records and what is told of them.
    "not-a-record": Text(
        "Correct the field that the message names; docs/FORMATS.md has the form.",
        "メッセージが示す項目を直してください。形式は docs/FORMATS.md にあります。",
    ),
    "not-a-notation": Text(
        "Write it like the example in the message.",
        "メッセージの例のように書いてください。",
    ),
    "not-a-game": Text(
        "Correct the field that the message names; docs/FORMATS.md has the form.",
        "メッセージが示す項目を直してください。形式は docs/FORMATS.md にあります。",
    ),
    "bad-record": Text(
        "Correct the field that the message names; docs/FORMATS.md has the form.",
        "メッセージが示す項目を直してください。形式は docs/FORMATS.md にあります。",
    ),
    "unknown-game": Text(
        "Name one of the games that the message lists, or install the one that is meant.",
        "メッセージにあるゲームを指定するか、そのゲームを追加してください。",
    ),
    "record-too-large": Text(
        "Check the program that made the record.",
        "その記録を作ったプログラムを確かめてください。",
    ),
    "heaped-cards": Text(
        "Check where the record lays its cards.",
        "記録にあるカードの位置を確かめてください。",
    ),
    "unknown-card": Text(
        "Check the card's name, or name its catalogue.",
        "カードの名前を確かめるか、そのカタログを指定してください。",
    ),
    "unknown-place": Text(
        "Write places as the number of the card, from 0, a dot and the place.",
        "場所は、カードの番号(0 から)、ピリオド、場所の順に書いてください。",
    ),
    "unknown-means": Text(
        "Name an item, a fairy token or a spellbook as the message writes them.",
        "アイテム、フェアリートークン、魔導書を、メッセージの書き方で指定してください。",
    ),
    "no-payments": Text(
        "Leave the payment out: this game has no payments.",
        "支払いの指定を外してください。このゲームには支払いがありません。",
    ),
    "no-such-question": Text(
        "Look at the questions that are open, and answer one of them.",
        "未回答の質問を確かめて、その中から答えてください。",
    ),
    "unknown-token": Text(
        "Give a count of 0 or more for a token that the message names.",
        "メッセージにあるトークンに 0 以上の数を指定してください。",
    ),
    "unknown-spellbook": Text(
        "Name a spellbook from SB-1 to SB-17.",
        "SB-1 から SB-17 の魔導書を指定してください。",
    ),
    "unknown-objective": Text(
        "Choose one of the objectives that the message names.",
        "メッセージにある目標から選んでください。",
    ),
    "unknown-group": Text(
        "Name one of the groups that the message lists, or add the group to the record.",
        "メッセージにあるグループを指定するか、記録にそのグループを加えてください。",
    ),
    "unknown-goal": Text(
        "Name one of the goals that the message lists.",
        "メッセージにある目標を指定してください。",
    ),
    "unknown-mission": Text(
        "Name a mission of the catalogue, or write it into the record.",
        "カタログにあるミッションを指定するか、記録にミッションを書いてください。",
    ),
    "not-a-mission": Text(
        "Correct the field that the message names; docs/FORMATS.md has the form.",
        "メッセージが示す項目を直してください。形式は docs/FORMATS.md にあります。",
    ),
    "unknown-setting": Text(
        "Choose one of the house rules that the message names.",
        "メッセージにあるハウスルールから選んでください。",
    ),
    "bad-setting": Text(
        "Give the house rule a value that the message names.",
        "ハウスルールに、メッセージにある値を指定してください。",
    ),
    "not-sold": Text(
        "Choose something that the market sells.",
        "マーケットで売っているものを選んでください。",
    ),
    # Catalogues and printing.
    "no-catalogue": Text(
        "Name a folder made by waymark deck export.",
        "waymark deck export で作ったフォルダーを指定してください。",
    ),
    "not-a-catalogue": Text(
        "Make the catalogue again with waymark deck export.",
        "waymark deck export でカタログを作り直してください。",
    ),
    "broken-catalogue": Text(
        "Run waymark deck check on the catalogue and correct what it finds.",
        "waymark deck check でカタログを調べ、見つかった誤りを直してください。",
    ),
    "unsound-catalogue": Text(
        "Correct the listed faults and check again.",
        "一覧の誤りを直してから、もう一度調べてください。",
    ),
    "not-a-shared-deck": Text(
        "Ask for the file again, as waymark deck share writes it.",
        "waymark deck share で書き出したファイルをもらい直してください。",
    ),
    "art-unreadable": Text(
        "Run waymark deck check and give the card a picture that can be read.",
        "waymark deck check で調べ、そのカードに読める絵を用意してください。",
    ),
    "no-cards": Text(
        "Choose at least one card to print.",
        "印刷するカードを 1 枚以上選んでください。",
    ),
    "cards-too-large": Text(
        "Choose the larger paper, or smaller cards.",
        "大きい用紙を選ぶか、カードを小さくしてください。",
    ),
    # Corrections of a reading.
    "last-card": Text(
        "Choose which card this is, or take another photo.",
        "カードを選び直すか、写真を撮り直してください。",
    ),
    "no-such-card": Text(
        "Check the cards again and repeat your change.",
        "カードをもう一度確かめてから、やり直してください。",
    ),
    "no-such-step": Text(
        "Check the path again and repeat your change.",
        "経路をもう一度確かめてから、やり直してください。",
    ),
    "bad-place": Text(
        "Choose a place beside the other cards, inside the photo.",
        "写真の中の、ほかのカードの隣の場所を選んでください。",
    ),
    "bad-outline": Text(
        "Put each of the four points on its own corner of the card.",
        "4 点をそれぞれカードの角に合わせてください。",
    ),
    "no-route": Text(
        "Erase the part that is wrong, then draw it again.",
        "違う部分を消してから、正しい経路を描いてください。",
    ),
    "nothing-left": Text(
        "Go on; there is nothing to take back.",
        "取り消すものはないので、そのまま続けてください。",
    ),
    "not-read": Text(
        "Wait until the photo is read, or take another.",
        "写真が読み取られるまで待つか、撮り直してください。",
    ),
    "in-game": Text(
        "Choose objectives on the game's round, and settle house rules in a dispute.",
        "目標はゲームのラウンドのページで選び、ハウスルールは「異議」で決めてください。",
    ),
    "other-game": Text(
        "Choose a player of the same game.",
        "同じゲームのプレイヤーを選んでください。",
    ),
    "has-photo": Text(
        "Delete the photo there first, or choose another player.",
        "先にその写真を削除するか、別のプレイヤーを選んでください。",
    ),
    # Disputes.
    "no-claim": Text(
        "Say in words what should be different, or choose an assumption.",
        "違うと思うところを書くか、仮定を選んでください。",
    ),
    "no-name": Text(
        "Say whose claim it is.",
        "誰の主張かを書いてください。",
    ),
    "several-claims": Text(
        "Make a separate claim for each path and each assumption.",
        "経路や仮定ごとに、別の主張にしてください。",
    ),
    "cannot-be": Text(
        "Check the dispute again and make another choice.",
        "異議をもう一度確かめてから、選び直してください。",
    ),
    # Games and players.
    "bad-name": Text(
        "Write the player's name.",
        "プレイヤーの名前を書いてください。",
    ),
    "bad-players": Text(
        "Give as many players as the game takes, each with a name and a colour of their own.",
        "ゲームの人数に合わせ、全員に違う名前と色を付けてください。",
    ),
    "same-person": Text(
        "Choose two different players.",
        "別々のプレイヤーを選んでください。",
    ),
    "bad-round": Text(
        "Choose a round that the game has.",
        "ゲームにあるラウンドを選んでください。",
    ),
    "bad-seat": Text(
        "Load the page again and choose a player who sits at this game.",
        "ページを読み込み直し、このゲームのプレイヤーを選んでください。",
    ),
    "too-many-spellbooks": Text(
        "Put a spellbook back first.",
        "先に魔導書を 1 枚外してください。",
    ),
    "no-price": Text(
        "Say how many coins it cost.",
        "支払ったコインの数を入力してください。",
    ),
    "too-few-coins": Text(
        "Check the price, or the coins entered.",
        "値段か、記入したコインの数を確かめてください。",
    ),
    "game-finished": Text(
        "Go on with the game before you change it.",
        "変更する前に、ゲームを再開してください。",
    ),
    "conflict": Text(
        "Check what it says now, then repeat your change if it is still needed.",
        "今の内容を確かめ、まだ必要ならもう一度操作してください。",
    ),
    # Logs.
    "not-a-log": Text(
        "Choose the file waymark-log.zip that a table exported.",
        "書き出した waymark-log.zip を選んでください。",
    ),
    "log-broken": Text(
        "Export the log again and retry.",
        "ログをもう一度書き出してからやり直してください。",
    ),
    # The server and its requests.
    "port-taken": Text(
        "Choose another --port or --host.",
        "別の --port か --host を指定してください。",
    ),
    "no-database": Text(
        "Check --data and --database, and that the database is running and has room.",
        "--data と --database を確かめ、データベースの動作と空き容量を調べてください。",
    ),
    "disk-full": Text(
        "Make room on the disk of the data folder, then try again.",
        "データフォルダーのあるディスクに空きを作ってから、やり直してください。",
    ),
    "data-folder": Text(
        "Put the data folder in order as the message says, then start Waymark again.",
        "メッセージのとおりデータフォルダーを直し、Waymark を起動し直してください。",
    ),
    "newer-data": Text(
        "Update Waymark, or name another data folder.",
        "Waymark を更新するか、別のデータフォルダーを指定してください。",
    ),
    "damaged": Text(
        "Run waymark data check and mend, or restore a backup.",
        "waymark data check と mend を実行するか、バックアップから戻してください。",
    ),
    "unsound-data": Text(
        "Run waymark data mend, or restore a backup.",
        "waymark data mend を実行するか、バックアップから戻してください。",
    ),
    "not-a-backup": Text(
        "Name a whole file made by waymark data backup.",
        "waymark data backup で作った、欠けのないファイルを指定してください。",
    ),
    "photos-away": Text(
        "Try again in a moment, and check --photos and that the store of photos is running.",
        "少し待ってからやり直し、--photos と写真の保存先の動作を確かめてください。",
    ),
    "busy": Text(
        "Try again in a few seconds.",
        "数秒待ってからやり直してください。",
    ),
    "bad-request": Text(
        "Load the page again and retry; programs follow /api/v1/openapi.json.",
        "ページを読み込み直してください。プログラムは /api/v1/openapi.json に従ってください。",
    ),
    "pin-needed": Text(
        "Enter the table's PIN, or send it as a bearer token.",
        "テーブルの PIN を入力するか、Bearer トークンとして送ってください。",
    ),
    "forbidden": Text(
        "Load a page of this table again and retry from there.",
        "このテーブルのページを読み込み直し、そこからやり直してください。",
    ),
    "not-found": Text(
        "Go back to the start page, or check the link.",
        "ホームに戻るか、リンクを確かめてください。",
    ),
    "wrong-method": Text(
        "Use a method that /api/v1/openapi.json names for this address.",
        "/api/v1/openapi.json にある、このアドレスのメソッドを使ってください。",
    ),
    "not-json": Text(
        "Send JSON with the content type application/json.",
        "JSON を Content-Type: application/json で送ってください。",
    ),
    "encoded": Text(
        "Send it without Content-Encoding.",
        "Content-Encoding を付けずに送ってください。",
    ),
    "other-name": Text(
        "Open the table by its address, or start it with --host-name and the name.",
        "テーブルをアドレスで開くか、--host-name にその名前を指定して起動してください。",
    ),
    "slow-down": Text(
        "Wait a minute and try again.",
        "1 分待ってからやり直してください。",
    ),
    "not-valid": Text(
        "Send the form that /api/v1/openapi.json documents.",
        "/api/v1/openapi.json にある形式で送ってください。",
    ),
    "two-targets": Text(
        "Give a tableau_id or an entry_id.",
        "tableau_id か entry_id のどちらか一方を指定してください。",
    ),
    "several-photos": Text(
        "Send one photo with each request.",
        "リクエストごとに写真を 1 枚送ってください。",
    ),
}
