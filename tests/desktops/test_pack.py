"""The pack on real desktops: every task of it is sound there, by the image that its proof names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import drums.aio
from drums.local.machines.runc.images import read
from drums.local.osworld import TaskLibrary
from drums.local.osworld.proofs import own_proofs
from drums.task_audit import BUILTIN, Terms, audit_tasks, subjects_of

if TYPE_CHECKING:
    from drums.local import InProcess
    from drums.local.machines.runc.layout import Layout

PROOFS = own_proofs()
GROUPS = sorted({(PROOFS[summary.id].image, summary.domain) for summary in TaskLibrary().summaries()})
IMAGES = {"osworld-ubuntu": "desktop"}


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("image", "domain"), GROUPS)
async def test_every_task_of_the_pack_is_sound(daemon: InProcess, host: Layout, image: str, domain: str) -> None:
    if read(host, IMAGES.get(image, image)) is None:
        pytest.skip(f"the image {image} is not built")
    subjects = [each for each in subjects_of(BUILTIN, [domain]) if PROOFS[each.id].image == image]

    async with drums.aio.connect(daemon.url, daemon.token) as client:
        audits = [audit async for audit in audit_tasks(client, subjects, Terms(rechecks=1))]

    assert len(audits) == len(subjects) > 0
    assert [(audit.task_id, audit.verdict, audit.findings) for audit in audits if audit.verdict != "sound"] == []
