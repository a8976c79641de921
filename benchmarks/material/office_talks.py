"""Conversations of the office desk, each about other places, with other facts, in one of two orders."""

from random import Random
from typing import Any

from harness_dsl.ir.canonical import core_digest
from harness_dsl.ir.core import Core
from harness_dsl.ir.transcript import (
    Call,
    Event,
    Generated,
    LoadSkill,
    Mention,
    ReplyText,
    Result,
    SkillShown,
    Think,
    Transcript,
    User,
)

_WEATHER, _DISTANCE, _SKILL = (
    "tool/get_current_weather",
    "tool/geo_distance_calculate",
    "skill/weather_report",
)
_CITIES = (
    "Oslo",
    "Bergen",
    "Turku",
    "Malmö",
    "Aarhus",
    "Gdynia",
    "Kaunas",
    "Riga",
    "Narva",
    "Visby",
    "Bodø",
    "Umeå",
    "Lübeck",
    "Brno",
    "Graz",
    "Pécs",
    "Linz",
    "Ghent",
)
_DESKS = ("North Pier", "South Gate", "Mill Yard", "Old Customs House")
_SKIES = ("clear", "cloudy", "rain", "snow")
_UNITS = {"kilometers": "km", "miles": "mi"}


def conversations(core: Core, count: int) -> tuple[Transcript, ...]:
    """`count` different conversations of ten events: a skill, two calls, names in thinking and in replies."""
    found: dict[str, Transcript] = {}
    seed = 0
    while len(found) < count:
        talk = _conversation(core, Random(seed))
        found[talk.model_dump_json()] = talk
        seed += 1
    return tuple(found.values())


def _conversation(core: Core, rng: Random) -> Transcript:
    place, start = rng.sample(_CITIES, 2)
    weather, sky = _weather(place, rng)
    distance, far = _distance(start, place, rng)
    first, then = rng.sample([weather, distance], 2)
    question = f"What is the weather like in {place}, and how far is it from {start}?"
    return Transcript(
        core_digest=core_digest(core),
        inputs={"office": {"name": rng.choice(_DESKS)}, "message": question},
        events=(
            User(text=question),
            Generated(events=(_thought("First ", _SKILL, ", then the rest."), LoadSkill(skill=_SKILL))),
            SkillShown(skill=_SKILL),
            Generated(events=(first[0],)),
            first[1],
            Generated(events=(_thought("The rest is for ", then[0].tool, "."), then[0])),
            then[1],
            Generated(events=(ReplyText(text=(f"Sure: {sky}, {far} away.",)),)),
            User(text=rng.choice(("How do you know?", "Says who?", f"Is that {place} of today?"))),
            Generated(
                events=(ReplyText(text=("Sure: ", Mention(symbol=_WEATHER), " says so, as of this minute.")),)
            ),
        ),
    )


def _thought(before: str, symbol: str, after: str) -> Event:
    return Think(text=(before, Mention(symbol=symbol), after))


def _weather(place: str, rng: Random) -> tuple[tuple[Call, Result], str]:
    """A call with its result, and the result in words."""
    asked: dict[str, Any] = {"location": place}
    asked |= {name: True for name in ("include_temperature", "include_humidity") if rng.random() < 0.5}
    degrees, sky = rng.randint(-150, 300) / 10, rng.choice(_SKIES)
    value = {"temperature": degrees, "humidity": rng.randint(20, 99), "sky": sky}
    return (
        Call(tool=_WEATHER, arguments=asked),
        Result(tool=_WEATHER, value=value),
    ), f"{degrees} °C and {sky}"


def _distance(start: str, end: str, rng: Random) -> tuple[tuple[Call, Result], str]:
    """A call with its result, and the result in words."""
    units = rng.choice([*_UNITS])
    asked = {"start_location": start, "end_location": end, "units": units}
    far = rng.randint(100, 20_000) / 10
    value = {"value": far, "unit": _UNITS[units]}
    said = f"{far} {_UNITS[units]}"
    return (Call(tool=_DISTANCE, arguments=asked), Result(tool=_DISTANCE, value=value)), said
