"""Writes logit.json: simulated positions, and what statsmodels says of who won in them.

- statsmodels Logit without a constant, on the difference of two seats' features.
- statsmodels PHReg, with a group for each position, for three seats: Cox's partial likelihood with one event in a
  stratum is that of the conditional logit.

Both maximize the likelihood without a ridge.
"""

import json
import os

import numpy as np
import statsmodels.api as sm

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = np.array([0.8, -0.3, 0.05])


def simulated(seats, positions, rng):
    features = rng.integers(-4, 5, size=(positions, seats, len(WEIGHTS)))
    # The third feature is large and goes together with the first.
    features[:, :, 2] = 3 * features[:, :, 0] + rng.integers(-9, 10, size=(positions, seats))
    scores = features @ WEIGHTS
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    won = np.array([rng.choice(seats, p=p) for p in chances])
    return features, won


def of_two(features, won):
    model = sm.Logit((won == 0).astype(float), features[:, 0] - features[:, 1])
    return model.fit(disp=0, method="newton", maxiter=100, tol=1e-14).params


def of_more(features, won):
    positions, seats, _ = features.shape
    times = np.full((positions, seats), 2.0)
    times[np.arange(positions), won] = 1.0
    status = np.zeros((positions, seats))
    status[np.arange(positions), won] = 1.0
    groups = np.repeat(np.arange(positions), seats)
    model = sm.PHReg(
        times.ravel(),
        features.reshape(positions * seats, -1).astype(float),
        status=status.ravel(),
        strata=groups,
    )
    return model.fit(method="newton", maxiter=100, tol=1e-14, disp=0).params


def main():
    rng = np.random.default_rng(20261130)
    cases = []
    for seats, positions in [(2, 400), (3, 300)]:
        features, won = simulated(seats, positions, rng)
        weights = of_two(features, won) if seats == 2 else of_more(features, won)
        cases.append(
            {
                "seats": seats,
                "features": features.reshape(positions, -1).tolist(),
                "won": won.tolist(),
                "weights": [float(w) for w in weights],
            }
        )
    with open(os.path.join(HERE, "logit.json"), "w", encoding="ascii") as file:
        json.dump(cases, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
