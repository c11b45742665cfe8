import { asJson, type Json } from '../../base/json.ts';
import type { Estimate, Statement, Verdict } from '../../model/finding.ts';
import { turned } from '../shared/comparisons.ts';
import { named, rateInWords } from '../shared/wording.ts';
import { fields, trialPlace } from './cluster-sums.ts';
import type { Design } from './design.ts';
import type { Results } from './results.ts';
import type { SimilarityCounts } from './similarity.ts';
import type { Tally } from './tally.ts';

/** More relations or recognizers than this have their numbers in the tables alone. */
const maxStatements = 24;

const againstNothing: Readonly<Record<Verdict, string>> = {
  worse: ', more often than with nothing changed',
  better: ', less often than with nothing changed',
  'cannot tell': '; these data cannot tell whether that is more than with nothing changed',
};

/** Which recognizer keeps a relation better; how often each violates it, beyond what comes with nothing changed; and that. */
export function answerOf({ sets, identity, comparisons }: Results, design: Design): Statement[] {
  const nameOf = (recognizer: number) => named(design.recognizers[recognizer]!.name);
  const opposed = comparisons
    .filter(({ set }) => set.kind === 'relation')
    .map(({ set, first, second, comparison: written }): Statement => {
      const better = written.verdict === 'worse';
      const comparison = better ? turned(written) : written;
      const [one, other] = better ? [first, second] : [second, first];
      const what =
        comparison.verdict === 'cannot tell'
          ? `these data cannot tell ${nameOf(one)} from ${nameOf(other)}`
          : `${nameOf(one)} violates it less often than ${nameOf(other)}`;
      return { text: `${named(set.name)}: ${what}.`, verdict: comparison.verdict, comparison };
    });

  const languages = new Set(sets.map(({ language }) => language)).size;
  const inLanguage = (language: string) => (languages > 1 ? ` (${named(language)})` : '');
  const steadiness = identity.map(({ recognizer, language, differing }): Statement => {
    const name = nameOf(recognizer);
    const text = `${name}${inLanguage(language)}: asked twice about the same clip, it gives two different transcripts ${inCases(differing, 'clips')}.`;
    return { text, estimate: differing };
  });
  const relations = sets
    .filter(({ set }) => set.kind === 'relation')
    .map(({ set, recognizer, language, excess, violationRate, metrics }): Statement => {
      const who = `${nameOf(recognizer)}${inLanguage(language)}`;
      const { value } = metrics.level;
      const level = value === null ? '' : `, robustness level ${value}`;
      const text = `${named(set.name)}: ${who} violates it ${inCases(violationRate, 'cases')}${level}`;
      if (excess.difference.value === null) return { text: `${text}.`, estimate: violationRate };
      return {
        text: `${text}${againstNothing[excess.verdict]}.`,
        verdict: excess.verdict,
        estimate: violationRate,
        comparison: excess,
      };
    });
  return [...opposed, ...relations, ...(design.recognitions > 1 ? steadiness : [])].slice(0, maxStatements);
}

/** `in 83.3 % of cases (95 % CI 75.4-88.7)` */
function inCases(share: Estimate, of: string): string {
  if (share.value === null) return `in a share of ${of} that is not known (${share.reason ?? 'there are none'})`;
  return `in ${rateInWords(share, 'of', of)}`;
}

/** All numbers as plain rows, and the sums that they are made of. */
export function dataOf(results: Results, tally: Tally, design: Design, similarity: SimilarityCounts | null): Json {
  const recognizer = (index: number) => design.recognizers[index]!.name;
  const condition = (index: number) => design.conditions[index]!.name;
  return asJson({
    utterances: tally.utterances,
    recognitionsOfCleanClips: design.recognitions,
    relations: design.relations.map(({ name, output, conditions }) => ({
      name,
      output,
      conditions: conditions.map(condition),
    })),
    results: results.sets.map(({ set, cases, language, unit, ...row }) => ({
      kind: set.kind,
      name: set.name,
      relation: design.relations[set.relation]!.name,
      conditions: set.conditions.map(condition),
      rung: (set.kind === 'condition' && design.conditions[set.conditions[0]!]!.rung) || null,
      language,
      unit,
      recognizer: recognizer(row.recognizer),
      violationRate: row.violationRate,
      steadyViolationRate: row.steadyViolationRate,
      controlRate: row.controlRate,
      excess: row.excess,
      metrics: row.metrics,
      valid: row.valid,
      sums: Object.fromEntries(fields.map((field) => [field, cases.total(field)])),
    })),
    identity: results.identity.map(({ cases, ...row }) => ({
      ...row,
      recognizer: recognizer(row.recognizer),
      recognitions: cases.total('recognitions'),
      unsteadyClips: cases.total('unsteady'),
    })),
    comparisons: results.comparisons.map(({ set, first, second, comparison }) => ({
      kind: set.kind,
      name: set.name,
      recognizer: recognizer(second),
      comparedWith: recognizer(first),
      comparison,
    })),
    trials: design.recognizers.flatMap(({ name }, index) =>
      [null, ...design.conditions.keys()].map((number) => ({
        recognizer: name,
        condition: number === null ? 'clean' : condition(number),
        ...tally.trials.at(trialPlace(design, index, number)),
      })),
    ),
    similarity,
  });
}
