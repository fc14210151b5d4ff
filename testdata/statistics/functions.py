"""Writes functions.json: values of distribution functions by scipy."""

import json

from scipy import stats

BETA = [(0.5, 0.5), (1, 1), (2, 9), (3.5, 0.7), (30, 70), (500, 500), (3, 100_000), (123_456, 654_321), (5e7, 1.5e8)]
LEVELS = [0.001, 0.025, 0.5, 0.975, 0.9999]


def main():
    rows = []
    for a, b in BETA:
        for p in LEVELS:
            x = float(stats.beta.ppf(p, a, b))
            rows.append(["beta", a, b, x, float(stats.beta.cdf(x, a, b))])
    for n, p in [(10, 0.5), (100, 0.05), (1_000_000, 0.95)]:
        for level in LEVELS:
            k = int(stats.binom.ppf(level, n, p))
            rows.append(["binomial", n, p, k, float(stats.binom.cdf(k, n, p))])
    for freedom in [1, 2, 7, 40, 500]:
        for level in LEVELS:
            x = float(stats.chi2.isf(level, freedom))
            rows.append(["chi-square", freedom, 0, x, float(stats.chi2.sf(x, freedom))])
    for x in [-8, -3, -1.5, -0.1, 0, 0.7, 2.5, 6]:
        rows.append(["normal", 0, 0, x, float(stats.norm.cdf(x))])
    with open("functions.json", "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
