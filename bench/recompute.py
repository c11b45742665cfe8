# Recomputes the numbers of a report from its trials with other programs: rates of words and characters, their counts, losses from clean
# sound, differences of recognizers, gaps and mean disparities of groups, and FairLENS' W-tests, as the studies `robustness` and
# `disparity` give them in report.json. All it reads of the trials is `trials.jsonl`, or `trials.csv` where there is none.
#
#   pip install jiwer scipy
#   python3 bench/recompute.py earwitness-report/RUN [how many numbers there must be at least]
#
# jiwer counts the errors anew, trial by trial, from the words that were compared (`reference_words`, `transcript_words`). Fails where a
# number is off by more than a billionth part, and where there are fewer than asked for. Studies with several draws or repeats,
# recorded scenarios, a gate or bins of ages are passed over and named, as are averages over scenarios. Dialogues are not looked at.
import csv
import json
import math
import os
import sys

import jiwer
from scipy import stats

folder, least = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
csv.field_size_limit(sys.maxsize)
checked = {}
wrong = []


def rows_of(folder):
    lines = os.path.join(folder, "trials.jsonl")
    if os.path.exists(lines):
        with open(lines, encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    with open(os.path.join(folder, "trials.csv"), encoding="utf-8", newline="") as file:
        plain = lambda text: text[1:] if text[:1] == "'" and text[1:2] in "=+-@" else text
        return [{key: plain(value) if value else None for key, value in row.items()} for row in csv.DictReader(file)]


def edits(count, said, heard):
    """Errors of a transcript, and what there was to say. jiwer wants something to compare with."""
    if not said:
        return {"substitutions": 0, "deletions": 0, "insertions": len(heard) if count is jiwer.process_characters else len(heard.split())}
    found = count(said, heard)
    return {"substitutions": found.substitutions, "deletions": found.deletions, "insertions": found.insertions}


class Trial:
    def __init__(self, row, suffix):
        self.row = row
        self.key = (row["utterance"], row["condition"])
        said, heard = row["reference_words" + suffix], row["transcript_words" + suffix]
        self.asked_of = row["reference"] is not None
        self.answered = row["failure"] is None
        if not self.asked_of:
            return
        said = said or ""
        self.words = len(said.split())
        if not self.answered:
            return
        heard = heard or ""
        self.edits = edits(jiwer.process_words, said, heard)
        self.errors = sum(self.edits.values())
        self.characters = len(said)
        self.character_errors = sum(edits(jiwer.process_characters, said, heard).values())


def same(what, told, computed):
    kind = what.split(":")[0]
    if told is None and computed is None:
        return
    checked[kind] = checked.get(kind, 0) + 1
    if told is None or computed is None or not math.isclose(told, computed, rel_tol=1e-9, abs_tol=1e-9):
        wrong.append(f"{what}: the report has {told}, its trials give {computed}")


def rate(trials):
    words = sum(trial.words for trial in trials)
    return sum(trial.errors for trial in trials) / words if words else None


def check_size(what, n, trials):
    same(f"utterances: {what}", n["utterances"], len({trial.row["utterance"] for trial in trials}))
    same(f"speakers: {what}", n["speakers"], len({trial.row["speaker"] for trial in trials if trial.row["speaker"]}))
    if "words" in n:
        same(f"words: {what}", n["words"], sum(trial.words for trial in trials))


def check_rate(what, estimate, trials):
    same(f"rate: {what}", estimate["value"], rate(trials))
    check_size(what, estimate["n"], trials)


def paired(one, other):
    """The trials of two on what both answered."""
    mine, theirs = ({trial.key: trial for trial in trials} for trials in (one, other))
    both = [key for key in mine if key in theirs]
    return [mine[key] for key in both], [theirs[key] for key in both]


def difference(before, after):
    first, second = rate(before), rate(after)
    return None if first is None or second is None else second - first


class Trials:
    """The answered trials of a run that have a reference, as one normalizer makes their words."""

    def __init__(self, rows, suffix):
        self.all = [Trial(row, suffix) for row in rows if row["draw"] in (0, "0") and row["repeat"] in (0, "0")]

    def of(self, recognizer, condition, attributes=None):
        return [
            trial
            for trial in self.all
            if trial.answered
            and trial.asked_of
            and trial.row["recognizer"] == recognizer
            and trial.row["condition"] == condition
            and all(value_of(trial.row, name) == value for name, value in (attributes or {}).items())
        ]


def value_of(row, name):
    return row.get("attribute_" + name, row.get(name))


def group_of(row, by):
    """Of several data sets, groups are of one of them: `by` is the column of the trials that names it."""
    own = {row["attribute"]: row["group"]}
    return {**own, by: row["dataset"]} if row.get("dataset") else own


def column_of_datasets(rows, trials):
    """The column that has the data sets of groups as its values; None where none has."""
    datasets = {row["dataset"] for row in rows if row.get("dataset")}
    columns = [name for name in trials.all[0].row if {trial.row[name] for trial in trials.all} == datasets]
    return columns[0] if datasets and columns else None


def robustness(finding, trials):
    for row in table_of(finding, "robustness-conditions"):
        recognizer, condition = row["recognizer"], row["condition"]
        own = trials.of(recognizer, condition)
        what = f"robustness, {recognizer} in {condition}"
        check_rate(what, row["wordErrorRate"], own)
        for kind in ("substitutions", "deletions", "insertions"):
            same(f"{kind}: {what}", row[kind], sum(trial.edits[kind] for trial in own))
        characters = sum(trial.characters for trial in own)
        same(f"character rate: {what}", row["characterErrorRate"]["value"], sum(trial.character_errors for trial in own) / characters if characters else None)
        if row["degradation"] is not None:
            before = [trial for trial in trials.of(recognizer, "clean")]
            mine = {trial.row["utterance"] for trial in own}
            clean = {trial.row["utterance"] for trial in before}
            same(
                f"loss: {what}",
                row["degradation"]["value"],
                difference([one for one in before if one.row["utterance"] in mine], [one for one in own if one.row["utterance"] in clean]),
            )
    groups = [
        {**row, "condition": table["title"].removeprefix("Groups, ")}
        for section in finding["sections"]
        for table in section.get("tables", [])
        if table["id"] in ("robustness-groups-clean", "robustness-groups-worst-condition")
        for row in table["rows"]
    ]
    by = column_of_datasets(groups, trials)
    for row in groups:
        if row.get("dataset") and by is None:
            continue
        own = trials.of(row["recognizer"], row["condition"], group_of(row, by))
        check_rate(f"robustness, {row['recognizer']} in {row['condition']}, {group_of(row, by)}", row["wordErrorRate"], own)
    for row in table_of(finding, "robustness-comparisons"):
        if row.get("dataset") and by is None:
            continue
        group = group_of(row, by) if row["attribute"] else None
        sides = [trials.of(row[name], row["condition"], group) for name in ("comparedWith", "recognizer")]
        same(
            f"difference: robustness, {row['recognizer']} and {row['comparedWith']} in {row['condition']}, {group}",
            row["difference"]["difference"]["value"],
            difference(*paired(*sides)),
        )


def table_of(finding, id):
    return next((table["rows"] for section in finding["sections"] for table in section.get("tables", []) if table["id"] == id), [])


def named_group(label, attributes):
    """`sex female × accent Indian` by attribute."""
    parts = [(next(name for name in attributes if part.startswith(name + " ")), part) for part in label.split(" × ")]
    return {name: part[len(name) + 1 :] for name, part in parts}


def disparity(finding, trials, condition):
    attributes = sorted(finding["settings"]["attributes"], key=len, reverse=True)
    recognizers = table_of(finding, "disparity-recognizers")
    everybody = {result["recognizer"]: rate(trials.of(result["recognizer"], condition)) for result in recognizers}
    distances = {name: [] for name in everybody}
    for result in table_of(finding, "disparity-groups"):
        name = result["recognizer"]
        own = trials.of(name, condition, named_group(result["group"], attributes))
        what = f"disparity, {name}, {result['group']}"
        check_rate(what, result["wordErrorRate"], own)
        own_rate = rate(own)
        same(f"gap: {what}", result["gap"]["difference"]["value"], None if own_rate is None else own_rate - everybody[name])
        if result["note"] == "yes":
            distances[name].append(abs(own_rate - everybody[name]))
    for result in recognizers:
        name = result["recognizer"]
        check_rate(f"disparity, {name}, everybody", result["wordErrorRate"], trials.of(name, condition))
        same(f"mean disparity: {name}", result["meanDisparity"]["value"], sum(distances[name]) / len(distances[name]))
    for pair in table_of(finding, "disparity-pairs-errors"):
        first, second = pair["comparedWith"], pair["recognizer"]
        told = difference(*paired(trials.of(first, condition), trials.of(second, condition)))
        same(f"difference: disparity, {first} and {second}", pair["difference"]["difference"]["value"], told)
    for pair in table_of(finding, "disparity-pairs-fairness"):
        first, second = pair["comparedWith"], pair["recognizer"]
        # Distances that are equal may differ in their last digits.
        farther = [round(one - other, 12) for one, other in zip(distances[second], distances[first])]
        test = stats.wilcoxon(farther, method="asymptotic" if pair["wForm"].startswith("normal") else "exact")
        same(f"W-test: {first} and {second}", pair["wTest"], float(test.pvalue))


def main():
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    rows = rows_of(folder)
    several = "words" not in rows[0]
    for finding in report["findings"]:
        normalizer = finding["settings"].get("normalizer") or {}
        name = finding["study"]["name"]
        if name not in ("disparity", "robustness"):
            continue
        # What the file of trials does not have: which utterances are a recorded scenario, and values that were put into bins.
        settings = finding["settings"]
        left_out = [key for key in ("recorded", "bins", "validity") if settings.get(key)]
        left_out += [key for key in ("draws", "repeats") if (settings.get(key) or 1) not in (1, "1")]
        if left_out:
            print(f"passed over: {finding.get('name', name)}, which has {' and '.join(left_out)}")
            continue
        trials = Trials(rows, f"_{normalizer['name']}" if several else "")
        if name == "robustness":
            robustness(finding, trials)
        else:
            disparity(finding, trials, "clean")
    for kind, count in checked.items():
        print(f"{count:7d}  {kind}")
    print(f"{sum(checked.values()):7d}  numbers, {len(wrong)} of them wrong")
    for line in wrong[:20]:
        print("  " + line)
    if wrong:
        sys.exit(1)
    if sum(checked.values()) < least:
        sys.exit(f"expected at least {least} numbers")


main()
