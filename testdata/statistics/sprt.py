"""Writes sprt.json: log-likelihood ratios found by maximizing the multinomial likelihood under each hypothesis.

scipy maximizes over all distributions on the outcomes, with the hypothesis as a condition: no formula is shared with
sho-bench, which solves an equation with one unknown.
"""

import json

import numpy as np
from scipy.optimize import minimize


def best(counts, conditions):
    """The greatest mean log-likelihood among distributions that meet the conditions, a function with its gradient each."""
    shares = counts / counts.sum()
    # In units of the shares, so that all variables are near 1.
    constraints = [
        {
            "type": "eq",
            "fun": lambda r, f=function: f(shares * r),
            "jac": lambda r, g=gradient: g(shares * r) * shares,
        }
        for function, gradient in [(lambda p: p.sum() - 1, np.ones_like), *conditions]
    ]
    start = np.ones_like(shares)
    for _ in range(5):
        found = minimize(
            lambda r: -shares @ np.log(r),
            start,
            jac=lambda r: -shares / r,
            method="SLSQP",
            bounds=[(1e-9, None)] * len(shares),
            constraints=constraints,
            options={"ftol": 1e-16, "maxiter": 2000},
        )
        start = found.x
    error = max(abs(one["fun"](found.x)) for one in constraints)
    assert error < 1e-9, (found, error)
    return shares @ np.log(found.x)


def mean_is(a, score):
    return lambda p: p @ a - score, lambda p: a


def effect_is(a, equal, t):
    def function(p):
        m = p @ a
        return m - equal - t * np.sqrt(p @ a**2 - m**2)

    def gradient(p):
        m = p @ a
        return a - t * (a**2 - 2 * m * a) / (2 * np.sqrt(p @ a**2 - m**2))

    return function, gradient


def case(seats, held, games, counts, kind, low, high):
    counts = np.array(counts, float)
    values = np.arange(games + 1) / (games * held)
    if kind == "logistic":
        score = lambda elo: 1 / (held + (seats - held) * np.exp(-elo * np.log(10) / 400))
        conditions = [mean_is(values, score(elo)) for elo in (low, high)]
    else:
        unit = np.sqrt(games) * np.log(10) / 800
        conditions = [effect_is(values, 1 / seats, unit * nelo) for nelo in (low, high)]
    used = np.where(counts == 0, 1e-3, counts)
    lower, upper = (best(used, [condition]) for condition in conditions)
    return {
        "seats": seats,
        "held": held,
        "games": games,
        # Blocks with 0, 1, 2, ... wins.
        "counts": [int(count) for count in counts],
        "kind": kind,
        "low": low,
        "high": high,
        "llr": used.sum() * (upper - lower),
    }


def main():
    cases = [
        case(2, 1, 2, [150, 420, 230], "logistic", 0, 20),
        case(2, 1, 2, [150, 420, 230], "normalized", 0, 20),
        case(3, 1, 3, [280, 440, 210, 70], "logistic", -5, 15),
        case(3, 1, 3, [280, 440, 210, 70], "normalized", 0, 30),
        case(3, 1, 3, [20, 44, 0, 0], "logistic", 0, 50),
        case(4, 1, 4, [900, 1300, 600, 180, 20], "logistic", 0, 10),
        case(4, 1, 4, [900, 1300, 600, 180, 20], "normalized", 0, 10),
        case(3, 2, 3, [60, 210, 430, 300], "logistic", 0, 20),
        case(4, 3, 4, [10, 80, 300, 900, 800], "normalized", -10, 10),
    ]
    with open("sprt.json", "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(one) for one in cases) + "\n]\n")


if __name__ == "__main__":
    main()
