"""The programs of a simulated desktop that tasks are about: settings, jobs, archives, calculations, paths."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.sim.shell.mended import spelled_out
from drums.local.machines.sim.shell.scheduling import fault
from drums.local.machines.sim.shell.settings import BadSetting, printed, read_groups, schemas, write_groups

if TYPE_CHECKING:
    from drums.local.machines.sim.desktop import SimDesktop

CLOCK = "org.gnome.desktop.interface clock-format"
words = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=8)


async def ran(desktop: SimDesktop, script: str) -> tuple[str, str, int]:
    """What a script prints, complains about and returns."""
    outcome = await desktop.execute(script, shell=True)
    assert outcome.returncode is not None
    return outcome.output or "", outcome.error or "", outcome.returncode


async def output(desktop: SimDesktop, script: str) -> str:
    """What a script that ends well prints."""
    printed, complaints, returncode = await ran(desktop, script)
    assert (complaints, returncode) == ("", 0)
    return printed


# gsettings.


async def test_a_setting_keeps_its_type_and_its_file(desktop: SimDesktop) -> None:
    script = f"""
    gsettings get {CLOCK}; gsettings set {CLOCK} 12h; gsettings get {CLOCK}
    gsettings set org.gnome.desktop.session idle-delay 0; gsettings get org.gnome.desktop.session idle-delay
    gsettings set org.gnome.desktop.interface text-scaling-factor 1; gsettings get org.gnome.desktop.interface text-scaling-factor
    gsettings set org.gnome.shell favorite-apps '["a", "b"]'; gsettings get org.gnome.shell favorite-apps
    gsettings set org.gnome.shell favorite-apps '[]'; gsettings get org.gnome.shell favorite-apps
    gsettings reset {CLOCK}; gsettings get {CLOCK}; cat ~/.config/glib-2.0/settings/keyfile
    """  # noqa: E501
    assert await output(desktop, script) == (
        "'24h'\n'12h'\nuint32 0\n1.0\n['a', 'b']\n@as []\n'24h'\n"
        "[org/gnome/desktop/interface]\ntext-scaling-factor=1.0\n\n"
        "[org/gnome/desktop/session]\nidle-delay=0\n\n[org/gnome/shell]\nfavorite-apps=[]\n"
    )


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (f"set {CLOCK} 13h", "The provided value is outside of the valid range"),
        ("set org.gnome.desktop.interface text-scaling-factor 9", "The provided value is outside of the valid range"),
        ("set org.gnome.desktop.interface clock-show-date perhaps", "expected value:"),
        ("set org.gnome.desktop.session idle-delay -1", "number out of range for type 'u'"),
        ("get org.gnome.desktop.interface nothing", "No such key “nothing”"),
        ("get org.nowhere nothing", "No such schema “org.nowhere”"),
        ("dance", "Usage:"),
    ],
)
async def test_what_is_no_setting_is_refused_and_changes_nothing(
    desktop: SimDesktop, command: str, complaint: str
) -> None:
    printed, complaints, returncode = await ran(desktop, f"gsettings {command}")

    assert (printed, returncode) == ("", 1)
    assert complaints.startswith(complaint)
    assert await desktop.read_file("~/.config/glib-2.0/settings/keyfile", 1000) is None


async def test_a_stored_value_that_is_none_for_its_key_counts_as_not_set(desktop: SimDesktop) -> None:
    await desktop.write_file(
        "/home/user/.config/glib-2.0/settings/keyfile", b"[org/gnome/desktop/interface]\nclock-format='13h'\n"
    )
    assert await output(desktop, f"gsettings get {CLOCK}") == "'24h'\n"


@pytest.mark.parametrize(("schema", "name"), [(schema, name) for schema in schemas() for name in schemas()[schema]])
def test_what_a_key_prints_it_takes(schema: str, name: str) -> None:
    key = schemas()[schema][name]
    assert printed(key.kind, key.read_value(key.shown)) == key.shown


@given(text=st.text(max_size=60))
def test_a_value_is_taken_or_refused_and_nothing_else(text: str) -> None:
    for key in (schemas()["org.gnome.shell"]["favorite-apps"], schemas()["org.gnome.desktop.session"]["idle-delay"]):
        try:
            value = key.read_value(text)
        except BadSetting:
            continue
        assert key.read_value(printed(key.kind, value)) == value


@given(groups=st.dictionaries(words, st.dictionaries(words, words, min_size=1, max_size=3), max_size=3))
def test_a_keyfile_is_read_as_it_was_written(groups: dict[str, dict[str, str]]) -> None:
    assert read_groups(write_groups(groups)) == groups


# crontab.


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ("", None),
        ("# nothing\n\nMAILTO=me@example.org\n", None),
        ("*/15 8-17 * * mon-fri ~/poll.sh\n@daily ~/x.sh\n0,30 0 1 jan-jun 7 y\n", None),
        ("60 2 * * * x\n", "bad minute"),
        ("0 24 * * * x\n", "bad hour"),
        ("0 2 0 * * x\n", "bad day-of-month"),
        ("0 2 * foo * x\n", "bad month"),
        ("0 2 * * 8 x\n", "bad day-of-week"),
        ("0 2 * *\n", "bad day-of-week"),
        ("0 2 * * *\n", "bad command"),
        ("*/0 2 * * * x\n", "bad minute"),
        ("@sometimes x\n", "bad time specifier"),
        ("0 2 * * * x", "missing newline"),
    ],
)
def test_a_table_of_jobs_is_what_cron_takes(table: str, wrong: str | None) -> None:
    found = fault(table)
    assert (found is None) if wrong is None else (found is not None and wrong in found)


async def test_a_bad_table_leaves_the_old_one(desktop: SimDesktop) -> None:
    script = """
    crontab -l; echo '1 2 * * * a' | crontab -; echo '99 2 * * * b' | crontab - || echo refused; crontab -l
    echo '3 4 * * * c' > t; crontab t; crontab -l; crontab -r; crontab -l || echo none
    """
    assert (await ran(desktop, script))[0] == "refused\n1 2 * * * a\n3 4 * * * c\nnone\n"


# Archives.


async def test_what_is_zipped_is_unzipped(desktop: SimDesktop) -> None:
    script = """
    mkdir -p 'a b/c'; printf x > 'a b/one'; printf y > 'a b/c/two'; printf z > three.txt; chmod 600 three.txt
    zip -qr all 'a b' three.txt -x '*/two'; zip -q all.zip 'a b/c/two'; unzip -Z1 all; unzip -p all three.txt; echo
    unzip -q all.zip -d new && find new -type f -exec md5sum {} + && stat -c %a new/three.txt
    unzip -q -j all '*two' -d flat; ls flat
    """
    assert await output(desktop, script) == (
        "a b/\na b/c/\na b/one\nthree.txt\na b/c/two\nz\n"
        "415290769594460e2e485922904f345d  new/a b/c/two\n9dd4e461268c8034f5c8564e155c67a6  new/a b/one\n"
        "fbade9e36a3f36d3d676c1b808451dd7  new/three.txt\n600\ntwo\n"
    )


async def test_what_is_there_is_replaced_only_on_demand(desktop: SimDesktop) -> None:
    await output(desktop, "printf new > f; zip -q z f; printf old > f")

    assert (await ran(desktop, "unzip -q z"))[2] == 1
    assert await output(desktop, "unzip -qn z; cat f; unzip -qo z; cat f") == "oldnew"


@pytest.mark.parametrize(
    ("script", "returncode"),
    [
        ("unzip nowhere.zip", 9),
        ("echo text > t.zip; unzip t.zip", 9),
        ("zip z.zip missing", 12),
        ("zip --strange", 12),
        ("zip -K z.zip f", 16),
        ("echo x > f; zip -q z f; unzip z other", 11),
        ("tar xf nowhere.tar", 2),
        ("tar cf t.tar Desktop; tar xf t.tar -C nowhere", 2),
    ],
)
async def test_an_archive_that_can_not_be_had_is_a_failure(desktop: SimDesktop, script: str, returncode: int) -> None:
    assert (await ran(desktop, script))[2] == returncode


async def test_no_entry_leaves_the_folder_and_none_is_larger_than_the_disk(desktop: SimDesktop) -> None:
    evil, bomb = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(evil, "w") as archive:
        archive.writestr("../../etc/evil", "evil")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(9):
            archive.writestr(f"zeros{number}", bytes(32 * 1024 * 1024))
    await desktop.write_file("/home/user/evil.zip", evil.getvalue())
    await desktop.write_file("/home/user/bomb.zip", bomb.getvalue())

    assert await output(desktop, "mkdir in; cd in; unzip -q ../evil.zip; find . -type f") == "./etc/evil\n"
    assert (await ran(desktop, "unzip bomb.zip"))[2] == 9


async def test_tar_is_called_with_or_without_a_dash(desktop: SimDesktop) -> None:
    script = """
    mkdir d; echo x > 'd/a b'; tar czf one.tgz d; tar -czf two.tgz d; mkdir out; tar xzf one.tgz -C out
    cat 'out/d/a b'; tar tzf two.tgz
    """
    assert await output(desktop, script) == "x\nd\nd/a b\n"


# Calculations, paths, patterns.


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("1+2*3-4", "3"),
        ("10/3; scale=3; 10/3; -10/3", "3\n3.333\n-3.333"),
        ("1.5*2.25; 2^10; 7%3; (1+1)*2", "3.37\n1024\n1\n4"),
        ("1.2 > 1.1; 1 == 2; 1 <= 1 && 0 || 1", "1\n0\n1"),
        (".5-1; x=3; x*x; !0 # a remark", "-.5\n9\n1"),
        ("quit", ""),
    ],
)
async def test_bc_calculates_as_bc_does(desktop: SimDesktop, line: str, result: str) -> None:
    assert await output(desktop, f"echo '{line}' | bc") == (f"{result}\n" if result else "")


@pytest.mark.parametrize(
    "line", ["1+", "(1", "1 $ 2", "1/0", "9^9999", "x" * 40 + "(" * 400, "2^(" * 60 + "1" + ")" * 60]
)
async def test_what_is_no_calculation_is_said_to_be_none(desktop: SimDesktop, line: str) -> None:
    printed, complaints, returncode = await ran(desktop, f"echo '{line}' | bc")

    assert (printed, returncode) == ("", 0)
    assert complaints.startswith("(standard_in) 1: ")


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        ("mkdir d; ln -s d l; ln -sfn /tmp l; readlink l; rm l; ls -d d", "/tmp\nd\n"),
        ("mkdir -p d/e; ln -s d/e l; realpath l; cd d; ln -sr e ../m; readlink ../m", "/home/user/d/e\nd/e\n"),
        ("echo x > f; chmod -w f; stat -c '%a %n' f; chmod +x f; stat -c %A f", "444 f\n-r-xr-xr-x\n"),
        (
            "touch -d 2022-05-01 f; stat -c %Y f; find f -newermt 2030-01-01; find f -newermt 2022-04-30",
            "1651363200\nf\n",
        ),
        ("printf ab > f; find . -type f -printf '%s %P %m\\n'", "2 f 644\n"),
        ("echo x > f; cp f g; cmp f g && echo same; echo y > g; cmp f g", "same\nf g differ: byte 1, line 1\n"),
        ("mkdir -p d/t/u/v; find d/t -type d -empty -delete; ls d; ls -d d", "d\n"),
        ("echo 'a  b' | sed -E 's/[[:space:]]+/_/'; echo 'a1' | grep -o '[[:digit:]]'", "a_b\n1\n"),
        ("printf '[a]\\nv=1\\n[b]\\nv=2\\n[c]\\n' | sed '/^\\[b/,/^\\[/ s/v=.*/v=9/'", "[a]\nv=1\n[b]\nv=9\n[c]\n"),
        ("printf '1\\n3\\n' > a; printf '2\\n' > b; sort -m a b; sort -nm a b | tail -1", "1\n2\n3\n3\n"),
        ("ls nope > o 2>&1; wc -l < o; ls nope >> o 2>&1; wc -l < o; ls nope >/dev/null 2>&1 || echo no", "1\n2\nno\n"),
        ("rm -f nope; mkdir d; rm d || echo kept; rm -r d && ls -d d || echo gone", "kept\ngone\n"),
    ],
)
async def test_paths_and_patterns_are_what_they_are_in_bash(desktop: SimDesktop, script: str, shown: str) -> None:
    assert (await ran(desktop, script))[0] == shown


@given(text=st.text(st.sampled_from("[]:^ab-space"), max_size=30))
def test_only_classes_of_characters_are_spelled_out(text: str) -> None:
    changed = spelled_out(text)
    assert changed == text or "[:space:]" in text
