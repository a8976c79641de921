"""Rewriting rules for Chinese: prohibitions, demands, bounds, order in time, conditions."""

from augmentors.rewording.rule import ASKING, Rule
from augmentors.rewording.rules.chinese import HAN, HEAD, rule

_FORBIDDING = [
    rule("bie", "negation", HEAD + r"不要(?!求|求的)(?=\w)", "别", ("不要自己判对错。", "别自己判对错。")),
    rule(
        "bu-yao",
        "negation",
        HEAD + r"别(?=[" + HAN + r"])(?![人处样的名墅致])",
        "不要",
        ("没做对：别给答案。", "没做对：不要给答案。"),
    ),
    rule("jue-bu", "negation", r"绝不(?=[" + HAN + r"])", "决不", ("绝不询问密码。", "决不询问密码。")),
    rule("qing-wu", "negation", r"请不要(?=\w)", "请勿", ("请不要发送密码。", "请勿发送密码。")),
    rule("qing-bu-yao", "negation", r"请勿(?=\w)", "请不要", ("请勿发送密码。", "请不要发送密码。")),
    rule("bu-de", "negation", r"不准(?=[" + HAN + r"])", "不得", ("不准透露底价。", "不得透露底价。")),
    rule(
        "bu-zhun",
        "negation",
        r"不得(?=[" + HAN + r"])(?!不|了|已)",
        "不准",
        ("不得透露底价。", "不准透露底价。"),
        unless="不得超过|不得少于",
    ),
    rule(
        "wu-fa",
        "negation",
        r"不能(?=撤销|解冻|恢复|修改|取消|退回)",
        "无法",
        ("转了不能撤销。", "转了无法撤销。"),
    ),
    rule(
        "shang-wei",
        "negation",
        r"还没有?(?=[" + HAN + r"]{2})(?!有|.?[来必了的])",
        "尚未",
        ("身份还没核对。", "身份尚未核对。"),
    ),
    rule(
        "hai-mei", "negation", r"尚未(?=[" + HAN + r"]{2})", "还没有", ("身份尚未核对。", "身份还没有核对。")
    ),
    rule("mei", "negation", r"没有([" + HAN + r"]{1,2})就", r"没\1就", ("没有券就不提。", "没券就不提。")),
    rule(
        "bao-han",
        "negation",
        r"不含(?=[" + HAN + r"])",
        "不包含",
        ("查题目，不含答案。", "查题目，不包含答案。"),
    ),
]

_DEMANDING = [
    rule(
        "wu-bi",
        "duty",
        r"必须(?=[" + HAN + r"])",
        "务必",
        ("回复前必须核对身份。", "回复前务必核对身份。"),
        roles=ASKING,
    ),
    rule(
        "bi-xu",
        "duty",
        r"(?:务必|一定要)(?=[" + HAN + r"])",
        "必须",
        ("务必先核对身份。", "必须先核对身份。"),
    ),
    rule("ying-gai", "duty", "应当", "应该", ("回答应当简短。", "回答应该简短。")),
    rule("ying-dang", "duty", "应该", "应当", ("回答应该简短。", "回答应当简短。")),
    rule("jin-ke-neng", "duty", "尽量", "尽可能", ("尽量一句话说完。", "尽可能一句话说完。")),
    rule("jin-liang", "duty", "尽可能", "尽量", ("尽可能一句话说完。", "尽量一句话说完。")),
    rule(
        "qing",
        "politeness",
        r"^(?=(?:先用|先查|先弄清|用 |说清|礼貌地|友好地|照))",
        "请",
        ("先用 T 查券。", "请先用 T 查券。"),
        roles=ASKING,
        unless=r"请",
    ),
    rule(
        "bu-qing",
        "politeness",
        r"^请(?=先|用|不要|问清|说清)(?!用户|先生)",
        "",
        ("请先用 T 查券。", "先用 T 查券。"),
    ),
]

_BOUNDS = [
    rule(
        "zui-duo", "bounds", r"(?<![得能要])不超过", "最多", ("每次回复不超过O个字。", "每次回复最多O个字。")
    ),
    rule("zhi-duo", "bounds", "最多", "至多", ("一轮里最多转一笔。", "一轮里至多转一笔。")),
    rule("zui-duo-2", "bounds", "至多", "最多", ("一轮里至多转一笔。", "一轮里最多转一笔。")),
    rule(
        "bu-shao-yu",
        "bounds",
        r"至少(?=[\d一二两三四五六七八九十])",
        "不少于",
        ("回复至少10个字。", "回复不少于10个字。"),
    ),
    rule("zhi-shao", "bounds", "不少于", "至少", ("回复不少于10个字。", "回复至少10个字。")),
]

_ORDER = [
    rule(
        "zhi-qian",
        "time",
        r"(?<=[" + HAN + r"]{2})(?<![以之目面])前(?=先)",
        "之前",
        ("用券前先查券码。", "用券之前先查券码。"),
    ),
    rule(
        "qian", "time", r"(?<=[" + HAN + r"]{2})之前(?=先)", "前", ("用券之前先查券码。", "用券前先查券码。")
    ),
    rule(
        "zai-qian",
        "time",
        r"在([^，。；在]{2,8})(?<![以之])前(?=[，、])",
        r"在\1之前",
        ("在回复前，核对身份。", "在回复之前，核对身份。"),
    ),
    rule(
        "zai-zhi-qian",
        "time",
        r"在([^，。；在]{2,8})之前(?=[，、])",
        r"\1前",
        ("在回复之前，核对身份。", "回复前，核对身份。"),
    ),
    rule("yi-hou", "time", r"(?<=[" + HAN + r"])之后", "以后", ("作答过之后才用 T。", "作答过以后才用 T。")),
    rule(
        "zhi-hou",
        "time",
        r"(?<=[" + HAN + r"])以后(?!的日子)",
        "之后",
        ("作答过以后才用 T。", "作答过之后才用 T。"),
    ),
    rule(
        "hou",
        "time",
        r"(?<=[" + HAN + r"]{2}[认意定成])后(?=[，再才])",
        "之后",
        ("客户确认后才用 T。", "客户确认之后才用 T。"),
    ),
    rule(
        "ran-hou",
        "time",
        r"(?<=先)(?P<first>[^。；]{2,}?)，再(?=[" + HAN + r" ])",
        r"\g<first>，然后再",
        ("先核对身份，再办私人业务。", "先核对身份，然后再办私人业务。"),
        unless="然后",
    ),
    rule(
        "shi-hou",
        "time",
        r"(?<=[" + HAN + r"]{3})(?<![同及小按平随届此当准临])时，",
        "的时候，",
        ("观众明确要留货时，用 T。", "观众明确要留货的时候，用 T。"),
    ),
    rule(
        "shi",
        "time",
        r"(?<=[" + HAN + r"]{2})的时候，",
        "时，",
        ("观众要留货的时候，用 T。", "观众要留货时，用 T。"),
    ),
    rule(
        "ruo",
        "condition",
        HEAD + "如果(?=[" + HAN + "])",
        "若",
        ("如果查不到，就直说。", "若查不到，就直说。"),
    ),
    rule(
        "yao-shi",
        "condition",
        HEAD + "如果(?=[" + HAN + "])",
        "要是",
        ("如果查不到，就直说。", "要是查不到，就直说。"),
        roles=ASKING,
    ),
    rule(
        "ru-guo",
        "condition",
        HEAD + "(?:若|要是)(?=[" + HAN + "])(?!干|是|非)",
        "如果",
        ("若查不到，就直说。", "如果查不到，就直说。"),
    ),
]

RULES: tuple[Rule, ...] = (*_FORBIDDING, *_DEMANDING, *_BOUNDS, *_ORDER)
