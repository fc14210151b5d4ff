"""Writes the weights of a proven tuning as a file that is compiled in.

    python3 ship.py NAME DATE TUNE_JSON COMMAND [PROOF ...]

NAME is that of the file without its suffix, as hard-lhasa-2; DATE the day of the tuning; TUNE_JSON its result; COMMAND
the one that made it. A tuning that is not proven is refused. Where another bot than the one that was tuned is to play by
the weights, PROOF is a line for each test that it passed by them, and there must be some.
"""

import json
import os
import sys


def elo(test):
    low, high = test["elo_interval"]
    return f"{test['elo']:+.1f} +-{(high - low) / 2:.1f} Elo"


def main(name, date, path, command, *more):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    tune = result["tune"]
    if (name.split("-")[0] == tune["bot"].split(":")[0]) == bool(more):
        sys.exit(f"{name}: {len(more)} more proofs for weights that were tuned for {tune['bot']}")
    if result["verdict"] != "proven":
        sys.exit(f"{path}: {result['verdict']}; only what is proven is shipped")
    measure, optimism = result["measure"], result["optimism"]
    low, high = measure["interval"]
    made = result["provenance"]
    lines = [
        f"# rules: {tune['rules']['sides']} sides, bot {tune['bot']}, base: weights of {tune['base_name']}",
        f"# command: {command}",
        f"# seed: {tune['seed']}",
        f"# date: {date}, version {made['version']}, commit {made['commit']}",
        f"# result: tune.json with digest {result['digest'][:16]}",
    ]
    for test in result["tests"]:
        assert test["verdict"] == "h1", test
        who = ", ".join(test["lineup"])
        word = "tuned for" if more else "proof"
        lines.append(f"# {word}: {test['bot']}, {who}: passed after {test['blocks']} blocks, {elo(test)}")
    lines.append(
        f"# measure: {100 * measure['score']:.2f} +-{50 * (high - low):.2f} % against the field, "
        f"optimism {100 * optimism['value']:+.2f} % points"
    )
    lines += [f"# proof: {line}" for line in more]
    lines += [f"{name}={value}" for name, value in result["weights"].items()]
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, name + ".weights"), "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
