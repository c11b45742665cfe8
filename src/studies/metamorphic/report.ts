import { someOf } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { turned } from '../../model/comparison.ts';
import type { About, Estimate, Section, Statement, Verdict } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import { clean } from '../../model/trial.ts';
import { claimFrom, leadersInWords, verdictAmong } from '../shared/claims.ts';
import { reasonOf } from '../shared/estimates.ts';
import { failuresSection, failureWarnings } from '../shared/failures.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { fewUnits } from '../shared/speaker-warnings.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { fewerOrMore, named, rateInWords } from '../shared/wording.ts';
import type { ReadCases } from './cases.ts';
import type { RelationDesign } from './design.ts';
import type { FirstAnswers } from './first-answers.ts';
import type { MetamorphicOptions } from './options.ts';
import { curves, publishedSection } from './published-sections.ts';
import type { RelationCube } from './relation-cube.ts';
import type { ConditionSet, RelationResults, SetResult } from './results.ts';
import { comparisonsSection, errorsSections, identitySection, setSection, validitySection } from './sections.ts';
import type { SimilarityCounts } from './similarity.ts';

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
export function answerOf(
  { sets, identity, pairs, languages }: RelationResults,
  { conditions, recognizers, recognitions, once }: RelationDesign,
): Statement[] {
  const told = (language: string) => (languages.length > 1 ? { language } : {});
  const aboutSet = (set: ConditionSet, recognizer: string, language: { readonly language?: string }): About => ({
    recognizer,
    conditions: set.conditions.map((condition) => conditions[condition]!.name),
    ...language,
    than: { condition: clean.name },
    by: 'change',
  });
  // What has no case is told once, below.
  const opposed = pairs
    .filter(({ set, comparison }) => set.kind === 'relation' && comparison.difference.value !== null)
    .map(({ set, first, second, comparison: written }): Statement => {
      const isBetter = written.verdict === 'worse';
      const comparison = isBetter ? turned(written) : written;
      const [one, other] = isBetter ? [first, second] : [second, first];
      const about = aboutSet(set, other, {});
      const untold = `no significant difference between ${named(one)} and ${named(other)}: `;
      const sentence = (apart: string, verdict: Verdict) =>
        `${named(set.name)}: ${verdict === 'cannot tell' ? untold : ''}${named(one)} violates it in ${apart}`;
      return claimFrom({ comparison, about }, `cases than ${named(other)}`, sentence, fewerOrMore);
    });

  const who = (recognizer: string, language: string) =>
    `${named(recognizer)}${languages.length > 1 ? ` (${named(language)})` : ''}`;
  const askedOnce = new Set(recognizers.flatMap(({ name }, number) => (once[number] ? [name] : [])));
  const steadiness = identity
    .filter(({ series }) => !askedOnce.has(series))
    .map(({ series: recognizer, set: { language }, ratios: { differing } }): Statement => {
      const text = `${who(recognizer, language)}: asked twice about the same clip, it gives two different transcripts ${inCases(differing, 'clips')}.`;
      const about: About = {
        recognizer,
        conditions: [clean.name],
        ...told(language),
        than: { repeat: 0 },
        by: 'change',
      };
      return { text, estimate: differing, about };
    });
  const ofRelations = sets.filter(({ set }) => set.kind === 'relation');
  const isEmpty = ({ counts }: SetResult) => counts.pairs === 0;
  const relations = ofRelations
    .filter((one) => !isEmpty(one))
    .map(({ set, series, excess, level, ratios: { violationRate } }): Statement => {
      const reached = level.value === null ? '' : `, robustness level ${level.value}`;
      const text = `${named(set.name)}: ${who(series, set.language)} violates it ${inCases(violationRate, 'cases')}${reached}`;
      const about = aboutSet(set, series, told(set.language));
      if (excess.difference.value === null) return { text: `${text}.`, estimate: violationRate, about };
      return {
        text: `${text}${againstNothing[excess.verdict]}.${whyOpen(excess)}`,
        verdict: excess.verdict,
        estimate: violationRate,
        comparison: excess,
        about,
      };
    });
  const empty = Map.groupBy(ofRelations.filter(isEmpty), ({ series, set }) => who(series, set.language));
  const uncounted = [...empty].map(([heard, some]) => {
    const names = some.map(({ set }) => named(set.name));
    return `${heard} in ${someOf(names, maxNamedRelations)}`;
  });
  const nothing = `Nothing to count, as no case has both its clean and its changed clip answered: ${uncounted.slice(0, maxStatements).join('; ')}.`;
  return [
    ...(uncounted.length === 0 ? [] : [{ text: nothing }]),
    ...opposed,
    ...relations,
    ...(recognitions > 1 ? steadiness : []),
  ].slice(0, maxStatements);
}

/** `in 83.3 % of cases (95 % CI 75.4-88.7)` */
function inCases(share: Estimate, of: string): string {
  if (share.value === null) return `in a share of ${of} that is not known (${reasonOf(share, 'there are none')})`;
  return `in ${rateInWords(share, 'of', of)}`;
}

/** What the parts of a finding are made from. */
interface Concluded {
  readonly results: RelationResults;
  readonly cube: RelationCube;
  readonly cases: ReadCases;
  readonly design: RelationDesign;
  readonly first: FirstAnswers;
}

/** So many relations stand beside each other. */
const maxRelations = 4;

/** Recognizers by relations; by language where there are several, in which nobody is compared. */
export function scoresOf({ sets, pairs, languages }: RelationResults): Scores {
  const own = sets.filter(({ set }) => set.kind === 'relation');
  const relations = [...new Map(own.map(({ set }) => [JSON.stringify([set.name, set.language]), set])).values()];
  const several = languages.length > 1;
  const [first] = relations;
  const rates = own
    .filter(({ set, ratios }) => set === first && ratios.violationRate.value !== null)
    .toSorted((a, b) => a.ratios.violationRate.value! - b.ratios.violationRate.value!);
  const compared = several ? [] : pairs.filter(({ set }) => set.kind === 'relation' && set.name === first?.name);
  const leads = leadersInWords(
    rates.map(({ series }) => series),
    `violates ${named(first?.name ?? '')} least`,
    verdictAmong(compared),
  );
  return {
    measure: 'Violations',
    ...(leads !== null && { found: [leads] }),
    columns: relations.slice(0, maxRelations).map(({ name, language }) => ({
      words: `of ${name}`,
      head: several ? [name, language] : [name],
      rates: {
        ...{ table: 'metamorphic-relation-violations', column: 'violationRate' },
        where: { set: name, ...(several && { language }) },
      },
      ...(!several && {
        comparisons: {
          ...{ table: 'metamorphic-comparisons', column: 'difference' },
          where: { kind: 'Relation', set: name },
        },
      }),
    })),
    ranks: 0,
    ...(relations.length > maxRelations && { left: `${maxRelations} of ${relations.length} relations` }),
  };
}

/** Every part of the finding, in the order in which a reader wants them. */
export function sectionsOf(
  { results, cube, cases, design, first }: Concluded,
  validity: CaseValidity | null,
  profile: MetamorphicOptions['profile'],
): Section[] {
  return [
    setSection('relation', results, cube, design),
    profile === 'sr-mt' ? publishedSection(results, design) : null,
    identitySection(results, cube, design, first),
    curves(results, design),
    setSection('family', results, cube, design),
    setSection('severity', results, cube, design),
    setSection('condition', results, cube, design),
    comparisonsSection(results),
    validitySection(results, cube, design, validity),
    ...errorsSections(results, cube),
    failuresSection(
      'metamorphic',
      'A case counts only where clean and changed clip were both answered; a failed trial is no empty transcript.',
      cube.trials,
    ),
    cases.worst.length === 0
      ? null
      : {
          id: 'metamorphic-examples',
          title: 'Examples of violations',
          text: [
            'Clips that are recognized alike every time come first, those with the largest share of changed words before others. The reference is what was expected: the transcript of the clean clip.',
          ],
          examples: cases.worst,
        },
  ].filter((section) => section !== null);
}

/** What a reader must know before believing the numbers. */
export function warningsOf(
  { cube, cases, design, first }: Omit<Concluded, 'results'>,
  similarity: SimilarityCounts | null,
  minimumSpeakers: number,
): string[] {
  const { utterances, withoutSpeaker } = cases;
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
  warnings.push(...failureWarnings(cube.trials, 'these cases are left out'));
  if (withoutSpeaker > 0) {
    const which = withoutSpeaker === utterances ? 'all utterances' : counted(withoutSpeaker, 'utterance');
    warnings.push(
      `The speakers of ${which} are unknown: such utterances are taken to be independent of each other, and intervals are too narrow where one person spoke several.`,
    );
  }
  if (utterances > 0) warnings.push(...fewUnits(cube.units, minimumSpeakers));
  for (const { reason, count: pairs } of similarity?.missing ?? []) {
    warnings.push(`${counted(pairs, 'case')} without a similarity of meaning: ${named(reason)}.`);
  }
  return warnings;
}
