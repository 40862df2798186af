"""The table's server, its data folder and its workers."""

from __future__ import annotations

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, tuple[str, str]] = {
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
}
