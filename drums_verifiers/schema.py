"""A method as a tool: its JSON schema for the model, and the check of what the model gives.

It knows no desktop. Invariant: a method is called only with arguments that its signature allows; an argument that it
does not have is refused, not left out.
"""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_type_hints

from pydantic import ConfigDict, ValidationError, create_model

from drums.screen import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pydantic import BaseModel

T = TypeVar("T")

MOST_FAULTS = 3
"""Faults of one call that the model is told."""


class Tool(Generic[T]):
    """One tool.

    Args:
        method: A bound coroutine method; its name, docstring and signature are the tool's.
    """

    def __init__(self, method: Callable[..., Awaitable[T]]) -> None:
        self.method = method
        self.name = method.__name__
        self.description = inspect.cleandoc(method.__doc__ or "")
        self._arguments = arguments_of(method)

    def function(self) -> dict[str, Any]:
        """The tool as chat completions take it."""
        schema = self._arguments.model_json_schema()
        schema.pop("title", None)
        told = {"name": self.name, "description": self.description, "parameters": schema}
        return {"type": "function", "function": told}

    async def __call__(self, arguments: str) -> T:
        """Call it with what a model wrote.

        Raises:
            ArgumentError: That is no JSON object, or not what the tool takes.
        """
        return await self.method(**self.checked(arguments))

    def checked(self, arguments: str) -> dict[str, Any]:
        """What a model wrote, as the method's arguments.

        Raises:
            ArgumentError: That is no JSON object, or not what the tool takes.
        """
        try:
            given = json.loads(arguments or "{}")
        except (ValueError, RecursionError) as fault:
            raise ArgumentError(f"the arguments of {self.name} are not JSON: {fault}") from None
        if not isinstance(given, dict):
            raise ArgumentError(f"the arguments of {self.name} are a JSON object, not {type(given).__name__}")
        try:
            read = self._arguments.model_validate(given)
        except ValidationError as fault:
            raise ArgumentError(f"{self.name}: {_words(fault)}") from None
        return {name: getattr(read, name) for name in type(read).model_fields}


def arguments_of(method: Callable[..., object]) -> type[BaseModel]:
    """A model of a method's parameters, without `self`."""
    hints = get_type_hints(method, include_extras=True)
    fields: dict[str, Any] = {
        name: (hints[name], ... if parameter.default is parameter.empty else parameter.default)
        for name, parameter in inspect.signature(method).parameters.items()
    }
    return create_model(method.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _words(fault: ValidationError) -> str:
    errors = fault.errors(include_url=False, include_context=False)
    told = [f"{'.'.join(map(str, error['loc'])) or 'arguments'}: {error['msg']}" for error in errors[:MOST_FAULTS]]
    return "; ".join(told)
