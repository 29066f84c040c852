"""The scripted policy over the pack that comes with drums: a sound host scores 1 everywhere; the report shows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from drums.evaluation.evaluate import summed_up
from drums.evaluation.policies import noop, scripted
from drums.evaluation.settings import Pace
from drums.local.osworld.proofs import own_proofs
from tests.evaluation.stage import a_run
from tests.evaluation.test_report import shown_by_chromium
from tests.test_demo import CHROMIUM

if TYPE_CHECKING:
    from pathlib import Path

    import drums.aio

DOMAIN = "file_management"


async def test_the_scripted_policy_solves_a_domain_and_its_report_shows_every_rollout(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    records = await a_run(client, scripted, tmp_path, words=(DOMAIN,), max_turns=30)
    assert len(records) >= 5
    assert {record["score"] for record in records} == {1.0}
    done = summed_up(tmp_path)
    assert done.summary.total.success_rate == 1.0
    assert [row.name for row in done.summary.domains] == [DOMAIN]
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: the report was not looked at in a browser")
    dom = shown_by_chromium(done.report.path.read_text(), tmp_path)
    assert f"{len(records)} of {len(records)} rollouts" in dom
    assert len(re.findall(r'<span class="badge success">Success 1</span>', dom)) == len(records)
    assert dom.count('src="data:image/webp') >= len(records)


async def test_a_task_that_needs_a_real_desktop_is_an_error_on_simulated_ones_and_no_0(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    real = next(task_id for task_id, proof in sorted(own_proofs().items()) if not proof.sim)
    for fork in (False, True):
        (record,) = await a_run(client, noop, tmp_path / str(fork), words=(real,), fork=fork)
        assert (record["outcome"], record["score"]) == ("error", None)
        assert record["error"] is not None
        assert record["error"]["kind"] == "task_unsupported"
        assert "real desktop" in record["error"]["message"]


@pytest.mark.long
async def test_the_scripted_policy_solves_all_of_the_pack_that_needs_no_real_app(
    client: drums.aio.Client, tmp_path: Path
) -> None:
    words = tuple(sorted(task_id for task_id, proof in own_proofs().items() if proof.sim))
    solved = await a_run(client, scripted, tmp_path / "scripted", words=words, max_turns=30, pace=Pace(places=8))
    assert [record["id"] for record in solved if record["score"] != 1.0] == []
    idle = await a_run(client, noop, tmp_path / "noop", words=words, pace=Pace(places=8))
    assert [record["id"] for record in idle if record["score"] != 0.0] == []
