"""Writes ratings.json: simulated games with the ratings that other programs find in them.

Games are simulated with luck that those of a block share, so that errors by block differ from errors by game.
Ratings come from game-by-game data, not from the sums that sho-bench keeps:

- choix: without seat terms.
- statsmodels Logit, clustered by block: with seat terms, two at a table.
- statsmodels PHReg, with groups by block: with seat terms, more at a table. Cox's partial likelihood with a stratum for
  each game, in which the winner has the event, is that of the conditional logit. (ConditionalLogit itself has no
  clustered errors, and its search stops after four digits.)
- "direct": scipy on the likelihood written out game by game, and the sandwich from the gradient of each game. It is
  held against the others here, and stands alone where they cannot go: shared wins, copies of a bot, a ridge.
"""

import itertools
import json

import choix
import numpy as np
import statsmodels.api as sm
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax


def tables(lineups):
    """The games of a block: line-up, and the bot in each seat."""
    for number, lineup in enumerate(lineups):
        k = len(lineup)
        for p in range(k):
            yield number, [lineup[(s + p) % k] for s in range(k)]


def simulate(rng, worths, seat_terms, lineups, blocks, shared):
    """A text for each block: the letter of the seat that won each game; `=` where all shared."""
    worths, terms = np.array(worths), np.array(seat_terms)
    texts = []
    for _ in range(blocks):
        seat_luck = rng.normal(0, 0.8, len(terms))
        bot_luck = rng.normal(0, 0.4, len(worths))
        text = ""
        for _, table in tables(lineups):
            p = softmax(worths[table] + bot_luck[table] + terms + seat_luck)
            seat = rng.choice(len(terms), p=p)
            text += "=" if rng.random() < shared else "ABCD"[seat]
        texts.append(text)
    return texts


def games(lineups, blocks):
    """Every game: block, line-up, bots by seat, share of the win by seat."""
    for block, text in enumerate(blocks):
        for (lineup, table), letter in zip(tables(lineups), text):
            k = len(table)
            share = np.full(k, 1 / k) if letter == "=" else np.eye(k)["ABCD".index(letter)]
            yield block, lineup, table, share


def design(table, bots, seats):
    """A row for each seat: dummies of the bots from 1 on, dummies of the seats from 1 on."""
    x = np.zeros((len(table), bots - 1 + (len(table) - 1 if seats else 0)))
    for seat, bot in enumerate(table):
        if bot:
            x[seat, bot - 1] = 1
        if seat and seats:
            x[seat, bots - 2 + seat] = 1
    return x


def direct(lineups, blocks, bots, seats, ridge=0.0):
    """Maximum by scipy, sandwich from the gradients of all games; bot 0 is the reference."""
    data = [(b, l, t, design(t, bots, seats), y) for b, l, t, y in games(lineups, blocks)]
    size = data[0][3].shape[1]

    def log_worths(theta):
        # With the sum at 0, as the ridge wants them.
        worths = np.concatenate([[0], theta[: bots - 1]])
        return np.concatenate([worths - worths.mean(), theta[bots - 1 :]])

    def minus(theta):
        value = 0.5 * ridge * np.sum(log_worths(theta) ** 2)
        gradient = np.zeros(size)
        for _, _, _, x, y in data:
            eta = x @ theta
            value += logsumexp(eta) - y @ eta
            gradient += (softmax(eta) - y) @ x
        centred = log_worths(theta)
        # d/dtheta_j of half the sum of squares of centred worths is the centred worth itself.
        gradient += ridge * np.concatenate([centred[1:bots], centred[bots:]])
        return value, gradient

    found = minimize(minus, np.zeros(size), jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 10000})
    theta = found.x
    # BFGS stops short of the last digits: a few steps of Newton.
    for _ in range(5):
        h = np.zeros((size, size))
        by_block = np.zeros((len(blocks), size))
        for block, _, _, x, y in data:
            p = softmax(x @ theta)
            h += x.T @ (np.diag(p) - np.outer(p, p)) @ x
            by_block[block] += (y - p) @ x
        shrink = np.eye(size)
        shrink[: bots - 1, : bots - 1] -= 1 / bots
        step = np.linalg.solve(h + ridge * shrink, -minus(theta)[1])
        theta = theta + step
    assert np.abs(step).max() < 1e-10, step
    inverse = np.linalg.inv(h + ridge * shrink)
    by_block -= by_block.mean(axis=0)
    covariance = inverse @ by_block.T @ by_block @ inverse
    won, expected = {}, {}
    for _, lineup, table, x, y in data:
        p = softmax(x @ theta)
        for seat, bot in enumerate(table):
            key = (lineup, bot)
            won[key] = won.get(key, 0) + y[seat]
            expected[key] = expected.get(key, 0) + p[seat]
    pearson = sum((won[key] - expected[key]) ** 2 / expected[key] for key in won)
    return theta, covariance, pearson


def statsmodels_ratings(lineups, blocks, bots):
    if len(lineups[0]) == 2:
        y, x, groups = [], [], []
        for block, _, table, share in games(lineups, blocks):
            rows = design(table, bots, True)
            y.append(share[0])
            x.append(rows[0] - rows[1])
            groups.append(block)
        fit = sm.Logit(np.array(y), np.array(x)).fit(
            disp=False,
            tol=1e-14,
            cov_type="cluster",
            cov_kwds={"groups": np.array(groups), "use_correction": False},
        )
        return fit.params, fit.cov_params()
    time, x, status, strata, groups = [], [], [], [], []
    for game, (block, _, table, share) in enumerate(games(lineups, blocks)):
        k = len(table)
        time.extend([1] * k)
        x.extend(design(table, bots, True))
        status.extend(share)
        strata.extend([game] * k)
        groups.extend([block] * k)
    fit = sm.PHReg(np.array(time), np.array(x), status=np.array(status), strata=np.array(strata)).fit(
        groups=np.array(groups), disp=False
    )
    return fit.params, fit.cov_params()


def case(name, worths, seat_terms, lineups, blocks, seed, shared=0.0, ridge=0.0, packages=True):
    rng = np.random.default_rng(seed)
    bots = len(worths)
    texts = simulate(rng, worths, seat_terms, lineups, blocks, shared)
    theta, covariance, pearson = direct(lineups, texts, bots, True, ridge)
    result = {
        "name": name,
        "bots": bots,
        "lineups": lineups,
        "blocks": texts,
        "ridge": ridge,
        # Differences of bots 1, 2, ... to bot 0, then of seats B, C, ... to seat A.
        "direct": {
            "parameters": list(theta),
            "covariance": [list(row) for row in covariance],
            "pearson": pearson,
        },
    }
    if packages:
        alpha = 1e-6
        winners = []
        for _, _, table, share in games(lineups, texts):
            winner = int(np.argmax(share))
            winners.append((table[winner], [bot for seat, bot in enumerate(table) if seat != winner]))
        found = choix.opt_top1(bots, winners, alpha=alpha, tol=1e-12)
        result["choix"] = {"alpha": alpha, "worths": list(found)}
        params, cov = statsmodels_ratings(lineups, texts, bots)
        assert np.allclose(params, theta, atol=1e-6), (params, theta)
        result["statsmodels"] = {"parameters": list(params)}
        assert np.allclose(cov, covariance, rtol=1e-4, atol=1e-6), cov - covariance
        result["statsmodels"]["covariance"] = [list(row) for row in cov]
    return result


def main():
    every = lambda bots, k: [list(lineup) for lineup in itertools.combinations(range(bots), k)]
    cases = [
        case("duels", [0.6, 0.1, -0.2, -0.5], [0, -0.3], every(4, 2), 150, 1),
        case("threes", [0.7, 0.3, 0, -0.3, -0.7], [0, -0.2, -0.3], every(5, 3), 80, 2),
        case("fours", [1.0, 0.2, 0, -0.4, -0.8], [0, 0.1, -0.2, -0.4], every(5, 4), 80, 3),
        case(
            "copies and shared wins",
            [0.5, 0, -0.5],
            [0, 0.3, 0.1],
            [[0, 0, 1], [0, 1, 1], [0, 1, 2]],
            80,
            4,
            shared=0.05,
            ridge=0.5,
            packages=False,
        ),
    ]
    with open("ratings.json", "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(one) for one in cases) + "\n]\n")


if __name__ == "__main__":
    main()
