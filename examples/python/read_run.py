"""Runs a config and shows word errors by recognizer and condition, with pandas. python3 read_run.py [CONFIG] [REPORT FOLDER]"""
import sys

import earwitness

config, folder = (sys.argv[1:] + ["earwitness.config.yaml", "earwitness-report"][len(sys.argv) - 1 :])[:2]
report = earwitness.run(config)
for finding in report["findings"]:
    print(finding["study"] if isinstance(finding.get("study"), str) else finding.get("title", ""))
trials = earwitness.read_trials(folder)
print(trials.groupby(["recognizer", "condition"]).size())
