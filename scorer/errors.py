"""The exceptions that reach people: what is wrong and what to do about it, in English and Japanese."""

from __future__ import annotations

from enum import StrEnum

from scorer.text import Text

#: Exit statuses, as docs/FORMATS.md has them under "Commands".
WRONG_USAGE = 2
UNREADABLE = 3
NOTHING_FOUND = 4


class Code(StrEnum):
    """The stable machine word of an error, with the command line's exit status (2 wrong usage, 3 an input
    could not be read, 4 nothing to score in it), the HTTP status, and what to do about it.

    docs/ERRORS.md lists them."""

    exit_status: int
    http_status: int
    remedy: Text

    def __new__(cls, word: str, en: str, ja: str, *statuses: int) -> Code:
        """A code with its remedy in both languages, its HTTP status (400) and its exit status (3)."""
        code = str.__new__(cls, word)
        code._value_ = word
        code.remedy = Text(en, ja)
        code.http_status, code.exit_status = (*statuses, *(400, UNREADABLE)[len(statuses) :])
        return code

    # Any command or request.
    USAGE = (
        "usage",
        "Call the command with --help and correct what the message names.",
        "コマンドに --help を付けて使い方を見て、メッセージが示すところを直してください。",
        400,
        WRONG_USAGE,
    )
    INTERNAL = (
        "internal",
        "Try again, and report it with the file or page if it stays.",
        "もう一度試し、繰り返すときはファイルやページを添えて報告してください。",
        500,
    )
    NO_FILE = (
        "no-file",
        "Check the file's name and that it may be opened.",
        "ファイル名と、開く権限があるかを確かめてください。",
    )
    NOT_WRITABLE = (
        "not-writable",
        "Name another place, or allow writing there.",
        "別の場所を指定するか、書き込めるようにしてください。",
    )
    # Photos.
    NO_PHOTO = (
        "no-photo",
        "Check the name of the file, or attach a photo to the request.",
        "ファイル名を確かめるか、リクエストに写真を付けてください。",
    )
    NOT_AN_IMAGE = (
        "not-an-image",
        "Give a JPEG, PNG, WebP, HEIC or AVIF photo.",
        "JPEG、PNG、WebP、HEIC、AVIF のどれかの写真を指定してください。",
        415,
    )
    CUT_OFF = (
        "cut-off",
        "Copy or upload the photo once more.",
        "写真をもう一度コピーまたはアップロードしてください。",
        422,
    )
    TOO_LARGE = (
        "too-large",
        "Send a smaller file.",
        "小さいファイルを送ってください。",
        413,
    )
    TOO_SMALL = (
        "too-small",
        "Give the photo itself instead of a preview.",
        "縮小版でない元の写真を指定してください。",
        422,
        NOTHING_FOUND,
    )
    NO_CARD = (
        "no-card",
        "Take a sharp photo from above, filled by the cards, and name the right catalogue.",
        "カードが大きく入るように真上からはっきり撮り、正しいカタログを指定してください。",
        422,
        NOTHING_FOUND,
    )
    OTHER_PIECES = (
        "other-pieces",
        "Name the pieces that the photo shows, or confirm the pieces that you named (--as-told).",
        "写真にあるコマの種類を指定するか、指定どおりだと伝えてください(--as-told)。",
        422,
        NOTHING_FOUND,
    )
    NO_SHEET = (
        "no-sheet",
        "Photograph the camera sheet flat, filling the picture, from several sides.",
        "カメラシートを平らに置き、画面いっぱいに、いろいろな向きから撮ってください。",
        422,
        NOTHING_FOUND,
    )
    NO_LINE = (
        "no-line",
        "Point at the line of the path, where it is clearest, in a sharp photo.",
        "はっきりした写真で、経路の線がいちばん濃いところを指してください。",
        422,
        NOTHING_FOUND,
    )
    NO_PEN = (
        "no-pen",
        "Name a player whose pen was learned, or its file.",
        "ペンを測ってあるプレイヤーか、そのファイルを指定してください。",
        404,
    )
    PHOTO_LOST = (
        "photo-lost",
        "Take the photo again, or restore the data folder from a backup.",
        "写真を撮り直すか、データフォルダーをバックアップから戻してください。",
        410,
    )
    PHOTO_DAMAGED = (
        "photo-damaged",
        "Send the same photo again, take another, or restore a backup.",
        "同じ写真をもう一度送るか、撮り直すか、バックアップから戻してください。",
        410,
    )
    NO_PHOTOS = (
        "no-photos",
        "Name a folder of photos with their truths beside them.",
        "正解の付いた写真のフォルダーを指定してください。",
    )
    NOT_A_TRUTH = (
        "not-a-truth",
        "Write the truth in the form of a scan, for the same catalogue.",
        "正解を、同じカタログのスキャンの形式で書いてください。",
    )
    # Records and what is told of them.
    NOT_A_RECORD = (
        "not-a-record",
        "Correct the field that the message names; docs/FORMATS.md has the form.",
        "メッセージが示す項目を直してください。形式は docs/FORMATS.md にあります。",
    )
    NOT_A_NOTATION = (
        "not-a-notation",
        "Write it like the example in the message.",
        "メッセージの例のように書いてください。",
    )
    NOT_A_GAME = (
        "not-a-game",
        "Correct the field that the message names; docs/FORMATS.md has the form.",
        "メッセージが示す項目を直してください。形式は docs/FORMATS.md にあります。",
    )
    BAD_RECORD = (
        "bad-record",
        "Correct the field that the message names; docs/FORMATS.md has the form.",
        "メッセージが示す項目を直してください。形式は docs/FORMATS.md にあります。",
    )
    UNKNOWN_GAME = (
        "unknown-game",
        "Name one of the games that the message lists, or install the one that is meant.",
        "メッセージにあるゲームを指定するか、そのゲームを追加してください。",
    )
    RECORD_TOO_LARGE = (
        "record-too-large",
        "Check the program that made the record.",
        "その記録を作ったプログラムを確かめてください。",
    )
    HEAPED_CARDS = (
        "heaped-cards",
        "Check where the record lays its cards.",
        "記録にあるカードの位置を確かめてください。",
    )
    UNKNOWN_CARD = (
        "unknown-card",
        "Check the card's name, or name its catalogue.",
        "カードの名前を確かめるか、そのカタログを指定してください。",
    )
    UNKNOWN_PLACE = (
        "unknown-place",
        "Write places as the number of the card, from 0, a dot and the place.",
        "場所は、カードの番号(0 から)、ピリオド、場所の順に書いてください。",
    )
    UNKNOWN_MEANS = (
        "unknown-means",
        "Name an item, a fairy token or a spellbook as the message writes them.",
        "アイテム、フェアリートークン、魔導書を、メッセージの書き方で指定してください。",
    )
    NO_PAYMENTS = (
        "no-payments",
        "Leave the payment out: this game has no payments.",
        "支払いの指定を外してください。このゲームには支払いがありません。",
    )
    NO_SUCH_QUESTION = (
        "no-such-question",
        "Look at the questions that are open, and answer one of them.",
        "未回答の質問を確かめて、その中から答えてください。",
        400,
        WRONG_USAGE,
    )
    UNKNOWN_TOKEN = (
        "unknown-token",
        "Give a count of 0 or more for a token that the message names.",
        "メッセージにあるトークンに 0 以上の数を指定してください。",
    )
    UNKNOWN_SPELLBOOK = (
        "unknown-spellbook",
        "Name a spellbook from SB-1 to SB-17.",
        "SB-1 から SB-17 の魔導書を指定してください。",
    )
    UNKNOWN_OBJECTIVE = (
        "unknown-objective",
        "Choose one of the objectives that the message names.",
        "メッセージにある目標から選んでください。",
    )
    UNKNOWN_GROUP = (
        "unknown-group",
        "Name one of the groups that the message lists, or add the group to the record.",
        "メッセージにあるグループを指定するか、記録にそのグループを加えてください。",
    )
    UNKNOWN_GOAL = (
        "unknown-goal",
        "Name one of the goals that the message lists.",
        "メッセージにある目標を指定してください。",
    )
    UNKNOWN_MISSION = (
        "unknown-mission",
        "Name a mission of the catalogue, or write it into the record.",
        "カタログにあるミッションを指定するか、記録にミッションを書いてください。",
    )
    NOT_A_MISSION = (
        "not-a-mission",
        "Correct the field that the message names; docs/FORMATS.md has the form.",
        "メッセージが示す項目を直してください。形式は docs/FORMATS.md にあります。",
    )
    UNKNOWN_SETTING = (
        "unknown-setting",
        "Choose one of the house rules that the message names.",
        "メッセージにあるハウスルールから選んでください。",
    )
    BAD_SETTING = (
        "bad-setting",
        "Give the house rule a value that the message names.",
        "ハウスルールに、メッセージにある値を指定してください。",
    )
    NOT_SOLD = (
        "not-sold",
        "Choose something that the market sells.",
        "マーケットで売っているものを選んでください。",
    )
    # Catalogues and printing.
    NO_CATALOGUE = (
        "no-catalogue",
        "Name a folder made by waymark deck export.",
        "waymark deck export で作ったフォルダーを指定してください。",
    )
    NOT_A_CATALOGUE = (
        "not-a-catalogue",
        "Make the catalogue again with waymark deck export.",
        "waymark deck export でカタログを作り直してください。",
    )
    BROKEN_CATALOGUE = (
        "broken-catalogue",
        "Run waymark deck check on the catalogue and correct what it finds.",
        "waymark deck check でカタログを調べ、見つかった誤りを直してください。",
    )
    UNSOUND_CATALOGUE = (
        "unsound-catalogue",
        "Correct the listed faults and check again.",
        "一覧の誤りを直してから、もう一度調べてください。",
    )
    NOT_A_SHARED_DECK = (
        "not-a-shared-deck",
        "Ask for the file again, as waymark deck share writes it.",
        "waymark deck share で書き出したファイルをもらい直してください。",
    )
    ART_UNREADABLE = (
        "art-unreadable",
        "Run waymark deck check and give the card a picture that can be read.",
        "waymark deck check で調べ、そのカードに読める絵を用意してください。",
    )
    NO_CARDS = (
        "no-cards",
        "Choose at least one card to print.",
        "印刷するカードを 1 枚以上選んでください。",
    )
    CARDS_TOO_LARGE = (
        "cards-too-large",
        "Choose the larger paper, or smaller cards.",
        "大きい用紙を選ぶか、カードを小さくしてください。",
    )
    # Corrections of a reading.
    LAST_CARD = (
        "last-card",
        "Choose which card this is, or take another photo.",
        "カードを選び直すか、写真を撮り直してください。",
    )
    NO_SUCH_CARD = (
        "no-such-card",
        "Check the cards again and repeat your change.",
        "カードをもう一度確かめてから、やり直してください。",
    )
    NO_SUCH_STEP = (
        "no-such-step",
        "Check the path again and repeat your change.",
        "経路をもう一度確かめてから、やり直してください。",
    )
    BAD_PLACE = (
        "bad-place",
        "Choose a place beside the other cards, inside the photo.",
        "写真の中の、ほかのカードの隣の場所を選んでください。",
    )
    BAD_OUTLINE = (
        "bad-outline",
        "Put each of the four points on its own corner of the card.",
        "4 点をそれぞれカードの角に合わせてください。",
    )
    NO_ROUTE = (
        "no-route",
        "Erase the part that is wrong, then draw it again.",
        "違う部分を消してから、正しい経路を描いてください。",
    )
    NOTHING_LEFT = (
        "nothing-left",
        "Go on; there is nothing to take back.",
        "取り消すものはないので、そのまま続けてください。",
    )
    NOT_READ = (
        "not-read",
        "Wait until the photo is read, or take another.",
        "写真が読み取られるまで待つか、撮り直してください。",
    )
    IN_GAME = (
        "in-game",
        "Choose objectives on the game's round, and settle house rules in a dispute.",
        "目標はゲームのラウンドのページで選び、ハウスルールは「異議」で決めてください。",
    )
    OTHER_GAME = (
        "other-game",
        "Choose a player of the same game.",
        "同じゲームのプレイヤーを選んでください。",
    )
    HAS_PHOTO = (
        "has-photo",
        "Delete the photo there first, or choose another player.",
        "先にその写真を削除するか、別のプレイヤーを選んでください。",
    )
    # Disputes.
    NO_CLAIM = (
        "no-claim",
        "Say in words what should be different, or choose an assumption.",
        "違うと思うところを書くか、仮定を選んでください。",
    )
    NO_NAME = (
        "no-name",
        "Say whose claim it is.",
        "誰の主張かを書いてください。",
    )
    SEVERAL_CLAIMS = (
        "several-claims",
        "Make a separate claim for each path and each assumption.",
        "経路や仮定ごとに、別の主張にしてください。",
    )
    CANNOT_BE = (
        "cannot-be",
        "Check the dispute again and make another choice.",
        "異議をもう一度確かめてから、選び直してください。",
    )
    # Games and players.
    BAD_NAME = (
        "bad-name",
        "Write the player's name.",
        "プレイヤーの名前を書いてください。",
    )
    BAD_PLAYERS = (
        "bad-players",
        "Give as many players as the game takes, each with a name and a colour of their own.",
        "ゲームの人数に合わせ、全員に違う名前と色を付けてください。",
    )
    SAME_PERSON = (
        "same-person",
        "Choose two different players.",
        "別々のプレイヤーを選んでください。",
    )
    BAD_ROUND = (
        "bad-round",
        "Choose a round that the game has.",
        "ゲームにあるラウンドを選んでください。",
    )
    BAD_SEAT = (
        "bad-seat",
        "Load the page again and choose a player who sits at this game.",
        "ページを読み込み直し、このゲームのプレイヤーを選んでください。",
    )
    TOO_MANY_SPELLBOOKS = (
        "too-many-spellbooks",
        "Put a spellbook back first.",
        "先に魔導書を 1 枚外してください。",
    )
    NO_PRICE = (
        "no-price",
        "Say how many coins it cost.",
        "支払ったコインの数を入力してください。",
    )
    TOO_FEW_COINS = (
        "too-few-coins",
        "Check the price, or the coins entered.",
        "値段か、記入したコインの数を確かめてください。",
    )
    GAME_FINISHED = (
        "game-finished",
        "Go on with the game before you change it.",
        "変更する前に、ゲームを再開してください。",
        409,
    )
    CONFLICT = (
        "conflict",
        "Check what it says now, then repeat your change if it is still needed.",
        "今の内容を確かめ、まだ必要ならもう一度操作してください。",
        409,
    )
    # Logs.
    NOT_A_LOG = (
        "not-a-log",
        "Choose the file waymark-log.zip that a table exported.",
        "書き出した waymark-log.zip を選んでください。",
    )
    LOG_BROKEN = (
        "log-broken",
        "Export the log again and retry.",
        "ログをもう一度書き出してからやり直してください。",
    )
    # The server and its requests.
    PORT_TAKEN = (
        "port-taken",
        "Choose another --port or --host.",
        "別の --port か --host を指定してください。",
    )
    NO_DATABASE = (
        "no-database",
        "Check --data and --database, and that the database is running and has room.",
        "--data と --database を確かめ、データベースの動作と空き容量を調べてください。",
        503,
    )
    DISK_FULL = (
        "disk-full",
        "Make room on the disk of the data folder, then try again.",
        "データフォルダーのあるディスクに空きを作ってから、やり直してください。",
        507,
    )
    DATA_FOLDER = (
        "data-folder",
        "Put the data folder in order as the message says, then start Waymark again.",
        "メッセージのとおりデータフォルダーを直し、Waymark を起動し直してください。",
        503,
    )
    NEWER_DATA = (
        "newer-data",
        "Update Waymark, or name another data folder.",
        "Waymark を更新するか、別のデータフォルダーを指定してください。",
        503,
    )
    DAMAGED = (
        "damaged",
        "Run waymark data check and mend, or restore a backup.",
        "waymark data check と mend を実行するか、バックアップから戻してください。",
        503,
    )
    UNSOUND_DATA = (
        "unsound-data",
        "Run waymark data mend, or restore a backup.",
        "waymark data mend を実行するか、バックアップから戻してください。",
        503,
    )
    NOT_A_BACKUP = (
        "not-a-backup",
        "Name a whole file made by waymark data backup.",
        "waymark data backup で作った、欠けのないファイルを指定してください。",
    )
    PHOTOS_AWAY = (
        "photos-away",
        "Try again in a moment, and check --photos and that the store of photos is running.",
        "少し待ってからやり直し、--photos と写真の保存先の動作を確かめてください。",
        503,
    )
    BUSY = (
        "busy",
        "Try again in a few seconds.",
        "数秒待ってからやり直してください。",
        503,
    )
    BAD_REQUEST = (
        "bad-request",
        "Load the page again and retry; programs follow /api/v1/openapi.json.",
        "ページを読み込み直してください。プログラムは /api/v1/openapi.json に従ってください。",
    )
    PIN_NEEDED = (
        "pin-needed",
        "Enter the table's PIN, or send it as a bearer token.",
        "テーブルの PIN を入力するか、Bearer トークンとして送ってください。",
        401,
    )
    FORBIDDEN = (
        "forbidden",
        "Load a page of this table again and retry from there.",
        "このテーブルのページを読み込み直し、そこからやり直してください。",
        403,
    )
    NOT_FOUND = (
        "not-found",
        "Go back to the start page, or check the link.",
        "ホームに戻るか、リンクを確かめてください。",
        404,
    )
    WRONG_METHOD = (
        "wrong-method",
        "Use a method that /api/v1/openapi.json names for this address.",
        "/api/v1/openapi.json にある、このアドレスのメソッドを使ってください。",
        405,
    )
    NOT_JSON = (
        "not-json",
        "Send JSON with the content type application/json.",
        "JSON を Content-Type: application/json で送ってください。",
        415,
    )
    ENCODED = (
        "encoded",
        "Send it without Content-Encoding.",
        "Content-Encoding を付けずに送ってください。",
        415,
    )
    OTHER_NAME = (
        "other-name",
        "Open the table by its address, or start it with --host-name and the name.",
        "テーブルをアドレスで開くか、--host-name にその名前を指定して起動してください。",
        421,
    )
    SLOW_DOWN = (
        "slow-down",
        "Wait a minute and try again.",
        "1 分待ってからやり直してください。",
        429,
    )
    NOT_VALID = (
        "not-valid",
        "Send the form that /api/v1/openapi.json documents.",
        "/api/v1/openapi.json にある形式で送ってください。",
    )
    TWO_TARGETS = (
        "two-targets",
        "Give a tableau_id or an entry_id.",
        "tableau_id か entry_id のどちらか一方を指定してください。",
    )
    SEVERAL_PHOTOS = (
        "several-photos",
        "Send one photo with each request.",
        "リクエストごとに写真を 1 枚送ってください。",
    )


class WaymarkError(Exception):
    """A cause that the person at the table can mend: its `code`, which knows the statuses, and one sentence
    each in English and Japanese."""

    def __init__(self, code: Code, en: str, ja: str) -> None:
        super().__init__(en)
        self.code = code
        self.en = en
        self.ja = ja

    @property
    def exit_status(self) -> int:
        """The status that a command ends with."""
        return self.code.exit_status

    def message(self, language: str) -> str:
        """The sentence in `language` ("ja", anything else is English)."""
        return self.ja if language == "ja" else self.en

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions cross process borders in batch runs; the default would lose all but the English.
        return (type(self), (self.code, self.en, self.ja))
