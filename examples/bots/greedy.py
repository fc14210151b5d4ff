#!/usr/bin/env python3
"""A bot in Python, to start from; it needs the standard library only.

In Sho it kills when it can, else joins, else runs furthest, as the built-in bot `easy` does. In Sholo Guti it takes as
many pieces as it can, and draws among what is equal. The protocol is described in docs/bot-protocol.md.

    sho check-bot 'python3 examples/bots/greedy.py'

To make it a bot of your own, change `value_in_sho` or `value_in_sholo_guti`: both get a position and an action, and
return what Python can compare. The greatest value is played.
"""

import random
import sys


def answer(line):
    """Write a line. Without the flush it would stay in a buffer, and the bot would seem to be silent."""
    print(line, flush=True)


# Sho. A position is six fields: SIDES MOVER PHASE WAITING RUN THROWS, as in
# 6+0:17x3/7+0:6x2!/7+0:4x2! B move 3 0 6


def read_sho(line):
    """The parts of a position that this bot looks at, from the mover's point of view."""
    sides, mover, _phase, waiting, _run, _throws = line.split(" ")
    ours, theirs, hand = {}, {}, 0
    for letter, side in zip("ABCD", sides.split("/")):
        coins, stacks = side.split(":")
        if letter == mover:
            # The hand stands before the `+`, what is home and the marks behind it.
            hand = int(coins.split("+")[0])
        for stack in stacks.split(",") if stacks != "-" else []:
            gap, size = stack.rstrip("!").split("x")
            (ours if letter == mover else theirs)[int(gap)] = int(size)
    return {"ours": ours, "theirs": theirs, "hand": hand, "waiting": waiting}


def spent(position, action):
    """The waiting values that an action spends, as in 15>24=2+7."""
    if "=" in action:
        return [int(value) for value in action.split("=")[1].split("+")]
    # Only one value waits, or a left-over is due: it stands last, behind a `>`.
    value = position["waiting"].split(",")[-1]
    return [int(value.strip(">*"))]


def value_in_sho(position, action, rules):
    """What an action is worth: compared part by part, the first difference decides."""
    if action == "again":
        return (-1,)  # To throw again is worth less than anything else.
    values = spent(position, action)
    what, _, where = action.split("=")[0].rpartition(">" if ">" in action else "@")
    if what == "all":
        source, coins = 0, position["hand"]
    elif what == "pair":
        source, coins = 0, 2
    elif what == "open":
        # Some throws open with one coin more, which this bot does not care about: it rarely has a choice there.
        source, coins = 0, int(rules["opening-coins"])
    elif what == "":
        source, coins = 0, 1
    else:
        source = int(what)
        coins = position["ours"][source]
    distance = sum(values)
    gap = source + distance
    if where == "home":
        landing = 0
    elif gap in position["theirs"]:
        landing = 2  # It is legal, so their stack is small enough: a kill.
    elif gap in position["ours"]:
        landing = 1  # A join.
    else:
        landing = 0
    return (landing, gap, coins, -distance, -len(values))


# Sholo Guti. A step is c4-c5; a take or a run of takes is c4:c6:a6.


def value_in_sholo_guti(_position, action):
    """How many pieces are taken."""
    return action.count(":")


def main():
    game, rules, draw = None, {}, random.Random(0)
    position = None
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "game":
            game = rest
        elif word == "rules":
            rules = dict(setting.split("=", 1) for setting in rest.split(" "))
            # The rules are the last line of the greeting: now it is for us to answer.
            if game in ("sho", "sholo-guti"):
                answer("hello sho-bot/1 greedy")
            else:
                answer(f"refuse I do not know the game {game}")
        elif word == "start":
            # A new game. Seeded with the number that we are given, we can play the same game again.
            _seat, seed = rest.split(" ")[:2]
            draw = random.Random(int(seed))
        elif word == "position":
            position = rest
        elif word == "actions":
            actions = rest.split(" ")
            if game == "sho":
                sho = read_sho(position)
                # `max` takes the first of equals.
                answer("action " + max(actions, key=lambda action: value_in_sho(sho, action, rules)))
            else:
                values = [value_in_sholo_guti(position, action) for action in actions]
                best = [action for action, value in zip(actions, values) if value == max(values)]
                answer("action " + draw.choice(best))
        elif word == "bye":
            return


if __name__ == "__main__":
    main()
