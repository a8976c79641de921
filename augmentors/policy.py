"""Which operators a dataset draws from, how often and how strongly: a small YAML file.

original: 0.1            # share of rows that keep the original
operators:
  rename: {probability: 0.8, pool: train, swap: 0.1}
  reorder: {probability: 0.5}
banks: [shop.wordings.yaml]   # reviewed wordings, from the folder of this file
"""

import difflib
import json
import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator
from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from augmentors.banks import Pool
from augmentors.base import Operator, Parameters
from augmentors.policy_words import first_mistake
from augmentors.registry import OPERATORS
from augmentors.yaml_places import place, shown
from harness_dsl.diagnostics.system import reason


class PolicyError(Exception):
    """A policy cannot be used; the message is one line. Where the policy is a file, it begins with the place,
    and `excerpt` is the line there with a mark under it. `at`: the keys that lead to what is wrong.
    """

    def __init__(self, message: str, at: tuple[str | int, ...] = (), excerpt: str = "") -> None:
        super().__init__(message)
        self.at = at
        self.excerpt = excerpt


class Choice(BaseModel):
    """An operator, how likely a row applies it, and its parameters."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    operator: str
    probability: float = Field(ge=0, le=1)
    parameters: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known(self) -> "Choice":
        if self.operator not in OPERATORS:
            raise ValueError(f"unknown operator `{self.operator}`{suggest(self.operator, OPERATORS)}")
        OPERATORS[self.operator].parameters_model.model_validate(self.parameters)
        return self

    @cached_property
    def instance(self) -> Operator:
        """The operator with its parameters."""
        operator = OPERATORS[self.operator]
        return operator(operator.parameters_model.model_validate(self.parameters))


class Policy(BaseModel):
    """original   share of rows that keep the original Surface
    operators  in registry order, however they were written
    banks      files of wordings that `wordings` and `language` draw from, beside the declared ones
    include_proposed  whether wordings are drawn that nobody has accepted yet
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    original: float = Field(default=0.0, ge=0, le=1)
    operators: tuple[Choice, ...] = ()
    banks: tuple[str, ...] = ()
    include_proposed: bool = False

    @model_validator(mode="after")
    def _ordered(self) -> "Policy":
        names = [choice.operator for choice in self.operators]
        if len(set(names)) != len(names):
            raise ValueError("an operator stands twice")
        order = list(OPERATORS)
        if names != sorted(names, key=order.index):
            raise ValueError("operators must stand in the order of the registry")
        return self

    @classmethod
    def of(cls, operators: dict[str, dict[str, Any]], original: float = 0.0) -> "Policy":
        """From the form of the YAML file: per operator its `probability` (default 1) and parameters.

        Raises `PolicyError` with a one-line message.
        """
        for name, settings in operators.items():
            _check_operator(name, settings)
        order = list(OPERATORS)
        choices = [
            Choice(
                operator=name,
                probability=settings.get("probability", 1.0),
                parameters=_parameters(settings),
            )
            for name, settings in sorted(operators.items(), key=lambda item: order.index(item[0]))
        ]
        try:
            return cls(original=original, operators=tuple(choices))
        except ValidationError as error:
            raise PolicyError(first_mistake(error), error.errors()[0]["loc"]) from None

    @classmethod
    def default(cls, pool: Pool = "train") -> "Policy":
        """The operators that were there when rows were first recorded, so that a seed keeps its rows, but
        `limits`, which change what the right answer is. What has a pool takes `pool`.
        """
        return cls.of(
            {
                "rename": {"probability": 0.8, "pool": pool, "swap": 0.1},
                "wordings": {"probability": 0.5, "share": 0.6},
                "hide": {"probability": 0.3},
                "distractors": {"probability": 0.5, "pool": pool},
                "reorder": {"probability": 0.7},
                "markup": {"probability": 0.4},
                "tool-docs": {"probability": 0.4},
            },
            original=0.05,
        )

    @classmethod
    def load(cls, path: Path) -> "Policy":
        """The policy in the YAML file at `path`. Raises `PolicyError` with a one-line message."""
        try:
            data = YAML(typ="safe").load(path.read_text("utf-8"))
        except OSError as error:
            raise PolicyError(f"{path}: {reason(error)}") from None
        except UnicodeDecodeError:
            raise PolicyError(f"{path}: not UTF-8") from None
        except MarkedYAMLError as error:
            mark = error.problem_mark
            where = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
            raise PolicyError(f"{path}{where}: {_problem(error)}") from None
        except YAMLError as error:
            raise PolicyError(f"{path}: {str(error).splitlines()[0]}") from None
        try:
            return _from_data(data, path.parent)
        except PolicyError as error:
            raise placed(path, error) from None

    def with_pool(self, pool: Pool) -> "Policy":
        """This policy with every operator that has a pool drawing from `pool`, and from nothing else."""
        return self.model_copy(update={"operators": tuple(_in_pool(one, pool) for one in self.operators)})

    def with_parameters(self, operator: str, parameters: dict[str, Any]) -> "Policy":
        """This policy with these parameters of `operator`, whatever it says of them."""
        return self.model_copy(
            update={
                "operators": tuple(
                    Choice(
                        operator=one.operator,
                        probability=one.probability,
                        parameters={**one.parameters, **parameters},
                    )
                    if one.operator == operator
                    else one
                    for one in self.operators
                )
            }
        )


def _problem(error: MarkedYAMLError) -> str:
    """What is wrong with the YAML, in one line."""
    problem = " ".join(str(error.problem).split())
    if isinstance(error, DuplicateKeyError):
        return re.sub(r'^found duplicate key "(.*?)" with value .*$', r"the key `\1` stands twice", problem)
    return problem


def _in_pool(choice: Choice, pool: Pool) -> Choice:
    """`choice` drawing from `pool`; words and values of its own would be of neither pool."""
    if "pool" not in OPERATORS[choice.operator].parameters_model.model_fields:
        return choice
    kept = {key: value for key, value in choice.parameters.items() if key not in ("words", "only")}
    return Choice(operator=choice.operator, probability=choice.probability, parameters={**kept, "pool": pool})


def placed(path: Path, error: PolicyError) -> PolicyError:
    """`error` with its place in the file."""
    span = place(path, error.at)
    if span is None or not error.at:
        return PolicyError(f"{path}: {error}")
    where, excerpt = shown(span, path.read_text("utf-8"))
    return PolicyError(f"{path}{where}: {error}", error.at, excerpt)


def _from_data(data: Any, folder: Path) -> Policy:
    if not isinstance(data, dict):
        raise PolicyError("a policy is a mapping with the keys `original` and `operators`")
    for key in data:
        if key not in Policy.model_fields:
            raise PolicyError(f"unknown key `{key}`{suggest(str(key), Policy.model_fields)}", (str(key),))
    operators = data.get("operators") or {}
    if not isinstance(operators, dict):
        raise PolicyError("`operators` must be a mapping from operator to settings", ("operators",))
    original = data.get("original", 0.0)
    if isinstance(original, bool) or not isinstance(original, int | float):
        raise PolicyError("`original` must be a number from 0 to 1", ("original",))
    banks, proposed = data.get("banks") or [], data.get("include_proposed", False)
    if not isinstance(banks, list) or not all(isinstance(one, str) and one for one in banks):
        raise PolicyError("`banks` must be a list of files", ("banks",))
    if not isinstance(proposed, bool):
        raise PolicyError("`include_proposed` must be true or false", ("include_proposed",))
    policy = Policy.of({str(name): settings or {} for name, settings in operators.items()}, original)
    there = tuple(str(folder / one) for one in banks)
    return policy.model_copy(update={"banks": there, "include_proposed": proposed})


def _check_operator(name: str, settings: Any) -> None:
    at = ("operators", name)
    if name not in OPERATORS:
        raise PolicyError(f"unknown operator `{name}`{suggest(name, OPERATORS)}", at)
    if not isinstance(settings, dict):
        raise PolicyError(f"`{name}` must be a mapping of settings", at)
    model = _settings_model(name)
    for key in settings:
        if key not in model.model_fields:
            said = f"unknown key `{key}` of `{name}`{suggest(str(key), model.model_fields)}"
            raise PolicyError(said, (*at, str(key)))
    try:
        # As JSON, strictly: lists are tuples there, while `true` and `"0.5"` are no numbers.
        model.model_validate_json(json.dumps(settings, default=_plain), strict=True)
        OPERATORS[name].parameters_model.model_validate(_parameters(settings))
    except ValidationError as error:
        raise PolicyError(f"`{name}`: {first_mistake(error)}", (*at, *error.errors()[0]["loc"])) from None
    except TypeError:
        raise PolicyError(f"`{name}`: a setting is no number, text, list or mapping", at) from None


def _parameters(settings: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key != "probability"}


def _plain(value: Any) -> Any:
    """For JSON. Raises `TypeError` for what a policy cannot say."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(type(value).__name__)


def _settings_model(name: str) -> type[Parameters]:
    return create_model(
        "Settings",
        __base__=OPERATORS[name].parameters_model,
        probability=(float, Field(default=1.0, ge=0, le=1)),
    )


def suggest(word: str, known: Iterable[str]) -> str:
    """What to say of `word` after that it is unknown: what was meant, or what is known."""
    close = difflib.get_close_matches(word, list(known), 1)
    return f", did you mean `{close[0]}`?" if close else f"; known are {', '.join(f'`{k}`' for k in known)}"
