"""What a hand does on a desktop, as actions: each function checks its arguments, gives the action and sends nothing.

    tools.act([gestures.click(40, 200), gestures.type("hello"), gestures.key("ctrl+s")], then="screenshot")

The actions are pyautogui code. The invariant: whatever the arguments are, the code does this one gesture and nothing
else; what can't be done (a place off the screen, an unknown key) is a `BadRequest`.
"""

from __future__ import annotations

from math import nan
from numbers import Real
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from drums._quote import excerpt
from drums.errors import BadRequest
from drums.hybrid._keys import held_keys, keys_named
from drums.screen import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX

if TYPE_CHECKING:
    from collections.abc import Sequence

Button = Literal["left", "middle", "right"]
Direction = Literal["up", "down", "left", "right"]
Keys: TypeAlias = "str | Sequence[str]"
"""A key or a chord as text (`enter`, `ctrl+s`), or a list of keys."""

MOST_CLICKS: Final = 50
"""Clicks, or notches of the wheel, of one gesture."""
LONGEST_S: Final = 60.0
"""Seconds that one gesture may take."""
LONGEST_TEXT: Final = 20_000
"""Characters that one gesture types."""
DRAG_S: Final = 0.5

_BUTTONS = ("left", "middle", "right")
_TURNS = {"up": ("scroll", 1), "down": ("scroll", -1), "left": ("hscroll", -1), "right": ("hscroll", 1)}


def click(
    x: float | None = None, y: float | None = None, *, button: Button = "left", clicks: int = 1, holding: Keys = ()
) -> str:
    """Click at a place, or where the pointer is.

    Args:
        x: Pixels from the left edge of the screen, from 0; None with `y` None: where the pointer is.
        y: Pixels from the top edge.
        button: Which mouse button.
        clicks: How often, from 1.
        holding: Keys that are held meanwhile, such as `ctrl`.
    """
    where = _place(x, y)
    at = "" if where is None else f"{where[0]}, {where[1]}, "
    code = f"pyautogui.click({at}clicks={_count(clicks, 'clicks')}, button={_button(button)!r})"
    return _held(code, holding)


def move(x: float, y: float) -> str:
    """Move the pointer.

    Args:
        x: Pixels from the left edge of the screen, from 0.
        y: Pixels from the top edge.
    """
    left, top = _pixel(x, y)
    return f"pyautogui.moveTo({left}, {top})"


def drag(
    x: float,
    y: float,
    to_x: float,
    to_y: float,
    *,
    button: Button = "left",
    seconds: float = DRAG_S,
    holding: Keys = (),
) -> str:
    """Press a mouse button at one place, move to another, and let go.

    Args:
        x: Where it begins: pixels from the left edge of the screen.
        y: Where it begins: pixels from the top edge.
        to_x: Where it ends: pixels from the left edge.
        to_y: Where it ends: pixels from the top edge.
        button: Which mouse button.
        seconds: How long the way takes; programs may not notice one that takes none.
        holding: Keys that are held meanwhile.
    """
    (left, top), (right, bottom) = _pixel(x, y), _pixel(to_x, to_y, "to_x", "to_y")
    code = (
        f"pyautogui.moveTo({left}, {top})\n"
        f"pyautogui.dragTo({right}, {bottom}, duration={_span(seconds)!r}, button={_button(button)!r})"
    )
    return _held(code, holding)


def scroll(
    direction: Direction = "down",
    clicks: int = 3,
    *,
    x: float | None = None,
    y: float | None = None,
    holding: Keys = (),
) -> str:
    """Turn the mouse wheel at a place, or where the pointer is.

    Args:
        direction: `down` shows what is further down.
        clicks: Notches of the wheel, from 1.
        x: Pixels from the left edge of the screen; None with `y` None: where the pointer is.
        y: Pixels from the top edge.
        holding: Keys that are held meanwhile.
    """
    verb, sign = _TURNS[_one_of(tuple(_TURNS), direction, "direction")]
    where = _place(x, y)
    there = "" if where is None else f"pyautogui.moveTo({where[0]}, {where[1]})\n"
    return _held(f"{there}pyautogui.{verb}({sign * _count(clicks, 'clicks')})", holding)


def mouse_down(button: Button = "left", *, x: float | None = None, y: float | None = None) -> str:
    """Press a mouse button and keep it down, until `mouse_up`.

    Args:
        button: Which mouse button.
        x: Pixels from the left edge of the screen; None with `y` None: where the pointer is.
        y: Pixels from the top edge.
    """
    return _half("mouseDown", button, x, y)


def mouse_up(button: Button = "left", *, x: float | None = None, y: float | None = None) -> str:
    """Let a mouse button go.

    Args:
        button: Which mouse button.
        x: Pixels from the left edge of the screen; None with `y` None: where the pointer is.
        y: Pixels from the top edge.
    """
    return _half("mouseUp", button, x, y)


def type(text: str) -> str:  # noqa: A001  what it does, and what agents call it
    """Type text with the keyboard, where the focus is. A line end presses Enter, a tab presses Tab.

    Characters that are not ASCII need a server that types them, as `drums up` does; `tools.gui.type()` finds a way on
    others as well.

    Args:
        text: What to type, at most `LONGEST_TEXT` characters.
    """
    given = typeable(text)
    # On some desktops pyautogui takes "<" for a key that gives ">"; shift and comma is right on every US keyboard.
    parts = given.split("<")
    lines = [f"pyautogui.write({part!r})" if part else "" for part in parts]
    return "\npyautogui.hotkey('shift', ',')\n".join(lines).replace("\n\n", "\n").strip("\n")


def key(keys: Keys, *, presses: int = 1) -> str:
    """Press a key or a chord.

    Args:
        keys: `enter`, `ctrl+s`, `Page_Up`, or a list of keys that are held together.
        presses: How often, from 1.
    """
    names, times = keys_named(keys), _count(presses, "presses")
    if len(names) == 1:
        return f"pyautogui.press({names[0]!r}, presses={times})"
    return "\n".join([f"pyautogui.hotkey({', '.join(map(repr, names))})"] * times)


def hold(keys: Keys, seconds: float = 1.0) -> str:
    """Hold a key or a chord down for some time.

    Args:
        keys: As for `key`.
        seconds: How long, up to `LONGEST_S`.
    """
    return _held(f"time.sleep({_span(seconds)!r})", keys_named(keys))


def wait(seconds: float = 1.0) -> dict[str, object]:
    """Let time pass in the desktop, for a program that is not ready yet.

    Args:
        seconds: How long, up to `LONGEST_S`.
    """
    return {"type": "sleep", "seconds": _span(seconds)}


# --- parts ------------------------------------------------------------------------------------------------------------


def refusal(what: str, do: str) -> BadRequest:
    """An argument that makes no sense, refused before anything is sent."""
    return BadRequest(400, what, sent="no", hint=do)


def typeable(text: object) -> str:
    """The text, with one line end for all kinds, if keys can give it.

    Raises:
        BadRequest: It is empty, too long, or holds control characters or halves of characters.
    """
    if not isinstance(text, str) or not text:
        raise refusal("text is no text, or empty", "Give what is to be typed")
    if len(text) > LONGEST_TEXT:
        raise refusal(f"text has {len(text)} characters, more than {LONGEST_TEXT}", "Type it in parts, or use files")
    given = text.replace("\r\n", "\n").replace("\r", "\n")
    bad = next((char for char in given if _is_no_key(char)), None)
    if bad is not None:
        raise refusal(f"text holds {bad!r}, which is on no key", "Leave it out, or use key()")
    return given


def _is_no_key(char: str) -> bool:
    code = ord(char)
    return (code < 0x20 and char not in "\n\t") or 0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF


def _half(function: str, button: Button, x: float | None, y: float | None) -> str:
    where = _place(x, y)
    at = "" if where is None else f"{where[0]}, {where[1]}, "
    return f"pyautogui.{function}({at}button={_button(button)!r})"


def _held(code: str, keys: Keys) -> str:
    """Code with keys down around it, which are let go whatever happens."""
    names = held_keys(keys)
    if not names:
        return code
    body = code.replace("\n", "\n    ")
    return f"with pyautogui.hold({names!r}):\n    {body}"


def _button(button: object) -> str:
    return _one_of(_BUTTONS, button, "button")


def _one_of(words: tuple[str, ...], given: object, name: str) -> str:
    """The one of some words that is given."""
    found = next((word for word in words if word == given), None)
    if found is None:
        raise refusal(f"{name}={excerpt(str(given))} is none of {', '.join(words)}", "Give one of these")
    return found


def _count(value: object, name: str) -> int:
    return bound(value, name, MOST_CLICKS)


def _span(seconds: object) -> float:
    number = _number(seconds)
    if not 0 <= number <= LONGEST_S:
        raise refusal(f"seconds={excerpt(str(seconds))} is no number from 0 to {LONGEST_S:g}", "Give one that is")
    return number


def _number(value: object) -> float:
    """A number, also one of numpy's; NaN, which is in no range, for what is none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return nan
    try:
        return float(value)
    except OverflowError:
        return nan


def whole_number(value: object, name: str) -> int:
    """A whole number.

    Raises:
        BadRequest: It is none.
    """
    number = _number(value)
    if not number.is_integer():
        raise refusal(f"{name} holds {excerpt(str(value))}, which is no whole number", "Give whole pixels")
    return int(number)


def bound(value: object, name: str, most: int) -> int:
    """A whole number from 1 to `most`.

    Raises:
        BadRequest: It is none.
    """
    number = _number(value)
    if not (1 <= number <= most and number.is_integer()):
        raise refusal(f"{name}={excerpt(str(value))} is no whole number from 1 to {most}", "Give one that is")
    return int(number)


def _place(x: float | None, y: float | None) -> tuple[int, int] | None:
    """A pixel, or None where neither coordinate is given."""
    if x is None and y is None:
        return None
    if x is None or y is None:
        raise refusal("a place has two coordinates", "Give x and y, or neither for where the pointer is")
    return _pixel(x, y)


def _pixel(x: float, y: float, x_name: str = "x", y_name: str = "y") -> tuple[int, int]:
    return coordinate(x, SCREEN_WIDTH_PX, x_name), coordinate(y, SCREEN_HEIGHT_PX, y_name)


def coordinate(value: object, side_px: int, name: str) -> int:
    """A coordinate as the pixel that it lies in.

    Raises:
        BadRequest: It is no number, or off the screen.
    """
    number = _number(value)
    if not 0 <= number < side_px:  # false for NaN too
        told = f"{name}={excerpt(str(value))} is not on the screen: it goes from 0 to {side_px - 1}"
        raise refusal(told, "Give pixels of the screen, 1920x1080, from its top left corner")
    return int(number)
