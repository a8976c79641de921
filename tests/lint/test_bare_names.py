"""HD406 where a script has neither capitals nor spaces between words."""

import pytest

from harness_dsl.lint.examples import whole
from tests.language.helpers import at_fault, check

TOOL = 'tool 查价(商品: int) -> any { """T.""" }\nreply skill カート { when """W.""" uses 查价 }\n'


@pytest.mark.parametrize(
    ("prose", "named"),
    [
        ("报价前先用 查价 这个工具", ["查价"]),
        ("先用 查价。", ["查价"]),
        ("先用\u3000查价，填 商品 再说", ["查价", "商品"]),
        ("まず カート を読む", ["カート"]),
        ("先 `查价` 再说", ["查价"]),
        ("报价前先用查价这个工具", []),
        ("查价，再报价。", []),
        ("- 查价：说出来", []),
        ("通过 API 查价 时", []),
        ("先查价 再报价", []),
        ("先说“查价”二字", []),
        ("先说\n查价 再说", []),
    ],
)
def test_a_name_set_off_by_a_space_is_meant_as_a_name(prose: str, named: list[str]) -> None:
    text = whole(TOOL + f'prompt system {{ section p """{prose}""" }}')
    found = [at_fault(text, one) for one in check(text) if one.code == "HD406"]
    assert found == named


@pytest.mark.parametrize(
    ("name", "prose"),
    [("سعر", "اسأل عن سعر المنتج"), ("가격", "먼저 가격 을 말한다"), ("价", "先说 价 再说")],
)
def test_a_word_of_a_language_with_spaces_and_a_single_character_are_prose(name: str, prose: str) -> None:
    text = whole(f'tool {name}() -> any {{ """T.""" }}\nprompt system {{ section p """{prose}""" }}')
    assert "HD406" not in [one.code for one in check(text)]
