"""Mistakes of many kinds, planted into a harness of many small declarations."""

import random
from typing import NamedTuple

HEAD = '''harness planted "1.0.0"

input room: string

tool known(x: int) -> int {
  """Known."""
}

prompt system {
  section p """{{ room }}"""
}
'''
SOUND = (
    "type N { a: int }",
    "type N = int[1..3]",
    'tool N(x: int, y?: string) -> any {\n  """Do it."""\n  effect write\n}',
    'reply skill N {\n  when """Now."""\n  uses known\n  do ordered {\n    """One."""\n  }\n}',
    'hook N on before_reply {\n  if chars(reply) > 3\n  deny """No."""\n}',
    'test "N" {\n  user "u"\n  expect call known(x: 1)\n}',
    "limits {\n  turns_N 3 in 1..9\n}",
    "# a remark about N",
)


class Mistake(NamedTuple):
    """`text` has one mistake, between the marks « and ». Each capital N becomes a name of its own."""

    code: str
    text: str


MISTAKES = tuple(
    Mistake(*pair)
    for pair in (
        ("HD101", "type N { a «int» }"),
        ("HD101", 'tool N(x «int») -> any {\n  """Do it."""\n}'),
        ("HD101", 'tool N(x: int) -> any {\n  """Do it."""\n  «efect» read\n}'),
        ("HD101", 'reply skill N {\n  when """Now."""\n  do «sorted» {\n  }\n}'),
        ("HD101", 'hook N on before_reply {\n  if reply «matchs» "x"\n  deny """No."""\n}'),
        ("HD101", "«nonsense» N here"),
        ("HD101", 'test "N" {\n  user "u"\n  «expct» call known\n}'),
        ("HD102", 'type N {\n  a: «"»x\n}'),
        ("HD103", "type N «{»\n  a: int\n"),
        ("HD103", "tool N«(»x: int\n"),
        ("HD103", 'reply skill N «{»\n  when """Now."""\n'),
        ("HD103", "limits «{»\n  turns_N 3\n"),
        ("HD104", 'tool N(x: int) -> any {\n  «"""»Do it.\n}'),
        ("HD105", "type N { a: int«；»}"),
        ("HD106", 'type N { a: int "a «\\q» b" }'),
        ("HD109", 'tool N(x: int) -> any {\n  """Do it."""\n  effect read\n  «effect write»\n}'),
        ("HD110", "hook «N» on before_reply {\n  if chars(reply) > 3\n}"),
        ("HD110", "reply skill «N» {\n  uses known\n}"),
        ("HD114", 'hook N on «before_replay» {\n  if called(known)\n  deny """No."""\n}'),
        ("HD114", 'tool N(x: int) -> any {\n  """Do it."""\n  effect «reed»\n}'),
        ("HD115", 'tool N(x: int) -> any {\n  """Do it."""\n  timeout «2days»\n}'),
        ("HD115", 'hook N on before_reply {\n  if chars(reply) > 3\n  retry """No.""" max «0»\n}'),
        ("HD201", "type N { a: int «a»: int }"),
        ("HD202", 'reply skill N {\n  when """Now."""\n  uses «unknown_N»\n}'),
        ("HD202", 'test "N" {\n  user "u"\n  expect call known(«y»: 1)\n}'),
        ("HD204", 'reply skill N {\n  when """Now."""\n  do ordered {\n    «first» """One."""\n  }\n}'),
        ("HD208", "moved «tool.known» -> tool.known"),
        ("HD301", "type N { a: «itn» }"),
        ("HD302", "type N { a: int(«mix»: 1) }"),
        ("HD302", "type N = map<«string», int>"),
        ("HD302", "type N = int[«3..1»]"),
        ("HD303", 'tool N(x: int = «"a"») -> any {\n  """Do it."""\n}'),
        ("HD304", "type «N» { a: N }"),
        ("HD305", 'hook N on before_reply {\n  if «chars(reply)»\n  deny """No."""\n}'),
        ("HD307", 'type N = "x" | «"x"»'),
        ("HD308", "limits {\n  turns_N «3» in 5..9\n}"),
        ("HD309", 'type N { a: string(pattern: «r"("») }'),
        ("HD401", 'tool N(x: int) -> any {\n  """Do «{{» it."""\n}'),
        ("HD402", 'tool N(x: int) -> any {\n  """Do {{ room «room» }} it."""\n}'),
        ("HD403", 'tool N(x: int) -> any {\n  """Do {{ «unknown_N» }} it."""\n}'),
        ("HD404", 'tool N(x: int) -> any {\n  """Do {% «endif» %} it."""\n}'),
        ("HD405", 'tool N(x: int) -> any {\n  """Do {{ tool.«unknown_N» }} it."""\n}'),
        ("HD407", 'tool N(x: int) -> any {\n  """Do {{ room | «uper» }} it."""\n}'),
        ("HD409", 'tool N(x: int) -> any {\n  «""""""»\n}'),
        ("HD501", 'hook N on before_reply {\n  if reply matches «r"(a+)+$"»\n  deny """No."""\n}'),
        ("HD502", "tool «N»(x: int) -> any {\n  effect read\n}"),
        ("HD503", 'hook N on before_turn {\n  if chars(«reply») > 3\n  deny """No."""\n}'),
        ("HD506", 'tool N(x: int) -> any {\n  """Do it."""\n  impl python «"tools"»\n}'),
        ("HD803", 'test «"N"» {\n  user "u"\n}'),
    )
)


class Planted(NamedTuple):
    """`mistakes`: code and offset of each, in the order of the text."""

    text: str
    mistakes: list[tuple[str, int]]


def planted(rng: random.Random, count: int) -> Planted:
    """A harness with `count` independent mistakes, each in a declaration of its own and followed by a sound
    one: of two halves side by side nobody can tell where the first ends.
    """
    chosen: list[Mistake | str] = []
    for mistake in rng.sample(MISTAKES, count):
        chosen += [mistake, rng.choice(SOUND[:-1]), *rng.choices(SOUND, k=rng.randrange(2))]
    text, mistakes = HEAD, []
    for number, unit in enumerate(chosen):
        own = unit if isinstance(unit, str) else unit.text
        own = own.replace("N", f"name{number}")
        if not isinstance(unit, str):
            mistakes.append((unit.code, len(text) + 1 + own.index("«")))
        text += "\n" + own.replace("«", "").replace("»", "") + "\n"
    return Planted(text, mistakes)
