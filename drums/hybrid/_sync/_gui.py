# Generated from drums/hybrid/aio/_gui.py by tools/generate_sync.py. Edit that file.
"""Mouse, keyboard and screen of a desktop, 1920x1080; coordinates are pixels from its top left corner."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from drums._quote import excerpt
from drums.hybrid import _desk as desk
from drums.hybrid import gestures
from drums.hybrid._chunks import arguments_of
from drums.hybrid._picture import changed, region_of, scale_of
from drums.hybrid._refusals import NO_SUCH_PROGRAM
from drums.hybrid._sync._clipboard import clipboard, set_clipboard
from drums.hybrid.errors import ToolError
from drums.hybrid.results import Point

if TYPE_CHECKING:
    from drums.hybrid._sync._desktop import Desktop
    from drums.hybrid.gestures import Button, Direction, Keys
    from drums.hybrid.results import Box

TYPES_UNICODE = "unicode_typing"
"""What a server says of itself whose desktops type every character."""
PASTE_S = 0.5


class Gui:
    """Mouse, keyboard and screen of one desktop; part of `Tools`.

    A place is given by `x` and `y`, pixels from the left and from the top edge; 0 is a coordinate. What is off the
    screen, and a key that there is not, is a `BadRequest` and does nothing.
    """

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop

    def click(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        button: Button = "left",
        clicks: int = 1,
        holding: Keys = (),
    ) -> None:
        """Click at a place of the screen, or where the pointer is.

        Args:
            x: Pixels from the left edge; None with `y` None: where the pointer is.
            y: Pixels from the top edge.
            button: `left`, `middle` or `right`.
            clicks: How often.
            holding: Keys that are held meanwhile, such as `ctrl`.
        """
        self._desktop.gesture(gestures.click(x, y, button=button, clicks=clicks, holding=holding))

    def double_click(self, x: float | None = None, y: float | None = None, *, holding: Keys = ()) -> None:
        """Double-click with the left mouse button: opens files and folders.

        Args:
            x: Pixels from the left edge; None with `y` None: where the pointer is.
            y: Pixels from the top edge.
            holding: Keys that are held meanwhile.
        """
        self.click(x, y, clicks=2, holding=holding)

    def triple_click(self, x: float | None = None, y: float | None = None, *, holding: Keys = ()) -> None:
        """Click three times with the left mouse button: selects a line or a paragraph.

        Args:
            x: Pixels from the left edge; None with `y` None: where the pointer is.
            y: Pixels from the top edge.
            holding: Keys that are held meanwhile.
        """
        self.click(x, y, clicks=3, holding=holding)

    def right_click(self, x: float | None = None, y: float | None = None, *, holding: Keys = ()) -> None:
        """Click with the right mouse button: opens a context menu.

        Args:
            x: Pixels from the left edge; None with `y` None: where the pointer is.
            y: Pixels from the top edge.
            holding: Keys that are held meanwhile.
        """
        self.click(x, y, button="right", holding=holding)

    def middle_click(self, x: float | None = None, y: float | None = None, *, holding: Keys = ()) -> None:
        """Click with the middle mouse button: pastes what is selected, opens a link in a new tab.

        Args:
            x: Pixels from the left edge; None with `y` None: where the pointer is.
            y: Pixels from the top edge.
            holding: Keys that are held meanwhile.
        """
        self.click(x, y, button="middle", holding=holding)

    def move(self, x: float, y: float) -> None:
        """Move the mouse pointer to a place of the screen.

        Args:
            x: Pixels from the left edge.
            y: Pixels from the top edge.
        """
        self._desktop.gesture(gestures.move(x, y))

    def drag(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        *,
        button: Button = "left",
        seconds: float = gestures.DRAG_S,
        holding: Keys = (),
    ) -> None:
        """Press a mouse button at one place, move to another, and let go.

        Args:
            x: Where it begins: pixels from the left edge.
            y: Where it begins: pixels from the top edge.
            to_x: Where it ends: pixels from the left edge.
            to_y: Where it ends: pixels from the top edge.
            button: `left`, `middle` or `right`.
            seconds: How long the way takes; programs may not notice one that takes none.
            holding: Keys that are held meanwhile.
        """
        self._desktop.gesture(gestures.drag(x, y, to_x, to_y, button=button, seconds=seconds, holding=holding))

    def scroll(
        self,
        direction: Direction = "down",
        clicks: int = 3,
        *,
        x: float | None = None,
        y: float | None = None,
        holding: Keys = (),
    ) -> None:
        """Turn the mouse wheel at a place of the screen, or where the pointer is.

        Args:
            direction: `down` shows what is further down; `up`, `left`, `right`.
            clicks: Notches of the wheel.
            x: Pixels from the left edge; None with `y` None: where the pointer is.
            y: Pixels from the top edge.
            holding: Keys that are held meanwhile.
        """
        self._desktop.gesture(gestures.scroll(direction, clicks, x=x, y=y, holding=holding))

    def mouse_down(self, button: Button = "left", *, x: float | None = None, y: float | None = None) -> None:
        """Press a mouse button and keep it down, until `mouse_up`.

        Args:
            button: `left`, `middle` or `right`.
            x: Pixels from the left edge; None with `y` None: where the pointer is.
            y: Pixels from the top edge.
        """
        self._desktop.gesture(gestures.mouse_down(button, x=x, y=y))

    def mouse_up(self, button: Button = "left", *, x: float | None = None, y: float | None = None) -> None:
        """Let a mouse button go.

        Args:
            button: `left`, `middle` or `right`.
            x: Pixels from the left edge; None with `y` None: where the pointer is.
            y: Pixels from the top edge.
        """
        self._desktop.gesture(gestures.mouse_up(button, x=x, y=y))

    def type(self, text: str) -> None:
        """Type text with the keyboard, where the focus is. A line end presses Enter, a tab presses Tab.

        Any character of Unicode is typed. Where the server can't, `xdotool` does, else it is pasted with ctrl+v and the
        clipboard is put back.

        Args:
            text: What to type, at most 20000 characters.

        Raises:
            Unsupported: The text is not ASCII, and the desktop has no way to type it.
        """
        given = gestures.typeable(text)
        if given.isascii() or TYPES_UNICODE in self._desktop.capabilities():
            self._desktop.gesture(gestures.type(given))
            return
        words = "".join(arguments_of(given.encode()))
        ran = self._desktop.script(desk.TYPE, words)
        if ran.status == NO_SUCH_PROGRAM:
            self._pasted(given)
        elif ran.status != 0:
            raise ToolError(
                f"xdotool could not type: {excerpt(ran.complaint)}", tried=self._desktop.tried("gui.type()")
            )

    def key(self, keys: Keys, *, presses: int = 1) -> None:
        """Press a key or a chord.

        Args:
            keys: A key such as `enter`, `Page_Up`, `f5`, or a chord such as `ctrl+shift+s`.
            presses: How often.
        """
        self._desktop.gesture(gestures.key(keys, presses=presses))

    def hotkey(self, *keys: str) -> None:
        """Press several keys together: `hotkey("ctrl", "s")`.

        Args:
            keys: The keys, in the order in which they go down.
        """
        self._desktop.gesture(gestures.key(keys))

    def hold(self, keys: Keys, seconds: float = 1.0) -> None:
        """Hold a key or a chord down for some time.

        Args:
            keys: A key, or a chord such as `ctrl+shift`.
            seconds: How long, up to 60.
        """
        self._desktop.gesture(gestures.hold(keys, seconds))

    def cursor_position(self) -> Point:
        """Where the mouse pointer is, in pixels from the top left corner of the screen."""
        told = (self._desktop.gesture("at = pyautogui.position()\nprint(at[0], at[1])")).result.output or ""
        found = re.fullmatch(r"(-?\d{1,6}) (-?\d{1,6})\s*", told)
        if found is None:
            raise ToolError(
                "the desktop did not tell where the pointer is", tried=self._desktop.tried("cursor_position()")
            )
        return Point(int(found[1]), int(found[2]))

    def screenshot(self, region: Box | tuple[int, int, int, int] | None = None, scale: float | None = None) -> bytes:
        """Look at the screen, or at a part of it, as a PNG picture.

        Args:
            region: Left, top, width and height of the part, in pixels; None: the whole screen.
            scale: By how much to make it smaller or larger, 0.5 for half the size; None: as it is.

        Raises:
            Unsupported: Pillow is not installed, which `region` and `scale` need.
        """
        part = None if region is None else region_of(region)
        factor = None if scale is None else scale_of(scale)
        return changed(self._desktop.env.screenshot(), part, factor)

    def _pasted(self, text: str) -> None:
        """Put text in by the clipboard, and put back what was in it."""
        tried = "gui.type()"
        before = clipboard(self._desktop, tried)
        set_clipboard(self._desktop, text, tried)
        try:
            self._desktop.gesture(gestures.key("ctrl+v"))
            self._desktop.gesture(gestures.wait(PASTE_S))  # the program asks for the text when it gets to it
        finally:
            set_clipboard(self._desktop, before, tried)
