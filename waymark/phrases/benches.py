"""Reports of the benches: how well photos, boards and shared tables are read."""

from __future__ import annotations

#: Key: (English, Japanese), formatted with `str.format`.
SENTENCES: dict[str, tuple[str, str]] = {
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
    "progress": ("Photos", "写真"),
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
