"""Rewriting rules for Chinese."""

import re
from collections.abc import Iterable

from augmentors.rewording.rule import ASKING, LITERAL, OTHER, SKILL, TOOL, Role, Rule

_ANY = f"[{TOOL}{SKILL}{OTHER}{LITERAL}]"
_HAN = r"\u4e00-\u9fff"
_WHO = "观众|客户|用户|学员|学生|顾客|买家|有人"
_HEAD = r"(?:^|(?<=[，；：、]))"


def _rule(
    name: str,
    group: str,
    pattern: str,
    becomes: str,
    *examples: tuple[str, str],
    roles: Iterable[Role] | None = None,
    unless: str | None = None,
    again: bool = False,
) -> Rule:
    return Rule(
        name=f"zh.{name}",
        language="zh",
        group=group,
        pattern=re.compile(pattern),
        becomes=becomes,
        examples=examples,
        roles=frozenset(roles) if roles is not None else None,
        unless=re.compile(unless) if unless is not None else None,
        again=again,
    )


_FORBIDDING = [
    _rule("bie", "negation", _HEAD + r"不要(?!求|求的)(?=\w)", "别", ("不要自己判对错。", "别自己判对错。")),
    _rule(
        "bu-yao",
        "negation",
        _HEAD + r"别(?=[" + _HAN + r"])(?![人处样的名墅致])",
        "不要",
        ("没做对：别给答案。", "没做对：不要给答案。"),
    ),
    _rule("jue-bu", "negation", r"绝不(?=[" + _HAN + r"])", "决不", ("绝不询问密码。", "决不询问密码。")),
    _rule("qing-wu", "negation", r"请不要(?=\w)", "请勿", ("请不要发送密码。", "请勿发送密码。")),
    _rule("qing-bu-yao", "negation", r"请勿(?=\w)", "请不要", ("请勿发送密码。", "请不要发送密码。")),
    _rule("bu-de", "negation", r"不准(?=[" + _HAN + r"])", "不得", ("不准透露底价。", "不得透露底价。")),
    _rule("bu-zhun", "negation", r"不得(?=[" + _HAN + r"])(?!不|了|已)", "不准", ("不得透露底价。", "不准透露底价。"), unless="不得超过|不得少于"),
    _rule("wu-fa", "negation", r"不能(?=撤销|解冻|恢复|修改|取消|退回)", "无法", ("转了不能撤销。", "转了无法撤销。")),
    _rule("shang-wei", "negation", r"还没有?(?=[" + _HAN + r"]{2})(?!有|.?[来必了的])", "尚未", ("身份还没核对。", "身份尚未核对。")),
    _rule("hai-mei", "negation", r"尚未(?=[" + _HAN + r"]{2})", "还没有", ("身份尚未核对。", "身份还没有核对。")),
    _rule("mei", "negation", r"没有([" + _HAN + r"]{1,2})就", r"没\1就", ("没有券就不提。", "没券就不提。")),
    _rule("bao-han", "negation", r"不含(?=[" + _HAN + r"])", "不包含", ("查题目，不含答案。", "查题目，不包含答案。")),
]  # fmt: skip

_DEMANDING = [
    _rule("wu-bi", "duty", r"必须(?=[" + _HAN + r"])", "务必", ("回复前必须核对身份。", "回复前务必核对身份。"), roles=ASKING),
    _rule("bi-xu", "duty", r"(?:务必|一定要)(?=[" + _HAN + r"])", "必须", ("务必先核对身份。", "必须先核对身份。")),
    _rule("ying-gai", "duty", "应当", "应该", ("回答应当简短。", "回答应该简短。")),
    _rule("ying-dang", "duty", "应该", "应当", ("回答应该简短。", "回答应当简短。")),
    _rule("jin-ke-neng", "duty", "尽量", "尽可能", ("尽量一句话说完。", "尽可能一句话说完。")),
    _rule("jin-liang", "duty", "尽可能", "尽量", ("尽可能一句话说完。", "尽量一句话说完。")),
    _rule(
        "qing",
        "politeness",
        r"^(?=(?:先用|先查|先弄清|用 |说清|礼貌地|友好地|照|一句话))",
        "请",
        ("先用 T 查券。", "请先用 T 查券。"),
        roles=ASKING,
        unless=r"请",
    ),
    _rule("bu-qing", "politeness", r"^请(?=先|用|不要|问清|说清)(?!用户|先生)", "", ("请先用 T 查券。", "先用 T 查券。")),
]  # fmt: skip

_BOUNDS = [
    _rule("zui-duo", "bounds", r"(?<![得能要])不超过", "最多", ("每次回复不超过O个字。", "每次回复最多O个字。")),
    _rule("zhi-duo", "bounds", "最多", "至多", ("一轮里最多转一笔。", "一轮里至多转一笔。")),
    _rule("zui-duo-2", "bounds", "至多", "最多", ("一轮里至多转一笔。", "一轮里最多转一笔。")),
    _rule("bu-shao-yu", "bounds", r"至少(?=[\d一二两三四五六七八九十])", "不少于", ("回复至少10个字。", "回复不少于10个字。")),
    _rule("zhi-shao", "bounds", "不少于", "至少", ("回复不少于10个字。", "回复至少10个字。")),
]  # fmt: skip

_ORDER = [
    _rule("zhi-qian", "time", r"(?<=[" + _HAN + r"]{2})(?<![以之目面])前(?=先)", "之前", ("用券前先查券码。", "用券之前先查券码。")),
    _rule("qian", "time", r"(?<=[" + _HAN + r"]{2})之前(?=先)", "前", ("用券之前先查券码。", "用券前先查券码。")),
    _rule("zai-qian", "time", r"在([^，。；在]{2,8})(?<![以之])前(?=[，、])", r"在\1之前", ("在回复前，核对身份。", "在回复之前，核对身份。")),
    _rule("zai-zhi-qian", "time", r"在([^，。；在]{2,8})之前(?=[，、])", r"\1前", ("在回复之前，核对身份。", "回复前，核对身份。")),
    _rule("yi-hou", "time", r"(?<=[" + _HAN + r"])之后", "以后", ("作答过之后才用 T。", "作答过以后才用 T。")),
    _rule("zhi-hou", "time", r"(?<=[" + _HAN + r"])以后(?!的日子)", "之后", ("作答过以后才用 T。", "作答过之后才用 T。")),
    _rule("hou", "time", r"(?<=[" + _HAN + r"]{2}[认意定成])后(?=[，再才])", "之后", ("客户确认后才用 T。", "客户确认之后才用 T。")),
    _rule("ran-hou", "time", r"(?<=先)(?P<first>[^。；]{2,}?)，再(?=[" + _HAN + r" ])", r"\g<first>，然后再", ("先核对身份，再办私人业务。", "先核对身份，然后再办私人业务。"), unless="然后"),
    _rule("shi-hou", "time", r"(?<=[" + _HAN + r"]{3})(?<![同及小按平随届此当准临])时，", "的时候，", ("观众明确要留货时，用 T。", "观众明确要留货的时候，用 T。")),
    _rule("shi", "time", r"(?<=[" + _HAN + r"]{2})的时候，", "时，", ("观众要留货的时候，用 T。", "观众要留货时，用 T。")),
    _rule("ruo", "condition", _HEAD + "如果(?=[" + _HAN + "])", "若", ("如果查不到，就直说。", "若查不到，就直说。")),
    _rule("yao-shi", "condition", _HEAD + "如果(?=[" + _HAN + "])", "要是", ("如果查不到，就直说。", "要是查不到，就直说。"), roles=ASKING),
    _rule("ru-guo", "condition", _HEAD + "(?:若|要是)(?=[" + _HAN + "])(?!干|是|非)", "如果", ("若查不到，就直说。", "如果查不到，就直说。")),
]  # fmt: skip

_WORDS = [
    _rule("cha-xun", "look-up", r"^查(?=[一课这还现][" + _HAN + r"])", "查询", ("查一个账户的余额。", "查询一个账户的余额。"), roles=("description",), unless="^查询"),
    _rule("cha", "look-up", r"^查询(?=[" + _HAN + r"])", "查", ("查询一个链接现在的价格。", "查一个链接现在的价格。"), roles=("description",)),
    _rule("diao-yong", "use", r"(?<![使调要])用 ?(?=[" + TOOL + r"])", "调用 ", ("先用 T 查券。", "先调用 T 查券。"), again=True),
    _rule("wen-jiu", "use", _HEAD + r"问([" + _HAN + r"]{2,4})用 ?(?=[" + TOOL + r"])", r"问\1就用 ", ("问余额用 T，问明细用 T。", "问余额就用 T，问明细就用 T。"), again=True),
    _rule("other-question-first", "swap", r"^(问[^，；。]+?)，(问[^，；。]+?)(?=。?$)", r"\2，\1", ("问余额用 T，问明细用 S。", "问明细用 S，问余额用 T。")),
    _rule("other-tool-first", "swap", rf"([{TOOL}]) 或 ([{TOOL}])", r"\2 或 \1", ("价格只说 T 或 T 返回的数。", "价格只说 T 或 T 返回的数。")),
    _rule("other-case-first", "swap", r"^([" + _HAN + r"]{2,6})、([" + _HAN + r"]{2,6})、([" + _HAN + r"]{2,6})(?=。?$)", r"\1、\3、\2", ("打招呼、夸奖、闲聊。", "打招呼、闲聊、夸奖。"), roles=("when",)),
    _rule("thanks-first", "swap", r"^([" + _HAN + r"]{2,6})、([" + _HAN + r"]{2,6})(?=。?$)", r"\2、\1", ("问候、道谢。", "道谢、问候。"), roles=("when",)),
    _rule("nothing-at-all", "negation", r"不([查办做提])任何([" + _HAN + r"]{2})(?=。?$)", r"任何\2都不\1", ("不办任何业务。", "任何业务都不办。")),
    _rule("gao-su", "tell", rf"说给({_WHO})听", r"告诉\1", ("把时间说给学员听。", "把时间告诉学员。")),
    _rule("biao-shi", "wish", rf"({_WHO})明确要(?=[" + _HAN + "])", r"\1明确表示要", ("观众明确要留货时，用 T。", "观众明确表示要留货时，用 T。")),
    _rule("tian-ru", "fill", "填进", "填入", ("原因填进 O。", "原因填入 O。")),
    _rule("rang", "ask-to", rf"(?<=[：，])请({_WHO})(?=[" + _HAN + "])", r"让\1", ("学员还没作答：请学员试一次。", "学员还没作答：让学员试一次。"), roles=ASKING),
    _rule("yong-yi-ju", "brevity", "^一句话(?=回[答复]|说)", "用一句话", ("一句话回答。", "用一句话回答。"), roles=ASKING),
    _rule("shi-yong", "use", r"(?<![使调要])用 ?(?=[" + SKILL + r"])", "使用 ", ("先用 S。", "先使用 S。")),
    _rule("yong", "use", r"(?:调用|使用) ?(?=[" + TOOL + SKILL + r"])", "用 ", ("先调用 T 查券。", "先用 T 查券。")),
    _rule("jin", "only", r"只(?=查询|支持|返回|显示|限|看)(?!看着)", "仅", ("只查询一个链接的材质。", "仅查询一个链接的材质。"), roles=("description",)),
    _rule("huo", "or", "，或者", "，或", ("观众要留货，或者问几天能到。", "观众要留货，或问几天能到。")),
    _rule("huo-zhe", "or", "，或(?![者是许])", "，或者", ("观众要留货，或问几天能到。", "观众要留货，或者问几天能到。")),
    _rule("xun-wen", "ask", rf"({_WHO})问(?![题清好候道])", r"\1询问", ("客户问余额、明细。", "客户询问余额、明细。"), roles=("when",)),
    _rule("xiang-yao", "want", rf"({_WHO})想(?=[找绕改看听学买办换退])", r"\1想要", ("学员想找老师答疑。", "学员想要找老师答疑。")),
    _rule("xiang", "want", rf"({_WHO})要(?=[留转办换退买][" + _HAN + r"])", r"\1想", ("观众要留货。", "观众想留货。"), roles=("when",)),
    _rule("qing-chu", "clear", "([说问])清(?!楚)", r"\1清楚", ("问清是哪张卡。", "问清楚是哪张卡。")),
    _rule("dang-qian", "now", "现在的", "当前的", ("查现在的汇率。", "查当前的汇率。")),
    _rule("mu-qian", "now", "现在的", "目前的", ("查现在的汇率。", "查目前的汇率。")),
    _rule("duo-shao", "how-many", "(要|还剩|得了|问|延)几(?=天|件|分|次)", r"\1多少", ("查寄到一个城市要几天。", "查寄到一个城市要多少天。")),
    _rule("he-shi", "when", "什么时候", "何时", ("查练习什么时候截止。", "查练习何时截止。"), roles=("description",)),
    _rule("qu-zi", "from", rf"来自 ?(?={_ANY})", "取自 ", ("券码，来自 T。", "券码，取自 T。")),
    _rule("an", "as", "照(?=查到|返回|原样|工具)", "按", ("金额照查到的说。", "金额按查到的说。")),
    _rule("yuan-yin", "why", "^为什么([" + _HAN + r"]{2,4})(?=[。]?$)(?<!要[" + _HAN + "])", r"\1的原因", ("为什么冻结。", "冻结的原因。"), roles=("description",)),
    _rule("na-zhong", "which", "什么语言", "哪种语言", ("客户用什么语言，就用什么语言回答。", "客户用哪种语言，就用哪种语言回答。"), again=True),
    _rule("dou-yi", "opening", r"(每[次条句](?:回复|回答))以(?=“)", r"\1都以", ("每次回复以“O”开头。", "每次回复都以“O”开头。")),
    _rule("yong-kai-tou", "opening", r"(每[次条句](?:回复|回答)都?)以(?=“[^”]*”开头)", r"\1用", ("每次回复以“O”开头。", "每次回复用“O”开头。")),
    _rule("dan-ren", "persona", "^你是([^，。；]{1,12}的)(主播|客服|助教|助手|老师|顾问)", r"你担任\1\2", ("你是银行的客服，准确、礼貌。", "你担任银行的客服，准确、礼貌。"), roles=("section",)),
]  # fmt: skip

_PUNCTUATION = [
    _rule("stop", "punctuation", r"^([^；：]{4,})；([^；：]{4,})$", r"\1。\2", ("不替观众做主；不催观众下单。", "不替观众做主。不催观众下单。"), roles=ASKING),
]  # fmt: skip

RULES: tuple[Rule, ...] = (*_FORBIDDING, *_DEMANDING, *_BOUNDS, *_ORDER, *_WORDS, *_PUNCTUATION)
