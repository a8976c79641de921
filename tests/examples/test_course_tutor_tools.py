"""The course tutor's tools: what they read, what they change, and sums of points and days."""

import copy
from typing import Any

import pytest

from runtime.tools import ToolFailure
from tests.examples.bench import Json, Toolbench, world

TOOL = Toolbench("course_tutor")


@pytest.fixture
def course() -> Json:
    return world("course_tutor", "courses/statistics.yaml")


def attempt(course: Json, exercise: str) -> Json:
    found: Json = course["learner"]["attempts"][exercise]
    return found


def test_reading_changes_nothing(course: Json) -> None:
    before = copy.deepcopy(course)
    assert [part["part"] for part in TOOL["get_outline"](course=course)] == ["1", "2"]
    (lesson,) = TOOL["get_outline"]("2.2", course=course)
    assert (lesson["title"], lesson["parts"]) == ("条件概率", [])
    assert TOOL["get_lesson"]("1.1", course=course)["video"] == "https://video.example/stat/1-1"
    assert "video" not in TOOL["get_lesson"]("1.2", course=course)
    assert TOOL["get_exercise"]("E3", course=course)["unit"] == "平方单位"
    assert TOOL["get_deadline"]("E1", course=course) == {
        "due": "2026-03-15T23:59:00+08:00",
        "days_left": 3,
        "late_penalty": 1,
        "state": "open",
    }
    assert course == before


def test_a_question_shows_no_answer(course: Json) -> None:
    for exercise, entry in course["exercises"].items():
        shown = TOOL["get_exercise"](exercise, course=course)
        assert shown.keys() <= {"form", "text", "options", "unit", "min_words"}
        assert str(entry["answer"]) not in shown.get("text", "")


@pytest.mark.parametrize(
    ("exercise", "answer", "right"),
    [
        ("E2", 7.5, True),
        ("E2", " 7.50 ", True),
        ("E2", "seven", False),
        ("E2", 75, False),
        ("E1", " c", True),
        ("E1", "A", False),
        ("E1", 3, False),
    ],
)
def test_answers_are_compared_by_what_they_mean(
    exercise: str, answer: Any, right: bool, course: Json
) -> None:
    assert TOOL["grade_answer"](exercise, answer, course=course)["correct"] is right
    assert attempt(course, exercise)["solved"] is right
    assert course["learner"]["attempted"] == [exercise]


def test_attempts_are_counted_and_points_kept(course: Json) -> None:
    given = [TOOL["grade_answer"]("E1", answer, course=course) for answer in ("B", "C", "B")]
    assert [grade["attempts_left"] for grade in given] == [2, 1, 0]
    assert [grade["points"] for grade in given] == [0, 5, 5]
    assert attempt(course, "E1") == {"tries": 3, "hints": 0, "solved": True, "points": 5}


@pytest.mark.parametrize(("now", "points"), [("2026-03-15T23:59:00", 5), ("2026-03-16T00:00:00", 4)])
@pytest.mark.parametrize("later", [0, 9])
def test_each_late_day_costs_its_penalty(now: str, points: int, later: int, course: Json) -> None:
    course["now"] = f"{now}+08:00"
    course["exercises"]["E1"]["late_penalty"] = 1 + later
    late = points != 5
    expected = max(0, points - later) if late else 5
    assert TOOL["grade_answer"]("E1", "C", course=course)["points"] == expected


def test_a_deadline_is_open_then_late_or_closed(course: Json) -> None:
    def state(exercise: str) -> str:
        found: str = TOOL["get_deadline"](exercise, course=course)["state"]
        return found

    assert [state(exercise) for exercise in ("E1", "E2", "E3")] == ["open", "open", "closed"]
    course["now"] = "2026-03-16T08:00:00+08:00"
    assert [state(exercise) for exercise in ("E1", "E2", "E3")] == ["late", "open", "closed"]
    assert TOOL["get_deadline"]("E1", course=course)["days_left"] == -1


def test_hints_come_one_by_one(course: Json) -> None:
    assert TOOL["get_hint"]("E1", course=course) == {"text": "想想一个特别大的数会把谁拉高。", "left": 1}
    assert TOOL["get_hint"]("E1", course=course) == {"text": "中位数只看位置，不看大小。", "left": 0}
    with pytest.raises(ToolFailure, match="no_hint"):
        TOOL["get_hint"]("E1", course=course)
    assert attempt(course, "E1")["hints"] == 2
    assert course["learner"]["attempted"] == [], "a hint is no attempt"


def test_a_wrong_answer_opens_the_solution(course: Json) -> None:
    with pytest.raises(ToolFailure, match="not_attempted"):
        TOOL["get_solution"]("E2", course=course)
    TOOL["grade_answer"]("E2", 1, course=course)
    assert TOOL["get_solution"]("E2", course=course)["answer"] == 7.5


def test_progress_follows_what_was_solved(course: Json) -> None:
    assert TOOL["get_progress"](course=course) == {"done": 0, "total": 3, "percent": 0, "points": 0}
    TOOL["grade_answer"]("E1", "C", course=course)
    TOOL["grade_answer"]("E2", 7.5, course=course)
    course["learner"]["streak_days"] = 4
    assert TOOL["get_progress"](course=course) == {
        "done": 2,
        "total": 3,
        "percent": 66.7,
        "points": 15,
        "streak_days": 4,
    }


def test_an_extension_moves_the_deadline_of_this_learner(course: Json) -> None:
    moved = TOOL["request_extension"]("E2", "illness", 3, course=course)
    assert (moved["due"], moved["days_left"]) == ("2026-03-23T23:59:00+08:00", 11)
    assert TOOL["get_deadline"]("E2", course=course) == moved
    assert TOOL["request_extension"]("E1", "work", course=course)["days_left"] == 5, "two days by default"


def test_two_reminders_for_one_time_are_one(course: Json) -> None:
    at = "2026-03-13T20:00:00+08:00"
    assert TOOL["set_reminder"]("E2", at, course=course) == {"exercise": "E2", "at": at}
    TOOL["set_reminder"]("E2", at, course=course)
    assert course["learner"]["reminders"] == [{"exercise": "E2", "at": at}]


def test_times_are_those_still_to_come_in_order(course: Json) -> None:
    def slots(**asked: Any) -> list[str]:
        return [slot["slot"] for slot in TOOL["list_slots"](**asked, course=course)]

    assert slots() == ["S7", "S9", "S8"]
    assert slots(on="2026-03-14") == ["S7", "S9"]
    assert slots(on=None, language="en") == ["S9"]
    assert slots(on="2026-05-01") == []
    course["now"] = "2026-03-14T16:00:00+08:00"
    assert slots() == ["S9", "S8"]


def test_a_booking_takes_the_time_and_a_credit(course: Json) -> None:
    booked = TOOL["book_consultation"]("S7", "方差", course=course)
    assert booked == {
        "booking": "B7",
        "teacher": "林老师",
        "at": "2026-03-14T15:00:00+08:00",
        "credits_left": 1,
    }
    assert course["learner"]["bookings"] == [booked]
    assert "S7" not in [slot["slot"] for slot in course["slots"]]
