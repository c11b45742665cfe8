import { asJson, type Json } from '../../base/json.ts';
import type { DisparityFinding } from './finding.ts';
import type { Subgroup } from './subgroups.ts';

/** All numbers as plain rows. */
export function dataOf({ design, tally, results, shifts, model }: DisparityFinding): Json {
  const { survey, subgroups, conditions } = design;
  const recognizer = (index: number) => design.recognizers[index]!.name;
  const rowsOf = (group: Subgroup | null) => {
    const wanted = group === null ? null : new Set(group.profiles);
    return survey.rows.profiles.flatMap((profile, row) => (wanted === null || wanted.has(profile) ? [row] : []));
  };
  const labelled = (group: Subgroup) => ({ attributes: group.attributes, values: group.values });
  return asJson({
    utterances: {
      scored: survey.scored,
      withoutReference: survey.skipped,
      withoutWords: tally.withoutWords,
      withoutSpeaker: survey.withoutSpeaker,
    },
    clusters: { count: survey.clusters.count, merged: survey.clusters.merged },
    attributes: survey.attributes,
    subgroups: subgroups.map((group) => ({
      ...labelled(group),
      name: group.name,
      utterances: group.utterances,
      speakers: group.speakers,
      counted: group.counted,
      why: group.why,
    })),
    groups: results.groups.map((row) => {
      const { errors, words, utterances } = tally.main(row.recognizer).totals(rowsOf(row.group));
      return {
        ...labelled(row.group),
        recognizer: recognizer(row.recognizer),
        counted: row.group.counted,
        wordErrors: errors,
        words,
        utterances,
        wordErrorRate: row.wordErrorRate,
        gap: row.gap,
      };
    }),
    recognizers: results.recognizers.map((row) => {
      const { errors, words } = tally.main(row.recognizer).totals(rowsOf(null));
      const model = results.table.models[row.recognizer]!;
      return {
        recognizer: recognizer(row.recognizer),
        wordErrors: errors,
        words,
        trials: conditions.map(({ name }, place) => ({
          condition: name,
          ...tally.trials.at(row.recognizer * conditions.length + place),
        })),
        wordErrorRate: row.wordErrorRate,
        baseline: model.baseline,
        gaps: model.gaps,
        disparities: model.disparities,
        meanDisparity: row.meanDisparity,
        meanDisparityByChance: row.byChance,
        pValue: row.pValue,
        adjustedPValue: row.adjustedPValue,
      };
    }),
    pairs: results.pairs.map((row) => ({
      ...row,
      first: recognizer(row.first),
      second: recognizer(row.second),
      wTest: row.wTest === null ? null : { ...row.wTest, first: recognizer(row.first), second: recognizer(row.second) },
    })),
    fairnessClusters: results.clusters.map((members) => members.map(recognizer)),
    failures: results.failures.map(({ group, recognizer: index, ...row }) => ({
      ...labelled(group),
      recognizer: recognizer(index),
      ...row,
    })),
    shifts: shifts.map(({ group, recognizer: index, domain, ...row }) => ({
      ...(group === null ? { attributes: null, values: null } : labelled(group)),
      recognizer: recognizer(index),
      from: design.domains[0],
      to: design.domains[domain],
      ...row,
    })),
    model:
      model === null
        ? null
        : {
            ...model,
            gaps: model.gaps.map((row) => ({ ...row, recognizer: recognizer(row.recognizer) })),
            tests: model.tests.map((row) => ({ ...row, recognizer: recognizer(row.recognizer) })),
            notes: model.notes.map((row) => ({ ...row, recognizer: recognizer(row.recognizer) })),
          },
  });
}
