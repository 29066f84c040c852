"""Commands in a simulated desktop: what agents and tasks write, and what must not bring the daemon down."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.machine import GuestError
from drums.local.machines.sim.desktop import script_of

if TYPE_CHECKING:
    from pathlib import Path

    from drums.local.machines.sim.desktop import SimDesktop


async def output(desktop: SimDesktop, script: str) -> str:
    """What a script that ends well prints."""
    outcome = await desktop.execute(script, shell=True)
    assert outcome.returncode == 0, outcome
    return outcome.output or ""


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("pwd; whoami; echo $HOME", "/home/user\nuser\n/home/user\n"),
        ("mkdir -p ~/Desktop/a && ls ~/Desktop", "a\n"),
        ("echo hi > note && cat note", "hi\n"),
        ("printf 'b\\na\\n' | sort | head -1", "a\n"),
        ("for i in 1 2; do\n  echo $i\ndone", "1\n2\n"),
        ("bash -c 'if true\nthen\n  echo \"$1 $#\"\nfi' name first second", "first 2\n"),
        (
            'cat <<E > s\n#!/bin/bash\nif [ -n "\\$1" ]; then\n  echo "got \\$1"\nfi\nE\nbash s x; chmod +x s; ./s y',
            "got x\ngot y\n",
        ),
        ("echo 'echo piped' | bash", "piped\n"),
        ("echo password | sudo -S mkdir /opt/x && ls -d /opt/x; sudo -n whoami; whoami", "/opt/x\nroot\nuser\n"),
        ("which python3 bash; which spotify || echo none", "/usr/bin/python3\n/usr/bin/bash\nnone\n"),
        ("/usr/bin/python3 -c 'print(6 * 7)'", "42\n"),
        ("echo 'print(\"from a file\")' > p.py; python p.py", "from a file\n"),
        ("date -u +%F; sleep 100; date +%T", "2026-01-01\n09:01:40\n"),
        ('for i in 1 2; do echo $i; done > f; while read x; do echo "<$x>"; done < f >> f; cat f', "1\n2\n<1>\n<2>\n"),
        ("if true; then echo a; fi > f; case x in x) echo b;; esac >> f; cat f", "a\nb\n"),
        ('f() { echo "f $1"; }; f 1 > out; x=$(f 2 > out2; cat out2); echo $x; cat out', "f 2\nf 1\n"),
        ("echo one | sudo tee /etc/new; cat /etc/new; echo two | bash -c cat", "one\none\ntwo\n"),
        ('f() { echo "$# <$1> <$2>"; }; set -- "a b" ""; f "$@"; f "$1"; f x', "2 <a b> <>\n1 <a b> <>\n1 <x> <>\n"),
        ('set -- "a  b" c; for x do echo "<$x>"; done; set --; for x do echo "<$x>"; done', "<a  b>\n<c>\n"),
        ("/bin/echo a; /usr/bin/sort -r <<E\n1\n2\nE", "a\n2\n1\n"),
        ("echo Yf8AYg== | base64 -d > f; base64 -w 0 < f; base64 f | base64 -d | base64", "Yf8AYg==Yf8AYg==\n"),
        ("printf 0123456789 > f; dd if=f bs=2 skip=1 count=3 status=none", "234567"),
        ("printf 0123 > f; printf ab | dd of=f bs=1 seek=1 conv=notrunc status=none; cat f", "0ab3"),
        ("printf abc > f; sha256sum f | cut -c 1-8; md5sum < f | cut -c 1-8", "ba7816bf\n90015098\n"),
        ("echo x > f; sha256sum f > s; sha256sum -c s; echo y > f; sha256sum -c s; echo $?", "f: OK\nf: FAILED\n1\n"),
        ("mkdir -p -m 700 a/b; stat -c %a -- a/b; rmdir -p a/b; ls -d a 2>/dev/null || echo gone", "700\ngone\n"),
        ("ln -s x l; cp -a l m; readlink m; mkdir d; mv -T m d/n; mv l d; ls d", "x\nl\nn\n"),
        ("ln -s d l; mkdir d; : > d/f; find l -type f; find l/ -type f; find -L l -name f", "l/f\nl/f\n"),
        ("(sleep 300; echo late > f) & date +%T; cat f; wait; echo $?", "09:00:00\nlate\n0\n"),
        ("date -d @0 '+%Y %e %-d'", "1970  1 1\n"),
        ("timeout 5 sleep 10; echo $?; timeout 5 echo in time", "124\nin time\n"),
        ("uname; hostname; id -un; nproc", "Linux\ndrums\nuser\n1\n"),
        ("echo &lt;b&gt; '&amp;&amp;'", None),
        ("echo $RANDOM $RANDOM", "8805 4135\n"),
        ("printf 'caf\\xc3\\xa9\\n'", "café\n"),
        ("ls /nowhere 2>/dev/null || echo missing", "missing\n"),
        (
            "printf abc > f; cat f f > g; cat g; echo; printf 'a\\n\\tb\\n' | cat -An",
            "abcabc\n     1\ta$\n     2\t^Ib$\n",
        ),
        (
            "mktemp; mktemp -d; ls -F /tmp",
            "/tmp/tmp.0000000000\n/tmp/tmp.0000000001\ntmp.0000000000\ntmp.0000000001/\n",
        ),
        (
            "touch a; touch -d 2025-12-31T08:05 b; mkdir d; ls -lt --color=auto a b; ls -ld d; ls -A d",
            (
                "-rw-r--r-- 1 user user 0 Jan  1 09:00 a\n-rw-r--r-- 1 user user 0 Dec 31 08:05 b\n"
                "drwxr-xr-x 2 user user 4096 Jan  1 09:00 d\n"
            ),
        ),
        (
            "mkdir -p 'd/a b'; touch d/f 'd/a b/$x'; find d -print0 | xargs -0 -n1 echo; find d -type f -exec ls {} +",
            "d\nd/a b\nd/a b/$x\nd/f\nd/a b/$x\nd/f\n",
        ),
        ("touch b.TXT a; find . -maxdepth 1 '(' -name a -o -iname '*.txt' ')' ! -name x -size -1k", "./a\n./b.TXT\n"),
        (
            "mkdir e; touch e/f; find e -type f -delete; find e -empty; seq 3 | xargs -n2; seq 2 | xargs -I% echo '<%'",
            "e\n1 2\n3\n<1\n<2\n",
        ),
        ("ls -l /home", "total 4\ndrwxr-xr-x 2 user user 4096 Jan  1 09:00 user\n"),
        ("gio trash ~/Music && ls ~/.local/share/Trash/files", "Music\n"),
    ],
)
async def test_what_agents_write_does_what_it_does_on_linux(
    desktop: SimDesktop, script: str, printed: str | None
) -> None:
    outcome = await desktop.execute(script, shell=True)
    if printed is None:
        # Text that looks like HTML is not what a shell is told to unescape: `&` ends a command.
        assert "lt" in (outcome.error or "")
    else:
        assert outcome.output == printed


@pytest.mark.parametrize(
    ("script", "returncode", "complaint"),
    [
        ("nosuch", 127, "bash: nosuch: command not found\n"),
        ("curl http://example.org", 127, "bash: curl: command not found\n"),
        ("mkdir /opt/x", 1, "mkdir: cannot create directory '/opt/x': Permission denied\n"),
        ("echo x > /etc/hosts", 1, "bash: /etc/hosts: Permission denied\n"),
        ("echo x > /no/such/folder", 1, "bash: /no/such/folder: No such file or directory\n"),
        ("echo x > Desktop", 1, "bash: Desktop: Is a directory\n"),
        ("find -bogus", 1, "find: unknown predicate `-bogus'\n"),
        ("find /nowhere", 1, "find: '/nowhere': No such file or directory\n"),
        ("ls nothing", 2, "ls: cannot access 'nothing': No such file or directory\n"),
        ("ls /root", 2, "ls: cannot open directory '/root': Permission denied\n"),
        ("cat nothing Desktop", 1, "cat: nothing: No such file or directory\ncat: Desktop: Is a directory\n"),
        ("touch /opt/x", 1, "touch: cannot touch '/opt/x': Permission denied\n"),
        ("exit 3", 3, ""),
        ("set -e; false; echo never", 1, ""),
        ("kill 1", 1, "bash: kill: (1) - Operation not permitted\n"),
        ("kill 99", 1, "bash: kill: (99) - No such process\n"),
        ("python -c 'x = '", 1, None),
        ("sudo rm -r /home/user/Desktop/nothing", 1, None),
        ("if", 2, None),
        ("bash -c 'if'", 2, None),
    ],
)
async def test_failures_have_linux_returncodes_and_words(
    desktop: SimDesktop, script: str, returncode: int, complaint: str | None
) -> None:
    outcome = await desktop.execute(script, shell=True)
    assert outcome.returncode == returncode
    if complaint is None:
        assert outcome.error
    else:
        assert outcome.error == complaint


async def test_without_a_shell_nothing_is_interpreted(desktop: SimDesktop) -> None:
    await desktop.execute(["mkdir", "~/Desktop/$HOME; rm *"], shell=False)
    assert await output(desktop, "ls ~/Desktop") == "$HOME; rm *\n"
    outcome = await desktop.execute("echo 'two words' | wc", shell=False)
    assert outcome.output == "two words | wc\n"


@given(st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=8), min_size=1))
def test_a_list_without_a_shell_is_taken_word_by_word(words: list[str]) -> None:
    expected = [f"/home/user{word[1:]}" if word.startswith("~/") else word for word in words]
    assert script_of(words, shell=False) == expected


@pytest.mark.parametrize("command", ["", "  ", [], "unclosed '"])
async def test_a_command_that_is_none_is_refused(desktop: SimDesktop, command: str | list[str]) -> None:
    with pytest.raises(GuestError, match="the command"):
        await desktop.execute(command, shell=False)


async def test_bytes_that_are_no_text_survive_a_copy_and_are_shown_replaced(desktop: SimDesktop) -> None:
    await desktop.write_file("/home/user/raw", b"a\xff\xfeb")
    assert await output(desktop, "cp raw copy; cat raw > again; cat raw") == "a\ufffd\ufffdb"
    assert await desktop.read_file("/home/user/copy", 10) == b"a\xff\xfeb"
    assert await desktop.read_file("/home/user/again", 10) == b"a\xff\xfeb"


@pytest.mark.parametrize(
    "script",
    [
        "while :; do :; done",
        "for i in {1..9999}; do for j in {1..9999}; do :; done; done",
        "for i in {1..9999}; do (for j in {1..9999}; do :; done); done",
        "f() { f; }; f",
        "f() { bash -c 'echo x' | f; }; f",
        'x=a; for i in {1..40}; do x=$x$x; echo "$x" > /tmp/x; done',
        "bash -c '" * 3 + "true" + "'" * 3,
        "awk 'BEGIN { while (1) x++ }'",
    ],
)
async def test_a_script_that_would_not_end_ends_with_an_error(desktop: SimDesktop, script: str) -> None:
    outcome = await desktop.execute(script, shell=True)
    assert outcome.returncode != 0 or outcome.output == ""
    assert await output(desktop, "echo alive") == "alive\n"


async def test_what_takes_longer_than_its_time_is_an_error_of_the_guest(desktop: SimDesktop) -> None:
    for script in ("sleep 121", "bash -c 'sleep 60; sleep 61'", "python3 -c 'import time; time.sleep(500)'"):
        with pytest.raises(GuestError, match="within 120 s"):
            await desktop.execute(script, shell=True)
    with pytest.raises(GuestError, match="within 3 s"):
        await desktop.execute("timeout 10 sleep 5", shell=True, timeout_s=3)


async def test_others_have_their_turn_while_a_long_script_runs(desktop: SimDesktop) -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.ensure_future(count_turns())
    await desktop.execute("for i in {1..3000}; do echo $i; done", shell=True)
    other.cancel()
    assert turns > 3


async def test_nothing_of_the_host_can_be_reached(desktop: SimDesktop, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    for script in (
        f"cat {secret}",
        f"tar cf - {secret}",
        f"echo x > {secret}",
        f"python3 -c 'print(open(\"{secret}\").read())'",
        f"awk 'BEGIN {{ while ((getline line < \"{secret}\") > 0) print line }}'",
        f"sed -n 'r {secret}' /etc/hosts",
        f"find {tmp_path}",
        "env | grep -i path_of_the_host",
        f"jq -n 'input' {secret}",
        f"sudo cp {secret} /tmp/copy",
        "sqlite3 :memory: 'select 1'",
    ):
        outcome = await desktop.execute(script, shell=True)
        assert "of the host" not in f"{outcome.output}{outcome.error}", script
    assert secret.read_text() == "of the host"
