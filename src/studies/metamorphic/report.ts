import { asJson, type Json } from '../../base/json.ts';
import { someOf } from '../../base/printable.ts';
import type { About, Estimate, Section, Statement, Verdict } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { claimFrom } from '../shared/claims.ts';
import { turned } from '../shared/comparisons.ts';
import { failuresSection, failureWarnings, namedTrials } from '../shared/failures.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { fewUnits } from '../shared/speaker-warnings.ts';
import { column, comparedWithColumn, comparisonColumns, recognizerColumn, tableOf } from '../shared/tables.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { counted, named, rateInWords } from '../shared/wording.ts';
import { fields, trialPlace } from './cluster-sums.ts';
import type { Design } from './design.ts';
import type { FirstAnswers } from './first-answers.ts';
import type { MetamorphicOptions } from './options.ts';
import { curves, publishedSection } from './published-sections.ts';
import type { ConditionSet, Results } from './results.ts';
import { errorsSections, identitySection, setLabels, validitySection } from './sections.ts';
import { setsSections } from './sets-sections.ts';
import type { SimilarityCounts } from './similarity.ts';
import type { Tally } from './tally.ts';

/** More relations or recognizers than this have their numbers in the tables alone. */
const maxStatements = 24;
/** More relations without a case than this are not named. */
const maxNamedRelations = 9;

const againstNothing: Readonly<Record<Verdict, string>> = {
  worse: ', more often than with nothing changed',
  better: ', less often than with nothing changed',
  'cannot tell': '; these data cannot tell whether that is more than with nothing changed',
};

/** Which recognizer keeps a relation better; how often each violates it, beyond what comes with nothing changed; and that. */
export function answerOf({ sets, identity, comparisons }: Results, design: Design): Statement[] {
  const nameOf = (recognizer: number) => named(design.recognizers[recognizer]!.name);
  const aboutSet = (set: ConditionSet, recognizer: number, language?: string): About => ({
    recognizer: design.recognizers[recognizer]!.name,
    conditions: set.conditions.map((condition) => design.conditions[condition]!.name),
    ...(language !== undefined && languages > 1 && { language }),
    ...{ than: { condition: clean.name }, by: 'change' },
  });
  const languages = new Set(sets.map(({ language }) => language)).size;
  // What has no case is told once, below.
  const opposed = comparisons
    .filter(({ set, comparison }) => set.kind === 'relation' && comparison.difference.value !== null)
    .map(({ set, first, second, comparison: written }): Statement => {
      const better = written.verdict === 'worse';
      const comparison = better ? turned(written) : written;
      const [one, other] = better ? [first, second] : [second, first];
      const about = aboutSet(set, better ? second : first);
      const untold = `no significant difference between ${nameOf(one)} and ${nameOf(other)}: `;
      const cases = (apart: string) =>
        apart.replace(/ points ((?:more or )?)(less|more)/, (_, both: string, side: string) => {
          return ` points ${both}${side === 'less' ? 'fewer' : 'more'} cases`;
        });
      return claimFrom({ comparison, about }, `than ${nameOf(other)}`, (apart, verdict) => {
        return `${named(set.name)}: ${verdict === 'cannot tell' ? untold : ''}${nameOf(one)} violates it in ${cases(apart)}`;
      });
    });

  const inLanguage = (language: string) => (languages > 1 ? ` (${named(language)})` : '');
  const asked = identity.filter(({ recognizer }) => !design.once[recognizer]);
  const steadiness = asked.map(({ recognizer, language, differing }): Statement => {
    const name = nameOf(recognizer);
    const text = `${name}${inLanguage(language)}: asked twice about the same clip, it gives two different transcripts ${inCases(differing, 'clips')}.`;
    const about: About = {
      recognizer: design.recognizers[recognizer]!.name,
      conditions: [clean.name],
      ...(languages > 1 && { language }),
      ...{ than: { repeat: 0 }, by: 'change' },
    };
    return { text, estimate: differing, about };
  });
  const ofRelations = sets.filter(({ set }) => set.kind === 'relation');
  const isEmpty = ({ violationRate: { value, n } }: (typeof sets)[number]) => value === null && n.pairs === 0;
  const relations = ofRelations
    .filter((one) => !isEmpty(one))
    .map(({ set, recognizer, language, excess, violationRate, metrics }): Statement => {
      const who = `${nameOf(recognizer)}${inLanguage(language)}`;
      const { value } = metrics.level;
      const level = value === null ? '' : `, robustness level ${value}`;
      const text = `${named(set.name)}: ${who} violates it ${inCases(violationRate, 'cases')}${level}`;
      const about = aboutSet(set, recognizer, language);
      if (excess.difference.value === null) return { text: `${text}.`, estimate: violationRate, about };
      return {
        text: `${text}${againstNothing[excess.verdict]}.${whyOpen(excess)}`,
        verdict: excess.verdict,
        estimate: violationRate,
        comparison: excess,
        about,
      };
    });
  const empty = Map.groupBy(ofRelations.filter(isEmpty), ({ recognizer, language }) => `${recognizer} ${language}`);
  const uncounted = [...empty.values()].map((some) => {
    const who = `${nameOf(some[0]!.recognizer)}${inLanguage(some[0]!.language)}`;
    return `${who} in ${someOf(
      some.map(({ set }) => named(set.name)),
      maxNamedRelations,
    )}`;
  });
  const nothing: Statement[] =
    uncounted.length === 0
      ? []
      : [
          {
            text: `Nothing to count, as no case has both its clean and its changed clip answered: ${uncounted.slice(0, maxStatements).join('; ')}.`,
          },
        ];
  return [...nothing, ...opposed, ...relations, ...(design.recognitions > 1 ? steadiness : [])].slice(0, maxStatements);
}

/** `in 83.3 % of cases (95 % CI 75.4-88.7)` */
function inCases(share: Estimate, of: string): string {
  if (share.value === null) return `in a share of ${of} that is not known (${share.reason ?? 'there are none'})`;
  return `in ${rateInWords(share, 'of', of)}`;
}

/** Every part of the finding, in the order in which a reader wants them. */
export function sectionsOf(
  results: Results,
  tally: Tally,
  design: Design,
  first: FirstAnswers,
  validity: CaseValidity | null,
  profile: MetamorphicOptions['profile'],
): Section[] {
  const [relations, ...others] = setsSections(results, design);
  const examples = tally.worst.items();
  return [
    relations ?? null,
    profile === 'sr-mt' ? publishedSection(results, design) : null,
    identitySection(results, design, first),
    curves(results, design),
    ...others,
    comparisonsSection(results, design),
    validitySection(results, tally, design, validity),
    ...errorsSections(results, design),
    failuresSection(
      'metamorphic',
      'A case counts only where clean and changed clip were both answered; a failed trial is no empty transcript.',
      namedTrials({ tally, design: withClean(design) }),
    ),
    examples.length === 0
      ? null
      : {
          id: 'metamorphic-examples',
          title: 'Examples of violations',
          text: [
            'Clips that are recognized alike every time come first, those with the largest share of changed words before others. The reference is what was expected: the transcript of the clean clip.',
          ],
          examples,
        },
  ].filter((section) => section !== null);
}

/** Every pair of recognizers; null where there is one alone. */
function comparisonsSection({ comparisons }: Results, design: Design): Section | null {
  if (comparisons.length === 0) return null;
  const id = 'metamorphic-comparisons';
  return {
    id,
    title: 'Recognizers compared',
    tables: [
      {
        ...tableOf(id, 'Difference in violations on the cases that both answered', comparisons, [
          column('kind', 'What', 'text', ({ set }) => setLabels[set.kind]),
          column('set', 'Name', 'text', ({ set }) => set.name),
          { ...recognizerColumn, of: ({ second }) => design.recognizers[second]!.name },
          { ...comparedWithColumn, of: ({ first }) => design.recognizers[first]!.name },
          {
            key: 'difference',
            label: 'Difference',
            kind: 'difference',
            help: 'Below zero: fewer violations.',
            of: ({ comparison }) => comparison,
          },
          ...comparisonColumns(
            'Permutation test: the two recognizers are swapped speaker by speaker',
            ({ comparison }: Results['comparisons'][number]) => comparison,
          ),
          column('pairs', 'Cases', 'count', ({ comparison }) => comparison.difference.n.pairs ?? null),
        ]),
        note: 'A verdict is given only if the interval and the adjusted p agree.',
      },
    ],
  };
}

/** What a reader must know before believing the numbers. */
export function warningsOf(
  tally: Tally,
  design: Design,
  first: FirstAnswers,
  similarity: SimilarityCounts | null,
  minimumSpeakers: number,
): string[] {
  const { clusters, utterances, withoutSpeaker, trials } = tally;
  const warnings: string[] = [];
  if (utterances === 0) warnings.push('The corpus has no utterances, so no recognizer was asked.');
  if (design.recognitions < 2) {
    warnings.push('There is no identity control: some violations may come without any change.');
  }
  design.recognizers.forEach(({ name }, recognizer) => {
    if (first.contradicted[recognizer]) {
      warnings.push(
        `${named(name)} declares itself deterministic, but gave different transcripts of the same clip; every clip was checked.`,
      );
    }
    for (const id of design.appended) {
      if (first.appendedText(id, recognizer) === null) {
        warnings.push(
          `${named(name)}: the appended utterance ${named(id)} has no transcript, so its relations have no cases.`,
        );
      }
    }
  });
  warnings.push(
    ...failureWarnings(namedTrials({ tally: { trials }, design: withClean(design) }), 'these cases are left out'),
  );
  if (withoutSpeaker > 0) {
    const which = withoutSpeaker === utterances ? 'all utterances' : counted(withoutSpeaker, 'utterance');
    warnings.push(
      `The speakers of ${which} are unknown: such utterances are taken to be independent of each other, and intervals are too narrow where one person spoke several.`,
    );
  }
  if (utterances > 0) warnings.push(...fewUnits(clusters, minimumSpeakers));
  for (const { reason, count: pairs } of similarity?.missing ?? []) {
    warnings.push(`${counted(pairs, 'case')} without a similarity of meaning: ${named(reason)}.`);
  }
  return warnings;
}

/** Trials are counted of clean sound first. */
function withClean(design: Design): Pick<Design, 'recognizers' | 'conditions'> {
  return { ...design, conditions: [clean, ...design.conditions] };
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
