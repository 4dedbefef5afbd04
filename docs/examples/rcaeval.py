"""Runs methods of RCAEval 1.8.1 on the cases in a folder, and writes their answers for `score --answers`.

    python -m venv venv && venv/bin/pip install RCAEval==1.8.1
    venv/bin/python docs/examples/rcaeval.py bench/ baro
"""

import json
import sys
from pathlib import Path

import numpy
import pandas

# Methods whose own packages are not installed are skipped where the package takes Python for 3.10.
import RCAEval.utility

RCAEval.utility.is_py310 = lambda: True
from RCAEval.benchmark.evaluation import Evaluator
from RCAEval.classes.graph import Node
from RCAEval import e2e

folder, method = Path(sys.argv[1]), sys.argv[2]
evaluator = Evaluator()
answers = {}
for path in sorted(folder.glob("rcaeval/*/*/data.csv")):
    service = path.parts[-3].split("_")[0]
    data = pandas.read_csv(path)
    data = data.loc[:, data.notna().any()].ffill().bfill()
    injected = int((path.parent / "inject_time.txt").read_text())
    numpy.random.seed(1)
    ranks = getattr(e2e, method)(data, injected, dataset="dcsim", sli=None)["ranks"]
    entities = list(dict.fromkeys(rank.split("_")[0] for rank in ranks))
    evaluator.add_case(ranks=[Node(entity, "unknown") for entity in entities], answer=Node(service, "unknown"))
    answers[path.parent.name] = {"case": path.parent.name, "entities": entities[:20]}
Path(f"{method}.jsonl").write_text("".join(json.dumps(answer) + "\n" for answer in answers.values()))
scores = [evaluator.accuracy(k) for k in (1, 3, 5)]
print(method, len(answers), *(f"AC@{k} {score:.2f}" for k, score in zip((1, 3, 5), scores)), f"Avg@5 {evaluator.average(5):.2f}")
