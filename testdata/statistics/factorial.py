"""Writes factorial.json: what games come to block by block in small factorial studies, and effects found by least squares.

    python factorial.py PROGRAM

PROGRAM is the command `sho`. Each cell is played as a tournament of its own, by copies of one bot and with `--csv`, so
that the values of the blocks come from rows of tournaments and not from a study. In every block a linear model is fitted
to the cells, with each setting as -1 (the base) or +1 and all products of settings. Changing a setting from -1 to +1
changes the mean by twice its coefficient; that is the main effect, and twice the coefficient of a product is the
interaction. The effect of a study is the mean over blocks, and its standard error the standard deviation over the root
of their number.

The same coefficients are fitted to all blocks at once, with a mean for each block, to see that nothing depends on the
order of these steps.
"""

import csv
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SEED = 7
BLOCKS = 40
SIDES = 3
BASE = [f"sides={SIDES}", "shells=40"]
MEASURES = ["throws", "decisions"]
BOT = "easy"
STUDIES = [
    [("join-throws", "no"), ("kill", "stacks-need-bigger")],
    [("join-throws", "no"), ("kill", "stacks-need-bigger"), ("opening-bonus", "none")],
]


def play(program, settings):
    """For each block the values of the measures."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.csv"
        words = [program, "tournament", "--bots", ",".join([BOT] * SIDES), "--schedule", "fixed", "--seed", str(SEED)]
        words += ["--games", str(BLOCKS), "--csv", str(rows), "--quiet"]
        for setting in BASE + settings:
            words += ["--set", setting]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        with rows.open() as file:
            found = [[int(row[measure]) for measure in MEASURES] for row in csv.DictReader(file)]
    assert len(found) == BLOCKS
    return found


def effects(values, levels):
    """Main effects and two-way interactions with their errors, from values by block and cell."""
    factors = len(levels[0])
    terms = [c for size in range(factors + 1) for c in itertools.combinations(range(factors), size)]
    x = np.array([[np.prod([level[i] for i in term]) for term in terms] for level in levels])
    fits = np.array([np.linalg.lstsq(x, block, rcond=None)[0] for block in values])
    # All blocks at once, each with its own mean.
    dummies = np.kron(np.eye(len(values)), np.ones((len(levels), 1)))
    stacked = np.hstack([dummies, np.tile(x[:, 1:], (len(values), 1))])
    pooled = np.linalg.lstsq(stacked, values.reshape(-1), rcond=None)[0][len(values):]
    np.testing.assert_allclose(2 * pooled, 2 * fits[:, 1:].mean(axis=0), atol=1e-9)
    found = []
    for index, term in enumerate(terms):
        if 1 <= len(term) <= 2:
            twice = 2 * fits[:, index]
            error = twice.std(ddof=1) / np.sqrt(len(twice))
            found.append({"settings": list(term), "effect": twice.mean(), "se": error})
    return found


def study(program, varied):
    # Of earlier settings the levels change slower, as in the order of a study's cells.
    levels = list(itertools.product([-1, 1], repeat=len(varied)))
    values = []
    for level in levels:
        changed = [f"{name}={value}" for (name, value), sign in zip(varied, level) if sign == 1]
        values.append(play(program, changed))
    # By measure, then block, then cell.
    values = np.array(values).transpose(2, 1, 0)
    return {
        "base": BASE,
        "varied": varied,
        "bot": BOT,
        "seed": SEED,
        "measures": {
            measure: {"values": of.tolist(), "effects": effects(of.astype(float), levels)}
            for measure, of in zip(MEASURES, values)
        },
    }


if __name__ == "__main__":
    studies = [study(sys.argv[1], varied) for varied in STUDIES]
    lines = ",\n".join(json.dumps(study) for study in studies)
    Path("factorial.json").write_text(f"[\n{lines}\n]\n")
