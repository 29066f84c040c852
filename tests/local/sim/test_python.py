"""The simulator's Python: what it runs it runs as Python does, and what it does not know it refuses by name."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.sim.pace import Pace
from drums.local.machines.sim.python.code import run_code
from drums.local.machines.sim.windows.session import Session
from tests.local.sim.guests import a_guest

if TYPE_CHECKING:
    from just_bash import ExecResult

    from drums.local.machines.sim.desktop import SimDesktop


def ran(code: str) -> ExecResult:
    """What code does in a fresh desktop. It only ever gives way to others, so it needs no event loop."""
    guest = a_guest()
    coroutine = run_code(code, Session(guest), Pace(guest, 120.0), imported=("pyautogui", "time"))
    while True:
        try:
            coroutine.send(None)
        except StopIteration as stopped:
            result: ExecResult = stopped.value
            return result


def in_python(code: str) -> str:
    """What Python itself prints for code."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "<test>", "exec"), {})
    return printed.getvalue()


numbers = st.integers(-20, 20).map(str) | st.sampled_from(["0.5", "1.25", "True", "False"])
texts = st.sampled_from(["'a'", "'bc'", "''", "'Abc d'"])
lists = st.lists(numbers, max_size=3).map(lambda parts: f"[{', '.join(parts)}]")


def combined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions made of expressions."""
    return st.one_of(
        st.builds(
            "({} {} {})".format, parts, st.sampled_from(["+", "-", "*", "/", "//", "%", "<", "==", "and", "or"]), parts
        ),
        st.builds("({} if {} else {})".format, parts, parts, parts),
        st.builds(
            "{}({})".format, st.sampled_from(["str", "bool", "len", "abs", "int", "repr", "sorted", "sum"]), parts
        ),
        st.builds("[{}, {}]".format, parts, parts),
        st.builds("{}[{}]".format, parts, parts),
        st.builds("(not {})".format, parts),
        st.builds("[x for x in {} if x]".format, parts),
        st.builds("f'<{{{}}}>'".format, parts),
        st.builds(
            "{}.{}".format, parts, st.sampled_from(["upper()", "split()", "strip()", "replace('a', 'x')", "count('a')"])
        ),
    )


expressions = st.recursive(numbers | texts | lists, combined, max_leaves=8)


@given(expressions)
def test_an_expression_is_worth_what_it_is_in_python(expression: str) -> None:
    code = f"print({expression})"
    try:
        expected = in_python(code)
    except SyntaxError:
        # Quotes inside an f-string's braces are none of Python 3.11's.
        return
    except Exception as error:  # noqa: BLE001
        expected = type(error).__name__
    result = ran(code)
    assert (result.stdout or result.stderr.splitlines()[-1].partition(":")[0]) == expected


@pytest.mark.parametrize(
    "code",
    [
        "x, (y, z) = 1, (2, 3)\nprint(x, y, z)",
        "t=0\nfor i in range(9):\n    if i == 3:\n        continue\n    if i > 5:\n        break\n    t += i\nprint(t)",
        "for i in []:\n    pass\nelse:\n    print('else')",
        "n = 5\nwhile n:\n    n -= 1\nelse:\n    print('done', n)",
        "def add(a, b=2):\n    return a + b\nprint(add(1), add(1, 1), add(b=5, a=1))",
        "def fact(n):\n    if n < 2:\n        return 1\n    return n * fact(n - 1)\nprint(fact(10))",
        "def outer():\n    x = 1\n    def inner():\n        return 'global'\n    return inner()\nprint(outer())",
        "x = 1\ndef f():\n    x = 2\n    return x\nprint(f(), x)",
        "d = {'a': 1, **{'b': 2}}\nd['c'] = 3\nfor key, value in d.items():\n    print(key, value)",
        "points = [(1, 2), (3, 4)]\nfor i, (x, y) in enumerate(points, 1):\n    print(i, x + y)",
        "s = 'text'\nprint(s[1:], s[-1], s[::-1], f'{s!r:>8}|{3.14159:.2f}|{5:03d}')",
        "a = [3, 1, 2]\na.sort()\na.append(9)\na[0] = 7\na += [1]\nprint(a, sum(a), max(a), sorted(a, reverse=True))",
        "print([x * y for x in range(3) for y in range(3) if x != y], any(x > 1 for x in [1, 2]))",
        "x: int = 4\nx **= 2\nprint(x, 1 < x <= 16, x is None, 3 in [1, 3])",
        "print('%s is %d' % ('x', 3), ' '.join(['a', 'b']), 'a-b'.split('-'))",
        "print(*[1, 2], sep=', ', end='!\\n')",
        "import math\nprint(math.ceil(1.2), round(math.pi, 3))",
        "print(1 if [] else 2, not 0, -3 // 2, 7 % -3, 2 ** -1)",
    ],
)
def test_programs_print_what_they_print_in_python(code: str) -> None:
    assert ran(code).stdout == in_python(code)


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("try:\n    pass\nexcept Exception:\n    pass", "try"),
        ("pyautogui.press('a')\nx = lambda: 1", "lambda"),
        ("class A:\n    pass", "class"),
        ("with open('/etc/passwd') as f:\n    pass", "'open' is not defined"),
        ("import os", "No module named 'os'"),
        ("from subprocess import run", "No module named 'subprocess'"),
        ("__import__('os')", "'__import__' is not defined"),
        ("().__class__.__bases__", "the attribute '__class__'"),
        ("'{0.__class__}'.format(1)", "the attribute 'format'"),
        ("pyautogui.__dict__", "no pyautogui.__dict__"),
        ("pyautogui.screenshot()", "no pyautogui.screenshot"),
        ("pyautogui.click('button.png')", "does not look for images"),
        ("pyautogui.size = 3", "cannot set pyautogui.size"),
        ("x = 5\nx.real = 3", "cannot set attributes of 'int'"),
        ("getattr(1, 'real')", "'getattr' is not defined"),
        ("eval('1')", "'eval' is not defined"),
        ("global x", "global"),
        ("a = b = [1]; (c := 2)", "':='"),
        ("print(1 @ 2)", "'@'"),
        ("{1, 2}", "sets"),
    ],
)
def test_what_is_not_known_is_refused_with_its_name_and_line(code: str, word: str) -> None:
    result = ran(code)
    assert result.exit_code == 1
    assert word in result.stderr
    assert 'File "<string>", line ' in result.stderr


def test_a_construct_that_is_not_known_is_refused_before_anything_is_done() -> None:
    assert ran("print('started')\ntry:\n    pass\nfinally:\n    pass").stdout == ""


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero\n"),
        ("undefined", "NameError: name 'undefined' is not defined on the simulated desktop\n"),
        ("\n\n[1][5]", "IndexError: list index out of range\n"),
        ("pyautogui.click(1, 2, 1, 0, 'left', 0, None, None, True, 0)", "TypeError: click() takes at most 9 arguments"),
        ("pyautogui.click(1, x=2)", "TypeError: click() got multiple values for argument 'x'"),
        ("pyautogui.click(z=2)", "TypeError: click() got an unexpected keyword argument 'z'"),
        ("pyautogui.click(button='wheel')", "PyAutoGUIException"),
        ("def f():\n    return 1 / 0\n\nf()", "line 2, in <module>\n    return 1 / 0\nZeroDivisionError"),
        ("break", "SyntaxError: 'break' outside loop"),
        ("for i in [1]:\n    def f():\n        break\n    f()", "SyntaxError: 'break' outside loop"),
        ("return 1", "SyntaxError: 'return' outside function"),
        ("if True\n  x", "SyntaxError"),
        ("x = (", "SyntaxError"),
        ("pyautogui.sleep(-1)", "ValueError: sleep length must be non-negative"),
    ],
)
def test_an_error_of_the_code_ends_in_pythons_words(code: str, error: str) -> None:
    result = ran(code)
    assert result.exit_code == 1
    assert error in result.stderr


@pytest.mark.parametrize(
    "code",
    [
        "while True:\n    pass",
        "for i in range(10 ** 12):\n    pass",
        "x = 'a'\nwhile True:\n    x = x + x",
        "x = 'a' * 10 ** 12",
        "x = 10 ** 10 ** 10",
        "x = 1 << 10 ** 12",
        "x = list(range(10 ** 12))",
        "x = sum(range(10 ** 12))",
        "x = f'{1:1000000000}'",
        "x = '%1000000000d' % 1",
        "x = [0] * 20000\ny = [x] * 20000\nprint(y)",
        "def f():\n    return f()\nf()",
        "(" * 500 + ")" * 500,
        "x = " + "[" * 2000 + "]" * 2000,
        "print('x' * 20000)\n" * 60,
    ],
)
def test_code_that_would_take_all_time_or_memory_ends_with_an_error(code: str) -> None:
    result = ran(code)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].partition(":")[0] in {
        "Unsupported",
        "MemoryError",
        "OverflowError",
        "RecursionError",
        "SyntaxError",
        "ValueError",
    }


async def test_python_in_the_shell_drives_the_same_desktop(desktop: SimDesktop) -> None:
    await desktop.execute(["python", "-c", "import pyautogui; pyautogui.moveTo(5, 6)"], shell=False)
    outcome = await desktop.pyautogui("print(pyautogui.position())")
    assert outcome.output == "Point(x=5, y=6)\n"


async def test_only_an_action_has_its_modules_without_importing_them(desktop: SimDesktop) -> None:
    outcome = await desktop.execute(["python", "-c", "pyautogui.click()"], shell=False)
    assert "NameError" in (outcome.error or "")


@given(st.text(max_size=60))
def test_any_text_is_run_or_refused(code: str) -> None:
    result = ran(code)
    assert (result.exit_code == 0) == (result.stderr == "")


def test_sleeping_takes_the_desktops_time_only() -> None:
    code = "before = time.time()\ntime.sleep(60)\npyautogui.sleep(1.5)\nprint(time.time() - before)"
    assert ran(code).stdout == "61.5\n"
