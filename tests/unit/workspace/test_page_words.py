"""The page's words for what the brain records."""

from __future__ import annotations

import re
from pathlib import Path

from sliceway.core.proposals import Act

SOURCE = Path(__file__).parents[3] / "src" / "sliceway"
RECORDED = re.compile(r'"((?:agent|channel|grant|page|person|policy|token)\.[a-z_]+|refused(?:\.[a-z_]+)?)"')


def test_every_act_of_the_record_has_words_on_the_page() -> None:
    """No reader of the ledger on the page meets the bare name of an act."""
    code = "\n".join(path.read_text() for floor in ("brain", "store") for path in (SOURCE / floor).rglob("*.py"))
    acts = set(RECORDED.findall(code)) | {f"proposal.{act.value}" for act in Act}
    acts |= {"proposal.asked", "proposal.drafted"}
    assert len(acts) > 20
    page = (SOURCE / "workspace" / "page" / "landed.js").read_text()
    table = page[page.index("const ACTS") : page.index("};")]
    worded = set(re.findall(r'"?([a-z_.]+)"?: "', table))
    assert acts - worded == set()
