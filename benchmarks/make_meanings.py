"""Makes ``rules/meanings.bin``: the meanings of English words, small enough to ship.

Not part of a build. It takes the token table of the package ``wordllama`` (MIT; the package of
that name and ``numpy``, ``safetensors``, ``tokenizers`` must be installed), keeps the pieces that
are letters alone, turns their vectors to the directions in which they differ most, keeps the first
of these, and rounds to a byte each.

    python benchmarks/make_meanings.py rules/meanings.bin
"""

from __future__ import annotations

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

DIMENSIONS = 96
_PIECE = re.compile("▁?[a-z]+")
_LIMIT = 127
# What lies beyond is cut off, so that the rest keeps its differences.
_KEPT = 99.9


def main(target: Path) -> None:
    import numpy as np
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    spec = find_spec("wordllama")
    assert spec is not None, "pip install wordllama"
    assert spec.origin is not None
    package = Path(spec.origin).parent
    (table,) = load_file(package / "weights" / "l2_supercat_256.safetensors").values()
    names = Tokenizer.from_file(
        str(package / "tokenizers" / "l2_supercat_tokenizer_config.json")
    ).get_vocab()
    pieces = sorted(name for name in names if _PIECE.fullmatch(name))
    vectors = table.astype(np.float32)[[names[piece] for piece in pieces]]
    _, _, turned = np.linalg.svd(vectors - vectors.mean(0), full_matrices=False)
    short = vectors @ turned[:DIMENSIONS].T
    scale = _LIMIT / np.percentile(np.abs(short), _KEPT)
    rounded = np.clip(np.round(short * scale), -_LIMIT, _LIMIT).astype(np.int8)
    head = json.dumps({"dimensions": DIMENSIONS, "pieces": len(pieces)})
    words = " ".join(piece.replace("▁", "_") for piece in pieces)
    target.write_bytes(f"{head}\n{words}\n".encode() + rounded.tobytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
