"""Runs methods of RCAEval 1.8.1 on the cases in a folder, and writes their answers for `score --answers`.

    python -m venv venv && venv/bin/pip install RCAEval==1.8.1
    venv/bin/python docs/examples/rcaeval.py bench/ baro
"""

import json
import sys
from pathlib import Path

import numpy
import pandas

# The package asks whether Python is its 3.10 by a name that it does not set.
import RCAEval.utility

RCAEval.utility.is_py310 = getattr(RCAEval.utility, "is_py310", lambda: False)
from RCAEval.benchmark.evaluation import Evaluator
from RCAEval.classes.graph import Node
from RCAEval import e2e

folder, method = Path(sys.argv[1]), sys.argv[2]
evaluator = Evaluator()
answers = {}
for path in sorted(folder.glob("rcaeval/*/*/data.csv")):
    service, fault = path.parts[-3].split("_")
    data = pandas.read_csv(path)
    data = data.loc[:, data.notna().any()].ffill().bfill()
    injected = int((path.parent / "inject_time.txt").read_text())
    numpy.random.seed(1)
    ranks = getattr(e2e, method)(data, injected, dataset="dcsim", sli=None)["ranks"]
    nodes = [Node(*rank.split("_", 1)) for rank in ranks]
    evaluator.add_case(ranks=nodes, answer=Node(service, fault))
    entities = list(dict.fromkeys(node.entity for node in nodes))
    answers[path.parent.name] = {"case": path.parent.name, "entities": entities[:20], "at_seconds": injected % 86_400}
Path(f"{method}.jsonl").write_text("".join(json.dumps(answer) + "\n" for answer in answers.values()))
scores = [evaluator.accuracy(k) for k in (1, 3, 5)]
print(method, len(answers), *(f"AC@{k} {score:.2f}" for k, score in zip((1, 3, 5), scores)), f"Avg@5 {evaluator.average(5):.2f}")
