#!/usr/bin/env python3
"""Intervals, tests and coefficients of agreement beside those of scipy, statsmodels and krippendorff, on random tables.

    pip install scipy statsmodels krippendorff
    python tests/outside/statistics.py [SEED]

Writes random tables with the answers of these packages into a folder, lets the test `outside` compute ours, prints the
largest differences and keeps them in tests/outside/results/statistics.txt.
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
from importlib.metadata import version

import krippendorff
import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

CASES = 2000
HERE = pathlib.Path(__file__).resolve().parent


def intervals(random):
    n = int(random.integers(1, 2000))
    x = int(random.integers(0, n + 1))
    confidence = float(random.choice([0.8, 0.9, 0.95, 0.99]))
    ends = {}
    for name, method in [("wilson", "wilson"), ("clopper_pearson", "beta"), ("jeffreys", "jeffreys")]:
        ends[name] = [float(end) for end in proportion_confint(x, n, 1 - confidence, method)]
    exact = stats.binomtest(x, n).proportion_ci(confidence, "exact")
    assert abs(exact.low - ends["clopper_pearson"][0]) < 1e-9, "the packages agree with each other"
    return {"kind": "interval", "x": x, "n": n, "confidence": confidence, **ends}


def tails(random):
    population = int(random.integers(1, 100_000))
    truths = int(random.integers(0, population + 1))
    n = int(random.integers(0, min(population, 500) + 1))
    x = int(random.binomial(n, truths / population))
    one, other = int(random.integers(0, 60)), int(random.integers(0, 60))
    return {
        "kind": "tails", "x": x, "n": n, "truths": truths, "population": population, "one": one, "other": other,
        "hypergeometric": float(stats.hypergeom.pmf(x, population, truths, n)),
        "mcnemar": float(mcnemar([[1, one], [other, 1]], exact=True).pvalue),
    }


def ratings(random):
    raters, units, names = int(random.integers(2, 7)), int(random.integers(2, 60)), int(random.integers(2, 5))
    shares = random.dirichlet(np.ones(names))
    truth = random.choice(names, size=units, p=shares)
    table = np.where(random.random((units, raters)) < 0.6, truth[:, None], random.integers(0, names, (units, raters)))
    present = random.random((units, raters)) < random.choice([0.6, 0.9, 1.0])
    case = {"kind": "ratings", "rows": [[int(v) if p else None for v, p in zip(r, q)] for r, q in zip(table, present)]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        both = present[:, 0] & present[:, 1]
        counts = np.zeros((names, names))
        np.add.at(counts, (table[both, 0], table[both, 1]), 1)
        case["cohen"] = number(lambda: cohens_kappa(counts).kappa) if both.any() else None
        whole = table[present.all(axis=1)]
        named = np.stack([(whole == k).sum(axis=1) for k in range(names)], axis=1)
        case["fleiss"] = number(lambda: fleiss_kappa(named)) if len(whole) else None
        data = np.where(present, table.astype(float), np.nan).T
        case["alpha"] = number(lambda: krippendorff.alpha(data, level_of_measurement="nominal"))
    return case


def number(of):
    try:
        value = float(of())
    except (ValueError, ZeroDivisionError, AssertionError):
        return None
    return value if np.isfinite(value) else None


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "tables.jsonl"), "w") as out:
            for make in (intervals, tails, ratings):
                for _ in range(CASES):
                    out.write(json.dumps(make(random)) + "\n")
        command = os.environ.get("CARGO_TEST", "cargo test").split() + ["--test", "outside", "statistics"]
        done = subprocess.run(command, env={**os.environ, "DEJAVIEW_STATISTICS": folder}, cwd=HERE.parent.parent)
        path = os.path.join(folder, "differences.txt")
        found = open(path).read() if os.path.exists(path) else ""
    versions = ", ".join(f"{name} {version(name)}" for name in ("scipy", "statsmodels", "krippendorff"))
    text = f"{datetime.date.today()}, seed {seed}, {CASES} random tables of each kind; {versions}\n{found}"
    print(text)
    if done.returncode == 0:
        (HERE / "results").mkdir(exist_ok=True)
        (HERE / "results" / "statistics.txt").write_text(text)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
