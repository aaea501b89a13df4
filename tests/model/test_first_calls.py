"""A public function whose arguments are checked for the first time in two threads at once."""

from __future__ import annotations

from threading import Thread
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema

from dpwizard.base.values import Value, public

Known = int  # a name of this module alone
answers: list[int] = []


class CallsMeanwhile:
    """Calls the function in another thread while the first call learns what its arguments are."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        if not answers:
            answers.append(0)
            other = Thread(target=lambda: answers.append(doubled(place=as_json(3), times=2)))
            other.start()
            other.join()
        return handler(source)


class Place(Value):
    """A number, said to be a value of another module, where `Known` is unknown."""

    number: Annotated[int, CallsMeanwhile()]


Place.__module__ = Value.__module__


@public
def doubled(*, place: Place, times: Known) -> int:
    """Return the number of PLACE multiplied by TIMES."""
    return place.number * times


def as_json(number: int) -> Any:
    return {"number": number}


def test_two_threads_may_call_a_function_for_the_first_time() -> None:
    assert doubled(place=as_json(5), times=2) == 10
    assert answers == [0, 6]
