#!/usr/bin/env python3
"""The Markdown tables of these pages from the `study.json` of studies.

    python3 tables.py base STUDY...                     how games are under the base
    python3 tables.py effects [MEASURE] STUDY...        what each setting changes in it, `throws` where none is named
    python3 tables.py cells MEASURE,... STUDY...        means in each set of rules

STUDY is a `study.json`, or a folder that has one. Several are of the same rules and settings, each by other policies, and
their policies stand side by side. Only the standard library is needed. `studies.sh` plays the studies.
"""

import json
import os
import sys

# A table of what seats win has so many rows: the greatest effects, without other numbers of sides.
SEAT_ROWS = 14


def load(path):
    if os.path.isdir(path):
        path = os.path.join(path, "study.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def signed(value, digits):
    return f"{value:+.{digits}f}".replace("-", "−")


def find(rows, **keys):
    """The first row with these keys and values, or nothing."""
    return next((row for row in rows if all(row[key] == keys[key] for key in keys)), None)


def policies(studies):
    return [policy for study in studies for policy in study["policies"]]


def row(cells):
    return "| " + " | ".join(cells) + " |"


def head(names, first_left=True):
    columns = ["---" if first_left and index == 0 else "---:" for index in range(len(names))]
    return row(names) + "\n|" + "|".join(columns) + "|"


def base(studies):
    """How games of each policy are under the base."""
    seats = [seat["seat"] for seat in studies[0]["policies"][0]["cells"][0]["seats"]]
    names = ["policy", "mean", "median", "5 to 95 %", "longest"]
    names += [f"seat {seat} wins" for seat in seats] + ["stopped by the cap"]
    lines = [head(names)]
    for policy in policies(studies):
        cell = policy["cells"][0]
        length = find(cell["lengths"], measure="throws")
        cap = find(cell["ends"], what="cap")
        if "at_most" in cap:
            stopped = f"none, less than {100 * cap['at_most']:.4f} %"
        else:
            stopped = f"{100 * cap['share']:.4f} %"
        cells = [
            f"`{policy['name']}`",
            f"{length['mean']:.1f} ± {1.96 * length['se']:.1f}",
            str(length["median"]),
            f"{length['q05']} to {length['q95']}",
            str(length["max"]),
        ]
        for seat in cell["seats"]:
            low, high = seat["interval"]
            cells.append(f"{100 * seat['score']:.1f} ± {50 * (high - low):.1f} %")
        lines.append(row(cells + [stopped]))
    return "\n".join(lines)


def is_seen(effect):
    return effect is not None and bool(effect["se"])


def effect_text(effect, digits):
    """An effect with half of its interval among all, to at least one digit of that."""
    if effect is None:
        return ""
    if not is_seen(effect):
        return "0"
    low, high = effect["simultaneous"]
    half = (high - low) / 2
    star = "" if low <= 0 <= high else "*"
    while half < 0.5 * 10**-digits and digits < 6:
        digits += 1
    return f"{signed(effect['effect'], digits)}{star} ± {half:.{digits}f}"


def change(effects):
    """The least and the greatest relative change, and whether policies disagree on the direction."""
    relative = [effect["relative"] for effect in effects if effect and effect["relative"] is not None]
    text = ""
    if relative:
        text = f"{100 * min(relative):+.1f} to {100 * max(relative):+.1f} %".replace("-", "−")
    intervals = [effect["simultaneous"] for effect in effects if is_seen(effect)]
    if any(low > 0 for low, _ in intervals) and any(high < 0 for _, high in intervals):
        text += " (direction hangs on who plays)"
    return text


def effects(studies, measure="throws"):
    """What each contrast changes in a measure, the greatest first; and what changed nothing."""
    of_seats = measure.startswith("payoff_")
    digits = 3 if of_seats else 1
    all_policies = policies(studies)

    def by_policy(contrast):
        return [find(policy["effects"], contrast=contrast, measure=measure) for policy in all_policies]

    def size(contrast):
        return max(abs(effect["effect"]) if effect else 0 for effect in by_policy(contrast))

    names = [contrast["name"] for contrast in studies[0]["contrasts"]]
    names.sort(key=size, reverse=True)
    lines = [head(["rule", *(f"`{policy['name']}`" for policy in all_policies), "change"])]
    nothing = []
    for name in names:
        found = by_policy(name)
        if not any(is_seen(effect) for effect in found):
            nothing.append(f"`{name}`")
        elif not of_seats or "sides=" not in name:
            lines.append(row([f"`{name}`", *(effect_text(effect, digits) for effect in found), change(found)]))
    if of_seats:
        return "\n".join(lines[: 1 + SEAT_ROWS])
    text = "\n".join(lines) + "\n\n"
    if nothing:
        text += f"In no game of any policy did anything change with {', '.join(nothing)}.\n"
    families = [find(study["families"], measure=measure) for study in studies]
    said = ", ".join(f"{family['size']} effects, {family['critical']:.2f} standard errors" for family in families)
    digests = ", ".join(f"`{study['digest'][:16]}`" for study in studies)
    return text + f"Families: {said}. Digests of `study.json`: {digests}."


def cells(studies, measures):
    """Means with half of their intervals, by policy and set of rules."""
    columns = [(policy, cell) for policy in policies(studies) for cell in policy["cells"]]
    lines = [head(["", *(f"`{policy['name']}`, {cell['cell']}" for policy, cell in columns)])]
    for measure in measures.split(","):
        texts = []
        for _, cell in columns:
            found = find(cell["means"], measure=measure)
            low, high = found["interval"] or [found["mean"]] * 2
            half = (high - low) / 2
            texts.append(f"{found['mean']:.2f} ± {half:.2f}" if half else f"{found['mean']:.2f}")
        lines.append(row([measure.replace("_", " "), *texts]))
    return "\n".join(lines)


def main(words):
    kind, rest = words[0] if words else "", words[1:]
    if kind == "cells" and len(rest) > 1:
        return cells([load(path) for path in rest[1:]], rest[0])
    if kind == "base" and rest:
        return base([load(path) for path in rest])
    if kind == "effects" and rest:
        named = [] if os.path.exists(rest[0]) else [rest.pop(0)]
        return effects([load(path) for path in rest], *named)
    raise SystemExit(__doc__.strip())


if __name__ == "__main__":
    print(main(sys.argv[1:]))
