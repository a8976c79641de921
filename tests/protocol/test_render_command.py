"""`harnessc render`: exactly what the model sees, and one sentence for each mistake."""

import json
from pathlib import Path

import pytest

from augmentors.policy import Policy
from augmentors.rows import Recipe, make
from harness_dsl.cli.main import main
from harness_dsl.ir.core import Core
from harness_dsl.ir.surface import Surface
from harness_dsl.protocol import Protocol
from harness_dsl.syntax.artefact import dump_ir
from harness_dsl.syntax.opening import open_harness
from tests.protocol.tokenizers_made_here import all_tokenizers
from tests.strategies import small_shop
from tests.strategies.shop import ROOM

CORE, SURFACE = small_shop()
TOKENIZER = all_tokenizers()["byte_level"]


def compiled(folder: Path, name: str = "shop.json", core: Core = CORE, surface: Surface = SURFACE) -> str:
    path = folder / name
    path.write_bytes(dump_ir(core, surface, "sha256:0"))
    return str(path)


def render(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["render", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.fixture
def tokenizer_folder(tmp_path: Path) -> str:
    TOKENIZER._trusted.save(str(tmp_path / "tokenizer.json"))
    return str(tmp_path)


def test_it_prints_the_prompt_byte_for_byte(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = render(capsys, compiled(tmp_path))
    text = Protocol(CORE, SURFACE, TOKENIZER).render({"room": ROOM}).text
    assert (status, out) == (0, text)
    assert f"{len(text)} characters, {len(text.encode())} bytes" in err


def test_inputs_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = tmp_path / "inputs.yaml"
    inputs.write_text("room: {shop_name: 另一家, products: [], delivery: {}}\n", "utf-8")
    status, out, _ = render(capsys, compiled(tmp_path), "--inputs", str(inputs))
    assert status == 0 and "You are the host of 另一家." in out


def test_half_a_character_in_an_input_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = tmp_path / "inputs.yaml"
    inputs.write_text('room: {shop_name: "a\\ud800b", products: [], delivery: {}}\n', "utf-8")
    for form in ("text", "json"):
        status, out, err = render(capsys, compiled(tmp_path), "--inputs", str(inputs), "--format", form)
        assert (status, out) == (2, "") and "half of a surrogate pair" in err


def test_tokens_are_counted(
    tmp_path: Path, tokenizer_folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = render(capsys, compiled(tmp_path), "--tokenizer", tokenizer_folder, "--format", "json")
    data = json.loads(out)
    tokens = Protocol(CORE, SURFACE, TOKENIZER).open({"room": ROOM})
    assert status == 0 and data["tokens"]["total"] == len(tokens.ids)
    assert sum(data["tokens"]["by_source"].values()) == len(tokens.ids)
    assert "".join(data["text"][span["start"] : span["end"]] for span in data["spans"]) == data["text"]
    _, _, err = render(capsys, compiled(tmp_path), "--tokenizer", tokenizer_folder)
    assert f"{len(tokens.ids)} tokens" in err


@pytest.mark.parametrize("name", sorted(all_tokenizers()))
def test_any_tokenizer_counts_what_it_will_be_given(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tokenizer = all_tokenizers()[name]
    tokenizer._trusted.save(str(tmp_path / "tokenizer.json"))
    _, out, _ = render(capsys, compiled(tmp_path), "--tokenizer", str(tmp_path), "--format", "json")
    tokens = json.loads(out)["tokens"]
    assert tokens["total"] == len(Protocol(CORE, SURFACE, tokenizer).open({"room": ROOM}).ids)
    assert sum(tokens["by_source"].values()) == tokens["total"]


def test_the_tokenizer_of_a_model_counts_chinese_and_english(
    two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = Path(__file__).parents[2] / "examples" / "tiny_base"
    counts = {}
    for test in ("a 早上", "evening"):
        _, out, _ = render(capsys, str(two), "--test", test, "--tokenizer", str(base), "--format", "json")
        data = json.loads(out)
        counts[test] = data["tokens"]["by_source"]["input/shop"]
        spans = [data["text"][s["start"] : s["end"]] for s in data["spans"] if s["source"] == "input/shop"]
        assert spans == ["茶馆" if test == "a 早上" else "Tea house"] * 2
    assert counts["a 早上"] >= 2 and counts["evening"] >= 2


@pytest.mark.parametrize("content", ["[1]", "{", "{}", '"x"', "[" * 100_000])
def test_a_broken_tokenizer_or_its_settings_are_one_sentence(
    content: str, tmp_path: Path, tokenizer_folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tokenizer_config.json").write_text(content)
    status, _, err = render(capsys, compiled(tmp_path), "--tokenizer", tokenizer_folder)
    assert (status, "not a usable tokenizer_config.json" in err) == (
        (0, False) if content == "{}" else (2, True)
    )
    (tmp_path / "tokenizer_config.json").unlink()
    (tmp_path / "tokenizer.json").write_text(content)
    status, _, err = render(capsys, compiled(tmp_path), "--tokenizer", tokenizer_folder)
    assert status == 2 and "not a usable tokenizer.json" in err and "Traceback" not in err


def test_the_source_map_names_every_piece(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = render(capsys, compiled(tmp_path), "--source-map")
    assert any(line.split()[1:] == ["symbol", "tool/get_quote", '"query_price"'] for line in out.splitlines())


def test_an_edit_shows_the_first_byte_it_invalidates(
    tmp_path: Path, tokenizer_folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    old = compiled(tmp_path)
    new = compiled(tmp_path, "new.json", surface=SURFACE.model_copy(update={"names": {}}))
    arguments = (new, "--against", old, "--tokenizer", tokenizer_folder)
    _, out, _ = render(capsys, *arguments, "--format", "json")
    parted = json.loads(out)["against"]
    before = Protocol(CORE, SURFACE, TOKENIZER).render({"room": ROOM}).text.encode()
    after = json.loads(out)["text"].encode()
    shared = parted["bytes"]
    assert before[:shared] == after[:shared] and before[shared] != after[shared]
    assert parted["source"] == "prompt/system/section/rules"
    _, _, err = render(capsys, *arguments)
    assert f"the first that differs is byte {shared}, token {parted['tokens']}, line {parted['line']}" in err
    _, _, err = render(capsys, old, "--against", old)
    assert "every cached token stays" in err


TWO = """harness two "1.0.0"

type Shop {
  name: string
}

input shop: Shop
input mood: string

prompt system {
  section persona \"\"\"你是{{ shop.name }}的店员，心情{{ mood }}。You work at {{ shop.name }}.\"\"\"
}
"""
TESTS = """
test "a 早上" {
  given shop = {name: "茶馆"}
  given mood = "好"
  user "?"
  expect chars(reply) > 0
}

test "evening" {
  given shop = {name: "Tea house"}
  given mood = "calm"
  user "?"
  expect chars(reply) > 0
}
"""


@pytest.fixture
def two(tmp_path: Path) -> Path:
    (tmp_path / "two.harness").write_text(TWO + TESTS, "utf-8")
    (tmp_path / "shop.yaml").write_text("name: 书店\n", "utf-8")
    return tmp_path / "two.harness"


def test_inputs_come_from_fixtures_and_from_the_test_that_is_named(
    two: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = render(capsys, str(two))
    assert "你是茶馆的店员，心情好。You work at 茶馆." in out
    _, out, _ = render(capsys, str(two), "--test", "evening", "--input", f"shop={two.parent / 'shop.yaml'}")
    assert "你是书店的店员，心情calm。You work at 书店." in out


def test_every_missing_input_is_named(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two.write_text(TWO, "utf-8")
    status, _, err = render(capsys, str(two))
    assert status == 2
    assert (
        "the prompt shows the inputs `mood`, `shop`, which no test gives; give them with --inputs FILE" in err
    )
    status, _, err = render(capsys, str(two), "--input", f"shop={two.parent / 'shop.yaml'}")
    assert status == 2 and "the prompt shows the input `mood`, which no test gives; give it with" in err


def test_other_inputs_part_where_their_values_do(
    two: Path, tokenizer_folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = two.parent / "inputs.yaml"
    inputs.write_text("shop: {name: 茶园}\nmood: 好\n", "utf-8")
    arguments = (str(two), "--against-inputs", str(inputs), "--tokenizer", tokenizer_folder)
    _, out, err = render(capsys, *arguments)
    shared = out[: out.index("馆")]
    assert f"shares {len(shared.encode())} bytes and " in err and "line 3, column 4: input/shop" in err
    assert 'here:  "馆的店员' in err and 'there: "园的店员' in err
    _, out, _ = render(capsys, *arguments, "--format", "json")
    against = json.loads(out)["against"]
    assert (against["symbol"], against["place"]) == ("input/shop", f"{two}:7")
    before, after = (TOKENIZER.encode(text) for text in (shared + "馆", shared + "园"))
    assert (
        against["tokens"] <= len(TOKENIZER.encode(shared))
        and before[: against["tokens"]] == after[: against["tokens"]]
    )


def test_a_variant_is_the_row_that_augment_draws(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened = open_harness(two)
    recipe = Recipe(opened.core, opened.surface, Policy.default(), seed=9)
    digests = [make(recipe, row).certificate.surface_digest for row in range(4)]
    for row in (0, 3):
        arguments = ("--variant", str(row), "--seed", "9", "--format", "json")
        _, out, _ = render(capsys, str(two), *arguments)
        assert json.loads(out)["surface_digest"] == digests[row]
    _, out, _ = render(capsys, str(two), "--variant", "3", "--against-variant", "3", "--format", "json")
    assert json.loads(out)["against"] is None


def test_what_the_protocol_writes_belongs_to_what_it_stands_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = compiled(tmp_path)
    other = {"markdown": "xml", "xml": "plain", "plain": "xml"}[SURFACE.markup]
    new = compiled(tmp_path, "new.json", surface=SURFACE.model_copy(update={"markup": other}))
    _, _, err = render(capsys, new, "--against", old)
    _, out, _ = render(capsys, new, "--against", old, "--format", "json")
    symbol = json.loads(out)["against"]["symbol"]
    assert f"what stands before {symbol}" in err and symbol.startswith("prompt/system/section/")


@pytest.mark.parametrize("name", ["shop.harness", "shop_mini.harness"])
def test_the_examples_render(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    example = Path(__file__).parents[2] / "examples" / "live_shop" / name
    status, out, err = render(capsys, str(example))
    assert status == 0, err
    assert out.startswith("<|im_start|>system\n") and out.endswith("<|im_end|>\n")


def test_a_mistake_in_the_file_is_a_diagnostic(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.harness"
    file.write_text('harness bad "1.0.0"\n\ntool get_quote(link: Nothing) -> int { """x""" }\n', "utf-8")
    status, out, err = render(capsys, str(file))
    assert (status, out) == (1, "")
    assert f"{file}:3:" in err and "HD" in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["nowhere.harness"], 2, "there is no file `nowhere.harness`"),
        (["{bad}"], 1, "is no JSON"),
        (["{shop}", "--inputs", "{bad}"], 2, "is no YAML"),
        (["{shop}", "--inputs", "{list}"], 2, "is no object"),
        (["{shop}", "--inputs", "{wrong}"], 1, "the input `room` does not fit its type"),
        (["{shop}", "--tokenizer", "nowhere"], 2, "no such file or folder"),
        (["{shop}", "--tokenizer", "{list}"], 2, "not a usable tokenizer.json"),
        (["{shop}", "--tokenizer", "{bad}"], 2, "not a usable tokenizer.json"),
        (["{untested}"], 2, "shows the input `room`, which no test gives; give it with --inputs FILE"),
        (["{shop}", "--format", "xml"], 2, "invalid choice"),
        (["{shop}", "--tokenizer", "{empty}"], 2, "has no tokenizer.json; transformers writes one"),
        (["{shop}", "--test", "nope"], 2, "has no test `nope`"),
        (["{shop}", "--input", "room"], 2, "--input takes NAME=FILE, not `room`"),
        (["{shop}", "--input", "rom={wrong}"], 2, "has no input `rom`"),
        (["{shop}", "--input", "room=nowhere.yaml"], 2, "there is no file `nowhere.yaml`"),
        (["{shop}", "--input", "room={list}"], 1, "the input `room` does not fit its type"),
        (["{shop}", "--seed", "1"], 2, "--seed goes with --variant K"),
        (["{shop}", "--variant", "-1"], 2, "must be at least 0"),
        (["{shop}", "--variant", "0", "--policy", "no.yaml"], 2, "there is no file `no.yaml`"),
        (["{shop}", "--variant", "0", "--policy", "{list}"], 1, "a policy is a mapping"),
    ],
)
def test_a_mistake_is_one_sentence(
    arguments: list[str], status: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.json").write_text("{", "utf-8")
    (tmp_path / "list.json").write_text("[1]", "utf-8")
    (tmp_path / "wrong.json").write_text('{"room": {"shop_name": 3}}', "utf-8")
    empty = tmp_path / "empty"
    empty.mkdir()
    paths = {
        "bad": str(tmp_path / "bad.json"),
        "list": str(tmp_path / "list.json"),
        "wrong": str(tmp_path / "wrong.json"),
        "shop": compiled(tmp_path),
        "empty": str(empty),
        "untested": compiled(tmp_path, "untested.json", CORE.model_copy(update={"tests": ()})),
    }
    got, out, err = render(capsys, *(argument.format(**paths) for argument in arguments))
    assert (got, out) == (status, "")
    assert said in err and len(err.strip().splitlines()) == 1
