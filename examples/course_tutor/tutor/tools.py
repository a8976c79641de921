"""Tools of a course tutor. Parameters are the declared identifiers; `course` is the harness's input.

A course is JSON of the declared type `Course`: outline, lessons, exercises, slots, and what its one learner
has done. Time stands still at `course["now"]`. The functions that write change `course["learner"]`,
`course["exercises"]` and `course["slots"]` in place.
"""

from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from runtime.tools import ToolFailure

Json = dict[str, Any]


def get_outline(part: str | None = None, *, course: Json) -> list[Json]:
    """The chapters, or the one part that was asked for. Fails with `not_found`."""
    if part is None:
        return list(course["outline"])
    found = _part(course["outline"], part)
    if found is None:
        raise ToolFailure("not_found", f"there is no part {part}")
    return [found]


def get_lesson(part: str, *, course: Json) -> Json:
    """What a lesson is about. Fails with `not_found`, or `not_released` before its day."""
    lesson = course["lessons"].get(part)
    if lesson is None:
        raise ToolFailure("not_found", f"there is no lesson {part}")
    if date.fromisoformat(lesson["released"]) > _now(course).date():
        raise ToolFailure("not_released", f"lesson {part} opens on {lesson['released']}")
    return dict(lesson)


def get_exercise(exercise: str, *, course: Json) -> Json:
    """The question of an exercise, never its answer. Fails with `not_found`."""
    return dict(_exercise(course, exercise)["question"])


def grade_answer(exercise: str, answer: str | int | float, *, course: Json) -> Json:
    """Compare an answer with the key and count the attempt; days late cost their penalty.

    Fails with `not_found`, `not_gradable` for an essay, `no_attempts` and `closed`.
    """
    entry = _exercise(course, exercise)
    if entry["answer"] is None:
        raise ToolFailure("not_gradable", "a person grades this exercise")
    attempt = _attempt(course, exercise)
    if attempt["tries"] >= entry["max_attempts"]:
        raise ToolFailure("no_attempts", f"all {entry['max_attempts']} attempts are used")
    late = _days_late(course, exercise)
    if late and entry["late_penalty"] is None:
        raise ToolFailure("closed", f"{exercise} is closed")
    attempt["tries"] += 1
    if exercise not in course["learner"]["attempted"]:
        course["learner"]["attempted"].append(exercise)
    right = _same_answer(answer, entry["answer"])
    if right:
        penalty = Decimal(str(entry["late_penalty"] or 0)) * late
        earned = max(Decimal(0), Decimal(str(entry["points"])) - penalty)
        attempt["points"] = _number(max(earned, Decimal(str(attempt["points"]))))
        attempt["solved"] = True
    course["learner"]["attempts"][exercise] = attempt
    return {
        "correct": right,
        "points": attempt["points"],
        "attempts_left": entry["max_attempts"] - attempt["tries"],
        "feedback": "正确 correct" if right else "再想想 not yet",
    }


def get_hint(exercise: str, *, course: Json) -> Json:
    """The next hint, and how many are left. Fails with `not_found`, `no_hint` when all were given."""
    hints = _exercise(course, exercise)["hints"]
    attempt = _attempt(course, exercise)
    if attempt["hints"] >= len(hints):
        raise ToolFailure("no_hint", f"there is no further hint for {exercise}")
    text = hints[attempt["hints"]]
    attempt["hints"] += 1
    course["learner"]["attempts"][exercise] = attempt
    return {"text": text, "left": len(hints) - attempt["hints"]}


def get_solution(exercise: str, *, course: Json) -> Json:
    """Answer and steps, once the learner has tried. Fails with `not_found`, `not_gradable`,
    `not_attempted`.
    """
    entry = _exercise(course, exercise)
    if entry["answer"] is None:
        raise ToolFailure("not_gradable", "an essay has no single solution")
    if exercise not in course["learner"]["attempted"]:
        raise ToolFailure("not_attempted", f"{exercise} has not been tried yet")
    return {"answer": entry["answer"], "steps": list(entry["steps"])}


def get_progress(*, course: Json) -> Json:
    """Exercises solved, their share in per cent to one decimal, points, and the streak if there is one."""
    attempts = course["learner"]["attempts"].values()
    done, total = sum(attempt["solved"] for attempt in attempts), len(course["exercises"])
    points = sum((Decimal(str(attempt["points"])) for attempt in attempts), Decimal(0))
    progress = {
        "done": done,
        "total": total,
        "percent": _number(round(Decimal(100 * done) / total, 1)),
        "points": _number(points),
    }
    streak = course["learner"]["streak_days"]
    return {**progress, "streak_days": streak} if streak else progress


def get_deadline(exercise: str, *, course: Json) -> Json:
    """When an exercise is due for this learner. Fails with `not_found`."""
    return _deadline(course, exercise)


def request_extension(exercise: str, reason: str, days: int = 2, *, course: Json) -> Json:
    """Move a deadline, once for each exercise. Fails with `not_found`, `already_extended`, `closed`."""
    entry = _exercise(course, exercise)
    if exercise in course["learner"]["extended"]:
        raise ToolFailure("already_extended", f"{exercise} was extended before")
    if _days_late(course, exercise) and entry["late_penalty"] is None:
        raise ToolFailure("closed", f"{exercise} is closed")
    entry["due"] = (_due(course, exercise) + timedelta(days=days)).isoformat()
    course["learner"]["extended"].append(exercise)
    return _deadline(course, exercise)


def set_reminder(exercise: str, at: str, *, course: Json) -> Json:
    """Remember to remind the learner; twice is once. Fails with `not_found`, `in_the_past`."""
    _exercise(course, exercise)
    if datetime.fromisoformat(at) <= _now(course):
        raise ToolFailure("in_the_past", f"{at} is over")
    reminder = {"exercise": exercise, "at": at}
    if reminder not in course["learner"]["reminders"]:
        course["learner"]["reminders"].append(reminder)
    return reminder


def list_slots(on: str | None = None, language: str | None = None, *, course: Json) -> list[Json]:
    """The times that can still be booked, from now on, in order of time."""
    free = [slot for slot in course["slots"] if datetime.fromisoformat(slot["at"]) > _now(course)]
    if on is not None:
        free = [slot for slot in free if slot["at"].startswith(on)]
    if language is not None:
        free = [slot for slot in free if slot["language"] == language]
    return sorted(free, key=lambda slot: datetime.fromisoformat(slot["at"]))


def book_consultation(slot: str, topic: str, note: str | None = None, *, course: Json) -> Json:
    """Book a time and spend a credit; cannot be undone.

    Fails with `not_found`, `taken` for a time that the learner has booked, `no_credits`.
    """
    learner = course["learner"]
    if any(booking["booking"] == f"B{slot[1:]}" for booking in learner["bookings"]):
        raise ToolFailure("taken", f"{slot} is booked already")
    found = next((one for one in course["slots"] if one["slot"] == slot), None)
    if found is None:
        raise ToolFailure("not_found", f"there is no time {slot}")
    if learner["credits"] < 1:
        raise ToolFailure("no_credits", "no consultation is left")
    learner["credits"] -= 1
    course["slots"].remove(found)
    booking = {
        "booking": f"B{slot[1:]}",
        "teacher": found["teacher"],
        "at": found["at"],
        "credits_left": learner["credits"],
    }
    learner["bookings"].append(booking)
    return dict(booking)


def _now(course: Json) -> datetime:
    return datetime.fromisoformat(course["now"])


def _part(parts: list[Json], number: str) -> Json | None:
    for part in parts:
        found = part if part["part"] == number else _part(part["parts"], number)
        if found is not None:
            return found
    return None


def _exercise(course: Json, exercise: str) -> Json:
    entry: Json | None = course["exercises"].get(exercise)
    if entry is None:
        raise ToolFailure("not_found", f"there is no exercise {exercise}")
    return entry


def _attempt(course: Json, exercise: str) -> Json:
    """A copy of what the learner did with an exercise so far."""
    nothing = {"tries": 0, "hints": 0, "solved": False, "points": 0}
    return {**nothing, **course["learner"]["attempts"].get(exercise, {})}


def _due(course: Json, exercise: str) -> datetime:
    return datetime.fromisoformat(_exercise(course, exercise)["due"])


def _days_late(course: Json, exercise: str) -> int:
    """Days since the deadline, begun ones too; 0 while it is open."""
    over = _now(course) - _due(course, exercise)
    return 0 if over <= timedelta(0) else over.days + 1


def _deadline(course: Json, exercise: str) -> Json:
    due, penalty = _due(course, exercise), _exercise(course, exercise)["late_penalty"]
    late = _days_late(course, exercise)
    state = "open" if not late else "closed" if penalty is None else "late"
    days_left = (due.date() - _now(course).date()).days
    return {"due": due.isoformat(), "days_left": days_left, "late_penalty": penalty, "state": state}


def _same_answer(given: str | int | float, key: str | int | float) -> bool:
    """Numbers by amount, also where they came as text; texts without case and outer space."""
    if isinstance(key, str):
        return str(given).strip().casefold() == key.strip().casefold()
    try:
        return Decimal(str(given).strip()) == Decimal(str(key))
    except InvalidOperation:
        return False


def _number(value: Decimal) -> int | float:
    """A JSON number: whole amounts as integers."""
    return int(value) if value == value.to_integral_value() else float(value)
