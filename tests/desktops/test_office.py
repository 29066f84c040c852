"""A fork of a desktop with LibreOffice open and an edited sheet in it, which was never saved."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import TYPE_CHECKING

import pytest

from drums.local.machines.runc.images import read

from .conftest import eventually, launch, shell, status

if TYPE_CHECKING:
    import drums
    from drums.local.machines.runc.layout import Layout

SHEET = "/home/user/sheet.ods"


@pytest.fixture
def office(client: drums.Client, host: Layout) -> drums.Env:
    """A desktop with a sheet that holds an unsaved 4711."""
    if read(host, "office") is None:
        pytest.skip("the image office is not built; sudo drums image build office")
    env = client.create("office").wait_valid()
    launch(env, "soffice --norestore --nologo --calc")
    eventually(lambda: "LibreOffice Calc" in shell(env, "wmctrl -l"), within_s=60)
    env.wait_quiescent(60, 1)
    env.step("pyautogui.write('4711\\n')")
    return env


@pytest.mark.timeout(240)
def test_an_edited_sheet_is_in_every_child_and_each_goes_on_alone(office: drums.Env) -> None:
    with office.fork(2, quiesce_timeout=60) as [first, second]:
        first.step("pyautogui.write('1001\\n')")
        second.step("pyautogui.write('2002\\n')")

        assert numbers(first) == {"4711", "1001"}
        assert numbers(second) == {"4711", "2002"}
        assert first.wait_valid().valid()
        assert second.wait_valid().valid()
        shell(first, "pkill -x soffice.bin || pkill soffice")
        eventually(lambda: "LibreOffice Calc" not in shell(first, "wmctrl -l"))

        assert "LibreOffice Calc" in shell(second, "wmctrl -l")
        assert "LibreOffice Calc" in shell(office, "wmctrl -l")
    assert numbers(office) == {"4711"}


def numbers(env: drums.Env) -> set[str]:
    """The numbers in the sheet, after saving it by the keyboard."""
    env.step(f"pyautogui.hotkey('ctrl', 's'); time.sleep(2); pyautogui.write('{SHEET}\\n'); time.sleep(1)")
    eventually(lambda: status(env, f"unzip -tq {SHEET}") == 0, within_s=30)
    encoded = shell(env, f"base64 -w0 {SHEET}")
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(encoded))) as archive:
        content = archive.read("content.xml").decode()
    return {number for number in ("4711", "1001", "2002") if f'office:value="{number}"' in content}
